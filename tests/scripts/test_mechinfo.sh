#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mechinfo from end to end. Run from the repository root:
#   [KB_BUILD=build] [KB_MECH_PATH=folder of mechanisms] tests/scripts/test_mechinfo.sh
# beside others
mechinfo=${KB_BUILD:-build}/mechinfo
. tests/scripts/check.sh

run() { "$mechinfo" "$@" >"$dir/out" 2>"$dir/err"; }
code() { # code EXPECTED ARGUMENTS...
    expected=$1
    shift
    run "$@"
    [ $? -eq "$expected" ]
}
row() { # row NAME VALUE: the table has that row
    awk -v name="$1" -v value="$2" '{ sub(/^ +/, "") }
        index($0, name " ") == 1 { split(substr($0, length(name) + 1), word, " ") }
        index($0, name " ") == 1 && word[1] == value { found = 1 }
        END { exit !found }' "$dir/out"
}
sha() { "$mechinfo" "$@" | awk '/^sha256/ { print $2 }'; }
silent() { [ ! -s "$dir/out" ]; }
nothing_left() { [ -z "$(find "$dir" -name '*.tmp*')" ]; }

# --- the summary
ok "gri30 is read" code 0 gri30
ok "53 species" row species 53
ok "325 reactions" row reactions 325
ok "12 three-body reactions" row three-body 12
ok "26 Troe" row "falloff, Troe" 26
ok "3 Lindemann" row "falloff, Lindemann" 3
ok "16 irreversible" row irreversible 16
ok "634 one-way reactions" row "one-way after splitting" 634
ok "41 with efficiencies" row "with efficiencies" 41
ok "3 other Tmid" row "Tmid other than 1000 K" 3
ok "55 unknowns" row unknowns 55
ok "ordering saves entries of L+U" test "$(awk '/L\+U, ordered/ { print $5 }' "$dir/out")" -lt 2000
ok "no row that does not apply" test "$(grep -c PLOG "$dir/out")" -eq 0
ok "h2co is read" code 0 h2co
ok "6 duplicates" row duplicates 6
ok "a path is a name" code 0 datasets/mechanisms/h2.yaml
ok "38 one-way reactions" row "one-way after splitting" 38
if [ -e build/mech/h2/solvers.so ]; then
    run h2
    ok "memory of each solver" grep -Eq '^  cvode +cpu-scalar +[0-9]+$' "$dir/out"
    if grep -q gpu-thread "$dir/out"; then
        run h2 --device-memory 2
        # 2e9 bytes hold so many ODEs with their work, 9 + 2 doubles in, 10 out and 8 counters
        ok "ODEs at once on a card" awk '
            $2 ~ /^gpu/ { n++; bad += $4 != int(2e9 / ($3 + 8 * 21 + 32)) }
            END { exit !n || bad }' "$dir/out"
    else
        echo "skip - ODEs at once on a card: built without CUDA"
    fi
else
    echo "skip - memory of each solver: build/mech/h2/solvers.so is not there"
fi
# solvers of the current folder: made-up ones of h2, on cores and on a GPU, of 100 bytes a lane
mkdir -p "$dir/here/build/mech/h2"
"${CC:-gcc}" -std=gnu11 -O1 -shared -fPIC -I. -DTOY_SHA256="\"$(sha h2)\"" \
    tests/scripts/toy_solvers.c base/error.c -o "$dir/here/build/mech/h2/solvers.so" -lm || exit 2
program=$(realpath "$mechinfo")
shipped=$repository/datasets/mechanisms
(cd "$dir/here" && "$program" "$shipped/h2.yaml" --device-memory 2 >"$dir/out" 2>"$dir/err")
ok "solvers of the current folder" test "$(awk '$2 ~ /^gpu/ { print $3, $4 }' "$dir/out" |
    sort -un | xargs)" = "100 6666666 200 5000000 3200 588235"
ok "... on cores without ODEs at once" test "$(awk '$2 ~ /^cpu/ { print NF }' "$dir/out" |
    sort -u)" = 3
ok "solvers of another mechanism" test "$(cd "$dir/here" && mv build/mech/h2 build/mech/h2co &&
    "$program" "$shipped/h2co.yaml" 2>&1 |
    grep -c "h2co/solvers.so was built for another mechanism")" = 1
cp datasets/mechanisms/h2.yaml "$dir/never-built.yaml"
run "$dir/never-built.yaml"
ok "solvers that are not built" grep -q '^  not built' "$dir/out"

