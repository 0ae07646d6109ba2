#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a person types: variables of make and slips in them, what make bench builds by default, man
# pages and completion of every program, missing packages. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_interfaces.sh
build=${KB_BUILD:-build}
make=${MAKE:-make}
. tests/scripts/check.sh
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

make_ends() { # make_ends CODE ARGUMENTS...
    expected=$1
    shift
    "$make" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$expected" ]
}
prints() { grep -qE -- "$1" "$dir/out"; }

# --- variables
ok "a slip is refused" make_ends 2 -n bench SOLVER=rodas4
ok "and what is meant is named" says "no variable SOLVER (did you mean SOLVERS?)"
make_ends 0 -n bench MECH=h2 DT=1e-6 CUDA=0 BUILD="$dir/first"
ok "a first run builds what bench needs" grep -q -- '-c drivers/bench/summary.c' "$dir/out"
ok "and no other program" test \
    "$(grep -cE -- '-c drivers/(flow|claims|report|compare|kernels|tune|dbinfo)/' "$dir/out")" = 0
ci/variables MEHC 2>"$dir/err"
ok "letters that are exchanged, too" says "no variable MEHC (did you mean MECH?)"
ok "one that is near nothing" make_ends 2 -n bench XYZZYXYZZY=1
ok "is named alone" says "no variable XYZZYXYZZY; make help"
# --- variables and options that texts print
texts() { # texts PATTERN: what it finds in them
    grep -rohIE --exclude-dir=out -- "$1" README.md CONTRIBUTING.md ci/help docs drivers examples \
        flow library pasr plots python solvers datasets/README.md results/README.md
}
texts '(`|\(|    )make [a-z-]+( [A-Z][A-Z_]*=[^ `]*)+' | grep -oE ' [A-Z][A-Z_]*=' |
    tr -d ' =' | sort -u >"$dir/named"
ok "variables: a list" test "$(wc -l <"$dir/named")" -gt 40
xargs ci/variables <"$dir/named" >"$dir/out" 2>"$dir/err"
ok "... each is one" test $? = 0
texts '(build/|kinbench )[a-z_]+ [^`#]*' | awk '{
    sub(/^(build\/|kinbench )/, "")
    for (i = 2; i <= NF; i++)
        if ($i ~ /^--[a-z]/) {
            sub(/[^-a-z0-9].*/, "", $i)
            print $1, $i
        }
}' | grep -v '^and ' | sort -u >"$dir/named"
ok "options of programs: a list" test "$(wc -l <"$dir/named")" -gt 60
while read -r program option; do
    { "$build/$program" --help || "$build/kinbench" help "$program"; } 2>&1 |
        grep -qE -- "$option\b" || echo "$program has no $option"
