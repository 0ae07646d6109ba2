#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench from end to end on a toy file of solvers (toy_solvers.c): times, errors, statuses, failures,
# budget, resuming, Ctrl-C, wrong input, a full disk. Run from the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_bench.sh
build=$(realpath "${KB_BUILD:-build}")
lib=$build/libkb.a
root=$PWD
cc=${CC:-gcc}
. tests/scripts/check.sh

ends() { # ends EXPECTED ARGUMENTS...: bench must end with that exit code
    ok "bench ${*:2} ends with $1" code "$1" bench "${@:2}"
}
rows() { tail -n +2 "$1" | wc -l; }

toy() { # toy FILE [FLAG]
    "$cc" -std=gnu11 -O1 -shared -fPIC -I. ${2:+"$2"} tests/scripts/toy_solvers.c base/error.c \
        -o "$dir/$1" -lm
}
toy toy.so && toy old.so -DTOY_VERSION=99 && toy late.so -DTOY_REFERENCE_MS=1 &&
    "$cc" -std=gnu11 -O1 -I. tests/scripts/toy_database.c "$lib" -lmd -o "$dir/toydb" || exit 2
cd "$dir" || exit 2
./toydb toy.npy 300 || exit 2
export GIT_CEILING_DIRECTORIES=$dir
export CUDA_VISIBLE_DEVICES= # what other programs have on a card is on no screen of the toy's

cells() { ends "$1" --mech toy.so --db toy.npy --dt 1e-6 --sample first --quiet "${@:2}"; }
# what several blocks begin with; each of them runs it, and whoever is not the first finds it there
by_hand() {
    cells 0 --n 100 --solvers cvode,euler --engines cpu-scalar --threads 1 --rtol 1e-2,1e-3 \
        --repeats 3 --out r/a
}
without_machine() {
    sed "s/ on [^ ]*\\([,:]\\)/ on MACHINE\\1/; /^[0-9]* processors\{0,1\} (/d" "$@"
}
in_orders() { # in_orders SOLVER
    cells 0 --n 150 --solvers "$1" --engines cpu-scalar --threads 1 --repeats 1 \
        --orders generated,shuffled --out r/order
}

# --- errors and counts that can be worked out by hand
by_hand
# the columns of a file as docs/results-format.md names them, with those that say which cell
documented() {
    awk -v file="$1" '/^###? / { here = /which cell/ || $NF == file }
        here && /^- `/ && !/` to `/ { split($0, part, "`"); print part[2] }' \
        "$root/docs/results-format.md" | sort
}
for file in cells.csv samples.csv divergence.csv; do
    ok "columns of $file as documented" test \
        "$(head -1 r/a/$file | tr , '\n' | sort)" = "$(documented $file)"
done
"$build/bench" --columns >columns.md
ok "columns are documented as bench prints them (if not: make docs)" cmp -s columns.md \
    <(sed -n '/^<!-- columns -->/,/^<!-- .columns -->/ { /^<!--/d; p }' \
        "$root/docs/results-format.md")
ok "four cells" test "$(rows r/a/cells.csv)" = 4
ok "twelve samples" test "$(rows r/a/samples.csv)" = 12
ok "all ok" test "$(column r/a/cells.csv status | sort -u)" = ok
ok "exact solver" test "$(column r/a/cells.csv err_max 'f["solver"] == "cvode"' | sort -u)" = 0
coarse=$(column r/a/cells.csv err_max 'f["solver"] == "euler" && f["rtol"] == 0.01')
fine=$(column r/a/cells.csv err_max 'f["solver"] == "euler" && f["rtol"] == 0.001')
ok "Euler's steps" test "$(column r/a/cells.csv steps_mean 'f["rtol"] == 0.001 &&
    f["solver"] == "euler"')" = 100
# Y1 = (1 - x/m)^m against exp(-x), x = k dt, in m = 10 steps; Y2 = 1 - Y1: the worst of both, over
# all states
expected=$(awk 'BEGIN { for (i = 0; i < 100; i++) { x = exp(-1000 / (500 + 1000 * i / 300)); m = 10
    d = exp(-x) - (1 - x / m) ^ m; e = d / (exp(-x) + 1e-6); if (e > w) w = e
    e = d / (1 - exp(-x) + 1e-6); if (e > w) w = e } print w }')
# the same of each state, sorted: the 50th and the 95th of the 100
ranks=$(awk 'BEGIN { for (i = 0; i < 100; i++) { x = exp(-1000 / (500 + 1000 * i / 300)); m = 10
    d = exp(-x) - (1 - x / m) ^ m; e = d / (exp(-x) + 1e-6); f = d / (1 - exp(-x) + 1e-6)
    printf "%.12g\n", (e > f ? e : f) } }' | sort -g | sed -n '50p;95p' | paste -sd' ')
measured=$(column r/a/cells.csv err_p50,err_p95 \
    'f["solver"] == "euler" && f["rtol"] == 0.01' | tr , ' ')
ok "percentiles $measured are $ranks" holds "$(echo "$measured $ranks" |
    awk '{ print "(" $1 "/" $3 " - 1)^2 < 1e-8 && (" $2 "/" $4 " - 1)^2 < 1e-8" }')"
ok "Euler's error $coarse = $expected" holds "($coarse / $expected - 1)^2 < 1e-8"
ok "first order: $coarse / $fine" holds "$coarse / $fine > 9.5 && $coarse / $fine < 11"
ok "interval" test "$(column r/a/cells.csv time_lo_s 'f["time_lo_s"] <= f["time_s"] &&
    f["time_s"] <= f["time_hi_s"]' | wc -l)" = 4
ok "median" test "$(column r/a/samples.csv time_s 'f["solver"] == "euler" && f["rtol"] == 0.01' |
    sort -g | sed -n 2p | xargs printf %.6g)" = "$(column r/a/cells.csv time_s \
    'f["solver"] == "euler" && f["rtol"] == 0.01')"
ok "... of one run: a sample of all its runs ends before the next begins" test \
    "$(overlaps r/a/samples.csv)" = "12 samples, 0 overlap"
ok "short runs are batched" holds "$(column r/a/samples.csv batch | sort -n | tail -1) > 1"
ok "interleaved" test "$(column r/a/samples.csv repeat | tr '\n' ' ')" = "1 1 1 1 2 2 2 2 3 3 3 3 "
ok "reference" test "$(./toydb r/references/*.npy)" = "100 3"
ok "... of what" test "$(grep -cE '"(reactor": "p|solver": "cvode|engine": "cpu-scalar)"' \
    r/references/*.json)" = 3
ok "table names the yardstick" grep -q "cvode static rtol" r/a/table.txt
ok "the screen has the fastest at each error: CVODE over itself is 1, without an interval" \
    grep -Eq "^1e-02 +cvode +cpu-scalar .* 1 +-$" out
ok "... and is one screen" test "$(wc -l <out)" -le 40
cells 0 --n 100 --solvers twin,cvode --engines all --threads 1 --repeats 4 --block 64 \
    --orders generated,shuffled --schedules static,refill --out r/screen
# of kernels, whose times are made up
sed -n '/^engines/,/^memory/ { /^lockstep/d; /^memory/d; p }' out >made
screen bench-engines made
ok "and the largest memory" grep -Eq '^memory: +largest of a cell: [0-9.]+ MB of the host \(' out
ok "lines fit a screen" test "$(awk 'length($0) > 100' out | wc -l)" = 0
ok "and are at most 40" test "$(wc -l <out)" -le 40
ends 0 --mech late.so --db toy.npy --dt 1e-6 --n 20 --sample first --quiet --solvers cvode \
    --engines cpu-scalar --threads 1 --repeats 3 --out r/ms
ok "a millisecond has no exponent" grep -Eq "^1e-02 .* [0-9]{4,}-[0-9]{4,} " out

# --- several threads beside one, in made-up times that four threads share
TOY_CLOCK=1 cells 0 --n 40 --solvers cvode --engines cpu-scalar --threads 1,4 --repeats 3 \
    --out r/threads
one=$(column r/threads/cells.csv one_thread_s 'f["threads"] == 4' | head -1)
many=$(column r/threads/cells.csv time_s 'f["threads"] == 4' | head -1)
ok "one thread takes $one s, 4 do $many s" holds "$one / $many > 3.7 && $one / $many < 4.3"
# in the warm-ups this machine was three times as fast as in the repeats
TOY_CLOCK=1.05 cells 0 --n 40,80 --solvers cvode,euler --rtol 1e-2 --engines cpu-scalar \
    --threads 1,4 --repeats 3 --out r/slower
column r/slower/cells.csv one_thread_s,time_s 'f["threads"] == 4' |
    awk -F, '$1 / $2 < 3.7 || $1 / $2 > 4.6 { print NR ": " $1 / $2 }' >out
ok "... on a machine that gets slower: $(cat out)" test ! -s out
ok "... and one thread has no other" test -z "$(column r/threads/cells.csv one_thread_s \
    'f["threads"] == 1')"

