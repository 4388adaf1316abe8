# Sourced by every tests/cli/test_*.sh: they get the program and an empty scratch folder, and run with it as current folder.
# A check that fails prints what was expected and ends the test.
set -euo pipefail
qdepth=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
export QDEPTH_STORE=$scratch/store.db
export NO_COLOR=1

fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}
skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}
# expect CODE TEXT COMMAND…: runs it, wants that exit code and TEXT in what it prints (stdout and stderr).
expect() {
    local code=$1 text=$2 got=0
    shift 2
    "$@" >"$scratch/printed" 2>&1 || got=$?
    [ "$got" = "$code" ] || {
        tail -n 5 "$scratch/printed"
        fail "exit $got, not $code: $*"
    }
    grep -qF -- "$text" "$scratch/printed" || {
        cat "$scratch/printed"
        fail "'$text' was not printed by: $*"
    }
}
sql() {
    sqlite3 -readonly "$QDEPTH_STORE" "$1"
}
need() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}
need_root() {
    [ "$(id -u)" -eq 0 ] || skip "root is needed for $1"
}
quick=(--size 16MiB --duration 200ms --ramp 0s --interval 100ms)
