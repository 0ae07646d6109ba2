#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench from end to end on a toy file of solvers (toy_solvers.c): times, errors, statuses, failures, budget,
# resuming, Ctrl-C, wrong input, a full disk. Run from the repository root:
#   [KB_BENCH=build/bench] [KB_LIB=build/libkb.a] [CC=gcc] tests/test_bench.sh
bench=$(realpath "${KB_BENCH:-build/bench}")
lib=${KB_LIB:-build/libkb.a}
cc=${CC:-gcc}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0 checks=0

check() { # check WHAT COMMAND...: the command must succeed
    local what=$1
    shift
    checks=$((checks + 1))
    if "$@"; then
        echo "ok - $what"
    else
        echo "not ok - $what ($*)"
        failures=$((failures + 1))
    fi
}

code() { # code EXPECTED ARGUMENTS...: bench must end with that exit code
    local expected=$1
    shift
    "$bench" "$@" >out 2>err
    local got=$?
    check "exit code of bench $* is $got" test "$got" = "$expected"
}

# column FILE NAME [CONDITION]: that column of the rows that hold CONDITION, an awk expression on f["name"]
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) head[i] = $i; next }
        { for (i in head) f[head[i]] = $i } ('"${3:-1}"') { print f[name] }' "$1"
}

holds() { awk "BEGIN { exit !($1) }"; }
rows() { tail -n +2 "$1" | wc -l; }

"$cc" -std=gnu11 -O1 -shared -fPIC tests/toy_solvers.c mech/error.c -o "$dir/toy.so" -lm &&
    "$cc" -std=gnu11 -O1 -shared -fPIC -DTOY_VERSION=99 tests/toy_solvers.c mech/error.c \
        -o "$dir/old.so" -lm &&
    "$cc" -std=gnu11 -O1 tests/toy_database.c "$lib" -lmd -o "$dir/toydb" || exit 2
cd "$dir" || exit 2
./toydb toy.npy 300 || exit 2
export GIT_CEILING_DIRECTORIES=$dir

cells() { code "$1" --mech toy.so --db toy.npy --dt 1e-6 --quiet "${@:2}"; }

# --- errors and counts that can be worked out by hand
cells 0 --n 100 --solvers cvode,euler --engines cpu-scalar --threads 1 --rtol 1e-2,1e-3 --repeats 3 \
    --out r/a
check "columns" test "$(head -1 r/a/cells.csv)" = "schema,run,machine,git,dirty,mech,mech_sha256,nsp,\
nrxn,database,db_sha256,order,n,dt_s,solver,engine,schedule,threads,lanes,rtol,atol,repeats,time_s,\
time_lo_s,time_hi_s,copy_in_s,kernel_s,copy_out_s,ode_per_s,err_p50,err_p50_lo,err_p50_hi,err_p95,\
err_p95_lo,err_p95_hi,err_max,steps_mean,\
steps_max,rejected_mean,rhs_mean,rhs_max,jac_mean,lu_mean,solve_mean,D_rhs,D_steps,lane_use,failed,\
status,why"
check "four cells" test "$(rows r/a/cells.csv)" = 4
check "twelve samples" test "$(rows r/a/samples.csv)" = 12
check "all ok" test "$(column r/a/cells.csv status | sort -u)" = ok
check "exact solver" test "$(column r/a/cells.csv err_max 'f["solver"] == "cvode"' | sort -u)" = 0
coarse=$(column r/a/cells.csv err_max 'f["solver"] == "euler" && f["rtol"] == 0.01')
fine=$(column r/a/cells.csv err_max 'f["solver"] == "euler" && f["rtol"] == 0.001')
check "Euler's steps" test "$(column r/a/cells.csv steps_mean 'f["rtol"] == 0.001 &&
    f["solver"] == "euler"')" = 100
# Y1 = (1 - x/m)^m against exp(-x), x = k dt, in m = 10 steps; Y2 = 1 - Y1: the worst of both, over all states
expected=$(awk 'BEGIN { for (i = 0; i < 100; i++) { x = exp(-1000 / (500 + 1000 * i / 300)); m = 10
    d = exp(-x) - (1 - x / m) ^ m; e = d / (exp(-x) + 1e-6); if (e > w) w = e
    e = d / (1 - exp(-x) + 1e-6); if (e > w) w = e } print w }')