done <"$dir/named" >"$dir/out"
ok "... each is one" test ! -s "$dir/out"
# --- values that no program takes: one message, before anything is built
wrong() { # wrong VALUE MESSAGE [GOAL]: with the offending word and what is near
    ok "$1 is refused" make_ends 2 "${3:-bench}" MECH=h2 CUDA=0 BUILD="$dir/none" "$1"
    ok "... before anything is built" test ! -s "$dir/out" -a ! -d "$dir/none"
    ok "... with the word: $2" says "^make: $1: $2"
}
wrong SOLVERS=rodas9 "there is no 'rodas9' (did you mean rodas[0-9a-z]*?); there are .* cvode"
wrong METHODS=rodas9 "there is no 'rodas9' (did you mean rodas[0-9a-z]*?); there are rkck "
wrong SOLVERS=rodas4:pas=1 "no solver has an option 'pas'"
wrong SOLVERS=rodas4:pass=x "'pass=x' is no option=number"
wrong ENGINES=cpu-simt "there is no 'cpu-simt' (did you mean cpu-simd?)"
wrong ENGINES=gpu-pair "gpu-pair is not built here"
wrong ENGINES=cpu-simd-unsorted "cpu-simd-unsorted is built with VARIANTS=unsorted"
wrong N=abc "'abc' is no number"
wrong N=1,0 "'0' is not in its range: from 1"
wrong N=1.5 "'1.5' is no whole number"
wrong N=-5 "'-5' is not in its range: from 1"
wrong N=1e3 "'1e3' is no whole number"
wrong N=99999999999999999999 "'99999999999999999999' is too large"
wrong DT=1e400 "'1e400' is too large"
wrong DT=1e-6, "it has an empty word"
wrong RANKS=0 "'0' is not in its range: from 1"
wrong FORMAT=xml "there is no 'xml'; there are json" plan
wrong LABEL=a/b "it is the name of a folder, without a slash"
wrong RUN=../x "it is the name of a folder, without a slash" verify
wrong DT=1e-6,0 "'0' is not in its range: more than 0"
wrong RTOL=1e-3,2 "'2' is not in its range: more than 0, at most 1"
wrong REPEATS=1000001 "'1000001' is not in its range: 1 to 1000000"
wrong ORDER=sorted-t "there is no 'sorted-t' (did you mean sorted-T?)"
wrong SCHEDULE=statik "there is no 'statik' (did you mean static?)"
wrong FULL=yes "it is 1 or 0"
wrong SYSTEMS=0 "'0' is not in its range: 1 to 100000000" kernels
wrong SCHEME=mp6 "there is no 'mp6' (did you mean mp5?)" flow
wrong CASE=stp "there is no 'stp' (did you mean step?)" flow
wrong CASE=none.json "there is no such file" flow
wrong FORMAT=jsn "there is no 'jsn' (did you mean json?)" compare
wrong P=0 "'0' is not in its range: 1 to 1e9" detonation
wrong LEVELS=v3,v5 "there is no 'v5'" install
mkdir "$dir/home" && touch "$dir/home/letter" && touch -d 2000-01-01 "$dir/home/empty.h"
for folder in "" "$dir/home"; do # which make clean would remove
    ok "BUILD=$folder is refused" make_ends 2 clean BUILD="$folder"
    ok "... with what it wants" says "BUILD=$folder: give it a folder of its own"
done
ok "... and keeps what it has" test -e "$dir/home/letter" -a -e "$dir/home/empty.h"
ok "THERMO= that is not there" make_ends 2 -n solvers MECH=h2 THERMO="$dir/none"
ok "... is named" says "THERMO=$dir/none: there is no such file"
ok "SOURCE= that is not there" make_ends 2 -n import MECH=h2 SOURCE="$dir/none"
ok "... is named" says "SOURCE=$dir/none: there is no such file"
make_ends 2 -n bench METHODS=vode SOLVERS=ros3
ok "a solver that METHODS= leaves out" says "SOLVERS=ros3: METHODS=vode builds no ros3"
ok "states that are not there" make_ends 2 -n bench MECH=h2 CUDA=0 DB="$dir/none.npy"
ok "... are named" says "DB=$dir/none.npy: there is no such file of states"
# root, in a container, before Open MPI refuses it; `id` and `mpirun` are made up
mkdir "$dir/bin"
printf '#!/bin/sh\necho 0\n' >"$dir/bin/id"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >"$dir/bin/mpirun"
chmod +x "$dir/bin/id" "$dir/bin/mpirun"
ranks() { # ranks CODE VARIABLE=VALUE...
    PATH="$dir/bin:$PATH" make_ends "$1" -n bench MECH=h2 DT=1e-6 CUDA=0 RANKS=2 MPICC=true \
        BUILD="$dir/none" "${@:2}"
}
make_ends 0 -n BUILD="$dir/none" CUDA=0 MPICC=mine CC=cc "$dir/none/ranks.so"
ok "MPICC= compiles for MPI, whatever CC= is" prints 'mine -fopenmp .*job\.c$'
make_ends 0 -n BUILD="$dir/none" CUDA=0 CC=clang-19 "$dir/none/host/base/csv.o"
ok "loops that clang does not vectorize are no errors" prints 'clang-19 .*-Wno-pass-failed'
unset OMPI_ALLOW_RUN_AS_ROOT
ok "RANKS= as root" ranks 2
ok "... says what mpirun wants" says 'MPIRUN="mpirun --allow-run-as-root" if this is a container'
ok "... which serves" ranks 0 MPIRUN="mpirun --allow-run-as-root"
OMPI_ALLOW_RUN_AS_ROOT=1 ok "and so does the environment" ranks 0
# the default of every option of bench, and what its help names, is taken
GOALS=bench ci/variables N=1024 DT=1e-6,1e-4 SOLVERS=all,auto,cvode-klu:rtol=1e-3 ENGINES=all \
    SCHEDULES=static,refill ORDER=generated,sorted-own,all THREADS=1,all BLOCK=64,paper \
    SAMPLE=first CHAIN=host DISTRIBUTION=static PRECISION=2% PRICE=1,2.5 V=0 \
    >"$dir/out" 2>"$dir/err"
