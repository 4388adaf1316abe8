# Results of other tools: formats by content, exit codes, the duplicate check, reports.
. "$(dirname "$0")/lib.sh" "$@"
data=$SOURCE_DIR/tests/data/import
expect 0 "fio-json, fio 3.33, 1 cell, 0 warnings" "$qdepth" import "$data/fio-3.json"
[ "$(sql "SELECT ios || '|' || bytes || '|' || iops || '|' || round(mb_s, 6) FROM results WHERE direction = 'all'")" = "100|819200|50.0|0.4096" ] ||
    fail "the numbers are others: $(sql "SELECT * FROM results")"
[ "$(sql "SELECT kind || ' ' || status FROM run")" = "import done" ] || fail "the run is not an import that is done"
[ "$(sql "SELECT source FROM results LIMIT 1")" = "fio 3.33" ] || fail "the source is not named"
[ "$(sql "SELECT count(*) FROM percentile")" = 3 ] || fail "percentiles are not kept as given"

expect 1 "run fio-3 holds it already" "$qdepth" import "$data/fio-3.json"
expect 1 "run fio-3 holds it already" "$qdepth" import "$data/fio-3.json" --name fio-3
expect 0 "imported as run again" "$qdepth" import "$data/fio-3.json" --name again --as "Drive A"
[ "$(sql "SELECT target FROM results WHERE run_name = 'again' LIMIT 1")" = "Drive A" ] || fail "--as names no target"
cp "$data/fio-3.json" copy.json
expect 1 "it is the same file as" "$qdepth" import copy.json "$data/fio-3.json" --name twice

: >empty.json
echo "error: failed to setup shm segment" >text.json
expect 1 "the file is empty" "$qdepth" import empty.json
expect 1 "failed to setup shm segment" "$qdepth" import text.json
expect 1 "missing.json" "$qdepth" import missing.json
expect 1 "is not a file" "$qdepth" import .
expect 2 "--format takes auto" "$qdepth" import text.json --format nonsense
expect 2 "only digits" "$qdepth" import "$data/fio-3.json" --name 12
expect 2 "" "$qdepth" import

# a broken file keeps its good rows; --strict is all or nothing
head -n 20 "$data/fio-3.json" >broken.json
sed 's/"bw" : 280/"bw" : 280,\n "bw_bytes" : nan/; s/"iops" : 35.000000/"iops" : nan/' "$data/fio-3.json" >doubtful.json
before=$(sql "SELECT count(*) FROM run")
expect 1 "broken here" "$qdepth" import broken.json
expect 1 "--strict" "$qdepth" import doubtful.json --strict
[ "$(sql "SELECT count(*) FROM run")" = "$before" ] || fail "a refused import left a run"
expect 0 "which is no number" "$qdepth" import doubtful.json
[ "$(sql "SELECT count(*) > 0 FROM event WHERE code = 'import' AND severity = 'warning'")" = 1 ] ||
    fail "the warning is not in the store"

expect 0 "index.html" "$qdepth" report fio-3 --format html --out report
grep -q "imported from fio 3.33" report/index.html || fail "the report does not name the source"
expect 0 "8 KiB random, 70 % read" "$qdepth" show fio-3
expect 0 "run again was deleted" "$qdepth" delete again

# rates without counts: no count and no time is made up for whoever asks
expect 0 "cdm-text, CrystalDiskMark 8.0.4, 5 cells, 1 warning" "$qdepth" import "$data/cdm-8.txt" "$data/kdiskmark.txt" --name rates
[ "$(sql "SELECT ios IS NULL AND bytes IS NULL AND seconds IS NULL AND round(iops, 6) = 100000 AND round(mb_s, 6) = 409.6
          FROM results WHERE run_name = 'rates' AND direction = 'all' AND source LIKE 'Crystal%' AND workload = 'random-read-4k'")" = 1 ] ||
    fail "the rates are others: $(sql "SELECT * FROM results WHERE run_name = 'rates'")"
[ "$(sql "SELECT group_concat(DISTINCT source) FROM (SELECT source FROM results WHERE run_name = 'rates' ORDER BY source)")" = \
    "CrystalDiskMark 8.0.4,KDiskMark 3.1.0" ] || fail "each cell names its own tool"
expect 0 "" "$qdepth" report rates --format csv,html --out rates
grep -q '^[^,]*,[^,]*,.*,all,,,,100000,409.6,5120000,' rates/data/results.csv || fail "counts of rates are not empty in the CSV"

# files told apart by content, whatever they are called
cp "$data/vdbench-flatfile.html" one.json
cp "$data/diskspd.xml" two.txt
expect 0 "vdbench-flatfile, Vdbench, 2 cells" "$qdepth" import one.json two.txt --name others
expect 1 "a histogram has no rates" "$qdepth" import "$data/vdbench-histogram.html" --name lonely