check "Euler's error $coarse = $expected" holds "($coarse / $expected - 1)^2 < 1e-8"
check "first order: $coarse / $fine" holds "$coarse / $fine > 9.5 && $coarse / $fine < 11"
check "interval" holds "$(column r/a/cells.csv time_lo_s | head -1) <= $(column r/a/cells.csv time_s |
    head -1) && $(column r/a/cells.csv time_s | head -1) <= $(column r/a/cells.csv time_hi_s | head -1)"
check "median" test "$(column r/a/samples.csv time_s 'f["solver"] == "euler" && f["rtol"] == 0.01' |
    sort -g | sed -n 2p | xargs printf %.6g)" = "$(column r/a/cells.csv time_s \
    'f["solver"] == "euler" && f["rtol"] == 0.01')"
check "short runs are batched" holds "$(column r/a/samples.csv batch | head -1) > 1"
check "interleaved" test "$(column r/a/samples.csv repeat | tr '\n' ' ')" = "1 1 1 1 2 2 2 2 3 3 3 3 "
check "reference" test "$(./toydb r/references/*.npy)" = "100 3"
check "table names the yardstick" grep -q "cvode static rtol" out

# --- again: nothing is measured; more repeats and more cells: only those
cp r/a/samples.csv before.csv
cells 0 --n 100 --solvers cvode,euler --engines cpu-scalar --threads 1 --rtol 1e-2,1e-3 --repeats 3 \
    --out r/a
check "cached" cmp -s r/a/samples.csv before.csv
cells 0 --n 200 --solvers euler:factor=2 --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 2 --out r/a
check "added" test "$(rows r/a/cells.csv) $(rows r/a/samples.csv)" = "5 14"
check "option" test "$(column r/a/cells.csv steps_mean 'f["solver"] == "euler:factor=2"')" = 200
check "reference extended" test "$(./toydb r/references/*.npy)" = "200 3"
cells 0 --n 200 --solvers euler:factor=2 --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 4 --out r/a
check "two more repeats" test "$(rows r/a/cells.csv) $(rows r/a/samples.csv)" = "5 16"
check "plan" code 0 --mech toy.so --db toy.npy --dt 1e-6 --n 200 --solvers euler:factor=2 \
    --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 4 --out r/a --plan
check "plan knows the cache" grep -q "1 cells, 1 cached, 0 to measure" out
code 0 --mech toy.so --db toy.npy --n 10 --plan --out r/none
check "plan writes nothing" test ! -e r/none

# --- order: the same ODEs, the same errors
cells 0 --n 150 --solvers euler --engines cpu-scalar --threads 1 --repeats 1 \
    --orders generated,shuffled --out r/order
cells 0 --n 50 --solvers euler,euler:rtol=1e-2,euler:factor=3:rtol=1e-2:atol=1 --threads 1 \
    --engines cpu-scalar --repeats 1 --out r/tol
check "tolerances of one solver" test "$(cut -d, -f15,20,21,37 r/tol/cells.csv | tail -n +2 | tr "\n" " ")" = \
    "euler,0.001,1e-10,100 euler,0.01,1e-10,10 euler:factor=3,0.01,1,30 "
check "orders agree" test "$(column r/order/cells.csv err_p95 | sort -u | wc -l)" = 1
cells 0 --n 150 --solvers sleepy --threads 1 --repeats 1 --orders generated,shuffled --out r/order
check "divergence by hand" test "$(column r/order/cells.csv D_rhs 'f["solver"] == "sleepy" &&
    f["order"] == "generated"')" = "$(awk 'BEGIN { for (i = 0; i < 150; i++) s += (1 + i % 4) / 4
    printf "%.6g", s / 150 }')"

# --- divergence: the ODEs of sleepy take 1, 2, 3, 4, 1, ... evaluations, so D is (1+2+3+4)/16 in order and
# 1 when they are sorted
check "columns of divergence.csv" test "$(head -1 r/order/divergence.csv)" = "key,order,n,dt_s,solver,engine,\
schedule,threads,rtol,atol,lanes,lane_use,measure,D,slow_down,slow_down_refill,against,differ,D_against,\
histogram,lo,hi,count"
sleepy='f["solver"] == "sleepy" && f["measure"] == "rhs"'
check "counts of ODEs" test "$(column r/order/divergence.csv lo "$sleepy && f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"ode\"" | tr '\n' ' ')" = "1 2 3 4 "
check "... 150 of them" test "$(column r/order/divergence.csv count "$sleepy && f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"ode\"" | tr '\n' ' ')" = "38 38 37 37 "
check "warps" test "$(column r/order/divergence.csv lo "$sleepy && f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"warp\"" | tr '\n' ' ')" = "0.59375 0.625 "
check "... 5 of them" test "$(column r/order/divergence.csv count "$sleepy && f[\"histogram\"] == \"warp\"" |
    awk '{ s += $1 } END { print s }')" = 10
