#!/usr/bin/env bash
# Fails where a C file differs from what clang-format makes of it.
# usage: format.sh REPOSITORY
set -euo pipefail
cd "$1"
if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
mapfile -d '' files < <(find src tests bench -name '*.[ch]' -print0 | sort -z)
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are as clang-format writes them"