ok "values that serve" test $? = 0
# and so is every word of the experiments, as if nvcc were there
for goal in bench kernels flow flow-bench; do
    # shellcheck disable=SC2046
    GOALS=$goal NVCC=nvcc ci/variables $(awk -F'\t' -v goal="$goal" \
        '$2 == goal { print $3 " --" }' datasets/experiments.tsv)
done >"$dir/out" 2>"$dir/err"
ok "values of experiments" test ! -s "$dir/err"

# every variable that make help names is taken
all=$("$make" -s help | grep -oE '\b[A-Z][A-Z_]+=' | tr -d = | sort -u)
ok "every variable of make help" ci/variables $all
ok "many of them" holds "$(echo "$all" | wc -l) > 40"

# what the makefiles read and nothing in them sets is the user's: make help names it, but for words
# of make, of rules, and SCHEDULE, which is another word for SCHEDULES
makefiles=$(find . -path ./build -prune -o \( -name '*.mk' -o -path ./Makefile \) -print)
# shellcheck disable=SC2086 # words
unhelped=$(grep -ohE '[$][({]([a-z_]+ )?[A-Z][A-Z0-9_]*' $makefiles | sed 's/.*[^A-Z0-9_]//' |
    sort -u | grep -vxF -f <(
        grep -ohE '^(override |export )?[A-Z][A-Z0-9_]* *(:|[+])?=' $makefiles |
            sed 's/.* \([A-Z]\)/\1/; s/ *[:+]*=$//'
        "$make" -s help | grep -oE '\b[A-Z][A-Z0-9_]*=' | tr -d =
        printf '%s\n' CURDIR MAKE MAKECMDGOALS MAKELEVEL MAKEOVERRIDES KB_LANES KB_PAIR_FLOAT \
            KB_MANY KB_STRAIGHT APART LARGE OPTIMISE OMP_WAIT_POLICY PARTS_ PEER_ PLUGIN_LIBS_ \
            SANITIZE SCHEDULE VAR))
ok "no variable without help: $unhelped" test -z "$unhelped"

# --- what make bench builds and runs; a build of its own, with nothing in it
# make test says CUDA=1 where nvcc is; a user does not. One dt is one make
bench() { (unset CUDA && make_ends 0 -n bench MECH=gri30 DT=1e-6 BUILD="$dir/build" GPU= "$@"); }
objects() { grep -oE '[a-z0-9_]+_(scalar|simd)\.o' "$dir/out" | sort -u | tr '\n' ' '; }
ok "make bench" bench
default="evaluate_scalar.o evaluate_simd.o exprb43_scalar.o exprb43_simd.o radau2a_scalar.o \
radau2a_simd.o rodas3_scalar.o rodas3_simd.o rodas4_scalar.o rodas4_simd.o rodas5p_scalar.o \
rodas5p_simd.o "
ok "builds the methods of the default alone" test "$(objects)" = "$default"
ok "and no GPU kernels, whether nvcc is there or not" test "$(grep -c '\.cu ' "$dir/out")" = 0
ok "measures them" prints \
    'bench .*--engines cpu-simd .*--solvers rodas3,rodas4,rodas5p,radau2a,exprb43 '
