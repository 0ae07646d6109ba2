#!/bin/bash
# SPDX-License-Identifier: MIT
#
# verify on tables made by hand, and the figures of bench and verify: every solver is in the legend and the legend
# is in the figure. Run from the repository root: [KB_VERIFY=build/verify] tests/test_verify.sh
verify=${KB_VERIFY:-build/verify}
dir=$(mktemp -d)
out=plots/out/$(basename "$dir")
trap 'rm -rf "$dir" "$out"' EXIT
failures=0

check() { # check WHAT COMMAND...: the command must succeed
    local what=$1
    shift
    if "$@"; then
        echo "ok - $what"
    else
        echo "not ok - $what ($*)"
        failures=1
    fi
}

# column FILE NAME [CONDITION]: that column of the rows that hold CONDITION, an awk expression on f["name"]
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) head[i] = $i; next }
        { for (i in head) f[head[i]] = $i } ('"${3:-1}"') { print f[name] }' "$1"
}
code() { # code EXPECTED ARGUMENTS...
    local expected=$1
    shift
    "$verify" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$expected" ]
}

# row SOLVER ENGINE RTOL SECONDS P95 FAILED STATUS [DT]: of 100 ODEs; the interval of the time is 10 %, of the error 50 %
row() {
    awk -v OFS=, -v s="$1" -v e="$2" -v r="$3" -v t="$4" -v p="$5" -v f="$6" -v st="$7" -v dt="${8:-1e-06}" 'BEGIN {
        print "toy", "box", "base", "generated", 100, dt, s, e, "refill", e ~ /^cpu/ ? 1 : 64, r, r * 1e-6, 3, t, t * 0.9,
            t * 1.1, 100 / (t > 0 ? t : 1), p / 2, p / 4, p, p, p / 2, p * 2, p * 3, 5, 1, f, st, "" }'
}
header=mech,machine,database,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeats,time_s,time_lo_s,time_hi_s
header=$header,ode_per_s,err_p50,err_p50_lo,err_p50_hi,err_p95,err_p95_lo,err_p95_hi,err_max,steps_mean,D_rhs,failed
header=$header,status,why

mkdir "$dir/a"
{
    echo "$header"
    row cvode cpu-scalar 0.001 1e-2 5e-3 0 ok
    row cvode cpu-scalar 1e-05 2e-2 5e-5 0 ok
    row cvode-klu cpu-scalar 1e-05 3e-2 5e-5 0 ok
    row quick cpu-simd 0.01 1e-3 8e-3 0 ok
    row quick cpu-simd 0.0001 4e-3 2e-4 0 ok
    row quick:x=2 cpu-simd 0.01 1.01e-3 8e-3 0 ok
    row other cpu-simd 0.01 1.1e-3 9e-3 0 ok
    row failing cpu-simd 0.01 1e-5 1e-9 1 ok
    row late cpu-simd 0.01 1e-5 1e-9 0 interrupted
    row quick gpu-thread 0.01 1e-4 8e-3 0 ok
    row quick cpu-simd 0.01 5e-3 8e-3 0 ok 0.0001
} >"$dir/a/cells.csv"
check "verify runs" code 0 "$dir/a"
f=$dir/a/fastest.csv
at() { column "$f" "$1" "f[\"error\"] == \"$2\" && f[\"on\"] == \"${3:-1 CPU thread}\" && f[\"dt_s\"] == \"${4:-1e-06}\""; }
check "fastest at 1e-2" test "$(at solver 0.01) $(at rtol 0.01) $(at us_per_ode 0.01)" = "quick 0.01 10"
check "its ratio to the best CVODE" test "$(at ratio 0.01) $(at cvode_rtol 0.01)" = "10 0.001"
check "the next method, not the same with an option" test "$(at next 0.01) $(at next_overlaps 0.01)" = "other 1"
check "a tighter tolerance at 1e-3" test "$(at rtol 0.001) $(at us_per_ode 0.001) $(at ratio 0.001)" = "0.0001 40 5"
check "no interval in common" test "$(at next 0.001) $(at next_overlaps 0.001)" = "cvode 0"
check "CVODE itself at 1e-4" test "$(at solver 0.0001) $(at cvode 0.0001) $(at ratio 0.0001)" = "cvode cvode 1"
check "failed ODEs and half-measured cells do not win" test -z "$(at solver 1e-05)"
check "a GPU is a place of its own, against CVODE" test "$(at us_per_ode 0.01 GPU) $(at ratio 0.01 GPU)" = "1 100"
check "another dt" test "$(at us_per_ode 0.01 "1 CPU thread" 0.0001)" = 50
check "there without CVODE" test -z "$(at ratio 0.01 "1 CPU thread" 0.0001)"
check "9 levels in 3 places" test "$(column "$f" error | wc -l)" = 27
check "the table" grep -Eq '^0.01 +quick +cpu-simd +0.01 +10 +9-11 +8.0e-03 +cvode +0.001 +100 +10 +other x 1.10, intervals overlap' "$dir/out"
check "says where no solver is so accurate" grep -q '^1e-05 .*none so accurate' "$dir/out"
check "is kept" cmp -s "$dir/out" "$dir/a/verify.txt"
check "uncertainty of the error" test "$(column "$dir/a/verify.csv" err_p95_hi 'f["solver"] == "other"')" = 0.018
check "of the time" test "$(column "$dir/a/verify.csv" us_hi 'f["solver"] == "other"')" = 12.1

