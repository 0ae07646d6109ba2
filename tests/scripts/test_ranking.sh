#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One rule for the fastest at an error (docs/results-format.md) in all that ranks: verify, report,
# tune, the tables of docs and the figures, on planted rows. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_ranking.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
head=schema,run,machine,mech,nsp,database,order,n,sample,dt_s,steps,solver,engine,schedule,threads
head=$head,rtol,atol,repeats,time_s,time_lo_s,time_hi_s,err_p95,err_max,failed,wrong,status,why
row() { # row SOLVER SECONDS P95 MAX [FAILED WRONG STATUS ENGINE]
    engine=${8:-cpu-simd}
    echo "2,planted,box,toy,9,base,shuffled,1000,even,1e-06,1,$1,$engine,refill,4,1e-4,1e-10,5,$2,\
$2,$2,$3,$4,${5:-0},${6:-0},${7:-ok},"
}
mkdir -p "$dir/r/planted"
cells=$dir/r/planted/cells.csv
{
    echo "$head"
    row cvode 0.040 1e-5 1e-4 0 0 ok cpu-scalar
    row rodas4 0.020 5e-5 8e-2 0 2     # wrong ODEs, but none beyond 1000 E: the fastest
    row ros3 0.010 5e-5 0.22           # one ODE beyond 1000 E
    row ros3:x=1 0.009 2e-4 2e-4       # the 95th percentile
    row point_implicit 0.001 1e-9 1e-9 # no error control
    row point_implicit:steps=4 0.001 1e-9 1e-9
    row radau2a 0.001 1e-9 1e-9 3 # failed ODEs
    row rkck 0.001 1e-9 inf
    row exp4 0.001 1e-9 1e-9 0 0 interrupted
} >"$cells"
{
    echo "key,order,n,sample,dt_s,steps,solver,engine,schedule,threads,rtol,atol,repeat,time_s"
    for k in 1 2 3; do
        echo "k,shuffled,1000,even,1e-06,1,cvode,cpu-scalar,refill,4,1e-4,1e-10,$k,0.04"
        echo "k,shuffled,1000,even,1e-06,1,rodas4,cpu-simd,refill,4,1e-4,1e-10,$k,0.02"
    done
} >"$dir/r/planted/samples.csv"

ok "verify" code 0 verify "$dir/r/planted"
screen ranking-verify
ok "its fastest" test "$(column "$dir/r/planted/fastest.csv" solver,us_per_ode,ratio \
    'f["error"] == "0.0001"')" = rodas4,20,2
ok "report" code 0 report "$dir/r/planted" -o "$dir/page.html"
sed '/<style>/,/<.style>/d; /<script>/,/<.script>/d' "$dir/page.html" >"$dir/page"
screen ranking-page "$dir/page"
ok "its fastest" test "$(grep -c '1e-04</td><td>rodas4</td>' "$dir/page.html")" = 1
ok "nothing else is in its verdict" test "$(sed -n '/<table/,/<\/table>/p;/<\/table>/q' \
    "$dir/page.html" | grep -cE '<td>(point_implicit|radau2a|rkck|exp4)')" = 0
ok "tune" code 0 tune --results "$dir/r" --out "$dir/tuned.def"
ok "its rows" test "$(sed -n 's/^TUNED(9, 1e-06, 1000, \([^,]*\), "\([^"]*\)".*/\2 \1/p' \
    "$dir/tuned.def" | sort | tr '\n' ' ')" = \
    "cvode 1e-05 rodas4 8e-05 ros3 0.00022 ros3:x=1 0.0002 "
rm "$dir/r/planted/samples.csv" # of some cells only: a value needs those of all
fill() {
    printf '%% run=planted %s\n[[us{least}]] [[solver @1]]\n' "$1" >"$dir/block"
    "$build/rows" --results "$dir/r" --fill "$dir/block" 2>&1
}
ok "tables of docs" test "$(fill 'rank_error<=1e-4')" = "20.0 rodas4"
ok "... without failed ODEs in any least time" test "$(fill 'solver!=rkck')" = \
    "9.00 ros3:x=1"
ok "... by nothing else" grep -q "is by rank_error, not by err_p95" <<<"$(fill 'err_p95<=1e-4')"
# the three fastest of six curves, without those that failed or control no error
plots/figure "$dir/fig" curves "heading=x" x=n y=us yname=us xname=n panel=dt_s curves=3 \
    style=curves "select=order=shuffled" -- run=planted "$cells" >"$dir/out" 2>"$dir/err"
ok "figures" test "$(awk -F, 'NR > 1 { print $4 }' "$dir/fig.csv" | sort | tr '\n' ' ')" = \
    "cvode rkck ros3:x=1 "

exit $failed
