#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Generators of databases as programs: interrupted by signals, killed, out of space, started again.
# Run from the repository root, after `make tools solvers MECH=h2`:
#   [KB_BUILD=build] tests/scripts/test_databases.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
beside() { find "$dir" -name "$1" | wc -l; }

# --- each one: interrupted, then killed, then to its end: the bytes of one run
goes_on() { # goes_on PROGRAM ARGUMENTS...
    program=$1
    ok "$program in one go" code 0 "$@" --threads 1 --quiet --out "$dir/whole.npy"
    ok "... leaves no checkpoint" test "$(beside 'whole.*')" = 3
    shift
    held TERM part.checkpoint "$build/$program" "$@" --threads 2 --quiet --out "$dir/part.npy"
    ok "$program interrupted: 130" test $ended = 130
    ok "... says that it goes on" says "the same command continues from there"
    ok "... no database yet" test "$(beside 'part.npy')$(beside 'part.json')" = 00
    held KILL part.checkpoint "$build/$program" "$@" --threads 1 --quiet --out "$dir/part.npy"
    ok "$program killed" test $ended = 137
    ok "... no database yet" test "$(beside 'part.npy')$(beside 'part.json')" = 00
    ok "$program of another recipe" code 2 "$program" "$@" --rtol 1e-4 --out "$dir/part.npy"
    ok "... does not go on from there" says "belongs to another recipe"
    : >"$dir/part.json.tmp1" # as if killed in the middle of a write
    ok "$program goes on" code 0 "$program" "$@" --out "$dir/part.npy"
    ok "... from there" grep -q "steps, the rest of them" "$dir/out"
    for ending in npy aux.npy json; do
        ok "... the same $ending" cmp -s "$dir/whole.$ending" "$dir/part.$ending"
    done
    ok "... and nothing else" test "$(beside 'part.*')" = 3
    if command -v gnuplot >/dev/null; then
        drawn=$program-of-test-$$
        for ending in npy aux.npy json; do mv "$dir/whole.$ending" "$dir/$drawn.$ending"; done
        FORMATS=svg plots/database "$dir/$drawn.npy" >"$dir/out" 2>"$dir/err"
        ok "... drawn, without a warning" test -s "plots/out/$drawn/$program.svg" -a ! -s "$dir/err"
        rm -rf "plots/out/$drawn" "$dir/$drawn".*
    fi
    rm -f "$dir"/whole.* "$dir"/part.*
}
set -- --mech h2 --fuel H2:1 --rtol 1e-6
goes_on pasr "$@" --particles 30 --times 10 --tau-res 3e-3
goes_on lem "$@" --simulations 3 --cells 100 --steps 201 --every 7
goes_on flamelet "$@" --points 50 --dt 1e-5 --steps 401 --every 9

# --- what each one prints and records, and the means of each column, plain and weighted by the
# rows' numbers: to five and six digits, at a tolerance of two more
made() { # made NAME PROGRAM OPTION...
    name=$1 program=$2
    shift 2
    echo "$name $*"
    code 0 "$program" --mech h2 --fuel H2:1 --rtol 1e-8 --out "$dir/$name.npy" "$@" ||
        cat "$dir/err"
    # but counts of substeps, which rounding may change, and the least of numbers near 0
    sed '/steps: .* s$/d' "$dir/out" | cat - "$dir/$name.json" |
        sed '/sha256\|Y_min\|substeps\|"share"/d' | awk '
        { while (match($0, /[0-9]+\.[0-9]+(e[-+]?[0-9]+)?/)) {
            printf "%s%.5g", substr($0, 1, RSTART - 1), substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH) }
          print }'
    for part in "$name" "$name.aux"; do
        columns=$(head -c 128 "$dir/$part.npy" |
            LC_ALL=C sed -n "1s/.*'shape': ([0-9]*, \([0-9]*\)).*/\1/p")
        od -An -v -tf8 -w$((8 * columns)) -j128 "$dir/$part.npy" | awk '
            { for (c = 1; c <= NF; c++) { all[c] += $c; late[c] += NR * $c } }
            END { for (c = 1; c <= NF; c++)
                printf "%5d %12.5e %12.5e\n", c, all[c] / NR, 2 * late[c] / NR / (NR + 1) }'
    done
}
{
    made premixed pasr --particles 20 --times 2 --tau-res 1e-3 --p 1,3 --T0 600,800
    made pilot pasr --inflow non-premixed --pilot 0.2 --particles 20 --times 1 --tau-res 1e-3 \
        --T0 500 --states before --n 120 --start 0.2
    made line lem --simulations 2 --cells 30 --steps 60 --every 20 --u-rms 30 \
        --integral-scale 3 --dt 2e-5
    made flame flamelet --points 20 --steps 20 --every 5 --p 2 --T-fuel 350
    made ignition ignite --phi 0.5,2 --T0 1100,1400 --p 1,5 --n 60 --tile 40 \
        --reactor "constant volume"
    made spaced ignite --T0 1200 --n 12 --spacing 4e-6 --rtol 1e-10
    made ended ignite --T0 1200 --n 12 --t-end 6e-5 --rtol 1e-10
    code 2 ignite --mech h2 --fuel H2:1 --t-end 1e-5 --spacing 1e-6 || echo not refused
    cat "$dir/err"
} >"$dir/states"
screen generated "$dir/states"

