#!/bin/bash
# SPDX-License-Identifier: MIT
#
# compare on made-up runs: known ratios, other errors, missing cells, formats, exit codes; and two
# builds measured in turns. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_compare.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh

# made_up FOLDER "SOLVER SECONDS ERROR STATUS"...: 12 repeats within 1 % of each
made_up() {
    folder=$1
    shift
    mkdir -p "$folder"
    echo "mech,mech_sha256,database,db_sha256,order,n,dt_s,solver,engine,schedule,threads,rtol,\
atol,time_s,time_lo_s,time_hi_s,err_p95,failed,status" >"$folder/cells.csv"
    echo "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeat,time_s" \
        >"$folder/samples.csv"
    for cell; do
        read -r solver seconds error status <<<"$cell"
        echo "toy,m,base,d,generated,100,1e-06,$solver,cpu-simd,refill,2,0.01,1e-08,$seconds,\
$seconds,$seconds,$error,0,$status" >>"$folder/cells.csv"
        awk -v s="$solver" -v t="$seconds" 'BEGIN { for (i = 1; i <= 12; i++)
            printf "k,generated,100,1e-06,%s,cpu-simd,refill,2,0.01,1e-08,%d,%.9g\n", s, i,
                t * (1 + 0.01 * (i * 7 % 12 - 6) / 6) }' >>"$folder/samples.csv"
    done
}
made_up "$dir/a" "worse 1e-3 1e-4 ok" "better 1e-3 1e-4 ok" "same 1e-3 1e-4 ok" \
    "other 1e-3 1e-4 ok" "gone 1e-3 1e-4 ok" "skipped 1e-3 1e-4 skipped" "wild 1e-3 1e-4 ok"
made_up "$dir/b" "worse 1.1e-3 1e-4 ok" "better 0.5e-3 1e-4 ok" "same 1.001e-3 1e-4 ok" \
    "other 1e-3 2e-4 ok" "new 1e-3 1e-4 ok" "skipped 1e-3 1e-4 ok" "wild 1e-3 1e-4 ok"
# a third of wild's repeats are ten times as long
for side in a b; do
    awk -F, -v OFS=, '$5 == "wild" && ++n % 3 == 0 { $12 *= 10 } { print }' \
        "$dir/$side/samples.csv" >"$dir/new"
    mv "$dir/new" "$dir/$side/samples.csv"
done

ok "something is slower" code 1 compare "$dir/a" "$dir/b" --all
screen compare
verdict() { grep -q "^$1  .* toy $2 cpu-simd" "$dir/out"; }
ok "a tenth slower" verdict "slower     " worse
ok "by the right ratio" grep -Eq "^slower +1\.100 +1\.09[0-9]-1\.10" "$dir/out"
ok "half the time" verdict "faster     " better
ok "0.1 %" verdict "same       " same
ok "wild samples of the same" grep -Eq "^(same|unclear) .* toy wild" "$dir/out"
ok "twice the error" verdict "other error" other
ok "only in A" grep -q "^missing.*toy gone.*only in A" "$dir/out"
last() { tail -1 "$dir/out" | grep -q -- "$1"; }
ok "the last line says both" last \
    "^B is slower in 1 of 5 cells. NOT COMPARED: no result in B (1), another error (1).$"
ok "only in B, also where A skipped it" test "$(grep -c "^missing.*only in B" "$dir/out")" = 2
ok "counts" grep -q "^1 slower, 1 other error, 1 faster, . unclear, 3 missing, . same" "$dir/out"
ok "says that they were not in turns" grep -q "4 of 4\|5 of 5 cells were not measured in turns" \
    "$dir/out"
ok "the other way round" code 1 compare "$dir/b" "$dir/a"
screen compare-short
code 1 compare "$dir/a" "$dir/b" --all --format csv
screen compare.csv
made_up "$dir/twice/1" "same 1e-3 1e-4 ok" "better 1e-3 1e-4 skipped"
made_up "$dir/twice/2" "same 1e-3 1e-4 skipped" "better 1e-3 1e-4 ok"
code 0 compare "$dir/twice" "$dir/a"
ok "of the rows of a cell the one that was measured counts" grep -q \
    ", 4 missing, 2 same$" "$dir/out"
