#!/bin/bash
# SPDX-License-Identifier: MIT
#
# claims: exit codes, what is written and what is left alone, and the verdicts on the committed
# results. Run from the repository root: [KB_BUILD=build] tests/scripts/test_claims.sh
# beside others
build=${KB_BUILD:-build}
. tests/scripts/check.sh

mkdir -p "$dir/toy/first"
cells() { # cells TIME-OF-B: a takes 2 s
    echo machine,git,db_sha256,n,solver,engine,time_s,time_lo_s,time_hi_s,err_p95,status
    echo box,abc,d,64,a,cpu-scalar,2,1.99,2.01,1e-6,ok
    echo "box,abc,d,64,b,cpu-scalar,$1,$1,$1,1e-6,ok"
}
cells 1 >"$dir/toy/first/cells.csv"
claim() { # claim ID PAPER EXPERIMENT QUERY DIRECTION
    printf '%s\t%s\tFig. 1\tquantity\t2\t2\t2\tratio\tyes\t' "$1" "$2"
    printf '%s\t%s\t%s\t1.5..3\t-\tnote, with a comma\n' "$3" "$4" "$5"
}
names() {
    echo id paper where quantity printed printed_lo printed_hi kind portable experiment query \
        direction band guard note | tr ' ' '\t'
}
{
    names
    claim a-1 a first 'us{a n=64} / us{b n=64}' '> 1'
    claim a-2 a first 'us{b n=64} / us{a n=64}' '> 1'
    claim b-1 b first 'us{z n=64}' '> 1'
} >"$dir/claims.tsv"
run="claims --claims $dir/claims.tsv --results $dir/toy"
verdict() { column "$dir/toy/claims.csv" verdict "f[\"id\"] == \"$1\""; }

ok "first verdicts are written" code 0 $run
screen claims
screen claims.csv "$dir/toy/claims.csv"
verdicts() { echo "$(verdict a-1), $(verdict a-2), $(verdict b-1)"; }
of_a1() { column "$dir/toy/claims.csv" "$1" 'f["id"] == "a-1"'; }
ok "with their names" test "$(verdicts)" = "holds, does not hold, cannot say"
ok "with value, interval and rows" test "$(of_a1 value) $(of_a1 lo) $(of_a1 hi) $(of_a1 rows)" = \
    "2 1.99 2.01 first/cells:2 3"
ok "with run and commit" test "$(of_a1 runs) $(of_a1 git)" = "first abc"
ok "the columns" test "$(head -1 "$dir/toy/claims.csv")" = \
    id,verdict,value,lo,hi,rows,runs,git,why,machine,class,cause
ok "a table and totals" grep -q \
    '3 claims: 1 holds, 0 direction holds, 1 does not hold, 0 unclear, 1 cannot say' "$dir/out"
ok "by class too" grep -q '^3 measured: 1 holds, 0 direction holds, 1 does not' "$dir/out"
ok "the same again" code 0 $run
cp "$dir/toy/claims.csv" "$dir/before" # as it was without its last two columns
"$reader" --table "$dir/before" | cut -f1-10 | "$reader" --csv >"$dir/toy/claims.csv"
ok "of older columns" code 0 $run
ok "the two others come along" cmp "$dir/before" "$dir/toy/claims.csv"

# --- the query that docs/adding.md shows, on the committed rows
shown=$(tr -s '\n ' ' ' <docs/adding.md | sed -n "s/.*\`build\/rows \(--run [^\`]*\)\`.*/\1/p")
ok "docs/adding.md: rows $shown" eval '"$build/rows" '"$shown" '>"$dir/out" 2>&1'

# --- the page of the papers, to the byte: claims with every verdict, reasons with their rows, a
# figure that is drawn and others that are not, what the authors' own code has
mkdir -p "$dir/paged/first" "$dir/paged/second" "$dir/plots/papers"
cells 1 >"$dir/paged/first/cells.csv"
{ # the interval of c begins at its value, that of d ends there
    cells 4
    echo box,abc,d,64,c,cpu-scalar,3,3,3.5,1e-6,ok
    echo box,abc,d,64,d,cpu-scalar,3,2.5,3,1e-6,ok
} >"$dir/paged/second/cells.csv"
{
    names
    claim a-1 a first 'us{a n=64} / us{b n=64}' '> 1'
    claim a-2 a second 'us{b n=64} / us{a n=64}' '> 1'
    claim a-3 a first 'us{b n=64} / us{a n=64}' '> 1'
    claim b-1 b first 'us{z n=64}' '> 1'
    claim b-2 b second '4 * us{a n=64} / us{b n=64} + 3' '> 1'
    claim 'b<3>' b second 'us{a n=64} / us{b n=64}' '> 1'
    # 20 letters printed are shown, of 21 as many
    claim b-4 b second 'us{c n=64}' '> 1' | sed 's/quantity\t2/quantity\tas 20 letters may be/'
    claim b-5 b second 'us{d n=64}' '> 1' | sed 's/quantity\t2/quantity\tas 21 letters may not/'
    # each class, and the verdicts that are left
    claim c-1 c first - - | sed 's/ratio/cited/'
    claim c-2 c first '2 + 1' '> 1'
    claim c-3 c first 'err_p95{a n=64}' '> 1'
    claim c-4 c '~second' '2 * us{c n=64} / us{c n=64}' '> 1'
    claim c-5 c 'none|second' '2 * us{c n=64} / us{c n=64} || us{c n=64} / us{d n=64}' '> 1'
    claim c-6 c second 'us{c n=64} / us{a n=64}' '> 1' | sed 's/yes/no/'
    claim c-7 c second - '> 1'
} >"$dir/paged.tsv"
printf '%s\t%s\t%s\n' id cause why \
    a-3 choice 'ours takes [[us{run=first b n=64}]] us, theirs [[us{run=first a n=64}]]' \
    'b<3>' paper 'no number, & no row' >"$dir/paged/causes.tsv"
