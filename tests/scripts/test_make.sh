#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What make builds again, and what it leaves as it is; a method with too many options is not built.
. tests/scripts/check.sh
build=${KB_BUILD:-build}
made=$build/mech/made-again
trap 'rm -rf "$dir" "$made"' EXIT
rm -rf "$made"

# what a user may give is set by no part of make in passing (SCHEDULES := of a test once was
# --schedules of bench); THERMO of a fetched mechanism is added to what was given
taken() {
    grep -oE '\b[A-Z][A-Z_]*=' ci/help | tr -d = | sort -u |
        while read -r name; do grep -nE "^$name *:?= " */*.mk */*/*.mk; done |
        grep -v ':THERMO := $(or $(THERMO),' >"$dir/out"
    [ ! -s "$dir/out" ]
}
ok "no variable of the user is taken" taken

# each `make TARGET` of a text or a message is one
targets() {
    ${MAKE:-make} -pRrq MECH=h2 CUDA=0 BUILD="$build" 2>/dev/null |
        awk -F: '/^[a-z][a-z-]*:/ { print $1 }' >"$dir/targets"
    grep -rnoIE --exclude-dir=out '(`|\(|    )make [a-z][a-z-]+([^a-z/-]|$)' README.md \
        CONTRIBUTING.md ci/help docs drivers examples flow library plots python solvers tests/gpu |
        sed 's/[^a-z-]$//' | awk 'NR == FNR { target[$0]; next }
            !($NF in target)' "$dir/targets" - >"$dir/out"
    [ -s "$dir/targets" ] && [ ! -s "$dir/out" ]
}
ok "a text names no target that is not there" targets

# built TARGET [ASSIGNMENT...]: what was done is in $dir/out
built() {
    target=$1
    shift
    ${MAKE:-make} --no-print-directory BUILD="$build" MECH=h2 NAME=made-again CUDA=0 V=0 "$@" \
        "$made/$target" >"$dir/out" 2>"$dir/err"
}
# as after a new mechc
outdated() { touch -d 2000-01-01 "$made/tables"; }

built large.o
touch -r "$made/constants.h" "$dir/before"
touch -r "$made/large.o" "$dir/object"
kept() {
    outdated && built large.o && [ -s "$dir/out" ] &&
        ! [ "$made/large.o" -nt "$dir/object" ] && ! [ "$made/constants.h" -nt "$dir/before" ]
}
ok "tables that a new mechc writes as they were stay as old as they were" kept
nothing() { built large.o && ! grep -q mechc "$dir/out"; }
ok "and mechc does not run for them again" nothing
moved() { echo "$made/large.o: mech/gone.c" >"$made/gone.d" && built large.o && rm "$made/gone.d"; }
ok "a source that has moved since the last build stops none" moved
echo "made up" >>"$made/lines.def"
again() { outdated && built large.o && ! grep -q "made up" "$made/lines.def"; }
ok "one that differs is written" again
removed() { rm "$made/$1" && built "$1" && [ -s "$made/$1" ]; }
ok "one that was removed comes again" removed constants.h
ok "and so do the records of sums" removed lines.def
named_here() {
    whole=$(realpath "$build")
    ${MAKE:-make} -n V=1 BUILD="$whole" -W base/error.c "$whole/host/base/error.o" \
        >"$dir/out" 2>"$dir/err"
    grep -q -e "-MT ${whole#"$PWD"/}/host/base/error.o " "$dir/out"
}
ok "an object depends on its headers whatever BUILD is called" named_here
several() {
    rm "$made/constants.h" "$made/lines.def" "$made/large.bin" "$made/large.S"
    built large.o -j4 "$made/constants.h" "$made/lines.def" && [ -s "$made/constants.h" ] &&
        [ -s "$made/lines.def" ] && [ "$(grep -c mechc "$dir/out")" = 1 ]
}
ok "several that were removed come again at once" several
ok "... and mechc does not run for them again" nothing
of_teams() {
    built team128-8-8/constants.h && built team128-8-8/constants.h && ! grep -q mechc "$dir/out"
}
ok "... nor for those of teams" of_teams
large() { built large.o LARGE=16 && grep -q sorted1_slot "$made/large.S"; }
ok "the tables follow LARGE" large

# how far a build is, while one file takes long: until the compiler, here a command that waits for
# that line, is done
mkdir "$dir/bin"
printf '#!/bin/sh\nexec /bin/sleep 0.05\n' >"$dir/bin/sleep"
chmod +x "$dir/bin/sleep"
begun=$(($(date +%s) - 100000))
long() { # long COMMAND...: of two steps, the other of a third of the time of this one
    printf '%s\n' "$begun 0" "1 10 $((begun + 100000))" "1 0 $((begun + 100000))" >"$dir/steps"
    TO_BUILD=2 WORK=30 COUNTER=$dir/steps PATH=$dir/bin:$PATH timeout "$patience" \
        ci/while 20 cc 'long code' "$@" >"$dir/out" 2>"$dir/err"
}
ok "a long step says so meanwhile" long sh -c 'until grep -q "$1" "$0"; do /bin/sleep 0.05; done' \
    "$dir/out" '^.2/2. ETA [1-9][0-9]* s  building: cc long code$'
# a line of the meanwhile that was on its way when the step ended may stand behind it
ok "and counts at its end" test "$(grep -c '^0 20 ' "$dir/steps")" = 1
long false
ok "one that fails does so" test $? -eq 1
ok "... and does not count" test "$(grep -c '^0 20' "$dir/steps")" = 0

# with nothing else out of date; in a copy, since others use these objects
mkdir "$dir/copy" && cp -Rp "$build/host" "$build/libkb.a" "$dir/copy/" &&
    rm "$dir/copy/host/base/json.o" || exit 2
missing() {
    ${MAKE:-make} -n BUILD="$dir/copy" V=1 "$dir/copy/libkb.a" >"$dir/out" 2>&1
    [ "$(grep -o '[a-z/]*/[a-z_]*\.c$' "$dir/out" | sort -u)" = base/json.c ]
}
ok "an object that is missing is made, however new what was made of it" missing