ok "nothing is slower than itself" code 0 compare "$dir/a" "$dir/a"
ok "the last line says so" last "^Nothing is found to be slower; 1 unclear.$"
ok "... with no effect" test "$(grep -cE "^(slower|faster)" "$dir/out")" = 0
for side in before after; do
    made_up "$dir/$side" "better 1e-3 1e-4 ok" "wild 1e-3 1e-4 ok"
    awk -F, -v OFS=, -v after=$([ $side = after ] && echo 1) '
        $5 == "wild" && ++n % 3 == 0 { $12 *= 10 } $5 == "better" && after { $12 /= 2 }
        { print }' "$dir/$side/samples.csv" >"$dir/new" && mv "$dir/new" "$dir/$side/samples.csv"
done
ok "an unclear cell beside a faster one is decided" code 0 compare "$dir/before" "$dir/after"
ok "... and told" grep -q "1 faster, 1 unclear" "$dir/out"
ok "a larger smallest effect leaves what cannot be compared" \
    code 4 compare "$dir/a" "$dir/b" --smallest 15
ok "is told last" last "^Nothing is found to be slower; 1 unclear. \
NOT COMPARED: no result in B (1), another error (1).$"
made_up "$dir/one" "same 1e-3 1e-4 ok" "gone 1e-3 1e-4 ok"
for b in "gone 1e-3 1e-4 failed" "gone nan nan skipped" "new 1e-3 1e-4 ok"; do
    rm -rf "$dir/less"
    made_up "$dir/less" "same 1e-3 1e-4 ok" "$b"
    ok "B has no result of a cell ($b)" code 4 compare "$dir/one" "$dir/less"
    ok "which is shown without --all" grep -q "^missing.*toy gone.*only in A" "$dir/out"
done
made_up "$dir/ended" "same 1e-3 1e-4 ok" "gone 1e-3 1e-4 failed"
code 4 compare "$dir/one" "$dir/ended"
ok "says what B has in its place" grep -q "^missing.*toy gone.*(only in A; B: failed)" "$dir/out"
ok "a result that only B has is none lost" code 0 compare "$dir/ended" "$dir/one"
made_up "$dir/errs" "same 1e-3 1e-4 ok" "gone 1e-3 3e-4 ok"
ok "nothing is slower, but B errs more" code 4 compare "$dir/one" "$dir/errs"
ok "JSON" code 1 compare "$dir/a" "$dir/b" --format json
screen compare.json
ok "the same by --json" code 1 compare "$dir/a" "$dir/b" --json
screen compare.json
if command -v python3 >/dev/null; then
    ok "is JSON" test "$(python3 -c 'import json, sys; j = json.load(sys.stdin)
print(j["verdicts"]["slower"], [c["cell"]["solver"] for c in j["cells"]
    if c["verdict"] == "slower"][0])' <"$dir/out")" = "1 worse"
else
    echo "skip - JSON is read: no python3"
fi
ok "markdown" code 1 compare "$dir/a" "$dir/b" --format markdown
screen compare-markdown
ok "is a table" grep -q "^| slower | 1.100 |" "$dir/out"
# of so many slower cells at most 10 are rows of markdown and 30 lines of text
for n in 10 11 30 31; do
    mapfile -t cells < <(for i in $(seq "$n"); do echo "s$i 1e-3 1e-4 ok"; done)
    made_up "$dir/many$n" "${cells[@]}"
    made_up "$dir/late$n" "${cells[@]/1e-3/2e-3}"
    for format in markdown text; do
        code 1 compare "$dir/many$n" "$dir/late$n" --format $format
        grep -c '^|* *slower ' "$dir/out"
        grep -o '^.* more.*--all' "$dir/out"
    done | paste -sd' '
