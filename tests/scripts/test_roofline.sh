#!/bin/bash
# SPDX-License-Identifier: MIT
#
# roofline with made-up engines: least times by operations, shared memory and instructions; an
# engine with a part that takes less than its least time has no rows, and the run fails. Run from
# the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_roofline.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
made_up() { # made_up NAME QUICK [FLAG]: $dir/NAME.so
    "${CC:-gcc}" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I. -DQUICK="$2" $3 \
        tests/scripts/made_up_roofline.c base/error.c -o "$dir/$1.so" || exit 2
}
toydb() { # toydb ROWS: $dir/toy.npy
    "${CC:-gcc}" -std=gnu11 -O1 -I. tests/scripts/toy_database.c "$build/libkb.a" -lmd \
        -o "$dir/toydb" && "$dir/toydb" "$dir/toy.npy" "$1"
}
made_up sound 0
made_up quick 1
code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 16 \
    --mech datasets/mechanisms/h2.yaml --solvers "$build/mech/h2/solvers.so" \
    --out "$dir/h2.npy" || exit 2
roofline() { # roofline EXPECTED NAME
    code "$1" roofline --mech "$dir/$2.so" --db "$dir/h2.npy" --out "$dir/$2"
}
least() { # least ENGINE PART COLUMN
    column "$dir/sound/roofline.csv" "$3" "f[\"engine\"] == \"$1\" && f[\"part\"] == \"$2\""
}
table() { # table RUN: its numbers
    column "$dir/$1/roofline.csv" engine,part,nsp,repeats,ns_per_ode,ns_lo,ns_hi,flops,words,\
flop_limit_ns,shared_limit_ns,issue_limit_ns,limit,share >"$dir/table"
}

# --- least times of engines
ok "all parts take their time" roofline 0 sound
ok "an engine that is not here is told" says "gpu-none: not here"
screen roofline
table sound
screen roofline.csv "$dir/table"
sed -n '/"device"/,/}/p' "$dir/sound/environment.json" >"$dir/device"
screen roofline-device "$dir/device"
ok "and has no row" test "$(column "$dir/sound/roofline.csv" engine | sort | uniq -c |
    tr -s ' \n' ' ')" = " 5 gpu-block 5 gpu-pair-float 5 gpu-straight "
ok "operations" test "$(least gpu-block LU flop_limit_ns)" = 1000
ok "words of 8 bytes" test "$(least gpu-block LU shared_limit_ns)" = 800
ok "instructions of 32 threads: pairs of operations, and words" test \
    "$(least gpu-block LU issue_limit_ns)" = 18.75
ok "straight-line code has its own count" test "$(least gpu-straight LU flop_limit_ns)" = 500
ok "and no words" test "$(least gpu-straight LU shared_limit_ns)" = 0
ok "the rates of a pair are in doubles" test "$(least gpu-pair-float rates flop_limit_ns)" = 1000
ok "its solves may be in floats" test "$(least gpu-pair-float solve flop_limit_ns)" = 500
ok "its LU on tensor cores" test "$(least gpu-pair-float LU flop_limit_ns)" = 250
ok "a word serves both" test "$(least gpu-pair-float LU shared_limit_ns)" = 400
ok "the limit is the longest" test "$(least gpu-pair-float LU limit)" = "shared memory"
ok "and the share of it" test "$(least gpu-pair-float LU share)" = 0.4
ok "an attempt is the sum: 5 rates, one with J, an LU, 6 solves" test \
    "$(least gpu-pair-float "attempt of rodas4" flop_limit_ns)" = 8750

# --- a part that was not done
ok "a part below its least time: the run fails" roofline 2 quick
ok "and says which" says "gpu-straight: LU takes 400 ns for one ODE, less than the 500 ns"
ok "the others have their rows" test "$(column "$dir/quick/roofline.csv" engine | sort -u |
    tr '\n' ' ')" = "gpu-block gpu-pair-float "

# --- which states: of the counts 16 spread over the database, of a time as many as are asked for,
# spread, too, or again and again if there are fewer
made_up rows 0 -DROWS=1
toydb 40 || exit 2
for n in 16 40 100; do
    code 0 roofline --mech "$dir/rows.so" --db "$dir/toy.npy" --n $n --out "$dir/rows"
    column "$dir/rows/roofline.csv" ns_per_ode,flops 'f["part"] == "LU"'