ok "options that no makefile names" bench SEED=3 MAX_SUBSTEPS=7 QUIET=1 TABLE=0
ok "are those of the program" prints 'bench .*--seed 3 .*--max-substeps 7 .*--quiet '
ok "a wrong value of them" make_ends 2 -n bench MECH=h2 SEED=x
ok "is refused" says "SEED=x: 'x' is no number"
ok "make bench METHODS=vode" bench METHODS=vode
ok "builds vode, and rodas4 for the states" test "$(objects)" = "evaluate_scalar.o \
evaluate_simd.o rodas4_scalar.o rodas4_simd.o vode_scalar.o vode_simd.o "
ok "CVODE among the methods" bench METHODS=vode,cvode
ok "an engine's variant that is none is refused" make_ends 2 bench VARIANTS=dens
ok "and what is meant is named" says "VARIANTS=dens: there is no 'dens' (did you mean dense?)"
chosen() { # chosen METHODS: the methods that are built on cores
    grep -oE 'mech/h2/[a-z0-9_]+_(scalar|simd)\.o' "$dir/out" | sed 's,.*/,,; s/_[a-z]*\.o$//' |
        grep -vE '^(evaluate|lines|flow)' | sort -u | xargs
}
for goal in "bench FULL=1" solvers verify plan dbinfo scaling orders roofline detonation \
    "flow CASE=detonation"; do
    # shellcheck disable=SC2086 # words
    (unset CUDA && make_ends 0 -n $goal MECH=h2 DT=1e-6 BUILD="$dir/build" GPU= \
        METHODS=rkc,vode)
    ok "make $goal METHODS=rkc,vode builds these, and rodas4 for states" \
        test "$(chosen)" = "rkc rodas4 vode"
done
ok "make verify FORMAT=json" \
    make_ends 0 -n verify MECH=h2 DT=1e-6 BUILD="$dir/build" GPU= FORMAT=json
ok "prints nothing but JSON" test -z \
    "$(grep -E '/bench --|/verify results|^plots/verify' "$dir/out" | grep -vE -e '--json$|>&2$')"
ok "FULL=1" bench FULL=1
methods=$(grep -c '^METHOD' solvers/methods.def)
ok "builds all" test "$(objects | wc -w)" = $((2 * methods + 2))
ok "measures all" prints '--engines all .*--solvers cvode,.*vode.* --schedules static,refill'
ok "a choice of solvers is as FULL=1" bench SOLVERS=rodas4
ok "on every engine and schedule" prints '--engines all .*s rodas4 --schedules static,refill'

# engines of any mechanism
objects_of() {
    grep -oE -- "-o [^ ]*$1/[a-z0-9_]+\.o" "$dir/out" | sed 's,.*/,,' | sort -u | xargs
}
ok "ENGINES=cpu-simd-any" bench ENGINES=cpu-simd-any METHODS=rodas4
ok "compiles these engines" test "$(objects_of any)" = \
    "cvode.o evaluate_scalar.o evaluate_simd.o rodas4_scalar_any.o rodas4_simd_any.o"
ok "and nothing for the mechanism" test -z "$(objects_of mech/gri30)"
ok "of whose file bench has it" prints \
    'bench --mech gri30=datasets/mechanisms/gri30.yaml .*--engines cpu-simd-any '
(unset CUDA && make_ends 0 -n any BUILD="$dir/build")
ok "make any compiles every method" test "$(objects_of any | tr ' ' '\n' | grep -c _any.o)" = \
    $((2 * $(grep -c '^METHOD' solvers/methods.def)))
ok "beside a compiled engine" bench ENGINES=cpu-simd,cpu-simd-any METHODS=rodas4
ok "both are built" test "$(objects_of mech/gri30 | grep -c rodas4_simd.o)" = 1
ok "and measured" prints 'bench --mech gri30 .*--mech-file gri30=datasets/mechanisms/gri30.yaml '
ok "a slip in the name" make_ends 2 -n bench MECH=h2 ENGINES=cpu-simd-ani
ok "is refused with it" says "ENGINES=cpu-simd-ani: there is no .*did you mean cpu-simd-any?"
bench
ok "a first run has a first look" prints 'any/rodas4_simd_any/.* drivers/bench/first_look all gri30'
first=$(grep -E 'first_look|-o [^ ]*mech/gri30/[^ ]*\.o' "$dir/out" | head -1)
ok "before anything is compiled for the mechanism" grep -q first_look <<<"$first"
bench FULL=1
ok "FULL=1 has none" test "$(grep -c first_look "$dir/out")" = 0
few() { make_ends 0 -n "$@" MECH=h2 DB="$dir/few.npy" BUILD="$dir/build" GPU= &&
    grep -oE -e '--db [^ ]*few.npy --n [0-9,]*' "$dir/out" | sed 's/.* //' | sort -u >"$dir/n"; }
printf "\223NUMPY\1\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (100, 11), }\n" \
    >"$dir/few.npy"