# --- what each one shows on the way and at its end, by a slow clock that is made up; and of a run
# that goes on
"${CC:-gcc}" -shared -fPIC -O1 -DLOOK=900000 tests/scripts/made_up_clock.c -o "$dir/clock.so" ||
    exit 2
shown() { # shown PROGRAM ARGUMENTS...
    program=$1
    shift
    echo "$program $*"
    OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so "$build/$program" --mech h2 --fuel H2:1 \
        --out "$dir/shown.npy" "$@" 2>&1 | grep 'steps'
}
{
    shown lem --simulations 1 --cells 20 --steps 9 --every 3
    shown flamelet --points 10 --steps 8 --every 4
    shown pasr --particles 4 --times 1 --tau-res 1e-3
    set -- --simulations 3 --cells 100 --steps 201 --every 7
    held TERM shown.checkpoint "$build/lem" --mech h2 --fuel H2:1 --quiet --out "$dir/shown.npy" \
        --threads 1 "$@"
    shown lem "$@" | sed -n '1,3p;$p'
} >"$dir/lines"
screen generated-progress "$dir/lines"
if command -v script >/dev/null; then
    on_terminal lem --mech h2 --fuel H2:1 --simulations 1 --cells 20 --steps 9 --every 3 \
        --out "$dir/t.npy" >"$dir/lines"
    ok "on a terminal it is gone at the end" grep -q '^7 steps: ' "$dir/lines"
    on_terminal dbinfo "$dir/t.npy" --dt 1e-6 --sample 32 --solvers rodas4 >"$dir/lines"
    ok "... of dbinfo, too" test "$(sed -n '/^\[0.*by rodas4/{n;s/^$/gone/p}' "$dir/lines")" = gone
else
    echo "skip - progress on a terminal: no script"
fi

# --- the states come last: where the record cannot be written there are none
for ending in json aux.npy; do
    mkdir "$dir/last.$ending"
    ok "no place for the .$ending" code 2 pasr --mech h2 --fuel H2:1 --particles 20 --times 1 \
        --tau-res 3e-3 --quiet --out "$dir/last.npy"
    ok "... says so" says "last.$ending: not written"
    ok "... no states" test ! -e "$dir/last.npy"
    rm -rf "$dir"/last.*
done

# --- ranges and defaults of the values of a recipe, as --help has them
for program in pasr lem flamelet ignite dbimport "flow --recipe x"; do
    echo "$program"
    # shellcheck disable=SC2086 # words
    "$build"/$program --help | sed 's/^ *\(-., \)*--/\n--/' | tr -s ' \n' ' ' |
        sed 's/ --/\n--/g' | sed -n 's/^\(--[^ ]*\) .*\(([^()]*\(to\|default\)[^()]*)\).*/\1 \2/p'
done >"$dir/values"
screen generated-values "$dir/values"

