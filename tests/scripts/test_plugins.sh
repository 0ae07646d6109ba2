#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Plug-ins of bench (solvers/plugin_api.h): the example and ARKODE are measured and verified like
# other solvers; a plug-in that crashes, loops, writes NaN or is no plug-in is a failed row with a
# reason, and the other rows are there. Run from the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_plugins.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
cc=${CC:-gcc}
root=$PWD
solvers=$build/mech/h2/solvers.so
export GIT_CEILING_DIRECTORIES=$dir
plug() { # plug FAULT: $dir/FAULT.so
    flags=-DFAULT_OF_SYMBOL=0
    [ "$1" = FAULT_SYMBOL ] && flags=-DFAULT_OF_SYMBOL=1
    "$cc" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I. -DFAULT="$1" $flags \
        tests/scripts/fault_plugin.c -o "$dir/$1.so" -lm
}
"$cc" -shared -fPIC -Wall -Wextra -Werror -I. examples/euler.c -o "$dir/euler.so" || exit 2
code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 16 \
    --mech datasets/mechanisms/h2.yaml --solvers "$solvers" --out "$dir/h2.npy" || exit 2
cd "$dir" || exit 2
bench() { # bench EXPECTED ARGUMENTS...
    code "$1" bench --mech "$solvers" --db h2.npy --n 16 --dt 1e-7 --threads 1 --repeats 1 \
        --references ref --quiet "${@:2}"
}
value() { column "$1/cells.csv" "$2" "f[\"solver\"] == \"$3\""; }

# --- the example: first order
ok "a plug-in beside other solvers" bench 0 --out r/a --engines cpu-scalar,cpu-plugin \
    --solvers rodas4,./euler.so:steps=500,euler.so:steps=1000
ok "its rows are ok" test "$(column r/a/cells.csv status 'f["engine"] == "cpu-plugin"' |
    tr '\n' ' ')" = "ok ok "
coarse=$(value r/a err_p95 euler:steps=500) fine=$(value r/a err_p95 euler:steps=1000)
ok "half the step, half the error: $coarse, $fine" holds \
    "$coarse / $fine > 1.9 && $coarse / $fine < 2.1"
ok "its counts" test "$(value r/a rhs_mean euler:steps=500)" = 500
ok "processor time of a solver here" holds \
    "$(column r/a/samples.csv cpu_s 'f["engine"] == "cpu-scalar"' | head -1) > 0"
coarse=$(column r/a/samples.csv cpu_s,steps 'f["solver"] == "euler:steps=500"' | cut -d, -f1)
ok "processor time of its process, in the loop alone" holds \
    "$coarse > 0 && $coarse <= 0.005 + $(value r/a time_s euler:steps=500)"
ok "its time" holds "$(value r/a time_s euler:steps=1000) > 0"
ok "again: nothing is measured" bench 0 --out r/a --engines cpu-scalar,cpu-plugin \
    --solvers rodas4,./euler.so:steps=500,euler.so:steps=1000 --plan
ok "as the plan says" grep -q "3 cached, 0 to measure" out
"$cc" -O1 -shared -fPIC -I"$root" "$root/examples/euler.c" -o euler.so
ok "a plug-in built again is another run" bench 2 --out r/a --solvers ./euler.so
ok "which says so" says "other sources or inputs"
ok "a file that is not there" bench 2 --out r/w --solvers rodas4,./ueler.so
ok "... is told" says "^bench: error: --solvers: there is no file ./ueler.so$"
ok "... and nothing is measured" test ! -e r/w
ok "its options are listed" code 0 bench --mech "$solvers" --list --solvers ./euler.so
ok "with their meaning" grep -q "equal substeps of dt" out
ok "a wrong option" bench 2 --out r/w --solvers ./euler.so:stops=3
ok "is told with those there are" says "euler on cpu-plugin has rtol, atol, steps"

