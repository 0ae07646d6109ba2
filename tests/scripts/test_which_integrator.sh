#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The fastest integrator inside flows: states selected by how much they change, flow --bench in
# turns from one state, the table, bad input.
build=${KB_BUILD:-build}
. tests/scripts/check.sh
export OMP_NUM_THREADS=1
[ -s "$build/mech/h2co/flow.so" ] || {
    echo "skip - which integrator: no flow.so of h2co"
    exit 0
}

# --- made-up runs of six flows, to the byte
# made FLOW ROW...: cells.csv of rows "solver rtol us error[ failed]", 1000 ODEs of 1e-6 s; without
# an error it was skipped; "solver rtol ended us": its probe was ended after so many us of an ODE
made() {
    mkdir -p "$dir/made/$1"
    flow=$1
    shift
    {
        echo mech,machine,git,n,dt_s,solver,engine,rtol,atol,time_s,time_lo_s,time_hi_s,err_p95,\
err_p95_active,err_max,steps_mean,failed,wrong,status,why,steps
        for row; do
            echo "$row" | awk -v OFS=, '
                NF == 3 { print "toy", "box", "0123abc", 1000, 1e-6, $1, "cpu-simd", $2, $2 * 1e-6,
                    "", "", "", "", "", "", "", "", "", "skipped",
                    "predicted " 4e-3 * $3 " s for 1 + 3 runs (from the warm-up run)", 1 }
                $3 == "ended" { print "toy", "box", "0123abc", 1000, 1e-6, $1, "cpu-simd", $2,
                    $2 * 1e-6, "", "", "", "", "", "", "", "", "", "skipped",
                    "one run of 64 ODEs took longer than the budget of " 1e-3 * $4 " s", 1; next }
                NF > 3 { print "toy", "box", "0123abc", 1000, 1e-6, $1,
                $1 ~ /cvode/ ? "cpu-scalar" : "cpu-simd", $2, $2 * 1e-6, $3 * 1e-3, $3 * 0.9e-3,
                $3 * 1.2e-3, $4 / 2, $4, $4 * 10, 3 + length($1), $5 + 0, 0, "ok", "", 1 }'
        done
    } >"$dir/made/$flow/cells.csv"
}
made a "quick 1e-3 2 9e-4" "quick 1e-5 3 9e-5" "rodas4 1e-4 4 5e-5" "rodas4 1e-7 9 5e-7" \
    "cvode 1e-5 20 8e-5" "cvode 1e-8 50 8e-7" "slow 1e-5 31 8e-5" "bad 1e-5 1 1e-5 7"
made b "rodas4 1e-4 5 5e-5" "quick 1e-3 1 9e-4" "cvode 1e-5 40 8e-5"
made c "rodas4 1e-4 5 2e-4" "cvode 1e-5 30 8e-5" "rodas4 1e-6 12 6e-5" "quick 1e-5 6 9e-5" \
    "quick 1e-6 6.1" "slow 1e-6 ended 6.1"
# where one that was skipped may be the fastest the flow counts for no mean
made d "rodas4 1e-4 5 2e-3" "cvode 1e-5 30 8e-5" "cvode 1e-8 70 1e-7" "rodas4 1e-6 29.9"
made e "rodas4 1e-4 20 2e-4" "cvode 1e-5 30 8e-5" "slow 1e-4 ended 29.9"
made e2 "rodas4 1e-4 5 5e-5" "lonely 1e-5 9 8e-5" # last, and of one flow alone
{
    echo chemistry,ns_per_cell_step,ns_chemistry,imbalance
    echo quick:rtol=1e-5:atol=1e-11@cpu-simd,5000,3000,1.5
    echo rodas4:rtol=1e-4:atol=1e-10@cpu-simd,4500,2500,1.75
    echo cvode:rtol=1e-5:atol=1e-11@cpu-scalar,20000,18000,1.25
} >"$dir/made/a/flow.csv"
{ # the solver of the first row takes the least time, and CVODE as much
    echo chemistry,ns_per_cell_step,ns_chemistry,imbalance
    echo cvode:rtol=1e-5:atol=1e-11@cpu-scalar,4000,2500,1.25
    echo rodas4:rtol=1e-4:atol=1e-10@cpu-simd,5000,2500,1.75
} >"$dir/made/b/flow.csv"
ok "six flows" code 0 which_integrator "$dir/made"
screen which-integrator
screen which-integrator.csv "$dir/made/which.csv"
ok "what to run in one of them" code 0 which_integrator --in-place "$dir/made/a"
screen which-integrator-in-place
# one flow, whose rows leave nothing open; one of two that take as long, and of two tolerances
# that do: the first row stands first; one of a single row; one of which none was measured
made h "cvode 1e-5 30 8e-5"
made f "cvode 1e-5 30 8e-5" "twin 1e-5 30 8e-5" "cvode 1e-6 30 8e-5"
for alone in b f h; do
    mkdir -p "$dir/alone-$alone" && cp -r "$dir/made/$alone" "$dir/alone-$alone"
    code 0 which_integrator "$dir/alone-$alone"
    cat "$dir/out"
    code 0 which_integrator --in-place "$dir/made/$alone"
    cat "$dir/out"