done >"$dir/lines"
ok "rows and lines of many slower cells" test "$(paste -sd, "$dir/lines")" = \
    '10 10,10 1 more cells: `--all 11,10 20 more cells: `--all 30,10 21 more cells: `--all 30 ... '\
'and 1 more: --all'
made_up "$dir/c" "third 1e-3 1e-4 ok"
ok "no cell in common" code 3 compare "$dir/a" "$dir/c"
ok "says what a cell is" says "no cell was measured on both sides"
mkdir "$dir/all"
mv "$dir/b" "$dir/c" "$dir/all"
ok "a run against all of a folder" code 1 compare "$dir/a" "$dir/all"
made_up "$dir/some/x" "same 1e-3 1e-4 ok"
# beside it a hidden one, and runs that lack one of the two tables
for other in .hidden y-cells z-samples; do
    made_up "$dir/some/$other" "gone 2e-3 1e-4 ok"
done
rm "$dir/some/y-cells/samples.csv" "$dir/some/z-samples/cells.csv"
ok "a folder has cells of its own: none is lost" code 0 compare "$dir/one" "$dir/some"
ok "no folder" code 2 compare "$dir/a" "$dir/none"
ok "one folder" code 2 compare "$dir/a"
ok "unknown format" code 2 compare "$dir/a" "$dir/a" --format yaml

# --- results as columns know them
ok "no processor time" code 2 compare "$dir/a" "$dir/a" --by cpu
ok "says which column is missing" says "no column cpu_s"
for side in right false; do
    cp -r "$dir/a" "$dir/$side"
    awk -F, -v OFS=, -v n=$([ $side = false ] && echo 3 || echo 0) \
        '{ print $0, NR == 1 ? "wrong" : n }' "$dir/a/cells.csv" >"$dir/$side/cells.csv"
done
code 4 compare "$dir/right" "$dir/false"
ok "other wrong ODEs, the same time" grep -q "^other error .*wrong 0, 3" "$dir/out"
code 0 compare "$dir/a" "$dir/false" --all
ok "wrong ODEs that one side does not know" test "$(grep -c "^other error" "$dir/out")" = 0

# --- too few repeats to decide
few() { # few FOLDER REPEATS FROM: the first repeats of FROM
    cp -r "$3" "$1"
    awk -F, -v n="$2" 'NR == 1 || $11 <= n' "$3/samples.csv" >"$1/samples.csv"
}
made_up "$dir/quick" "first 1e-3 1e-4 ok" "second 1e-3 1e-4 ok"
made_up "$dir/slow" "first 1e-2 1e-4 ok" "second 1e-2 1e-4 ok"
made_up "$dir/one-slow" "first 1e-2 1e-4 ok" "second 1e-3 1e-4 ok"
for n in 3 4 5; do
    for run in quick slow one-slow; do
        few "$dir/$run-$n" $n "$dir/$run"
    done
done
ok "a tenfold slow-down that 3 repeats cannot show is no pass" \
    code 5 compare "$dir/quick-3" "$dir/slow-3"
more="more repeats needed (with 5 of each side a change of one cell in 2 shows)"
ok "the last line says how many repeats are missing" last "^Nothing could be decided: 2 $more.$"
ok "JSON says so" code 5 compare "$dir/quick-3" "$dir/slow-3" --format json
screen compare-undecided.json
ok "... in its fields" grep -q '"more_repeats": 2' "$dir/out"
ok "... of each cell" test "$(grep -c '"undecided": true' "$dir/out")" = 2
ok "markdown says so first" code 5 compare "$dir/quick-3" "$dir/slow-3" --format markdown
screen compare-undecided-markdown
ok "the same run of 3 repeats is the same" code 0 compare "$dir/quick-3" "$dir/quick-3"
ok "one cell of two is decided" code 5 compare "$dir/quick-3" "$dir/one-slow-3"
ok "the other is named undecided" last "^UNDECIDED: 1 of 2 cells: 2 $more.$"
# as many are missing as the cell with the fewest lacks, whichever it is
for n in "3 4" "4 3"; do
    for run in quick slow; do
        cp -r "$dir/$run" "$dir/$run-$n"
        awk -F, -v n="$n" 'BEGIN { split(n, most, " ") }
            NR == 1 || $11 <= most[1 + ($5 == "second")]' "$dir/$run/samples.csv" \
            >"$dir/$run-$n/samples.csv"
    done
    ok "cells of $n repeats are undecided" code 5 compare "$dir/quick-$n" "$dir/slow-$n"
    ok "... by 2" last "^Nothing could be decided: 2 $more.$"
