#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Other processors and compilers, as far as they are here: lanes of NEON, SVE and AVX2 under
# qemu-user, and of clang, take the attempts of one lane on this processor, ODE by ODE; the engines
# of a GPU compile for AMD's. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_targets.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
tables=$build/mech/h2
code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 96 \
    --mech datasets/mechanisms/h2.yaml --solvers "$tables/solvers.so" --out "$dir/h2.npy" || exit 2
tail -c $((96 * 11 * 8)) "$dir/h2.npy" >"$dir/states"

defines=(-DKB_LINES -DKB_ENGINE='"lanes"' -DKB_METHOD=rodas4 -DKB_SOLVER=kb_rodas4_simd
    -DKB_METHOD_HEADER='"solvers/methods/rodas4.h"' -DKB_METHOD_OPTIONS=RODAS4_OPTIONS
    -DKB_METHOD_INFO=RODAS4_INFO)
straight=chemistry/straight/cpu
# lanes NAME LANES "COMPILER FLAGS" [RUNNER [LIBRARY]]: the attempts of 96 ODEs, into $dir/NAME
lanes() {
    local folder=$dir/build-$1 objects="engines/cpu $straight/lines" object options lanes
    mkdir "$folder"
    [ "$2" = 1 ] || objects="$objects $straight/float_jacobian $straight/float_factors"
    for object in $objects; do
        options=(-fno-signed-zeros) lanes=$2
        [ $object = engines/cpu ] && options=("${defines[@]}")
        [ "$object" = $straight/float_factors ] && lanes=$((2 * $2))
        $3 -std=gnu11 -O1 -Wno-psabi -ffp-contract=fast -fno-math-errno -fno-trapping-math \
            -fopenmp -DKB_LINES "${options[@]}" -DKB_LANES="$lanes" -I. -I"$tables" \
            -c solvers/$object.c -o "$folder/${object##*/}.o" || return 2
    done
    $3 -std=gnu11 -O1 -fopenmp -I. -I"$tables" tests/scripts/target_lanes.c base/error.c \
        "$tables/large.S" "$folder"/*.o -o "$folder/run" ${5:--lmvec} -lm &&
        ${4:-env} "$folder/run" <"$dir/states" >"$dir/$1" 2>"$dir/err"
}
same() { # same NAME: status and attempts are those of one lane, T and H2O to 1e-6
    test "$(wc -l <"$dir/$1")" = 96 &&
        paste "$dir/one" "$dir/$1" | awk '
            function far(a, b) { return (a - b) ^ 2 > (1e-6 * b + 1e-9) ^ 2 }
            $1 || $1 != $5 || $2 != $6 || far($3, $7) || far($4, $8) { bad++; print }
            END { exit bad > 0 }' >"$dir/out"
}
lanes one 1 gcc || exit 2
ok "ODEs of unlike length" test "$(cut -d' ' -f2 "$dir/one" | sort -u | wc -l)" -gt 5

# --- clang
for cc in clang clang-19 clang-15 none; do
    echo 'int main(void) { return omp_get_max_threads() == 0; }' |
        $cc -include omp.h -fopenmp -x c - -o "$dir/try" 2>"$dir/none" && break
done
if [ $cc = none ]; then
    echo "skip - clang: no clang with OpenMP"
else
    ok "clang: lanes of this processor" lanes clang 4 "$cc -march=native"
    ok "clang: the attempts of one lane" same clang
fi

# --- qemu
if ! command -v qemu-x86_64 >/dev/null; then
    echo "skip - AVX2 on a Haswell: no qemu-user"
else
    ok "AVX2" lanes avx2 4 "gcc -march=haswell" "qemu-x86_64 -cpu Haswell"
    ok "AVX2 on a Haswell: the attempts of one lane" same avx2
fi
if ! { command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc; } >/dev/null; then
    echo "skip - lanes of ARM: no qemu-user and gcc-aarch64-linux-gnu"
else
    arm="aarch64-linux-gnu-gcc -march=armv8-a" qemu="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    ok "NEON" lanes neon 2 "$arm" "$qemu" -lm
    ok "NEON: the attempts of one lane" same neon
    ok "SVE" lanes sve 8 "$arm+sve -msve-vector-bits=512" "$qemu -cpu max,sve512=on" -lm
    ok "SVE of 512 bits: the attempts of one lane" same sve
fi

# --- AMD
if ! command -v hipcc >/dev/null; then
    echo "skip - engines of AMD's GPUs: no hipcc"
else
    compile() { make HIP=1 BUILD="$build" MECH=h2 NAME=h2-hip "$@" >"$dir/out" 2>"$dir/err"; }
    ok "gpu-thread and gpu-warp compile for gfx90a" \
        compile "$build"/mech/h2-hip/rkck_gpu_{thread,warp}.o
fi
exit $failed