# --- many species: all of a factor as listed, of a first species that reacts to each other one
awk 'BEGIN {
    n = 4700
    print "ELEMENTS H END\nSPECIES"
    for (i = 1; i <= n; i++) print "H" i
    print "END\nTHERMO ALL\n 300. 1000. 5000."
    for (i = 1; i <= n; i++) {
        printf "%-24sH   1               G   300.000  5000.000 1000.00      1\n", "H" i
        for (line = 2; line <= 4; line++) printf "%75s    %d\n", "", line
    }
    print "END\nREACTIONS"
    for (i = 2; i <= n; i++) print "H1=H" i " 1 0 0"
}' >"$dir/star.inp"
ok "4700 species are read" code 0 "$dir/star.inp"
ok "shares of 22 million entries" test "$(sed -n 's/.*L+U, .* (\(.*\) %)/\1/p' "$dir/out" |
    xargs)" = "100.0 0.1"

# --- memory, as papers count it: their limits come out of their formulas, and grow with the card
limits() { awk '/^  curtis2017/ { print $(NF - 2) }' "$dir/out" | tr '\n' ' '; }
run gri30 --device-memory 6
ok "limits of Curtis et al., Table 3" test "$(limits)" = "146 15 50 158 126 13 43 136 "
ok "as printed there" awk '/^  curtis2017/ { bad += $(NF - 3) != $(NF - 2); n++ }
    END { exit bad || n != 8 }' "$dir/out"
ok "53 species are too many for 1e6 ODEs" grep -Eq 'curtis2017, Radau.*1e\+06.* 15 +no$' "$dir/out"
ok "not for 1e4" grep -Eq 'curtis2017, Radau.*10000.* 158 +yes$' "$dir/out"
ok "Radau5 of Sewerin and Rigopoulos: 115 kB" \
    grep -q 'of this mechanism: 114976 (52184 ODEs' "$dir/out"
ok "states and results alone" grep -q 'counters 904 (6637168 ODEs fit a card of 6 GB)' "$dir/out"
run gri30 --device-memory 600
ok "ten times as large with 100 times the memory" \
    test "$(awk '/^  curtis2017.*1e\+06/ { printf "%s ", $(NF - 1) }' "$dir/out")" = "158 136 "
ok "150 species at 1e6 ODEs" grep -Eq 'curtis2017, Radau.*1e\+06.* 15 +158 +yes$' "$dir/out"
for name in cantera_types rate_types straight_rates; do
    ok "$name" code 0 tests/data/$name.yaml --device-memory 6
    sed '/^memory of one ODE/,/^largest/d' "$dir/out" >"$dir/text" # of what is built, and its lanes
    screen "mechinfo-$name" "$dir/text"
done
# a first reaction of six species, more than any other has; 1.944 GB hold 1e6 times 3 * 9^2 numbers
sed 's/equation: H + O2 <=> O + OH/equation: H + O2 + H2 <=> O + OH + H2/' \
    datasets/mechanisms/h2.yaml >"$dir/long.yaml"
run "$dir/long.yaml" --device-memory 1.944
sed -n '/^largest/,/sewerin/p' "$dir/out" >"$dir/text"
screen mechinfo-limits "$dir/text"
# without the option: of the first of two GPUs here, or where none is known, of an H200
mkdir "$dir/tools"
card() { # card SCRIPT FITS: so many states of H2 with that nvidia-smi
    printf '#!/bin/sh\n%s\n' "$1" >"$dir/tools/nvidia-smi" && chmod +x "$dir/tools/nvidia-smi"
    PATH="$dir/tools:$PATH" run h2
    grep -q "counters 200 ($2)" "$dir/out"
}
ok "the memory of the GPU here" card 'printf "81559\n40960\n"' \
    "$((81559 * 1048576 / 200)) ODEs fit a card of 85.52 GB"
ok "... which is not known" card 'echo "[N/A]"' "705000000 ODEs fit a card of 141 GB"
ok "... or there is none" card 'echo 81559; exit 9' "705000000 ODEs fit a card of 141 GB"
ok "no memory" code 2 gri30 --device-memory 0
ok "is told" says "--device-memory: '0' is not a number more than 0"

# --- explicit reverse rates
cat >"$dir/rev.inp" <<'EOT'
ELEMENTS
H O
END
SPECIES
H O2 OH O
END
THERMO
   300.000  1000.000  5000.000
H                 120186H   1               G  0300.00   5000.00  1000.00      1
 0.02500000E+02 0.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00    2
 0.02547163E+06-0.04601176E+01 0.02500000E+02 0.00000000E+00 0.00000000E+00    3
 0.00000000E+00 0.00000000E+00 0.02547163E+06-0.04601176E+01                   4
O2                121386O   2               G  0300.00   5000.00  1000.00      1
 0.03697578E+02 0.06135197E-02-0.01258842E-05 0.01775281E-09-0.01136435E-13    2