for goal in bench verify orders; do
    ok "make $goal of 100 states" few $goal
    ok "... runs them all" test "$(cat "$dir/n")" = 100
done
few bench FULL=1
ok "... and no more of a list" test "$(cat "$dir/n")" = 64
few bench N=256
ok "... or as many as are asked for" test "$(cat "$dir/n")" = 256
: >"$dir/many.npy"
awk 'BEGIN { for (i = 0; i < 1001; i++) print "- equation: A <=> B" }' >"$dir/many.yaml"
(unset CUDA && make_ends 0 -n bench MECH="$dir/many.yaml" DB="$dir/many.npy" \
    BUILD="$dir/build" GPU=)
ok "beyond 1000 reactions engines of any mechanism" prints 'bench .*--engines cpu-simd-any .*--also'
ok "alone" test -z "$(objects_of mech/many)"
order=$(sed -nE -e 's,.*-o [^ ]*/build/((host|any)/[^ ]*\.o) .*,\1,p' \
    -e 's,.*(first_look [a-z]*) many=.*,\1,p' "$dir/out")
ok "first its first ODEs, then its first look" test \
    "$(grep first_look <<<"$order" | xargs)" = "first_look odes first_look look"
first=$(sed '/first_look/q' <<<"$order")
ok "before which one solver is compiled" test "$(grep ^any/ <<<"$first" | xargs)" = \
    "any/rodas4_simd_any.o any/odes/exported.o"
ok "... and no generator or other program" test \
    "$(grep -cE 'pasr/generators|drivers/(ranks/mpi/|ignite|plugin_host)' <<<"$first")" = 0
ok "... the solver before what need not wait for it" test "$(grep -nE \
    'any/rodas4_simd_any|host/rows/' <<<"$first" | head -1 | cut -d: -f2)" = any/rodas4_simd_any.o
(unset CUDA && make_ends 0 -np bench MECH="$dir/many.yaml" DB="$dir/many.npy" \
    BUILD="$dir/build" GPU=)
left=$(sed -n 's/^STEPS_LEFT := //p' "$dir/out" | tr ' ' '\n')
ok "whose objects are those left to build" test \
    "$(grep -c "/any/rodas3_simd_any.o" <<<"$left") $(grep -c "/mech/many/" <<<"$left")" = "1 0"
ok "which is said" prints 'note: many has more than 1000 reactions'

make_ends 0 -np which-integrator MECH=h2 BUILD="$dir/build" GPU=
ok "which-integrator compiles on all processors" grep -qE "^MAKEFLAGS .*-j$(nproc)" "$dir/out"
ok "which-integrator FULL=1" make_ends 0 -n which-integrator MECH=h2 FULL=1 BUILD="$dir/build" GPU=
ok "has its tolerances in one word" prints ' --rtol 1e-2[^ ]*,1e-8 '

# states that stay on the GPU
for steps in "" STEPS=1; do
    # shellcheck disable=SC2086 # no word, or one
    ok "CHAIN=device${steps:+ $steps} is refused" make_ends 2 -n bench MECH=h2 BUILD="$dir/build" \
        CHAIN=device $steps
    ok "... before anything is built" test ! -s "$dir/out"
    ok "... with what it needs" says "CHAIN=device: one global step has no states to keep (give ST"
done
ok "CHAIN=device STEPS=2" bench CHAIN=device STEPS=2
ok "... is asked of bench" prints '--steps 2 --chain device'
ok "CHAIN=host" bench CHAIN=host

# teams of another width
if command -v nvcc >/dev/null; then
    ok "VARIANTS=block64" bench CUDA=1 VARIANTS=block64 VARIANT_METHODS=rodas4
    ok "... built for the methods asked for" test \
        "$(grep -o '[a-z0-9_]*_gpu_block64\.o' "$dir/out" | sort -u)" = rodas4_gpu_block64.o
    ok "... and no other width" test "$(grep -c 'gpu_block256\.o' "$dir/out")" = 0
fi