# --- a BLAS with threads of its own has one: workers that wait would count as processor time
cat >blas.c <<'EOF'
#include <stdlib.h>
__attribute__((constructor)) static void load(void)
{
    const char *threads = getenv("OPENBLAS_NUM_THREADS");
    if (!threads || *threads != '1')
        abort();
}
EOF
"$cc" -shared -fPIC -I"$root" "$root/examples/euler.c" blas.c -o blas.so || exit 2
ok "a BLAS within a plug-in has one thread" env -u OPENBLAS_NUM_THREADS \
    "$build/bench" --mech "$solvers" --db h2.npy --n 16 --dt 1e-7 --repeats 1 --references ref \
    --quiet --out r/blas --solvers ./blas.so:steps=50
ok "unless the user says otherwise" env OPENBLAS_NUM_THREADS=2 "$build/bench" --mech "$solvers" \
    --db h2.npy --n 16 --dt 1e-7 --repeats 1 --references ref --quiet --out r/blas2 --solvers \
    rodas4,./blas.so:steps=50
ok "whose word the BLAS has" test "$(column r/blas2/cells.csv status,why 'f["why"] ~ /blas/' |
    sort -u | cut -d' ' -f1)" = "failed,plug-in"

# --- references by another solver than CVODE
# after: the example: first order
ok "a plug-in's own tight solution" bench 0 --out r/own --engines cpu-scalar,cpu-plugin \
    --reference euler:steps=1000 --solvers rodas4,./euler.so:steps=500,./euler.so:steps=1000
ok "has no error by it" holds "$(value r/own err_max euler:steps=1000) == 0"
ok "half its steps have as much as against CVODE" holds "$(value r/own err_p95 euler:steps=500) / \
    $(value r/a err_p95 euler:steps=500) > 0.49 && $(value r/own err_p95 rodas4) > 0"
ok "which another run is" bench 2 --out r/own --engines cpu-scalar --solvers rodas4
ok "a solver of ours" bench 0 --out r/ours --engines cpu-scalar \
    --reference rodas4:rtol=1e-9:atol=1e-15 --solvers rodas4:rtol=1e-6:atol=1e-12
ok "has the error that it has against CVODE" holds "$(value r/ours err_max rodas4) < 1e-5"
ok "no such solver" bench 2 --out r/none --reference nobody --solvers rodas4
ok "is said" says "--reference: no solver 'nobody'"
ok "no such option" bench 2 --out r/none --reference rodas4:stops=1 --solvers rodas4
ok "is said with the option" says "--reference: wrong option at 'stops=1'"

# --- fewer threads than were asked for: OpenMP gives as many as it may
few() { OMP_THREAD_LIMIT=1 bench 0 --out r/few --threads 2 --schedules static \
    --engines cpu-scalar,cpu-simd,cpu-plugin --solvers ./euler.so:steps=50,rodas4,cvode; }
ok "two threads where OpenMP gives one" few
ok "are told in each row" test "$(column r/few/cells.csv engine,why | sort | tr '\n' ' ')" = \
    "$(for e in cpu-plugin cpu-scalar cpu-scalar cpu-simd; do
        echo "$e,used 1 of 2 threads"; done | tr '\n' ' ')"

# --- ARKODE, against CVODE
if [ -e "$build/plugins/arkode.so" ]; then
    for rtol in 1e-4 1e-7; do
        ok "ARKODE at rtol $rtol" bench 0 --out r/ark$rtol --engines cpu-plugin --rtol $rtol \
            --atol 1e-12 --solvers "$build/plugins/arkode.so,$build/plugins/arkode.so:order=5"
    done
    for s in arkode-dirk arkode-erk arkode-dirk:order=5 arkode-erk:order=5; do
        loose=$(value r/ark1e-4 err_max $s) tight=$(value r/ark1e-7 err_max $s)
        ok "$s: error $loose, $tight" holds "$tight < 1e-4 && $tight < $loose"
    done
    ok "counts of the implicit one" holds "$(value r/ark1e-7 lu_mean arkode-dirk) >= 1"
else
    echo "skip - ARKODE: no build/plugins/arkode.so (libsundials-dev has it)"
fi

