#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Little memory ends every program within seconds, with one message and code 2; SIGINT and SIGTERM
# end every run. Run from the repository root, after `make tools solvers MECH=h2`:
#   [KB_BUILD=build] tests/scripts/test_limits.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
if nm -D "$build/bench" | grep -q __asan_init; then
    echo "skip - limits of memory: the address sanitizer maps far more than it uses"
    exit 0
fi
one_message() { test "$(wc -l <"$dir/err")" = 1 && says "out of memory"; }
# limited KB PROGRAM ARGUMENTS...: ends with code 2 within 20 s of processor time
limited() {
    (
        ulimit -v "$1"
        shift
        ulimit -t 20
        timeout -s KILL $patience "$build/$@" >"$dir/out" 2>"$dir/err"
        test $? = 2
    )
}

# --- no library of ours wants more than it uses
ok "a mechanism and its solvers in 100 MB of data" test "$( (ulimit -d 100000
    timeout -s KILL $patience "$build/mechinfo" datasets/mechanisms/h2.yaml >"$dir/out" 2>"$dir/err"
    echo $?))" = 0

# --- a request beyond the limit, by `ulimit -v` and by a control group
ok "states" code 0 ignite --mech h2 --fuel H2:1 --n 1000 --quiet --out "$dir/a.npy"
import=(dbimport --mech h2 --source "$dir/a.npy" --n 20000000 --quiet --out "$dir/b.npy")
ok "an import of 1.8 GB in 1 GB" limited 1000000 "${import[@]}"
ok "... says so" one_message
ok "... nothing written" test -z "$(find "$dir" -name 'b.*')"
threads() { # threads SOLVER: a cell of 300 threads in 800 MB; the exit code
    (
        ulimit -v 800000
        timeout -s KILL $patience "$build/bench" --mech h2 --db "$dir/a.npy" --n 64 --dt 1e-7 \
            --brief --solvers "$1" --engines cpu-scalar --threads 300 --repeats 1 \
            --schedules static --quiet --out "$dir/$1" >"$dir/out" 2>"$dir/err"
        echo $?
    )
}
for solver in rodas4 cvode; do
    ok "300 threads of $solver in 800 MB" test "$(threads $solver)" = 3
    ok "... why" grep -q "out of memory for the stacks of 300 threads" "$dir/$solver/cells.csv"
done
# A flow of 160 MB, whose start is made again for what has changed since. Data are limited, not
# addresses: libraries map more or less of them, and so do threads.
ok "a flow that fits once in 240 MB" test "$( (ulimit -d 240000
    timeout -s KILL $patience "$build/flow" --case vortex --nx 1000 --end 1e-9 --threads 2 \
        --quiet --out "$dir/flow" >"$dir/out" 2>"$dir/err"
    echo $?))" = 2
ok "... says so" says "no memory for 1000 x 1000 cells"
mkdir "$dir/group"
echo max >"$dir/group/memory.max"
export KB_CGROUP=$dir/group
ok "a group without limit" code 0 dbinfo "$dir/a.npy" --no-costs
echo 1000000000 >"$dir/group/memory.max"
printf 'anon 100000000\nfile 500000000\n' >"$dir/group/memory.stat"
ok "a group with enough" code 0 dbinfo "$dir/a.npy" --no-costs
ok "a group with too little for an import" code 2 "${import[@]}"
ok "... says so" one_message
printf 'anon 1000000000\nfile 0\n' >"$dir/group/memory.stat"
ok "a group that is full" code 2 dbinfo "$dir/a.npy" --no-costs
ok "... says so" one_message
unset KB_CGROUP

# --- signals
ends_by() { # ends_by SIGNAL PROGRAM ARGUMENTS...: sent once the program catches it
    signal=$1
    shift
    timeout -s KILL $patience "$build/$@" >"$dir/out" 2>"$dir/err" &
    until program=$(pgrep -P $!) || ! kill -0 $!; do sleep 0.02; done
    catches "$program" "$(kill -l "$signal")"
    kill -s "$signal" "$program"
    wait $!
    test $? = 130
}
mkfifo "$dir/never.npy"
sleep $((3 * patience)) >"$dir/never.npy" & # holds it open, so that a reader waits
holder=$!
export KB_PATIENCE=1
for signal in INT TERM; do
    ok "$signal in a read that never ends" ends_by $signal bench --mech h2 \
        --db "$dir/never.npy" --n 10 --out "$dir/r"
    ok "... says so" says "interrupted, and still busy"
    ok "$signal in a generator" ends_by $signal lem --mech h2 --fuel H2:1 --cells 2000 \
        --steps 100000 --quiet --out "$dir/c.npy"
    rm -f "$dir"/c.*
done
kill $holder

# --- an installation that runs beside ours is waited for
mkdir "$dir/bin"
cat >"$dir/bin/apt-get" <<'EOF'
#!/bin/sh
echo "$*" >>"$KB_CALLS"
[ "$1" = install ] || [ "$(grep -c ^update "$KB_CALLS")" -gt 2 ]
EOF
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/sleep"
printf '#!/bin/sh\necho 0\n' >"$dir/bin/id"
chmod +x "$dir"/bin/*
ok "install-deps" env PATH="$dir/bin:$PATH" KB_CALLS="$dir/calls" ci/install-deps
ok "... tries the lists again" test "$(grep -c ^update "$dir/calls")" = 3
ok "... waits for dpkg's lock" grep -q "^install .*DPkg::Lock::Timeout=[1-9]" "$dir/calls"
exit $failed