# a step that is killed leaves no file that the next make would take: here its compiler writes half
# of it and kills the step
whole=$dir/whole/host/base
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf half >"$2"\nkill -KILL $PPID\n' \
    >"$dir/bin/half"
chmod +x "$dir/bin/half"
once() { ${MAKE:-make} BUILD="$dir/whole" CUDA=0 "$@" "$whole/rank.o" >"$dir/out" 2>"$dir/err"; }
killed() { ! once CC="$dir/bin/half" && grep -q half "$whole"/part-* && [ ! -e "$whole/rank.o" ]; }
ok "a compiler that is killed leaves no object" killed
next() { once && [ -s "$whole/rank.d" ] && nm "$whole/rank.o" 2>"$dir/err" | grep -q " T kb_"; }
ok "... and the next make needs no make clean" next
: >"$whole/rank.o" && : >"$whole/tables" && touch -d "9 seconds ago" "$whole/rank.o" "$whole/tables"
empty() { next && [ -e "$whole/tables" ]; }
ok "... nor where a crash of the machine left it empty" empty
echo old >"$whole/rank.o" && touch -d "1 hour" "$whole/rank.o"
ok "... nor where a wrong clock made it in the future" next

# kb_run has room for KB_MAX_OPTIONS options of a method; on the host, and on a made-up device
room=$(sed -n 's/.*KB_MAX_OPTIONS = \([0-9]*\).*/\1/p' solvers/methods/method.h)
method="-DKB_METHOD=rodas4 -DKB_METHOD_HEADER=\"solvers/methods/rodas4.h\" -DKB_SOLVER=many
    -DKB_METHOD_INFO=RODAS4_INFO -DKB_ENGINE=\"many\" -DKB_LANES=1 -I$build/mech/h2 -I. -w
    -fsyntax-only -fopenmp"