done
# one of 3 repeats against 12 could be decided, if these were alike
made_up "$dir/single" "wild 1e-3 1e-4 ok"
few "$dir/single-3" 3 "$dir/single"
awk -F, -v OFS=, 'NR > 1 { $12 *= 1 + NR % 3 / 2 } { print }' "$dir/single/samples.csv" \
    >"$dir/new" && mv "$dir/new" "$dir/single/samples.csv"
ok "3 repeats against 12 that differ" code 5 compare "$dir/single-3" "$dir/single"
ok "... are not too few" last "^Nothing could be decided: the repeats of one side differ too much \
among themselves.$"
cp -r "$dir/quick-3" "$dir/unsteady-3"
awk -F, -v OFS=, '$5 == "second" && $11 == 2 { $12 *= 1.3 } { print }' "$dir/quick-3/samples.csv" \
    >"$dir/unsteady-3/samples.csv"
ok "an unsteady cell of 3 repeats is no pass" code 5 compare "$dir/quick-3" "$dir/unsteady-3"
ok "4 repeats show what both cells have" code 1 compare "$dir/quick-4" "$dir/slow-4"
ok "... but not what one has" code 5 compare "$dir/quick-4" "$dir/one-slow-4"
ok "... and say so" last "^UNDECIDED: 1 of 2 cells: 1 ${more/repeats/repeat}.$"
ok "with as many as it asks for one is enough" code 1 compare "$dir/quick-5" "$dir/one-slow-5"
ok "a picture of undecided cells" env KB_BUILD="$build" plots/compare "$dir/quick-3" \
    "$dir/slow-3" >/dev/null 2>"$dir/err"

# --- the largest error
# after: too few repeats
for side in least most; do
    cp -r "$dir/quick" "$dir/$side"
    awk -F, -v OFS=, -v e=$([ $side = most ] && echo 2e-3 || echo 1e-3) \
        '{ print $0, NR == 1 ? "err_max" : e }' "$dir/quick/cells.csv" >"$dir/$side/cells.csv"
done
ok "another largest error is another error" code 4 compare "$dir/least" "$dir/most"
ok "it is told" grep -q "^other error .*err_p95 1e-4, 1e-4; err_max 1e-3, 2e-3" "$dir/out"
ok "a largest error that one side does not know" code 0 compare "$dir/quick" "$dir/most"

# --- the history of many commits
# after: too few repeats
# of FOLDER GIT CELL...: made up, by that commit
of() {
    made_up "$1" "${@:3}"
    awk -v git="$2" '{ print $0 "," (NR == 1 ? "git" : git) }' "$1/cells.csv" >"$dir/new"
    mv "$dir/new" "$1/cells.csv"
}
history=()
while read -r git late early twice errs; do
    of "$dir/h$git" "$git" "stays 1e-3 1e-4 ok" "late $late 1e-4 ok" "early $early 1e-4 ok" \
        "twice $twice 1e-4 ok" "errs 1e-3 $errs ok" ${early:+"gone 1e-3 1e-4 ok"}
    history+=("$dir/h$git")
