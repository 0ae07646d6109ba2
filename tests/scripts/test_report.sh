#!/bin/bash
# SPDX-License-Identifier: MIT
#
# report on a made-up run, on one without a GPU and on results/gpu: valid HTML in one file, what
# names and texts would break, the page as a browser shows it. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_report.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh

# valid FILE: tidy finds no error and no warning
valid() {
    if ! command -v tidy >/dev/null; then
        echo "skip - HTML of $1 is checked: no tidy"
        return
    fi
    ok "valid HTML: $2" tidy -q -e "$1" >"$dir/out" 2>"$dir/err"
}
# loads FILE: nothing from elsewhere
alone() { ! grep -Eq '(src|href)="(https?:|//)|@import|url\((https?:|//)' "$1"; }
unfolds() { # what can be unfolded begins and ends
    test "$(grep -o '<details' "$page" | wc -l)" = "$(grep -o '</details>' "$page" | wc -l)"
}
small() { [ "$(wc -c <"$1")" -lt 5000000 ]; }

mkdir -p "$dir/plots/a" "$dir/a"
head=mech,nsp,machine,database,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeats
same='"t<oy>&",3,box-2c,base,generated,100,1e-06'
{
    echo "$head,time_s,time_lo_s,time_hi_s,err_p95,err_max,rhs_mean,steps_mean,steps_max,D_rhs,\
D_steps,lane_use,failed,status,why"
    echo "$same,cvode,cpu-scalar,refill,2,1e-05,1e-11,5,4e-3,3.9e-3,4.1e-3,5e-5,1e-4,9,4,8,0.9,\
0.9,1,0,ok,"
    echo "$same,quick:x=1,cpu-simd,refill,2,0.01,1e-08,5,1e-3,0.8e-3,1.3e-3,8e-5,1e-4,9,4,8,0.5,\
0.5,1,0,ok,"
    echo "$same,late,cpu-simd,refill,2,0.01,1e-08,0,,,,,,,,,,,,,skipped,\
\"beyond \"\"the\"\" budget\""
} >"$dir/a/cells.csv"
{
    echo "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeat,time_s"
    for i in 1 2 3 4 5; do
        echo "k,generated,100,1e-06,cvode,cpu-scalar,refill,2,1e-05,1e-11,$i,4e-3"
        echo "k,generated,100,1e-06,quick:x=1,cpu-simd,refill,2,0.01,1e-08,$i,1e-3"
    done
} >"$dir/a/samples.csv"
cat >"$dir/a/environment.json" <<'END'
{"machine": "box-2c", "git": "0123abc", "memory_GiB": 61.23456789,
 "database": "datasets/databases/base.npy",
 "sessions": [{"command": "build/bench --mech toy", "make": "make bench MECH='a&b'"},
  {"make": "make bench MECH=h2 N=64,128"}, {"make": "make bench MECH=h2 -f mine"},
  {"command": "build/bench --mech h2 --also 'solvers=a n=1 & 2'"},
  {"command": "/opt/bench --label it\\'s"}, {"command": "build/bench --mech 'h2"},
  {"command": "build/bench --mech h2; true"}, {"command": "build/bench --label \\'a;b\\'"},
  {"command": "rm bench"}, {"command": "wrench --mech h2"}, {"command": "make"}]}
END
cat >"$dir/plots/a/error.svg" <<'END'
<?xml version="1.0"?>
<svg width="80" height="40" viewBox="0 0 80 40" xmlns="http://www.w3.org/2000/svg">
<title>Gnuplot</title>
<desc>Produced by GNUPLOT</desc>
<g id="plot"><circle id='dot' r='1'/><use xlink:href='#dot'/>
<text x="5" y="9">a picture</text></g>
</svg>
END
ok "a run" code 0 report "$dir/a" --plots "$dir/plots" -o "$dir/a.html"
page_screen() { # page_screen NAME PAGE [BASE]: but for its style and script
    sed '/<style>/,/<.style>/d; /<script>/,/<.script>/d' "$2" >"$dir/page"
    screen "$1" "$dir/page" "$3"
}
page_screen report-page "$dir/a.html"
ok "as JSON" code 0 report "$dir/a" --json
screen report-json
if command -v python3 >/dev/null; then
    ok "has the fastest at each error, with commands" test "$(python3 -c 'import json, sys