# --- what ignite has found is told before it is written; files that it writes become whole, and
# then it is stopped, as an import is
held KILL .aux.npy "$build/ignite" --mech h2 --fuel H2:1 --n 8 --out "$dir/told.npy"
ok "an ignition delay" grep -q "ignition delay" "$dir/out"
held TERM .aux.npy "$build/ignite" --mech h2 --fuel H2:1 --n 8 --out "$dir/told.npy"
ok "ignite stopped while it writes" test "$ended-$(beside 'told.*')" = 130-3
printf 'T,p,H2\n1000,1e5,1\n' >"$dir/in.csv"
held TERM told.json "$build/dbimport" --mech h2 --source "$dir/in.csv" --out "$dir/told.npy"
ok "dbimport stopped while it writes" test "$ended-$(beside 'told.*')" = 130-3
rm -f "$dir"/told.*

# --- no space for a checkpoint: one message, nothing half written
(ulimit -f 8; code 2 lem --mech h2 --fuel H2:1 --simulations 3 --cells 100 --steps 60 \
    --out "$dir/full.npy")
ok "no space" test $? = 0
ok "... says so" says "cannot write"
ok "... no database" test "$(beside 'full.*npy')$(beside 'full.json')$(beside '*.tmp*')" = 000

# --- make: which program and mechanism a recipe asks for
unset MAKEFLAGS MFLAGS
planned() { # planned ARGUMENTS...: what make databases would run
    make -n --no-print-directory databases "$@" >"$dir/out" 2>"$dir/err"
}
echo '{"generator":"lem", "version":1,"parameters":{"fuel":"H2:1","mech":"h2"}}' >"$dir/line.json"
ok "a recipe in one line" planned RECIPE="$dir/line.json" DB="$dir/line.npy"
ok "... its program" grep -q "/lem --recipe" "$dir/out"
ok "... its mechanism" test "$(make -pn databases RECIPE="$dir/line.json" 2>/dev/null |
    sed -n 's/^MECH := //p')" = h2
ok "species in steady state" planned MECH=h2 QSS=tests/data/models.qss RECIPE="$dir/line.json" \
    DB="$dir/line.npy" TILE=1 N=64
ok "... repeats states with their solvers" grep -A 1 "/dbimport" "$dir/out"
ok "... of that build" grep -q -e "--solvers .*mech/h2-qss/solvers.so --source" "$dir/out"
ok "no such recipe" test "$(planned RECIPE="$dir/none.json"; echo $?)" = 2
ok "... says so" says "no recipe '$dir/none.json'"
for goal in bench databases roofline; do
    ok "$goal: a mechanism without a recipe, before anything is built" test \
        "$(make -n --no-print-directory $goal MECH=tests/data/rate_types.yaml 2>"$dir/err")" = ""
    ok "... says so" says "no datasets/recipes/rate_types-ignition.json"
done
echo '{"generator": "foo", "version": 1, "parameters": {}}' >"$dir/foo.json"
ok "no such generator" test "$(planned RECIPE="$dir/foo.json"; echo $?)" = 2
ok "... says so" says "no generator 'foo'"
mkfifo "$dir/terminal"
sleep $((2 * patience)) >"$dir/terminal" &
cp datasets/mechanisms/h2.yaml "$dir/mine.yaml"
idle() {
    timeout "$patience" make -n databases MECH="$dir/mine.yaml" <"$dir/terminal" >"$dir/out" 2>&1
    test $? = 2 # no recipe
}
ok "make does not wait for input" idle
kill $!

# --- options without a value
for wrong in "pasr --fuel" "ignite --mech" "lem --out" "flamelet --solvers" "dbimport --source"; do
    # shellcheck disable=SC2086
    ok "empty: $wrong" code 2 $wrong ""
    ok "... says so" says "the value is empty"
done
ok "a species twice in a mixture" code 2 ignite --mech h2 --fuel H2:1,O2:0,H2:2 --out "$dir/no.npy"
ok "... says so" says "H2 stands twice in 'H2:1,O2:0,H2:2'"
for amount in -1 inf nan 1x ''; do
    ok "an amount of $amount" code 2 ignite --mech h2 --fuel "H2:$amount" --out "$dir/no.npy"
    ok "... says so" says "the amount '$amount' of H2 is not a number >= 0"
