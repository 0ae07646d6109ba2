#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The rules of the house (docs/architecture.md) hold, and each check finds a fault that is planted
# in a small tree. Run from the repository root: [KB_BUILD=build] tests/scripts/test_house.sh
house=$(realpath tests/house/check)
KB_BUILD=$(realpath "${KB_BUILD:-build}")
export KB_BUILD
. tests/scripts/check.sh

whole() { # whole CHECK WHAT: of this tree
    if "$house" "$1" >"$dir/out" 2>"$dir/err"; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        sed 's/^/    /' "$dir/out" "$dir/err"
        failed=1
    fi
}
# --- this tree
whole includes "nothing includes upward"
whole typedefs "no typedef name in two headers"
whole symbols "no symbol exported by two objects"
whole columns "no line of code or docs over 100 columns"
whole outputs "no awk writes a file in place of a comparison"
whole readmes "every folder says what it is"
whole tables "every table of mech/tables has a comment"
whole paths "every path that a text names is there"
whole numbers "no measured number is typed by hand"
whole prose "docs, help and messages do without phrases that need a second reading"
whole faults "every fault of tests/mutate can be planted"
whole versions "one version in VERSION, header, citation and changes"
whole blocks "every number that docs take from results is up to date"

# --- a small tree without a fault
tree=$dir/tree
plant() { # plant FILE TEXT: add lines to a file of the tree
    mkdir -p "$tree/$(dirname "$1")"
    printf '%b\n' "$2" >>"$tree/$1"
}
seed() {
    rm -rf "$tree"
    plant README.md 'Start at `base/low.h` and [the rules](docs/architecture.md).'
    plant .gitignore '/results/*'
    plant base/README.md 'The ground.'
    plant mech/README.md 'On it: `tables/`.'
    plant docs/README.md 'Words; results are in results/mine.'
    plant docs/architecture.md '## Who may include what\n| `base/` | |\n| `mech/` | `base/` |'
    plant base/low.h 'typedef struct {\n    int a;\n} kb_low;\ntypedef int kb_call(kb_low *one);'
    plant mech/high.h '#include "base/low.h"\ntypedef struct kb_high kb_high;'
    plant mech/tables/list.h '    I(slot, "[6][NRX] species of a slot") \\'
    for f in one other; do
        plant build/host/$f.c "int kb_$f;\nstatic int hidden;\nextern int *kb_use_$f;"
        plant build/host/$f.c "int *kb_use_$f = &hidden;"
    done
}
objects() {
    for f in one other; do
        ${CC:-cc} -c "$tree/build/host/$f.c" -o "$tree/build/host/$f.o" || exit 2
    done
}
sees() { (cd "$tree" && KB_BUILD=build "$house" "$1" >"$dir/out" 2>"$dir/err"); }
clean() { # clean CHECK WHAT
    ok "$1: $2" sees "$1"
}
finds() { # finds CHECK WHAT LINE: that check says the line, and nothing else
    sees "$1"
    ok "$1: $2" test "$?/$(cat "$dir/out")" = "1/$3"
}
finds_in() { # finds_in FILE TEXT CHECK WHAT LINE: the tree with that text added
    seed
    plant "$1" "$2"
    finds "$3" "$4" "$5"
}

seed
objects
for c in includes typedefs symbols columns outputs readmes tables paths numbers prose faults; do
    clean $c "silent on a tree without a fault"
done

finds_in base/low.h '#include "mech/high.h"' includes "an include that points upward" \
    'base/low.h:5: base/ may not include mech/ (mech/high.h); move what is needed down'
finds_in mech/high.h '#include "low.h"' includes "an include that is not from the root" \
    'mech/high.h:3: "low.h" is not there; write the include from the root'
finds_in new/file.c '#include "base/low.h"' includes "a folder without a rule" \
    'new/file.c:1: no rule for new/file.c; add its folder to docs/architecture.md'
finds_in docs/architecture.md '| `new/` | `old/` |' includes "a rule that names what has no rule" \
    'docs/architecture.md:4: `old/` has no row of its own; add one'
finds_in docs/architecture.md '| `new/` | `new/` |' includes "a circle in the rules" \
    'docs/architecture.md:4: `new/` lies below itself; cut the circle'

finds_in mech/high.h 'typedef struct {\n    int b;\n} kb_low;' typedefs "a structure" \
    'mech/high.h:5: typedef kb_low is also in base/low.h; rename one'
finds_in mech/high.h 'typedef double (*kb_call)(double);' typedefs "a pointer to a function" \
    'mech/high.h:3: typedef kb_call is also in base/low.h; rename one'
