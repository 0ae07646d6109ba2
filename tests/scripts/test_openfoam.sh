#!/bin/bash
# SPDX-License-Identifier: MIT
#
# examples/openfoam: libkinbench as the chemistry solver of OpenFOAM, beside OpenFOAM's own, with
# traps of floating-point exceptions. Skipped where OpenFOAM is not installed or its sources are not
# there. Run from the repository root:
#   [KB_BUILD=build] [OPENFOAM=sources] [FOAM_TUTORIALS=folder] tests/scripts/test_openfoam.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
root=$PWD
sources=${OPENFOAM:-$WM_PROJECT_DIR}
tutorials=${FOAM_TUTORIALS:-/usr/share/doc/openfoam-examples/examples}
run() { timeout "$patience" "$@" >"$dir/out" 2>"$dir/err"; }

# --- the build script: what is missing
run env OPENFOAM=/nowhere PREFIX=/nowhere examples/openfoam/build
ok "no sources of OpenFOAM are an error" test $? -eq 2
ok "which says how to get them" says "no sources of OpenFOAM in '/nowhere' (OPENFOAM="
mkdir -p "$dir/of/src/OpenFOAM/db/dictionary"
: >"$dir/of/src/OpenFOAM/db/dictionary/dictionary.H"
run env OPENFOAM="$dir/of" PREFIX=/nowhere OUT="$dir/lib" examples/openfoam/build
ok "no libkinbench is an error" says "no libkinbench in '/nowhere' (PREFIX="
ok "nothing is built" test ! -e "$dir/lib"

# --- the adapter, in cases of OpenFOAM
why=
for program in chemFoam reactingFoam blockMesh; do
    command -v $program >/dev/null || why="no $program"
done
[ -r "$sources/src/OpenFOAM/db/dictionary/dictionary.H" ] ||
    why=${why:-no sources of OpenFOAM (OPENFOAM=)}
[ -d "$tutorials/combustion" ] || why=${why:-no tutorials (FOAM_TUTORIALS=)}
if [ -n "$why" ]; then
    echo "skip - OpenFOAM: $why"
    exit $failed
fi
export FOAM_SIGFPE=true WM_PROJECT_DIR=${WM_PROJECT_DIR:-/usr/share/openfoam}
export KINBENCH_SOURCE=$build/tests/read LD_LIBRARY_PATH=$dir/lib
library/install "$dir/kb" "$(cat VERSION)" "$build/libkinbench.so" h2 "$build/mech/h2" \
    >"$dir/out" || exit 2
ok "the adapter is built" run env OPENFOAM="$sources" PREFIX="$dir/kb" OUT="$dir/lib" CXXFLAGS=-O0 \
    examples/openfoam/build

chosen() { # chosen CASE MECHANISM: kinbench solves its chemistry
    sed -i 's/^application/libs ("libkinbenchChemistry.so");\n&/' "$1/system/controlDict"
    sed -i 's/^\( *solver  *\)ode;/\1kinbench;/' "$1/constant/chemistryProperties"
    echo "kinbenchCoeffs { mechanism \"$2\"; log on; }" >>"$1/constant/chemistryProperties"
}
solved() { # solved CASE PROGRAM
    (cd "$1" && timeout "$patience" "$2" >log 2>&1)
    code=$?
    cp "$1/log" "$dir/out"
    return $code
}
sound() { ! grep -q "FOAM Warning" "$1/log"; }
last_T() { sed -n 's/.*, T = \([0-9.]*\),.*/\1/p' "$1/log" | tail -1; }

for case in own ours wrong; do
    cp -r "$tutorials/combustion/chemFoam/h2" "$dir/$case"
done
chosen "$dir/ours" chemkin/chem.inp,chemkin/therm.dat
ok "chemFoam with its own solver" solved "$dir/own" chemFoam
ok "and with kinbench" solved "$dir/ours" chemFoam
ok "floating-point exceptions are trapped" grep -q "exception trapping enabled" "$dir/ours/log"
ok "no cell failed" sound "$dir/ours"
ok "T: $(last_T "$dir/own") and $(last_T "$dir/ours") K" holds \
    "($(last_T "$dir/own") - $(last_T "$dir/ours")) ^ 2 < 25"
chosen "$dir/wrong" h2
solved "$dir/wrong" chemFoam
ok "a mechanism of other species is an error" grep -q \
    "the case has 10 species, h2 of libkinbench 9" "$dir/wrong/log"

# --- the first steps of a flame
# after: the adapter
cp -r "$tutorials/combustion/reactingFoam/laminar/counterFlowFlame2D_GRI" "$dir/flame"
sed -i 's/^endTime .*/endTime 3e-6;/; s/^writeInterval .*/writeInterval 3e-6;/
    s/^writePrecision .*/writePrecision 12;/; s/^adjustTimeStep .*/adjustTimeStep no;/' \
    "$dir/flame/system/controlDict"
ok "a mesh" solved "$dir/flame" blockMesh
cp -r "$dir/flame" "$dir/flame_own"
chosen "$dir/flame" "$root/datasets/mechanisms/gri30.yaml"
ok "three steps of a flame with its own solver" solved "$dir/flame_own" reactingFoam
ok "and with kinbench" solved "$dir/flame" reactingFoam
ok "of 4000 cells" grep -q "kinbench: 4000 cells" "$dir/flame/log"
ok "no cell failed" sound "$dir/flame"
field() { awk '/^\(/ { on = 1; next } /^\)/ { exit } on' "$1/3e-06/T"; }
difference() { # the largest of T [K]
    paste <(field "$dir/flame") <(field "$dir/flame_own") | awk '
        { d = $1 - $2; d = d < 0 ? -d : d; if (d > most) most = d }
        END { if (NR == 4000) printf "%.3f", most; else print 1e9 }'
}
apart=$(difference)
ok "T differs by at most $apart K" holds "$apart < 0.5"
exit $failed
