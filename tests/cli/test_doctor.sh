# doctor finds the known answers on any machine, says what is missing, and leaves nothing behind.
. "$(dirname "$0")/lib.sh" "$@"
mkdir place
expect 0 "measures truly on this machine" "$qdepth" doctor place
for part in machine "known answers" folder "Little's law, depth 32" "a loop of pread alone" "IOPS 9,999.9 (known: 9,999.9)" \
    "IOPS 319,996.8 (known: 319,996.8)"; do
    grep -qF "$part" printed || { cat printed; fail "'$part' is missing"; }
done
! grep -q "^  bad" printed || fail "something is bad"
if command -v fio >/dev/null && grep -q "ok    io_uring" printed; then
    grep -Eq "IOPS beside fio, depth 8: [0-9,]+, fio [0-9,]+" printed || { cat printed; fail "not compared with fio"; }
fi
[ -z "$(ls -A place)" ] || fail "something was left behind"
[ ! -e store.db ] || fail "a store was made"
expect 0 '"schema": 1' "$qdepth" doctor place --json
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 :memory: "select json_extract(readfile('printed'), '\$.ok') || ' ' ||
        (select count(*) > 10 and sum(json_extract(value, '\$.state') = 'bad') = 0 from json_each(readfile('printed'), '\$.findings'))")" = "1 1" ] ||
        fail "not the JSON it should be"
fi
expect 2 "is not a folder" "$qdepth" doctor nosuch
touch file
expect 2 "is not a folder" "$qdepth" doctor file
# a container: no io_uring
code=0
"$WITHOUT" EPERM true || code=$?
if [ $code = 0 ]; then
    expect 0 "uses a thread for each I/O" "$WITHOUT" EPERM "$qdepth" doctor place
fi