# --- more cells with other lists
cells 0 --n 100 --solvers euler --engines cpu-scalar --threads 1 --rtol 1e-2 --repeats 1 \
    --also 'solvers=cvode rtol=1e-3,1e-4' --also 'n=50 orders=shuffled' --out r/also
ok "cells of --also" test "$(column r/also/cells.csv solver,n,order,rtol | tr '\n' ' ')" = \
    "euler,100,generated,0.01 cvode,100,generated,0.001 cvode,100,generated,0.0001 \
euler,50,shuffled,0.01 "
for also in solver=euler n n= n=5,x 'n=5 plan=1' repeats=2; do
    cells 2 --also "$also" --out r/also2 >/dev/null && cat err
done >made
screen bench-also made

# --- as many repeats as a precision needs
precise() { # precise PERCENT: how many repeats of made-up times, which are within 6 %
    rm -rf r/precise
    TOY_CLOCK=1 cells 0 --n 100 --solvers euler --engines cpu-scalar --threads 1 --rtol 1e-2 \
        --repeats 2 --precision "$1" --out r/precise
}
precise 10
ok "precise enough" test "$(rows r/precise/samples.csv)" = 2
precise 0.5
ok "after more repeats: $(rows r/precise/samples.csv)" holds \
    "$(rows r/precise/samples.csv) > 20 && $(rows r/precise/samples.csv) < 1000"
cells 0 --n 100 --solvers euler --engines cpu-scalar --threads 1 --rtol 1e-2 --repeats 2 \
    --precision 1e-9 --budget 1 --out r/fine
ok "never precise enough: until the budget is spent" holds "$(rows r/fine/samples.csv) > 2"
ok "says when" holds "$(column r/fine/samples.csv begin_s | head -1) > 1.7e9"

# --- one bench at a time
# waits OUT ARGUMENTS...: a quiet bench while this shell holds the lock, which it gives back when
# the bench says that it waits
waits() {
    flock 9 && : >err
    "$build/bench" --mech toy.so --db toy.npy --n 50 --quiet --out "$1" "${@:2}" >out 2>err 9>&- &
    while kill -0 $! 2>/dev/null && ! grep -q waiting err; do sleep 0.05; done
    found=$(cat "$1"/samples.csv 2>/dev/null | wc -l) # but its header
    flock -u 9
    wait $! && [ "$found" -le 1 ]
}
one="--dt 1e-6 --sample first --solvers euler --engines cpu-scalar --threads 1 --repeats 1"
exec 9>"$KB_LOCK"
ok "waits for another" waits r/wait $one
ok "and says so, quiet or not" says "waiting: another bench measures on this machine"
# a bench that waits gets a Ctrl-C, and the lock if that does not end it
stopped() {
    flock 9 && : >err
    "$build/bench" --mech toy.so --db toy.npy --n 50 $one --out r/stopped >out 2>err 9>&- &
    while kill -0 $! 2>/dev/null && ! grep -q waiting err; do sleep 0.05; done
    kill -INT $!
    for ((i = 0; i < 100; i++)); do kill -0 $! 2>/dev/null && sleep 0.05; done
    flock -u 9
    wait $!
    [ $? = 130 ]
}
ok "Ctrl-C ends what waits" stopped
ok "... and is told" says "interrupted while another bench measured"
beside() { KB_LOCK= ends 0 --mech toy.so --db toy.npy --n 50 $one --out r/beside; }
flock 9
beside # without the lock, while this shell holds it
exec 9>&-
ok "a lock that cannot be is told" test "$(KB_LOCK=/dev/null/lock "$build/bench" --mech toy.so \
    --db toy.npy --dt 1e-6 --sample first --n 50 --solvers euler --engines cpu-scalar --threads 1 \
    --repeats 1 --out r/unlocked --brief 2>&1 | grep -c "no lock against other benches")" = 1

# --- again: nothing is measured; more repeats and more cells: only those
by_hand
cp r/a/samples.csv before.csv
by_hand
ok "cached" cmp -s r/a/samples.csv before.csv
cells 0 --n 200 --solvers euler:factor=2 --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 2 \
    --out r/a
ok "added" test "$(rows r/a/cells.csv) $(rows r/a/samples.csv)" = "5 14"
ok "option" test "$(column r/a/cells.csv steps_mean 'f["solver"] == "euler:factor=2"')" = 200
ok "reference extended" test "$(./toydb r/references/*.npy)" = "200 3"
cells 0 --n 200 --solvers euler:factor=2 --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 4 \
    --out r/a
ok "two more repeats" test "$(rows r/a/cells.csv) $(rows r/a/samples.csv)" = "5 16"
ends 0 --mech toy.so --db toy.npy --dt 1e-6 --sample first --n 200 --solvers euler:factor=2 \
    --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 4 --out r/a --plan --references r/gone
ok "plan knows the cache" grep -q "1 cells, 1 cached, 0 to measure" out
ok "... of which no reference is wanted" grep -q "of which 0 s for reference solutions" out
ends 0 --mech toy.so --db toy.npy --n 10 --plan --out r/none
# sleepy takes 2 ms for an ODE; cold 10 ns once it is warm, so a sample is repeated for 10 ms
KB_COMMAND="make bench MECH=my/toy.so" "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --n 10 \
    --solvers euler --engines cpu-scalar --threads 1 --repeats 3 --run typed --quiet >out 2>err
ok "next: what was typed, with FULL=1" grep -q "  make bench MECH=my/toy.so FULL=1: every" out
planned() { # planned SOLVER FIELD [ARGUMENTS...]
    "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --n 300 --solvers "$1" --threads 1 \
        --engines all --repeats 3 --plan --json --out r/none "${@:3}" 2>err |
        sed -n "/\"cells\"/,/]/s/^ *\"$2\": \"*\([^\",]*\).*/\1/p"
}
likely=$(planned sleepy likely)
ok "plan: 4 runs of 300 sleepy ODEs take 2.4 s or more" awk -v t="$likely" \
    'BEGIN { exit !(t >= 2.4 && t < 300) }'
ok "plan: a range around it" test "$(planned cold likely),$(planned cold least),$(planned cold \
    most)" = 0.030003,0.010001,0.060006
ok "plan: all 256 after a first 64" test "$(planned cold likely --n 256)" = 0.0300026
ok "plan: kernels that grow with n" test "$(planned wave likely --schedules static)" = 0.75
ok "plan: beyond the budget" test "$(planned sleepy note --budget 0.5)" = "beyond the budget"
ok "plan: a solver that fails" test "$(planned broken note)" = "cannot run"
"$build/bench" --mech late.so --db toy.npy --dt 1e-6 --n 300 --solvers cold --threads 1 --plan \
    --json --out r/none >out 2>err
ok "plan: reference solutions of 1 ms" awk '/"references"/ { r = 1 }
    r && /"likely"/ { gsub(/[^0-9.e-]/, "", $2); exit !($2 >= 0.3 && $2 < 100) }' out
# references of 20 states are there: those of 20 take no time, the one of a state more does
ends 0 --mech late.so --db toy.npy --dt 1e-6 --n 20 --sample first --quiet --solvers cold \
    --threads 1 --repeats 1 --references r/twenty --out r/twenty-run
for n in 20 21; do
    "$build/bench" --mech late.so --db toy.npy --dt 1e-6 --n $n --sample first --solvers cold \
        --threads 1 --plan --json --references r/twenty --out r/none >out 2>err
    likely=$(awk '/"references"/ { r = 1 } r && /"likely"/ { print $2 + 0; exit }' out)
    ok "plan: $((n - 20)) states without a reference take $likely s" holds \
        "$n == 20 ? \"$likely\" == \"0\" : \"$likely\" > 1e-4"
done
if command -v python3 >/dev/null; then
    "$build/bench" --mech toy.so --db toy.npy --n 10 --plan --json --out r/none >out 2>err
    ok "plan as JSON" test "$(python3 -c 'import json, sys
print(len(json.load(sys.stdin)["cells"]) > 3)' <out)" = True
    "$build/bench" --mech toy.so --list --json >out 2>err
    ok "solvers as JSON" test "$(python3 -c 'import json, sys
print([o["name"] for s in json.load(sys.stdin)["solvers"] if s["solver"] == "euler"
       for o in s["options"]][0])' <out)" = factor
else
    echo "skip - JSON is read: no python3"
fi
ends 2 --mech toy.so --db toy.npy --json
ok "plan writes nothing" test ! -e r/none

# --- states that come again share one reference
./toydb tiled.npy 3000 100 || exit 2
tiled() { ends "$1" --mech toy.so --db tiled.npy --dt 1e-6 --sample first \
    --quiet --solvers euler --engines cpu-scalar \
    --threads 1 --repeats 1 --out r/tiled/a "${@:2}"; }
tiled 0 --n 60
ok "of the rows asked for" test "$(./toydb r/tiled/references/*.npy)" = "60 3"
tiled 0 --n 3000 --orders generated,shuffled
ok "one for each distinct state" test "$(./toydb r/tiled/references/*.npy)" = "100 3"
ok "and says so" test "$(grep -cE '"rows": 100,|"db_rows": 3000,' r/tiled/references/*.json)" = 2
tiled 0 --n 100
errors() { column r/tiled/a/cells.csv "$1" "f[\"n\"] $2" | sort -u; }
for error in err_p50 err_p95 err_max; do
    ok "$error of 30 times the same states" test "$(errors $error '== 3000')" \
        = "$(errors $error '== 100')"