done <<END
a1 1e-3 1e-3 1e-3 1e-4
b2 1e-3 0.8e-3 1.2e-3 1e-4
c3 1e-3 0.8e-3 1.2e-3 1e-4
d4 1.1e-3 0.8e-3 1.2e-3 3e-4
e5 1.1e-3 0.8e-3 0.9e-3 3e-4
END
awk -F, '$8 != "gone"' "$dir/hc3/cells.csv" >"$dir/new" && mv "$dir/new" "$dir/hc3/cells.csv"
ok "slow-downs over five commits" code 1 history "${history[@]}"
screen history
step() { grep -cE "^$1 +$2 +$3.* toy $4 cpu-simd" "$dir/out"; }
ok "each step has its commit, verdict and ratio" test "$(step '4: d4' slower 1.100 late)$(step \
    '2: b2' faster 0.800 early)$(step '2: b2' slower 1.200 twice)$(step '5: e5' faster 0.750 \
    twice)$(step '4: d4' 'other error' 1.000 errs)" = 11111
ok "and no cell has another" test "$(grep -c ' toy ' "$dir/out")" = 5
ok "the last line counts them" last \
    "^Of 3 % or more in 6 cells: slow-downs 2, gains 2, other errors 1.$"
ok "the other way round" code 1 history "$dir/he5" "$dir/hd4" "$dir/hc3" "$dir/hb2" "$dir/ha1"
ok "a slow-down is then a gain" test "$(step '3: c3' faster 0.909 late)" = 1
ok "nothing since" code 0 history "$dir/hb2" "$dir/hc3"
ok "is told" last "^No step of 3 % or more in 5 cells.$"
# three commits in turns, on a machine that becomes ten times slower in the middle: side k begins
# its i-th repeat at 3 i + k; in the second side the first repeat of "early" and the last but one of
# "late" wait for the next round; the last side begins "touch" with the next round's first; "less"
# has fewer repeats in the second, "two" is not there, "once" in the first alone
for k in 0 1 2; do
    cells=()
    for cell in steps early late touch less; do cells+=("$cell 1e-3 1e-4 ok"); done
    [ $k = 1 ] || cells+=("two 1e-3 1e-4 ok")
    [ $k != 0 ] || cells+=("once 1e-3 1e-4 ok")
    made_up "$dir/turn$k" "${cells[@]}"
    awk -v k=$k 'BEGIN { git[0] = "0123456789abcdef"; git[1] = "unknown"; git[2] = "abc" }
        { print $0 "," (NR == 1 ? "git,dirty" : git[k] "," (k == 2)) }' "$dir/turn$k/cells.csv" \
        >"$dir/new" && mv "$dir/new" "$dir/turn$k/cells.csv"
    awk -F, -v OFS=, -v k=$k 'NR == 1 { print $0, "begin_s"; next }
        $5 == "less" && k == 1 && $11 == 12 { next }
        { at = 3 * $11 + k + ($5 == "touch" && k == 2)
            if (k == 1 && ($5 == "early" && $11 == 1 || $5 == "late" && $11 == 11)) at += 3
            $12 *= ($11 > 6 ? 10 : 1) * ($5 == "steps" && k == 2 ? 1.1 : 1); print $0, at }' \
        "$dir/turn$k/samples.csv" >"$dir/new" && mv "$dir/new" "$dir/turn$k/samples.csv"
done
for format in text csv json; do
    code 1 history "$dir/turn0" "$dir/turn1" "$dir/turn2" --format $format
    cat "$dir/out" "$dir/err"