# --- CVODE in lockstep, on a core
lockstep=$build/mech/h2/cvode-lockstep.so
if [ -e "$lockstep" ]; then
    for rtol in 1e-4 1e-7; do
        ok "CVODE in lockstep at rtol $rtol" bench 0 --out r/lock$rtol --engines cpu-plugin \
            --rtol $rtol --atol 1e-13 --solvers \
            "$lockstep:batch=16$(printf ",$lockstep:batch=5%s" "" :linear=1 :linear=2 :linear=3 \
            :linear=5 :linear=6 :linear=7 :linear=8 :streams=3)"
    done
    for s in batch=16 batch=5 $(printf 'batch=5:linear=%s ' 1 2 3 5 6 7 8); do
        loose=$(value r/lock1e-4 err_max cvode-lockstep:$s)
        tight=$(value r/lock1e-7 err_max cvode-lockstep:$s)
        ok "lockstep $s: error $loose, $tight" holds "$tight < 2e-5 && $loose < 1e-2"
    done
    ok "one batch, one number of substeps" test \
        "$(value r/lock1e-7 steps_mean cvode-lockstep:batch=16)" = \
        "$(value r/lock1e-7 steps_max cvode-lockstep:batch=16)"
    ok "batches at once are those one after another" test \
        "$(value r/lock1e-7 err_max cvode-lockstep:batch=5:streams=3)" = \
        "$(value r/lock1e-7 err_max cvode-lockstep:batch=5)"
    for l in 2 3 7 8; do
        ok "linear=$l solves as the sparse LU" holds \
            "$(value r/lock1e-7 err_max cvode-lockstep:batch=5:linear=$l) / \
            $(value r/lock1e-7 err_max cvode-lockstep:batch=5) < 1.1"
    done
    ok "a preconditioner saves evaluations" holds \
        "$(value r/lock1e-7 rhs_mean cvode-lockstep:batch=5:linear=5) < \
        $(value r/lock1e-7 rhs_mean cvode-lockstep:batch=5:linear=1)"
    ok "a wrong option is a reason" bench 3 --out r/lockw --solvers "$lockstep:order=9"
    ok "in its row" grep -q "order 1 to 5" r/lockw/cells.csv
else
    echo "skip - CVODE in lockstep: no $lockstep (g++ builds it)"
fi

# --- Cantera's reactors, in Python
cantera=$build/mech/h2/cantera.so
if [ -e "$cantera" ]; then
    ok "Cantera" bench 0 --out r/cantera --engines cpu-plugin --dt 1e-5 --solvers \
        "$cantera:rtol=1e-4:atol=1e-10,$cantera:rtol=1e-8:atol=1e-14,$cantera:preconditioned=1"
    errors=$(column r/cantera/cells.csv err_max | tr '\n' ' ')
    ok "its errors: $errors" awk -v e="$errors" 'BEGIN { n = split(e, x, " ")
        exit !(n == 3 && x[1] < 1e-2 && x[2] < 1e-6 && x[3] < 1e-2) }'
    ok "its counts" holds "$(column r/cantera/cells.csv rhs_mean 'f["rtol"] == "1e-08"') > 10"
else
    echo "skip - Cantera: no $cantera (make validate makes its Python)"
fi
"$cc" -std=gnu11 -shared -fPIC -I"$root" -DKB_CANTERA_PYTHON='"/nowhere/python"' \
    -DKB_CANTERA_SCRIPT='"x.py"' -DKB_MECH_FILE='"h2.yaml"' "$root/solvers/plugins/cantera.c" \
    -o "$dir/nopython.so"
ok "without Python" bench 3 --out r/nopython --engines cpu-plugin --solvers ./nopython.so
ok "the row says so" grep -q "nowhere/python does not run" r/nopython/cells.csv

made() { # made PYTHON: by make, for that one
    (cd "$root" && make -s BUILD="$dir/b" MECH=h2 CUDA=0 PYTHON="$1" "$dir/b/mech/h2/cantera.so") \
        >"$dir/out" 2>&1 &&
        tr '\0' '\n' <"$dir/b/mech/h2/cantera.so" | grep -q "^$(command -v "$1")"
}
ok "make builds it for a Python" made sh
ok "and again for another one" made cat

# --- what a plug-in is given
cd "$root" && plug FAULT_NONE && plug GOOD_BATCH && cd "$dir" || exit 2
for reactor in p v; do
    ok "exact Jacobian and linear system, constant $reactor" bench 0 --out r/none$reactor \
        --reactor $reactor --solvers ./FAULT_NONE.so
    ok "no ODE found a difference" test "$(value r/none$reactor failed fault)" = 0
