#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench over four MPI ranks: the same bits as on one, the columns, a rank that dies, an error on a
# rank, the time limit. Skipped without mpicc. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_ranks.sh
# beside others
# the second host, below, has a /dev/shm of its own
[ "$TMPDIR" != /dev/shm ] || export TMPDIR=/tmp
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
solvers=$build/mech/h2/solvers.so
root=$PWD
export GIT_CEILING_DIRECTORIES=$dir
cp "$build/bench" "$dir/" || exit 2
OMPI_COMM_WORLD_SIZE=4 "$dir/bench" --mech h2 --db x.npy >"$dir/out" 2>"$dir/err"
ok "a launcher, and a build without MPI: exit code" test $? -eq 2
ok "says so" says "started with 4 ranks, but .*ranks.so is not there: built without MPI"

# --- what launchers say: so many ranks, tasks that are none, or one program
said() { # said VARIABLE=VALUE...
    env "$@" "$dir/bench" --mech "$solvers" --db x.npy >"$dir/out" 2>"$dir/err"
    echo "$*: $(grep -o 'with [0-9]* ranks\|the [0-9]* tasks of srun are not ranks\|x.npy' \
        "$dir/err" | xargs)"
}
all=$(
    said OMPI_COMM_WORLD_SIZE=2
    said OMPI_COMM_WORLD_SIZE=1 PMI_SIZE=3
    said PMI_SIZE=3 MPI_LOCALNRANKS=4
    said MPI_LOCALNRANKS=4
    said SLURM_STEP_NUM_TASKS=4 PMI_RANK=0
    said SLURM_STEP_NUM_TASKS=4 PMIX_RANK=0
    said SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0
    said SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0
    said SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1
    said SLURM_STEP_NUM_TASKS=2
    said SLURM_PROCID=0 PMI_RANK=0
)
ok "ranks of each launcher: $all" test "$all" = "\
OMPI_COMM_WORLD_SIZE=2: with 2 ranks
OMPI_COMM_WORLD_SIZE=1 PMI_SIZE=3: x.npy
PMI_SIZE=3 MPI_LOCALNRANKS=4: with 3 ranks
MPI_LOCALNRANKS=4: with 4 ranks
SLURM_STEP_NUM_TASKS=4 PMI_RANK=0: with 4 ranks
SLURM_STEP_NUM_TASKS=4 PMIX_RANK=0: with 4 ranks
SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0: x.npy
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0: the 2 tasks of srun are not ranks x.npy
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1: x.npy
SLURM_STEP_NUM_TASKS=2: x.npy
SLURM_PROCID=0 PMI_RANK=0: x.npy"

# --- the replay of measured costs, against what can be worked out by hand
"$build/ignite" --recipe datasets/recipes/h2-ignition.json --n 64 --solvers "$solvers" \
    --mech datasets/mechanisms/h2.yaml --out "$dir/h2.npy" >/dev/null 2>&1 || exit 2
code 2 scaling --db "$dir/h2.npy"
ok "without costs it says how to measure them" says "COST=1"
ok "costs are kept" code 0 bench --mech "$solvers" --db "$dir/h2.npy" --n 64 --dt 1e-5 \
    --solvers rodas4 --engines cpu-scalar --threads 1 --repeats 1 --references "$dir/ref" --quiet \
    --out "$dir/cost" --write-cost
ok "replay" code 0 scaling --db "$dir/h2.npy" --ranks 1,64 --fetch 1e-12 --latency 1000 \
    --out "$dir/replay.csv"
replayed() { column "$dir/replay.csv" efficiency "f[\"ranks\"] == $1" | sort -u | tr '\n' ' '; }
ok "one rank is efficient: $(replayed 1)" test "$(replayed 1)" = "1 "
# one ODE on each rank: the mean of the substeps over the most
whole=$(column "$dir/cost/cells.csv" steps_mean,steps_max | awk -F, '{ printf "%.4f", $1 / $2 }')
ok "as many ranks as ODEs: $(replayed 64), mean over most $whole" awk -v all="$(replayed 64)" \
    -v expected="$whole" 'BEGIN { n = split(all, e, " "); for (i = 1; i <= n; i++)
        if ((e[i] - expected) ^ 2 > 1e-6) exit 1; exit n < 1 }'
