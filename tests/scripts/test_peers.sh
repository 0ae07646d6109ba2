#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make peers: rows of codes in turns, joined with the errors of each against its own tight solution;
# a code that crashes is rows with a reason; a folder that lacks what is needed says what. Run from
# the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_peers.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
cc=${CC:-gcc}
solvers=$build/mech/h2/solvers.so
export GIT_CEILING_DIRECTORIES=$dir KB_BUILD=$build
"$cc" -shared -fPIC -I. examples/euler.c -o "$dir/euler.so" || exit 2
"$cc" -std=gnu11 -shared -fPIC -I. -DFAULT=FAULT_CRASH -DFAULT_OF_SYMBOL=0 \
    tests/scripts/fault_plugin.c -o "$dir/crash.so" -lm || exit 2
code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 16 \
    --mech datasets/mechanisms/h2.yaml --solvers "$solvers" --out "$dir/h2.npy" || exit 2
peers() { # peers FOLDER PEERS
    SUNDIALS=6.9 drivers/peers/measure "$dir/$1" rodas4 "$2" --mech "$solvers" --db "$dir/h2.npy" \
        --n 16 --dt 1e-7 --threads 1 --schedules refill --repeats 2 --rtol 1e-4,1e-6 \
        --atol 1e-10,1e-12 --quiet >"$dir/out" 2>"$dir/err"
}
of() { column "$dir/a/peers.csv" "$1" "f[\"solver\"] ~ /^$2/ && f[\"rtol\"] == \"1e-06\""; }

# --- a code with a solution of its own
euler=$dir/euler.so:steps=500
ok "one beside ours" peers a "euler|$euler|euler:steps=1000|1.2 fault|$dir/crash.so||3"
ok "rows of all" test "$(column "$dir/a/peers.csv" peer | sort | uniq -c | tr -s ' \n' ' ')" = \
    " 2 cvode 2 euler 2 fault 4 kinbench "
ok "versions" test "$(column "$dir/a/peers.csv" peer,version | sort -u | tr '\n' ' ')" = \
    "cvode,6.9 euler,1.2 fault,3 kinbench, "
ok "processor time" holds "$(of time_s euler) > 0 && $(of time_lo_s euler) <= $(of time_s euler)"
theirs=$(of err_p95_active,error_ours euler)
ok "errors against its own and against ours: $theirs" holds \
    "${theirs#*,} / ${theirs%,*} > 1.9 && ${theirs#*,} / ${theirs%,*} < 2.1"
ok "how far the solutions are apart" holds \
    "$(of model_difference euler) / ${theirs%,*} > 0.9 && $(of model_difference euler) < 1"
ok "of one that has our rates ours" test \
    "$(of err_p95_active rodas4 | head -1)" = "$(of error_ours rodas4 | head -1)"
ok "a crash is a failed row" test "$(of status fault)" = failed
ok "with the reason" grep -q 'fault.*crashed' "$dir/a/peers.csv" "$dir/a/peers.txt"
ok "the fastest at each error" grep -q '^kinbench *rodas4 *cpu-simd *[0-9]' "$dir/a/peers.txt"
ok "and the difference" grep -q '^euler: our tight solution differs' "$dir/a/peers.txt"
ok "one that crashes as its own reference" peers b "fault|$dir/crash.so|fault:rtol=1e-9|3"
ok "is said" says "fault has no tight solution of its own"
ok "none there" peers c ""
ok "is said, too" says "no other code is there"

# --- folders that lack what is needed
make_zero() { ! make -s BUILD="$dir/b" MECH=h2 CUDA=0 ZERORK_DIR="$1" "$dir/b/zero-rk/checked" \
    >"$dir/out" 2>"$dir/err"; }
ok "no folder" make_zero ""
ok "asks for one" says "zero-rk: give ZERORK_DIR="
mkdir "$dir/empty"
ok "an empty folder" make_zero "$dir/empty"
ok "says what is missing" says "$dir/empty lacks src/zerork/element.cpp"
exit $failed
