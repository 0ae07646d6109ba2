#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flow over MPI ranks: the files of one rank to the bit, with two and three; a run that is
# stopped and goes on with another number of ranks; bad input. Skipped without mpicc and mpirun.
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

cp "$build/flow" "$dir/" || exit 2
OMPI_COMM_WORLD_SIZE=2 "$dir/flow" --case sod --quiet >"$dir/out" 2>"$dir/err"
ok "a launcher, and a build without MPI: exit code" test $? -eq 2
ok "says so" says "started with 2 ranks, but .*ranks.so is not there: built without MPI"
if [ ! -e "$build/ranks.so" ] || ! command -v mpirun >/dev/null; then
    echo "skip - MPI: no mpicc and mpirun (Debian: libopenmpi-dev openmpi-bin)"
    exit $failed
fi

# launch RANKS ARGUMENTS...: flow, exit code of mpirun
launch() {
    ranks=$1
    shift
    timeout "$patience" mpirun --oversubscribe -n "$ranks" "$build/flow" --quiet "$@" >"$dir/out" \
        2>"$dir/err"
}
same() { # same FOLDER OTHER: all fields, and the tables but for their times
    for file in "$dir/$1"/*.npy "$dir/$1"/*.txt; do
        cmp "$file" "$dir/$2/${file##*/}" || return 1
    done
    for table in errors detonation runs probes-mp5; do
        [ -e "$dir/$1/$table.csv" ] || continue
        for folder in "$1" "$2"; do
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i !~ /^ns_/) keep[i] }
                { for (i = 1; i <= NF; i++) if (i in keep) printf "%s,", $i; print "" }' \
                "$dir/$folder/$table.csv" >"$dir/table-$folder"
        done
        cmp "$dir/table-$1" "$dir/table-$2" || return 1
    done
}

# compare WHAT ARGUMENTS...: on 3 ranks, on 2 and 3 with RANKS="2 3", and without a launcher
compare() {
    name=$1
    shift
    ok "$name: one rank" code 0 flow --quiet --out "$dir/one" "$@"
    for n in ${RANKS:-3}; do
        ok "$name: $n ranks" launch $n --out "$dir/many" "$@"
        ok "$name: the same files" same one many
        rm -rf "$dir/many"
    done
    rm -rf "$dir/one"
}
RANKS="2 3" compare "walls and solid cells" --case step --nx 60 --end 0.3
RANKS="2 3" compare "periodic" --case vortex --nx 16 --end 1
compare "cells in corners" --case vortex --nx 16 --end 1 --scheme mp5_transverse
compare "and fixed ones" --case planar --nx 60 --ny 9 --end 1 --scheme mp5_transverse
compare "one stage" --case vortex --nx 16 --end 1 --scheme ader_weno --engine cpu-scalar
compare "gravity, turned" --case rayleigh-taylor --nx 12 --end 0.3 --turn on
if [ -e "$build/mech/h2co/flow.so" ]; then
    compare "a case of a file" --case datasets/cases/shock-bubble.json --nx 30 --end 1e-5
    compare "turned" --case datasets/cases/spark.json --nx 16 --end 1e-6 --turn on
    RANKS="2 3" compare "chemistry" --case detonation --mech h2co --nx 40 --length 0.03 \
        --height 0.012 --end 2e-6 --chemistry rodas4@cpu-simd --frames 0
fi

# the engine gpu, on a made-up device: the same program in a folder with its flow.so
fake=$build/tests/gpu/fake_flow/flow.so
if [ -e "$fake" ] && [ -e "$build/mech/h2co/solvers.so" ]; then
    mkdir -p "$dir/gpu/build/mech/h2co"
    ln -s "$fake" "$build/mech/h2co/solvers.so" "$dir/gpu/build/mech/h2co/"
    ln -s "$PWD/datasets" "$dir/gpu/"
    root=$PWD
    cd "$dir/gpu" || exit 2
    compare "gpu" --case detonation --mech h2co --nx 24 --length 0.03 --height 0.015 --end 1.1e-5 \
        --chemistry rodas4@cpu-simd --engine gpu
    cd "$root" || exit 2
