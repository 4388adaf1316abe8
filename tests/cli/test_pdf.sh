# report.pdf is written with every report and says what the page says.
. "$(dirname "$0")/lib.sh" "$@"
need pdftotext
need qpdf
expect 0 "index.html" "$qdepth" run quick --target A=mem: --target B=mem: --name pdf "${quick[@]}"
pdf=out/pdf/report.pdf
[ -s "$pdf" ] || fail "no $pdf"
grep -qF 'href="report.pdf"' out/pdf/index.html || fail "the page does not link to the PDF"
qpdf --check "$pdf" >checked 2>&1 || { cat checked; fail "qpdf finds faults"; }
pdftotext -raw "$pdf" text 2>/dev/null

# The values of the headline bars, as the scorecard prints them.
sed -e 's/<style>.*<\/style>//' out/pdf/index.html | grep -oP '<td class="n d[^"]*"[^>]*>\K[0-9][0-9,.]*' | sort -u >values
[ "$(wc -l <values)" -ge 3 ] || fail "the page's scorecard has no values"
while read -r value; do
    grep -qF -- "$value" text || fail "$value is on the page but not in the PDF"
done <values
for words in "Contents" "What was tested" "4 KiB random read" "Percentiles" "Environment" "Method" "Reproduce" "All results"; do
    grep -qF "$words" text || fail "'$words' is not in the PDF"
done

# Same store, same bytes; and only what is asked for.
cp "$pdf" first.pdf
expect 0 "index.html" "$qdepth" report pdf
cmp -s first.pdf "$pdf" || fail "the PDF differs when it is drawn again"
expect 0 "only/report.pdf" "$qdepth" report pdf --format pdf --out only
[ ! -e only/index.html ] || fail "--format pdf wrote a page"
expect 0 "index.html" "$qdepth" report pdf --format html --out page
[ ! -e page/report.pdf ] || fail "--format html wrote a PDF"
! grep -qF 'report.pdf' page/index.html || fail "the page links to a PDF that is not there"
expect 2 "html, pdf, png" "$qdepth" report pdf --format docx
