#!/bin/bash
# SPDX-License-Identifier: MIT
#
# verify on tables made by hand, and the figures of bench and verify: every solver is in the legend
# and the legend is in the figure. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_verify.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
out=plots/out/$(basename "$dir")
trap 'rm -rf "$dir" "$out"' EXIT

# row SOLVER ENGINE RTOL SECONDS P95 FAILED STATUS [DT]: of 100 ODEs; the interval of the time is
# 10 %, of the error 50 %
row() { # an ODE of "rash" is off by 20
    awk -v OFS=, -v s="$1" -v e="$2" -v r="$3" -v t="$4" -v p="$5" -v f="$6" -v st="$7" \
        -v dt="${8:-1e-06}" 'BEGIN {
        print "toy", "box", "base", "generated", 100, dt, s, e, "refill", e ~ /^cpu/ ? 1 : 64,
            r, r * 1e-6, 3, t, t * 0.9, t * 1.1, 100 / (t > 0 ? t : 1), p / 2, p / 4, p, p, p / 2,
            p * 2, s == "rash" ? 20 : p * 3, 5, 1, f, s == "rash", st, "" }'
}
header=mech,machine,database,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeats
header=$header,time_s,time_lo_s,time_hi_s,ode_per_s
header=$header,err_p50,err_p50_lo,err_p50_hi,err_p95,err_p95_lo,err_p95_hi,err_max
header=$header,steps_mean,D_rhs,failed,wrong
header=$header,status,why