done
ok "a batch by the states alone" bench 0 --out r/batch --solvers ./GOOD_BATCH.so
ok "is measured" test "$(value r/batch status fault) $(value r/batch steps_mean fault)" = "ok 1"

# 192 y of 80 bytes and the bytes before and behind them are four pages to the byte
code 0 ignite --recipe "$root/datasets/recipes/h2-ignition.json" --n 192 \
    --mech "$root/datasets/mechanisms/h2.yaml" --solvers "$solvers" --out wide.npy
ok "a batch that fills its pages" code 0 bench --mech "$solvers" --db wide.npy --n 192 --dt 1e-7 \
    --repeats 1 --references ref --quiet --out r/wide --solvers ./GOOD_BATCH.so
ok "... is measured" test "$(value r/wide status fault | sort -u)" = ok

# --- as many solvers and options as there may be, and what is refused
cat >many.c <<'EOF'
#include "solvers/plugin_api.h"
#define O(n) {"o" #n, "help " #n, n}
#define S(id) {.name = NAME #id, .rtol = RTOL, .atol = ATOL, .options = options, .integrate = CALL}
static const kb_plugin_option options[] = {
    O(1), O(2),  O(3),  O(4),  O(5),  O(6),  O(7),  O(8),  O(9), O(10), O(11), O(12), O(13), O(14),
    O(15), O(16), {OPTIONS > 16 ? "o17" : 0}, {0}};
static int integrate(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                     kb_plugin_work *work)
{
    return 0;
}
static const kb_plugin_solver solvers[] = {S(1), S(2), S(3), S(4), S(5), S(6), S(7), S(8), S()};
const kb_plugin_list *kb_plugin_get(void);
const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, SOLVERS, solvers + FIRST};
    return &list;
}
EOF
many() { # many FLAG...: many.so, of 8 solvers with 16 options each but for these
    "$cc" -shared -fPIC -I"$root" -DSOLVERS=8 -DFIRST=0 -DOPTIONS=16 -DRTOL=1 -DATOL=1 \
        -DNAME='"s"' -DCALL=integrate "$@" many.c -o many.so || exit 2
}
many
bench 0 --list --solvers ./many.so
ok "eight solvers of 16 options" test "$(grep -c '^    s[1-8]:o16=16 .* help 16$' out)" = 8
for flags in "-USOLVERS -DSOLVERS=9" "-USOLVERS -DSOLVERS=0" "-UOPTIONS -DOPTIONS=17" \
    "-URTOL -DRTOL=0" "-UATOL -DATOL=0" "-UCALL -DCALL=0" \
    '-UFIRST -DFIRST=8 -USOLVERS -DSOLVERS=1 -UNAME -DNAME=""'; do
    # shellcheck disable=SC2086 # words
    many $flags
    rm -rf r/many
    bench 3 --out r/many --solvers ./many.so
    echo "${flags##* }: $(column r/many/cells.csv why | sort -u)"
done >refused
screen plugins-refused refused

