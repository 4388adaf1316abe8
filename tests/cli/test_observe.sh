# What the machine saw beside what was asked: each pitfall becomes an event that stands on the terminal and in the store.
. "$(dirname "$0")/lib.sh" "$@"
need_root "loop devices and mounts"
need sqlite3
need mkfs.ext4
need fio
loops=()
mounts=()
clean() {
    local m l
    for m in "${mounts[@]}"; do
        for _ in $(seq 50); do
            umount "$m" 2>/dev/null && break
            sleep 0.1
        done
    done
    for l in "${loops[@]}"; do losetup -d "$l" 2>/dev/null || true; done
}
trap clean EXIT
# mounted FS MIB [MOUNT-OPTIONS]: a fresh filesystem at ./FS
mounted() {
    truncate -s "$2M" "$1.img"
    "mkfs.$1" -q "$1.img" >/dev/null
    loop=$(losetup -f --show "$1.img") || skip "no loop device"
    loops+=("$loop")
    mkdir "$1"
    mount -o "noatime${3:+,$3}" "$loop" "$1"
    mounts+=("$scratch/$1")
}
cat >reading.xml <<'X2'
<matrix xmlns="urn:qdepth:matrix:1" name="reading" title="Reading">
  <defaults duration="400ms" ramp="0s" interval="100ms"/>
  <workload id="read" title="Reads"><access share="100" size="4KiB" read="100" random="100"/></workload>
  <sweep><queue-depth>8</queue-depth></sweep>
</matrix>
X2
sed 's/read="100"/read="0"/; s/"reading"/"writing"/' reading.xml >writing.xml
codes() { # of a run
    sql "select group_concat(code, ' ') from (select distinct code from event join run on run.id = event.run where name = '$1')"
}
has() { # RUN CODE
    case " $(codes "$1") " in *" $2 "*) ;; *) fail "$1: no event $2 in: $(codes "$1")" ;; esac
}
hasnot() {
    case " $(codes "$1") " in *" $2 "*) fail "$1: there is an event $2" ;; *) ;; esac
}
run() { # NAME MATRIX TARGET [OPTIONS]
    local name=$1 matrix=$2 target=$3
    shift 3
    "$qdepth" run "$matrix.xml" --target "X=$target" --name "$name" --no-report "$@" >"$name.out" 2>&1 || {
        cat "$name.out"
        fail "run $name"
    }
}

mounted ext4 300
head -c 16M /dev/urandom >ext4/data
sync ext4/data
run honest reading ext4/data
for code in holes unwritten regular-data not-from-device direct-not-honoured compresses; do hasnot honest "$code"; done
sql "select device_read_bytes >= (select bytes from results where direction = 'read' and run_name = 'honest')
     from cell join run on run.id = cell.run where name = 'honest'" | grep -qx 1 || fail "the device's bytes are not stored"

# A sparse file is read without the device (but for a block of the filesystem's own), as fast as the processor can.
truncate -s 16M ext4/sparse
run sparse reading ext4/sparse
has sparse holes
has sparse not-from-device
has sparse worker-limit
grep -q "16 MiB of 16 MiB" <(sql "select text from event where code = 'holes'" | tr '\302\240' '  ' | tr -s ' ') ||
    fail "the size of the hole is not said"
grep -q "othing of what was read from X came from its device" <(tr '\302\240' '  ' <sparse.out | tr -s ' ') || fail "not on the terminal"
"$qdepth" report sparse --out sparse-report >/dev/null 2>&1
grep -q "never written" sparse-report/index.html || fail "not in the report"

fallocate -l 16M ext4/reserved
run reserved reading ext4/reserved
has reserved unwritten
hasnot reserved holes

head -c 8M /dev/zero >ext4/zeros
head -c 8M /dev/urandom >>ext4/zeros
run zeros reading ext4/zeros
has zeros regular-data

# A scratch file is laid out with data, and that is checked too.
run scratch reading ext4 --size 16MiB
for code in holes unwritten regular-data not-from-device; do hasnot scratch "$code"; done

# Somebody else on the device.
fio --name=other --filename="$scratch/ext4/data" --direct=1 --rw=read --bs=64k --size=16m --time_based --runtime=3 >/dev/null 2>&1 &
other=$!
sleep 0.3
run disturbed reading ext4/data --queue-depth 1
kill "$other" 2>/dev/null || true
wait "$other" 2>/dev/null || true
has disturbed background-io

# tmpfs cannot start a request without waiting: io_uring hands it to kernel threads.
run memory reading mem: --size 16MiB --queue-depth 4
has memory kernel-workers
[ "$(sql "select kernel_workers > 0 from cell join run on run.id = cell.run where name = 'memory'")" = 1 ] ||
    fail "kernel workers were not counted"

if command -v mkfs.btrfs >/dev/null && mounted btrfs 400; then
    run checksums writing btrfs --size 16MiB
    has checksums direct-not-honoured
    [ "$(sql "select direct from cell join run on run.id = cell.run where name = 'checksums'")" = 0 ] || fail "stored as direct"
    mkdir btrfs/raw
    chattr +C btrfs/raw
    run nodatacow writing btrfs/raw --size 16MiB
    hasnot nodatacow direct-not-honoured
    mkdir btrfs/packed
    chattr +c btrfs/packed
    head -c 16M /dev/zero >btrfs/packed/data
    sync btrfs/packed/data
    run packed reading btrfs/packed/data
    has packed compresses
fi
