# What breaks while a cell is measured, or refuses before: the answer of the command line, and no second lost that was measured.
. "$(dirname "$0")/lib.sh" "$@"
need sqlite3
need_root "mounts and loop devices"
mounts=()
loops=()
pids=()
clean() {
    local x
    for x in "${pids[@]}"; do kill -9 "$x" 2>/dev/null || true; done
    for x in "${loops[@]}"; do losetup -d "$x" 2>/dev/null || true; done
    for x in "${mounts[@]}"; do
        for _ in $(seq 50); do
            umount "$x" 2>/dev/null && break
            sleep 0.1
        done
    done
}
trap clean EXIT
cat >reading.xml <<'X2'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="1s" ramp="0s" interval="100ms"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>4</queue-depth></sweep>
</matrix>
X2
sed 's/read="100"/read="0"/; s/"reading"/"writing"/' reading.xml >writing.xml
cell() { # RUN EXPRESSION over the columns of cell
    sql "select $2 from cell where run = (select id from run where name = '$1') order by no limit 1"
}
event() { # RUN CODE EXPRESSION over the columns of event
    sql "select $3 from event where run = (select id from run where name = '$1') and code = '$2' order by id limit 1"
}
result() { # RUN EXPRESSION over the view
    sql "select $2 from results where run_name = '$1' and direction = 'all' limit 1"
}
is() { # WHAT GOT WANTED
    [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}
# The rows of a cell follow each other without a gap and sum to its result.
whole() { # RUN
    is "$1: rows follow each other" "$(sql "select count(*) from (select t_ns, lag(t_ns + length_ns) over (partition by cell, direction order by t_ns) as before
        from interval i join cell c on c.id = i.cell join run r on r.id = c.run where r.name = '$1') where before is not null and before <> t_ns")" 0
    is "$1: rows sum to the result" "$(sql "select (select sum(i.ios) || ' ' || sum(i.errors) from interval i join cell c on c.id = i.cell
        join run r on r.id = c.run where r.name = '$1' and i.t_ns >= 0) = (select sum(ios) || ' ' || sum(errors) from result x
        join cell c on c.id = x.cell join run r on r.id = c.run where r.name = '$1')")" 1
}
mounted() { # TYPE OPTIONS NAME
    mkdir "$3"
    mount -t "$1" -o "$2" none "$3" || skip "no $1 here"
    mounts+=("$scratch/$3")
}
faulty() { # NAME OPTIONS…: a FUSE file at NAME/disk; its process is $served
    local name=$1
    shift
    mkdir "$name"
    "$FAULTFS" "$scratch/$name" "$@" >"$name.log" 2>&1 &
    served=$!
    pids+=("$served")
    mounts+=("$scratch/$name")
    for _ in $(seq 100); do
        [ -e "$name/disk" ] && return
        sleep 0.05
    done
    cat "$name.log"
    skip "no FUSE here"
}

# Errors while measuring are results: exit 0, counted, the first with errno and place.
mounted tmpfs size=64M small
truncate -s 16M small/image
loop=$(losetup --direct-io=on -f --show small/image)
loops+=("$loop")
truncate -s 12M small/image
expect 0 "index.html" "$qdepth" run reading.xml --target "X=$loop" --name eio
is "errno" "$(event eio io-error sys)" 5
is "first failed offset is beyond 12 MiB" "$(event eio io-error 'offset >= 12582912')" 1
is "all are counted" "$(event eio io-error count)" "$(result eio errors)"
is "what worked is kept" "$(result eio 'ios > 0 and errors > 0')" 1
is "status" "$(cell eio status)" done
grep -q "Input/output error" out/eio/index.html || fail "the page does not name the error"
grep -q "failed: Input/output error" printed || fail "the terminal does not name the error"
whole eio

# A write that hits a full filesystem under the device, in the middle of a cell.
mounted tmpfs size=8M full
truncate -s 32M full/image
loop=$(losetup -f --show full/image)
loops+=("$loop")
expect 0 "No space left on device" "$qdepth" run writing.xml --target "X=$loop" --destroy "$loop" --name full --no-report
is "errno" "$(event full io-error sys)" 28
is "what worked is kept" "$(result full 'ios > 0 and errors > 0')" 1
whole full

# A filesystem without direct I/O: buffered, and said.
mounted ramfs mode=700 ram
head -c 8M /dev/urandom >ram/data
expect 0 "refused direct I/O" "$qdepth" run writing.xml --target X=ram/data --destroy ram/data --name ram --no-report
is "stored as buffered" "$(cell ram direct)" 0

# No io_uring: threads instead, and said; asked for by name: refused.
for errno in EPERM ENOSYS; do
    code=0
    "$WITHOUT" $errno true || code=$?
    [ $code = 0 ] || break
    expect 0 "instead of io_uring" "$WITHOUT" $errno "$qdepth" run reading.xml --target X=mem: --size 8MiB --name "no$errno" --no-report
    is "engine" "$(cell "no$errno" engine)" sync
    is "warning" "$(event "no$errno" no-io-uring severity)" warning
    is "depth is kept by threads" "$(cell "no$errno" 'achieved_depth > 2')" 1
    expect 1 "io_uring" "$WITHOUT" $errno "$qdepth" run reading.xml --target X=mem: --size 8MiB --engine io_uring --name "never$errno" --no-report
done

# An ordinary user who may lock no memory: plain buffers, and said.
if command -v setpriv >/dev/null; then
    install -d -m 777 ours
    chmod 711 "$scratch"
    cp "$qdepth" reading.xml ours/
    # 64 KiB hold a small ring with its buffers, or a larger ring, or neither.
    (cd ours && ulimit -l 64 && QDEPTH_STORE=$scratch/ours/store.db setpriv --reuid 65534 --clear-groups --inh-caps=-all ./qdepth run reading.xml \
        --target X=. --size 8MiB --queue-depth 4,32,1024 --name user --no-report >"$scratch/printed" 2>&1) || { cat printed; fail "an ordinary user cannot measure"; }
    QDEPTH_STORE=$scratch/ours/store.db
    is "all measured" "$(sql "select count(*) from results where direction = 'all' and ios > 0 and status = 'done'")" 3
    is "plain buffers at depth 32" "$(event user plain-buffers 'count(*) > 0')" 1
    is "threads where no ring fits" "$(event user no-io-uring "text like '%ulimit -l%'")" 1
    QDEPTH_STORE=$scratch/store.db
fi

[ -n "${FAULTFS:-}" ] || skip "libfuse3-dev is not installed: no slow or broken files"
command -v fusermount3 >/dev/null || skip "fuse3 is not installed"

# Short reads are errors, not smaller I/Os.
faulty short size=8388608 short=0-1048576
expect 0 "came up short" "$qdepth" run reading.xml --target X=short/disk --name short --no-report
is "counted" "$(event short short-io count)" "$(result short errors)"
is "bytes are of whole I/Os" "$(result short 'bytes = ios * 4096')" 1
whole short

faulty broken size=8388608 eio=4096-8192
expect 0 "Input/output error" "$qdepth" run reading.xml --target X=broken/disk --name broken --no-report
is "the one bad block" "$(event broken io-error offset)" 4096

faulty tight size=8388608 full=4194304
expect 0 "No space left" "$qdepth" run writing.xml --target X=tight/disk --destroy tight/disk --name tight --no-report
whole tight

# The device goes away in the middle: that cell ends with what it has, the run goes on, and its end is exit 1.
faulty gone size=8388608 delay=200000
"$qdepth" run reading.xml --target X=gone/disk --target M=mem: --size 8MiB --queue-depth 4 --duration 5s --name gone --no-report >printed 2>&1 &
pid=$!
for _ in $(seq 100); do
    [ "$(sql "select count(*) from interval" 2>/dev/null || echo 0)" -ge 0 ] && [ "$(cell gone "(select count(*) from interval where cell = cell.id and ios > 0) >= 5")" = 1 ] && break
    sleep 0.1
done
kill -9 "$served"
code=0
wait $pid || code=$?
is "exit code of a run with a missing cell" $code 1
is "status" "$(cell gone status)" failed
is "reason" "$(cell gone reason)" "'X' is gone"
is "seconds before it went are kept" "$(result gone 'ios > 0 and seconds > 0.3')" 1
is "the other target is measured" "$(sql "select status from cell where run = (select id from run where name = 'gone') order by no desc limit 1")" done
whole gone