mkdir "$dir/a"
{
    echo "$header"
    row cvode cpu-scalar 0.001 1e-2 5e-3 0 ok
    row cvode cpu-scalar 1e-05 2e-2 5e-5 0 ok
    row cvode-klu cpu-scalar 1e-05 3e-2 5e-5 0 ok
    row cvode-plug cpu-plugin 0.001 5e-3 5e-3 0 ok
    row quick cpu-simd 0.01 1e-3 8e-3 0 ok
    row quick cpu-simd 0.0001 4e-3 2e-4 0 ok
    row quick:x=2 cpu-simd 0.01 1.01e-3 8e-3 0 ok
    row other cpu-simd 0.01 1.1e-3 9e-3 0 ok
    row failing cpu-simd 0.01 1e-5 1e-9 1 ok
    row rash cpu-simd 0.01 1e-5 1e-9 0 ok
    row late cpu-simd 0.01 1e-5 1e-9 0 interrupted
    row quick gpu-thread 0.01 1e-4 8e-3 0 ok
    row quick cpu-simd 0.01 5e-3 8e-3 0 ok 0.0001
} >"$dir/a/cells.csv"
{ # times about those of cells.csv: of quick (rtol 0.01, 1e-06 s) 5 %, of cvode 2 % either way
    echo "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeat,time_s"
    awk 'BEGIN { split("0.95 1 1.05 0.95 1.05", q, " "); split("1.02 0.98 1 0.98 1.02", c, " ")
        for (k = 1; k <= 5; k++) {
            printf "k,generated,100,1e-06,quick,cpu-simd,refill,1,0.01,1e-08,%d,%g\n", k,
                1e-3 * q[k]
            printf "k,generated,100,1e-06,cvode,cpu-scalar,refill,1,0.001,1e-09,%d,%g\n", k,
                1e-2 * c[k]
        } }'
} >"$dir/a/samples.csv"
ok "verify runs" code 0 verify "$dir/a"
screen verify
f=$dir/a/fastest.csv
at() { # at NAME ERROR [PLACE [DT]]
    column "$f" "$1" "f[\"error\"] == \"$2\" && f[\"on\"] == \"${3:-1 CPU thread}\" &&
        f[\"dt_s\"] == \"${4:-1e-06}\""
}
ok "fastest at 1e-2" test "$(at solver,rtol,us_per_ode 0.01)" = "quick,0.01,10"
ok "its ratio to the best CVODE, which no plug-in is" test \
    "$(at ratio 0.01) $(at cvode_rtol 0.01)" = "10 0.001"
ok "with the interval of both samples" holds \
    "$(at ratio_lo 0.01) >= 0.98 / 1.05 * 10 - 0.01 && $(at ratio_lo 0.01) < 9.6 &&
     $(at ratio_hi 0.01) <= 1.02 / 0.95 * 10 + 0.01 && $(at ratio_hi 0.01) > 10.4"
ok "no interval without samples of both" test "$(at ratio 0.001)$(at ratio_lo 0.001)" = 5
ok "no interval of CVODE over itself" test "$(at ratio 0.0001)$(at ratio_lo 0.0001)" = 1
ok "the next method, not the same with an option" test \
    "$(at next,next_overlaps 0.01)" = "other,1"
ok "a tighter tolerance at 1e-3" test "$(at rtol,us_per_ode,ratio 0.001)" = "0.0001,40,5"
ok "no interval in common" test "$(at next 0.001) $(at next_overlaps 0.001)" = "cvode 0"
ok "CVODE itself at 1e-4" test "$(at solver,cvode,ratio 0.0001)" = "cvode,cvode,1"
ok "failed and far-off ODEs and half-measured cells do not win" test -z "$(at solver 1e-05)"
ok "a GPU is a place of its own, against CVODE" test \
    "$(at us_per_ode,ratio 0.01 GPU)" = "1,100"
ok "another dt" test "$(at us_per_ode 0.01 "1 CPU thread" 0.0001)" = 50
ok "there without CVODE" test -z "$(at ratio 0.01 "1 CPU thread" 0.0001)"
ok "9 levels in 3 places" test "$(column "$f" error | wc -l)" = 27
ok "the table" grep -Eq "^0.01 +quick +cpu-simd +0.01 +10 +9-11 +8.0e-03 +\
cvode +0.001 +100 +10 +9.[0-9]+-10.[0-9]+ +other x 1.10, intervals overlap" "$dir/out"
ok "says where no solver is so accurate" grep -q '^1e-05 .*none so accurate' "$dir/out"
ok "is kept" cmp -s "$dir/out" "$dir/a/verify.txt"
ok "uncertainty of the error" test \
    "$(column "$dir/a/verify.csv" err_p95_hi 'f["solver"] == "other"')" = 0.018
ok "of the time" test "$(column "$dir/a/verify.csv" us_hi 'f["solver"] == "other"')" = 12.1

cp "$dir/a/verify.txt" "$dir/before"
ok "as JSON" code 0 verify "$dir/a" --json
if command -v python3 >/dev/null; then
    ok "is the fastest at each error, and the cells" test "$(python3 -c 'import json, sys
j = json.load(sys.stdin); f, c = j["fastest"], j["cells"]
print(j["mech"], len(f), len(c), f[0]["solver"], f[0]["error"], f[0]["us_per_ode"], f[0]["ratio"],
      [r["solver"] for r in f if r["error"] == 1e-5][0])' <"$dir/out")" = \
        "toy 27 13 quick 0.01 10.0 10.0 None"
else
    echo "skip - JSON is read: no python3"
fi
ok "and the files are written" cmp -s "$dir/before" "$dir/a/verify.txt"

mkdir "$dir/bare"
cp "$dir/a/cells.csv" "$dir/bare"
ok "a run without samples" code 0 verify "$dir/bare"
ok "has no intervals of ratios" test -z "$(column "$dir/bare/fastest.csv" ratio_lo | tr -d '\n')"

# --- wrong use and input
printf 'key,n\nk,1,2\n' >"$dir/bare/samples.csv"
ok "damaged samples" code 2 verify "$dir/bare"
ok "are named" grep -q "bare/samples.csv" "$dir/err"
ok "two folders" code 2 verify "$dir/a" "$dir/b"
ok "no such folder" code 2 verify "$dir/b"
ok "is named" grep -q "$dir/b/cells.csv" "$dir/err"
mkdir "$dir/b"
{ echo "$header" && row cvode cpu-scalar 0.001 1e-2 5e-3 0 skipped; } >"$dir/b/cells.csv"
ok "nothing measured" code 3 verify "$dir/b"
ok "writes nothing then" test ! -e "$dir/b/fastest.csv"

# --- figures
# after: wrong use
if ! command -v gnuplot >/dev/null; then
    echo "skip - figures: no gnuplot"
    exit $failed
fi
# as many as a panel shows
solvers="alpha beta gamma delta epsilon zeta long_solver_name:option=2"
{
    echo "$header"
    for s in $solvers; do
        for e in cpu-scalar cpu-simd gpu-thread gpu-warp; do
            row "$s" $e 0.01 1e-3 8e-3 0 ok
            row "$s" $e 0.001 2e-3 8e-4 0 ok
        done
    done
} >"$dir/b/cells.csv"
# texts FILE: x, y and each text of an SVG drawn by gnuplot, after width and height of the figure
texts() {
    awk '/<svg/ { if (match($0, /width="[0-9]+"/)) w = substr($0, RSTART + 7) + 0
                  if (match($0, /height="[0-9]+"/)) h = substr($0, RSTART + 8) + 0 }
        /viewBox/ { if (match($0, /viewBox="0 0 [0-9]+ [0-9]+"/))
                        split(substr($0, RSTART + 13), v, /[ "]/)
                    w = v[1]; h = v[2]; print w, h }
        match($0, /translate\([-0-9.]+,[-0-9.]+\)/) { split(substr($0, RSTART + 10), at, /[,)]/) }
        /<text>/ { gsub(/<[^>]*>/, ""); gsub(/^[ \t]+|[ \t]+$/, ""); print at[1], at[2], $0 }' "$1"
}
# inside FILE: each solver's name is there and ends inside the figure (5.4 units a letter)
inside() {
    texts "$1" | awk -v solvers="$solvers" 'NR == 1 { w = $1; h = $2; next }
        { x = $1; y = $2; sub(/^[^ ]+ [^ ]+[ \t]+/, ""); split($0, word, /[ ,]/); name = word[1] }
        index(" " solvers " ", " " name " ") {
            seen[name] = 1
            if (x + 5.4 * length($0) > w || y > h) {
                print "outside: " $0 " at " x, y " of " w, h
                bad = 1
            }
        }
        END {
            n = split(solvers, all, " ")
            for (i = 1; i <= n; i++)
                if (!(all[i] in seen)) {
                    print "no " all[i]
                    bad = 1
                }
            exit bad
        }'
}
mkdir "$dir/c" # one row of panels, which is the lowest figure
grep -v gpu "$dir/b/cells.csv" >"$dir/c/cells.csv"
ok "figures of bench, one row" plots/draw "$dir/c" >/dev/null
mv plots/out/c "$out"
ok "legend of one row" inside "$out/time.svg"
ok "... of its error" inside "$out/error.svg"
rm -r "$out"
ok "figures of bench" plots/draw "$dir/b" >/dev/null
mv plots/out/b "$out"
ok "legend of time.svg" inside "$out/time.svg"
ok "legend of error.svg" inside "$out/error.svg"
for s in $solvers; do
    ok "$s in the text of each panel" test "$(grep -c "[ |]$s\b" "$out/time.txt")" -ge 4
done
ok "verify of many solvers" code 0 verify "$dir/b"
screen verify-many
ok "its figure" plots/verify "$dir/b" >/dev/null
ok "legend of verify.svg" inside plots/out/b/verify.svg
mv plots/out/b/verify.* "$out"
rmdir plots/out/b
ok "PNG and PDF" test -s "$out/verify.png" -a -s "$out/verify.pdf"
ok "no figure without a run" test \
    "$(plots/verify "$dir/none" 2>&1 | grep -c 'verify.csv is not there')" = 1
exit $failed
