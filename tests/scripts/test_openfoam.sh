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
solved() { # solved CASE PROGRAM ARGUMENTS...
    (cd "$1" && timeout "$patience" "${@:2}" >log 2>&1)
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
field() { awk '/^\(/ { on = 1; next } /^\)/ { exit } on' "$1/T"; }
difference() { # difference TIME CASE CASE: the largest of T [K], of 4000 cells
    paste <(field "$dir/$2/$1") <(field "$dir/$3/$1") | awk '
        { d = $1 - $2; d = d < 0 ? -d : d; if (d > most) most = d }
        END { if (NR == 4000) printf "%.3f", most; else print 1e9 }'
}
apart=$(difference 3e-06 flame flame_own)
ok "T differs by at most $apart K" holds "$apart < 0.5"

# --- the same on two ranks
# after: the adapter
# after: the first steps
if command -v mpirun >/dev/null && command -v decomposePar >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    cp -r "$dir/flame" "$dir/ranks"
    rm -r "$dir/ranks/3e-06"
    cat >"$dir/ranks/system/decomposeParDict" <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains 2;
method simple;
simpleCoeffs { n (2 1 1); delta 0.001; }
END
    ok "in two parts" solved "$dir/ranks" decomposePar
    ok "three steps by two ranks" solved "$dir/ranks" mpirun -np 2 --oversubscribe \
        --mca mpi_yield_when_idle 1 reactingFoam -parallel
    ok "of 2000 cells" grep -q "kinbench: 2000 cells" "$dir/ranks/log"
    ok "no cell failed" sound "$dir/ranks"
    ok "in one" solved "$dir/ranks" reconstructPar
    apart=$(difference 3e-06 flame ranks)
    ok "T differs by at most $apart K" holds "$apart < 0.1"
else
    echo "skip - two ranks: no mpirun, or no decomposePar"
fi

# --- local time steps: a dt for each cell
# after: the adapter
# after: the first steps
cp -r "$tutorials/combustion/reactingFoam/laminar/counterFlowFlame2DLTS_GRI_TDAC" "$dir/local"
sed -i 's/^endTime .*/endTime 2;/; s/^writeInterval .*/writeInterval 2;/
    s/^writePrecision .*/writePrecision 12;/' "$dir/local/system/controlDict"
sed -i 's/^\( *method  *\)TDAC;/\1standard;/' "$dir/local/constant/chemistryProperties"
sed -i 's/^\( *maxCo \).*/\1 0.01;/' "$dir/local/system/fvSolution"
ok "a mesh" solved "$dir/local" blockMesh
cp -r "$dir/local" "$dir/local_own"
chosen "$dir/local" "$root/datasets/mechanisms/gri30.yaml"
ok "two local time steps with its own solver" solved "$dir/local_own" reactingFoam
ok "and with kinbench" solved "$dir/local" reactingFoam
ok "they differ from cell to cell" awk '/Overall/ && $3 + 0 < $4 / 2 { n++ } END { exit n < 2 }' \
    "$dir/local/log"
ok "no cell failed" sound "$dir/local"
apart=$(difference 2 local local_own)
ok "T differs by at most $apart K" holds "$apart < 0.5"
exit $failed