finds_in mech/high.h 'typedef int *kb_first, *kb_low;' typedefs "the second name of a line" \
    'mech/high.h:3: typedef kb_low is also in base/low.h; rename one'

seed
plant build/host/other.c 'int kb_one;'
objects
finds symbols "a symbol of two objects" \
    'build/host/other.o: kb_one is also in build/host/one.o; make one static, or rename it'
plant build/host/other.d 'build/host/other.o: \\\\\n gone.c gone.h'
clean symbols "silent on an object whose source is gone"

long=$(printf '%0101d' 0)
finds_in base/low.c "// $long" columns "a long line of code" \
    'base/low.c:1: 104 columns; break the line at 100'
finds_in base/draw "#!/bin/sh\n# $long" columns "a long line of a script without an ending" \
    'base/draw:2: 103 columns; break the line at 100'
finds_in docs/architecture.md "| $long |" columns "a long row of a table" \
    'docs/architecture.md:4: 105 columns; break the line at 100'

compared='a file of this comparison; put it in parentheses'
finds_in base/rows.awk '{ print $1 > 2 ? 2 : $1 }' outputs "a comparison taken for a file" \
    "base/rows.awk:1: awk writes $compared"
finds_in base/rows "#!/bin/sh\nn=\"\$(awk 'BEGIN { printf \"%.1f\", s > 3 ? s : 3 }')\"" outputs \
    "... in a script without an ending" "base/rows:2: awk writes $compared"
finds_in base/rows.mk 'N = $$(awk "END { print n > 9 ? 9 : n < 4 ? 4 : n }")' outputs \
    "... in a line of make" "base/rows.mk:1: awk writes $compared"
seed
plant base/rows.awk '{ print ($1 > 2 ? 2 : $1)\n    print "a > b ? c : d" > "file"; x = y ? z : 3 }'
plant base/rows.sh 'printf "%s" "$a" >"$b" || exit $?'
clean outputs "silent on parentheses, texts and files"

finds_in base/deep/file.c 'int x;' readmes "a folder that nobody describes" \
    'base/deep:1: no README.md; say what lives here, what it may include, where to start'
plant base/README.md '`deep/`: files that are deep.'
clean readmes "silent where the folder around it does"
finds_in texts/file.c 'int x;' readmes "... in the root" \
    'texts:1: no README.md; say what lives here, what it may include, where to start'
plant README.md '- `texts/`: files of text.'
clean readmes "silent where the README of the root does"
finds_in NOTE 'Read me.' readmes "a file of the root that nobody reads" \
    'NOTE:1: no other file names it; say where it is read, or remove it'

finds_in mech/tables/list.h '    R(slot_nu, "") \\' tables "a table without a comment" \
    'mech/tables/list.h:2: R(slot_nu, has no comment; give its dimensions and meaning'

noun="'(those|that) of'; name the noun"
finds_in docs/architecture.md 'its error and\nthat of h2' prose "a phrase over two lines" \
    "docs/architecture.md:5: $noun"
finds_in base/low.c 'printf("those "\n       "of h2");' prose "a phrase in strings of two lines" \
    "base/low.c:2: $noun"
finds_in ci/help 'make h2    those of h2' prose "the help of make" "ci/help:1: $noun"
seed
plant docs/architecture.md '<!-- h2 -->\nthose of h2\n<!-- /h2 -->\n\n    those of h2'
plant base/low.c '// those of h2'
clean prose "silent on blocks, code and comments"

table=tests/mutate/faults.tsv
where="correct the expression"
planted='# file\tchange\nbase/low.h\ts/int a/int b/\tx\t-\ty\nbase/low.h\ts/it/is/\tx\t-\ty'
finds_in $table "$planted" faults "an expression that changes nothing" \
    "$table:3: base/low.h has no place for this fault; $where"
finds_in $table 'base/gone.h\ts/a/b/\tx\t-\ty' faults "a file that is gone" \
    "$table:1: base/gone.h has no place for this fault; $where"
finds_in $table 'base/low.h\ts/(a/b/\tx\t-\ty' faults "an expression that is none" \
    "$table:1: base/low.h has no place for this fault; $where"

finds_in docs/architecture.md 'as in mech/gone.h.' paths "a path in a text" \
    'docs/architecture.md:4: no mech/gone.h; correct the path'
finds_in base/low.h '// see docs/gone.md' paths "a path in a comment" \
    'base/low.h:5: no docs/gone.md; correct the path'