done >"$dir/alone"
made g "slow 1e-4 29.9"
code 3 which_integrator "$dir/made" && cat "$dir/err" >>"$dir/alone"
screen which-integrator-alone "$dir/alone"
rm -r "$dir/made/f" "$dir/made/g" "$dir/made/h"

# --- states before a reaction that takes more than a step of the flow
cat >"$dir/box.json" <<'E2'
{"x_m": [0, 1], "nx": 4, "end_s": 2e-4, "edges": {"west": "wall", "east": "wall"},
 "regions": [{"T_K": 1200, "p_Pa": 101325, "X": "H2:2,O2:1,N2:3.76"}]}
E2
# states NAME ARGUMENTS...: of a recipe without its n
states() {
    name=$1
    shift
    code 0 flow --recipe datasets/recipes/h2co-flow.json --quiet --out "$dir/$name.npy" "$@"
}
# aux NAME COLUMNS COLUMN: a column of the .aux.npy, whose rows have so many
aux() { od -An -v -tf8 -w8 -j128 "$dir/$1.aux.npy" | awk "NR % $2 == $3 % $2 { print \$1 }"; }
ok "a box that reacts" states box --case "$dir/box.json" --nx 20 --dt 2e-4 --first 1 --count 1 \
    --chemistry cvode:rtol=1e-9:atol=1e-15 --n 6
ok "... its kind is of the flow, with the step" grep -q '"states_dt_s": 0.0002' "$dir/box.json"
ok "... six states of twenty" test "$(aux box 5 1 | wc -l)" = 6
ok "... as one long step" code 0 bench --mech h2co --db "$dir/box.npy" --dt 2e-4 --n 1 \
    --solvers cvode --engines cpu-scalar --rtol 1e-9 --reactor v --repeats 1 --quiet \
    --references "$dir/reference" --out "$dir/reactor"