# --- each program: below which head each option stands, in which order: argp's groups and places
for p in $(basename -s .c $(grep -l '^int main' drivers/*.c mech/tables/mechc.c) | sort); do
    [ ! -x "$build/$p" ] || "$build/$p" --help | awk -v p="$p" '
        /^ [A-Za-z(].*[:)]$/ || /^ [A-Z]/ { head = $0; next }
        /^(  -[A-Za-z?], |      )--[A-Za-z]/ {
            sub(/^ *(-[A-Za-z?], +)?--/, ""); sub(/ .*/, ""); line = line " " $0; next }
        !NF && line { print p ":" head ":" line; head = line = "" }'
done >"$dir/heads"
[ -z "$KEEP" ] || cp "$dir/heads" tests/screens/help-heads
same_heads() {
    diff <(grep "^$1:" tests/screens/help-heads) <(grep "^$1:" "$dir/heads") >"$dir/out"
}
for p in $(cut -d: -f1 "$dir/heads" | uniq); do
    ok "$p: its options as in tests/screens/help-heads" same_heads "$p"
done
# a key is a letter or has a name
grep -rnE '^ *\{"[a-z][a-z0-9-]*", [1-9]' drivers mech/tables >"$dir/out"
ok "no option has a number for a letter" test ! -s "$dir/out"

# --- every program: a man page without warnings, all options completed; the help says the range of
# each number, which the program keeps, and ends with a command
options() { # the options with an argument, one a line: name, argument, text
    awk '/^(  -[A-Za-z?], |      )--[A-Za-z]/ { open = /=/
            if (open) { sub(/^ *(-[A-Za-z?], +)?--/, "\n"); sub(/=/, " ") } }
        !NF || /^ ?[A-Za-z]/ { open = 0 }
        open { sub(/^ +/, " "); printf "%s", $0 }' "$1"
    echo
}
refused() { # refused PROGRAM OPTION VALUE...
    for value in "${@:3}"; do
        "$build/$1" "--$2=$value" >"$dir/out" 2>"$dir/err" </dev/null
        [ $? -eq 2 ] && grep -q -- "--$2" "$dir/err" || echo "--$2=$value is not refused"
    done
}
taken() { # taken PROGRAM OPTION VALUE...: what comes after it is looked at
    for value in "${@:3}"; do
        "$build/$1" "--$2=$value" --no-such-option >"$dir/out" 2>"$dir/err" </dev/null
        grep -q "unrecognized option '--no-such-option'" "$dir/err" ||
            echo "--$2=$value is not taken"
    done
}
wrong_ranges() { # wrong_ranges PROGRAM: of the options of $dir/options
    number='-?[0-9][0-9.]*(e[-+]?[0-9]+)?'
    while read -r option argument text; do
        if [[ $text =~ ($number)" to "($number) ]]; then
            low=${BASH_REMATCH[1]} high=${BASH_REMATCH[3]}
            refused "$1" "$option" -1 "$(awk -v x="$high" 'BEGIN { printf "%.0f", 2 * x + 1 }')"
            taken "$1" "$option" "$low" "$high"
        elif [[ $text =~ "from "([0-9]+) ]]; then
            taken "$1" "$option" "${BASH_REMATCH[1]}"
            refused "$1" "$option" $((BASH_REMATCH[1] - 1))
        elif [[ $text =~ "more than 0" ]]; then
            refused "$1" "$option" 0
            taken "$1" "$option" 1e-9
        fi
    done <"$dir/options"
}
generators=$("$make" -s -p -n help 2>/dev/null | sed -n 's/^GENERATORS := //p' |
    sed 's/ignition/ignite/; s/import flow/dbimport/')
all=$("$make" -s -n manual BUILD="$dir/build" 2>/dev/null |
    sed -n 's,.*docs/manual [^ ]* [^ ]* ,,p')
programs=
for p in $all; do
    if [ -x "$build/$p" ]; then programs="$programs $p"; else echo "skip - $p: not built"; fi