done
./toydb few.npy 3000 60
ends 0 --mech toy.so --db few.npy --dt 1e-6 --sample first \
    --quiet --n 3000 --solvers euler --engines cpu-scalar --threads 1 \
    --repeats 1 --out r/few/a
ok "of other states it is another" test "$(column r/few/a/cells.csv err_p95)" \
    != "$(errors err_p95 '== 3000')"

# --- Ctrl-C among the references of 1 ms each, then the same command computes the rest
./toydb late.npy 2400 1200
late=(--mech late.so --db late.npy --dt 1e-6 --sample first
    --n 2400 --solvers euler --engines cpu-scalar --threads 1 --repeats 1
    --out r/late/a)
TOY_HOLD='r/late/references/*.npy' "$build/bench" "${late[@]}" >out 2>err &
pid=$!
until compgen -G 'r/late/references/*.npy' >/dev/null || ! kill -0 $pid; do sleep 0.02; done
kill -INT $pid
wait $pid
ok "interrupted references" test $? = 130
kept=$(./toydb r/late/references/*.npy)
ok "whole chunks are kept ($kept)" holds "${kept% *} >= 256 && ${kept% *} < 1200"
file=$(echo r/late/references/*.npy)
# a mark in the first number stays there if that row is not computed anew
printf '\1\2\3' | dd of="$file" bs=1 seek=128 conv=notrunc 2>/dev/null
ends 2 "${late[@]}"
ok "a changed reference is refused" grep -q "npy: damaged, its sha256 is .* (delete both" err
sed -i "s/\"sha256\": \".*\"/\"sha256\": \"$(sha256sum <"$file" | cut -c1-64)\"/" "${file%npy}json"
ends 0 "${late[@]}"
ok "all states" test "$(./toydb "$file")" = "1200 3"
ends 0 "${late[@]/late.so/toy.so}" --out r/late/b --references r/late/once
ok "the rest alone was computed, and to the same" test \
    "$(cmp -l "$file" "$(echo r/late/once/*.npy)" | awk '{ printf "%s ", $1 }')" = "129 130 131 "

# --- the record beside a reference: of 300 states 256 are written first, then all
for n in 256 300; do
    cells 0 --n $n --solvers euler --engines cpu-scalar --threads 1 --repeats 1 --reactor v \
        --references r/record$n --out r/of$n
done
file=$(echo r/record300/*.npy)
sed '/"git"/d; s/\(sha256.*": "\)[1-9a-f][0-9a-f]*"/\1..."/' "${file%npy}json" >record
screen bench-reference record
sum() { sed -n "s/^  \"$1\": \"\(.*\)\".*/\1/p" "$2"; }
ok "has the sum of the file, and of the one before" test "$(sum sha256 "${file%npy}json") $(
    sum sha256_before "${file%npy}json")" = "$(sha256sum <"$file" | cut -c1-64) $(
    sum sha256 r/record256/*.json)"
again() { ends "$1" --mech toy.so --db toy.npy --dt 1e-6 --sample first --quiet --n 300 \
    --solvers euler --engines cpu-scalar --threads 1 --repeats 1 --reactor v \
    --references r/record300 --out "r/again$1"; }
# a bench that was killed between the two files
cp r/record256/*.npy "$file" && again 0
ok "the rest is made again" test "$(./toydb "$file")" = "300 3"
cp toy.npy "$file"
sed -i "s/\"sha256\": \".*\"/\"sha256\": \"$(sha256sum <"$file" | cut -c1-64)\"/" "${file%npy}json"
again 2
ok "other columns are told" says "npy: 4 columns where the mechanism needs 3 (delete the file)"

# --- order: the same ODEs, the same errors
in_orders euler
cells 0 --n 50 --solvers euler,euler:rtol=1e-2,euler:factor=3:rtol=1e-2:atol=1 --threads 1 \
    --engines cpu-scalar --repeats 1 --out r/tol
ok "tolerances of one solver" test \
    "$(column r/tol/cells.csv solver,rtol,atol,steps_mean | tr "\n" " ")" = \
    "euler,0.001,1e-10,100 euler,0.01,1e-10,10 euler:factor=3,0.01,1,30 "
ok "orders agree" test "$(column r/order/cells.csv err_p95 | sort -u | wc -l)" = 1
in_orders sleepy
ok "divergence by hand" test "$(column r/order/cells.csv D_rhs 'f["solver"] == "sleepy" &&
    f["order"] == "generated"')" = "$(awk 'BEGIN { for (i = 0; i < 150; i++) s += (1 + i % 4) / 4
    printf "%.6g", s / 150 }')"

# --- divergence: the ODEs of sleepy take 1, 2, 3, 4, 1, ... evaluations, so D is (1+2+3+4)/16 in
# order and 1 when they are sorted
in_orders euler
in_orders sleepy
cut -d, -f2- r/order/divergence.csv >divergence
screen divergence.csv divergence
sleepy='f["solver"] == "sleepy" && f["measure"] == "rhs"'
ok "counts of ODEs" test "$(column r/order/divergence.csv lo "$sleepy &&
    f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"ode\"" | tr '\n' ' ')" = "1 2 3 4 "
ok "... 150 of them" test "$(column r/order/divergence.csv count "$sleepy &&
    f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"ode\"" | tr '\n' ' ')" = "38 38 37 37 "
ok "warps" test "$(column r/order/divergence.csv lo "$sleepy && f[\"order\"] == \"generated\" &&
    f[\"histogram\"] == \"warp\"" | tr '\n' ' ')" = "0.59375 0.625 "
ok "... 5 of them" test "$(column r/order/divergence.csv count "$sleepy &&
    f[\"histogram\"] == \"warp\"" |
    awk '{ s += $1 } END { print s }')" = 10
ok "the same D as in cells.csv" test "$(column r/order/divergence.csv D "$sleepy" | sort -u)" = \
    "$(column r/order/cells.csv D_rhs 'f["solver"] == "sleepy"' | sort -u)"
# this toy counts by place in the run, which no solver may do: it is found
ok "an ODE whose work depends on its place is found" holds "$(column r/order/divergence.csv differ \
    "$sleepy && f[\"order\"] == \"shuffled\"" | sort -u) > 50"
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 1 \
    --schedules static \
    --orders generated,shuffled --out r/twin
gpu='f["engine"] == "gpu-thread" && f["measure"] == "steps"'
ok "3 ODEs with other substeps" test "$(column r/twin/divergence.csv differ "$gpu" | sort -u)" = 3
ok "they are told" test "$(grep -c "3 of 300 ODEs took other substeps than on cpu-scalar" \
    r/twin/table.txt)" = 2
ok "D of both" test \
    "$(column r/twin/divergence.csv D_against "$gpu && f[\"order\"] == \"shuffled\"" | sort -u)" = \
    "$(column r/twin/divergence.csv D 'f["engine"] == "cpu-scalar" && f["measure"] == "steps" &&
    f["order"] == "shuffled"' | sort -u)"
ok "lane use" test "$(column r/twin/divergence.csv lane_use "$gpu" | sort -u)" = 0.5
cp r/twin/divergence.csv before.csv
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 1 \
    --schedules static \
    --orders generated,shuffled --out r/twin
ok "kept by a run that measures nothing" cmp -s r/twin/divergence.csv before.csv
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --repeats 2 \
    --schedules static \
    --orders shuffled,generated --out r/twin
ok "replaced when cells are run again" test "$(rows r/twin/divergence.csv)" = "$(rows before.csv)"
ok "the ODEs are found from another order" test \
    "$(column r/twin/divergence.csv differ "$gpu" | sort -u)" = 3
ok "... on the CPU too" test \
    "$(column r/twin/divergence.csv differ 'f["engine"] == "cpu-scalar"' | sort -u |
    tr '\n' ' ')" = " 0 "
ok "a timeline of each cell on a GPU" test "$(column r/twin/timeline.csv \
    engine,order,slice,slice_first,slice_n,copy_in_s,kernel_s,copy_out_s,done_s | sort | tr '\n' \
    ' ')" = \
    "gpu-thread,generated,0,0,150,0,0.002,0.003,0.004 \
gpu-thread,generated,1,150,150,0.001,0.002,0.003,0.004 \
gpu-thread,shuffled,0,0,150,0,0.002,0.003,0.004 \
gpu-thread,shuffled,1,150,150,0.001,0.002,0.003,0.004 "
ok "resident ODEs" test "$(column r/twin/cells.csv resident 'f["engine"] == "gpu-thread"' | sort \
    -u)" = 256

# --- orders and schedules: time and expected time over those of similar and static
cells 0 --n 300 --solvers twin --engines gpu-thread --repeats 2 \
    --orders similar,shuffled,sorted-T,sorted-own \
    --out r/slow
ok "slow-down table" grep -q "slow-down by order" r/slow/table.txt
ok "is kept" test "$(grep -c "^twin" r/slow/slowdown.txt)" = 4
ok "base is 1" grep -Eq "^twin +gpu-thread +similar +64 +1e-06 +1.00 +1.00 " r/slow/slowdown.txt
# 300 ODEs of 1 to 32 substeps, sorted falling: groups of 32 of 9 or 10 equal ones
ok "the solver's own order has least to wait for" test "$(column r/slow/divergence.csv slow_down \
    'f["measure"] == "rhs" && f["schedule"] == "static"' | sort -gu | head -1)" = \
    "$(column r/slow/divergence.csv slow_down \
    'f["order"] == "sorted-own" && f["measure"] == "rhs" &&
    f["schedule"] == "static"' | sort -u)"
ok "by hand" test "$(column r/slow/divergence.csv slow_down 'f["order"] == "sorted-own" &&
    f["measure"] == "rhs" && f["schedule"] == "static"' | sort -u)" = "$(awk 'BEGIN {
    for (i = 0; i < 300; i++) print 1 + i % 32 }' | sort \
        -gr | awk '{ s += $1 } NR % 32 == 1 { m = $1 }
    { w += m } END { printf "%.6g", w / s }')"
# counts of another cell, in which other ODEs are costly, make no order
cells 0 --n 300 --solvers twin --engines gpu-thread --repeats 1 --schedules static --out r/own \
    --references r/own-ref --orders sorted-own --also rtol=1e-8 --also atol=1e-13 --also dt=1e-3 \
    --also n=299
ok "each cell by its own counts" test "$(column r/own/divergence.csv n,dt_s,rtol,atol,slow_down \
    'f["measure"] == "rhs"' | uniq | tr '\n' ' ')" = "$(for how in '300,1e-06,1e-06,1e-10 i%32' \
    '300,1e-06,1e-08,1e-10 i/10' '300,1e-06,1e-06,1e-13 i/10' '300,0.001,1e-06,1e-10 i/10' \
    '299,1e-06,1e-06,1e-10 i%32'; do
    awk "BEGIN { for (i = 0; i < ${how%%,*}; i++) print 1 + int(${how#* }) }" | sort -gr |
        awk -v c="${how% *}" '{ s += $1 } NR % 32 == 1 { m = $1 } { w += m }
            END { printf "%s,%.6g ", c, w / s }'
done)"
ok "expected in the table" test "$(awk '$3 == "shuffled" { print $7 }' r/slow/slowdown.txt)" = "$(
    awk -v a="$(column r/slow/divergence.csv slow_down \
        'f["order"] == "shuffled" && f["measure"] == "rhs" &&
    f["schedule"] == "static"' | head -1)" -v b="$(column r/slow/divergence.csv slow_down \
    'f["order"] == "similar" && f["measure"] == "rhs" && f["schedule"] == "static"' | head -1)" \
    'BEGIN { printf "%.2f", a / b }')"
# --- all that is printed and written of made-up times, to the byte but for the machine
made_up() { # made_up ARGUMENTS...
    TOY_CLOCK=1 ends 0 --mech toy.so --db toy.npy --n 100 --dt 1e-6 --sample first --quiet \
        --solvers cvode,euler,uneven --engines cpu-scalar,cpu-simd,gpu-warp --threads 1 \
        --rtol 1e-2,1e-3 --orders generated,shuffled --schedules static,refill --repeats 5 \
        --also 'solvers=failing,rash,broken,cvode n=60 dt=1e-5 orders=generated threads=2' \
        --price 1000,2000 --budget 90 --references r/made-ref --out r/made "$@"
}
made_up --plan
screen bench-plan
made_up --plan --json
screen bench-plan-json
made_up
ok "quiet but for a note" test "$(grep -vc '^note: ' err)" = 0
cp out made-once
made_up --plan
ok "a plan of what is there: no time" grep -qF \
    "about 0 s (between 0 s and 0 s, by short probes), of which 0 s for reference solutions" out
mv made-once out
without_machine out | grep -v '^memory: ' >made
screen bench-summary made
without_machine r/made/table.txt >made
screen bench-table made
numbers=lanes,copy_in_s,kernel_s,copy_out_s,one_thread_s,ode_per_s,price,ode_per_s_per_price,\
err_p50,err_p50_lo,err_p50_hi,err_p95,err_p95_lo,err_p95_hi,err_max,active_share,err_p95_active,\
steps_mean,steps_max,rejected_mean,rhs_mean,rhs_max,work_ratio,D_rhs,D_steps,lane_use,wait_8,\
wait_32,wait_all,failed,wrong
column r/made/cells.csv "$numbers" >made
screen bench-cells made
column r/made/samples.csv repeat,time_s,copy_in_s,kernel_s,copy_out_s,batch,outlier |
    paste -d ' ' - - - - - >made
screen bench-samples made
column r/made/divergence.csv measure,D,slow_down,slow_down_refill,attempts,against,differ,\
D_against,histogram,lo,hi,count 'f["order"] == "shuffled" || f["n"] == 60' | sort | uniq -c >made
screen bench-divergence made
sed -n '/"schema"/,/"sessions"/{
    s/\("solvers_sha256": "\|solvers \)[0-9a-f]*/\1.../; s/: "git [^,]*/: "git .../; p }' \
    r/made/environment.json >made