ok "as JSON" code 0 scaling --db "$dir/h2.npy" --ranks 1,64 --fetch 1e-12 --latency 1000 --json
if command -v python3 >/dev/null; then
    ok "of the same rows" python3 -c 'import csv, json, sys
told, rows = json.load(open(sys.argv[1])), list(csv.DictReader(open(sys.argv[2])))
assert told["order"] == "generated" and told["unit_s"] == 1e-5, told
assert len(told["rows"]) == len(rows) > 1
for row, cell in zip(rows, told["rows"]):
    for name, value in row.items():
        assert cell[name] == (float(value) if name in ("ranks", "n", "efficiency") else value), name
' "$dir/out" "$dir/replay.csv"
else
    echo "skip - JSON is read: no python3"
fi
ok "too many ranks" code 2 scaling --db "$dir/h2.npy" --ranks 8,5000000000
ok "a table that cannot be written" code 2 scaling --db "$dir/h2.npy" --ranks 2 \
    --out "$dir/none/replay.csv"
ok "says which" says "none/replay.csv"
ok "two ranks of weak scaling have twice the ODEs" code 0 scaling --db "$dir/h2.npy" --ranks 1,2 \
    --per-rank 64 --out "$dir/weak.csv"
weak() { column "$dir/weak.csv" efficiency 'f["ranks"] == 2 && f["distribution"] == "static"'; }
first=$(weak)
ok "which are drawn: parts do not cost the same ($first)" holds "$first > 0.3 && $first < 0.9999"
ok "the same seed draws the same" code 0 scaling --db "$dir/h2.npy" --ranks 1,2 --per-rank 64 \
    --out "$dir/weak.csv"
ok "to the last digit" test "$(weak)" = "$first"
ok "another seed" code 0 scaling --db "$dir/h2.npy" --ranks 1,2 --per-rank 64 --seed 2 \
    --out "$dir/weak.csv"
ok "draws others" test "$(weak)" != "$first"

# dynamic: 64 ranks on one host ask nobody (above, an answer takes 1000 s); of two ranks on two
# hosts the second has the first chunk, half of the ODEs, after 1000 s, and the first all others
ok "two hosts" code 0 scaling --db "$dir/h2.npy" --ranks 2 --host-ranks 1 --unit 1 --fetch 1e-12 \
    --latency 1000 --out "$dir/hosts.csv"
steps=$(column "$dir/cost/cells.csv" steps_mean | awk '{ print 64 * $1 }')
hosts=$(column "$dir/hosts.csv" efficiency 'f["distribution"] == "dynamic"')
ok "dynamic waits for the answer: $hosts, $steps substeps" \
    holds "$hosts > $steps / (2 * (1000 + $steps)) && $hosts < $steps / (2 * 1000)"
ok "and without other hosts it does not" code 0 scaling --db "$dir/h2.npy" --ranks 2 --unit 1 \
    --fetch 1e-12 --latency 1000 --out "$dir/host.csv"
# one ODE at a time: the ranks end within the longest of one another
longest=$(column "$dir/cost/cells.csv" steps_max)
host=$(column "$dir/host.csv" efficiency 'f["distribution"] == "dynamic"')
ok "one host: $host, $longest substeps at most" holds "$host >= $steps / ($steps + $longest)"
ok "a counter serves one at a time" code 0 scaling --db "$dir/h2.npy" --ranks 64 --unit 1e-9 \
    --fetch 1 --out "$dir/fetch.csv"
fetch=$(column "$dir/fetch.csv" efficiency 'f["distribution"] == "dynamic"')
ok "64 fetches of 1 s: $fetch" holds "$fetch < 1.001 * $steps * 1e-9 / (64 * 64)"

# seconds of a substep, for the replay of make scaling
printf '%s\n' n,time_s,steps_mean,status 100,1,5,failed '"100",2,4,ok' 50,9,9,ok >"$dir/unit.csv"
ok "time of a substep" test "$("$build/rows" --select '' "$dir/unit.csv" |
    awk -f plots/columns.awk -f drivers/ranks/unit.awk)" = \
    0.005