done
ok "a whole number as 1e9" code 2 pasr --mech h2 --fuel H2:1 --particles 1e9 --out "$dir/no.npy"
ok "... says so" says "'1e9' is not a whole number$"
ok "more threads than an int has" code 2 lem --threads 5000000000
ok "... says so" says "'5000000000' is not a whole number from 0 to 4096"
for program in mechinfo dbinfo evaluate verify; do
    ok "no name: $program" code 2 $program ""
    ok "... says so" says "the name of the .* is empty"
done

# --- an option counts before its recipe, too; rates of the states, which vanish at equilibrium
ok "an option before the recipe" code 0 ignite --n 8 --recipe datasets/recipes/h2-ignition.json \
    --quiet --out "$dir/few.npy"
ok "... counts" grep -q "few.npy: 8 states" "$dir/out"
fastest() { od -An -v -tf8 -w8 -j128 "$dir/$1.npy" |
    awk '{ w = $1 < 0 ? -$1 : $1 } w > most { most = w } END { print most }'; }
ok "their equilibrium alone" code 0 evaluate "$dir/few.npy" --mech h2 --equilibrium "$dir/end.npy"
for states in few end; do
    ok "rates of $states" code 0 evaluate "$dir/$states.npy" --mech h2 --wdot "$dir/$states-w.npy"
done
ok "... are nothing at the end" holds "$(fastest end-w) < 1e-9 * $(fastest few-w)"
ok "nothing to write" code 2 evaluate "$dir/few.npy" --mech h2
rm -f "$dir"/few* "$dir"/end*

# --- all that is evaluated of two states, to four digits; what is far below a row's largest is 0
evaluated() { # evaluated COLUMNS ARGUMENTS...: what the last of them names
    columns=$1
    shift
    "$build/evaluate" "$dir/two.npy" --mech h2 "$@" "$dir/v.npy" >"$dir/out" 2>"$dir/err"
    echo "$* $?"
    od -An -v -tf8 -w$((8 * columns)) -j128 "$dir/v.npy" | awk '{ most = 0
        for (i = 1; i <= NF; i++) { w = $i < 0 ? -$i : $i; if (w > most) most = w }
        for (i = 1; i <= NF; i++)
            printf "%.4g%s", ($i * $i <= 1e-12 * most ^ 2) ? 0 : $i, i < NF ? " " : "\n"
    }'
    rm -f "$dir/v.npy"
}
printf 'T,p,H2,O2,H,OH,N2\n1500,2e5,0.02,0.2,0.001,0.01,0.769\n1100,1e5,0.03,0.2,0,0,0.77\n' \
    >"$dir/in.csv"
ok "two states" code 0 dbimport --mech h2 --source "$dir/in.csv" --quiet --out "$dir/two.npy"
ok "... without notes, if asked" test "$(wc -l <"$dir/out")" = 1
{
    evaluated 9 --wdot
    for reactor in p v; do
        evaluated 10 --reactor $reactor --dy
        evaluated 10 --reactor $reactor --jacobian
    done
    evaluated 9 --thermo
    for fixed in tp hp uv; do evaluated 11 --fixed $fixed --equilibrium; done
} >"$dir/all"
screen evaluated "$dir/all"

# --- species that an import does not find in its source: ten are named
for species in H2,H,O2,OH,O,H2O,HO2,H2O2,AR,HE,CO,CO2,N2 H2,H,O2,OH,O,H2O,HO2,N2 O2,OH,N2 \
    H2,N2 N2; do
    numbers=$(echo $species | sed 's/[A-Z0-9]*,/0,/g; s/N2$/1/')
    printf 'T,p,%s\n1000,1e5,%s\n' $species "$numbers" >"$dir/in.csv"
    ok "$species" code 0 dbimport --mech h2co --source "$dir/in.csv" --out "$dir/two.npy"
    cat "$dir/out" >>"$dir/imports"
done
screen imported "$dir/imports"

# --- an import must not take the place of what it reads
printf 'T,p,H2\n1000,1e5,1\n' >"$dir/in.csv"
ok "import over its source" code 2 dbimport --mech h2 --source "$dir/in.csv" \
    --out "$dir/../$(basename "$dir")/in.csv"
ok "... says so" says "take the place of its source"
ok "... which stays" grep -q 1000,1e5,1 "$dir/in.csv"
exit $failed