screen bench-environment made
said() { sed -n "s/^  \"$1\": \"*\([^\"]*[^\",]\)\"*,*$/\1/p" r/made/environment.json; }
ok "the machine: $(said kernel), $(said cores) cores, $(said memory_GiB) GiB" holds \
    "\"$(said kernel)\" == \"$(uname -s -r -m)\" && ($(awk '
        /^MemTotal/ { print $2 / 1024 / 1024 }' /proc/meminfo) / $(said memory_GiB) - 1)^2 < 1e-6"
TOY_CLOCK=1 ends 0 --mech toy.so --db toy.npy --n 40 --dt 1e-6 --sample first --threads 1 \
    --solvers euler,broken --engines all --repeats 2 --brief --out r/loud
grep -v "^\[" err | without_machine >made
screen bench-notes made
made_up --plan
ok "all is cached, or cannot run" grep -q "^48 cells, 44 cached, 0 to measure, 4 " out
made_up --plan --json
ok "... as JSON" test "$(grep -c '"cached": true' out) $(grep -c '"cached": false' out)" = "44 4"

# runs of less than 10 ms are repeated, and a sample is their mean
TOY_CLOCK=1 cells 0 --n 1 --solvers cvode,euler,uneven --engines cpu-scalar,gpu-warp --threads 1 \
    --rtol 1e-1 --schedules static --repeats 2 --out r/short
column r/short/samples.csv solver,engine,time_s,copy_in_s,kernel_s,copy_out_s,batch >made
for look in 10 1000; do # up to 10,000 times; 1 s is over before, where each look takes 1 ms
    "$cc" -O1 -DLOOK=$look -shared -fPIC "$root/tests/scripts/made_up_clock.c" -o clock.so
    LD_PRELOAD=$PWD/clock.so "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --sample first \
        --quiet --n 1 --solvers cold --engines cpu-scalar --threads 1 --repeats 1 \
        --references r/cold-ref --out r/look$look >out 2>err
    column r/look$look/samples.csv solver,time_s,batch,cpu_s,begin_s
done >>made
screen bench-short made

# --- all that is printed of rows that are drawn: nothing is measured, so it is to the byte
drawn_run() { # drawn_run ARGUMENTS...
    set -- --mech toy.so --db toy.npy --sample first --threads 1 --quiet --repeats 2 \
        --references r/drawn-ref --out results/drawn "$@"
    TOY_CLOCK=1 ends 0 "$@" && run=("$@")
}
drawn() { # drawn SEED [ARGUMENTS...]: that run again, its rows drawn anew; ARGUMENTS: of fewer
    rm -rf r/whole && cp -r results/drawn r/whole
    for file in cells samples divergence; do
        "$reader" --table r/whole/$file.csv |
            awk -v seed="$1" -f "$root/tests/scripts/drawn_rows.awk" |
            "$reader" --csv >results/drawn/$file.csv
    done
    code 0 bench "${run[@]}" "${@:2}" || echo "bench fails"
    without_machine out results/drawn/table.txt | sed 's/; load average .*//'
    rm -rf results/drawn && mv r/whole results/drawn
}
drawn_run --n 60,100 --dt 1e-6 --rtol 1e-2,1e-3 --solvers cvode,euler,uneven \
    --engines cpu-scalar,cpu-simd,gpu-warp --orders shuffled,similar --schedules static,refill
drawn 7 >made
screen bench-drawn-orders made
rm -rf results/drawn
drawn_run --n 40 --dt 1e-7,1e-6,1e-5,1e-4,1e-3,1e-2 --solvers cvode,euler,uneven \
    --engines cpu-scalar,cpu-simd --schedules static
KB_COMMAND="make bench MECH=toy" drawn 3 >made
KB_COMMAND="make bench FULL=1" drawn 4 --dt 1e-6,1e-4,1e-3 >>made
screen bench-drawn-steps made
rm -rf results/drawn
drawn_run --n 64 --dt 1e-6 --solvers cvode,euler --engines cpu-scalar,cpu-simd --schedules static
for seed in 1 2 3 4 5 6 7 8 9 10 16; do drawn $seed; done >made
screen bench-drawn-few made

