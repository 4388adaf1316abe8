# What changed between two runs.
. "$(dirname "$0")/lib.sh" "$@"
table() { # FILE IOPS
    printf 'target,size,read_pct,random_pct,queue_depth,iops\n' >"$1"
    printf 'A,4k,100,100,1,%s\nA,4k,100,100,8,%s\n' "$2" "$(($2 * 4))" >>"$1"
}
table base.csv 10000
table same.csv 10001
table slow.csv 5000
printf 'target,size,read_pct,random_pct,queue_depth,iops\nOther,4k,100,100,8,20000\n' >other.csv
printf 'target,size,read_pct,random_pct,queue_depth,iops\nA,8k,0,0,2,20000\n' >apart.csv
for name in base same slow other apart; do
    expect 0 "imported as run $name" "$qdepth" import "$name.csv"
done
expect 0 "A, queue depth 1: IOPS 10,000 → 5,000, 0.50×" "$qdepth" compare base slow
expect 0 "worse" "$qdepth" compare base slow
expect 0 "2.00×" "$qdepth" compare slow base
expect 0 "better" "$qdepth" compare slow base
expect 0 "no clear difference" "$qdepth" compare base same
expect 0 '"verdict":"worse"' "$qdepth" compare base slow --json
expect 0 '"slower":0' "$qdepth" compare base slow --json
expect 5 "2 values are slower by more than 5%" "$qdepth" compare base slow --fail-on slower:5%
expect 0 "better" "$qdepth" compare slow base --fail-on slower:5%
expect 0 "better is more" "$qdepth" compare base slow --fail-on slower:60%
# the only target of each belongs together, whatever it is called
expect 0 "Other, queue depth 8: IOPS 40,000 → 20,000" "$qdepth" compare base other
expect 1 "no point in common" "$qdepth" compare base apart
expect 2 "the same run" "$qdepth" compare base base
expect 2 "--fail-on takes slower:PERCENT" "$qdepth" compare base slow --fail-on faster
expect 1 "cannot find run" "$qdepth" compare base nosuch
expect 2 "" "$qdepth" compare base