-0.01233930E+05 0.03189166E+02 0.03212936E+02 0.01127486E-01-0.05756150E-05    3
 0.01313877E-07-0.08768554E-11-0.01005249E+05 0.06034738E+02                   4
OH                121286O   1H   1          G  0300.00   5000.00  1000.00      1
 0.02882730E+02 0.01013974E-01-0.02276877E-05 0.02174684E-09-0.05126305E-14    2
 0.03886888E+05 0.05595712E+02 0.03637266E+02 0.01850910E-02-0.01676165E-04    3
 0.02387203E-07-0.08431442E-11 0.03606782E+05 0.01358860E+02                   4
O                 120186O   1               G  0300.00   5000.00  1000.00      1
 0.02542060E+02-0.02755062E-03-0.03102803E-07 0.04551067E-10-0.04368052E-14    2
 0.02923080E+06 0.04920308E+02 0.02946429E+02-0.01638166E-01 0.02421032E-04    3
-0.01602843E-07 0.03890696E-11 0.02914764E+06 0.02963995E+02                   4
END
REACTIONS
H+O2<=>O+OH 1.9E14 0 16440
REV/ 1.0E13 0.1 700/
O+O+M<=>O2+M 6.2E15 -0.5 0
REV/ 0 0 0/
END
EOT
ok "CHEMKIN with REV" code 0 "$dir/rev.inp" --write "$dir/rev.yaml"
ok "2 explicit reverse rates" row "explicit reverse (REV)" 2
ok "1 of these with A = 0" row "of these with A = 0" 1
ok "its YAML is read" code 0 "$dir/rev.yaml"
ok "it has 3 one-way reactions" row irreversible 3

# --- the canonical form
# after: explicit reverse
ok "gri30 is written" code 0 gri30 --write "$dir/gri30.yaml"
ok "as it is shipped" cmp "$dir/gri30.yaml" datasets/mechanisms/gri30.yaml
ok "with another name and description" code 0 gri30 --write "$dir/own.yaml" --name own \
    --description "@$dir/rev.inp"
ok "the name is in it" grep -q '^- name: own$' "$dir/own.yaml"
ok "the hash is the same" test "$(sha "$dir/own.yaml")" = "$(sha gri30)"

# --- phases, models that the integrators lack, warnings
cat >"$dir/phases.yaml" <<'EOT'
phases:
- {name: p, thermo: Peng-Robinson, species: [A], colour: red}
- {name: g, thermo: ideal-gas, species: [A], colour: red}
- {name: h, thermo: ideal-gas, species: [A, B], colour: red}
species:
- {name: A, composition: {H: 1}, thermo: {model: constant-cp}}
- {name: B, composition: {H: 2}, thermo: {model: Shomate, temperature-ranges: [200, 3000],
    data: [[30, 0, 0, 0, 0, 1, 200]]}}
EOT
ok "the first ideal gas of three phases" code 0 "$dir/phases.yaml"
ok "one species" row species 1
ok "two warnings" row warnings 2
ok "which is taken" grep -q \
    "phase 'g' is taken, PHASE= takes another of: p (Peng-Robinson), g (id" \
    "$dir/out"
phase() { # phase EXPECTED PHASE IDEAL
    KB_PHASE=$2 KB_IDEAL=$3 "$mechinfo" "$dir/phases.yaml" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$1" ]
}
ok "another phase" phase 0 h ""
ok "with two species" row species 2
ok "no ideal gas is refused" phase 2 p ""
ok "with a hint" says "phase p is no ideal gas but 'Peng-Robinson' (IDEAL=1 reads"
ok "and taken with IDEAL=1" phase 0 p 1
ok "with a warning" grep -q "phase 'p' is Peng-Robinson, and is read as an ideal gas" "$dir/out"
ranges() { # three ranges of NASA-9 below 6000 K
    sed -e 's/6000.0, 20000.0/3000.0, 20000.0/' \
        -e 's#- rate_types.yaml#- '"$PWD"'/tests/data/rate_types.yaml#' \
        tests/data/cantera_types.yaml >"$dir/ranges.yaml"
    "${mechinfo%mechinfo}mechc" "$dir/ranges.yaml" -o "$dir/c.h" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && [ ! -e "$dir/c.h" ]
}
no_team() {
    "${mechinfo%mechinfo}mechc" datasets/mechanisms/h2.yaml --team 0 -o "$dir/c.h" 2>"$dir/err"
    [ $? -eq 2 ] && [ ! -e "$dir/c.h" ]
}
ok "tables for a team of no threads are refused" no_team
ok "... with the number" says "'0' is not a whole number from 1 to"
ok "a third range of NASA-9 is not integrated" ranges
ok "which is told" says "below 6000 K is not supported by the integrators yet: 'H2'"