# --- what is shown on a terminal, in made-up times: each line with what is left
if command -v script >/dev/null; then
    shown() { # shown ARGUMENTS...: the lines that follow each other on a terminal
        TOY_CLOCK=1 script -qec "stty cols 200; exec $build/bench $*" /dev/null </dev/null |
            tr -d '\r' | sed 's/\x1b\[K/\n/g' | grep '^\[' >made
    }
    shown --mech toy.so --db toy.npy --n 100 --dt 1e-6 --sample first --brief \
        --solvers cvode,euler,uneven,broken --engines cpu-scalar,cpu-simd --threads 1 \
        --schedules static --rtol 1e-2 --repeats 3 --precision 6 --references r/shown-ref \
        --out r/shown
    sed '/reference/d' made >lines
    ./toydb long.npy 5000 # references in chunks, of which each is a quarter of what is done
    shown --mech toy.so --db long.npy --n 3000 --dt 1e-6 --sample first --brief --solvers euler \
        --engines cpu-scalar --threads 1 --rtol 1e-2 --repeats 1 --references r/long --out r/shown3
    sed -n '/reference/s/ETA [^ ]* [a-z]* //p' made >>lines
    grep -m 1 reference made >>lines
    # a run of less than 10 ms takes that long
    shown --mech toy.so --db toy.npy --n 1 --dt 1e-6 --sample first --brief --solvers euler \
        --engines cpu-scalar --threads 1 --rtol 1e-1 --repeats 60 --references r/one --out r/short1
    sed '/reference/d' made | head -3 >>lines
    shown --mech toy.so --db toy.npy --n 100 --dt 1e-6 --sample first --brief --solvers euler \
        --engines cpu-scalar --threads 1 --rtol 1e-2 --repeats 2 --precision 0.5 \
        --references r/shown-ref --out r/shown4 # more repeats, how many is not known before
    sed '/reference/d' made | head -6 >>lines
    screen bench-progress lines
else
    echo "skip - what is shown on a terminal: no script"
fi

# --- few of anything: one wrong ODE, the refill schedule alone, a table that is printed, slashes
cells 0 --n 4 --solvers rash --engines cpu-scalar --threads 1 --rtol 1e-6 --repeats 1 \
    --schedules static --out r/slashes///
ok "a folder with slashes" test "$(column r/slashes/cells.csv run)" = slashes
ok "... its references beside it" test "$(./toydb r/references/*.npy | head -1)" != ""
ok "one wrong ODE is counted" grep -qx "failed:     0 ODEs, 1 wrong, in 1 of 1 cells; every cell \
was measured" out
cells 0 --n 64 --solvers euler --engines cpu-scalar --threads 1 --repeats 1 --brief --table \
    --orders generated,shuffled --out r/table
ok "table.txt on the screen" cmp -s out r/table/table.txt
cells 0 --n 40 --solvers uneven --engines gpu-warp --repeats 1 --schedules refill \
    --orders similar,shuffled --out r/refill
ok "the expected slow-down of refill" test "$(awk '$3 == "shuffled" { print $9 }' \
    r/refill/slowdown.txt)" = "$(column r/refill/divergence.csv order,slow_down_refill \
    'f["measure"] == "rhs"' | awk -F, '{ d[$1] = $2 }
    END { printf "%.2f", d["shuffled"] / d["similar"] }')"
before=$(cksum <toy.json)
cells 0 --n 300 --solvers euler --engines cpu-scalar --threads 1 --repeats 1 --out r/all
ok "all states, without --write-cost" test "$(cksum <toy.json)" = "$before" -a ! -e toy.cost.npy
cells 0 --n 40,64 --solvers failing,euler --engines cpu-scalar --threads 1 --repeats 1 \
    --write-cost --out r/part