fi

# a run on two ranks that is stopped goes on with three, to the bits of one
step="--case step --nx 60 --end 1"
# shellcheck disable=SC2086 # words
ok "one rank" code 0 flow --quiet $step --out "$dir/one"
held_library
# shellcheck disable=SC2086
mpirun --oversubscribe -n 2 -x LD_PRELOAD="$dir/held.so" -x KB_HELD=.checkpoint "$build/flow" \
    --quiet $step --out "$dir/many" --checkpoint 0.0002 >"$dir/out" 2>"$dir/err" &
pid=$!
of_ranks="^$build/flow .*$dir/many"
is_held() { grep -q '^State:.T' $(pgrep -f "$of_ranks" | sed 's,.*,/proc/&/status,') /dev/null; }
until is_held 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
for signal in TERM CONT; do pkill -$signal -f "$of_ranks"; done
wait $pid
ok "stopped, with a checkpoint" test -n "$(ls "$dir/many/"*.checkpoint)"
# shellcheck disable=SC2086
ok "three ranks go on" launch 3 $step --out "$dir/many"
ok "to the same bits" same one many

refused() { # refused TEXT RANKS ARGUMENTS...: exit code 2 and one message of the program
    text=$1
    shift
    launch "$@"
    [ $? -eq 2 ] && says "$text" && [ "$(grep -c '^flow: error' "$dir/err")" -eq 1 ]
}
ok "more ranks than rows" refused "3 ranks for 8 rows of cells: a rank needs 3" 3 --case vortex \
    --nx 8 --out "$dir/few"
ok "one row" refused "2 ranks for 1 row of cells" 2 --case sod --nx 40 --out "$dir/few"
ok "no such scheme" refused "no scheme 'mp6'" 2 --scheme mp6
# what one rank alone cannot do ends all
touch "$dir/rank1"
one_fails() { # one_fails ARGUMENTS...: rank 1 cannot make its folder
    # shellcheck disable=SC2016 # the rank's own shell
    timeout "$patience" mpirun --oversubscribe -n 2 sh -c 'out=$1/rank$OMPI_COMM_WORLD_RANK/out
        shift
        exec "$@" --quiet --out "$out"' - "$dir" "$build/flow" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && says "rank1: cannot make folder: Not a directory"
}
ok "a folder that one rank cannot make" one_fails --case vortex --nx 16
if [ -e "$build/mech/h2co/flow.so" ]; then
    ok "of a detonation" one_fails --case detonation --mech h2co --nx 16 --length 0.02 --height 0.02
fi

# measured at all ranks: a row of its own beside that of one rank, with chemistry, too
measured() { # measured RANKS ARGUMENTS...
    n=$1
    shift
    launch "$n" --bench --repeats 2 --engine cpu-simd --out "$dir/bench" "$@"
}
ranks_of() { column "$dir/bench/flow.csv" ranks "f[\"case\"] == \"$1\"" | sort -u | paste -sd ,; }
ok "a measurement of one rank" measured 1 --case vortex --nx 16
ok "of two" measured 2 --case vortex --nx 16
ok "says so once" test "$(grep -c "^mp5 .*cpu-simd" "$dir/out")" -eq 1
ok "has its rows beside those of one" test "$(ranks_of vortex)" = 1,2
ok "of three" measured 3 --case vortex --nx 16
ok "as well" test "$(ranks_of vortex)" = 1,2,3
if [ -e "$build/mech/h2co/flow.so" ]; then
    ok "with chemistry" measured 2 --case detonation --nx 16 --length 0.02 --height 0.02
    ok "has the time of that" holds "$(column "$dir/bench/flow.csv" ns_chemistry \
        'f["case"] == "detonation" && f["ranks"] == 2 && f["engine"] == "cpu-simd"') > 0"
fi
mkdir "$dir/other" && echo scheme,ns >"$dir/other/flow.csv"
ok "a file of other columns" refused "other columns" 2 --case vortex --nx 16 --bench \
    --out "$dir/other"
exit $failed