T=$(od -An -tf8 -j128 -N8 "$dir"/reference/*.npy)
change=$(aux box 5 4 | head -1)
ok "... changes T as the reference does: $change, $T" holds \
    "$change > 1300 && (($change + 1200) / $T - 1)^2 < 1e-12"
spot="--case datasets/cases/hot-spot.json --nx 40 --dt 1e-6 --first 3 --every 3 --count 8"
# shellcheck disable=SC2086 # words
ok "a hot spot" states spot $spot --n 30
ok "... a third each above 10 K, above 0.1 K, below: $(aux spot 5 4 | awk '
    { x = $1 < 0 ? -$1 : $1; n[(x <= 10) + (x <= 0.1)]++ } END { print n[0], n[1], n[2] }')" test \
    "$(aux spot 5 4 | awk '{ x = $1 < 0 ? -$1 : $1; n[(x <= 10) + (x <= 0.1)]++ }
        END { print n[0] "," n[1] "," n[2] }')" = 10,10,10
# shellcheck disable=SC2086
ok "... all of them" states all $spot
ok "... are more" holds "$(aux all 5 4 | wc -l) > 100"
# of each third as many as asked for, or all; the first that has more takes what is missing;
# of N that are kept of M the rows where N more M-ths begin
chosen() { # chosen N NAME: what a selection from all has, and whether NAME has these states
    for name in all "$2"; do
        od -An -v -w120 -tf8 -j128 "$dir/$name.npy" >"$dir/of"
        od -An -v -w40 -tf8 -j128 "$dir/$name.aux.npy" | paste -d ' ' - "$dir/of"
    done | awk -v n="$1" '
        NR > 1 && $1 < last { part = 1 }
        { last = $1 }
        !part { x = $4 < 0 ? -$4 : $4; s = (x <= 10) + (x <= 0.1); many[s]++
                at[++m] = $0; of[m] = s }
        part { own[++k] = $0 }
        END {
            for (s = 0; s < 3; s++) {
                keep[s] = int(n / 3) < many[s] ? int(n / 3) : many[s]
                room = n - keep[0] - keep[1] - keep[2]
            }
            for (s = 0; s < 3; s++) {
                more = many[s] - keep[s] < room ? many[s] - keep[s] : room
                keep[s] += more; room -= more
            }
            for (i = 1; i <= m; i++) {
                s = of[i]; c = seen[s]++
                if (int((c + 1) * keep[s] / many[s]) > int(c * keep[s] / many[s]))
                    bad += at[i] != own[++j]
            }
            print many[0] "," many[1] "," many[2], keep[0] "," keep[1] "," keep[2], (j != k) + bad
        }'
}
counts() { # counts NAME: found and kept, as its record has them
    tr -d ' \n' <"$dir/$1.json" |
        sed 's/.*"found":\[\([0-9,]*\)\],"kept":\[\([0-9,]*\)\].*/\1 \2 0/'
}
for n in 30 100 301 1000; do
    # shellcheck disable=SC2086
    ok "$n states" states some $spot --n $n
    ok "... chosen evenly: $(counts some)" test "$(chosen $n some)" = "$(counts some)"
done
# shellcheck disable=SC2086
ok "a selection without a change" code 2 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    --n 30 --out "$dir/x.npy"
ok "... is told" says "n = 30: .* needs dt_s"
# shellcheck disable=SC2086
ok "no state that changes by so much" code 2 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    $spot --dt 1e-12 --n 30 --out "$dir/x.npy"
ok "... is told" says "no state of these steps changes by more than 10 K"
ok "cells of an induction length" code 0 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    --length 0.02 --cells-per-induction 5 --dt 5e-7 --first 2 --every 1 --count 3 --n 9 \
    --out "$dir/five.npy"
ok "... in place of nx: 0.02 m of 1.513 mm" grep -q '"cells_x": 66' "$dir/five.json"
# shellcheck disable=SC2086
ok "... are a detonation's" code 2 flow --recipe datasets/recipes/h2co-flow.json --quiet $spot \
    --cells-per-induction 5 --out "$dir/x.npy"
ok "... is told" says "cells_per_induction: for a detonation"

# --- solvers in turn, each from the same state over the same steps
ok "a flow from its middle" code 0 flow --bench --case datasets/cases/hot-spot.json --nx 40 \
    --engine cpu-simd --chemistry rodas4:rtol=1e-4,rodas4:rtol=1e-04,cvode --begin 1e-5 --dt 1e-6 \
    --repeats 2 --quiet --out "$dir/turns"
row() { column "$dir/turns/flow.csv" "$1" | sed -n "$2p"; }
ok "... the same counts of the same solver: $(row attempts 1), imbalance $(row imbalance 1)" test \
    "$(row steps,attempts,imbalance 1)" = "$(row steps,attempts,imbalance 2)"
ok "... more of another" holds "$(row attempts 3) > 1.5 * $(row attempts 1) && $(row steps 3) > 0"
ok "... which costs 1 or more of 16 parts" holds "$(row imbalance 1) > 1 && $(row imbalance 1) < 16"
ok "... in a row that says from where" test "$(row begin_s,dt_s 1)" = 1e-05,1e-06
ok "rows without a begin join them" code 0 flow --bench --case datasets/cases/hot-spot.json \
    --nx 40 --quiet --engine cpu-simd --repeats 1 --out "$dir/turns"