ok "some states, with it" test "$(cksum <toy.json)" = "$before"
# histograms of counts from 4 to 2 n in bins of equal ratio end at the largest
for n in 21 25 31; do
    cells 0 --n $n --solvers twin --engines cpu-scalar --threads 1 --repeats 1 --rtol 1e-3 \
        --schedules static --out r/ratio$n >/dev/null
    ends=$ends$(column r/ratio$n/divergence.csv hi 'f["histogram"] == "ode" &&
        f["measure"] == "rhs"' | tail -1),
done
ok "the last bin ends at the largest count: $ends" test "$ends" = 42,50,62,
# of 32 numbers each has a bin, of 2 to 34 not
for n in 32 17; do
    cells 0 --n $n --solvers twin --engines gpu-thread --repeats 1 --schedules static \
        --out r/ratio$n >/dev/null
done
for n in 31 32 17; do
    column r/ratio$n/divergence.csv measure,lo,hi,count 'f["histogram"] == "ode"' | xargs -n 8
done >made
screen bench-bins made

# --- a GPU that is not there: its energy, memory and clock, in made-up times
mkdir nvml
"$cc" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I"$root" \
    "$root/tests/scripts/made_up_nvml.c" -o nvml/libnvidia-ml.so.1 &&
    "$cc" -O1 -DLOOK=1000 -shared -fPIC "$root/tests/scripts/made_up_clock.c" -o clock.so || exit 2
cells 0 --n 40 --solvers uneven --engines gpu-warp --repeats 1 --rtol 1e-3 \
    --references r/card-ref --out r/no-card # which makes the references
with_card() { # with_card CARDS ARGUMENTS...: CUDA_VISIBLE_DEVICES, the rows of that cell
    CUDA_VISIBLE_DEVICES=$1 TOY_CLOCK=1 LD_LIBRARY_PATH=$PWD/nvml LD_PRELOAD=$PWD/clock.so \
        "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --sample first --quiet --n 40 \
        --solvers uneven --engines gpu-warp --repeats 2 --rtol 1e-3 --schedules static \
        --references r/card-ref --out "r/card$1" "${@:2}" >out 2>err
    column "r/card$1/cells.csv" engine,energy_j,energy_scope,energy_seconds,idle_w,power_cap_w,\
j_per_million,peak_bytes_device
    column "r/card$1/samples.csv" engine,clock_MHz,cpu_s,begin_s
}
{ with_card 0 --energy 0.5 && sed -n '/^energy/,/J (gpu/p' out; } >made
screen bench-energy made
{
    with_card 1,0 && grep -o '[^ ]* MB of the GPU' out && with_card GPU-one,GPU-none &&
        with_card GPU-none && with_card 7
} >made
screen bench-cards made

# --- references: one bench at a time reads or writes them
# after: few of anything
if [ -r /proc/locks ]; then
    (
        flock 9
        "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --sample first --quiet --n 4 \
            --solvers euler --engines cpu-scalar --threads 1 --repeats 1 --out r/held \
            --references r/references >out 2>err 9>&- &
        until grep -q -- "-> FLOCK .* $! " /proc/locks || ! kill -0 $! 2>/dev/null; do
            sleep 0.02
        done
        ok "a bench waits for the folder" test ! -e r/held/cells.csv -a -d /proc/$!
        flock -u 9
        wait $!
        ok "... and goes on" test $? = 0
        exit $failed
    ) 9<r/references
    failed=$((failed | $?))
else
    echo "skip - locks of references: no /proc/locks"
fi

# --- attempts of unlike work: 5 | 5 1 | 5 1 1 | 5 on 2 lanes, 23 evaluations. Static groups begin
# together: 5 + 1 and 5 + 1 + 1; lanes that take the next ODE at once: 5, 5, 5, 1, which a CPU does
# not do
expected() {
    column r/uneven/divergence.csv engine,schedule,attempts,slow_down,slow_down_refill \
        "f[\"engine\"] == \"$1\" && f[\"measure\"] == \"rhs\"" | sort -u | tr '\n' ' '
}
cells 0 --n 4 --solvers uneven --engines cpu-simd,gpu-warp --rtol 1e-3,1e-4 --threads 1 \
    --repeats 1 --out r/uneven
ok "attempts as they are" test "$(expected cpu-simd)" = \
    "cpu-simd,refill,counted,1.13043,1.13043 cpu-simd,static,counted,1.13043,1.13043 "
ok "... on a GPU, too" test "$(expected gpu-warp)" = \
    "gpu-warp,refill,counted,1.13043,1.3913 gpu-warp,static,counted,1.13043,1.3913 "
rm -r r/uneven
cells 0 --n 4 --solvers uneven --engines gpu-warp --repeats 1 --out r/uneven
# 5 | 3 3 | 7/3 7/3 7/3 | 5: 5 + 3 and 5 + 14/3; at once 5, 3, 5, 7/3
ok "even where no CPU told" test "$(expected gpu-warp)" = \
    "gpu-warp,refill,even,1.53623,1.33333 gpu-warp,static,even,1.53623,1.33333 "
uneven() { ends 0 --mech toy.so --db toy.npy --dt 1e-6 --sample first --n 4 --solvers uneven \
    --engines gpu-warp --repeats 1 --out r/uneven "$@"; }
uneven
ok "static over refill" grep -q "by counts 1.15" out
uneven --schedules static
ok "... not where refill is of an earlier run" test "$(grep -c "by counts" out)" = 0
cells 0 --n 64 --solvers euler --threads 1 --engines cpu-scalar --repeats 1 --out r/one
ok "one order, no table" test ! -e r/one/slowdown.txt

# --- blocks of a GPU are cells of their own
cells 0 --n 300 --solvers twin --engines \
    cpu-scalar,gpu-thread,gpu-thread-cached,gpu-warp,gpu-block --threads 1 \
    --schedules static --repeats 1 --block 32,128 --out r/block
ok "rows" test "$(column r/block/cells.csv engine,threads | sort | tr '\n' ' ')" = \
    "cpu-scalar,1 gpu-block,64 gpu-thread,128 gpu-thread,32 gpu-thread-cached,128 \
gpu-thread-cached,32 gpu-warp,64 "
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --block 32,256 \
    --out r/block
ok "one more" test "$(rows r/block/cells.csv) $(rows r/block/samples.csv)" = "8 8"
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --out r/block
ok "the engine's choice" test "$(rows r/block/cells.csv) $(column r/block/cells.csv threads | tail \
    -1)" = "9 64"
cells 0 --n 300 --solvers twin --engines gpu-thread --schedules static --repeats 1 --out r/block
ok "is cached" test "$(rows r/block/samples.csv)" = 9

# --- prices: rates over them, of the processor or of the GPU
cells 0 --n 300 --solvers twin --engines cpu-scalar,gpu-thread --threads 1 --schedules static \
    --repeats 1 \
    --price 2.5,4000 --block paper --out r/price
ok "prices" test "$(column r/price/cells.csv price | tr '\n' ' ')" = "2.5 4000 "
ok "rates over prices" test "$(column r/price/cells.csv ode_per_s_per_price)" = "$(paste -d' ' \
    <(column r/price/cells.csv ode_per_s) <(column r/price/cells.csv price) \
    | awk '{ printf "%.6g\n", $1 / $2 }')"
ok "a block of 64 as in the papers" test "$(column r/price/cells.csv threads \
    'f["engine"] == "gpu-thread"')" = 64
cells 0 --n 300 --solvers twin --engines cpu-scalar --threads 1 --schedules static --repeats 1 \
    --price 50 --out r/price
ok "a price is put in later" test "$(column r/price/cells.csv price | tr '\n' ' ')" = "50 4000 "

# --- kernels that cannot be stopped: a probe is short, and the cell is not run
export TOY_KERNELS=kernels
cells 3 --n 300 --solvers crawl --schedules static,refill --rtol 1e-4,1e-6 --repeats 1 --budget 2 \
    --out r/crawl
ok "no kernel is long" holds "0 < $(sort -g kernels | tail -1) && $(sort -g kernels | tail -1) < 2"
ok "skipped" test "$(column r/crawl/cells.csv status | sort -u)" = skipped
ok "never counted as run" test -z "$(column r/crawl/cells.csv steps_mean | tr -d '\n')"
ok "with what was seen" test \
    "$(grep -c "ODEs had not all ended after [0-9]* substeps" r/crawl/cells.csv)" = 2
ok "tighter tolerances are spared" test \
    "$(grep -c "beyond the budget, as with rtol 0.0001" r/crawl/cells.csv)" = 2
cells 3 --n 300 --solvers straggler --schedules static --repeats 1 --budget 2 --out r/crawl
ok "an ODE that the probe did not see" grep -q "an ODE needs more than [0-9]* substeps" \
    r/crawl/cells.csv
ok "no time for it" test -z "$(column r/crawl/cells.csv time_s | tr -d '\n')"
ok "that was short too" holds "$(sort -g kernels | tail -1) < 8"
for repeats in 1 2; do
    cells 0 --n 40,300 --solvers wave --schedules static --repeats $repeats --budget 0.1 \
        --out r/wave$repeats
    column r/wave$repeats/cells.csv n,why >>kernels
done
# a plan's: of 40 ODEs the probe is all, and after a probe that did not end none is run
cells 0 --n 40,300 --solvers wave,crawl --schedules static --repeats 1 --plan --out r/none
unset TOY_KERNELS
uniq -c kernels >made # all of them, in their order
screen bench-kernels made

cells 0 --n 64 --solvers twin:slice=5 --engines cpu-scalar,gpu-thread --threads 1 \
    --schedules static --repeats 1 \
    --out r/option
ok "an option of one engine" test "$(column r/option/cells.csv engine)" = gpu-thread
cells 2 --n 64 --solvers twin:slices=5 --engines cpu-scalar,gpu-thread --out r/option
cells 2 --n 64 --solvers twin:slice=5 --engines cpu-scalar --out r/option

# wave: 40 ms for 64 ODEs and more in proportion, 0.19 s for 300. tide: the same for any number
cells 3 --n 300 --solvers wave --schedules static --repeats 1 --budget 0.1 --out r/full-device
ok "a full device is seen" \
    grep -q "predicted 0.125 s for 1 + 1 runs (from a third of a probe of all states)" \
    r/full-device/cells.csv
cells 0 --n 300 --solvers tide --schedules static --repeats 1 --budget 0.1 --out r/full-device
ok "one that is not full too" test \
    "$(column r/full-device/cells.csv status 'f["solver"] == "tide"')" = ok

# --- ODEs, cells and engines that fail
cells 0 --n 64 --solvers failing,broken,euler,rash --threads 1 --repeats 1 --out r/bad
ok "wrong ODEs are counted" test "$(column r/bad/cells.csv wrong 'f["solver"] == "rash"')" = 16
ok "and did not fail" test "$(column r/bad/cells.csv failed 'f["solver"] == "rash"')" = 0
ok "failed ones are not wrong" test "$(column r/bad/cells.csv wrong 'f["solver"] == "failing"')" = 0
ok "a cell with wrong ODEs tells them" grep -Eq '^rash .* 0 +16 +- ' r/bad/table.txt
cells 0 --n 64 --solvers rash:rtol=1 --threads 1 --repeats 1 --out r/loose
ok "wrong ODEs show at a loose tolerance" test "$(column r/loose/cells.csv wrong)" = 16
ok "failed ODEs are counted" test "$(column r/bad/cells.csv failed 'f["solver"] == "failing"')" = 16
ok "... and infinite" test "$(column r/bad/cells.csv err_p95 'f["solver"] == "failing"')" = inf
ok "... with why" grep -q "8 too many substeps, 8 not finite" r/bad/cells.csv
ok "broken solver" test "$(column r/bad/cells.csv status 'f["solver"] == "broken"')" = failed
ok "quoted" grep -qF '"the toy is broken, ""as wanted"""' r/bad/cells.csv
ok "no GPU" test \
    "$(column r/bad/cells.csv status 'f["engine"] == "gpu-thread"' | sort -u)" = skipped
ok "no time for it" test -z \
    "$(column r/bad/cells.csv time_s 'f["engine"] == "gpu-thread"' | tr -d '\n')"
cells 3 --n 64 --solvers broken --threads 1 --repeats 1 --out r/none
ok "says so" grep -q "no cell could be measured" err
# of runs of 10 ms and more the first two warm up and make a sample
TOY_BROKEN=3 TOY_CLOCK=1 cells 0 --n 64 --solvers broken,cvode --engines cpu-scalar --threads 1 \
    --repeats 2 --out r/breaks
ok "a solver that breaks later has the samples before" test \
    "$(column r/breaks/samples.csv solver,repeat | xargs)" = "broken,1 cvode,1 cvode,2"
ok "... and says why" test "$(column r/breaks/cells.csv solver,status,repeats,why | xargs)" = \
    "broken,failed,0,the toy is broken, as wanted cvode,ok,2,"

# a reference that fails is told; its errors are infinite
ends 0 --mech toy.so --db toy.npy --dt 1e-6 --sample first --n 40 --solvers cvode \
    --engines cpu-scalar --threads 1 --repeats 1 --reference failing:rtol=1e-9 --out r/failing
ok "a reference that fails is told" says "warning: failing at rtol 1e-09 failed for 10 of 40 \
distinct states (dt 1e-06 s): their errors count as infinite"
ok "... and recorded" grep -qx '  "failed": 10,' "$(grep -l '"failing"' r/references/*.json)"
ok "... and all others count" test \
    "$(column r/failing/cells.csv err_p50,err_p95,err_max,active_share)" = 0,inf,inf,1

# --- budget: 300 sleepy ODEs take 0.6 s a run
cells 3 --n 300 --solvers sleepy --threads 1 --repeats 3 --budget 0.3 --out r/budget
ok "skipped" test "$(column r/budget/cells.csv status)" = skipped
ok "with the prediction, or on a busy machine a probe that takes too long" \
    grep -qE "predicted .* s for 1 \+ 3 runs|took longer than the budget" r/budget/cells.csv
./toydb many.npy 20000
ends 0 --mech toy.so --db many.npy --dt 1e-6 --sample first \
    --quiet --n 20000 --solvers cold --threads 1 --repeats 1 --budget 2 \
    --out r/cold
ok "a slow start is not taken for slow ODEs" test "$(column r/cold/cells.csv status)" = ok
# in made-up times: a quarter of the ODEs is probed, of 64 on, and more where that is short
TOY_CLOCK=1 ends 3 --mech toy.so --db many.npy --dt 1e-6 --sample first --quiet \
    --n 4096,4095,1024,1023,256,255 --solvers euler --engines cpu-scalar --threads 1,8 \
    --schedules refill --rtol 1e-2 --repeats 5 --budget 0.1 --out r/probes
column r/probes/cells.csv n,threads,why >probes
screen bench-probes probes
cells 3 --n 100 --solvers sleepy --threads 1 --repeats 1 --budget 0.05 --out r/budget
ok "cut at the budget" grep -q "took longer than the budget" r/budget/cells.csv

# --- Ctrl-C, then the same command continues
slow=(--mech toy.so --db toy.npy --dt 1e-6 --sample first --n 100 --solvers sleepy,euler \
    --engines cpu-scalar
    --threads 1 --repeats 6 --out r/stop)
TOY_HOLD=r/stop/samples.csv "$build/bench" "${slow[@]}" >out 2>err &
pid=$!
until [ -e r/stop/samples.csv ] && [ "$(rows r/stop/samples.csv)" -ge 4 ] || ! kill -0 $pid; do
    sleep 0.02
done
kill -INT $pid
wait $pid
ok "exit code 130" test $? = 130
ok "says how to go on" grep -q "the same command continues" err
kept=$(rows r/stop/samples.csv)
ok "some samples kept ($kept)" holds "$kept >= 4 && $kept < 12"
ok "rows say so" grep -q "interrupted.*[0-9] of 6 repeats" r/stop/cells.csv
# as kill -9 in a write would leave it
head -c -5 r/stop/samples.csv >torn && cp torn r/stop/samples.csv
ends 0 "${slow[@]}"
ok "went on" test "$(rows r/stop/samples.csv)" = 12
ok "complete" test "$(column r/stop/cells.csv status | sort -u)" = ok
ok "no sample twice" test "$(column r/stop/samples.csv key,repeat | sort | uniq -d | wc -l)" = 0
ok "two sessions" test "$(grep -c '"command"' r/stop/environment.json)" = 2

# --- one bench at a time writes to a folder
in_orders euler
(
    flock 9
    cells 2 --n 10 --solvers cvode --out r/order
    ok "a folder in use" grep -q "another bench writes there" err
    exit $failed
) 9<r/order
failed=$((failed | $?))

# --- the yardstick is a CVODE at least as accurate, at any speed of another
yardstick() { # yardstick ERROR OF CVODE: what euler is compared with
    cells 0 --n 20 --solvers cvode,euler --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 1 \
        --schedules static --out r/yardstick >/dev/null
    awk -F, -v OFS=, -v e="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["solver"] == "cvode" {
            $at["err_p95"] = $at["err_p95_active"] = e
        } 1' r/yardstick/cells.csv >edited
    cp edited r/yardstick/cells.csv
    cells 0 --n 20 --solvers cvode,euler --engines cpu-scalar --threads 1 --rtol 1e-3 --repeats 1 \
        --schedules static --out r/yardstick >/dev/null
    awk '$1 == "euler"' r/yardstick/table.txt | grep -oE "(cvode|\(none).*"
}
ok "a CVODE as accurate is compared" test "$(yardstick 1e-6)" = "cvode static rtol 0.001"
ok "a coarser one is not" test "$(yardstick 0.5)" = "(none)"

