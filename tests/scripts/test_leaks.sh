#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Programs release what they allocate: blocks of other tests run with gcc's leak sanitizer loaded
# before each program. Memory is lost if no pointer leads to it at the end; one on a stack does not
# count, for main has returned. What ended while argp parsed its options is not judged.
# Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_leaks.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
if nm -D "$build/bench" | grep -q __asan_init; then
    echo "skip - leaks: the address sanitizer is linked, and finds them itself"
    exit
fi
if ! leak_sanitizer; then
    echo "skip - leaks: gcc's leak sanitizer does not run here"
    exit
fi

# a program of $dir/watched that loses memory leaves a file in $dir/lost
mkdir "$dir/watched" "$dir/lost" "$dir/bare"
ln -s "$build"/* "$dir/watched/"
"${CC:-gcc}" -shared -o "$dir/bare/libnvidia-ml.so.1" -x c /dev/null || exit 2 # NVIDIA's leaks
printf 'leak:%s\n' libcuda libnvidia libgomp libhdf5 libmpi libopen- mca_ libevent >"$dir/others"
cat >"$dir/watch" <<END
#!/bin/bash
name=\${0##*/} lost=$dir/lost/\$\$
(
    export LSAN_OPTIONS=exitcode=0:log_path=\$lost:log_exe_name=1:suppressions=$dir/others:\
print_suppressions=0:use_stacks=0:use_registers=0\$unwind
    export CUDA_VISIBLE_DEVICES= LD_LIBRARY_PATH=$dir/bare\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
    export LD_PRELOAD="$sanitizer \$LD_PRELOAD"
    exec -a "\$0" "$build/\$name" "\$@"
)
code=\$?
[ \$code -lt 2 ] || rm -f \$(grep -l argp_parse "\$lost".* 2>&-)
exit \$code
END
chmod +x "$dir/watch"
programs=$(grep -l '^int main' drivers/*.c mech/tables/mechc.c | sed 's|.*/||; s/[.]c$//')
for p in $programs; do # no links, whose names end at what they lead to
    [ ! -x "$build/$p" ] || cp --remove-destination "$dir/watch" "$dir/watched/$p"
done

kept() { # kept WHAT: by our programs; what they start is not looked at
    find "$dir/lost" -type f | grep -E "[.]($(tr '\n' '|' <<<"$programs")-)[.][0-9]*$" |
        xargs -r cat | grep -E 'leak of|#[1-9]' >"$dir/out"
    ok "$1: nothing is lost" [ ! -s "$dir/out" ]
    rm -f "$dir"/lost/*
}
states() { # 64 of H2 into $dir/h2.npy
    "$build/ignite" --recipe datasets/recipes/h2-ignition.json --n 64 --out "$dir/h2.npy" \
        --solvers "$build/mech/h2/solvers.so" --mech datasets/mechanisms/h2.yaml --quiet >"$dir/out"
}
# watched SCRIPT BLOCK: programs of that block
watched() {
    awk -f tests/block.awk want="$2" tests/scripts/test_"$1".sh tests/scripts/test_"$1".sh \
        >"$dir/block" || exit 2
    KB_BUILD=$dir/watched bash "$dir/block" >"$dir/out" 2>&1
    ok "$1: $2: passes" [ $? = 0 ]
    kept "$1: $2"
}

# --- wrong use of each program
watched wrong_use "each program"
watched wrong_use "options that need each other"

# --- bench
watched bench "worked out by hand"
watched bench "list of solvers"
watched bench "of the measured table"

# --- bench: mixing by the record of another mechanism
states
sed -i 's|"mech": ".*h2.yaml"|"mech": "gri30"|' "$dir/h2.json"
"$dir/watched/bench" --mech "$build/mech/h2/solvers.so" --db "$dir/h2.npy" --n 64 --dt 1e-5 \
    --steps 2 --tau-mix 1e-5 --out "$dir/mixed" 2>"$dir/err"
ok "mixing by another mechanism" says "the solvers were built for another mechanism: gri30"
kept "mixing by another mechanism"

# --- bench: a reactor
watched samples lockstep

# --- bench: species in steady state
watched samples "steady state"

# --- plug-ins
watched plugins "first order"

# --- report
watched report joules

# --- the page of the papers
watched report "page of the papers"

# --- claims
watched claims "page of the papers"

# --- verify
watched many_rows "the fastest"

# --- compare, history
watched many_rows "few rows"
watched many_rows "cell by cell"

# --- tune
watched many_rows "table of auto"

# --- which_integrator
watched which_integrator "six flows"

# --- mechinfo
watched mechinfo summary
watched mechinfo "canonical form"
watched mechinfo one-way

# --- dbinfo, scaling
watched dbinfo toy

# --- generators
watched databases "each one prints"

# --- evaluate
watched databases evaluated

# --- roofline
watched roofline "least times"

# --- kernels
watched roofline kernels

# --- flow
watched flow "small grids"
"$dir/watched/flow" --bench --case vortex --nx 16 --scheme mp5 --repeats 1 --engine cpu-scalar \
    --out "$dir/timed" --quiet >"$dir/out"
ok "flow --bench: a time" [ -s "$dir/timed/flow.csv" ]
kept "flow --bench"
"$dir/watched/flow" --case sod --nx 12 --checkpoint 1e-9 --out "$dir/saved" --quiet >"$dir/out"
ok "flow --checkpoint: errors" [ -s "$dir/saved/errors.csv" ]
kept "flow --checkpoint"

# --- flow: a mechanism's gas
"$dir/watched/flow" --case detonation --nx 30 --length 0.05 --end 1e-6 --rtol 1e-2 \
    --reference rodas4:rtol=1e-4 --out "$dir/gas" --quiet >"$dir/out"
ok "flow --reference: its table" [ -s "$dir/gas/detonation.csv" ]
kept "flow --reference"
watched flow "database of a detonation"
"$dir/watched/detonation" --mixture H2:1,O2:1 --out "$dir/zone" >"$dir/out"
ok "detonation: its zone" [ -s "$dir/zone/znd.csv" ]
kept detonation

# --- flow: files of cases
watched flow_cases regions
watched flow_cases "answers that are known"

# --- ranks
# MPI's libraries are known by the whole stack of an allocation: some are closed at the end
of_ranks() { # of_ranks WHAT CODE PROGRAM ARGUMENTS...: on two
    what=$1 expected=$2 program=$3
    shift 3
    unwind=:fast_unwind_on_malloc=0 mpirun --oversubscribe -n 2 "$dir/watched/$program" --quiet \
        "$@" >"$dir/out" 2>"$dir/err"
    ok "$what: ends with $expected" [ $? = "$expected" ]
    kept "$what"
}
if [ -e "$build/ranks.so" ] && command -v mpirun >/dev/null; then
    export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1
    export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    of_ranks "flow on ranks" 0 flow --case datasets/cases/spark.json --nx 8 --end 1e-7 \
        --checkpoint 1e-9 --also time --out "$dir/shared"
    of_ranks "too many ranks" 2 flow --case sod --nx 8 --out "$dir/shared"
    states
    of_ranks "bench on ranks" 0 bench --mech "$build/mech/h2/solvers.so" --db "$dir/h2.npy" \
        --n 64 --dt 1e-5 --solvers rodas4 --engines cpu-scalar --distribution cost --repeats 2 \
        --references "$dir/reference" --out "$dir/dealt"
else
    echo "skip - ranks: no mpicc and mpirun"
fi

exit $failed
