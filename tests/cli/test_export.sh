# Results and matrices in other tools' formats, and back.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
expect 0 "" "$qdepth" run quick --target A=mem: --target B=mem: "${quick[@]}" --queue-depth 8 --repeat 2 --name own --no-report
expect 0 "" "$qdepth" run oltp --target A=mem: "${quick[@]}" --queue-depth 1,4 --workers 2 --name mix --no-report
expect 0 "" "$qdepth" import "$SOURCE_DIR/tests/data/import/fio-3.json" --name foreign

# what Iometer's format holds comes back as it was, to the last digit
held='target, workload, queue_depth, workers, size, read_pct, random_pct, rep, status, direction, ios, bytes, errors, seconds, iops, mb_s, lat_mean_ns, lat_max_ns'
for run in own mix foreign; do
    expect 0 "$run.csv" "$qdepth" export "$run" --format iometer-csv --out "$run.csv"
    expect 0 "0 warnings" "$qdepth" import "$run.csv" --name "$run-back"
    for name in "$run" "$run-back"; do
        sql "SELECT $held FROM results WHERE run_name = '$name' ORDER BY 1, 2, 3, 8, 10" >"$name.rows"
    done
    [ -s "$run.rows" ] || fail "$run has no results"
    cmp "$run.rows" "$run-back.rows" || {
        diff "$run.rows" "$run-back.rows" | head -n 4
        fail "$run is another one after the round trip"
    }
done
[ "$(sql "SELECT count(*) > 0 FROM percentile p JOIN cell c ON c.id = p.cell JOIN run r ON r.id = c.run WHERE r.name = 'own-back'")" = 1 ] ||
    fail "the latency bins are lost"

# JSON and CSV hold every column of the view
every='target, workload, queue_depth, workers, size, read_pct, random_pct, fill, span_bytes, rate_iops, rep, round, engine, direct, status, direction, ios, bytes, seconds, iops, mb_s, lat_mean_ns, lat_stddev_ns, lat_min_ns, lat_p50_ns, lat_p90_ns, lat_p95_ns, lat_p99_ns, lat_p999_ns, lat_p9999_ns, lat_max_ns, errors, cpu_user_s, cpu_system_s, achieved_depth, steady, source'
for run in own mix foreign; do
    sql "SELECT $every FROM results WHERE run_name = '$run' ORDER BY 1, 2, 3, 11, 16" >"$run.rows"
    for format in json csv; do
        "$qdepth" export "$run" --format "$format" >"$run-results.$format"
        expect 0 "0 warnings" "$qdepth" import "$run-results.$format" --name "$run-$format"
        sql "SELECT $every FROM results WHERE run_name = '$run-$format' ORDER BY 1, 2, 3, 11, 16" >back.rows
        cmp "$run.rows" back.rows || {
            diff "$run.rows" back.rows | head -n 4
            fail "$run is another one after the round trip through $format"
        }
    done
done

expect 0 '"schema":1' "$qdepth" export own
expect 0 'cell,run,target,workload' "$qdepth" export own --format csv
expect 0 '| workload | queue depth | target |' "$qdepth" export own --format md
"$qdepth" export own --format csv >own-results.csv
[ "$(wc -l <own-results.csv)" = "$(($(sql "SELECT count(*) FROM results WHERE run_name = 'own'") + 1))" ] ||
    fail "the CSV has other rows than the view"
expect 2 "--format takes one of json, csv, iometer-csv, fio-job, md" "$qdepth" export own --format nonsense
expect 1 "cannot find run" "$qdepth" export nosuch
expect 1 "was imported" "$qdepth" export foreign --format fio-job

# a matrix as fio jobs, without a store; fio takes it, and so do we
expect 0 "[heavy-read-qd128]" "$qdepth" export oltp --format fio-job --store none/of.db
"$qdepth" export own --format fio-job >own.fio
export TARGET=$scratch/target.bin
expect 0 "points     12" "$qdepth" check own.fio
need fio
truncate -s 16M target.bin
for matrix in $("$qdepth" matrices | awk '{ print $1 }'); do
    "$qdepth" export "$matrix" --format fio-job >"$matrix.fio" 2>left || continue
    fio --parse-only "$matrix.fio" >left 2>&1 || fail "fio does not take $matrix: $(cat left)"
done
sed 's/^runtime=.*/runtime=100ms/; s/^ramp_time=.*//; s/^ioengine=.*/ioengine=libaio/' own.fio >short.fio
fio --output-format=json short.fio >short.json || fail "fio does not run it"
expect 0 "12 cells" "$qdepth" import short.json --name by-fio
[ "$(sql "SELECT group_concat(workload) FROM (SELECT DISTINCT workload FROM results WHERE run_name = 'by-fio' ORDER BY 1)")" = \
    "$(sql "SELECT group_concat(workload) FROM (SELECT DISTINCT workload FROM results WHERE run_name = 'own' ORDER BY 1)")" ] ||
    fail "fio's workloads do not line up with ours"
