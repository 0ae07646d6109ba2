#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tune: the table from made-up matrices, and that of the committed results. Run from the repository
# root: [KB_BUILD=build] tests/scripts/test_tune.sh
# beside others
build=${KB_BUILD:-build}
. tests/scripts/check.sh

mkdir -p "$dir/toy/matrix" "$dir/alone/single" "$dir/alone/lanes" \
    "$dir/alone/one"
head=run,nsp,n,dt_s,order,solver,engine,schedule,threads
head=$head,rtol,atol,time_s,err_p95,failed,wrong,status
row() { # row SOLVER ENGINE THREADS RTOL TIME ERROR [STATUS] [ORDER]
    echo "toy,9,1000,1e-06,${8:-shuffled},$1,$2,refill,$3,$4,1e-10,$5,$6,0,0,${7:-ok}"
}
{
    echo $head
    row rodas4 cpu-simd 4 1e-4 0.010 1e-4
    row rodas4 cpu-simd 1 1e-3 0.001 1e-4
    row rodas4 cpu-simd 4 1e-6 0.020 1e-6
    row radau2a cpu-simd 4 1e-6 0.031 1e-5
    row ros3 cpu-simd 4 1e-6 0.029 1e-5
    row vode cpu-simd 4 1e-6 0.031 1e-6
    row radau2a:pass=1 gpu-block 128 1e-6 0.002 1e-5
    row rodas4 gpu-block 128 1e-6 0.001 1e-7 failed
    row rodas4 gpu-block-dense 128 1e-6 0.001 1e-7
    row point_implicit cpu-simd 4 1e-6 0.001 1e-7
    row radau2a:host=64 gpu-block 128 1e-6 0.001 1e-7
    row rkck cpu-simd 4 1e-6 0.001 1e-7 ok generated
    row rkf45 cpu-simd 4 1e-2 0.0005 0.1 # the largest error that auto may choose
    row rkc cpu-simd 4 1e-2 0.0004 0.1000001
    row plug cpu-plugin 4 1e-6 0.001 1e-7 # no engine of ours
} >"$dir/toy/matrix/cells.csv"
{ echo $head; row rodas4 cpu-simd 4 1e-4 0.0001 1e-9; } >"$dir/alone/single/cells.csv"
{ # one method, beside another that is not sound, or not on an engine of every build
    echo $head
    row rodas4 cpu-simd 4 1e-4 0.0001 1e-9
    row rodas4:pass=1 cpu-simd 4 1e-4 0.0001 1e-9
    row ros3 cpu-simd 4 1e-4 0.0001 1e-9 failed
    row ros3 gpu-block-dense 128 1e-4 0.0001 1e-9
    row cvode cpu-simd 4 1e-4 0.0001 1e-9
} >"$dir/alone/one/cells.csv"
{ echo $head; for s in rodas4 ros3; do row $s cpu-scalar 4 1e-4 0.0001 1e-9; done; } \
    >"$dir/alone/lanes/cells.csv"
run="tune --results $dir/toy --out $dir/tuned.def"
rows() { grep -c '^TUNED' "$dir/tuned.def"; }

ok "the table is written" code 0 $run
screen tuned.def "$dir/tuned.def"
ok "with the rows that nothing beats by half" test "$(rows)" = 5
ok "with their options" grep -q '"radau2a:pass=1", "gpu-block"' "$dir/tuned.def"
ok "times for one ODE" grep -q 'KB_REFILL, 1e-06, 1e-10, 4, 20, 0)' "$dir/tuned.def"
ok "it is up to date" code 0 $run --check
echo >>"$dir/tuned.def"
ok "and then it is not" code 1 $run --check
ok "... its choices are told all the same" grep -q "^matrix" "$dir/out"
# a table of another commit's form: one column less, as its head says
sed 's/, CPU threads,/,/' "$dir/tuned.def" >"$dir/other.def"
cp "$dir/other.def" "$dir/kept.def"
ok "a table of other columns" code 2 tune --results "$dir/toy" --out "$dir/other.def"
ok "... is told" says "other.def has other columns than this build writes (.make tune. builds it"
ok "... and stays" cmp "$dir/kept.def" "$dir/other.def"
ok "... which has none of its choices" test ! -s "$dir/out"
: >"$dir/other.def"
ok "an empty file is a table's place" code 0 tune --results "$dir/toy" --out "$dir/other.def"
ok "a table that cannot be written" code 2 tune --results "$dir/toy" --out "$dir/toy"
ok "... without its choices" test ! -s "$dir/out"
ok "runs with one method, or without lanes, are no matrices" code 3 tune \
    --results "$dir/alone" --out "$dir/none/tuned.def"

# a choice that two runs have measured: the time of the newer, the larger error
mkdir -p "$dir/two/a" "$dir/two/b"
{
    echo $head
    row rodas4 cpu-simd 4 1e-4 0.010 1e-5
    row ros3 cpu-simd 4 1e-4 0.020 1e-6
} >"$dir/two/a/cells.csv"
{
    echo $head
    row rodas4 cpu-simd 4 1e-4 0.012 1e-6
    row ros3 cpu-simd 4 1e-4 0.020 1e-6
} >"$dir/two/b/cells.csv"
dated() { # dated RUN DAY
    echo "{\"sessions\": [{\"before\": {\"date\": \"2026-11-$2T00:00:00Z\"}}]}" \
        >"$dir/two/$1/environment.json"
}
dated a 01 && dated b 02
two="tune --results $dir/two --out $dir/two.def"
ok "two runs" code 0 $two
ok "the newer time" grep -q 'KB_REFILL, 0.0001, 1e-10, 4, 12, 0)' "$dir/two.def"
ok "the larger error" grep -q '1000, 1e-05, "rodas4"' "$dir/two.def"
dated a 03
ok "the other run is newer" code 0 $two
ok "and its time counts" grep -q 'KB_REFILL, 0.0001, 1e-10, 4, 10, 0)' "$dir/two.def"