done >"$dir/table"
screen roofline-rows "$dir/table"
ok "nothing to measure" test "$(TOY_CARDLESS=1 roofline 3 sound 2>&1; echo $?)" = 0
ok "... is told" says "no card: one core alone"
ok "... as an error" says "nothing was measured: no GPU, no solvers"

# --- times of a core: the samples of toy_solvers.c, whose cpu-simd answers for three parts alone
"${CC:-gcc}" -std=gnu11 -O1 -shared -fPIC -I. tests/scripts/toy_solvers.c base/error.c \
    -o "$dir/toy.so" -lm || exit 2
core() { # core EXPECTED ARGUMENTS...
    code "$1" roofline --mech "$dir/sound.so" --solvers "$dir/toy.so" --db "$dir/h2.npy" \
        --out="$dir/core" "${@:2}"
}
of_core() { column "$dir/core/roofline.csv" "$1" "f[\"engine\"] == \"cpu-scalar\" && $2"; }
ok "with a core" core 0
screen roofline-core
table core
screen roofline-core.csv "$dir/table"
grep -E '"(mech|mech_sha256|path|core_Gflops|solvers_compiler)"' "$dir/core/environment.json" \
    >"$dir/table"
screen roofline-environment "$dir/table"
ok "an engine that lacks a part has no row" test -z "$(column "$dir/core/roofline.csv" part \
    'f["engine"] == "cpu-simd"')"
ok "median and interval of 15 samples, without the first" test \
    "$(of_core repeats,ns_per_ode,ns_lo,ns_hi 'f["part"] == "rates"')" = 15,4000,3920,4080
ok "an attempt: sums of the samples" test \
    "$(of_core ns_per_ode,ns_lo,ns_hi 'f["part"] == "attempt of rodas4"')" = 33048,32648,33448
ok "beside the operations of a core" test "$(of_core flop_limit_ns 'f["part"] == "LU"')" = 1000
ok "a GPU has one sample and no interval" test "$(column "$dir/core/roofline.csv" \
    repeats,ns_lo,ns_hi 'f["engine"] == "gpu-block" && f["part"] == "LU"')" = 1,,
ok "on the screen" grep -Eq "^cpu-scalar +rates +4000 +3920-4080 " "$dir/out"
ok "more repeats" core 0 --repeats 30
ok "... are taken" test "$(of_core repeats 'f["part"] == "solve"')" = 30
ok "two repeats" core 0 --repeats 2
ok "... are the first ones that count" test \
    "$(of_core repeats,ns_per_ode,ns_lo,ns_hi 'f["part"] == "rates"')" = 2,4040,4000,4080
ok "one repeat has no interval" core 2 --repeats 1
# the toy's LU takes 1 ns for each state of a sample: of 16 in 39 ms, 0.39 and 3.9 s by this clock,
# as many as take 1.5 s
for look in 30000 300000 3000000; do
    "${CC:-gcc}" -O1 -DLOOK=$look -shared -fPIC tests/scripts/made_up_clock.c -o "$dir/slow.so" ||
        exit 2
    LD_PRELOAD=$dir/slow.so core 0 --repeats 2
    of_core ns_per_ode 'f["part"] == "LU"'
done >"$dir/table"
ok "states of a sample, by the time of 16" test "$(xargs <"$dir/table")" = "608 48 16"

# --- kernels of linear algebra in made-up times, to the byte
"${CC:-gcc}" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I. tests/scripts/toy_kernels.c \
    base/error.c -o "$dir/kernels.so" -lm && toydb 20 || exit 2
