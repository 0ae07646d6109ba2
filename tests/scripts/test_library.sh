#!/bin/bash
# SPDX-License-Identifier: MIT
#
# libkinbench as an installed library: its symbols, make install, pkg-config, CMake, the man page,
# the examples in four languages, mechanisms built on first use, the cost of a call. What has no
# compiler here is skipped. Run from the repository root:
#   [KB_BUILD=build] [KB_PYTHON=python3] tests/scripts/test_library.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
root=$PWD
solvers=$build/mech/h2/solvers.so
any=$build/tests/read/build/any
export XDG_CACHE_HOME=$dir/cache
have() { command -v "$1" >/dev/null || { echo "skip - $2: no $1"; false; }; }
run() { timeout "$patience" "$@" >"$dir/out" 2>"$dir/err"; }
plain() { sed 's/ *\([0-9]*\)\.* K becomes/\1/' "$1"; } # without what languages print differently

as_c() { [ "$(plain "$dir/out")" = "$(cat "$dir/c")" ]; } # the output is that of ignite.c

# --- what it shows: the functions of the header, and no other symbol
sed -n '/^KB_API/ { s/(.*//; s/.*[ *]//; p }' library/kinbench.h | sort >"$dir/header"
nm -D --defined-only "$build/libkinbench.so" | awk '{ print $3 }' | sort >"$dir/symbols"
ok "its symbols are the functions of kinbench.h" cmp -s "$dir/header" "$dir/symbols"

# --- make install, by the first two commands of docs/library.md
prefix=$dir/kinbench
sed -n 's/^    //p' docs/library.md | sed 's/gri30/h2/; 2q' >"$dir/commands"
printed() { # printed LINE FOLDER: runs this command there, with a home of its own
    (HOME=$dir && cd "$2" && eval "$(sed -n "$1p" "$dir/commands")") >"$dir/out" 2>"$dir/err"
}
make() {
    command make --no-print-directory CUDA="${CUDA:-0}" BUILD="$build" -o "$solvers" \
        ANY="$any" -o "$any/solvers.so" "$@"
}
made() { make "$@" >"$dir/out" 2>"$dir/err"; }
ok "the first command: $(sed -n 1p "$dir/commands")" printed 1 .
soname() { objdump -p "$prefix/lib/libkinbench.so" | awk '/SONAME/ { print $2 }'; }
ok "soname" test "$(soname)" = libkinbench.so.1
for file in include/kinbench.h lib/libkinbench.so.1 lib/kinbench/h2/solvers.so \
    lib/kinbench/any/solvers.so share/man/man3/kinbench.3 \
    lib/cmake/kinbench/kinbench-config.cmake; do
    ok "installs $file" test -r "$prefix/$file"
done
listed() { (cd "$prefix" && find . ! -type d ! -name manifest | sed 's|^..||' | sort |
    diff - lib/kinbench/manifest) >"$dir/out"; }
ok "lists its files" listed
stripped() { objdump -h "$prefix/lib/libkinbench.so" "$prefix/lib/kinbench/h2/solvers.so" \
    >"$dir/out" && ! grep -q '\.debug' "$dir/out"; }
ok "without symbols for debuggers" stripped
export LD_LIBRARY_PATH=$prefix/lib
flags="-I$prefix/include -L$prefix/lib -lkinbench"
if have pkg-config "kinbench.pc"; then
    mkdir "$dir/user"
    cp examples/ignite.c "$dir/user/program.c"
    ok "the second: $(sed -n 2p "$dir/commands")" printed 2 "$dir/user"
    ok "its program finds the library" run env -u LD_LIBRARY_PATH KINBENCH_SOURCE=/nowhere \
        "$dir/user/a.out"
    flags=$(pkg-config --cflags --libs "$prefix/lib/pkgconfig/kinbench.pc")
    ok "pkg-config says $flags" test -n "$flags"
fi
if have cmake "find_package(kinbench)"; then
    mkdir "$dir/cmake"
    cat >"$dir/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.10)
project(user C)
find_package(kinbench 1.0 REQUIRED)
if(NOT kinbench_VERSION VERSION_GREATER_EQUAL 1.0)
  message(FATAL_ERROR "version \${kinbench_VERSION}")
endif()
foreach(wrong 0.9 1.999 2.0)
  find_package(kinbench \${wrong} QUIET)
  if(kinbench_FOUND)
    message(FATAL_ERROR "taken for version \${wrong}")
  endif()