# --- species in steady state
steady() { # steady EXPECTED NAMES: of h2
    echo "$2" >"$dir/names.qss"
    KB_QSS=$dir/names.qss "$mechinfo" h2 --write "$dir/steady.yaml" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$1" ]
}
ok "species in steady state" steady 0 "H2O2 # a peroxide"
ok "leave the state" row species 8
ok "and are named" grep -q '^steady state *1: H2O2$' "$dir/out"
ok "two that couple nonlinearly are refused" steady 2 "O OH"
ok "and named" says "O and OH are in steady state and couple nonlinearly in the reverse direction"
ok "or that direction is left out" steady 0 "O OH drop-nonlinear"
ok "with a warning" grep -q "the reverse direction of 'H + O2 <=> O + OH' is left out" "$dir/out"
sed 's/\bH2O: *[0-9.]*/&, H2O2: 0.0/' datasets/mechanisms/h2.yaml >"$dir/zeros.yaml"
echo "H2O2" >"$dir/names.qss"
KB_QSS=$dir/names.qss ok "efficiencies of 0 of such species" code 0 "$dir/zeros.yaml"
ok "are one line" test "$(grep -c 'efficienc.* steady state' "$dir/out")" = 1
ok "... with their number" grep -q ' [2-9] efficiencies of species in steady state are 0' "$dir/out"
ok "the list is written" code 0 "$dir/steady.yaml"
ok "and read" grep -q '^steady state *2: O OH$' "$dir/out"

# --- one-way reactions
fits() { sed '/^mechanism/,$d' "$dir/out"; } # what is said of them, before the summary
ok "exact one-way form" code 0 gri30 --oneway exact --write "$dir/oneway.yaml"
ok "... is called so" grep -q '^one-way  *exact fit at ' "$dir/out"
ok "the largest error is told" grep -q 'largest error of k_r' "$dir/out"
ok "and where the fit is farthest off" grep -q '^ *9.5315 *300 K .*reaction 174:' "$dir/out"
ok "all 634 are irreversible" row irreversible 634
fits >"$dir/fits"
ok "it is read again" code 0 "$dir/oneway.yaml"
ok "with 634 irreversible reactions" row irreversible 634
ok "least squares over a range" code 0 h2 --oneway lsq --temperatures 800,1500,2800
ok "38 of the hydrogen set" row irreversible 38
fits >>"$dir/fits"
# of two reversible reactions, and of none
awk '/^reactions:/ { on = 1 } on && /^- / && ++n > 2 { exit } { print }' \
    datasets/mechanisms/h2.yaml >"$dir/two.yaml"
ok "two reactions" code 0 "$dir/two.yaml" --oneway lsq --write "$dir/none.yaml"
fits >>"$dir/fits"
ok "none that is reversible" code 0 "$dir/none.yaml" --oneway exact --temperatures 900,1000,1001
fits >>"$dir/fits"
screen mechinfo-oneway "$dir/fits"

# --- what is wrong
ok "an unknown fit" code 2 gri30 --oneway best
ok "says which" says "'best' is none of exact, lsq"
for T in 3000,2000,1000 300,300,1000 300,1000,1000; do
    ok "temperatures that do not ascend: $T" code 2 gri30 --oneway exact --temperatures $T
    ok "says so" says "'$T' is not three ascending temperatures"
done
ok "a mechanism that is not there" code 2 no-such
ok "names the file" says 'datasets/mechanisms/no-such.yaml: No such file'
ok "prints nothing" silent
printf 'phases:\n- name: g\n  species: [A\n' >"$dir/bad.yaml"
ok "broken YAML" code 2 "$dir/bad.yaml"
ok "names file and line" says 'bad.yaml:[34]: '
ok "a folder that is not there" code 2 h2 --write "$dir/none/h2.yaml"
ok "names the path" says "$dir/none/h2.yaml"
cp datasets/mechanisms/h2.yaml "$dir/own.yaml" && ln -s own.yaml "$dir/link.yaml"
for fit in '' '--oneway exact'; do # shellcheck disable=SC2086 # words
    ok "a mechanism in its own place $fit" code 2 "$dir/own.yaml" --write "$dir/link.yaml" $fit
    ok "... is told" says "link.yaml: --write would take the place of the mechanism"
    ok "... and stays" cmp -s datasets/mechanisms/h2.yaml "$dir/own.yaml"
done
ok "a description that is not there" code 2 h2 --write "$dir/h2.yaml" --description "@$dir/none"
ok "writes nothing then" test ! -e "$dir/h2.yaml"
ok "leaves no parts" nothing_left
if [ -w /dev/full ]; then
    "$mechinfo" h2 >/dev/full 2>"$dir/err"
    ok "a full disk" test $? -eq 2
fi

