#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench with engines of any mechanism: alone, beside compiled ones, and as the first look of make
# bench. Run from the repository root: [KB_BUILD=build] tests/scripts/test_any.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
solvers=$build/mech/h2/solvers.so
h2=datasets/mechanisms/h2.yaml
export KB_ANY=$build/tests/read/build/any/solvers.so KB_BUILD=$build
bench() { # bench OUT OPTIONS...
    code 0 bench --db "$dir/states.npy" --n 24 --dt 1e-6 --solvers rodas4 --threads 1 --repeats 1 \
        --brief --quiet --out "$dir/$1" "${@:2}"
}
wrong() { # wrong WHAT TEXT OPTIONS...
    code 2 bench --db "$dir/states.npy" --n 24 --solvers rodas4 --out "$dir/wrong" "${@:3}"
    ok "$1 is an error" says "$2"
}

# --- a generator and bench without anything that was compiled for the mechanism
ok "states by an engine of any mechanism" code 0 ignite --mech $h2 --solvers "made-up=$h2" --n 32 \
    --fuel H2:1 --out "$dir/states.npy"
ok "bench by its file alone" bench alone --mech h2=$h2 --engines all
ok "measures these engines" test "$(column "$dir/alone/cells.csv" engine,status | sort -u |
    xargs)" = "cpu-scalar-any,ok cpu-scalar-forced-any,ok cpu-simd-any,ok cpu-simd-forced-any,ok"
bench alone --mech h2=$h2 --engines all --repeats 2
ok "and goes on with the same command" test "$(column "$dir/alone/samples.csv" key | wc -l)" = \
    $((2 * $(column "$dir/alone/cells.csv" key | wc -l)))

# --- beside the engines that were compiled for it
# after: a generator
ok "beside compiled ones" bench both --mech "$solvers" --mech-file h2=$h2 \
    --engines cpu-simd,cpu-simd-any --schedules static
engines() { column "$dir/both/cells.csv" "engine,$1" "f[\"engine\"] == \"$2\""; }
ok "a row of each: $(engines steps_mean cpu-simd) $(engines steps_mean cpu-simd-any)" test \
    "$(engines steps_mean cpu-simd)" = "cpu-simd,$(engines steps_mean cpu-simd-any | cut -d, -f2)"
alike() { [ "$1" ] && [ "$2" ] && holds "($1 - $2) ^ 2 < 1e-6 * $1 ^ 2"; }
ok "with the same error" alike "$(engines err_p95 cpu-simd | cut -d, -f2)" \
    "$(engines err_p95 cpu-simd-any | cut -d, -f2)"
ok "the run knows both binaries" grep -q '"identity".*solvers [0-9a-f]*,.*any mechanism [0-9a-f]' \
    "$dir/both/environment.json"

# --- what is wrong
# after: a generator
wrong "the file of another mechanism" "h2co.yaml is not the mechanism that .* was compiled for" \
    --mech "$solvers" --mech-file h2=datasets/mechanisms/h2co.yaml
wrong "no file of a mechanism" "--mech-file: 'h2' is no file" --mech "$solvers" --mech-file h2
wrong "an engine that was not compiled" "no 'cpu-simd' (there are cpu-scalar-any, " \
    --mech $h2 --engines cpu-simd
KB_ANY=$dir/none.so wrong "a build without them" "make any. builds it" --mech $h2
ok "nothing was written" test ! -e "$dir/wrong"

# --- the first look of make bench
# after: a generator
look() {
    drivers/bench/first_look "${part:-all}" "h2=${file:-$h2}" "$@" 1e-6 24 >"$dir/out" \
        2>"$dir/err"
}
rows() { sed -E 's/ +[0-9.]+ us an ODE, error [0-9]e-[0-9]+$//' | xargs; }
shown="rodas4 cpu-simd-any cvode cpu-scalar-any cvode cpu-scalar-any"
ok "a first look at states" look "$dir/states.npy"
ok "has rows of rodas4 and CVODE" test "$(rows <"$dir/out" | sed 's/.*: //')" = "$shown"
ok "a first look at an ignition" look datasets/recipes/h2-ignition.json
ok "has the same rows" test "$(rows <"$dir/out" | sed 's/.*: //')" = "$shown"
ok "of few reactions it is all" test "$(grep -c "first ODEs" "$dir/out")" = 0
printf 'ELEMENTS H O END\nSPECIES H2 O2 H2O END\nREACTIONS\n2H2+O2=>2H2O 1E19 0 3E4\n' \
    >"$dir/apart.inp"
awk 'BEGIN {
    print "THERMO\n 300. 1000. 5000."
    card("H2", "H   2", 0); card("O2", "O   2", 0); card("H2O", "H   2O   1", -4000)
}
function card(name, atoms, h) {
    printf "%-24s%-20sG   300.000  5000.000 1000.00      1\n", name, atoms
    printf "%15.8E%60s    2\n%15.8E%15.8E%15.8E%30s    3\n", 3.5, "", h, 0, 3.5, ""
    printf "%30s%15.8E%15.8E%15s    4\n", "", h, 0, ""
}' >"$dir/apart.dat"
echo '{"generator": "ignition", "version": 1, "parameters": {"mech": "apart", "fuel": "H2:1",
    "oxidizer": "O2:1", "T0_K": [1500], "p_atm": [1], "phi": [1], "n": 24, "span": 1.5}}' \
    >"$dir/apart.json"
file=$dir/apart.inp,$dir/apart.dat look "$dir/apart.json"
ok "an ignition of a CHEMKIN file whose thermo data stand apart" test \
    "$(rows <"$dir/out" | sed 's/.*: //')" = "$shown"
{ cat $h2 && yes '# =' | head -1001; } >"$dir/many.yaml"
file=$dir/many.yaml look "$dir/states.npy"
ok "above 1000 reactions the time of rodas4 comes first" test "$(sed -n 2p "$dir/out" |
    sed -E 's/ [0-9.]+ us/ x us/')" = \
    "  rodas4 cpu-simd-any   x us an ODE; its error comes with the first look"
ok "... then the same rows" test "$(sed 1,2d "$dir/out" | rows | sed 's/.*: //')" = "$shown"
one=$(dirname "$KB_ANY")/odes/solvers.so
KB_ANY=$one part=odes file=$dir/many.yaml look "$dir/states.npy"
ok "alone, if no more is asked for, by an engine without CVODE" test \
    "$(sed -n 2p "$dir/out" | cut -c1-22) $(wc -l <"$dir/out")" = "  rodas4 cpu-simd-any  2"
KB_ANY=$one ok "which refuses what needs it" code 2 ignite --mech $h2 --solvers "h2=$h2" --n 32 \
    --fuel H2:1 --out "$dir/without.npy"
ok "with a reason" says "no trajectories: CVODE is not among these engines"
part=look file=$dir/many.yaml look "$dir/states.npy"
ok "and the rest without it" test "$(rows <"$dir/out" | sed 's/.*: //')" = "$shown"
look "$dir/none.npy"
ok "states that are not there end it" test $? = 2
exit $failed
