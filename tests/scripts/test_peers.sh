#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make peers: rows of codes in turns, joined with the errors of each against its own tight solution;
# a code that crashes is rows with a reason; a folder that lacks what is needed says what; what a
# second witness says of claims. Run from the repository root:
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
refuse_figure() { ! plots/peers "$dir/none" >"$dir/out" 2>"$dir/err"; }
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
if command -v gnuplot >/dev/null; then
    run=test-peers-$$
    mv "$dir/a" "$dir/$run"
    figure() {
        FORMATS=svg plots/peers "$dir/$run" >"$dir/out" && mv "plots/out/$run" "$dir/figures"
    }
    ok "a figure" figure
    ok "has the curve of the other code" grep -q euler "$dir/figures/peers.svg"
    ok "and a point for each tolerance of ours" test \
        "$(grep -c 'rodas4 cpu-simd' "$dir/figures/peers.csv")" = 2
fi
ok "no run to draw" refuse_figure
ok "says what makes one" says "peers.csv is not there (make peers"
ok "one that crashes as its own reference" peers b "fault|$dir/crash.so|fault:rtol=1e-9|3"
ok "is said" says "fault has no tight solution of its own"
ok "none there" peers c ""
ok "is said, too" says "no other code is there"

# --- the codes of this machine, on H2 and GRI 3.0
for m in h2 gri30; do
    so=$build/mech/$m
    [ -e "$so/solvers.so" ] || { echo "skip - codes of this machine: no $so/solvers.so"; continue; }
    ok "$m: states" code 0 ignite --recipe datasets/recipes/$m-ignition.json --n 4 --mech \
        datasets/mechanisms/$m.yaml --solvers "$so/solvers.so" --out "$dir/$m-4.npy"
    codes=
    [ ! -e "$build/plugins/arkode.so" ] || codes="arkode|$build/plugins/arkode.so||6"
    [ ! -e "$so/cantera.so" ] ||
        codes="$codes cantera|$so/cantera.so|cantera:rtol=1e-12:atol=1e-18|3"
    [ -n "$codes" ] || { echo "skip - $m: neither ARKODE nor Cantera"; continue; }
    measure() { drivers/peers/measure "$dir/all-$m" rodas4 "$codes" --mech "$so/solvers.so" \
        --db "$dir/$m-4.npy" --n 4 --dt 1e-6 --threads 1 --schedules refill --repeats 1 \
        --rtol 1e-6 --atol 1e-12 --quiet >"$dir/out" 2>"$dir/err"; }
    ok "$m: ours beside$(for c in $codes; do echo " ${c%%|*}"; done | tr -d '\n')" measure
    for c in $codes; do
        rows() { column "$dir/all-$m/peers.csv" "$1" "f[\"peer\"] == \"${c%%|*}\""; }
        ok "${c%%|*}: all rows are there" test "$(rows status | sort -u)" = ok
        for error in $(rows err_max); do
            ok "${c%%|*}: error $error" holds "$error < 1e-3"
        done
    done
done

# --- the mechanism as KPP reads it
ok "its writer" make -s BUILD="$build" CUDA=0 "$build/kpp_model"
model() { "$build/kpp_model" "$1" "" "$dir" >"$dir/out" 2>"$dir/err"; }
refuses_model() { ! model "$1"; }
ok "H2" model datasets/mechanisms/h2.yaml
ok "both directions of 19 reactions" test "$(grep -c ' = .* : SUN;' "$dir/model.def")" = 38
ok "the first" grep -qx '1 S6 + 1 S2 = 1 S3 + 1 S4 : SUN;' "$dir/model.def"
ok "a species without a reaction has none" test "$(tail -1 "$dir/places.h")" = "-1, /* S9 */"
for refused in "yaml/features.yaml|:114: orders other" "yaml/steady.yaml|in steady state"; do
    ok "refuses ${refused%|*}" refuses_model "tests/corpus/${refused%|*}"
    ok "with a reason" says "${refused#*|}"
done

make -n BUILD="$dir/b" MECH=h2 CUDA=0 KPP_DIR="$dir" "$dir/b/mech/h2/kpp.so" \
    >"$dir/out" 2>&1
ok "its plug-in has the rates of mech/" grep -q '^    .*mech/thermo/rates\.o.*libkpp\.a' "$dir/out"