# --- wrong use and input: code 2, a message, nothing written
by_hand
in_orders euler
for wrong in "--n 301" "--n 0" "--n 64,x" "--dt -1" "--solvers none" "--solvers euler:speed=2" \
    "--solvers euler:factor=x" "--solvers euler:factor=" "--solvers euler:factor=nan" \
    "--solvers euler:rtol=inf" "--solvers euler:rtol=-1" "--engines tpu" "--orders up" \
    "--schedules later" "--threads none" \
    "--rtol 1e-3,1e-4 --atol 1,2,3" "--block 31" "--block 2048" "--block x" "--repeats 0" \
    "--budget 0" "--seed x" "--steps 0" "--sample odd" "--price 0,1" "--price 1,2,3" \
    "--block papers" "--reactor q" "stray"; do
    # shellcheck disable=SC2086
    cells 2 --out r/wrong $wrong
    ok "a message for $wrong" test -s err
done
wrong() { # wrong MESSAGE OPTION VALUE ...: refused with that message
    message=$1
    shift
    cells 2 --out r/wrong "$@"
    ok "... names the option: $message" grep -q -e "$1: $message" err
}
for option in --n --dt --solvers --engines --schedules --orders --rtol --atol --threads --block \
    --run --label \
    --references; do
    wrong "the value is empty" $option ""
done
for option in --n --solvers --rtol --threads; do
    wrong "'.*' has an empty word" $option 1e-3,,1e-4
    wrong "'.*' has an empty word" $option ,
done
for value in factor=nan rtol=inf factor= factor=x; do
    wrong "wrong option at '$value'" --solvers euler:$value
done
for value in 0 -1 1e7; do
    wrong "'euler:factor=$value': factor = .*, expected a number from 0.001 to 1e+06" \
        --solvers euler:factor=$value
done
wrong "'euler:factor=2:rtol=1:factor=3': factor stands twice" \
    --solvers euler:factor=2:rtol=1:factor=3
wrong "'euler:rtol=10': rtol = 10, expected more than 0 and 1 at most" --solvers euler:rtol=10
wrong "'twin:slice=1.5': slice = 1.5, expected a whole number from 0 to 1e+15" \
    --solvers twin:slice=1.5 --engines cpu-scalar,gpu-thread
for option in --run --label; do
    wrong "'.*' is not the name of a folder" $option ../../away
    wrong "'.*' is not the name of a folder" $option ..
done
cp toy.npy $'t\xf6y.npy' && cp toy.json $'t\xf6y.json'
ends 2 --mech toy.so --db $'t\xf6y.npy' --dt 1e-6 --n 10 --solvers euler --out r/latin
ok "a name that is not UTF-8 is told" says "environment.json: not written: .* is not UTF-8"
ok "and nothing is left that stops a later run" test ! -e r/latin/environment.json
ends 2 --mech toy.so --db toy.npy --n 10 --run references
ok "a run is not kept among the references" grep -q "folder of reference solutions" err
for number in 99999999999999999999 -1 2.5 1e2; do
    wrong "'$number' is not a whole number" --seed $number
done
wrong "'5000000000' is not a whole number from 1 to" --repeats 5000000000
wrong "'4294967297' is not a whole number from 1 to" --max-substeps 4294967297
ends 2 --mech toy.so
ends 2 --mech nosuch --db toy.npy
ok "hint" grep -q "make .*MECH=nosuch" err
ends 2 --mech nosuch.so --db toy.npy
ends 2 --mech old.so --db toy.npy
ok "version" grep -q "interface version 99" err
ends 2 --mech toy.so --db nosuch.npy
head -c 1000 toy.npy >cut.npy
ends 2 --mech toy.so --db cut.npy
ok "nothing written" test ! -e r/wrong
cp r/order/divergence.csv whole.csv
echo "key,order" >r/order/divergence.csv
cells 2 --n 150 --solvers euler --out r/order
ok "other columns are named" grep -q "divergence.csv:1: other columns" err
cp whole.csv r/order/divergence.csv
cp r/order/samples.csv whole.csv
at='NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }'
awk -F, -v OFS=, "$at"' NR == 3 { $at["rtol"] = "1e-3s" } 1' whole.csv >r/order/samples.csv
cells 2 --n 150 --solvers euler --out r/order
ok "what is not a number is named with its line" grep -q "samples.csv:3: .*not a number: '1e-3s'" \
    err
t='$at["time_s"]'
for fault in "$t = \"nan\"/time_s is not a number" "$t = \"inf\"/time_s is not a number" \
    "$t = \"\"/time_s is empty" "$t = -1/time_s is negative" '$1 = "0"/key is not 16 hexa' \
    'NF--/[0-9]* fields where the header has'; do
    awk -F, -v OFS=, "$at NR == 3 { ${fault%/*} } 1" whole.csv >r/order/samples.csv
    cp r/order/samples.csv damaged.csv
    cells 2 --n 150 --solvers euler --out r/order
    ok "${fault#*/}" grep -q "samples.csv:3: ${fault#*/}.*(mend or delete" err
    ok "... nothing is rewritten" cmp -s damaged.csv r/order/samples.csv
done
cp whole.csv r/order/samples.csv
cp r/order/cells.csv whole.csv
for fault in '$at["rtol"] = "nan"/rtol is not a number' '$at["rtol"] = ""/rtol is empty'; do
    awk -F, -v OFS=, "$at NR == 2 { ${fault%/*} } 1" whole.csv >r/order/cells.csv
    cells 2 --n 150 --solvers euler --out r/order
    ok "${fault#*/} in cells.csv" grep -q "cells.csv:2: ${fault#*/}" err
