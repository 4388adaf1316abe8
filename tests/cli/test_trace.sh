# Recordings are replayed whole: in fio's, blkparse's and MSR Cambridge's form, at their times, scaled, and as fast as possible.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
{
    echo "fio version 3 iolog"
    for i in $(seq 0 299); do
        [ $((i % 3)) = 0 ] && what=write || what=read
        echo "$((1000 + i * 3000)) disk $what $((i * 7 % 200 * 4096)) $((4096 << i % 3))"
    done
} >app.iolog
{
    for i in $(seq 0 99); do
        printf '  8,0    1 %8d     %d.%09d   697  Q   R %d + 8 [app]\n' $i 0 $((i * 5000000)) $((i * 64))
    done
    echo "CPU1 (8,0):"
} >app.blk
for i in $(seq 0 49); do echo "$((128166372003061629 + i * 100000)),hm,1,Read,$((i * 1048576 * 4096)),8192,413"; done >app.csv
result() { sql "select $2 from results where run_name = '$1' and direction = '$3' limit 1"; }
event() { sql "select what from event where run = (select id from run where name = '$1') and code = '$2'"; }

# 300 I/Os, one each 3 ms: 897 ms.
expect 0 "index.html" "$qdepth" run --trace app.iolog --target D=. --size 8MiB --name recorded
[ "$(result recorded "ios || ' ' || bytes" read)" = "200 $((100 * 8192 + 100 * 16384))" ] || fail "not every read was replayed: $(result recorded "ios || ' ' || bytes" read)"
[ "$(result recorded "ios || ' ' || bytes" write)" = "100 $((100 * 4096))" ] || fail "not every write was replayed"
[ "$(result recorded 'seconds >= 0.897' all)" = 1 ] || fail "not at the recorded times: $(result recorded seconds all) s"
grep -q "app.iolog" out/recorded/index.html || fail "the page does not name the recording"
[ -z "$(event recorded trace-cut)" ] || fail "cut: $(event recorded trace-cut)"
is_sum=$(sql "select (select sum(ios) from interval i join cell c on c.id = i.cell where c.run = (select id from run where name = 'recorded')) = 300")
[ "$is_sum" = 1 ] || fail "rows do not sum to the recording"

cat >fast.xml <<'X2'
<matrix xmlns="urn:qdepth:matrix:1" name="fast" title="Replays">
  <workload id="triple" title="Three times as fast"><trace file="app.iolog" speed="3"/></workload>
  <workload id="fastest" title="As fast as possible"><trace file="app.iolog" speed="fastest" format="fio-iolog"/></workload>
  <workload id="blk" title="blkparse"><trace file="app.blk"/></workload>
  <workload id="msr" title="MSR"><trace file="app.csv"/></workload>
  <sweep><queue-depth>8</queue-depth></sweep>
</matrix>
X2
mkdir elsewhere
expect 0 "cells      4" "$qdepth" check fast.xml
(cd elsewhere && expect 0 "index.html" "$qdepth" run ../fast.xml --target D=. --size 8MiB --name fast)
row() { sql "select $2 from results where run_name = 'fast' and workload = '$1' and direction = 'all'"; }
[ "$(row triple "ios = 300 and seconds >= 0.299 and seconds < $(result recorded seconds all)")" = 1 ] || fail "not three times as fast: $(row triple "ios || ' ' || seconds")"
[ "$(row fastest "ios = 300 and seconds < $(row triple seconds)")" = 1 ] || fail "not as fast as possible: $(row fastest "ios || ' ' || seconds")"
[ "$(row blk "ios = 100 and bytes = 409600 and seconds >= 0.495")" = 1 ] || fail "blkparse: $(row blk "ios || ' ' || bytes || ' ' || seconds")"
[ "$(row msr "ios = 50 and bytes = 409600 and seconds >= 0.49")" = 1 ] || fail "MSR: $(row msr "ios || ' ' || bytes || ' ' || seconds")"
[ -n "$(event fast trace-fitted)" ] || fail "offsets beyond the span are not told"

# threads in place of a ring do the same
expect 0 "D" "$qdepth" run --trace app.iolog --target D=. --size 8MiB --name threads --engine sync --no-report --queue-depth 4
[ "$(result threads 'ios = 300 and seconds >= 0.897' all)" = 1 ] || fail "threads: $(result threads "ios || ' ' || seconds" all)"

# cut by --duration, and said
expect 0 "trace were replayed" "$qdepth" run --trace app.iolog --target D=. --size 8MiB --name short --duration 300ms --no-report
[ "$(result short 'ios between 1 and 110' all)" = 1 ] || fail "cut at $(result short ios all) I/Os"

# refused
head -c 20M /dev/urandom >precious
expect 4 "precious" "$qdepth" run --trace app.iolog --target D=precious
expect 0 "D" "$qdepth" run --trace app.blk --target D=precious --no-report --name readonly
expect 2 "app.iolog' is too much" "$qdepth" run app.iolog --trace app.iolog --target D=.
expect 1 "nosuch" "$qdepth" run --trace nosuch --target D=.
echo "fio version 3 iolog" >empty.iolog
expect 2 "reads or writes" "$qdepth" run --trace empty.iolog --target D=.
sed '5s/.*/5 disk read x 4096/' app.iolog >broken.iolog
expect 2 "broken.iolog:5" "$qdepth" run --trace broken.iolog --target D=.
sed 's/speed="3"/speed="0"/' fast.xml >slow.xml
expect 2 "expected recorded, fastest or a factor" "$qdepth" check slow.xml
# what fio itself records and qdepth replays
if command -v fio >/dev/null; then
    truncate -s 1M fiofile
    fio --name=t --filename=fiofile --rw=randrw --bs=4k --size=1m --io_size=200k --write_iolog=fio.iolog >/dev/null
    n=$(grep -cE ' (read|write) ' fio.iolog)
    expect 0 "D" "$qdepth" run --trace fio.iolog --target D=. --size 8MiB --name byfio --no-report
    [ "$(result byfio ios all)" = "$n" ] || fail "fio wrote $n I/Os, $(result byfio ios all) were replayed"
fi
! grep -q "disagree\|as many I/Os in flight" out/recorded/index.html || fail "a replay at recorded times is held to a depth"
