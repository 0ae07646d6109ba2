#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The module kinbench for Python on the library that was built, without Cantera (make validate has
# that part), and what a wheel holds. What is not here is skipped. Run from the repository root:
#   [KB_BUILD=build] [KB_PYTHON=python3] tests/scripts/test_python.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
export KINBENCH_LIBRARY=$build/libkinbench.so.1 KINBENCH_SOURCE=$build/tests/read
export PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
python=
for p in "$KB_PYTHON" "$build/venv/bin/python3" python3; do
    [ -n "$p" ] && "$p" -c 'import numpy' 2>/dev/null && python=$p && break
done
if [ -z "$python" ]; then
    echo "skip - the module of Python: no numpy (KB_PYTHON= names a python3 that has it)"
    exit 0
fi
run() { timeout "$patience" "$@" >"$dir/out" 2>"$dir/err"; }

# --- the module over arrays
ok "arrays of numpy" run "$python" tests/python/arrays.py
sed -n 's/^Ran/    &/p; s/^test_[^.]*\.\.\. skipped/    &/p' "$dir/err"

# --- a library that is not there, or of nothing
KINBENCH_LIBRARY=$dir/none.so run "$python" -c 'import kinbench'
ok "no library is an error" says "ImportError: kinbench: $dir/none.so"
mkdir "$dir/copy"
cp -r python/kinbench "$dir/copy"
PYTHONPATH=$dir/copy run env -u KINBENCH_LIBRARY "$python" -c 'import kinbench'
ok "which says how to build it" says "no libkinbench.so in $dir/copy/kinbench (.pip install"

# --- an installed module: its library, engines, mechanisms and programs, seen from elsewhere
# after: a library
# what the wheel's files are (python/python.mk), of what the tests have built
files=$dir/copy/kinbench/files
ok "the files of a wheel" run make --no-print-directory python-files CUDA="${CUDA:-0}" \
    BUILD="$build" ANY="$build/tests/read/build/any" -o "$build/tests/read/build/any/solvers.so" \
    FILES="$files"
cd "$dir" || exit 2
unset KINBENCH_LIBRARY
export KINBENCH_SOURCE=$dir/nowhere PYTHONPATH=$dir/copy
ok "need no source tree" run "$python" -c 'import kinbench, numpy
assert kinbench._library.lib._name.startswith(kinbench._library.FOLDER)
it = kinbench.Integrator("gri30", threads=1)
T, Y = numpy.array([1800.0]), numpy.zeros((1, 53))
Y[0, [it.mechanism.index(name) for name in ("CH4", "O2", "N2")]] = 0.055, 0.22, 0.725
it.integrate(T, 101325, Y, 1e-3)
assert T[0] > 2500, T'
command() { run "$python" -c 'import kinbench._command; kinbench._command.main()' "$@"; }
h2=$files/datasets/mechanisms/h2.yaml
ok "the command" command mech h2
ok "finds its mechanisms" grep -q "9 species" "$dir/out"
ok "makes states, of a mechanism by name" command ignite --mech h2 --fuel H2:1 --n 16 --quiet \
    --out s.npy
bench() { command bench --db s.npy --n 16 --dt 1e-6 --solvers rodas4 --engines cpu-simd-any \
    --threads 1 --repeats 1 --quiet "$@"; }
ok "measures with its engines" bench --mech "$h2"
ok "and says what its programs do next" grep -qx "next:       kinbench report results/.*: .*" \
    "$dir/out"
ok "into the folder at hand" test \
    "$(column results/latest/cells.csv solver,engine,status | uniq)" = rodas4,cpu-simd-any,ok
ok "by the mechanism's name, too" bench --mech h2
sed 's/name: h2$/name: mine/' "$h2" >mine.yaml
command db s.npy --mech h2 --columns T_K,p_Pa,H2,O2,O,OH,H2O,H,HO2,H2O2,N2
sed 's/T_K,p_Pa/T,p/' "$dir/out" >s.csv
ok "takes states of another program for a mechanism of its own" command import \
    --mech mine.yaml --source s.csv --out t.npy
ok "and shows their costs" command db t.npy --mech mine.yaml
ok "rates by name" command evaluate t.npy --mech h2 --wdot w.npy
ok "a detonation" command detonation --mech h2 --mixture H2:2,O2:1,N2:3.76 --out z
ok "a flow of an ideal gas" command flow --case sod --nx 20 --quiet --out flow
exit $failed