# --- efficiency of runs, by hand: one rank 10, 11, 12 s for 100 ODEs, 5, 5, 6 s for 50; two ranks
# 6, 6, 7 s for 100, of which 5, 5.5, 6 s in place; for 200 eight times of one rank, whose interval
# is their range, and ten of two, from the second to the ninth
run() { # run FOLDER RANKS N TIME KERNEL...: a cell of bench and its samples
    which="generated,1e-6,toy,cpu-simd,refill,1,1e-4,1e-8,even,1,$3"
    head=order,dt_s,solver,engine,schedule,threads,rtol,atol,sample,steps,n
    mkdir -p "$dir/$1"
    [ -s "$dir/$1/cells.csv" ] || echo "$head,ranks,distribution,status" >"$dir/$1/cells.csv"
    [ -s "$dir/$1/samples.csv" ] || echo "$head,repeat,time_s,kernel_s" >"$dir/$1/samples.csv"
    echo "$which,$2,$(test "$2" = 1 || echo static),ok" >>"$dir/$1/cells.csv"
    shift 3
    while [ $# -gt 1 ]; do
        echo "$which,1,$1,$2" >>"$dir/$folder/samples.csv"
        shift 2
    done
}
folder=e1
run e1 1 100 12 12 10 10 11 11
run e1 1 50 5 5 6 6 5 5
run e1 1 200 19 19 24 24 16 16 18 18 22 22 17 17 21 21 23 23
folder=e2
run e2 2 100 6 5 7 6 6 5.5
run e2 2 200 9 9 8 8 14 14 10 10 12 12 11 11 13 13 15 15 17 17 16 16
# two single ranks beside one another, 50 ODEs each: 5.5 and 6.5 s
for k in 0 1; do
    folder=alone-2/$k
    run alone-2/$k 1 50 $((5 + k)) $((5 + k)) $((6 + k)) $((6 + k)) 5.5 5.5
done
"$build/rows" --select '' "$dir"/e[12]/cells.csv "$dir"/e[12]/samples.csv \
    "$dir"/alone-2/?/cells.csv "$dir"/alone-2/?/samples.csv |
    awk -f plots/columns.awk -f plots/efficiency.awk | "$build/rows" --csv >"$dir/efficiency"
expected="strong,generated,toy,cpu-simd,1e-06,root,static,2,100,0.9167,0.7143,1
strong,generated,toy,cpu-simd,1e-06,ranks,static,2,100,1,0.8333,1.2
strong,generated,toy,cpu-simd,1e-06,root,static,2,200,0.8,0.5,1.333
strong,generated,toy,cpu-simd,1e-06,ranks,static,2,200,0.8,0.5,1.333
weak,generated,toy,cpu-simd,1e-06,root,static,2,100,0.8333,0.7143,1
weak,generated,toy,cpu-simd,1e-06,ranks,static,2,100,0.9091,0.8333,1.2
weak,generated,toy,cpu-simd,1e-06,root,static,2,200,0.88,0.625,1.333
weak,generated,toy,cpu-simd,1e-06,ranks,static,2,200,0.88,0.625,1.333
beside,generated,toy,cpu-simd,1e-06,root,static,2,100,0.9583,0.75,1.083
beside,generated,toy,cpu-simd,1e-06,ranks,static,2,100,1.045,0.875,1.3
slowest,generated,toy,cpu-simd,1e-06,root,static,2,100,1,0.7857,1.167
slowest,generated,toy,cpu-simd,1e-06,ranks,static,2,100,1.091,0.9167,1.4"
ok "strong and weak efficiency, and beside single ranks, with intervals" test \
    "$(tail -n +2 "$dir/efficiency")" = "$expected"

# --- ranks on cores of their own: eight processors, 0 and 4 are one core, and so on; 1 is not
# allowed
mkdir "$dir/pin"
cat >"$dir/pin/lscpu" <<'END'
#!/bin/sh
echo "# CPU,Core,Socket"
for cpu in 0 1 2 3 4 5 6 7; do echo "$cpu,$((cpu % 4)),0"; done
END
cat >"$dir/pin/taskset" <<'END'
#!/bin/sh
[ "$1" != -pc ] || { echo "pid $2's current affinity list: 0,2-7" && exit; }
echo "on $2: $(shift 2; "$@")"
END
chmod +x "$dir"/pin/*
pin() { # pin RANK RANKS [--alone] COMMAND...
    PATH="$dir/pin:$PATH" OMPI_COMM_WORLD_LOCAL_RANK=$1 OMPI_COMM_WORLD_LOCAL_SIZE=$2 \
        OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$2 drivers/ranks/pin "${@:3}" 2>"$dir/err"
}
ok "a core for each rank" test "$(for k in 0 1 2 3; do pin $k 4 echo x; done | tr '\n' ' ')" = \
    "on 0: x on 2: x on 3: x on 5: x "
ok "more ranks than cores stay where they are" test "$(pin 0 5 echo x)" = x
ok "says so" says "5 ranks are not bound to cores of their own"
# shellcheck disable=SC2016
ok "single ranks know no launcher, and their number" test "$(pin 2 4 --alone \
    sh -c 'echo "$OMPI_COMM_WORLD_SIZE" $1' - out/KB_RANK)" = "on 3:  out/2"

# --- a rank's clock is that of its GPU: a made-up NVML, whose GPU i has 1000 + i MHz, GPU-b 2000
cat >"$dir/nvml.c" <<'END'
#include <string.h>
static char gpu[8], named;
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = gpu + i; return i > 7; }
int nvmlDeviceGetHandleByUUID(const char *u, void **d) { *d = &named; return strcmp(u, "GPU-b"); }
int nvmlDeviceGetClockInfo(void *d, int type, unsigned *MHz)
{
    *MHz = d == &named ? 2000 : 1000 + (unsigned)((char *)d - gpu);
    return type != 1;
}
END
cat >"$dir/clock.c" <<'END'
#include <stdio.h>
#include "drivers/env/clock.h"
#include "drivers/env/environment.h"
int main(int n, char **word)
{
    return (n > 1 ? puts(kb_first_line(word[1])) : printf("%g\n", kb_gpu_clock())) < 0;
}
END
"${CC:-gcc}" -shared -fPIC "$dir/nvml.c" -o "$dir/libnvidia-ml.so.1" &&
    "${CC:-gcc}" -I. "$dir/clock.c" "$build/libdrivers.a" "$build/libkb.a" -lyaml -ljansson -lmd \
        -lm -ldl -o "$dir/clock" || exit 2
clock() { LD_LIBRARY_PATH=$dir env "$@" "$dir/clock"; }
ok "GPU 0 without a choice" test "$(clock -u CUDA_VISIBLE_DEVICES)" = 1000
ok "the first that may be used" test "$(clock CUDA_VISIBLE_DEVICES=3,1)" = 1003
ok "by its name" test "$(clock CUDA_VISIBLE_DEVICES=GPU-b,GPU-a)" = 2000
ok "of several GPUs, each with a line, the first is asked" test \
    "$("$dir/clock" "seq 100000")" = 1
ok "no GPU, no clock" test "$(clock CUDA_VISIBLE_DEVICES=)" = 0

if [ ! -e "$build/ranks.so" ] || ! command -v mpirun >/dev/null; then
    echo "skip - MPI: no mpicc and mpirun (Debian: libopenmpi-dev openmpi-bin)"
    exit $failed
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_MCA_mpi_yield_when_idle=1 # several ranks a core
export OMP_NUM_THREADS=1
launch() { timeout "$patience" mpirun -n 4 "$@" >"$dir/out" 2>"$dir/err"; }
bits() { # bits WHAT HOSTS COMMAND...: ranks_bits by that launcher
    command=("${@:3}")
    timeout "$patience" "${command[@]}" "$build/ranks_bits" "$solvers" "$2" >"$dir/out" 2>"$dir/err"
    ok "$1: the same bits" test $? -eq 0
    ok "$1: on as many hosts" says "ranks on $2 host"
    grep "^not ok" "$dir/out" && failed=1
}

launch "$build/ranks_bits" "$solvers"
ok "four ranks end well" test $? -eq 0
ok "and say that there are four" says "4 ranks on 1 host"
ok "all share the memory of rank 0" test "$(grep -c "messages instead" "$dir/err")" = 0
grep -E "^(not )?ok" "$dir/out"
grep -q "^not ok" "$dir/out" && failed=1
"${CC:-gcc}" -std=gnu11 -O1 -I. tests/scripts/made_up_forcing.c "$build/libkb.a" -lmd -lm \
    -o "$dir/made_up_forcing" && "$dir/made_up_forcing" "$dir/h2.npy" "$dir/F.npy" || exit 2
timeout "$patience" mpirun -n 2 "$build/bench" --mech h2 --db "$dir/h2.npy" --n 64 --dt 1e-6 \
    --solvers rodas4 --engines cpu-simd-forced --forcing "$dir/F.npy" --out "$dir/forced" \
    >"$dir/out" 2>"$dir/err"
ok "forcing over ranks: exit code" test $? -eq 2
ok "is said" says "--forcing: not over MPI ranks"

# --- other launchers: a file of hosts; srun, made up of Open MPI's server, whose tasks know what
# Slurm's PMIx tells them (without Slurm there is no other)
# after: the replay
# after: a rank's clock
echo "$(hostname) slots=4" >"$dir/hosts"
bits "a file of hosts" 1 mpirun --hostfile "$dir/hosts" -n 4
cat >"$dir/srun" <<'END'
#!/bin/bash
exec mpirun "$1" "$2" sh -c 'export SLURM_STEP_NUM_TASKS=$1
    export SLURM_LOCALID=$OMPI_COMM_WORLD_LOCAL_RANK
    shift
    for v in $(env | sed -n "s/^\(OMPI_COMM_WORLD_[A-Z_]*\)=.*/\1/p"); do unset "$v"; done
    exec "$@"' - "$2" "${@:3}"
END
chmod +x "$dir/srun"
bits "tasks of a made-up srun" 1 "$dir/srun" -n 3
if command -v srun >/dev/null && timeout 20 srun -n 1 true >/dev/null 2>&1; then
    bits "srun" 1 srun --mpi=pmix --overcommit -n 2
else
    echo "skip - srun: no Slurm that runs (docs/engines.md has how one was tried)"
fi
PMI_SIZE=3 timeout "$patience" "$build/ranks_bits" "$solvers" >"$dir/out" 2>"$dir/err"
ok "the launcher of another MPI than that of the build" test $? -eq 2
ok "says so" says "started as one of 3 ranks, but the MPI that .* knows of one: its own mpirun"
# ranks of rank 0's host share its memory, others get messages; without threads for MPI, too
for hosts in 2 4; do
    bits "as if on $hosts hosts" $hosts env KB_RANKS_HOSTS=$hosts mpirun -n 4
done
bits "one thread calls MPI" 2 env KB_RANKS_ONE_THREAD=1 KB_RANKS_HOSTS=2 mpirun -n 4
ok "which is told" says "this MPI has no threads: a time limit ends a run between chunks only"
# Two hosts, of which the second is a namespace of this one with its own name, processes and memory:
# what mpirun starts on each of the hosts it is told of knows of the others by TCP alone, which the
# loopback carries on a machine without a network, too
cat >"$dir/enter" <<'END'
#!/bin/sh
# enter HOST COMMAND...: as ssh does
exec unshare --map-root-user --uts --ipc --pid --mount --mount-proc --fork sh -c 'hostname "$1" &&
    mount -t tmpfs tmpfs /dev/shm && shift && exec sh -c "$*"' - "$@"
END
chmod +x "$dir/enter"
if "$dir/enter" other true 2>/dev/null; then
    printf '%s slots=2\nkinbench-other slots=2\n' "$(hostname)" >"$dir/hosts"
    two=(mpirun --mca btl_tcp_if_include lo --mca plm_rsh_agent "$dir/enter"
        --hostfile "$dir/hosts" -n 4)
    # shellcheck disable=SC2016 # of each rank
    if [ "$(timeout "$patience" "${two[@]}" sh -c 'echo $OMPI_COMM_WORLD_LOCAL_SIZE $(hostname)' |
        sort | uniq -c | awk '{ printf "%d of %d, ", $1, $2 }')" = "2 of 2, 2 of 2, " ]; then
        bits "two hosts" 2 "${two[@]}"
    else
        echo "skip - two hosts: this mpirun does not start two ranks on each"
    fi
else
    echo "skip - two hosts: no namespaces"
fi
cat >"$dir/shut.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
int open(const char *path, int flags, int mode)
{
    int (*next)(const char *, int, int) = (int (*)(const char *, int, int))dlsym(RTLD_NEXT, "open");
    errno = EACCES;
    return !strncmp(path, "/proc/", 6) && strstr(path, "/fd/") ? -1 : next(path, flags, mode);
}
END
"${CC:-gcc}" -shared -fPIC "$dir/shut.c" -o "$dir/shut.so" -ldl || exit 2
launch -x LD_PRELOAD="$dir/shut.so" "$build/ranks_bits" "$solvers" 1 messages
ok "ranks that cannot open the memory of rank 0 get messages" test $? -eq 0
ok "which is told" says "cannot open the memory of rank 0"
grep -q "^not ok" "$dir/out" && grep "^not ok" "$dir/out" && failed=1
# a rank that can have no thread for stops: rank 0, or the others
cat >"$dir/alone.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
typedef int create(void *, const void *, void *(*)(void *), void *);
int pthread_create(void *thread, const void *how, void *(*start)(void *), void *data)
{
    create *next = (create *)dlsym(RTLD_NEXT, "pthread_create");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    Dl_info who;
    int ours = dladdr(__builtin_return_address(0), &who) && strstr(who.dli_fname, "/ranks.so");
    int meant = rank && !atoi(rank) == !strcmp(getenv("KB_ALONE"), "first");
    return ours && meant ? EAGAIN : next(thread, how, start, data);
}
END
"${CC:-gcc}" -shared -fPIC "$dir/alone.c" -o "$dir/alone.so" -ldl || exit 2
for which in first others; do
    for hosts in 1 2; do
        bits "no thread on $which, as if on $hosts hosts" $hosts env KB_RANKS_HOSTS=$hosts \
            LD_PRELOAD="$dir/alone.so" KB_ALONE=$which mpirun -n 3
    done
done

cd "$dir" || exit 2
bench() { # bench OUT ARGUMENTS...
    launch "$build/bench" --mech "$solvers" --db h2.npy --dt 1e-6 --threads 1 --references ref \
        --quiet --out "$@"
}
cells="--n 64 --solvers rodas4,cvode --engines cpu-scalar,cpu-simd --repeats 1"
# shellcheck disable=SC2086 # words
code 0 bench --mech "$solvers" --db h2.npy --dt 1e-6 --threads 1 --references ref --quiet \
    --out r/one $cells
columns=solver,engine,schedule,err_p50,err_p95,err_max,steps_mean,steps_max,rhs_mean,lu_mean,failed
for deal in static cyclic cost dynamic; do
    # shellcheck disable=SC2086
    ok "bench, $deal" bench r/$deal --distribution $deal $cells
    ok "errors and counts of $deal are those of one rank" test \
        "$(column r/$deal/cells.csv $columns)" = "$(column r/one/cells.csv $columns)"
    ok "its columns" test "$(column r/$deal/cells.csv ranks,hosts,distribution \
        'f["imbalance"] >= 1 && f["time_s"] > 0 &&
        (f["bytes"] > 0 || f["distribution"] == "dynamic")' | sort | uniq -c |
        sed 's/^ *//')" = "$(column r/one/cells.csv n | wc -l) 4,1,$deal"