options() { # options COUNT COMPILER...: compiles a method with so many
    list=$(for k in $(seq "$1"); do printf '{"o%s", "", 0, 0, 1, KB_REAL}, ' "$k"; done)
    shift
    # shellcheck disable=SC2086 # words
    "$@" $method "-DKB_METHOD_OPTIONS={$list{}}" 2>"$dir/err"
}
for engine in "gcc -std=gnu11 solvers/engines/cpu.c" \
    "g++ -std=c++20 -Itests/gpu/fake_cuda -Drestrict=__restrict__ -x c++ solvers/engines/gpu.cu"; do
    command -v "${engine%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    ok "$room options on ${engine##*/}" options "$room" $engine
    # shellcheck disable=SC2086
    options $((room + 1)) $engine
    ok "one more is refused" grep -q "kb_run.opt is too short" "$dir/err"
done

# a make for each dt shares the processors of the first
env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -n BUILD="$dir/none" CUDA=0 bench MECH=h2 N=64 \
    >"$dir/out" 2>"$dir/err"
ok "two dt: no warning of make" test "$(grep -c '^make.*warning' "$dir/err")" = 0 -a -s "$dir/out"

# words with blanks between them are one pattern
${MAKE:-make} -n --no-print-directory BUILD="$dir/none" CUDA=0 mutate FAULT='a fault' \
    >"$dir/out" 2>"$dir/err"
ok "FAULT= is one pattern" grep -q "tests/mutate/run 'a fault'" "$dir/out"

# the states of a run that names none
plans() { # plans EXPECTED ASSIGNMENT...: the databases and dts that make bench would take
    expected=$1
    shift
    ${MAKE:-make} -n --no-print-directory BUILD="$dir/none" CUDA=0 V=1 bench MECH=h2 "$@" 2>&1 |
        grep -o -- '--db [^ ]*\|--dt [^ ]* --solvers' | cut -d' ' -f2 | xargs >"$dir/out"
    [ "$(sed "s,datasets/databases/,,g" "$dir/out")" = "$expected" ]
}
ok "by default states before reaction, of each dt" \
    plans "h2-before-1e-6-256.npy 1e-6 h2-before-1e-4-256.npy 1e-4" N=256
ok "one dt" plans "h2-before-1e-5-64.npy 1e-5" N=64 DT=1e-5
ok "the papers' way: states of an ignition" plans "h2-ignition-64-tiled.npy 1e-6,1e-4" N=64 TILE=1
ok "a recipe that is given keeps its states" plans "h2-pasr.npy 1e-6,1e-4" N=64 \
    RECIPE=datasets/recipes/h2-pasr.json

# each goal has results of its own where RESULTS= is not given
reads() { # reads GOAL FOLDER [ASSIGNMENT]
    ${MAKE:-make} -n --no-print-directory BUILD="$build" CUDA=0 "$1" $3 >"$dir/out" 2>"$dir/err"
    grep -q -e "/$1 --results $2 *\$" "$dir/out"
}
ok "make tune reads results/auto" reads tune results/auto
ok "... or what is given" reads tune results/h100 RESULTS=results/h100
ok "make claims reads results/gpu" reads claims results/gpu
# what is missing or misplaced is said before anything is built
unbuilt() { # unbuilt TEXT GOAL...
    text=$1
    shift
    ! MAKEFLAGS= ${MAKE:-make} BUILD="$dir/unbuilt" CUDA=0 "$@" >"$dir/out" 2>"$dir/err" &&
        says "$text" && [ ! -e "$dir/unbuilt" ]
}
ok "an import of nothing" unbuilt 'make import: SOURCE= is not given' import
ok "a witness without clones" unbuilt 'make witness: PYJAC_DIR= is not given' witness \
    ACCELERINT_DIR="$dir"
mkdir "$dir/made-up"
for p in bench pasr ignite; do
    printf '#!/bin/sh\necho "$@" ""\n' >"$dir/made-up/$p" && chmod +x "$dir/made-up/$p"
done
runs() { # runs EXPECTED MECH [GPU]: what make witness measures, by bench that is made up
    GPU=$3 KB_BUILD=$dir/made-up drivers/peers/witness "$2" all r "$dir" >"$dir/out" 2>"$dir/err" &&
        [ "$(grep -o -- "--out r/witness-$2-[a-z-]*" "$dir/out" | cut -d- -f5- | uniq |
            xargs)" = "$1" ]
}
ok "a witness on cores" runs "ignition-cores ignition-one-cores" usc2
ok "... and on a GPU" runs "ignition ignition-block ignition-cores ignition-one-cores" \
    usc2 any
ok "... has each part but caching" runs "pasr pasr-exp pasr-fd pasr-published long long-exp \
long-fd ignition pasr-cores pasr-exp-cores ignition-cores ignition-one-cores mended-cores \
long-cores long-exp-cores" gri30 any
ok "a plan of bench is make plan" unbuilt 'make plan has the cells' bench MECH=h2 PLAN=1
for goal in which-integrator bench verify solvers peers mechinfo; do
    ok "$goal of no mechanism" unbuilt "no mechanism 'nosuch': names are gri30 h2 h2co, after" \
        "$goal" MECH=nosuch
done
ok "no file of a mechanism" unbuilt "no mechanism './none.yaml'" bench MECH=./none.yaml
ok "Cantera with a mechanism of the user's" unbuilt "make validate has mechanisms of its own" \
    validate MECH=h2
ok "a folder in place of states" unbuilt "DB=/etc: a file of states ends with .npy; make import" \
    verify DB=/etc
mkdir "$dir/states.npy"
ok "... whatever it is called" unbuilt "states.npy: a file of states ends" bench \
    DB="$dir/states.npy"
ok "a plug-in that is not there" unbuilt "there is no file ./none.so" bench MECH=h2 \
    SOLVERS=rodas4,./none.so:a=1

# where a tree lies, and what a system has in its environment: a copy in a folder with characters
# that a shell, make and C take for their own
odd="$dir/a b'\"\$x#%:;&(é"
mkdir "$odd" && find Makefile VERSION base ci datasets drivers flow library mech plots python \
    solvers tests/tests.mk \( -path 'datasets/d*' -o -name out \) -prune -o -type f -print0 |
    xargs -0 cp --parents -t "$odd" || exit 2
there() { ${MAKE:-make} --no-print-directory -C "$odd" CUDA=0 "$@" >"$dir/out" 2>"$dir/err"; }
knows() { there build/host/library/places.o && grep -qF "$odd" "$odd/build/host/library/places.o"; }
ok "the library knows its tree whatever that is called" knows
builds() { there "$@" -o build/any/solvers.so && [ "$(tail -n 1 "$dir/out")" = "$odd/$so" ]; }
so=build/any/solvers.so
ok "... and says where the solvers are" builds library-any
refused() { text=$1 && shift && ! there "$@" && says "$text"; }
ok "commits are not compared there" refused 'COMMITS= needs a tree whose path has no' compare \
    COMMITS=HEAD~1,HEAD MECH=h2
mv "$odd" "$dir/two
lines" && odd="$dir/two
lines"
ok "a path of two lines" refused 'the path of this tree has the end of a line' bench MECH=h2
gone() { (export TMPDIR="$dir/gone" && unbuilt "$@"); }
ok "a TMPDIR that is gone" gone "TMPDIR=$dir/gone: this is no folder that can be written to" bench \
    MECH=h2
# where people write 1,5 for 1.5
export LOCPATH="$dir"
if localedef -i de_DE -f UTF-8 "$dir/de_DE.UTF-8" 2>"$dir/err"; then
    german() {
        LC_ALL=de_DE.UTF-8 ${MAKE:-make} --no-print-directory BUILD="$build" "$@" >"$dir/out" \
            2>"$dir/err"
    }
    ok "decimals where people write a comma" german -n verify MECH=h2 CUDA=0 DT=0.5e-6 \
        RTOL=1.5e-3,0.5
    ok "... are read" grep -q -- '--atol 1.5e-09,5e-07 ' "$dir/out"
    german -f - probe <<'END'
include Makefile
probe: ; @awk 'BEGIN { print 3 / 2, "1.5" + 0 }'
END
    ok "... in every command of make" test "$(cat "$dir/out")" = "1.5 1.5"
else
    echo "skip - decimals where people write a comma: no locale de_DE can be made"
fi
unset LOCPATH
named() { # NAME of the environment is that of the machine (WSL)
    NAME=machine ${MAKE:-make} -n BUILD="$dir/none" CUDA=0 solvers MECH=h2 >"$dir/out" 2>"$dir/err"
    grep -q "none/mech/h2/" "$dir/out" && ! grep -q "none/mech/machine" "$dir/out"
}
ok "a system's NAME is no name of a mechanism" named
# a compiler of C without the library of C++, as where g++ is not installed
printf '#!/bin/sh\ncase $* in *-lstdc++*) exit 1 ;; esac\nexec gcc "$@"\n' >"$dir/plain"
chmod +x "$dir/plain"
ok "kernels of features without g++" env CC="$dir/plain" CXX= MARCH=x86-64 LANES=2 BUILD="$build" \
    tests/random/kernels few arrhenius "$dir/kernels"
exit "$failed"