done
echo "broken" >r/order/cells.csv
cells 2 --n 150 --solvers euler --out r/order
./toydb other.npy 299
ends 2 --mech toy.so --db other.npy --dt 1e-6 --sample first --n 100 --out r/a
ok "other inputs" grep -q "other sources or inputs" err
one_run() { # one_run EXPECTED ARGUMENTS...
    ends "$1" --mech toy.so --db toy.npy --dt 1e-6 --sample first --n 10 --solvers euler \
        --engines cpu-scalar --threads 1 --repeats 1 --out r/one-run "${@:2}"
}
one_run 0
for other in "--reactor v" "--seed 2" "--max-substeps 99" "--reference euler:rtol=1e-9"; do
    # shellcheck disable=SC2086 # words
    one_run 2 $other
    ok "${other%% *} is of another run" grep -q "other sources or inputs" err
done

# --- a full disk (a limit on the size of files ends writes in the same way)
(
    ulimit -f 4
    "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 --sample first \
    --n 10 --solvers cvode,euler --engines cpu-scalar \
        --threads 1 --repeats 60 --out r/full >out 2>err
)
ok "exit code 2" test $? = 2
ok "message" grep -q "not written" err
ok "no temporary files" test -z "$(find r -name '*.tmp*')"
ok "whole lines" test "$(tail -c 1 r/full/samples.csv | od -An -c | tr -d ' ')" = '\n'
ok "and there are some" test "$(rows r/full/samples.csv)" -gt 10

# --- auto: of the measured table what is there; the row names it and the error asked for
cells 0 --n 64 --solvers cvode,auto:rtol=1e-4,auto --engines cpu-scalar,cpu-simd --threads 1,2 \
    --rtol 1e-3,1e-6 --repeats 1 --out r/auto
ok "a row for each error asked for" test "$(column r/auto/cells.csv \
    auto_error,solver,engine,threads 'f["auto_error"] > 0' | sort -g | tr '\n' ' ')" = \
    "1e-06,cvode,cpu-scalar,1 1e-06,cvode,cpu-scalar,2 0.0001,cvode,cpu-scalar,1 \
0.0001,cvode,cpu-scalar,2 0.001,cvode,cpu-scalar,1 0.001,cvode,cpu-scalar,2 "
ok "beside those of the user" test "$(rows r/auto/cells.csv)" = 12
ends 2 --mech toy.so --db toy.npy --solvers auto:h0=1 --engines cpu-scalar
ends 2 --mech toy.so --db toy.npy --solvers auto --engines cpu-simd
ok "auto says what is missing" says "auto: no solver of its table"
ends 2 --mech toy.so --db toy.npy --solvers auto --engines cpu-scalar --rtol 1e-13
ok "and what nothing holds" says "measured to hold an error of 1e-13 (the least is"

# --- the machine as env prints it: a GPU that is made up, a tree, processors that may be used
unset OMP_NUM_THREADS # nproc looks at it
mkdir -p bin tree/plots/papers
cat >bin/nvidia-smi <<'EOF'
#!/bin/sh
case $1 in
--query-gpu=name) echo "NVIDIA X100 (TM)" ;;
--query-gpu=name,driver_version,memory.total) echo "NVIDIA X100, 1.2, 80 MiB" ;;
--query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw) echo "1 MHz, 2 MHz, 3, 4 W" ;;
esac
(exit $MADE_UP_CODE)
EOF
printf '#!/bin/sh\necho "rodas4 12ab"\necho alone\n' >tree/plots/papers/sources
chmod +x bin/nvidia-smi tree/plots/papers/sources
cat >machine.c <<'EOF'
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    memset(set, 0, size);
    return getenv("MADE_UP_CODE") || syscall(SYS_sched_getaffinity, pid, size, set) < 0 ? -1 : 0;
}
int getloadavg(double *load, int n)
{
    for (int i = 0; i < n; i++)
        load[i] = i + 0.5;
    return getenv("MADE_UP_CODE") ? -1 : n;
}
EOF
"$cc" -shared -fPIC machine.c -o machine.so || exit 2
environment() { # environment KEY [PROGRAM...]: its value
    PATH=$PWD/bin:$PATH LD_PRELOAD=$PWD/machine.so "${@:2}" "$build/env" ${toy:+"$toy"} |
        sed -n "s/^$1  *//p"
}
proc() { sed -n "s/^$1[[:space:]]*: *//p" /proc/cpuinfo | head -1; }
is() { # is WANTED KEY [PROGRAM...]
    ok "${*:2} is $1" test "$(environment "${@:2}")" = "$1"
}
cpu=$(proc "model name")
plain=$(echo "${cpu%%@*}" | tr A-Z a-z | tr -c 'a-z0-9\n' ' ' | xargs -n 1 |
    grep -vxE 'r|tm|cpu|processor|core|with' | paste -sd-)
[ -z "$cpu" ] || is "$cpu" cpu
[ -z "$cpu" ] || is "$plain-$(nproc)c-nvidia-x100" machine
is "NVIDIA X100, 1.2, 80 MiB" gpu
is "1 MHz, 2 MHz, 3, 4 W" gpu_now
is - gpu env MADE_UP_CODE=1
is "[0.5, 1.5, 2.5]" load
is "[-1.0, -1.0, -1.0]" load env MADE_UP_CODE=1
flags=" $(proc flags)$(proc Features) "
is "$(for f in sse4_2 avx fma avx2 avx512f avx512dq avx512vl asimd sve sve2; do
    [[ $flags != *" $f "* ]] || echo $f
done | xargs)" isa
is "$(getconf GNU_LIBC_VERSION)" libc
is "$(nproc)" cores
is 1 cores env MADE_UP_CODE=1
is "unknown processors" placement env MADE_UP_CODE=1
MADE_UP_CODE=1 LD_PRELOAD=$PWD/machine.so cells 0 --n 1 --solvers euler --engines cpu-scalar \
    --threads 1 --repeats 1 --out r/anywhere
ok "processors that cannot be asked for have no clock" test -z \
    "$(column r/anywhere/samples.csv clock_MHz)"
ok "the date is now" test "$(date -u +%s -d "$(environment date)")" -ge $(($(date +%s) - patience))
is unknown git env -u KB_GIT
is unknown git env KB_GIT=
is 12ab git env KB_GIT=12ab
toy=$PWD/toy.so
is cc solvers_compiler
is -O1 solvers_flags
toy=
first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
where() { # where WANTED VARIABLE...: threads of OpenMP on the first processor
    ok "${*:2}: threads $1" test "1 processor ($first), threads $1" = "$(environment placement \
        env -u OMP_PROC_BIND -u OMP_PLACES "${@:2}" taskset -c "$first" |
        sed 's/, of which[^,]*//')"
}
where "may move (OMP_PROC_BIND=true pins them)" A=
where "may move (OMP_PROC_BIND=true pins them)" OMP_PROC_BIND=FALSE OMP_PLACES=cores
where pinned OMP_PROC_BIND=true
where pinned OMP_PLACES=cores
all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
[ "$(nproc)" = 1 ] || ok "all that may be used" test "$(nproc) processors ($all)" = "$(environment \
    placement | sed 's/,[^0-9].*//')"
(
    unset KB_GIT && cd tree && git init -q . && git add plots &&
        git -c user.name=a -c user.email=b commit -q -m "Begin" || exit 2
    environment() { "$build/env" | sed -n "s/^$1  *//p"; }
    is "$(git rev-parse HEAD)" git
    : >other
    is false dirty
    is '{"rodas4": "12ab"}' sources
    echo more >>plots/papers/sources
    is true dirty
    is '{}' sources
    exit $failed
)
failed=$((failed | $?))

# --- the list of solvers
ends 0 --mech toy.so --list
screen bench-list
ends 0 --mech toy.so --list --json
screen bench-list-json

# --- the default folder
cells 0 --n 10 --solvers euler --engines cpu-scalar --threads 1 --repeats 1
ok "results of the last run" test "$(rows results/latest/cells.csv)" -ge 1
# another bench that begins meanwhile takes the link, and make would show its run for ours
last=$(readlink results/latest)
ln -sfn gone results/latest && ln -s gone results/latest.tmp # of a bench that was killed
held_library
LD_PRELOAD=$dir/held.so KB_HELD=/cells.csv "$build/bench" --mech toy.so --db toy.npy --dt 1e-6 \
    --n 11 --sample first --quiet --solvers euler --engines cpu-scalar --threads 1 --repeats 1 \
    >"$dir/out" 2>"$dir/err" &
until grep -qs '^State:.[TZ]' "/proc/$!/status"; do sleep 0.01; done
ok "a run that goes on is the last" test "$(readlink results/latest)" = "$last"
ln -sfn other results/latest
kill -CONT $!
wait $!
ok "... is that of the bench that ended last" test "$(readlink results/latest)" = "$last"
rm results/latest && mkdir results/latest
cells 0 --n 10 --solvers euler --engines cpu-scalar --threads 1 --repeats 1
ok "a folder of that name stays, and nothing beside it" test "$(ls -d results/latest*)" = \
    results/latest

exit $failed
