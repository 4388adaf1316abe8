# A stored run is drawn again, byte for byte, without its targets, in another time zone, locale and folder.
. "$(dirname "$0")/lib.sh" "$@"
mkdir dir
"$qdepth" run quick --target A=dir --target B=mem: "${quick[@]}" --queue-depth 1,4 --name r >/dev/null 2>&1
rmdir dir
before=$(sha256sum store.db)
mkdir -p elsewhere/deep
(cd elsewhere/deep && TZ=Pacific/Auckland LC_ALL=C.UTF-8 HOME=/nonexistent "$qdepth" report latest --out again >/dev/null)
diff -r out/r elsewhere/deep/again || fail "the second report differs"
[ "$(sha256sum store.db)" = "$before" ] || fail "a report changed the store"
expect 1 "nosuch" "$qdepth" report nosuch
expect 1 "missing.db" "$qdepth" report --store missing.db
[ ! -e missing.db ] || fail "a reading verb made a store"
echo "not a database, not at all" >text.db
expect 1 "text.db" "$qdepth" list --store text.db
expect 2 "unknown format" "$qdepth" report latest --format docx