# of states before reaction and others, before: no rows of both in one cell
mkdir -p "$dir/kinds/a" "$dir/kinds/b" && cp "$dir/two/a/cells.csv" "$dir/kinds/a/"
{
    echo "$head,states"
    row rodas4 cpu-simd 4 1e-4 0.030 1e-5
    row rodas5p cpu-simd 4 1e-4 0.050 1e-6
} | sed '2,$s/$/,before/' >"$dir/kinds/b/cells.csv"
kinds="tune --results $dir/kinds --out $dir/kinds.def"
ok "two kinds of states" code 0 $kinds
ok "the times before reaction" test "$(grep -c '1e-10, 4, [35]0, 1)$' "$dir/kinds.def")" = 2
ok "and no other" test "$(grep -c '^TUNED' "$dir/kinds.def")" = 2

# what holds an error, for each size of mechanism and step: the largest of the runs, of what all of
# them have; of states other than those before reaction a sixth
held() { # held RUN DT SOLVER RTOL ERROR SUBSTEPS [FAILED] [STATUS] [LARGEST] [STATES] [ACTIVE]
    mkdir -p "$dir/held/$1"
    [ -s "$dir/held/$1/cells.csv" ] || echo nsp,solver,rtol,atol,dt_s,err_p95,err_p95_hi,err_max,\
steps_mean,failed,status,states,err_p95_active >"$dir/held/$1/cells.csv"
    echo "${size:-9},$3,$4,1e-12,$2,1e-9,$5,${9:-1e-7},$6,${7:-0},${8:-ok},${10-path},${11-}" \
        >>"$dir/held/$1/cells.csv"
}
for run in a b; do
    for dt in 1e-6 1e-4; do
        held $run $dt rodas4 1e-4 1e-$((${#dt} + 2)) 4
        held $run $dt rodas4 1e-6 1e-9 8
        held $run $dt ros3 1e-4 1e-9 4 $([ $run$dt != b1e-4 ] || echo 1)
        held $run $dt rkck 1e-4 1e-9 4 0 "$([ $run$dt != a1e-6 ] && echo ok || echo skipped)"
    done
done
held a 1e-6 rodas5p 1e-4 1e-9 4
size=13 held c 1e-6 rodas4 1e-4 6e-5 5
sed -i '/^9,rodas4,1e-4,1e-12,1e-4/s/1e-6,1e-7,4/1e-3,12,64/' "$dir/held/b/cells.csv"
held="tune --accuracy $dir/held --out $dir/held.def"
ok "what holds an error" code 0 $held
ok "the largest error, the mean of the substeps" grep -q \
    '^HELD(9, 0.0001, "rodas4", 0.0001, 1e-12, 0.002, 16)$' "$dir/held.def"
ok "of another step its own" grep -q '^HELD(9, 1e-06, "rodas4", 0.0001, 1e-12, .*, 4)$' \
    "$dir/held.def"
ok "of another size, too" grep -q '^HELD(13, 1e-06, "rodas4", 0.0001, 1e-12, 1e-05, 5)$' \
    "$dir/held.def"
ok "a method that failed or was skipped once holds nothing there" test \
    "$(sed -n 's/^HELD(\(.*"r[ok][^d].*"\).*/\1/p' "$dir/held.def" | xargs)" = \
    "9, 1e-06, ros3 9, 0.0001, rkck"
ok "nor one that a run lacks" test "$(grep -c '^HELD' "$dir/held.def")" = 7
for run in a b; do
    for dt in 1e-6 1e-4; do
        held $run $dt rodas5p 1e-5 6e-5 4 0 ok 1e-7 before 3e-5
        held $run $dt rodas5p 1e-6 6e-5 4 0 ok 1e-7 before 1e-6
        held $run $dt rodas5p 1e-7 6e-5 4 0 interrupted 1e-7 after 3e-5
    done
done
ok "errors of states before reaction" code 0 $held
ok "that of the active ODEs" grep -q \
    '^HELD(9, 1e-06, "rodas5p", 1e-05, 1e-12, 3e-05, 4)$' "$dir/held.def"
ok "... and a sixth of that of all" grep -q '^HELD(9, 1e-06, "rodas5p", 1e-06, 1e-12, 1e-05, 4)$' \
    "$dir/held.def"
ok "of other states a sixth" grep -q \
    '^HELD(9, 1e-06, "rodas5p", 1e-07, 1e-12, 1e-05, 4)$' "$dir/held.def"
ok "no runs" code 3 tune --accuracy "$dir/none" --out "$dir/held.def"
ok "it is up to date" code 0 $held --check
echo >>"$dir/held.def"
ok "and then it is not" code 1 $held --check
ok "what is committed is of the committed runs" code 0 tune --accuracy results/accuracy --check
ok "the committed table is that of the committed results" code 0 tune --check
screen tune # its choices beside the fastest, of each run
exit $failed