kernels() { # kernels EXPECTED ARGUMENTS...
    rm -rf "$dir/kernels"
    ok "kernels ${*:2} ends with $1" code "$1" kernels --mech "$dir/kernels.so" \
        --db "$dir/toy.npy" --distinct 7 --out "$dir/kernels" --quiet "${@:2}"
    column "$dir/kernels/kernels.csv" "$columns" >"$dir/table"
}
columns=schema,mech,kernel,engine,layout,precision,matrix,m,n,segments,block,repeats,time_s,\
time_lo_s,\
time_hi_s,us_per_system,flops_per_system,gflops,bytes_per_system,bandwidth_GBs,copy_GBs,\
copy_percent,sectors_per_request,sector_bytes_per_system,sector_GBs,shared_bytes,storage_bytes,\
backward_error,componentwise_error,pivoted_difference,differing,speedup_dense,speedup_pivoted,\
speedup_sparse_simd,status,why
kernels 0 --sizes 3,2,100 --n 64,16 --segments 1,2,3,8 --block 32 --gamma 1e-5 --budget 1e9
screen kernels
screen kernels.csv "$dir/table"
sed -n '/"schema"/,/"distinct"/p; /"database": {/,/}/p; /"device"/,/}/p
    /"before"\|"after"\|"date"/s/:.*//p' "$dir/kernels/environment.json" |
    grep -v '"command"' >"$dir/table"
screen kernels-environment "$dir/table"
ok "of which tree" test -z "$(column "$dir/kernels/kernels.csv" machine,git,dirty | sort -u |
    grep -vE '^[^,]+,[^,]+,[01]$')"
columns=kernel,engine,matrix,m,n,repeats,status,why
kernels 0 --kernels dense,rows --sizes 2,30 --n 1000,100000000 --budget 1e-9
screen kernels-skipped "$dir/table"
TOY_WRONG=1 kernels 1 --kernels pivoted --sizes 2 --budget 1e-9
ok "other answers are told" says "pivoted cpu-scalar contiguous: [0-9]* systems differ from others"
TOY_NAN=1 kernels 1 --kernels pivoted --sizes 2 --budget 1e-9
ok "no answer is told" says "pivoted cpu-scalar contiguous: a solution is not finite"
# one cell alone
only() { # only EXPECTED ARGUMENTS...
    code "$1" kernels --mech "$dir/kernels.so" --kernels "${@:2}" --out "$dir/only" --quiet
}
ok "one cell" only 0 pivoted --sizes 2
TOY_NAN=1 ok "... that is wrong" only 1 pivoted --sizes 2
ok "none that fits" only 3 rows --sizes 2
# a pass takes 3 us of a made-up clock: as many as the budget has room for, three at least
"${CC:-gcc}" -O1 -DLOOK=3 -shared -fPIC tests/scripts/made_up_clock.c -o "$dir/clock.so" || exit 2
for budget in 8e-6 10e-6 14e-6 17e-6 20e-6 30e-6; do
    LD_PRELOAD=$dir/clock.so code 0 kernels --mech "$dir/kernels.so" --kernels pivoted --sizes 2 \
        --repeats 7 --budget $budget --out "$dir/kernels" --quiet
    column "$dir/kernels/kernels.csv" repeats
done >"$dir/table"
ok "repeats within a budget" test "$(xargs <"$dir/table")" = "3 3 4 5 6 7"
TOY_CARDLESS=1 kernels 0 --sizes 2 --n 16
ok "without a card: its kernels are left out" test "$(cut -d, -f2 "$dir/table" | sort | uniq -c |
    xargs)" = "4 cpu-scalar 3 cpu-simd"
ok "... and its line" test "$(grep -c "a copy in its memory" "$dir/out")" = 0
ok "which is told" test "$(TOY_CARDLESS=1 "$build/kernels" --mech "$dir/kernels.so" --sizes 2 \
    --kernels pivoted --out "$dir/kernels" 2>&1 | grep -c '^no card: CPU only$')" = 1
kernels 3 --kernels rows --sizes 2
ok "nothing measured is told" says "no cell could be measured"
kernels 2 --kernels none
ok "the kernels there are" says "no kernel 'none' (there are dense, pivoted, sparse, rows)"
kernels 2 --sizes 0.5
kernels 2 --sizes 1001
ok "a size is told" says "sizes: '1001' is not a whole number from 1 to 1000"

# --- Ctrl-C after the first of two matrices
# after: kernels
held INT kernels.csv "$build/kernels" --mech "$dir/kernels.so" --kernels pivoted --sizes 2,3 \
    --out "$dir/held" --quiet
ok "Ctrl-C ends kernels" test $ended = 130
ok "... and says where it is" says "interrupted; what is measured is in $dir/held/kernels.csv"
ok "... with what was measured" test "$(column "$dir/held/kernels.csv" m)" = 2
exit $failed