done
ok "one rank: 1 rank, 1 host, no bytes" test "$(column r/one/cells.csv \
    ranks,hosts,distribution,imbalance,bytes | sort -u)" = "1,1,,1,0"
two() {
    timeout "$patience" mpirun -n 2 "$build/bench" --mech "$solvers" --db h2.npy --dt 1e-6 \
        --threads 1 --references ref --quiet --out r/two --n 64 --solvers rodas4 \
        --engines cpu-scalar --repeats 1 >out 2>err
}
ok "two ranks" two
ok "processor time of others is not known" test "$(column r/two/samples.csv cpu_s)" = ""
ok "they are part of what a run is" grep -q ", 2 ranks static\"" r/two/environment.json
# shellcheck disable=SC2086
bench r/static --distribution cyclic $cells
ok "another distribution is another run" says "other sources or inputs"

# --- ranks with other solvers, or without any: a message of rank 0, and the reason of the other
# after: the replay
# after: other launchers
with="--db h2.npy --n 64 --dt 1e-6 --quiet --solvers rodas4 --engines cpu-scalar"
unlike() { # unlike MECH: rank 1 of two has it in place of H2
    # shellcheck disable=SC2086
    timeout "$patience" mpirun --oversubscribe -n 1 "$build/bench" --mech "$solvers" $with \
        --out r/unlike : -n 1 "$build/bench" --mech "$1" $with >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ]
}
ok "a rank without solvers" unlike "$dir/none.so"
ok "is named" says "rank 1 has no solvers (each host needs the same build"
ok "and says why" says "none.so"
if [ -e "$build/mech/h2co/solvers.so" ]; then
    ok "a rank with other solvers" unlike "$build/mech/h2co/solvers.so"
    ok "is named, too" says "rank 1 has other solvers than rank 0"
