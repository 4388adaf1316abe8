# One whole run: matrix to page. The numbers in the store agree with themselves.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
mkdir dir
expect 0 "out/first/index.html" "$qdepth" run oltp --target A=dir --target B=mem: --target C=file "${quick[@]}" --name first
[ "$(tail -n 1 printed)" = out/first/index.html ] || fail "the last line is not the path of the page"
[ -s out/first/index.html ] || fail "no page"
[ -s out/first/data/results.csv ] && [ -s out/first/data/results.json ] || fail "no data files"
[ -z "$(ls dir)" ] || fail "scratch was left in the directory"
[ ! -e file ] || fail "the scratch file was not removed"
[ ! -e store.db-wal ] || fail "the WAL was not folded back"

[ "$(sql "select count(*) from results where direction='all' and status='done'")" = 30 ] || fail "not 30 cells"
wrong=$(sql "select count(*) from (select r.cell, r.direction, r.ios, r.bytes, sum(i.ios) as ios2, sum(i.bytes) as bytes2
    from results r join intervals i on i.cell=r.cell and i.direction=r.direction and i.t_s>=0
    where r.direction<>'all' group by r.cell, r.direction having r.ios<>ios2 or r.bytes<>bytes2)")
[ "$wrong" = 0 ] || fail "$wrong results are not the sum of their intervals"
wrong=$(sql "select count(*) from results where direction='all' and abs(iops*(bytes*1.0/ios)/1e6/mb_s-1)>1e-9")
[ "$wrong" = 0 ] || fail "IOPS x size is not MB/s in $wrong rows"
wrong=$(sql "select count(*) from results where direction='all' and errors>0")
[ "$wrong" = 0 ] || fail "I/O errors in $wrong rows"
# Little's law against the depth that was achieved, within 3 % plus the boundary effect: I/Os in flight at either end.
wrong=$(sql "select count(*) from results where direction='all'
    and abs(iops*lat_mean_ns/1e9/achieved_depth-1) > 0.03+lat_max_ns/1e9/seconds")
[ "$wrong" = 0 ] || fail "IOPS x response time is not the queue depth in $wrong rows"
# The mix comes out as asked within the binomial bound (z = 4.9, two-sided 1e-6).
wrong=$(sql "select count(*) from (select a.ios n, r.ios k, case a.workload when 'heavy-read' then 0.9 else 0.65 end p
    from results a join results r on r.cell=a.cell and r.direction='read' where a.direction='all')
    where abs(k-n*p) > 4.9*sqrt(n*p*(1-p))+1")
[ "$wrong" = 0 ] || fail "the read share is off in $wrong rows"

expect 0 "first" "$qdepth" list
expect 0 '"cells_done"' "$qdepth" list --json
expect 0 "30 of 30 cells" "$qdepth" show first
expect 0 '"schema"' "$qdepth" show latest --json
expect 0 "is taken: this run is called first-2" "$qdepth" run quick --target M=mem: "${quick[@]}" --queue-depth 1 --name first --no-report
[ ! -e out/first-2 ] || fail "--no-report wrote a report"
expect 0 "deleted" "$qdepth" delete first-2
expect 1 "cannot find run" "$qdepth" show first-2
expect 0 "is now called second" "$qdepth" edit first --name second