done
ok "programs with options" holds "$(echo "$programs" | wc -w) > 10"
# shellcheck disable=SC2086 # words
VERSION=$(cat VERSION) docs/manual "$build" "$dir" $programs >"$dir/out" 2>"$dir/err"
ok "man pages and completion" test $? = 0
for p in $programs; do
    "$build/$p" --help >"$dir/help"
    page=$dir/man/kinbench-$p.1
    [ "$p" = kinbench ] && page=$dir/man/kinbench.1
    long=$(grep -cE '^(  -[A-Za-z?], |      )--[A-Za-z]' "$dir/help")
    options "$dir/help" >"$dir/options"
    if [[ " $generators bench " =~ " $p " ]]; then # the others' tables are read by one function
        wrong_ranges "$p" >"$dir/wrong"
        cp "$dir/wrong" "$dir/out"
        ok "$p: ranges of its numbers" test ! -s "$dir/wrong"
    fi
    example=$(sed -n '$s/^Example: build\///p' "$dir/help")
    ok "$p: an example at the end" test "${example%% *}" = "$p"
    ok "$p: its exit codes" test "$(tr '\n' ' ' <"$dir/help" |
        grep -cE 'Exit codes: 0 |exit code is the command')" = 1
    $build/$example --help >"$dir/out" 2>"$dir/err" # words without blanks
    ok "... whose options $p has" test $? = 0
    ok "$p: every option has its paragraph" test "$(grep -cE '^\.B (\\-[A-Za-z?], )?\\-\\-' \
        "$page")" = "$long"
    ok "... whose name is a sentence" test "$(sed -n 3p "$page" |
        grep -cxE 'kinbench[^ ]* \\- [a-z].*[^.,:;]')" = 1
    if command -v groff >/dev/null; then
        groff -man -ww -Tutf8 "$page" >"$dir/out" 2>"$dir/err"
        ok "$p: man page" test ! -s "$dir/err" -a -s "$dir/out"
    fi
done
awk -f ci/options.awk drivers/*.c drivers/*/settings.c mech/tables/mechc.c |
    awk -F'\t' '$4 ~ /^(INT|LONG|NUMBER|COUNTS|NUMBERS|WORD|LIST)$/ && $5 == "" { print $2 }' \
        >"$dir/out"
ok "every number and choice has a range" test ! -s "$dir/out"
completes() { # completes PROGRAM WORD: what bash offers
    bash -c '. "$1"; compopt() { :; }; _kinbench "$2" "$3" ""; echo "${COMPREPLY[*]}"' - \
        "$dir/completion/kinbench.bash" "$1" "$2"
}
ok "completion" test "$(completes build/bench --sol)" = "--solvers="
ok "with a capital" test "$(completes ignite --T)" = "--T0="
ok "of another program" test "$(completes compare --form)" = "--format="

# --- kinbench: each program is a command, from any folder
# after: every program
kinbench=$(realpath "$build/kinbench")
for p in $programs; do
    [ "$p" != kinbench ] && [ -x "$build/$p" ] || continue
    "$build/$p" --help >"$dir/help"
    "$kinbench" help "$p" >"$dir/out" 2>"$dir/err"
    ok "kinbench help $p" cmp -s "$dir/help" "$dir/out"