finds_in docs/architecture.md 'starts in `gone.h`.' paths "a bare name" \
    'docs/architecture.md:4: no file gone.h; correct the name'
finds_in docs/architecture.md '[further](gone.md)' paths "the target of a link" \
    'docs/architecture.md:4: no docs/gone.md; correct the path'

hand='a number by hand; take it from results (docs/blocks), move it to results/trials, or'
hand="$hand list it in tests/house/numbers"
for n in 'takes 3.5 us an ODE' 'is 12 % faster' 'is (8) times as fast' '| a | 0.12 | 3.4e-5 |'; do
    finds_in docs/architecture.md "$n" numbers "a measured number: $n" \
        "docs/architecture.md:4: $hand"
done
plant results/trials/one.md 'takes 3.5 us'
plant README.md 'over dt = 1e-6 s, order 4, `3 us`, 5 steps\n<!-- speed -->\n3 us\n<!-- /speed -->'
plant README.md '| 4 | 3 |'
sed -i '$d' "$tree/docs/architecture.md"
clean numbers "silent on records, blocks, code and what the list allows"

seed
plant VERSION '1.2.0'
plant library/kinbench.h '#define KINBENCH_VERSION "1.2.0"'
plant CITATION.cff 'version: 1.2.0'
plant CHANGES.md '## 1.2.0'
clean versions "silent where they agree"
sed -i 's/^version.*/version: 1.1.0/' "$tree/CITATION.cff"
finds versions "another version in the citation" \
    "CITATION.cff:1: no line 'version: 1.2.0', as VERSION says; correct it"

# --- numbers out of results
# after: a small tree
seed
mkdir -p "$tree/docs/blocks" "$tree/results/gpu/a"
cp docs/update docs/write_block "$tree/docs"
mkdir -p "$tree/build" && ln -s "$KB_BUILD/rows" "$tree/build/rows"
row() { plant results/gpu/a/cells.csv "$1"; }
row 'n,solver,engine,rtol,time_s,err_p95,err_max,failed,status,machine'
card=made-up-4c-nvidia-h100-80gb
row "1000,rodas4,gpu-block,0.01,0.002,2.2e-7,1e-3,0,ok,$card"
row "1000,rkck,gpu-warp,0.01,0.001,3e-5,1e-3,0,ok,$card"
row "1000,exp4,gpu-warp,0.01,0.0005,3e-5,20,1,ok,$card"
row "1000,cvode,cpu-scalar,0.01,0.0123,4e-6,1e-3,0,ok,$card"
row "1000,vode,gpu-block,0.01,0.0001,4e-6,1e-3,0,skipped,$card"
plant results/gpu/cores/cells.csv 'solver,machine\nrodas4,made-up-4c'
fill() { # fill TEXT EXPECTED: what a template becomes
    printf '%b\n' "$1" >"$tree/docs/blocks/speed"
    (cd "$tree" && "$KB_BUILD/rows" --fill docs/blocks/speed) >"$dir/out" 2>"$dir/err"
    ok "a template: $2" grep -qxF -- "$2" "$dir/out" "$dir/err"
}
fill '% run=a\n| [[us{rodas4}]] | [[err_p95 @1]] |' '| 2.00 | 2e-7 |'
fill '% run=a\n| [[us{least gpu-*}]] | [[solver @1]] [[engine @1]] |' '| 1.00 | rkck warp |'
fill '% run=a\n[[us{cvode}]] [[us{most gpu-block,gpu-warp}]] [[@1 / @2]]' '12.3 2.00 6.2'
fill '% run=a\n[[us{least rank_error<=1e-6}]]' '2.00'
fill '% run=a rkck\n[[err_over_rtol{rodas4}]]' '0.10'
fill '% a\n| [[card a]] |' '| H100 |'
fault='rows: error: docs/blocks/speed:2:'
fill '%\n[[card cores]]' "$fault no rows of a GPU in that run: [[card cores]]"
fill '%\n[[card b]]' "$fault no rows of a GPU in that run: [[card b]]"
fill '% run=a\n[[us{gpu-*}]]' "$fault two rows for us at column 1 of the query: a:2 and a:3 \
(solver rodas4 and rkck, engine gpu-block and gpu-warp): [[us{gpu-*}]]"
fill '% run=a\n[[us{vode}]]' "$fault a:6 is skipped: [[us{vode}]]"
fill '% run=a\n[[us{exp4}]]' "$fault a:4 is of failed ODEs: [[us{exp4}]]"
fill '% run=a\n[[us{n=7}]]' "$fault no row for us{7} in a: n=7 leaves none: [[us{n=7}]]"
fill '% run=a\n[[colour{rodas4}]]' \
    "$fault query, column 1: no such column or function 'colour' (a column and {selectors}, or a \
function)"
fill '% run=b\n[[us{rodas4}]]' \
    "$fault no row for us{rodas4}: there is no cells.csv in b: [[us{rodas4}]]"