check "the same D as in cells.csv" test "$(column r/order/divergence.csv D "$sleepy" | sort -u)" = \
    "$(column r/order/cells.csv D_rhs 'f["solver"] == "sleepy"' | sort -u)"
# this toy counts by place in the run, which no solver may do: it is found
check "an ODE whose work depends on its place is found" holds "$(column r/order/divergence.csv differ \
    "$sleepy && f[\"order\"] == \"shuffled\"" | sort -u) > 50"
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 1 --schedules static \
    --orders generated,shuffled --out r/twin
gpu='f["engine"] == "gpu-thread" && f["measure"] == "steps"'
check "3 ODEs with other substeps" test "$(column r/twin/divergence.csv differ "$gpu" | sort -u)" = 3
check "they are told" test "$(grep -c "3 of 300 ODEs took other substeps than on cpu-scalar" out)" = 2
check "D of both" test "$(column r/twin/divergence.csv D_against "$gpu && f[\"order\"] == \"shuffled\"" |
    sort -u)" = "$(column r/twin/divergence.csv D 'f["engine"] == "cpu-scalar" && f["measure"] == "steps" &&
    f["order"] == "shuffled"' | sort -u)"
check "lane use" test "$(column r/twin/divergence.csv lane_use "$gpu" | sort -u)" = 0.5
cp r/twin/divergence.csv before.csv
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 1 --schedules static \
    --orders generated,shuffled --out r/twin
check "kept by a run that measures nothing" cmp -s r/twin/divergence.csv before.csv
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 2 --schedules static \
    --orders shuffled,generated --out r/twin
check "replaced when cells are run again" test "$(rows r/twin/divergence.csv)" = "$(rows before.csv)"
check "the ODEs are found from another order" test "$(column r/twin/divergence.csv differ "$gpu" | sort -u)" = 3
check "... on the CPU too" test "$(column r/twin/divergence.csv differ 'f["engine"] == "cpu-scalar"' | sort -u |
    tr '\n' ' ')" = " 0 "

# --- orders and schedules: time and expected time over those of similar and static
cells 0 --n 300 --solvers twin --engines gpu-thread --repeats 2 --orders similar,shuffled,sorted-T,sorted-own \
    --out r/slow
check "slow-down table" grep -q "slow-down by order" out
check "is kept" test "$(grep -c "^twin" r/slow/slowdown.txt)" = 4
check "base is 1" grep -Eq "^twin +gpu-thread +similar +64 +1e-06 +1.00 +1.00 " r/slow/slowdown.txt
# 300 ODEs of 1 to 32 substeps, sorted falling: groups of 32 of 9 or 10 equal ones
check "the solver's own order has least to wait for" test "$(column r/slow/divergence.csv slow_down \
    'f["measure"] == "rhs" && f["schedule"] == "static"' | sort -gu | head -1)" = \
    "$(column r/slow/divergence.csv slow_down 'f["order"] == "sorted-own" && f["measure"] == "rhs" &&
    f["schedule"] == "static"' | sort -u)"
check "by hand" test "$(column r/slow/divergence.csv slow_down 'f["order"] == "sorted-own" &&
    f["measure"] == "rhs" && f["schedule"] == "static"' | sort -u)" = "$(awk 'BEGIN {
    for (i = 0; i < 300; i++) print 1 + i % 32 }' | sort -gr | awk '{ s += $1 } NR % 32 == 1 { m = $1 }
    { w += m } END { printf "%.6g", w / s }')"
check "expected in the table" test "$(awk '$3 == "shuffled" { print $7 }' r/slow/slowdown.txt)" = "$(
    awk -v a="$(column r/slow/divergence.csv slow_down 'f["order"] == "shuffled" && f["measure"] == "rhs" &&
    f["schedule"] == "static"' | head -1)" -v b="$(column r/slow/divergence.csv slow_down \
    'f["order"] == "similar" && f["measure"] == "rhs" && f["schedule"] == "static"' | head -1)" \
    'BEGIN { printf "%.2f", a / b }')"
cells 0 --n 64 --solvers euler --threads 1 --engines cpu-scalar --repeats 1 --out r/one
check "one order, no table" test ! -e r/one/slowdown.txt