# --- more than a thousand species
if [ -n "$KB_MECH_PATH" ]; then
    within() (ulimit -t 30 && code "$@") # seconds of processor time
    ok "1268 species in 30 s" within 0 "$KB_MECH_PATH/nc6_1268/mech.yaml"
    ok "401 PLOG" row PLOG 401
else
    echo "skip - 1268 species: KB_MECH_PATH is not set"
fi
# --- what may never end is no file
refused_soon() { # refused_soon [VARIABLE=VALUE] FILE
    timeout "$patience" env ${2:+"$1"} "${KB_BUILD:-build}/mechinfo" "${2:-$1}" \
        >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ]
}
for device in /dev/zero /dev/null "$dir"; do
    ok "$device is refused" refused_soon "$device"
done
ln -s /dev/zero "$dir/zero.yaml"
ok "... as YAML, too" refused_soon "$dir/zero.yaml"
ok "... and as a list of species" refused_soon KB_QSS=/dev/zero datasets/mechanisms/h2.yaml
# --- tables as mechc writes them
mechc() { # mechc EXPECTED ARGUMENTS...
    expected=$1
    shift
    "${KB_BUILD:-build}/mechc" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$expected" ]
}
refuses() { # refuses TEXT ARGUMENTS...: with this message, and nothing is written
    text=$1
    shift
    mechc 2 datasets/mechanisms/h2.yaml -o "$dir/refused.h" "$@" && grep -q -e "$text" "$dir/err" &&
        [ ! -e "$dir/refused.h" ]
}
# the tables of a TYPE in a header that are not empty, in order, as text
tables_of() { # tables_of TYPE HEADER
    awk -v type="$1" 'BEGIN { empty = "[" (type == "double" ? 1 : 16) "] = {0};" }
        $1 " " $2 == "KB_TABLE " type && !index($0, empty) { on = 1 } on; /};$/ { on = 0 }' "$2"
}
# and of large.bin, as bytes
bytes_of() { # bytes_of TYPE FOLDER LAYOUT
    sed -n "s/^extern const $1 kb_\(.*\)\[.*/\1/p" "$2/c.h" | while read -r name; do
        read -r begin size <<END
$(sed -n "/^kb_$3_$name:/{n;s/.*, \(.*\), \(.*\)/\1 \2/p;}" "$2/large.S")
END
        tail -c +$((begin + 1)) "$2/large.bin" | head -c "$size"
    done
}
# of large.bin or of a header: all numbers in order
numbers() { sed 's/^KB_TABLE.*= //' | tr -s '{};, \n' '[\n*]' | grep .; }
# a coefficient that overflows, the first of its table
sed 's/\[3.298124, 8.249441e-04/[3.298124, 1e308/' datasets/mechanisms/h2.yaml >"$dir/beyond.yaml"
mechc 2 "$dir/beyond.yaml" -o "$dir/refused.h"
ok "numbers beyond a double's are refused" says "h2: number 0 of table cold is inf in kmol, m, s, K"
mkdir "$dir/inline" "$dir/large"
ok "mechc writes" mechc 0 datasets/mechanisms/h2.yaml --team 4 -o "$dir/inline/c.h"
ok "... named as the file" grep -qx '#define KB_MECH_NAME "h2"' "$dir/inline/c.h"
ok "... for any mechanism" mechc 0 --run-time -o "$dir/any.h"
# the same constants there, and all other sizes and tables as members of *kb_rt, in order
grep '^    ' "$dir/any.h" >"$dir/constants"
awk '/^    [A-Z]/ { size = $1 } FNR == NR { of_all[size]; next }
    /^    SORTED/ || size in of_all && /^    / { same[$0]; next }
    /^    [A-Z]/ { name = $1 } /^KB_TABLE/ { name = $3; sub(/\[.*/, "", name) }
    /^    [A-Z]|^KB_TABLE/ { of = name; sub(/^kb_/, "", of)
        printf "#define %s (kb_rt->%s)\n", name, of }' \
    "$dir/constants" "$dir/inline/c.h" >"$dir/expected"
sed -n '/^    BUNDLE_STRIDE/,$p' "$dir/any.h" | grep '^#define' >"$dir/found"
ok "... its names" cmp "$dir/expected" "$dir/found"
ok "... several" holds "$(wc -l <"$dir/found") > 200"
ok "... its constants" test "$(grep -cFxf "$dir/constants" "$dir/inline/c.h")" = \
    "$(wc -l <"$dir/constants")"
ok "... with large tables apart" mechc 0 datasets/mechanisms/h2.yaml --team 4 --cuda --large 1 \
    --name "$(printf 'a "b?"\\~\177\037.')" -o "$dir/large/c.h"
run_there() { (cd "$dir/inline" && "$program" "$shipped/h2.yaml" --team 1 -o there.h); }
program=$(realpath "${KB_BUILD:-build}/mechc") shipped=$(realpath datasets/mechanisms)
ok "... in the current folder" run_there
ok "... all that stands beside it" test -e "$dir/inline/lines.def" -a -e "$dir/inline/large.bin"
ok "... by another name" grep -qxF '#define KB_MECH_NAME "a \042b\077\042\134~\177\037."' \
    "$dir/large/c.h"
for type in kb_index double; do
    tables_of $type "$dir/inline/c.h" >"$dir/expected"
    tables_of $type "$dir/large/large.h" >"$dir/found"
    ok "... the same, of $type" cmp "$dir/expected" "$dir/found"
    ok "... several" holds "$(grep -c KB_TABLE "$dir/found") > 20"
    [ $type = double ] || ok "... an entry that there is not among them" grep -q 65535 "$dir/found"
    numbers <"$dir/expected" | awk '{ printf "%.17g\n", $1 }' >"$dir/expected.list"
    as=$([ $type = double ] && echo f8 || echo u2)
    bytes_of $type "$dir/large" sorted4 | od -An -v -t$as | numbers |
        awk '{ printf "%.17g\n", $1 }' >"$dir/found.list"
    ok "... and as bytes" cmp "$dir/expected.list" "$dir/found.list"
done
awk '/incbin/ { if (($3 + 0) != end) bad = 1; end += $4 } END { print bad + 0, end }' \
    "$dir/large/large.S" >"$dir/out"
ok "... each behind the one before" test "$(cat "$dir/out")" = "0 $(wc -c <"$dir/large/large.bin")"
# as arrays of a GPU without values, and the symbols of their bytes by the layout of the team
team=$dir/team4-8-8
mkdir "$team"
ok "... of a folder" mechc 0 datasets/mechanisms/h2.yaml --team 4 --cuda --large 16 \
    -o "$team/constants.h"
apart() { mech/tables/apart "$team" "$1" && touch -r "$team/constants.h" "$team"/apart/*; }
longest=$(sed -n 's/^extern const.*\[\([0-9]*\)\].*/\1/p' "$team/constants.h" | sort -n | tail -1)
ok "as arrays of a GPU" apart "$longest"
gcc -c "$team/apart/large.S" -o "$dir/large.o"
nm "$dir/large.o" | sed -n 's/.* [Rr] //p' | sort >"$dir/expected"
grep -o 'kb_sorted4_8_8_[a-zA-Z_]*' "$team/apart/constants.h" | sort -u >"$dir/found"
ok "... the symbols that it asks for" cmp "$dir/expected" "$dir/found"
ok "... several" holds "$(wc -l <"$dir/found") > 5"
ok "... an array for each" test "$(grep -cE '^static __device__ .* (kb_index|double) kb_' \
    "$team/apart/constants.h")" = "$(wc -l <"$dir/found")"
# layouts with one copy of what they have in common, one thread's as mechc writes it
wide=$dir/team4-16-8 thread=$dir/thread
mkdir "$wide" "$thread"
ok "one thread" mechc 0 datasets/mechanisms/h2.yaml --large 16 -o "$thread/constants.h"
ok "another layout" mechc 0 datasets/mechanisms/h2.yaml --team 4 --cuda --large 16 --bytes 16,8 \
    -o "$wide/constants.h"
mech/tables/apart "$wide" 1
mech/tables/one_copy "$thread/large.S" "$team/apart/large.S" "$wide/apart/large.S" >"$dir/two.S"
gcc -c "$dir/two.S" -o "$dir/two.o" && objcopy -O binary -j .rodata "$dir/two.o" "$dir/two.bin"
nm "$dir/two.o" >"$dir/two.nm"
for s in "$thread" "$team/apart" "$wide/apart"; do # name, begin, length in large.bin, address
    awk -F'[:, ]+' 'NR == FNR { if (split($0, f, " ") == 3) at[f[3]] = f[1]; next }
        /^kb_/ { name = $1 } /^.incbin/ { print name, $3, $4, at[name] }' "$dir/two.nm" \
        "$s/large.S" | while read -r name begin size at; do
        cmp -n "$size" -i "$begin:0x$at" "${s%/apart}/large.bin" "$dir/two.bin" || echo "$name"
    done
done >"$dir/out" 2>&1
ok "... each symbol of both has its bytes" test ! -s "$dir/out"
for s in "sorted1_ $thread" "4_8_8_ $team/apart" "4_16_8_ $wide/apart"; do
    ok "... of ${s%% *}" test "$(grep -c "${s%% *}" "$dir/two.nm")" = \
        "$(grep -c incbin "${s#* }/large.S")"
done
ok "... most have the place of another" holds "$(cut -d' ' -f1 "$dir/two.nm" | sort | uniq -d |
    wc -l) > $(grep -c . "$dir/two.nm") / 4 && $(grep -c incbin "$dir/two.S") > 5"
again() {
    mech/tables/apart "$team" "$longest" && [ ! "$team/apart/constants.h" -nt "$team/constants.h" ]
}
ok "... as old as they were, again" again
shorter() { mech/tables/apart "$team" $((longest + 1)) && [ ! -e "$team/apart" ]; }
ok "... none if all tables are shorter" shorter
# one that is made and not stored: of a head that is factored, and not of many ODEs side by side
for layout in factored-team4-8-8 inverted-team4-8-8 factored-team4-8-8-many; do
    made=$dir/${layout%%-*}/${layout#*-}
    mkdir -p "$made"
    ok "$layout" mechc 0 datasets/mechanisms/h2.yaml --team 4 --cuda --large 8 --bytes 8,8 \
        --head "${layout%%-*}" -o "$made/constants.h"
    mech/tables/apart "$made" 1 1
    is_made=$(grep -c KB_UPDATE_PLACES "$made/apart/constants.h")
    is_stored=$(grep -c _update_pair: "$made/apart/large.S")
    ok "... is made or stored" test "$is_made $is_stored" = "$([ $layout = factored-team4-8-8 ] &&
        echo 1 0 || echo 0 1)"
done
# of the largest mechanisms tables of 1024 entries stand apart
sed '/^reactions:/q' datasets/mechanisms/h2.yaml >"$dir/many.yaml"
many='- {equation: H + O2 <=> O + OH, rate-constant: {A: 1, b: 0, Ea: 0}, duplicate: true}'
yes -- "$many" | head -8000 >>"$dir/many.yaml"
ok "8000 reactions" mechc 0 "$dir/many.yaml" -o "$dir/thread/many.h"
ok "... in the header" grep -q '^KB_TABLE double kb_A\[8000\]' "$dir/thread/many.h"
echo "$many" >>"$dir/many.yaml"
ok "... one more" mechc 0 "$dir/many.yaml" -o "$dir/thread/many.h"
ok "... apart" grep -q '^extern const double kb_A\[8001\]' "$dir/thread/many.h"
ok "--team 0" refuses "'0' is not a whole number from 1" --team 0
cat >"$dir/alone.yaml" <<'Y'
phases: [{name: one, thermo: ideal-gas, elements: [N], species: [N2], kinetics: gas}]
species:
- name: N2
  composition: {N: 2}
  thermo: {model: NASA7, temperature-ranges: [200, 6000], data: [[3.5, 0, 0, 0, 0, -1040, 3]]}
reactions: []
Y
ok "one species, one thread" mechc 0 "$dir/alone.yaml" -o "$dir/inline/alone.h"
ok "... a team" mechc 2 "$dir/alone.yaml" --team 4 --cuda -o "$dir/team.h"
ok "... is refused" grep -q "alone.yaml:3: .*a second species: 'N2'.*--team 1 takes it" "$dir/err"
ok "--large 0" refuses "'0' is not a whole number from 1" --large 0
ok "--bytes 8" refuses "'8' is not 8,8" --bytes 8
ok "--bytes 8,12" refuses "'8,12' is not" --bytes 8,12
ok "--bytes 17,8" refuses "'17,8' is not" --bytes 17,8
ok "--bytes 16,8" mechc 0 datasets/mechanisms/h2.yaml --team 4 --cuda --bytes 16,8 -o "$dir/b.h"
# straight-line code of a GPU knows none of these kinds, alone or with another one
k='A: 1.0e+10, b: 0.0' of_k="rate-constant: {A: 1.0e+10, b: 0.0, Ea: 0.0}"
cat >"$dir/kinds" <<Y
- {equation: H + O2 <=> O + OH, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1.0, $k}]}
- {equation: 2 HO2 <=> H2O2 + O2, type: Chebyshev, temperature-range: [290.0, 3000.0], \
  pressure-range: [0.1, 90.0], data: [[8.0]]}
