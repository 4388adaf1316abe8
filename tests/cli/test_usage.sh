# What a user mistypes is answered with exit 2 and a sentence that helps.
. "$(dirname "$0")/lib.sh" "$@"
expect 2 "usage: qdepth VERB" "$qdepth"
expect 0 "usage: qdepth VERB" "$qdepth" --help
expect 0 "--queue-depth" "$qdepth" run --help
expect 2 "did you mean 'report'" "$qdepth" reprot
expect 2 "did you mean --duration" "$qdepth" run --duratoin 3s
expect 2 "--duration: " "$qdepth" run --duration fast
expect 2 "--size" "$qdepth" run --size 1000
expect 2 "needs a value" "$qdepth" run --name
expect 2 "takes no value" "$qdepth" run --dry-run=yes
expect 2 "does not take 'more'" "$qdepth" list more
expect 2 "no matrix 'nosuch'" "$qdepth" run nosuch --target A=.
expect 2 "needs a target" "$qdepth" run oltp
expect 2 "no such device '/dev/nvme9n1'" "$qdepth" run quick --target A=/dev/nvme9n1
expect 2 "two targets are called 'A'" "$qdepth" run quick --target A=. --target A=mem:
expect 2 "smaller than the span" "$qdepth" run quick --target A=mem:1MiB --size 16MiB
expect 2 "--queue-depth takes 1 to 1024" "$qdepth" run quick --queue-depth 4096
expect 2 "digits" "$qdepth" run quick --name 123
expect 2 "latest" "$qdepth" run quick --name latest
expect 2 "--engine takes" "$qdepth" run quick --engine libaio
touch same
expect 2 "are the same file" "$qdepth" run quick --target A=same --target B=./same
[ ! -e store.db ] || fail "a usage error made a store"
expect 0 "complete -o filenames" "$qdepth" completion
expect 0 ".TH QDEPTH" "$qdepth" man
expect 0 '"schema":1' "$qdepth" version --json
bash -n <("$qdepth" completion) || fail "the completion is not valid bash"