ok "... which is empty there" test "$(column "$dir/turns/flow.csv" begin_s,dt_s | grep -cx ,)" = 1
mkdir "$dir/older" && cut -d, -f1-17,20-27,29- "$dir/turns/flow.csv" >"$dir/older/flow.csv"
ok "a file of schema 3" code 2 flow --bench --case datasets/cases/hot-spot.json --nx 40 --quiet \
    --engine cpu-simd --repeats 1 --out "$dir/older"
ok "... is told" says "flow.csv has other columns: it is of another version of flow"
ok "a begin without --bench" code 2 flow --case sod --begin 1
ok "... is told" says "begin and --dt are for --bench"
ok "a reaction where there is none" code 2 flow --bench --case sod --dt 1
ok "... is told" says "dt: for cases with chemistry, not for sod"

# --- all of it, for a flow that the mechanism has the species for and for one that it has not
measure() { # as make which-integrator calls it
    KB_BUILD=$build drivers/which_integrator/measure "$dir/${2:-which}" h2co \
        datasets/mechanisms/h2co.yaml "$build/mech/h2co/solvers.so" '' 30 1 1 "$1" "${3:-0}" 10 \
        '1e-4,1e-6,1e-8 1e-10,1e-12,1e-14' --solvers rodas4,rodas4:pass=1 --rtol 1e-2,1e-4,1e-6 \
        --atol 1e-8,1e-10,1e-12 --budget 5 \
        --references "$dir/references" --quiet >"$dir/out" 2>"$dir/err"
}
refuses() {
    measure "$@"
    [ $? = 2 ]
}
ok "no flow of the mechanism" refuses hot-spot-ch4 methane
ok "... is told" says "no flow of datasets/flows has all its species in h2co"
ok "which integrator" measure "hot-spot hot-spot-ch4"
ok "... methane is left out" says "hot-spot-ch4: left out, no species 'CH4'"
ok "within so many seconds" measure hot-spot timed 600
which() { column "$dir/which/which.csv" "$@"; }
ok "... rows of each solver at each error" test \
    "$(which flow,error 'f["solver"] == "cvode"' | paste -sd ' ')" = \
    "hot-spot,0.001 hot-spot,0.0001 hot-spot,1e-06"
ok "... none less accurate" test -z "$(which solver '!(f["err_p95_active"] + 0 <= f["error"] + 0)')"
ok "... the fastest is 1" holds "$(which over_fastest 'f["error"] == 0.0001' | sort -g |
    head -1) == 1"
ok "... in the flow, too" holds "$(which ns_chemistry 'f["solver"] == "rodas4" &&
    f["error"] == 0.0001') > 0"
ok "... one table" grep -q "^hot-spot  *1e-06 .* x .* %" "$dir/which/which.txt"
ok "... and an order of all" grep -q "^Over all flows.*: rodas4[:pas=1]* 1.00, .*cvode" \
    "$dir/which/which.txt"
if command -v gnuplot >/dev/null; then
    picture=$(basename "$dir")
    cp -r "$dir/which" "$dir/$picture"
    ok "one picture" env FORMATS=svg plots/which_integrator "$dir/$picture" >"$dir/out"
    ok "... a curve for each integrator" test "$(column "plots/out/$picture/which.csv" series 1 |
        sort -u | grep -c 'cpu-s')$(grep -c ' rtol ' "plots/out/$picture/which.csv")" = "$(
        which solver 'f["over_fastest"] == 1 || f["solver"] == "cvode"' | sort -u | wc -l)0"
    rm -r "plots/out/$picture"
else
    echo "skip - one picture: no gnuplot"