done
# offers COMMAND WORD: what bash offers behind a command
offers() {
    bash -c '. "$1"; compopt() { :; }; COMP_WORDS=(kinbench $2 "$3"); COMP_CWORD=$(($# - 1))
        [ "$2" ] || COMP_CWORD=1
        _kinbench kinbench "$3" ""; echo "${COMPREPLY[*]}"' - \
        "$dir/completion/kinbench.bash" "$1" "$2"
}
ok "completion of commands" test "$(offers "" ver)" = verify
ok "completion behind a command" test "$(offers mech --th)" = --thermo=
ok "... whose name has a hyphen" test "$(offers which-integrator --in)" = --in-place
commands=$("$kinbench" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
ok "commands are listed" holds "$(echo "$commands" | wc -l) > 20"
kinbench() { # kinbench CODE FOLDER WORD...: there
    (cd "$2" && "$kinbench" "${@:3}") >"$dir/out" 2>"$dir/err"
    [ $? -eq "$1" ]
}
ok "kinbench --version" kinbench 0 / --version
ok "... says it" test "$(cat "$dir/out")" = "kinbench $(cat VERSION)"
ok "kinbench mech h2 in another folder" kinbench 0 / mech h2
ok "... finds the mechanism" prints '^mechanism +h2$'
ok "... and what is built for it" kinbench 0 / bench --mech h2 --list
mkdir -p "$dir/own/datasets/mechanisms"
cp datasets/mechanisms/h2.yaml "$dir/own/datasets/mechanisms/own.yaml"
ok "files of the current folder" kinbench 0 "$dir/own" mech own
sed 's/^description: .*/&\n  Ours./' datasets/mechanisms/h2.yaml \
    >"$dir/own/datasets/mechanisms/h2.yaml"
ok "one that the program's tree has, too" kinbench 0 "$dir/own" mech h2
ok "... is that one" prints '^description +Ours\.'
ok "the machine, of no mechanism" kinbench 0 / env
ok "... is told" prints '^cores +[1-9]'
ok "an option behind the command is the program's" kinbench 2 / mech --no-such-option
ok "... which says so" says "mechinfo: unrecognized option '--no-such-option'"
cp "$kinbench" "$dir/kinbench"
"$dir/kinbench" bench >"$dir/out" 2>"$dir/err"
ok "a program that is not built ends with 2" test $? = 2
ok "... and how it is built" says "bench: No such file or directory (.make tools. builds all pro"

# --- without gnuplot a measurement ends well, and says how to draw it later: what make runs after
# the program, where no program but the shell, mktemp and rm is found
mkdir -p "$dir/bare" "$dir/tree/results/run"
for p in sh mktemp rm; do ln -s "$(command -v $p)" "$dir/bare/$p"; done
cp -r plots "$dir/tree/plots"
ln -s run "$dir/tree/results/latest"
echo x >"$dir/tree/results/run/verify.csv"
draws_later() { # draws_later GOAL: the lines of its recipe that draw
    "$make" -s -n "$1" MECH=h2 DT=1e-6 BUILD="$dir/build" GPU= CUDA=0 2>/dev/null |
        sed -n '/^if command -v gnuplot/,$p; /^plots\//p' >"$dir/drawing"
    [ -s "$dir/drawing" ] && (cd "$dir/tree" && PATH=$dir/bare sh -e ../drawing) \
        >"$dir/out" 2>"$dir/err"
}
ok "make bench without gnuplot" draws_later bench
ok "says how to draw" prints "gnuplot is missing; with it, make figures draws this run"
ok "make verify without gnuplot" draws_later verify
ok "says how to draw it" says "gnuplot is missing .*; with it: plots/verify results/latest"
for p in dbinfo kernels flow orders; do
    for file in states kernels errors cells divergence; do echo x >"$dir/tree/$file.csv"; done
    (cd "$dir/tree" && PATH=$dir/bare sh plots/$p .) >"$dir/out" 2>"$dir/err"
    ok "plots/$p without gnuplot" test $? = 0
    ok "... says so" says "gnuplot is missing .*; with it: plots/$p \."
done

# --- missing packages: told, and nothing is installed
mkdir -p "$dir/bin"
for tool in sh grep echo cat id; do
    ln -s "$(command -v $tool)" "$dir/bin/$tool" 2>/dev/null
done
printf '#!/bin/sh\n[ "$4" = libmd-dev ] || [ "$3" = libmd-dev ] || echo "install ok installed"\n' \
    >"$dir/bin/dpkg-query"
chmod +x "$dir/bin/dpkg-query"
PATH=$dir/bin CHECK=1 ci/install-deps >"$dir/out" 2>"$dir/err"
ok "CHECK=1 ends with 1" test $? = 1
ok "and names what is missing" test "$(cat "$dir/out")" = "missing (Debian names): libmd-dev"
printf '#!/bin/sh\nexit 9\n' >"$dir/bin/dnf"
chmod +x "$dir/bin/dnf"
PATH=$dir/bin ci/install-deps >"$dir/out" 2>"$dir/err"
ok "elsewhere nothing is installed" test $? = 2
ok "names of Fedora" says "dnf install gcc make sundials-devel"
printf '#!/bin/sh\n' >"$dir/bin/nvcc"
printf '#!/bin/sh\n[ "$3" = g++ ] || echo "install ok installed"\n' >"$dir/bin/dpkg-query"
chmod +x "$dir/bin/nvcc"
PATH=$dir/bin CHECK=1 ci/install-deps >"$dir/out" 2>"$dir/err"
ok "nvcc needs a C++ compiler" test "$(cat "$dir/out")" = "missing (Debian names): g++"
PATH=$dir/bin ci/install-deps >"$dir/out" 2>"$dir/err"
ok "on Fedora, too" says "gnuplot-minimal python3 gcc-c++"
exit $failed