# --- blocks of a GPU are cells of their own
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread,gpu-warp,gpu-block --threads 1 --schedules static \
    --repeats 1 --block 32,128 --out r/block
check "rows" test "$(cut -d, -f16,18 r/block/cells.csv | tail -n +2 | sort | tr '\n' ' ')" = \
    "cpu-scalar,1 gpu-block,64 gpu-thread,128 gpu-thread,32 gpu-warp,64 "
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --block 32,256 --out r/block
check "one more" test "$(rows r/block/cells.csv) $(rows r/block/samples.csv)" = "6 6"
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --out r/block
check "the engine's choice" test "$(rows r/block/cells.csv) $(column r/block/cells.csv threads | tail -1)" = "7 64"
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --out r/block
check "is cached" test "$(rows r/block/samples.csv)" = 7

# --- kernels that cannot be stopped: a probe is short, and the cell is not run
begin=$(date +%s)
cells 3 --n 300 --solvers crawl --schedules static,refill --rtol 1e-4,1e-6 --repeats 1 --budget 2 --out r/crawl
check "no kernel is long" test $(($(date +%s) - begin)) -lt 8
check "skipped" test "$(column r/crawl/cells.csv status | sort -u)" = skipped
check "never counted as run" test -z "$(column r/crawl/cells.csv steps_mean | tr -d '\n')"
check "with what was seen" test "$(grep -c "ODEs had not all ended after [0-9]* substeps" r/crawl/cells.csv)" = 2
check "tighter tolerances are spared" test "$(grep -c "beyond the budget, as with rtol 0.0001" r/crawl/cells.csv)" = 2
cells 3 --n 300 --solvers straggler --schedules static --repeats 1 --budget 2 --out r/crawl
check "an ODE that the probe did not see" grep -q "an ODE needs more than [0-9]* substeps" r/crawl/cells.csv
check "no time for it" test -z "$(column r/crawl/cells.csv time_s | tr -d '\n')"
check "that was short too" test $(($(date +%s) - begin)) -lt 14

cells 0 --n 64 --solvers twin:slice=5 --engines cpu-scalar,gpu-thread --threads 1 --schedules static --repeats 1 \
    --out r/option
check "an option of one engine" test "$(column r/option/cells.csv engine)" = gpu-thread
cells 2 --n 64 --solvers twin:slices=5 --engines cpu-scalar,gpu-thread --out r/option
cells 2 --n 64 --solvers twin:slice=5 --engines cpu-scalar --out r/option

# wave: 40 ms for 64 ODEs and more in proportion, 0.19 s for 300. tide: the same whatever their number
cells 3 --n 300 --solvers wave --schedules static --repeats 1 --budget 0.1 --out r/full-device
check "a full device is seen" grep -q "predicted 0.125 s for 1 + 1 runs (from a third of a probe of all states)" \
    r/full-device/cells.csv
cells 0 --n 300 --solvers tide --schedules static --repeats 1 --budget 0.1 --out r/full-device
check "one that is not full too" test "$(column r/full-device/cells.csv status 'f["solver"] == "tide"')" = ok

# --- ODEs, cells and engines that fail
cells 0 --n 64 --solvers failing,broken,euler --threads 1 --repeats 1 --out r/bad
check "failed ODEs are counted" test "$(column r/bad/cells.csv failed 'f["solver"] == "failing"')" = 16
check "... and infinite" test "$(column r/bad/cells.csv err_p95 'f["solver"] == "failing"')" = inf
check "... with why" grep -q "8 too many substeps, 8 not finite" r/bad/cells.csv
check "broken solver" test "$(column r/bad/cells.csv status 'f["solver"] == "broken"')" = failed
check "quoted" grep -qF '"the toy is broken, ""as wanted"""' r/bad/cells.csv
check "no GPU" test "$(column r/bad/cells.csv status 'f["engine"] == "gpu-thread"' | sort -u)" = skipped
check "no time for it" test -z "$(column r/bad/cells.csv time_s 'f["engine"] == "gpu-thread"' | tr -d '\n')"
cells 3 --n 64 --solvers broken --threads 1 --repeats 1 --out r/none
check "says so" grep -q "no cell could be measured" err

