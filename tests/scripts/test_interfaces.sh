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
ok "one that is near nothing" make_ends 2 -n bench XYZZYXYZZY=1
ok "is named alone" says "no variable XYZZYXYZZY; make help"
# every variable that make help names is taken
all=$("$make" -s help | grep -oE '\b[A-Z][A-Z_]+=' | tr -d = | sort -u)
ok "every variable of make help" ci/variables $all
ok "many of them" holds "$(echo "$all" | wc -l) > 40"

# --- what make bench builds and runs; a build of its own, with nothing in it
bench() { make_ends 0 -n bench MECH=gri30 BUILD="$dir/build" GPU= "$@"; }
objects() { grep -oE '[a-z0-9_]+_(scalar|simd)\.o' "$dir/out" | sort -u | tr '\n' ' '; }
ok "make bench" bench
default="evaluate_scalar.o evaluate_simd.o exprb43_scalar.o exprb43_simd.o radau2a_scalar.o \
radau2a_simd.o rodas3_scalar.o rodas3_simd.o rodas4_scalar.o rodas4_simd.o rodas5p_scalar.o \
rodas5p_simd.o "
ok "builds the methods of the default alone" test "$(objects)" = "$default"
ok "and no GPU kernels, whether nvcc is there or not" test "$(grep -c '\.cu ' "$dir/out")" = 0
ok "measures them" prints \
    'bench .*--solvers rodas3,rodas4,rodas5p,radau2a,exprb43 --engines cpu-simd'
ok "make bench METHODS=vode" bench METHODS=vode
ok "builds vode, and rodas4 for the states" test "$(objects)" = "evaluate_scalar.o \
evaluate_simd.o rodas4_scalar.o rodas4_simd.o vode_scalar.o vode_simd.o "
ok "FULL=1" bench FULL=1
methods=$(grep -c '^METHOD' solvers/methods.def)
ok "builds all" test "$(objects | wc -w)" = $((2 * methods + 2))
ok "measures all" prints 'bench .*--solvers cvode,.*vode.* --engines all --schedules static,refill'
ok "a choice of solvers is as FULL=1" bench SOLVERS=rodas4
ok "on every engine and schedule" prints 'solvers rodas4 --engines all --schedules static,refill'

# --- every program: a man page without warnings, all options completed
programs=$("$make" -s -n manual BUILD="$dir/build" 2>/dev/null | grep -oE 'kinbench-[a-z]+\.1' |
    sort -u | sed 's/kinbench-//; s/\.1//')
ok "programs with options" holds "$(echo "$programs" | wc -w) > 10"
for p in $programs; do
    [ -x "$build/$p" ] || { echo "skip - $p: not built"; continue; }
    "$build/$p" --help >"$dir/help"
    awk -f docs/manual.awk -v name="$p" -v form=man <"$dir/help" >"$dir/page"
    awk -f docs/manual.awk -v name="$p" -v form=completion <"$dir/help" >>"$dir/completion"
    long=$(grep -cE '^(  -[A-Za-z?], |      )--[a-z]' "$dir/help")
    ok "$p: every option has its paragraph" test "$(grep -cE '^\.B (\\-[A-Za-z?], )?\\-\\-' \
        "$dir/page")" = "$long"
    if command -v groff >/dev/null; then
        groff -man -ww -Tutf8 "$dir/page" >"$dir/out" 2>"$dir/err"
        ok "$p: man page" test ! -s "$dir/err" -a -s "$dir/out"
    fi
done
echo "_kinbench_programs='$programs'" | tr '\n' ' ' >>"$dir/completion"
echo >>"$dir/completion"
cat docs/completion.bash >>"$dir/completion"
completes() { # completes PROGRAM WORD: what bash offers
    bash -c '. "$1"; compopt() { :; }; _kinbench "$2" "$3" ""; echo "${COMPREPLY[*]}"' - \
        "$dir/completion" "$1" "$2"
}
ok "completion" test "$(completes build/bench --sol)" = "--solvers="
ok "of another program" test "$(completes compare --form)" = "--format="

# --- missing packages: told, and nothing is installed
mkdir "$dir/bin"
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
exit $failed