fill '% run=a\n| [[us{rodas4}]] |' '| 2.00 |'
(cd "$tree" && "$KB_BUILD/rows" --fill docs/blocks/speed --sources) >"$dir/out"
ok "the row behind a number" test "$(cat "$dir/out")" = 'docs/blocks/speed:2: 2.00 a/cells:2'
plant docs/speed.md 'It takes\n<!-- speed -->\n| 1.99 |\n<!-- /speed -->\nas measured.'
finds blocks "a number that is not that of results" \
    'docs/speed.md:2: block speed is stale; run make docs'
(cd "$tree" && docs/update)
clean blocks "silent after make docs"
ok "make docs leaves the rest" test "$(tr '\n' ' ' <"$tree/docs/speed.md")" = \
    'It takes <!-- speed --> | 2.00 | <!-- /speed --> as measured. '
plant docs/blocks/older/slow '% run=a\n[[us{rodas4}]]'
plant results/older/a/cells.csv "n,solver,engine,time_s,status\n1000,rodas4,gpu-block,0.004,ok"
plant docs/slow.md '<!-- slow -->\n<!-- /slow -->'
(cd "$tree" && docs/update)
ok "a folder of blocks: results of its name" grep -qx 4.00 "$tree/docs/slow.md"

plant plots/papers/stale '#!/bin/sh\necho "a, at 01234567: rodas4"\necho "1 run, 1 of older"'
chmod +x "$tree/plots/papers/stale"
(cd "$tree" && docs/update)
ok "runs of older sources are named" test "$(sed 1,3d "$tree/docs/speed.md" | paste -sd ' ')" = \
    ' Of older sources (`make stale`): `a`. <!-- /speed --> as measured.'
clean blocks "which is no fault of a block"
ok "... of results/gpu alone" test "$(grep -c older "$tree/docs/slow.md")" = 0
rm "$tree/plots/papers/stale"
(cd "$tree" && docs/update)
ok "... and no longer when they are current" test "$(grep -c older "$tree/docs/speed.md")" = 0

# --- blocks of a script that run alone
toy=$dir/toy
mkdir -p "$toy/tests/scripts" && cp tests/run tests/block.awk "$toy/tests"
printf '%s\n' '#!/bin/sh' 'made=1' '# --- first' 'echo "ok - first $made"' 'two=2' '# --- second' \
    '# after: first' 'echo "ok - second $two"' 'nosuch' '# --- third' 'echo "not ok - $made$two"' \
    '# --- fourth' '# after: later' '# --- addresses' \
    'grep -q "^0004" /proc/self/personality && echo "ok - fixed"' '# --- later' 'exit 0' \
    >"$toy/tests/scripts/test_toy.sh"
alone() { # alone EXPECTED BLOCK
    (cd "$toy" && tests/run test_toy "$2") >"$dir/out" 2>"$dir/err"
    [ $? -eq "$1" ]
}
ok "a block by its number" alone 0 1
ok "... that block alone" grep -qx "1 passed, 0 failed, 0 skipped" "$dir/out"
ok "a block and the one that it needs" alone 0 second
ok "... both" grep -qx "2 passed, 0 failed, 0 skipped" "$dir/out"
ok "a block that fails" alone 1 3
ok "... by the lines before the first block and its own" grep -qx "not ok - 1" "$dir/out"
ok "a block that is not there" alone 2 7
ok "... the others are listed" grep -qx "   2  second" "$dir/err"
if setarch -R true 2>/dev/null; then
    ok "no addresses are random" alone 0 addresses
else
    echo "skip - addresses that are not random: setarch may not do so here"
fi
ok "a block that needs a later one" alone 2 fourth
ok "... is said" says 'fourth: no block "later" before it'
cut() { # each block of each script: it needs blocks that are there, and is whole as shell
    for script in tests/scripts/test_*.sh; do
        for block in $(seq "$(grep -c '^# --- ' "$script")"); do
            awk -f tests/block.awk want="$block" "$script" "$script" >"$dir/block" &&
                bash -n "$dir/block" || echo "block $block of $script"
        done
    done
}
cut >"$dir/out" 2>"$dir/err"
ok "every block of every script can be cut out" test ! -s "$dir/out" -a ! -s "$dir/err"

exit $failed