# --- folders that lack what is needed
mkdir -p "$dir/empty" "$dir/unbuilt/int"
touch "$dir/unbuilt/int/rosenbrock.c"
fails() { ! make -s BUILD="$dir/b" MECH=h2 CUDA=0 "$2" "$dir/b/$1" >"$dir/out" 2>"$dir/err"; }
refuses() { # refuses TARGET VARIABLE=FOLDER TEXT
    ok "make $2 fails" fails "$1" "$2"
    ok "and says $3" says "$3"
}
refuses clones/ZERORK_DIR-checked ZERORK_DIR= "zero-rk: give ZERORK_DIR="
refuses clones/ZERORK_DIR-checked ZERORK_DIR="$dir/empty" "$dir/empty lacks src/zerork/element.cpp"
refuses clones/PYJAC_DIR-checked PYJAC_DIR= "pyjac: give PYJAC_DIR="
refuses clones/PYJAC_DIR-checked PYJAC_DIR="$dir/empty" "$dir/empty lacks pyjac/__main__.py"
refuses clones/KPP_DIR-checked KPP_DIR= "kpp: give KPP_DIR="
refuses clones/KPP_DIR-checked KPP_DIR="$dir/empty" "$dir/empty lacks int/rosenbrock.c"
refuses clones/KPP_DIR-checked KPP_DIR="$dir/unbuilt" "$dir/unbuilt lacks bin/kpp"
for library in "CUDSS cudss.h of version 1" "GINKGO ginkgo/ginkgo.hpp with batched solvers" \
    "MAGMA magma_v2.h"; do
    refuses mech/h2/cvode-gpu-folders "${library%% *}_DIR=$dir/empty" \
        "$dir/empty has no include/${library#* } (docs/adding.md)"
done
make_authors() { ! make -s BUILD="$dir/b" MECH=h2 CUDA=0 ACCELERINT_DIR="$1" PYJAC_DIR="$2" \
    "$dir/b/clones/"{ACCELERINT_DIR,PYJAC_DIR}-checked >"$dir/out" 2>"$dir/err"; }
ok "no clones of the authors' code" make_authors "" "$dir/empty"
ok "asks for one" says "accelerint: give ACCELERINT_DIR="
ok "an empty one" make_authors "$dir/empty" "$dir/empty"
ok "says what is missing" says "$dir/empty lacks radau2a/radau2a.cu"
mkdir -p "$dir/scons/radau2a" "$dir/scons/generic" "$dir/pyjac/pyjac"
mkdir -p "$dir/pyjac/pyjac/core"
touch "$dir/scons/radau2a/radau2a.cu" "$dir/scons/generic/solver_options.h" \
    "$dir/pyjac/pyjac/__main__.py" "$dir/pyjac/pyjac/core/"{create_jacobian,mech_interpret}.py
ok "one that scons has built" make_authors "$dir/scons" "$dir/pyjac"
ok "says whose options would be taken" says "scons was built by scons"

# --- a second witness: rows of ours under their names too, on a GPU at twice the time
sources=results/gpu/e2-h2co-ignition
for run in h2co-ignition h2co-ignition-cores; do
    mkdir -p "$dir/peers/witness-$run"
    cp $sources/environment.json "$dir/peers/witness-$run"
    "$build/rows" --table $sources/cells.csv | awk -F'\t' -v OFS='\t' -v cores="${run#*-*-}" '
        NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; print; next }
        { gpu = $col["engine"] ~ /^gpu/
          if ((cores == "cores") == gpu || $col["solver"] != "rkc" || $col["status"] != "ok") next
          print
          $col["solver"] = "accelerint-rkc"; $col["engine"] = gpu ? "gpu-plugin" : "cpu-plugin"
          for (i = 1; gpu && i <= NF; i++)
              if (i == col["time_s"] || i == col["time_lo_s"] || i == col["time_hi_s"]) $i *= 2
          print }' | "$build/rows" --csv >"$dir/peers/witness-$run/cells.csv"
done
ok "claims" test "$(plots/papers/witness "$dir/peers" results/gpu/claims.csv >"$dir/out"
    grep -c . "$dir/out")" = "$(grep -c '^[a-z0-9]*-c' datasets/witness.tsv)"
both() { awk -F'\t' -v id="$1" '$1 == id { print $3 / $4 }' "$dir/out"; }
ok "half the speed-up on one core" holds "(2 * $(both niemeyer2014-c015) - 1)^2 < 1e-4"
ok "and on six" holds "(2 * $(both niemeyer2014-c016) - 1)^2 < 1e-4"
ok "what is no time is the same" test "$(both niemeyer2014-c021)" = 1
ok "without rows nothing" grep -q "^curtis2017-c001	8.41	-	-	" "$dir/out"
ok "printed value and verdict stand beside" grep -q "^niemeyer2014-c015	59	.*	direction holds" \
    "$dir/out"
exit $failed
