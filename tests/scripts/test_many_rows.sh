#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The programs that read runs of bench, on two runs of many made-up rows (many_rows.awk), to the
# byte: what they print and write. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_many_rows.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
made() { # made FOLDER VARIABLE...: of many_rows.awk
    mkdir -p "$1"
    awk -v out="$1" "${@:2}" -f tests/scripts/many_rows.awk rows/columns_which.def \
        rows/columns_samples.def rows/columns_cells.def || exit 2
}
for run in a b c; do
    made "$dir/all/$run" -v change=$(($(printf %d "'$run") - 97))
    echo "{\"machine\": \"box-4c-card\", \"git\": \"0123abcd\", \"sessions\": [{\"command\":
        \"build/bench --mech toy\", \"before\": {\"date\": \"2026-11-0${run/[abc]/3}T0\"}}]}" \
        >"$dir/all/$run/environment.json"
done
a=$dir/all/a b=$dir/all/b c=$dir/all/c
mkdir "$dir/all/other" && : >"$dir/all/z.txt" # no runs

# --- two runs, cell by cell
for format in text csv json markdown; do
    code 1 compare "$a" "$b" --format $format --all
    screen many-compare-$format
done
# of older columns on either side, by which rows are fewer cells
mkdir "$dir/older"
for file in cells samples; do
    "$reader" --table "$b/$file.csv" | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++)
            if ($i !~ /^(sample|steps|chain|auto_error|cpu_s|err_max)$/) at[++n] = i }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[i], i < n ? "\t" : "\n" }' |
        "$reader" --csv >"$dir/older/$file.csv"
done
code 1 compare "$a" "$dir/older" --format csv
screen many-compare-older "$dir/out" many-compare-csv
code 1 compare "$dir/older" "$a" --format csv
screen many-compare-newer "$dir/out" many-compare-csv
code 1 compare "$a" "$dir/all" --format csv
screen many-compare-all
code 1 compare "$a" "$b"
screen many-compare-some "$dir/out" many-compare-text
code 1 compare "$b" "$a" --by cpu --smallest 5
screen many-compare-cpu
code 1 compare "$a" "$b" --format markdown
screen many-compare-short
for format in text csv json; do
    code 1 history "$a" "$b" "$c" --format $format
    screen many-history-$format
done

# --- the fastest at each error
ok "verify" code 0 verify "$a"
screen many-verify
screen many-verify-csv "$a/verify.csv"
screen many-fastest-csv "$a/fastest.csv"
ok "... as JSON" code 0 verify "$a" --json
head -600 "$dir/out" >"$dir/fastest"
screen many-verify-json "$dir/fastest"
page() { # page NAME FOLDER [BASE]: but for its style and script
    ok "report $2" code 0 report "$2" --plots "$dir" -o "$dir/page.html"
    sed '/<style>/,/<.style>/d; /<script>/,/<.script>/d' "$dir/page.html" >"$dir/page"
    screen "$1" "$dir/page" "$3"
}
page many-report "$a"
page many-report-all "$dir/all" many-report
ok "report as JSON" code 0 report "$b" --json
screen many-report-json

# --- the table of auto
ok "tune" code 0 tune --results "$dir/all" --out "$dir/tuned.def"
screen many-tune
screen many-tuned "$dir/tuned.def"
for again in "" --check; do
    ok "... again $again" code 0 tune --results "$dir/all" --out "$dir/tuned.def" $again
done
ok "what holds an error" code 0 tune --accuracy "$dir/all" --out "$dir/held.def"
screen many-held "$dir/held.def"
# --- queries: measured and computed columns of single cells, the least and the most of many
columns="us kernel_us err_over_rtol rank_error thread_use outside moved_s rhs_mean"
column "$a/cells.csv" solver,engine,n,dt_s,rtol,schedule,order,threads,steps | sed -n '1~9p' |
    while IFS=, read -r solver engine n dt rtol schedule order threads steps; do
        for c in $columns; do
            echo "$c{run=a $solver $engine n=$n dt=$dt rtol=$rtol schedule=$schedule order=$order \
threads=$threads steps=$steps}"
        done
    done >"$dir/queries"