printf '%s\t1\t2\t3\t4\t5\t6\t%s\t8\n' id title a-fig1 'one <b>' ab-fig1 none b-fig2 two \
    b-fig3 three 'b-<' bad >"$dir/figures.tsv"
printf 'b-fig4\t1\t2\n' >>"$dir/figures.tsv"
cat >"$dir/plots/papers/a-fig1.svg" <<'END'
<?xml version="1.0"?>
<svg width="40" viewBox="0 0 40 20" xmlns="http://www.w3.org/2000/svg"><desc>of gnuplot</desc>
<g id="part"><circle id='dot' r="1"/><use href='#dot'/><use xlink:href="#part" fill="url(#dot)"/>
</g>
</svg>
END
echo "what it shows" >"$dir/plots/papers/b-fig2.txt"
tab=$(printf '\t') # a line of six fields is cut off
printf '%s\t%s\t%s\t%s\t%s\n' a-1 2 1.5 1.9 holds a-2 2 - 2 holds b-1 2 3 - "cannot say${tab}more" \
    >"$dir/plots/papers/witness.tsv"
"$build/claims" --claims "$dir/paged.tsv" --results "$dir/paged" >"$dir/out" 2>&1
"$build/report" --papers "$dir/paged" --claims "$dir/paged.tsv" --figures "$dir/figures.tsv" \
    --plots "$dir/plots" -o "$dir/page.html" >>"$dir/out" 2>&1
sed '/<style>/,/<.style>/d; /<script>/,/<.script>/d' "$dir/page.html" >>"$dir/out"
screen papers

# causes.tsv: each claim that does not hold has a cause, and no other
causes() { # causes ID CAUSE WHY ...
    printf '# written by hand\nid\tcause\twhy\n'
    printf '%s\t%s\t%s\n' "$@"
}
causes a-2 choice 'x' >"$dir/toy/causes.tsv"
ok "a reason of one letter" code 0 $run
causes a-2 choice 'ours is sparse' >"$dir/toy/causes.tsv"
ok "causes that agree" code 0 $run
ok "are counted" grep -q \
    '^does not hold: 0 by the machine, 1 by our choice, 0 by the paper$' "$dir/out"
ok "and written" test "$(of_a1 cause), $(column "$dir/toy/claims.csv" cause 'f["id"] == "a-2"')" = \
    ", choice"
ok "of chosen claims alone" code 0 $run --claim a-1
causes a-1 machine 'a reason' a-2 choice 'ours is sparse' >"$dir/toy/causes.tsv"
ok "a cause of a claim that holds is code 1" code 1 $run
ok "and says which" says "a-1: 'holds' with a cause"
causes b-1 paper 'a reason' a-2 choice 'ours is sparse' >"$dir/toy/causes.tsv"
ok "as of a claim of which nothing can be said" code 1 $run
causes >"$dir/toy/causes.tsv" && sed -i 3d "$dir/toy/causes.tsv"
ok "a claim that does not hold without a cause is code 1" code 1 $run
ok "and says which" says "a-2: 'does not hold' without a cause"
causes a-9 paper 'a reason' >"$dir/toy/causes.tsv"
ok "a cause of no claim is code 2" code 2 $run
ok "with file and line" says "causes.tsv:3: no such claim 'a-9'"
causes a-2 luck 'a reason' >"$dir/toy/causes.tsv"
ok "an unknown cause is code 2" code 2 $run
ok "and says what there is" says "no such cause 'luck' (machine choice paper)"
causes a-2 paper '' >"$dir/toy/causes.tsv"
ok "no reason is code 2" code 2 $run
ok "and says so" says "causes.tsv:3: not three fields"
causes a-2 paper 'a reason' a-2 paper 'a reason' >"$dir/toy/causes.tsv"
ok "two causes are code 2" code 2 $run
ok "and says so" says "causes.tsv:4: a second cause of 'a-2'"
rm "$dir/toy/causes.tsv"
ok "results without causes" code 0 $run