j = json.load(sys.stdin); r = j["runs"][0]; f = r["fastest"]
print(len(j["runs"]), r["run"], r["machine"], r["cells"], len(f), f[0]["solver"],
      f[0]["us_per_ode"], f[0]["ratio"], f[0]["error"] == 1e-2,
      "--solvers quick:x=1" in f[0]["command"])' <"$dir/out")" = \
        "1 a box-2c 3 3 quick:x=1 10.0 4.0 True True"
else
    echo "skip - JSON is read: no python3"
fi
cp "$dir/out" "$dir/json"
KB_BUILD=$build AS=--json drivers/report/write "$dir/a" >"$dir/out" 2>"$dir/err"
ok "make report FORMAT=json prints the same" cmp -s "$dir/json" "$dir/out"
ok "JSON writes no page" code 2 report "$dir/a" --json -o "$dir/none.html"
ok "and says so" says "json goes without --papers and --out"
page=$dir/a.html
holds_text() { grep -qF -- "$1" "$page"; }
cp -r "$dir/a" "$dir/unknown"
sed -i 's/"0123abc"/"unknown"/' "$dir/unknown/environment.json"
ok "a run of unknown sources" code 0 report "$dir/unknown" -o "$dir/unknown.html"
ok "... names none to check out" test "$(grep -c 'git checkout' "$page" "$dir/unknown.html" |
    cut -d: -f2 | tr '\n' ' ')" = "1 0 "
ok "texts are escaped" holds_text '<h1>t&lt;oy&gt;&amp; on box-2c</h1>'
number='</td><td class="n">'
ok "the fastest, with a wide interval, and its ratio" holds_text \
    "<td>quick:x=1</td><td>cpu-simd${number}~10 (8–13)${number}40${number}4 (4–4)</td>"
ok "the answer first" holds_text "<strong>quick:x=1 on cpu-simd</strong> (2 CPU threads, 100 \
ODEs): 10 µs per ODE (8 to 13), 4 (4 to 4) times as fast as CVODE. Its time is unsure"
ok "a table that a narrow window shows" holds_text \
    "1e-06${number}1e-02</td><td>quick:x=1, cpu-simd ×2${number}~10${number}4</td></tr>"
ok "its ODEs and threads in the full one" holds_text \
    "${number#</td>}100</td><td>2 CPU threads${number}1e-02</td><td>quick:x=1</td>"
ok "the command of that cell, for a shell" holds_text \
    "build/bench --mech &#39;t&lt;oy&gt;&amp;&#39; --db \
datasets/databases/base.npy --n 100 --dt 1e-06 --solvers quick:x=1 --engines cpu-simd"
ok "its tolerances" holds_text "--engines cpu-simd --rtol 0.01 --atol 1e-08 --orders generated"
ok "the command of the run" holds_text 'make bench MECH=&#39;a&amp;b&#39;'
ok "why a cell was skipped" holds_text 'beyond &quot;the&quot; budget'
ok "the picture, its ids the page's own" test \
    "$(grep -cE "id='r0-error-dot'|href='#r0-error-dot'" "$page")" = 1
ok "its text" holds_text '<text x="5" y="9">a picture</text>'
ok "a picture that is not there" holds_text 'no picture here; plots/draw'
ok "no claims" test "$(grep -c 'id="claims"' "$page")" = 0
ok "loads nothing" alone "$page"
valid "$page" "a run"

