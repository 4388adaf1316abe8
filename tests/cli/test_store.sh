# Care of stores: merge, vacuum, edit; nothing made in vain.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
run=("$qdepth" run quick "${quick[@]}" --queue-depth 1 --no-report)
expect 0 "IOPS" "${run[@]}" --target A=mem: --name first --store one.db
expect 0 "IOPS" "${run[@]}" --target B=mem: --name first --store two.db
expect 0 "first: now run 2, first-2" "$qdepth" merge two.db --store one.db
expect 0 "first: here already" "$qdepth" merge two.db --store one.db
expect 0 "B" "$qdepth" show first-2 --store one.db
expect 0 "out/both" "$qdepth" report first first-2 --store one.db --out out/both
expect 2 "into itself" "$qdepth" merge one.db --store one.db
expect 1 "no such file" "$qdepth" merge none.db --store one.db
expect 0 "target B is now called New B" "$qdepth" edit first-2 --target-name "B=New B" --note "after the update" --name second --store one.db
expect 0 "New B" "$qdepth" show second --store one.db
[ "$(sqlite3 one.db "select note from run where name='second'")" = "after the update" ] || fail "the note"
expect 2 "OLD=NEW" "$qdepth" edit second --target-name X --store one.db
expect 2 "edit needs" "$qdepth" edit second --store one.db
expect 0 "was deleted" "$qdepth" delete first --store one.db
expect 0 "one.db" "$qdepth" vacuum --store one.db
expect 0 "New B" "$qdepth" show second --store one.db
expect 1 "no such file" "$qdepth" vacuum --store none.db
printf 'nothing\n' >nothing.txt
expect 1 "no result" "$qdepth" import nothing.txt --store none.db
[ ! -e none.db ] || fail "a store was made in vain"
expect 0 "nothing to clean" "$qdepth" clean --store none.db
[ ! -e none.db ] || fail "clean made a store"
