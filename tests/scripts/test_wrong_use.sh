#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What every program says of wrong use and input, to the byte, with its exit code. Run from the
# repository root: [KB_BUILD=build] tests/scripts/test_wrong_use.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
mkdir "$dir/empty" "$dir/run"
printf 'T,p,H2\n1000,1e5,1\n' >"$dir/in.csv"
echo '{"generator": "lem", "version": 1, "parameters": {}}' >"$dir/lem.json"
echo 'a,b' >"$dir/run/cells.csv"
printf 'key,n\nk,1,2\n' >"$dir/run/samples.csv"
: >"$dir/nothing"
cp datasets/mechanisms/h2.yaml "$dir"
sed 's/"n": .*,/"n": 900,/' datasets/recipes/h2-before.json >"$dir/recipe.json"
# said PROGRAM WORD...: the code and the lines of stderr, without argp's last one
said() {
    timeout "$patience" "$build/$1" "${@:2}" >"$dir/out" 2>"$dir/err" </dev/null
    echo "$? $*"
    sed "/^Try /,\$d; s|$build/||g; s/^/    /" "$dir/err"
}
# each line below: the words of a command
words() {
    while read -r line; do
        case $line in '' | '#'*) continue ;; esac
        eval "said $line"
    done
}

# --- each program: nothing, a word too many, an unknown option; those that say the same together
for p in $(basename -s .c $(grep -l '^int main' drivers/*.c mech/tables/mechc.c) | sort); do
    [ -x "$build/$p" ] || continue
    { said "$p" stray words more; said "$p" --no-such-option; said "$p" ""; } |
        sed "s/^\([0-9 ]*\)$p\b/\1PROGRAM/" | paste -sd '\t' | sed "s/$/\t$p/"
done | awk -F'\t' '
    { text = $0; sub(/\t[^\t]*$/, "", text); of[text] = of[text] " " $NF }
    !(text in at) { at[text] = ++n; said[n] = text }
    END { for (i = 1; i <= n; i++) {
        print "of" of[said[i]]
        gsub(/\t/, "\n", said[i])
        print said[i]
    } }' >"$dir/all"
screen wrong-use-each "$dir/all"

# --- what a full disk has not taken is no success
if [ -c /dev/full ] && [ -w /dev/full ]; then
    for p in $(basename -s .c $(grep -l '^int main' drivers/*.c mech/tables/mechc.c)); do
        [ -x "$build/$p" ] && [ "$p" != plugin_host ] || continue
        "$build/$p" --help >/dev/full 2>"$dir/err"
        ok "the help of $p on a full disk" test $? = 2
        ok "... is said" says "$p: error: the output is not written"
    done
    "$build/rows" --columns time_s --table results/gpu/h2/cells.csv >/dev/full 2>"$dir/err"
    ok "a table that is longer than a buffer" test $? = 2
    "$build/compare" results/gpu/h2 results/gpu/h2 >"$dir/out" 2>"$dir/err"
    ok "a comparison that cannot decide" test $? = 5
    "$build/compare" results/gpu/h2 results/gpu/h2 >/dev/full 2>"$dir/err"
    ok "... on a full disk" test $? = 2
    ok "... is said" says "compare: error: the output is not written"
else
    echo "skip - a full disk: /dev/full is no device that can be written to"
fi

# --- a folder that cannot be written to is told before anything is computed
for closed in / /proc/sys none; do
    [ -w "$closed" ] || break
done
if [ "$closed" = none ]; then
    echo "skip - a folder that cannot be written to: there is none"
else
    ok "states into one" code 2 pasr --mech h2 --n 8 --out "${closed%/}/x.npy"
    ok "... is told" says "^pasr: error: $closed: cannot be written to: "
    ok "... and no step taken" test "$(wc -l <"$dir/err")" = 1
fi

ok "states into a folder" code 2 pasr --mech h2 --n 8 --out "$dir/empty"
ok "... is told" says "^pasr: error: .*empty: cannot be written to: Is a directory"
ok "... and no step taken" test "$(wc -l <"$dir/err")" = 1

# --- options that need each other, folders and files that are not there, texts that are none
words <<'END' >"$dir/all"
bench
bench --mech none.so --db none.npy
bench --mech h2 --db "$dir/nothing" --also ""
bench --mech h2 --db "$dir/nothing" --also colour=red
bench --mech h2 --db "$dir/nothing" --also n
bench --mech h2 --db "$dir/nothing" --also n=x
bench --json
bench --mech h2 --db "$dir/nothing" $(for i in $(seq 8); do echo --also n=1; done)
bench --mech h2 --db x $(for i in $(seq 9); do echo --also n=1; done)
bench --mech h2
bench --mech h2 --columns --json
bench --mech h2 --db x --chain device
bench --mech h2 --db x --steps 2 --chain device --tau-mix 1e-5
bench --mech h2 --db x --steps 2 --reactor v --tau-mix 1e-5
bench --mech h2 --db x --steps 1 --tau-mix 1e-5
bench --mech h2 --db x --steps 2 --chain device --forcing F.npy
bench --mech h2 --db x --steps 2 --tau-mix 1e-5 --forcing F.npy
bench --mech h2 --db "$dir/nothing" --steps 2 --tau-mix 1e-5
evaluate "$dir/in.csv" --mech h2 --thermo "$dir/w.npy"
claims --claims "$dir/none.tsv"
claims --claims "$dir/nothing"
claims --results "$dir/none"
compare
compare "$dir/run"
compare "$dir/run" "$dir/run"
compare "$dir/run" "$dir/run" "$dir/run"
compare "$dir/empty" "$dir/empty"
compare "$dir/none" "$dir/run" --smallest 0
compare "$dir/none" "$dir/run" --smallest 3%
compare "$dir/none" "$dir/run" --by power
history
history "$dir/empty"
history "$dir/empty" "$dir/run"
history "$dir/empty" "$dir/empty" --format markdown
dbimport
dbimport --mech h2 --source "$dir/none.csv" --out "$dir/x.npy"
dbimport --mech none --source "$dir/in.csv" --out "$dir/x.npy"
dbinfo
dbinfo "$dir/none.npy"
dbinfo "$dir/nothing"
dbinfo "$dir/in.csv"
detonation --mech none
evaluate
evaluate "$dir/none.npy"
evaluate "$dir/none.npy" --mech h2 --wdot "$dir/w.npy"
evaluate "$dir/nothing" --mech h2 --wdot "$dir/w.npy"
evaluate "$dir/nothing" --mech h2 --wdot "$dir/./nothing"
evaluate "$dir/nothing" --mech "$dir/h2.yaml" --wdot "$dir/./h2.yaml"
evaluate "$dir/nothing" --mech h2 --wdot "$dir/x.npy" --jacobian "$dir/./x.npy"
evaluate "$dir/nothing" --mech h2 --wdot "$dir/none/x.npy" --jacobian "$dir/none/x.npy"
evaluate "$dir/nothing" --mech h2 --wdot "$dir/x.npy" --jacobian "$dir/empty/x.npy"
flow --case none
flow --case sod --nx 0
flow --case sod --nx 10,5x
flow --case sod --scheme none
flow --case sod --engine none
flow --case sod --chemistry rodas4
flow --case "$dir/none.json"
flow --bench --case sod --repeats 0
flow --recipe "$dir/lem.json" --out "$dir/x.npy"
flamelet --recipe "$dir/none.json"
flamelet --recipe "$dir/lem.json"
ignite --mech h2 --fuel H2:1 --T0 200 --out "$dir/x.npy"
ignite --mech h2 --fuel H2:1 --T0 1000,x --out "$dir/x.npy"
ignite --mech h2 --fuel H2 --out "$dir/x.npy"
ignite --mech h2 --fuel H2:1 --n 0 --out "$dir/x.npy"
ignite --mech h2 --fuel H2:1 --solvers "$dir/nothing" --out "$dir/x.npy"
kernels
kernels --mech none --db "$dir/nothing"
kinbench
kinbench none
kinbench help none
lem --mech h2 --fuel H2:1 --cells 1 --out "$dir/x.npy"
mechinfo
mechinfo none
mechinfo "$dir/in.csv"
mechinfo h2 --name x
mechinfo h2 --description x
mechinfo h2 --temperatures 1000
mechinfo h2 --thermo "$dir/none.dat"
pasr --mech h2 --fuel H2:1 --particles 1 --out "$dir/x.npy"
pasr --mech h2 --fuel H2:1 --states between --out "$dir/x.npy"
pasr --mech h2 --fuel H2:1 --solver none --out "$dir/x.npy"
pasr --recipe "$dir/recipe.json" --out "$dir/./recipe.json"
dbimport --mech "$dir/h2.yaml" --source "$dir/in.csv" --out "$dir/./h2.yaml"
scaling --db "$dir/nothing" --out "$dir/./nothing"
report "$dir/run" --out "$dir/run/cells.csv"
plugin_host
report
report "$dir/none"
report "$dir/run" -o "$dir/x.html"
report --papers "$dir/empty" -o "$dir/x.html"
roofline
roofline --mech "$dir/nothing" --db "$dir/nothing"
rows
rows --csv --table x
rows 'us{' --results "$dir/empty"
rows 'us{run=none}' --results "$dir/empty"
rows 'none{run=none}' --results "$dir/empty"
rows 1 2
rows --fill "$dir/none"
rows --table "$dir/none.csv"
rows --table "$dir/run/samples.csv"
rows --select n= "$dir/in.csv"
rows --select T=1000 experiment=x run=y "$dir/none.csv"
scaling
scaling --db "$dir/none.npy"
scaling --db "$dir/none.npy" --ranks 0
scaling --db "$dir/none.npy" --ranks 8,,9
scaling --db "$dir/none.npy" --order up
tune --results "$dir/none"
tune --results "$dir/empty"
tune --accuracy "$dir/empty"
tune --results "$dir/run/.."
verify
verify "$dir/run"
verify "$dir/empty"
which_integrator
which_integrator "$dir/none"
which_integrator "$dir/empty"
which_integrator --in-place "$dir/empty"
END
screen wrong-use "$dir/all"

# --- what is no file of text: a folder, a device, bytes that are none, one that cannot be read
mkdir -p "$dir/causes/causes.tsv" "$dir/plots/papers"
printf 'a\n{\0}b\n' >"$dir/zero"
cp "$dir/zero" "$dir/plots/papers/witness.tsv"
for f in empty zero; do
    words <<END
bench --mech h2 --db "$dir/$f"
claims --claims "$dir/$f"
mechinfo "$dir/$f"
pasr --recipe "$dir/$f"
report --papers --figures "$dir/$f" results/gpu -o "$dir/x.html"
rows --fill "$dir/$f"
rows --table "$dir/$f"
END
done >"$dir/all"
words <<'END' >>"$dir/all"
claims --claims /dev/zero
claims --claims datasets/claims.tsv --results "$dir/causes"
pasr --recipe /dev/zero
report --papers --figures /dev/zero results/gpu -o "$dir/x.html"
report --papers --plots "$dir/plots" results/gpu -o "$dir/x.html"
rows --fill /dev/zero
rows --fill /proc/self/mem
rows --table /proc/self/mem
END
screen wrong-use-files "$dir/all"
ok "nothing is written" test -z "$(find "$dir" -name 'x.*' -o -name '*.tmp*')"
exit $failed