# --- joules and memory, of the rows that know them
ok "no energy and no memory" test "$(grep -c 'Energy and memory' "$page")" = 0
mkdir "$dir/joules"
cp "$dir/a/environment.json" "$dir/a/samples.csv" "$dir/joules"
awk 'NR == 1 { print $0 ",j_per_million,energy_scope,idle_w,peak_bytes_host,peak_bytes_device" }
    NR > 1 { print $0 (NR == 3 ? ",506.5,gpu,121,2000000,4000000" : ",,,,,") }' \
    "$dir/a/cells.csv" >"$dir/joules/cells.csv"
ok "a run with joules" code 0 report "$dir/joules" -o "$dir/joules.html"
page=$dir/joules.html
page_screen report-joules "$page" report-page
valid "$page" "joules"
page=$dir/a.html

# --- a run of several steps at constant volume, whose samples are lost
cp -r "$dir/a" "$dir/chained"
sed 's/$/,10,device/; 1s/10,device$/steps,chain/' "$dir/a/cells.csv" >"$dir/chained/cells.csv"
sed -i '2,$d' "$dir/chained/samples.csv"
sed -i 's/^ "sessions"/ "reactor": "v", &/' "$dir/chained/environment.json"
ok "a run of steps" code 0 report "$dir/chained" -o "$dir/chained.html"
page=$dir/chained.html
page_screen report-steps "$page" report-page
ok "steps and reactor are part of a command" holds_text \
    "--steps 10 --chain device --reactor v"
ok "a ratio without samples has no interval" holds_text "${number}40${number}4</td>"
# a run of one cell
mkdir "$dir/one" && cp "$dir/a/samples.csv" "$dir/one/"
sed '1s/$/,states/; 2s/$/,before/; 3,$d' "$dir/a/cells.csv" >"$dir/one/cells.csv"
ok "a run of one cell" code 0 report "$dir/one" -o "$dir/one.html"
page=$dir/one.html
page_screen report-one "$page" report-page
ok "... and in JSON" code 0 report "$dir/one" --json
screen report-json-one
# two runs, the fastest of one in its first row
mkdir -p "$dir/many" && cp -r "$dir/a" "$dir/many/" && cp -r "$dir/a" "$dir/many/b"
awk 'NR == 2 { row = $0; next } { print } NR == 3 { print row }' "$dir/a/cells.csv" \
    >"$dir/many/b/cells.csv"
ok "two runs" code 0 report "$dir/many" -o "$dir/many.html"
page=$dir/many.html
page_screen report-many "$page" report-page
ok "... are both counted" holds_text "faster than CVODE in 2 of 2 comparisons"
ok "... and one speaks for both" test \
    "$(sed -n '/<p class="answer">/,/<\/table>/p' "$page" | grep -c 'quick:x=1')" = 1