# --- budget: 300 sleepy ODEs take 0.6 s a run
cells 3 --n 300 --solvers sleepy --threads 1 --repeats 3 --budget 0.3 --out r/budget
check "skipped" test "$(column r/budget/cells.csv status)" = skipped
check "with the prediction" grep -q "predicted .* s for 1 + 3 runs" r/budget/cells.csv
cells 3 --n 100 --solvers sleepy --threads 1 --repeats 1 --budget 0.05 --out r/budget
check "cut at the budget" grep -q "took longer than the budget" r/budget/cells.csv

# --- Ctrl-C, then the same command goes on
slow=(--mech toy.so --db toy.npy --dt 1e-6 --n 100 --solvers sleepy,euler --engines cpu-scalar
    --threads 1 --repeats 6 --out r/stop)
"$bench" "${slow[@]}" >out 2>err &
pid=$!
for _ in $(seq 100); do
    [ -e r/stop/samples.csv ] && [ "$(rows r/stop/samples.csv)" -ge 4 ] && break
    sleep 0.02
done
kill -INT $pid
wait $pid
check "exit code 130" test $? = 130
check "says how to go on" grep -q "the same command goes on" err
kept=$(rows r/stop/samples.csv)
check "some samples kept ($kept)" holds "$kept >= 4 && $kept < 12"
check "rows say so" grep -q "interrupted,[0-9] of 6 repeats" r/stop/cells.csv
head -c -5 r/stop/samples.csv >torn && cp torn r/stop/samples.csv # as kill -9 in a write would leave it
code 0 "${slow[@]}"
check "went on" test "$(rows r/stop/samples.csv)" = 12
check "complete" test "$(column r/stop/cells.csv status | sort -u)" = ok
check "no sample twice" test "$(cut -d, -f1,11 r/stop/samples.csv | sort | uniq -d | wc -l)" = 0
check "two sessions" test "$(grep -c '"command"' r/stop/environment.json)" = 2

# --- wrong use and input: code 2, a message, nothing written
for wrong in "--n 301" "--n 0" "--n 64,x" "--dt -1" "--solvers none" "--solvers euler:speed=2" \
    "--solvers euler:factor=x" "--solvers euler:rtol=-1" "--engines tpu" "--orders up" "--schedules later" "--threads none" \
    "--rtol 1e-3,1e-4 --atol 1,2,3" "--block 31" "--block 2048" "--block x" "--repeats 0" "--budget 0" "--seed x" "--reactor q" "stray"; do
    # shellcheck disable=SC2086
    cells 2 --out r/wrong $wrong
    check "a message for $wrong" test -s err
done
code 2 --mech toy.so
code 2 --mech nosuch --db toy.npy
check "hint" grep -q "make .*MECH=nosuch" err
code 2 --mech nosuch.so --db toy.npy
code 2 --mech old.so --db toy.npy
check "version" grep -q "interface version 99" err
code 2 --mech toy.so --db nosuch.npy
head -c 1000 toy.npy >cut.npy
code 2 --mech toy.so --db cut.npy
check "nothing written" test ! -e r/wrong
cp r/order/divergence.csv whole.csv
echo "key,order" >r/order/divergence.csv
cells 2 --n 150 --solvers euler --out r/order
check "other columns are named" grep -q "divergence.csv:1: other columns" err
cp whole.csv r/order/divergence.csv
echo "broken" >r/order/cells.csv
cells 2 --n 150 --solvers euler --out r/order
./toydb other.npy 299
code 2 --mech toy.so --db other.npy --dt 1e-6 --n 100 --out r/a
check "other inputs" grep -q "other sources or inputs" err

# --- a full disk (a limit on the size of files ends writes in the same way)
(
    ulimit -f 4
    "$bench" --mech toy.so --db toy.npy --dt 1e-6 --n 10 --solvers cvode,euler --engines cpu-scalar \
        --threads 1 --repeats 60 --out r/full >out 2>err
)
check "exit code 2" test $? = 2
check "message" grep -q "not written" err
check "no temporary files" test -z "$(find r -name '*.tmp*')"
check "whole lines" test "$(tail -c 1 r/full/samples.csv | od -An -c | tr -d ' ')" = '\n'
check "and there are some" test "$(rows r/full/samples.csv)" -gt 10

# --- micro-benchmarks and the default folder
code 0 --mech toy.so --list
check "options are listed" grep -q "euler:factor=1  times as many steps" out
code 0 --mech toy.so --db toy.npy --micro --n 10
check "ratio" grep -Eq "rates +4000.0 +1000.0 +4.00" out
check "micro.csv" test "$(wc -l <results/latest/micro.csv)" = 4

echo "test_bench: $checks checks, $failures failed"
test $failures = 0
