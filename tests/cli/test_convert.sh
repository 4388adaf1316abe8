# Iometer configurations and fio job files as matrices.
. "$(dirname "$0")/lib.sh" "$@"
data=$SOURCE_DIR/tests/data/matrix
expect 0 "valid, converted: Iometer configuration" "$qdepth" check "$data/cycle.icf"
expect 0 "points     6" "$qdepth" check "$data/cycle.icf"
expect 0 "align 0 (random I/Os begin at any sector)" "$qdepth" check "$data/cycle.icf"
expect 0 "valid, converted: fio job file" "$qdepth" check "$data/jobs.fio"
expect 0 "line 20: rate_process=poisson" "$qdepth" check "$data/jobs.fio"

expect 0 "OLTP Heavy Read" "$qdepth" run "$data/cycle.icf" --target M=mem: "${quick[@]}" --name icf --no-report
expect 0 "not carried over from the Iometer configuration" "$qdepth" run "$data/cycle.icf" --target M=mem: --dry-run
[ "$(sql "SELECT group_concat(DISTINCT queue_depth) FROM results WHERE workload = 'oltp-heavy-read'")" = "1,2,4" ] ||
    fail "the depths are not cycled"
[ "$(sql "SELECT count(*) FROM results WHERE workload = 'sequential-write-64k' AND direction = 'write' AND ios > 0")" = 3 ] ||
    fail "the log was not written"
expect 0 "" "$qdepth" run "$data/jobs.fio" --target M=mem: "${quick[@]}" --name fio --no-report
[ "$(sql "SELECT queue_depth || ' ' || workers || ' ' || read_pct FROM results WHERE workload = 'mix' AND direction = 'all'")" = "4 2 70.0" ] ||
    fail "the mix is another one"

# UTF-16 with CRLF, as Windows saves it
need iconv
iconv -f UTF-8 -t UTF-16 "$data/cycle.icf" >wide.icf
expect 0 "points     6" "$qdepth" check wide.icf
sed 's/8192,50/8192,40/' "$data/cycle.icf" >broken.icf
expect 2 "broken.icf:17: access specification 'OLTP Heavy Read': its % of size sum to 90" "$qdepth" check broken.icf
expect 1 "missing.icf" "$qdepth" check missing.icf