done >"$dir/turned"
screen history-in-turns "$dir/turned"
ok "another error alone is told" code 4 history "$dir/hc3" "$dir/hd4" --smallest 12
ok "... with its commit" test "$(step '2: d4' 'other error' 1.000 errs)" = 1
ok "JSON" code 1 history "${history[@]}" --json
screen history.json
ok "three repeats of each decide nothing" code 5 history "$dir/quick-3" "$dir/one-slow-3"
ok "... and say so" last "UNDECIDED: 1 cells"
ok "one folder has no history" code 2 history "$dir/ha1"
ok "nor have folders without a run" code 2 history "$dir/ha1" "$dir/none"
ok "... which is told" says "history: error: $dir/none: neither a run of bench"
ok "no cell twice" code 3 history "$dir/ha1" "$dir/quick"
if command -v gnuplot >/dev/null; then
    ok "a figure" env KB_BUILD="$build" plots/history "${history[@]}" 2>"$dir/err"
    ok "with a line for each commit that made a step" test "$(grep -oE '>(b2|c3|d4|e5)<' \
        plots/out/history/history.svg | sort -u | xargs)" = ">b2< >d4< >e5<"
else
    echo "skip - a figure of a history: no gnuplot"
fi

# --- in turns
cc=${CC:-gcc}
mkdir -p "$dir/tree"
ln -s "$build" "$dir/tree/build"
"$cc" -std=gnu11 -O1 -shared -fPIC -I. tests/scripts/toy_solvers.c base/error.c -o "$dir/toy.so" \
    -lm && "$cc" -std=gnu11 -O1 -I. tests/scripts/toy_database.c "$build/libkb.a" -lmd \
    -o "$dir/toydb" || exit 2
"$dir/toydb" "$dir/toy.npy" 300
cells=(--mech "$dir/toy.so" --db "$dir/toy.npy" --n 300 --dt 1e-6 --solvers euler
    --engines cpu-scalar --threads 1)
ok "turns" drivers/compare/turns 4 "$dir/turns" a="$dir/tree" b="$dir/tree" -- "${cells[@]}"
ok "a side that cannot be measured is named" test "$(drivers/compare/turns 1 "$dir/half" \
    a="$dir/tree" b="$dir/none" -- "${cells[@]}" 2>&1 |
    grep -c "bench of b .*none) ended with")" = 1
code 0 compare "$dir/turns/a" "$dir/turns/b" --all
ok "are recognised" grep -q " 4 in turns .*euler" "$dir/out"
ok "A first, then B, then B first" test "$(for s in a b; do
    column "$dir/turns/$s/samples.csv" begin_s | sed "s/$/ $s/"; done | sort -n | cut -d' ' -f2 |
    tr -d '\n')" = abbaabba
# a second cell, of which A is measured long before B
for side in a b; do
    mkdir -p "$dir/mixed/$side"
    for file in cells samples; do
        awk -F, -v OFS=, -v side=$side 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
            { print; $c["solver"] = "other"
                if (side == "a" && "begin_s" in c) $c["begin_s"] -= 1000; print }' \
            "$dir/turns/$side/$file.csv" >"$dir/mixed/$side/$file.csv"
    done
done
code 0 compare "$dir/mixed/a" "$dir/mixed/b" --format markdown
ok "one of two cells is not in turns" grep -q "; 1 not measured in turns" "$dir/out"
ok "processor time of each" test "$(column "$dir/turns/a/samples.csv" cpu_s 'f["cpu_s"] > 0' |
    wc -l)" = 4
# rounds are added while cells are undecided, and what is slower is measured once more
mkdir -p "$dir/judge"
cat >"$dir/judge/compare" <<'END'
#!/bin/sh
# ends with 5 until there are 5 rounds, then with 1
rounds=$(($(wc -l <"$1/samples.csv") - 1))
echo "  \"more_repeats\": $((rounds < 4 ? 4 - rounds : 0)),"
[ $rounds -ge 5 ] && exit 1 || exit 5
END
chmod +x "$dir/judge/compare"
decide() { # decide ROUNDS SECONDS: the rounds of each run
    rm -rf "$dir/decided"
    KB_BUILD="$dir/judge" drivers/compare/decide "$1" "$2" cpu "$dir/tree" "$dir/tree" \
        "$dir/decided" "${cells[@]}" >"$dir/out" 2>"$dir/err" || return
    for run in "$dir/decided" "$dir/decided/again"; do
        [ ! -d "$run/b" ] || grep -c . "$run/b/samples.csv"
    done | paste -sd' '
}
ok "2 rounds, then 2 that are missing, then 1; all of it once more" test "$(decide 2 600)" = "6 6"
ok "the last run counts" test "$(cat "$dir/out")" = "$dir/decided/again"
ok "each is told" test "$(grep -c '^undecided after' "$dir/err")" = 4
ok "no time, no more rounds" test "$(decide 2 0)" = 3
ok "the only run counts" test "$(cat "$dir/out")" = "$dir/decided"
for p in 'compare HEAD~1,HEAD' 'history HEAD~1..HEAD'; do
    # shellcheck disable=SC2086 # words
    GIT_DIR=$dir/none drivers/compare/commits $p h2 '' 3 0 cpu >"$dir/out" 2>"$dir/err"
    ok "${p%% *} without git" test $? = 2
    ok "... says so" says 'error: no git repository is here, or no git'
