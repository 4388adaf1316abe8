# The page in a real browser: the made document and a report of the program, seen by headless Chromium (check_page.mjs).
. "$SOURCE_DIR/tests/cli/lib.sh" "$@"
web=$SOURCE_DIR/tests/web
need node
need chromium
for package in playwright-core axe-core; do
    [ -d "$web/node_modules/$package" ] || skip "$package is not installed (npm install in tests/web)"
done

"$MADE_PAGE" "$scratch/made.html"
"$MADE_PAGE" "$scratch/again.html"
cmp made.html again.html || fail "the same document gave other bytes"

mkdir dir
"$qdepth" run oltp --target "A < B & \"C\"=dir" --target mem: "${quick[@]}" --queue-depth 1,8 --name page >printed 2>&1 || {
    tail -n 5 printed
    fail "no report to look at"
}
node "$web/check_page.mjs" made.html out/page/index.html

vnu=$web/node_modules/vnu-jar/build/dist/vnu.jar
if [ -e "$vnu" ] && command -v java >/dev/null; then
    # It knows neither container queries nor hashes in a policy; Chromium judges both above.
    java -jar "$vnu" --filterpattern '.*(container|CSS: “max-width”: Unknown dimension|Content Security Policy).*' \
        made.html out/page/index.html || fail "the markup is not valid"
    echo "vnu: valid"
fi