fi
touch -d 2000-01-01 "$dir/which/hot-spot/states.npy"
ok "states older than their recipe" measure hot-spot
ok "... are made again" says "hot-spot: the flow, for its states"
mkdir "$dir/which/knock" && echo damaged >"$dir/which/knock/states.npy"
ok "a flow whose states are damaged" refuses "hot-spot knock"
ok "... is told" says "not measured whole: knock"
ok "... the table has the other" grep -q "^hot-spot  *1e-06 .* x .* %" "$dir/which/which.txt"
rm -r "$dir/which/knock"
ok "a flow that is not there" refuses "hot-spot nosuch"
ok "... is told" says "no flow 'nosuch' in datasets/flows: there are c2h4-detonation .*spark"
# a row of failed ODEs, and a faster one without error control, must not win
cells=$dir/which/hot-spot/cells.csv
cp "$cells" "$dir/kept"
"$build/rows" --table "$dir/kept" | awk -F'\t' -v OFS='\t' '
    NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    { print }
    $c["solver"] == "rodas4" { for (i = 0; i < 2; i++) {
        $c["solver"] = i ? "point_implicit" : "planted"; $c["time_s"] /= 100
        $c["failed"] = i ? 0 : 3; print } }' | "$build/rows" --csv >"$cells"
ok "planted rows" code 0 which_integrator "$dir/which"
ok "... win nothing" test -z "$(which solver 'f["solver"] ~ /planted|point/')"
cp "$dir/kept" "$cells"
mkdir -p "$dir/rowless/flow" && head -1 "$cells" >"$dir/rowless/flow/cells.csv"
ok "a table of no rows" code 3 which_integrator "$dir/rowless"
ok "... is told" says "rowless/flow/cells.csv: no cell was measured"
ok "one flow" code 0 which_integrator --in-place "$dir/which/hot-spot"
ok "... lists what to run" grep -q "^rodas4:rtol=.*,cvode:rtol=.*@cpu-scalar$" "$dir/out"
# --- two flows at a time on two cores: a flow that waits for the other, and fails then
mkdir "$dir/tools" "$dir/met"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "${OMP_NUM_THREADS:-2}"\n' >"$dir/tools/nproc"
cat >"$dir/tools/flow" <<'E2'
#!/bin/sh
: >"$MET/$$"
for k in $(seq 100); do
    [ "$(find "$MET" -type f | wc -l)" -lt 2 ] || { echo met && exit 2; }
    sleep 0.1
done && exit 2 # not at the line's start, which ends a script and each of its blocks
E2
chmod +x "$dir/tools/nproc" "$dir/tools/flow"
env -u OMP_NUM_THREADS MET="$dir/met" PATH="$dir/tools:$PATH" KB_BUILD="$dir/tools" \
    drivers/which_integrator/measure "$dir/two" h2co box.yaml "$build/mech/h2co/solvers.so" '' \
    30 1 1 "knock spark" 0 1 '1e-4 1e-10' >"$dir/out" 2>"$dir/err"
ok "two flows are made side by side" test "$(grep -cx '[a-z]*: met' "$dir/err")" = 2
# another that measures into the folder is waited for, and said
if command -v flock >/dev/null; then
    mkdir "$dir/busy" && exec 8<"$dir/busy" && flock 8
    env MET="$dir/met" PATH="$dir/tools:$PATH" KB_BUILD="$dir/tools" \
        drivers/which_integrator/measure "$dir/busy" h2co box.yaml "$build/mech/h2co/solvers.so" \
        '' 30 1 1 knock 0 1 '1e-4 1e-10' >"$dir/out" 2>"$dir/err" 8<&- &
    while kill -0 $! 2>/dev/null && ! grep -q waiting "$dir/err"; do sleep 0.1; done
    ok "another in the folder is waited for" test ! -e "$dir/busy/knock"
    ok "... which is said" says "^which-integrator: waiting: another one measures into .*/busy$"
    exec 8<&-
    wait $!
    ok "... then it measures" test -d "$dir/busy/knock"
fi
# --- states of a flow, as make hands them over: 192 of H2
mkdir "$dir/mech" && printf 'enum {\n    NSP = 9,\n' >"$dir/mech/constants.h"
number=$(${MAKE:-make} -n which-integrator MECH=h2 2>/dev/null |
    sed -n "s,.*\(awk '/ NSP = .*'\) [^ ]*constants.h) 3 1.*,\1,p")
count() { test "$(sh -c "$number \"$dir/mech/constants.h\"")" = "$1"; }
ok "192 states of a small mechanism" count 192
printf 'enum {\n    NSP = 53,\n' >"$dir/mech/constants.h"
ok "72 of 53 species" count 72
exit $failed