- {equation: H2 + 0.5 O2 => H2O, $of_k}
- {equation: O + H2 <=> H + OH, type: Blowers-Masel, \
  rate-constant: {$k, Ea0: 1000.0, w: 100000.0}}
- {equation: H + OH (+M) <=> H2O (+M), type: falloff, low-P-$of_k, high-P-$of_k, \
  Tsang: {A: 0.5, B: 1.0e-5}}
- {equation: H + O2 (+M) <=> HO2 (+M), type: linear-Burke, colliders: [{name: M, \
  type: pressure-dependent-Arrhenius, rate-constants: [{P: 1.0, $k}]}]}
Y
fits() { # fits NUMBER LINE...: whether a plain reaction and these fit
    awk 'NR == FNR { line[NR] = $0; next } { print } /^reactions:/ { exit }
        END { print last; for (i = 1; i <= split(want, w, " "); i++) print line[w[i]] }' \
        want="$2 $3" last="- {equation: H2 + OH <=> H2O + H, $of_k}" "$dir/kinds" \
        tests/data/rate_types.yaml >"$dir/kinds.yaml"
    mechc 0 "$dir/kinds.yaml" -o "$dir/inline/kinds.h" &&
        grep -q "^#define STRAIGHT_FITS $1 " "$dir/inline/kinds.h"
}
ok "a plain reaction fits straight-line code" fits 1
wrong=0
for i in 1 2 3 4 5 6; do
    for j in 1 2 3 4 5 6; do
        [ $j -lt $i ] || if [ $j = $i ]; then fits 0 $i; else fits 0 $i $j; fi ||
            wrong=$((wrong + 1))
    done