cp -r "$dir/many" "$dir/tie"
sed -i 's/quick:x=1/nimble/' "$dir"/tie/b/*.csv
ok "two methods" code 0 report "$dir/tie" -o "$dir/tie.html"
page=$dir/tie.html
ok "... as often the fastest: the first is named" holds_text "most often quick (1)."
# a solver on a GPU with more ODEs than CVODE has
cp -r "$dir/a" "$dir/more"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $at["solver"] == "quick:x=1" { $at["engine"] = "gpu-block"; $at["n"] = 1000 } { print }' \
    "$dir/a/cells.csv" >"$dir/more/cells.csv"
ok "a run on a GPU" code 0 report "$dir/more" -o "$dir/more.html"
page=$dir/more.html
page_screen report-gpu "$page" report-page
ok "its CVODE is that of the cores, with its ODEs" holds_text \
    "times as fast as CVODE on 2 CPU threads (40 µs, 100 ODEs)."
# two runs of one mechanism: the one with more cells speaks for each dt
mkdir "$dir/both"
cp -r "$dir/a" "$dir/more" "$dir/both"
brief() { # links of the table of many runs
    code 0 report "$dir/both" -o "$dir/both.html"
    sed -n '/<table class="sorted narrow">/,/<\/table>/p' "$dir/both.html" |
        sed -n 's|^<tr><td><a href="#\(run-.\).*class="n">\([0-9e-]*\)</td><td>.*|\1 \2|p' | xargs
}
all=$(column "$dir/a/cells.csv" dt_s | awk '!seen[$0]++ { print "run-0 " $0 }' | xargs)
ok "of two with as many cells the first, once for each dt" test "$(brief)" = "$all"
sed -i '$d' "$dir/both/a/cells.csv"
ok "of one with more cells that one" test "$(brief | grep -c run-1)" = 1
page=$dir/both.html
page_screen report-both "$page" report-page
ok "a ratio to CVODE on the cores says on how many" holds_text '(2)</td></tr>'
sed -i '2,$d' "$dir/chained/cells.csv"
ok "a table without rows" code 2 report "$dir/chained" -o "$dir/chained.html"
ok "says which" says "chained/cells.csv has no rows"

# --- pictures of 300 kB for each run: those that fit, and no more
for run in results/gpu/*/samples.csv; do
    run=$(basename "$(dirname "$run")")
    mkdir -p "$dir/large/$run"
    { sed '$d' "$dir/plots/a/error.svg"
        head -c 300000 /dev/zero | tr '\0' ' '
        echo '</svg>'; } >"$dir/large/$run/error.svg"
done
ok "large pictures" code 0 report results/gpu --plots "$dir/large" -o "$dir/gpu.html"
ok "leave the page below 2 MB" holds "$(wc -c <"$dir/gpu.html") < 2000000"
ok "and fill it" holds "$(wc -c <"$dir/gpu.html") > 1500000"
ok "all runs of a machine" code 0 report results/gpu --plots "$dir/plots" -o "$dir/gpu.html"
page=$dir/gpu.html
ok "its claims" test "$(grep -c '<tr class="\(confirmed\|contradicted\|other\)">' "$page")" = \
    "$(tail -n +2 results/gpu/claims.csv | wc -l)"
ok "... which unfold" holds_text "<details><summary>All $(tail -n +2 results/gpu/claims.csv |
    wc -l) claims</summary>"
ok "what can be unfolded begins and ends" unfolds
ok "each run has a section" test "$(grep -c '<section id="run-' "$page")" = \
    "$(ls results/gpu/*/samples.csv | wc -l)"
ok "less than 2 MB" holds "$(wc -c <"$page") < 2000000"
ok "how often CVODE is beaten" grep -q \
    'another solver is faster than CVODE in [0-9]* of [0-9]* comparisons' "$page"
ok "loads nothing" alone "$page"
valid "$page" "all runs"

# what a page of one run, or of two, leaves of its bytes a picture fills to the last, and not beyond
mkdir "$dir/two" && cp -r "$dir/a" "$dir/two/" && cp -r "$dir/a" "$dir/two/b"
for pages in "4900000 a a" "1950000 two b"; do
    read -r most folder run <<<"$pages"
    rm -rf "$dir/fits" && mkdir -p "$dir/fits/$run"
    fits() { # fits BYTES: a picture of so many more than are left
        { sed '$d' "$dir/plots/a/error.svg" && echo '</svg>'; } >"$dir/fits/svg"
        head -c $((most - without + $1 - $(wc -c <"$dir/fits/svg"))) /dev/zero | tr '\0' ' ' |
            cat "$dir/fits/svg" - >"$dir/fits/$run/error.svg"
        code 0 report "$dir/$folder" --plots "$dir/fits" -o "$dir/fits.html"
        grep -c 'a picture' "$dir/fits.html"
    }
    code 0 report "$dir/$folder" --plots "$dir/fits" -o "$dir/fits.html"
    without=$(wc -c <"$dir/fits.html")
    ok "a picture that fits $most bytes, one that does not" test "$(fits 0) $(fits 1)" = "1 0"