endforeach()
add_executable(ignite $root/examples/ignite.c)
target_link_libraries(ignite kinbench::kinbench)
END
    built() { run cmake -S "$dir/cmake" -B "$dir/cmake/b" -DCMAKE_PREFIX_PATH="$prefix" &&
        run cmake --build "$dir/cmake/b"; }
    ok "a program is built with CMake" built
    ok "and runs" run "$dir/cmake/b/ignite"
fi
if have man "the man page"; then
    ok "the man page has no faults" test -z "$(man --warnings -E UTF-8 -l -Tutf8 -Z \
        library/kinbench.3 2>&1 >/dev/null)"
fi

# --- examples, with the installed mechanism
# after: make install
export KINBENCH_SOURCE=$dir/nowhere
# shellcheck disable=SC2086 # flags are words
{
    ok "C" run "${CC:-gcc}" -Wall -Wextra -Werror examples/ignite.c -o "$dir/ignite_c" $flags
    ok "it runs" run "$dir/ignite_c"
    plain "$dir/out" >"$dir/c"
    ok "with CVODE at rtol 1e-10" run "$dir/ignite_c" h2 cvode 1e-10
    same() { plain "$dir/out" | paste "$dir/c" - | awk '{ d = $2 / $8 - 1 }
        d * d < 1e-10 { n++ } END { exit n != 8 }'; }
    ok "the same within 1e-5" same
    run "$dir/ignite_c" no-such-mechanism
    ok "a wrong mechanism is an error" says "ignite: mechanism 'no-such-mechanism'"
    if have g++ "C++"; then
        ok "C++ with OpenMP" run g++ -O1 -fopenmp -Wall -Wextra -Werror examples/diffusion.cpp \
            -o "$dir/diffusion" $flags
        OMP_NUM_THREADS=1 "$dir/diffusion" >"$dir/one" 2>"$dir/err"
        OMP_NUM_THREADS=3 "$dir/diffusion" >"$dir/three" 2>"$dir/err"
        ok "a flame in one dimension: $(cat "$dir/one")" grep -qE \
            "hottest 2[0-9]{3}\.[0-9]{4} K, at the ends 900.*off by [0-9.]+e-1[3-6]" "$dir/one"
        ok "the same on three threads" test "$(sed 's/, thr.*//' "$dir/one")" = \
            "$(sed 's/, thr.*//' "$dir/three")"
    fi
    if have gfortran "Fortran"; then
        ok "Fortran" run gfortran -Wall -J"$dir" examples/ignite.f90 -o "$dir/ignite_f" $flags
        ok "it runs" run "$dir/ignite_f"
        ok "as C" test "$(plain "$dir/out")" = "$(cat "$dir/c")"
    fi
}
python=
for p in "$KB_PYTHON" "$build/venv/bin/python3" python3; do
    [ -n "$p" ] && "$p" -c 'import numpy' 2>/dev/null && python=$p && break
done
if [ -n "$python" ]; then
    ok "Python" run "$python" examples/ignite.py
    ok "as C" test "$(plain "$dir/out")" = "$(cat "$dir/c")"
else
    echo "skip - Python: no numpy (KB_PYTHON= names a python3 that has it)"
fi

# --- the same examples with sanitizers in the library: they end well, with the same results
# after: make install
# after: examples, with
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all -g"
# shellcheck disable=SC2086 # flags are words
if tests/sanitizers address,undefined; then
    mkdir "$dir/san"
    ok "the library with sanitizers" run "${CC:-gcc}" $sanitize -fopenmp -shared \
        -Wl,-soname,libkinbench.so.1 "$build"/tests/library/sanitized/*/*.o \
        -o "$dir/san/libkinbench.so.1" -lm -ldl -lpthread
    ln -s libkinbench.so.1 "$dir/san/libkinbench.so"
    ln -s "$prefix/lib/kinbench" "$dir/san"
    sanitized="-I$prefix/include $sanitize -L$dir/san -lkinbench -Wl,-rpath,$dir/san"
    clean() { # clean WHAT PROGRAM...
        LD_LIBRARY_PATH=$dir/san run "${@:2}"
        ok "$1 is clean under the sanitizers" test $? -eq 0 -a ! -s "$dir/err"
    }
    ok "C with sanitizers" run "${CC:-gcc}" examples/ignite.c -o "$dir/san/ignite_c" $sanitized
    clean C "$dir/san/ignite_c"
    ok "and has its results" test "$(plain "$dir/out")" = "$(cat "$dir/c")"
    if have g++ "C++ with sanitizers"; then
        ok "C++ with sanitizers" run g++ -O1 -fopenmp examples/diffusion.cpp \
            -o "$dir/san/diffusion" $sanitized
        OMP_NUM_THREADS=2 clean C++ "$dir/san/diffusion"
    fi
    if have gfortran "Fortran with sanitizers"; then
        ok "Fortran with sanitizers" run gfortran -J"$dir" examples/ignite.f90 \
            -o "$dir/san/ignite_f" $sanitized
        clean Fortran "$dir/san/ignite_f"
    fi
    if [ -n "$python" ]; then
        # Python itself keeps memory until its end
        LD_PRELOAD=$("${CC:-gcc}" -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 \
            LD_LIBRARY_PATH=$dir/san run "$python" examples/ignite.py
        ok "Python is clean under the sanitizers" test $? -eq 0 -a ! -s "$dir/err"
        ok "and has the results of C" test "$(plain "$dir/out")" = "$(cat "$dir/c")"
    fi
else
    echo "skip - sanitizers: they do not run here (gcc's libasan and libubsan)"
fi

# --- solvers for a processor that there is not, and for one that is older than this
# after: make install
# after: examples, with
toy() { # toy FEATURE: claims to need it
    "${CC:-gcc}" -shared -fPIC -I. -DTOY_NEEDS="\"$1\"" tests/scripts/toy_solvers.c base/error.c \
        -o "$dir/toy.so" -lm
}
toy avx4096
run "$dir/ignite_c" "$dir/toy.so"
ok "solvers for another processor are an error" test $? -eq 2
ok "which names what is missing" says "toy.so was built for a processor with 'avx4096'"
run "$build/bench" --mech "$dir/toy.so" --db nosuch.npy
ok "in bench too" test $? -eq 2
ok "with the same words" says "toy.so was built for a processor with 'avx4096'"
if have qemu-x86_64 "solvers on an older processor"; then
    run qemu-x86_64 -cpu Westmere "$dir/ignite_c" "$solvers"
    ok "solvers on an older processor are an error" says "was built for a processor with 'avx"
fi

# --- solvers for several levels of x86-64 in one installation
# after: make install
# after: examples, with
# after: solvers for a processor
levels() { # levels V3 V4: installs these files for v3 and v4 as the mechanism two, and runs it
    mkdir -p "$dir/m/v3" "$dir/m/v4"
    cp "$1" "$dir/m/v3/solvers.so"
    cp "$2" "$dir/m/v4/solvers.so"
    library/install "$prefix" "$(cat VERSION)" "$build/libkinbench.so" two "$dir/m" v3 v4 \
        >"$dir/out" && run "$dir/ignite_c" two
}
ok "of v3 and v4 the one that runs" levels "$solvers" "$dir/toy.so"
ok "with its results" as_c
ok "of two that run the higher one" levels "$dir/toy.so" "$solvers"
ok "with its results" as_c
levels "$dir/toy.so" "$dir/toy.so"
ok "if none runs, an error" says "two/v3/solvers.so was built for a processor with 'avx4096'"
ok "v4 alone" library/install "$prefix" "$(cat VERSION)" "$build/libkinbench.so" two "$dir/m" v4
ok "takes the place of both" test ! -e "$prefix/lib/kinbench/two/v3" -a \
    -e "$prefix/lib/kinbench/two/v4/solvers.so"
ok "and of their lines in the list" listed
flags_of() { command make -n CUDA=0 MECH=h2 METHODS=rodas4 BUILD="$dir/b" install LEVELS="$1" \
    2>"$dir/err" |
    grep 'solvers/engines/cpu.c' | grep -oE -e '-march=[a-z0-9-]*|-DKB_LANES=[248]' | sort -u |
    tr '\n' ' '; }
ok "each level has a build of its own" test "$(flags_of v2,v3,v4)" = \
    "-DKB_LANES=2 -DKB_LANES=4 -DKB_LANES=8 -march=x86-64-v2 -march=x86-64-v3 -march=x86-64-v4 "

# --- solvers of three widths, on this processor and on three others (qemu has no AVX-512)
# after: make install
# after: examples, with
if [ "$(uname -m)" = x86_64 ]; then
    for level in v2 v3 v4; do
        optimise=-O1
        [ $level != v4 ] || grep -qw avx512dq /proc/cpuinfo || optimise=-O0 # and never run
        command make --no-print-directory solvers CUDA=0 BUILD="$build" MECH=h2 NAME=widths \
            METHODS=rodas4 OPTIMISE=$optimise MARCH=x86-64-$level M="$dir/w/$level" >"$dir/out" \
            2>"$dir/err"
        ok "solvers for x86-64-$level" test $? -eq 0
    done
    ok "in one installation" library/install "$prefix" "$(cat VERSION)" \
        "$build/libkinbench.so" widths "$dir/w" v2 v3 v4 >"$dir/out"
    here=$(for level in v2 v3:avx2 v4:avx512dq; do
        grep -qw "${level#*:}" /proc/cpuinfo || [ $level = v2 ] || continue
        echo "$prefix/lib/kinbench/widths/${level%:*}/solvers.so"
    done)
    # shellcheck disable=SC2086 # words
    if [ "$(echo $here | wc -w)" -gt 1 ]; then
        ok "a comparison of widths" run "${CC:-gcc}" -Wall -Wextra -Werror tests/library/widths.c \
            -o "$dir/compare" $flags -lm
        ok "all that run here have the same results" run "$dir/compare" $here
        cat "$dir/out"
    else
        echo "skip - widths beside one another: this processor runs one"
    fi
fi
if [ -n "$here" ] && have qemu-x86_64 "solvers of three widths on three processors"; then
    taken() { sed -n 's|.*calling init: .*/widths/\(v[234]\)/.*|\1|p' "$dir/ld" | tail -1; }
    while read -r processor level; do
        ok "an emulated $processor" run qemu-x86_64 -cpu "$processor" -E LD_DEBUG=files \
            -E LD_DEBUG_OUTPUT="$dir/ld" "$dir/ignite_c" widths
        mv "$dir"/ld.* "$dir/ld"
        ok "takes those of $level" test "$(taken)" = "$level"
        ok "with the same results" same
    done <<END
Nehalem v2
SandyBridge v2
Haswell v3
END
fi

# --- a mechanism by other programs, for which solvers were compiled
# after: make install
# after: examples, with
sed 's/equation: H + O2 <=> O + OH/equation: O2 + H <=> OH + O/
    s/Ea: 16440.0/Ea: 16439.999999999998/; s/name: h2$/name: other/' \
    datasets/mechanisms/h2.yaml >"$dir/other.yaml"
sed 's/Ea: 16440.0/Ea: 16441.0/' datasets/mechanisms/h2.yaml >"$dir/third.yaml"
opens() { # opens FILE: the solvers in use
    LD_DEBUG=files "$dir/ignite_c" "$1" 2>"$dir/err" >"$dir/out" || return
    sed -n 's|.*calling init: .*/kinbench/\([a-z0-9]*\)/solvers.so$|\1|p' "$dir/err" | tail -1
}
ok "they are taken for a mechanism that is alike" test "$(opens "$dir/other.yaml")" = h2
ok "with their results" as_c
if leak_sanitizer; then
    LD_PRELOAD=$sanitizer "$dir/ignite_c" "$dir/other.yaml" 2>"$dir/err" >"$dir/out"
    ok "without a leak" test $? -eq 0
else
    echo "skip - leaks while they are sought: gcc's leak sanitizer does not run here"
fi
ok "and for no other" test "$(opens "$dir/third.yaml")" = any

# --- a program that traps floating-point exceptions
# after: make install
# after: examples, with
run "$build/tests/library/traps" "$solvers"
ok "a program with traps on keeps its environment" test $? -eq 0
cat "$dir/out"

# --- more threads than a limit of memory lets start
# after: make install
# after: examples, with
# shellcheck disable=SC2086 # flags are words
ok "a program with many threads" run "${CC:-gcc}" -Wall -Wextra -Werror tests/library/no_threads.c \
    -o "$dir/no_threads" $flags
few() { (ulimit -s 8192 && ulimit -v 300000 && run "$dir/no_threads" "$solvers"); }
ok "has the results of one thread where they cannot start" few

# --- built on first use, in a made-up source tree whose make takes its time
# after: make install
# after: examples, with
mkdir "$dir/tree"
cat >"$dir/tree/Makefile" <<END
library-mechanism:
	@test "\$(MECH)" != broken || { echo "file.yaml:3: no such element" >&2; exit 2; }
	@if mkdir building 2>/dev/null; then sleep 0.2; rmdir building; else echo both; exit 1; fi
	@echo cc something
	@echo $solvers
END
KINBENCH_SOURCE=$dir/tree
ok "a mechanism is built on first use" run "$dir/ignite_c" other
ok "its results" test "$(plain "$dir/out")" = "$(cat "$dir/c")"
"$dir/ignite_c" other >"$dir/out1" 2>&1 &
one=$!
"$dir/ignite_c" other >"$dir/out2" 2>&1
wait $one
ok "two at once take turns" test "$(cat "$dir/out1" "$dir/out2" | grep -c becomes)" = 16
run "$dir/ignite_c" broken
ok "a failed build says why" says "broken' cannot be built .*: .*"
ok "with what make said" says "file.yaml:3: no such element"
ok "nothing is built in the source tree" test "$(ls "$dir/tree")" = Makefile

# --- what is built goes into the user's cache
# after: make install
# after: examples, with
mkdir "$dir/installed"
cat >"$dir/installed/Makefile" <<END
library-mechanism:
	@mkdir -p \$(BUILD)/mech/\$(MECH) && cp $solvers \$(BUILD)/mech/\$(MECH)
	@echo made >>\$(BUILD)/made
	@echo \$(BUILD)/mech/\$(MECH)/solvers.so
END
chmod a-w "$dir/installed"
first_use() { # first_use VARIABLE=VALUE...: of a mechanism, and the next
    env KINBENCH_SOURCE="$dir/installed" "$@" "$dir/ignite_c" other >"$dir/out" 2>"$dir/err" &&
        env KINBENCH_SOURCE="$dir/installed" "$@" "$dir/ignite_c" other >"$dir/out" 2>"$dir/err"
}
made_in() { cat "$1"/kinbench/*/made | grep -c made; }
ok "a mechanism of a tree that is not the user's" first_use XDG_CACHE_HOME="$dir/own"
ok "its results" as_c
ok "is built once, in XDG_CACHE_HOME" test "$(made_in "$dir/own")" = 1
ok "in folders that are as all others" test "$(stat -c %a "$dir/own" "$dir"/own/kinbench{,/*} |
    sort -u)" = "$(mkdir "$dir/any" && stat -c %a "$dir/any")"
ok "without that name" first_use XDG_CACHE_HOME= HOME="$dir/home"
ok "in .cache" test "$(made_in "$dir/home/.cache")" = 1
ok "a relative one does not count" first_use XDG_CACHE_HOME=here HOME="$dir/home"
ok "... and nothing is built again" test "$(made_in "$dir/home/.cache")" = 1
ok "none of it in the source tree" test "$(ls "$dir/installed")" = Makefile
cp -r "$dir/installed" "$dir/second"
KINBENCH_SOURCE=$dir/second XDG_CACHE_HOME=$dir/own run "$dir/ignite_c" other
ok "another source tree has a folder of its own" test "$(made_in "$dir/own")" = 2

# --- states of a GPU
# after: make install
# after: examples, with
if [ -x "$build/tests/library/device" ]; then
    LD_LIBRARY_PATH=$build run "$build/tests/library/device" "$solvers"
    ok "states of a GPU end well" test $? -eq 0
    cat "$dir/out"
    grep -q "^not ok" "$dir/out" && failed=1
fi

# --- cost of a call: told, no bound, which a busy machine would miss
# after: make install
# after: examples, with
run "$build/tests/library/cost"
ok "the cost of a call is measured" test $? -eq 0 -a "$(grep -c 'a call' "$dir/out")" = 8
cat "$dir/out"

# --- an installation that is moved, and make uninstall
# after: make install
cp -a "$prefix" "$dir/moved"
touch "$prefix/lib/another.so"
ok "make uninstall" made uninstall PREFIX="$prefix"
ok "leaves what it did not install" test "$(find "$prefix" ! -type d)" = "$prefix/lib/another.so"
made uninstall PREFIX="$prefix"
ok "nothing to uninstall is an error" says "uninstall: there is no $prefix/lib/kinbench/manifest"
unset LD_LIBRARY_PATH
if have pkg-config "an installation that is moved"; then
    # shellcheck disable=SC2046 # flags are words
    ok "one that was moved" run "${CC:-gcc}" examples/ignite.c -o "$dir/ignite_moved" \
        $(pkg-config --cflags --libs "$dir/moved/lib/pkgconfig/kinbench.pc")
    ok "finds its library and mechanism" run env KINBENCH_SOURCE=/nowhere "$dir/ignite_moved"
fi
exit $failed
