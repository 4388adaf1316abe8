# A long run and its windows: matrix to page, numbers of the window against the store, options that cannot be meant.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
mkdir dir
short=(--size 16MiB --interval 100ms --ramp 0s)

expect 0 "out/even/index.html" "$qdepth" run consistency --target A=dir --target B=mem: "${short[@]}" --duration 3s --name even
for text in "Response time over the run" "Within ±5" "a twelfth of an octave" "chosen from the data" "Single I/Os"; do
    grep -q -- "$text" out/even/index.html || fail "'$text' is not on the page"
done
[ -s out/even/report.pdf ] || fail "no PDF"
rows=$(sql "select count(*) from intervals where direction='all'")
[ "$(grep -c ',all,' out/even/data/intervals.csv)" = "$rows" ] || fail "intervals.csv does not have $rows records"

# --last: the sums of the records that start in it
expect 0 "out/last/index.html" "$qdepth" report even --last 1s --out out/last
grep -q "numbers are of the last 1 second of each cell" out/last/index.html || fail "the page does not say which window"
grep -q -- "qdepth report even --last 1s" out/last/index.html || fail "the command is not on the page"
while IFS='|' read -r cell ios; do
    got=$(awk -F, -v c="$cell" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["cell"] == c && $at["direction"] == "all" { print $at["ios"] }' out/last/data/results.csv)
    [ "$got" = "$ios" ] || fail "cell $cell has $got I/Os in the last second, not $ios"
done < <(sql "select cell, sum(ios) from intervals where direction='all' and t_s >= 1.9999999 group by cell")

expect 0 "out/middle/index.html" "$qdepth" report even --since 500ms --until 1500ms --out out/middle --format html,csv
expect 2 "--last goes with neither --since nor --until" "$qdepth" report even --last 1s --since 1s
expect 2 "is not before --until" "$qdepth" report even --since 2s --until 1s
expect 2 "expected a time above 0" "$qdepth" report even --last 0s
expect 2 "is not a time" "$qdepth" report even --last soon
expect 0 "it has no records in the window" cat "$("$qdepth" report even --since 1h --out out/none --format html)"

# the same bytes again
"$qdepth" report even --last 1s --out out/again >/dev/null
cmp out/last/index.html out/again/index.html || fail "the same window gave another page"
cmp out/last/report.pdf out/again/report.pdf || fail "the same window gave another PDF"

expect 0 "out/stream/index.html" "$qdepth" run streaming --target A=dir "${short[@]}" --duration 1s --name stream
grep -q "Below 90" out/stream/index.html || fail "no drops"
grep -q "MB/s of each record of 100" out/stream/index.html || fail "records are not named"