done

# --- the page of the papers
mkdir -p "$dir/plots/papers"
cp "$dir/plots/a/error.svg" "$dir/plots/papers/niemeyer2014-fig01.svg"
printf '%s\t%s\t%s\t%s\t%s\n' claim-1 '<57' '3.1 (3 to 3.2)' - holds claim-2 8 - 2 holds \
    >"$dir/plots/papers/witness.tsv"
ok "the papers" code 0 report --papers results/gpu --plots "$dir/plots" -o "$dir/papers.html"
page=$dir/papers.html
ok "what the authors' code has" holds_text '<td>&lt;57</td><td class="n">3.1 (3 to 3.2)</td>'
ok "where it has something" test "$(grep -c 'claim-[12]' "$page")" = 1
ok "the rows behind a reason" grep -q 'Counts decide.* Rows: e1-h2-ignition/cells:[0-9]* ' "$page"
grep -o '<tr class="\(confirmed\|contradicted\|other\)"><td>[^<]*</td><td>[^<]*' "$page" |
    sed 's/.*<td>//' | sort >"$dir/shown"
tail -n +2 datasets/claims.tsv | cut -f1 | sort >"$dir/asked"
ok "each claim once" cmp "$dir/shown" "$dir/asked"
ok "each with its command" test "$(wc -l <"$dir/asked")" = \
    "$(grep -c '<td>make claims CLAIM=[a-z0-9-]*</td></tr>' "$page")"
grep -o '<td>[^<]*</td><td>make claims CLAIM=[a-z0-9-]*' "$page" |
    sed 's/<td>\(.*\)<.td><td>make claims CLAIM=\(.*\)/\2 \1/' | sort >"$dir/shown"
tail -n +2 datasets/claims.tsv | awk -F'\t' '{ print $1, $3 }' | sort >"$dir/asked"
ok "... and its place in the paper" cmp "$dir/shown" "$dir/asked"
ok "what can be unfolded begins and ends" unfolds
ok "each figure" test "$(grep -c '<figure>' "$page")" = \
    "$(grep -v '^#' datasets/figures.tsv | tail -n +2 | wc -l)"
ok "the one that is drawn" test "$(grep -c "id='niemeyer2014-fig01-dot'" "$page")" = 1
ok "the command of another" holds_text "make figures PAPER=niemeyer2014 FIG=fig02"
ok "reasons with their numbers" test "$(grep -c '\[\[' "$page")" = 0
total=$(tail -n +2 results/gpu/claims.csv | grep -c ',holds,')
ok "totals" holds_text "<td>all</td><td class=\"n\">$total</td>"
classes_add_up() {
    sed -n '/Verdicts by what a value is made of/,/<\/table>/p' "$page" |
        sed -n 's/^<tr><td>//; s/<\/td><td class="n">/\t/g; s/<.*//; /\t/p' | awk -F'\t' '
        $1 == "all" { for (i = 2; i <= NF; i++) off += $i - sum[i]; exit off || NR < 5 }
        { for (i = 2; i <= NF; i++) sum[i] += $i }'
}
ok "of each class, too" classes_add_up
ok "less than 5 MB" small "$page"
ok "loads nothing" alone "$page"
valid "$page" "the papers"

# --- wrong input
ok "no run" code 2 report "$dir/plots"
ok "names what it wants" says "neither a run of bench"

# --- in a browser, if there is one
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    echo "skip - the page in a browser: no chromium"
    exit $failed
fi
headless() {
    timeout "$patience" "$browser" --headless=new --no-sandbox --disable-gpu \
        --user-data-dir="$dir/profile" "$@" 2>"$dir/err"
}
blocked() { grep -c 'Content Security Policy' "$dir/err"; }
headless --enable-logging=stderr --dump-dom "file://$dir/a.html" >"$dir/out"
ok "the script makes buttons to sort and to copy" test \
    "$(grep -o '<button type="button">dt \[s\]</button>\|class="copy">Copy<' "$dir/out" |
    sort -u | wc -l)" = 2