fi
ok "nothing is measured" test ! -e r/unlike/cells.csv

# --- a rank that dies: a message, nothing half written, and the same command continues
# after: the replay
# after: other launchers
long="--n 64 --solvers rodas4,cvode,radau2a,rkf45 --engines cpu-scalar,cpu-simd --repeats 400"
long="$long --distribution dynamic"
# shellcheck disable=SC2086
bench "$dir/r/dies" $long &
launcher=$!
until [ -s r/dies/samples.csv ] || ! kill -0 $launcher; do sleep 0.1; done
victim=$(ps -eo pid,args | awk -v out="$dir/r/dies" '$2 ~ /bench$/ && index($0, out) { print $1 }' |
    sort -n | tail -1)
kill -9 "$victim"
wait $launcher
ok "a rank that dies ends the run" test $? -ne 0
ok "with a message" grep -qiE "signal 9|killed" err
columns_of() { awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' "$1"; }
for file in cells.csv samples.csv; do
    [ -e r/dies/$file ] || continue
    ok "$file is whole" columns_of r/dies/$file
    ok "$file ends with a line" test -z "$(tail -c 1 r/dies/$file)"
done
# shellcheck disable=SC2086
ok "the same command continues" bench r/dies ${long/400/2}
ok "to the end" test "$(column r/dies/cells.csv status | sort -u)" = ok

# --- an error on a rank, a time limit
# after: the replay
# after: other launchers
"${CC:-gcc}" -O1 -shared -fPIC -I"$root" -DFAULT=FAULT_CRASH -DFAULT_OF_SYMBOL=0 \
    "$root/tests/scripts/fault_plugin.c" -o crash.so -lm
bench r/crash --n 64 --solvers ./crash.so,rodas4 --engines cpu-plugin,cpu-scalar --repeats 1
ok "a rank's error is the cell's" grep -q "rank 0: plug-in fault crashed" r/crash/cells.csv
ok "the others are measured" test "$(column r/crash/cells.csv status \
    'f["solver"] == "rodas4"')" = ok
for n in 64 65; do
    "${CC:-gcc}" -std=gnu11 -O1 -shared -fPIC -I"$root" -DTOY_OPTIONS=$n \
        "$root/tests/scripts/toy_solvers.c" "$root/base/error.c" -o toy$n.so -lm
done
"${CC:-gcc}" -std=gnu11 -O1 -I"$root" "$root/tests/scripts/toy_database.c" "$build/libkb.a" -lmd \
    -o toydb && ./toydb toy.npy 100
options() { # options COUNT: euler with so many
    launch "$build/bench" --mech ./toy$1.so --db toy.npy --dt 1e-6 --n 100 --threads 1 --quiet \
        --solvers euler --engines cpu-scalar --repeats 1 --references ref --out r/toy$1
}
ok "64 options" options 64
ok "the ranks know them" test "$(column r/toy64/cells.csv status)" = ok
options 65
ok "65 are an error, not 64" grep -q "euler on cpu-scalar has 65 options; ranks take at most 64" \
    r/toy65/cells.csv
"${CC:-gcc}" -O1 -shared -fPIC -I"$root" "$root/examples/euler.c" -o euler.so
bench r/late --n 64 --solvers ./euler.so:steps=1e9,rodas4 --engines cpu-plugin,cpu-scalar \
    --repeats 1 --budget 1 --distribution cyclic
ok "the time limit reaches all ranks" grep -q "longer than the budget\|did not end\|beyond" \
    r/late/cells.csv
ok "and the run goes on" test "$(column r/late/cells.csv status 'f["solver"] == "rodas4"')" = ok
exit $failed