for c in us kernel_us rank_error; do
    for what in least most "least rank_error<=1e-4" "least gpu-*" "most engine!=cpu-scalar" \
        "least cvode|rkck" "most n>100 dt=1e-6" "least b" "least failed=0 wrong=0"; do
        echo "max($c{run=a steps=1 $what})"
        echo "first($c{run=b steps=1 $what}) / sum(us{run=b steps=1 least})"
    done
done >>"$dir/queries"
cat <<'END' >>"$dir/queries"
0 / 0
max (us {run=a steps=1 least})
sqrt(-1)
mech:species{name=none}
mech:species{name=h2}
mech:reactions{name=h2}
mech:reactions{name=h2 n=1}
mech:reactions{name=h2|gri30}
mech:reactions{name!=h2}
mech:species{}
first(us{run=a dt<=1e-6 n>1e2 steps=1 least})
us{run=a dt!=1e-6 n<1e9 steps=1}
0 - us{run=a steps=1 most} ^ 2
END
while read -r query; do
    answer=$("$build/rows" --results "$dir/all" "$query" 2>&1)
    echo "$? of $query: $answer"
done <"$dir/queries" >"$dir/answers"
screen many-queries "$dir/answers"

# --- names that a table must quote, runs without CVODE, runs that keep no error
for run in a b; do
    mkdir -p "$dir/quoted/$run" "$dir/without/$run" "$dir/rough/$run"
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && NR < 9 || NR == 1 {
        if (NR > 1) $at["mech"] = "\"t,\"\"oy\"\"|<x>[y]`z\\\n\r.\""; print }' \
        "$dir/all/$run/cells.csv" >"$dir/quoted/$run/cells.csv"
    grep -v ',cvode,' "$dir/all/$run/cells.csv" >"$dir/without/$run/cells.csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 1 || $at["err_p95"] > 1e-2 || $0 ~ /,skipped,/' "$dir/all/$run/cells.csv" \
        >"$dir/rough/$run/cells.csv"
    for kind in quoted without rough; do
        cp "$dir/all/$run/samples.csv" "$dir/all/$run/environment.json" "$dir/$kind/$run/"
    done
done
for format in text csv json markdown; do
    code 4 compare "$dir/quoted/a" "$dir/quoted/b" --format $format --all
    screen many-quoted-$format
done
page many-report-without "$dir/without" many-report
page many-report-rough "$dir/rough/a" many-report
# --- few rows, each time others: one alone, none sound, no CVODE; what is said of them
for few in 1 2 3 4 5 6 7 8 9; do
    one=$dir/few/$few other=$dir/few/$few-changed
    made "$one" -v few=$few && made "$other" -v few=$few -v change=1
    echo '{}' | tee "$one/environment.json" >"$other/environment.json"
    "$build/verify" "$one" 2>&1
    "$build/compare" "$one" "$other" --format csv 2>&1
    "$build/history" "$one" "$other" --format csv 2>&1
    "$build/report" "$one" --plots "$dir" -o "$dir/page.html" 2>&1
    sed -n '/^<p class="answer">/p; s/.*<code>\(build.bench.*\)<.code>.*/\1/p' "$dir/page.html" |
        uniq
done >"$dir/few.txt"
# an accurate CVODE, by two threads where the others have four
mkdir "$dir/apart" && cp "$a/environment.json" "$dir/apart"
for file in cells samples; do
    "$reader" --table "$a/$file.csv" | awk -F'\t' -v OFS='\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["solver"] == "cvode" {
            $at["threads"] = 2
            if ("err_max" in at) $at["err_p95"] = $at["err_p95_active"] = $at["err_max"] = 1e-6
        }
        { print }' | "$reader" --csv >"$dir/apart/$file.csv"
done
"$build/report" "$dir/apart" --plots "$dir" -o "$dir/page.html" >>"$dir/few.txt" 2>&1
grep '^<p class="answer">' "$dir/page.html" >>"$dir/few.txt"
screen many-few "$dir/few.txt"
"$build/report" "$dir/few" --plots "$dir" -o "$dir/page.html" 2>&1
sed -n '/id="verdict"/,/<summary>Each run/p' "$dir/page.html" >"$dir/page"
screen many-report-few "$dir/page"
ok "tune of few" code 0 tune --results "$dir/few" --out "$dir/tuned.def"
cat "$dir/tuned.def" >>"$dir/out"
screen many-tune-few
exit $failed