ok "the page's policy blocks nothing of it" test "$(blocked)" = 0
# whatever else were to get into it does not run; without the policy it would
cat "$dir/a.html" - >"$dir/other.html" <<'END'
<script>document.title = "ra" + "n";</script>
<img alt="" src="x" onerror="document.title = 'ra' + 'n'">
<svg onload="document.title = 'ra' + 'n'"></svg>
END
headless --enable-logging=stderr --dump-dom "file://$dir/other.html" >"$dir/out"
ok "another script does not run" test "$(grep -c '<title>ran' "$dir/out")" = 0
ok "and is blocked, with both handlers and the picture" test "$(blocked)" = 4
sed '/Content-Security-Policy/d' "$dir/other.html" >"$dir/open.html"
headless --dump-dom "file://$dir/open.html" >"$dir/out"
ok "the policy keeps it from running" grep -q '<title>ran' "$dir/out"
# numbers, wide ones behind ~ too, by their size; then texts
sed '/Content-Security-Policy/d' "$dir/a.html" | awk '
    /^<script>/ { while ((getline line <"/dev/fd/3") > 0) print line }
    { print }' 3<<'END' >"$dir/sorted.html"
<table class="sorted"><thead><tr><th>x</th></tr></thead><tbody>
<tr><td>~103.2 (96.46–148.6)</td></tr><tr><td>–</td></tr><tr><td>11.9 (11–13)</td></tr>
<tr><td></td></tr><tr><td>2.1e-13</td></tr><tr><td>~0.03</td></tr><tr><td>GPU</td></tr>
</tbody></table>
END
cat >>"$dir/sorted.html" <<'END'
<script>
const made = [...document.querySelectorAll("table.sorted")].pop();
for (const way of ["up", "down"]) {
    made.querySelector("button").click();
    document.body.append(way + ":" + [...made.tBodies[0].rows].map(
        (row) => row.textContent.replace(/ .*/, "")).join("|") + ";");
}
</script>
END
headless --dump-dom "file://$dir/sorted.html" >"$dir/out"
ok "sorted: numbers by size, then texts" grep -qF \
    'up:2.1e-13|~0.03|11.9|~103.2||–|GPU;' "$dir/out"
ok "sorted: the other way round" grep -qF 'down:GPU|–||~103.2|11.9|~0.03|2.1e-13;' "$dir/out"
# without its script the page says the same
sed '/^<script>/,/^<\/script>/d' "$dir/a.html" >"$dir/plain.html"
headless --dump-dom "file://$dir/plain.html" >"$dir/out"
ok "without scripts: the verdict, and no dead button" test \
    "$(grep -c '4 (4–4)' "$dir/out") $(grep -c '<button' "$dir/out")" = "3 0"
# in the dark the page is dark and its pictures are turned over, with the hues of the solvers
sed '/Content-Security-Policy/d' "$dir/a.html" | cat - /dev/fd/3 >"$dir/dark.html" 3<<'END'
<script>
const style = of => getComputedStyle(document.querySelector(of));
document.body.append(`page ${style("body").backgroundColor}, picture ` +
    `${style("figure svg").backgroundColor} ${style("figure svg").filter}.`);
</script>
END
headless --blink-settings=preferredColorScheme=0 --dump-dom "file://$dir/dark.html" >"$dir/out"
ok "dark" grep -q 'page rgb(18, 22, 27), picture rgb(255, 255, 255) invert' "$dir/out"
headless --blink-settings=preferredColorScheme=1 --dump-dom "file://$dir/dark.html" >"$dir/out"
ok "light" grep -q 'page rgb(255, 255, 255), picture rgb(255, 255, 255) none\.' "$dir/out"
# on a telephone the table of the answer needs no scrolling, and neither does the page
cat >"$dir/phone.html" <<'END'
<iframe src="a.html" width="400" height="900" onload="
    const page = this.contentDocument, table = page.querySelector('table.narrow');
    document.body.append('table ' + (table.scrollWidth <= table.parentElement.clientWidth) +
        ', page ' + (page.documentElement.scrollWidth <= 400) + '.')"></iframe>