cells 8 >"$dir/toy/first/cells.csv"
cp "$dir/toy/claims.csv" "$dir/before"
ok "other verdicts are code 1" code 1 $run
ok "and say which" says "a-1 was 'holds', is 'does not hold'"
ok "and leave the file" cmp "$dir/before" "$dir/toy/claims.csv"
ok "one paper alone" code 1 $run --paper a
ok "one claim alone" code 1 $run --claim a-2
ok "which leaves the others out" grep -q '^1 claims:' "$dir/out"
ok "--accept writes them" code 0 $run --claim a-2 --accept
ok "and keeps the lines of other claims" test "$(verdicts)" = "holds, direction holds, cannot say"
ok "nothing judged is code 3" code 3 $run --paper b
ok "an unknown paper is code 2" code 2 $run --paper c
ok "and lists what there is" says "no paper 'c': there are a, b$"
ok "an unknown claim is code 2" code 2 $run --claim a-9
ok "and lists what there is" says "no claim 'a-9': there are"
{
    names
    claim a-1 a first 'us{a speed=3}' '> 1'
} >"$dir/wrong.tsv"
ok "a malformed query is code 2" code 2 claims --claims "$dir/wrong.tsv" --results "$dir/toy"
ok "with file, line, column and word" says "wrong.tsv:2: query, column 6: no such column 'speed=3'"
printf 'n,solver\n64\n' >"$dir/toy/first/cells.csv"
cp "$dir/toy/claims.csv" "$dir/before"
ok "a broken file of results is code 2" code 2 $run
ok "with its line" says 'cells.csv:2: 1 fields'
ok "and leaves the verdicts" cmp "$dir/before" "$dir/toy/claims.csv"

cells 1 >"$dir/toy/first/cells.csv"
ok "one value" code 0 rows --results "$dir/toy" --run first 'us{a n=64} / us{b n=64}'
ok "with its interval" test "$(cat "$dir/out")" = "2 1.99 2.01"
cp "$dir/out" "$dir/one"
ok "of a run with its folder, too" code 0 rows --results "$dir/toy" --run "$dir/toy/first/" \
    'us{a n=64} / us{b n=64}'
ok "... the same" cmp -s "$dir/out" "$dir/one"
cp -r "$dir/toy/first" "$dir/toy/f"
for folder in f f/ "$dir/toy/f" "$dir/toy/f/"; do
    ok "of one letter: ${folder##*/toy/}" code 0 rows --results "$dir/toy" --run "$folder" \
        'us{a n=64} / us{b n=64}'
done
ok "the folder of all runs is none" code 3 rows --results "$dir/toy" --run "$dir/toy/" 'us{a n=64}'
ok "... by its name" says "there is no cells.csv in $dir/toy$"
rm -r "$dir/toy/f"
ok "no value is code 3" code 3 rows --results "$dir/toy" --run first 'us{z n=64}'
ok "and names the selector that leaves none" says 'no row for us{z 64} in first: solver=z leaves'
ok "a wrong query is code 2" code 2 rows --results "$dir/toy" --run first 'us{a'

# each line of a report stands alone
ok "every quantity says what it is" test \
    "$(awk -F'\t' '$4 ~ /[Tt]he same/' datasets/claims.tsv | wc -l)" = 0
# and which n, cores and mean its first query takes
ok "a quantity says what its query takes" test -z "$(awk -F'\t' '
    function needs(part, word) {
        if (q ~ part && $4 !~ word)
            print $1 ": " word
    }
    {
        q = $11
        sub(/ \|\| .*/, "", q)
        if (q !~ /(us|time_s)[{]/)
            next
        needs("mean[(]", "mean")
        needs("last[(]", "largest|n = ")
        needs("max[(]", "larg|best|over n|difference")
        needs("threads=6", "six")
        while (match(q, /[ {]n=[0-9]+/)) {
            n = substr(q, RSTART + 3, RLENGTH - 3)
            q = substr(q, RSTART + RLENGTH)
            if (index($4, n) == 0)
                print $1 ": n = " n
        }
    }' datasets/claims.tsv | tee "$dir/err")"
ok "a note speaks of sources that its line names" test -z "$(awk -F'\t' '
    $15 ~ /(second|last) source/ && $10 !~ /[|]/ || $15 ~ /the stand-in/ && $10 !~ /~/ { print $1 }
    ' datasets/claims.tsv | tee "$dir/err")"

# the committed results: links, so that nothing is written there
for machine in results/*/claims.csv; do
    [ -e "$machine" ] || continue
    from=$(dirname "$machine")
    mkdir -p "$dir/copy"
    for r in "$from"/*/; do ln -sfn "$PWD/$r" "$dir/copy/$(basename "$r")"; done
    cp "$from"/c*s.[ct]sv "$dir/copy"
    ok "verdicts of $from are reproduced" code 0 claims --results "$dir/copy"
    ok "and the file is as it was" cmp "$machine" "$dir/copy/claims.csv"
    rm -r "$dir/copy"
    # reasons have numbers of these rows
    [ -e "$from/causes.tsv" ] || continue
    ok "its causes have their rows" code 0 rows --results "$from" --fill "$from/causes.tsv"
done
ok "findings have their rows" code 0 rows --fill datasets/findings.tsv
exit $failed