# --- faults: a failed row with a reason, and rodas4 beside it
fault() { # fault NAME SOLVER REASON [ARGUMENT...]
    (cd "$root" && plug "$1") || exit 2
    ok "$1 does not end the run" bench 0 --out "r/$1" --engines cpu-scalar,cpu-plugin \
        --solvers "./$1.so,rodas4" "${@:4}"
    ok "$1 is a failed row" test "$(value "r/$1" status "$2")" = failed
    ok "$1: $3" grep -q "$3" "r/$1/cells.csv"
    ok "... and not one of those skipped" grep -q "no result: .*0 cells skipped, 1 ended" out
    ok "the other row is there" test "$(value "r/$1" status rodas4)" = ok
}
fault FAULT_CRASH fault "crashed: Segmentation fault"
fault FAULT_LOOP fault "did not end within 3 s" --budget 3
fault FAULT_LATE fault "did not end within 3 s" --budget 3
fault FAULT_NAN fault "wrote nan into unknown 2 of ODE 0 and called it ok"
fault FAULT_BEYOND fault "it wrote outside the y of ODE"
fault FAULT_BEFORE fault "it wrote outside the y of ODE"
fault FAULT_FAR fault "crashed: Segmentation fault"
fault FAULT_STATES fault "crashed: Segmentation fault"
fault FAULT_COUNT fault "a counter of ODE 0 is negative"
fault FAULT_COLD fault "wrote -5 into unknown 0 of ODE 0"
fault FAULT_Y fault "wrote 3 into unknown 1 of ODE 0"
fault FAULT_BATCH_BEYOND fault "it wrote outside y, work or status of its batch"
fault FAULT_BATCH_STATUS fault "it wrote outside y, work or status of its batch"
fault FAULT_STATUS fault "ended with status 77"
fault FAULT_EXIT fault "ended its process"
fault FAULT_START fault "start() failed"
fault FAULT_VERSION FAULT_VERSION "version of the interface"
fault FAULT_NAME FAULT_NAME "a name of letters"
fault FAULT_LOAD FAULT_LOAD "crashed: Aborted"
fault FAULT_HANG FAULT_HANG "did not end within 3 s" --budget 3
fault FAULT_SYMBOL FAULT_SYMBOL "no symbol kb_plugin_get"
fault FAULT_BATCH fault "the batch does not suit"
# processes of this folder whose command line has $1, a pattern that does not match itself
alive() {
    grep -lsz -- "$1" /proc/[0-9]*/cmdline | while read -r process; do
        [ "$(readlink "${process%cmdline}cwd")" != "$(pwd -P)" ] || echo "$process"
    done | wc -l
}
(cd "$root" && plug FAULT_CHILD) || exit 2
ok "a plug-in that leaves processes behind" bench 0 --out r/child --solvers ./FAULT_CHILD.so
ok "... which end with it" test "$(alive 'FAULT_CHIL[D].so')" = 0
"$build/bench" --mech "$solvers" --db h2.npy --n 16 --dt 1e-7 --threads 1 --repeats 1 --quiet \
    --references ref --out r/killed --solvers ./FAULT_LOOP.so >out 2>err &
until [ "$(alive 'FAULT_LOO[P].so')" -ge 2 ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
kill -KILL $!
wait $! 2>/dev/null
gone() { while [ "$(alive 'FAULT_LOO[P].so')" -gt 0 ]; do sleep 0.05; done; }
export -f gone alive
ok "a bench that is killed takes its plug-in along" timeout "$patience" bash -c gone
echo "no object" >FAULT_FILE.so
bench 0 --out r/file --solvers ./FAULT_FILE.so,rodas4 --engines cpu-scalar,cpu-plugin
ok "no object file" grep -q "FAULT_FILE,.*file too short" r/file/cells.csv
bench 2 --out r/twice --solvers ./FAULT_CRASH.so,./FAULT_LOOP.so
ok "two files with solvers of one name" says "CRASH.so and .*LOOP.so both have a solver 'fault'"
if "$root/tests/sanitizers" address; then
    "$cc" -std=gnu11 -g -fsanitize=address -I"$root" "$root/tests/scripts/refused_plugins.c" \
        "$build/libkb.a" -lyaml -ljansson -lmd -lm -ldl -o refused || exit 2
    ln -s "$build/plugin_host" .
    mkdir other && cp FAULT_FILE.so other
    for list in ./FAULT_CRASH.so,./FAULT_LOOP.so \
        rodas4,./euler.so:steps=10,./FAULT_FILE.so,other/FAULT_FILE.so; do
        ./refused "$solvers" "$list" >out 2>err
        ok "$list is refused" test $? -eq 2
        ok "... and leaves no memory behind" test -z "$(grep Sanitizer err)"
    done
    rm plugin_host
    ./refused "$solvers" rodas4,./euler.so >out 2>err
    ok "without plugin_host, too" test $? -eq 2 -a -z "$(grep Sanitizer err)"
    ok "which is told" grep -q "plugin_host is not there" out
else
    echo "skip - memory of plug-ins that are refused: gcc's libasan does not run here"
fi
ok "one file twice" bench 0 --out r/again --engines cpu-plugin \
    --solvers ./euler.so:steps=10,./euler.so:steps=20
ok "has both its rows" test "$(column r/again/cells.csv solver | sort | tr '\n' ' ')" = \
    "euler:steps=10 euler:steps=20 "
exit $failed
