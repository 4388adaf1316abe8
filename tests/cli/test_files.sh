# Targets that are files: existing ones are never written without permission, made ones vanish.
. "$(dirname "$0")/lib.sh" "$@"
head -c 20M /dev/urandom >precious
sum=$(sha256sum precious)
expect 4 "precious" "$qdepth" run quick --target A=precious "${quick[@]}"
[ "$(sha256sum precious)" = "$sum" ] || fail "a refused file was changed"
cat >reading.xml <<'X'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="200ms" ramp="0s" interval="100ms"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>1 4</queue-depth></sweep>
</matrix>
X
expect 0 "index.html" "$qdepth" run reading.xml --target A=precious --name read
[ "$(sha256sum precious)" = "$sum" ] || fail "a read-only plan changed the file"
expect 1 "less than the span" "$qdepth" run reading.xml --target A=precious --size 1GiB
expect 0 "index.html" "$qdepth" run quick --target A=precious --destroy precious "${quick[@]}" --queue-depth 1
[ "$(sha256sum precious)" != "$sum" ] || fail "with permission nothing was written"
[ -e precious ] || fail "an existing file was removed"
expect 1 "free, less than" "$qdepth" run quick --target A=. --size 900TiB
expect 2 "no such" "$qdepth" run quick --target A=/proc/qdepth-file
expect 1 "nodir" "$qdepth" run quick --target A=nodir/file
: >empty
expect 1 "empty" "$qdepth" run reading.xml --target A=empty
truncate -s 20M holes
expect 0 "holes" "$qdepth" run reading.xml --target A=holes --no-report
expect 0 "cells" "$qdepth" run quick --target A=. --dry-run
[ ! -e out/quick ] || fail "--dry-run wrote something"
mkdir -m 500 locked
if [ "$(id -u)" -ne 0 ]; then
    expect 1 "locked" "$qdepth" run quick --target A=locked "${quick[@]}"
fi