END
headless --allow-file-access-from-files --dump-dom "file://$dir/phone.html" >"$dir/out"
ok "400 pixels are wide enough" grep -q 'table true, page true\.' "$dir/out"
# names of 200 letters are broken: the page is no wider, and on a screen numbers stand beside them
sed "s/\(<strong>\|<td>\)\([a-z]\)/\1$(printf '%0200d' 0)\2/g" "$dir/a.html" >"$dir/long.html"
for width in 400 1200; do
    sed "s/a\.html/long.html/; s/400/$width/g" "$dir/phone.html" >"$dir/wide.html"
    headless --allow-file-access-from-files --dump-dom "file://$dir/wide.html" >"$dir/out"
    ok "... with names of 200 letters: $width" grep -q \
        "table $([ $width = 400 ] && echo '[a-z]*' || echo true), page true\." "$dir/out"
done
for width in 800 1280; do
    headless --hide-scrollbars --window-size=$width,900 --screenshot="$dir/$width.png" \
        "file://$dir/a.html" >"$dir/out"
    ok "a screenshot of $width pixels" test "$(od -An -tu1 -j18 -N2 "$dir/$width.png" |
        awk '{ print $1 * 256 + $2 }')" = $width
done
# accessibility by axe-core, with the first details open, each kind of them; a page with a fault
# shows that it looks
axe=$AXE
for python in "$KB_PYTHON" "$build/venv/bin/python3" python3; do
    [ -n "$axe" ] || [ -z "$python" ] || axe=$("$python" 2>/dev/null -c 'import importlib.util as i
print(i.find_spec("axe_core_python").submodule_search_locations[0] + "/axe.min.js")')
done
broken() { # broken PAGE SCHEME: the rules of axe that it breaks, each with its first element
    {
        sed '/Content-Security-Policy/d' "$1"
        echo '<script>'
        cat "$axe"
        cat <<'END'
</script><script>
for (const d of [...document.querySelectorAll("details:not(td *)")].slice(0, 12)) d.open = true;
axe.run(document).then(({passes, violations}) => document.body.append(`axe ${passes.length} hold,` +
    violations.map((v) => ` ${v.id} ${v.nodes[0].html}`).join() + ".axe"));
</script>
END
    } >"$dir/axe.html"
    headless --virtual-time-budget=600000 --blink-settings=preferredColorScheme="$2" \
        --dump-dom "file://$dir/axe.html" | sed -n 's/.*\(axe [0-9]* hold,.*\)\.axe.*/\1/p' \
        >"$dir/out"
}
sound() { broken "$@" && grep -q 'axe [1-9][0-9]* hold,$' "$dir/out"; }
if [ -r "$axe" ]; then
    ok "accessible" sound "$dir/a.html" 1
    ok "accessible in the dark" sound "$dir/a.html" 0
    ok "accessible: many runs" sound "$dir/both.html" 1
    ok "accessible: the papers" sound "$dir/papers.html" 1
    sed 's/<main/<img src="x"><main/' "$dir/a.html" >"$dir/faulty.html"
    broken "$dir/faulty.html" 1
    ok "a picture without a text is found" grep -q 'image-alt &lt;img src="x"&gt;' "$dir/out"
else
    echo "skip - accessibility: no axe.min.js (AXE=; the Python package axe-core-python has one)"
fi
headless --no-pdf-header-footer --print-to-pdf="$dir/a.pdf" "file://$dir/a.html" >"$dir/out"
ok "prints" test -s "$dir/a.pdf"
exit $failed