done
ok "... no rate of another kind" test $wrong = 0
# coefficients of at most 16 bits that are not 0 are numbers in the lists of teams
short() { # short YES O2 O
    fits 0 3 && sed "s/0.5 O2 => H2O,/$2 O2 => H2O + $3 O,/" "$dir/kinds.yaml" >"$dir/short.yaml" &&
        mechc 0 "$dir/short.yaml" --team 4 --cuda -o "$dir/short.h" &&
        grep -q "^    SHORT_NU = $1," "$dir/short.h"
}
ok "a coefficient of 16 bits" short 1 0.53125 0.0625
ok "... of 17" short 0 0.515625 0.03125
wants() { # wants ARGUMENTS...: what is missing, or what is too much, is told as the usage
    mechc 2 "$@" && grep -q '^Usage: mechc' "$dir/err"
}
ok "no output" wants datasets/mechanisms/h2.yaml
ok "no mechanism" wants -o "$dir/refused.h"
ok "a mechanism at run time" wants datasets/mechanisms/h2.yaml --run-time -o "$dir/refused.h"
ok "... nothing is written" test ! -e "$dir/refused.h"
ok "--reactions by name" refuses "'name' is none of type, mechanism" --reactions name
# --- each table of several mechanisms, for one thread and for teams: as it was
tables() { # tables FORM FILE OPTION...
    form=$1 file=$2
    shift 2
    mkdir "$dir/$form"
    "${KB_BUILD:-build}/mechc" "$file" -o "$dir/$form/constants.h" "$@" 2>>"$dir/err"
}
mechanisms=datasets/mechanisms
tables h2.1 $mechanisms/h2.yaml
tables h2co.1 $mechanisms/h2co.yaml
tables rates.1 tests/data/rate_types.yaml
tables rates.4-unsorted tests/data/rate_types.yaml --team 4 --reactions mechanism
for threads in 1 4; do
    KB_QSS=$PWD/tests/data/models.qss tables models.$threads tests/data/cantera_types.yaml \
        --team $threads