# --- wrong use and input
check "no folder" code 2
check "two folders" code 2 "$dir/a" "$dir/b"
check "no such folder" code 2 "$dir/b"
check "is named" grep -q "$dir/b/cells.csv" "$dir/err"
mkdir "$dir/b"
{ echo "$header" && row cvode cpu-scalar 0.001 1e-2 5e-3 0 skipped; } >"$dir/b/cells.csv"
check "nothing measured" code 3 "$dir/b"
check "writes nothing then" test ! -e "$dir/b/fastest.csv"

# --- figures
if ! command -v gnuplot >/dev/null; then
    echo "skip - figures: no gnuplot"
    exit $failures
fi
solvers="alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu long_solver_name:option=2"
{
    echo "$header"
    for s in $solvers; do
        for e in cpu-scalar cpu-simd gpu-thread gpu-warp; do
            row "$s" $e 0.01 1e-3 8e-3 0 ok
            row "$s" $e 0.001 2e-3 8e-4 0 ok
        done
    done
} >"$dir/b/cells.csv"
# texts FILE: x, y, length of each text of an SVG drawn by gnuplot, after the width and height of the figure
texts() {
    awk '/<svg/ { if (match($0, /width="[0-9]+"/)) w = substr($0, RSTART + 7) + 0
                  if (match($0, /height="[0-9]+"/)) h = substr($0, RSTART + 8) + 0 }
        /viewBox/ { if (match($0, /viewBox="0 0 [0-9]+ [0-9]+"/)) split(substr($0, RSTART + 13), v, /[ "]/)
                    w = v[1]; h = v[2]; print w, h }
        match($0, /translate\([-0-9.]+,[-0-9.]+\)/) { split(substr($0, RSTART + 10), at, /[,)]/) }
        /<text>/ { gsub(/<[^>]*>/, ""); gsub(/^[ \t]+|[ \t]+$/, ""); print at[1], at[2], $0 }' "$1"
}
inside() { # inside FILE: each solver's name is there and ends inside the figure (6.2 units a letter)
    texts "$1" | awk -v solvers="$solvers" 'NR == 1 { w = $1; h = $2; next }
        { x = $1; y = $2; sub(/^[^ ]+ [^ ]+ /, ""); split($0, word, ","); name = word[1] }
        index(" " solvers " ", " " name " ") { seen[name] = 1
            if (x + 6.2 * length($0) > w || y > h) { print "outside: " $0 " at " x, y " of " w, h; bad = 1 } }
        END { n = split(solvers, all, " "); for (i = 1; i <= n; i++) if (!(all[i] in seen)) { print "no " all[i]; bad = 1 }
            exit bad }'
}
mkdir "$dir/c" # one row of panels, which is the lowest figure
grep -v gpu "$dir/b/cells.csv" >"$dir/c/cells.csv"
check "figures of bench, one row" plots/draw "$dir/c" >/dev/null
mv plots/out/c "$out"
check "legend of one row" inside "$out/time.svg"
check "... of its error" inside "$out/error.svg"
rm -r "$out"
check "figures of bench" plots/draw "$dir/b" >/dev/null
mv plots/out/b "$out"
check "legend of time.svg" inside "$out/time.svg"
check "legend of error.svg" inside "$out/error.svg"
check "legend in the text" test "$(grep -cE '(cpu-scalar|cpu-simd|gpu-thread|gpu-warp) *$' "$out/error.txt")" = 56
check "verify of many solvers" code 0 "$dir/b"
check "its figure" plots/verify "$dir/b" >/dev/null
check "legend of verify.svg" inside plots/out/b/verify.svg
mv plots/out/b/verify.* "$out"
rmdir plots/out/b
check "PNG and PDF" test -s "$out/verify.png" -a -s "$out/verify.pdf"
check "no figure without a run" test "$(plots/verify "$dir/none" 2>&1 | grep -c 'verify.csv is not there')" = 1
exit $failures