done
refused() { # refused GOAL COMMITS MESSAGE
    drivers/compare/commits "$1" "$2" h2 '' 3 0 cpu >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && says "$1: error: $3"
}
ok "one commit" refused compare HEAD 'COMMITS=HEAD: two commits are needed, as HEAD~1,HEAD'
ok "three" refused compare HEAD,HEAD,HEAD 'COMMITS=HEAD,HEAD,HEAD: two commits are needed'
ok "... of a history one" refused history HEAD 'COMMITS=HEAD: two commits and more are needed'
ok "no such commit" refused compare HEAD,nonsense 'there is no commit nonsense'

# what is built of both: a mechanism that comes along by its name, another one from where it is
printf '#!/bin/sh\necho "$*" >>"%s"\nexit 1\n' "$dir/made" >"$dir/make"
chmod +x "$dir/make"
cp datasets/mechanisms/h2.yaml "$dir/own.yaml"
tree=build/compared/a-$(git rev-parse --short HEAD)-rodas4
[ -d "$tree" ] || trap 'git worktree remove --force "$tree"; rm -rf "$dir"' EXIT
commits() { # commits MECH: the last words of what make is told
    rm -f "$dir/made"
    env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory compare COMMITS=HEAD,HEAD MECH="$1" \
        METHODS=rodas4 MAKE="$dir/make" DB="$dir/toy.npy" CUDA=0 BUILD="${KB_BUILD:-build}" \
        -o "${KB_BUILD:-build}/compare" >"$dir/out" 2>"$dir/err"
    sed 's/.*solvers *//' "$dir/made"
}
ok "a mechanism of the commit" test "$(commits h2)" = "NAME=h2 MECH=h2"
ok "a mechanism of one's own" test "$(commits "$dir/own.yaml")" = "NAME=own MECH=$dir/own.yaml"
ok "its one-way form" test "$(commits "$dir/own.yaml-oneway")" = \
    "NAME=own-oneway MECH=$dir/own.yaml-oneway"

# --- the picture
out=plots/out/compare
if command -v gnuplot >/dev/null; then
    ok "picture" env KB_BUILD="$build" plots/compare "$dir/a" "$dir/all/b" >/dev/null 2>"$dir/err"
    ok "the picture is of the same times as the table" test "$(env KB_BUILD="$build" \
        plots/compare "$dir/a" "$dir/all/b" --by cpu 2>&1 | grep -c "no column cpu_s")" = 1
    ok "has both curves" test "$(grep -cE '>(better|worse)<' $out/compare.svg)" = 2
else
    echo "skip - picture: no gnuplot"
fi
# --- how often it is wrong: the driver deletes no folder of others
mkdir "$dir/mine"
echo notes >"$dir/mine/notes"
RATES_OUT=$dir/mine drivers/compare/rates 1 1 >"$dir/out" 2>"$dir/err"
ok "a folder of something else is refused" test $? -eq 2
ok "says so" says "RATES_OUT=.*mine is a folder of something else"
ok "and left alone" test "$(cat "$dir/mine/notes")" = notes
exit $failed