done
tables gri30.1 $mechanisms/gri30.yaml
tables gri30.64 $mechanisms/gri30.yaml --team 64
tables gri30.32-factored $mechanisms/gri30.yaml --team 32 --head factored
awk -v n=200 -v hubs=16 -f tests/scripts/large_mechanism.awk >"$dir/large.yaml"
tables large.32 "$dir/large.yaml" --team 32 # its places take more than 16 bits
find "$dir"/*.* -name constants.h -o -name lines.def | sort |
    xargs awk -f tests/scripts/table_sums.awk >"$dir/out"
screen tables
# --- for programs, and what is warned of: two species whose data jump
sed 's/- \[3.298124,/- [3.9,/; s/- \[3.212936,/- [4.5,/' datasets/mechanisms/h2.yaml \
    >"$dir/warned.yaml"
ok "a mechanism with warnings" code 0 "$dir/warned.yaml" --device-memory 6
sed -n '/^warnings/,$p' "$dir/out" >"$dir/text"
"$mechinfo" --json "$dir/warned.yaml" 2>&1 | sed 's/"sha256": .*/"sha256": .../' >>"$dir/text"
screen mechinfo-warned "$dir/text"
"${KB_BUILD:-build}/mechinfo" --json datasets/mechanisms/h2.yaml >"$dir/out" 2>"$dir/err"
ok "JSON" test $? = 0
if command -v python3 >/dev/null; then
    ok "is read" test "$(python3 -c 'import json, sys
m = json.load(sys.stdin)
print(m["name"], len(m["species"]), m["reactions"], m["unknowns"])' <"$dir/out")" = "h2 9 19 11"
else
    echo "skip - JSON is read: no python3"
fi
exit $failed
