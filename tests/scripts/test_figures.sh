#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The figures of the papers and of runs on made-up results: every figure has a script or a reason,
# every script draws, missing data is told, experiments become the right commands. Run from the
# repository root:
#   [KB_BUILD=build] tests/scripts/test_figures.sh
build=$(realpath "${KB_BUILD:-build}") rows=$build/rows
export KB_BUILD="$build"
. tests/scripts/check.sh
figures=datasets/figures.tsv experiments=datasets/experiments.tsv
rows() { grep -v '^#' "$1" | tail -n +2; }
run() { # run CODE COMMAND...
    expected=$1
    shift
    "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$expected" ]
}
# values FILE CONDITION EXPRESSION: of a figure's table, by the names of its columns: f["x"]
values() {
    "$rows" --table "$1" | awk -F'\t' -f plots/columns.awk -f /dev/fd/3 3<<END
{ for (i in col) f[i] = \$col[i] } ($2) { print $3 }
END
}
prints() { grep -q -- "$1" "$dir/out"; }

# --- the tables
ok "64 figures, each once" test \
    "$(rows $figures | cut -f1 | sort | uniq -c | awk '$1 == 1' | wc -l)" = 64
ok "nine columns" test "$(rows $figures | awk -F'\t' 'NF != 9' | wc -l)" = 0
rows $figures | awk -F'\t' '$2 == "none" && length($9) < 10 { print }
    $2 !~ /^(none|curves|table|histogram|timeline|kernels|flow|items|formula|picture)$/ { print }
    $2 != "none" && ($8 == "-" || $9 == "-") { print }' >"$dir/out"
: >"$dir/err"
ok "a script or a reason for each" test ! -s "$dir/out"
rows $figures | awk -F'\t' '$2 ~ /^(curves|table|histogram|timeline)$/ && $4 !~ / rtol=/' \
    >"$dir/out"
ok "a tolerance in each select" test ! -s "$dir/out"
rows $figures | awk -F'\t' '$9 ~ /stands? for / && $8 !~ /stand|one machine/' >"$dir/out"
ok "a stand-in says so in its title" test ! -s "$dir/out"
rows $figures | cut -f3 | tr ',' '\n' | grep -v '^-$' | sort -u >"$dir/needed"
rows $experiments | cut -f1 | sort -u >"$dir/there"
ok "experiments of figures are there" test -z "$(comm -23 "$dir/needed" "$dir/there")"
numbers=$(sed 's/-.*//' "$dir/there" | sort -u)
ok "experiments e1 to e21 but e6" test 20 = \
    "$(echo "$numbers" | grep -xc 'e\([1-9]\|1[0-9]\|2[01]\)')"
# a figure names the experiments that say they serve it, and the other way round
rows $figures | awk -F'\t' '$2 != "none" && $3 != "-" {
    n = split($3, e, ","); for (i = 1; i <= n; i++) print e[i], $1 }' | sort >"$dir/a"
rows $experiments | awk -F'\t' '$6 != "-" {
    n = split($6, f, ","); for (i = 1; i <= n; i++) print $1, f[i] }' | sort >"$dir/b"
diff "$dir/a" "$dir/b" >"$dir/out"
ok "both tables agree on who serves whom" test ! -s "$dir/out"
# a curve and the number beside it come from one yardstick: of cvode-dense|cvode in a query the
# figure that the claim names has the first
yardsticks() {
    awk -F'\t' 'NR == FNR {
            if ($8 ~ /^(Fig[.]|Slide) [0-9]+:/) {
                name = tolower($8)
                sub(/:.*/, "", name)
                gsub(/[. ]/, "", name)
                has[substr($1, 1, index($1, "-")) name] = $4
            }
            next
        }
        {
            where = tolower($3)
            gsub(/[. ]/, "", where)
            for (figure in has) {
                paper = substr(figure, 1, index(figure, "-"))
                if (index($1, paper) != 1 ||
                    where !~ ("(^|[;,])" substr(figure, length(paper) + 1) "([^0-9]|$)"))
                    continue
                q = $11
                while (match(q, /[a-z-]+-(dense|paper)[|]/)) {
                    word = substr(q, RSTART, RLENGTH - 1)
                    q = substr(q, RSTART + RLENGTH)
                    if (index(" " has[figure], word) == 0)
                        print $1, figure, word
                }
            }
        }' $figures datasets/claims.tsv | sort -u
}
yardsticks >"$dir/out"
ok "a figure has the yardstick of its claims" test ! -s "$dir/out"

for solver in $(sed -n 's/^METHOD(\(.*\))$/\1/p' solvers/methods.def) \
    cvode cvode-klu cvode-dense cvode-paper; do
    ok "$solver has a colour and a mark" grep -q "^$solver	#[0-9a-f]\{6\}	[0-9]*	" plots/colours
done
ok "no two solvers with the same colour and mark" test -z "$(grep -v '^# ' plots/colours |
    awk -F'\t' 'NR > 1 && /generated/ { exit } { print $2 $3 }' | sort | uniq -d)"

# --- made-up results
results=$dir/results
flow_rows() { # flow_rows RUN CASE MECH SCHEME,VARIABLES,ENGINE,THREADS,CHEMISTRY,NS...
    run=$1 problem=$2 with=$3
    shift 3
    mkdir -p "$results/$run"
    {
        printf %s machine,git,case,mech,nx,ny,scheme,variables,engine,threads,chemistry,
        echo ns_per_cell_step,ns_lo,ns_hi
        for what; do
            for n in 64 512; do
                echo "made-up,0,$problem,$with,$n,$n,$what,${what##*,},${what##*,}"
            done
        done
    } >"$results/$run/flow.csv"
}
png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
made_up() {
    rows $experiments | awk -v out="$results" -f tests/scripts/made_up_results.awk
    mkdir -p "$results/e15-kernels" "$results/e16-tables"
    {
        printf %s machine,git,mech,kernel,engine,layout,precision,matrix,m,n,segments,
        printf %s time_s,time_lo_s,time_hi_s,us_per_system,gflops,bandwidth_GBs,
        echo speedup_dense,status
        for m in 4 25 100; do
            for n in 16384 65536 262144; do
                for what in dense,gpu-thread,interleaved dense,gpu-thread,contiguous \
                    rows,gpu-block,contiguous dense,cpu-scalar,contiguous; do
                    for s in 1 2 4; do
                        printf %s "made-up,0,gri30,$what,double,dominant,$m,$n,$s,"
                        echo "0.$m,0.$m,0.$m,$m,9,${m}00,$m,ok"
                    done
                done
            done
        done
    } >"$results/e15-kernels/kernels.csv"
    {
        echo git,mech,item,value
        for mech in h2 h2co gri30 gri12; do
            for item in species reactions "oneway fit" "recipe T0_K" "reaction 01" \
                "sewerin2015, bytes" "curtis2017, Radau-IIA"; do
                echo "0,$mech,\"$item\",\"12, or so\""
            done
        done
        echo '0,rkck,c,37/378'
    } >"$results/e16-tables/tables.csv"
    flow_rows e18-flow-speed vortex "" mp5,conserved,cpu-scalar,1,,3000 mp5,conserved,gpu,1,,10 \
        ader_weno,conserved,cpu-scalar,1,,1500 ader_weno,conserved,gpu,1,,3
    for mech in h2 gri12; do
        run=e19-flow-coupled
        [ $mech = h2 ] || run=$run-$mech
        flow_rows $run detonation $mech \
            mp5,primitive,cpu-scalar,1,point_implicit@cpu-scalar-global,8000 \
            mp5,primitive,gpu,1,point_implicit@gpu-thread-global,400 \
            mp5,primitive,gpu,1,point_implicit@gpu-thread-rows,800 \
            mp5,primitive,gpu,1,point_implicit@gpu-thread,40
    done
    for run in $(rows $experiments | awk -F'\t' '$2 == "flow" { print $1 }'); do
        mkdir -p "$results/$run"
        printf %s "$png" | base64 -d >"$results/$run/flow-mp5.png"
        printf '  "machine": "made-up",\n  "git": "0",\n' >"$results/$run/environment.json"
        {
            echo case,scheme,riemann,variables,engine,cfl,nx,ny,steps,l1,order
            echo step,mp5,hllc,conserved,gpu,0.4,96,32,100,,
        } >"$results/$run/errors.csv"
    done
}
made_up
out=$dir/figures
draw() { OUT=$out run "$@"; }
if command -v gnuplot >/dev/null; then
    pictures=1
else
    pictures=
    echo "skip - pictures: gnuplot is missing (apt-get install gnuplot-nox)"
fi
ok "all figures of all papers" draw 0 plots/papers/draw "$results"
ok "without a message" test ! -s "$dir/err" -o -z "$pictures"
ok "each has data" test "$(grep -c ': no data: make' "$dir/out")" = 0
ok "or a reason" test "$(grep -c 'not drawn: ..........' "$dir/out")" = \
    "$(rows $figures | awk -F'\t' '$2 == "none"' | wc -l)"
for id in $(rows $figures | awk -F'\t' '$2 != "none" { print $1 }'); do
    ok "$id: table and text" test -s "$out/$id.csv" -a -s "$out/$id.txt"
    [ -s "$out/$id.png" ] || [ -z "$pictures" ] || ok "$id: picture" test \
        "$(grep -c -e '<text' -e '<path' -e '<image' "$out/$id.svg")" -gt 5
    differs=$(rows $figures | awk -F'\t' -v id="$id" '$1 == id { print substr($9, 1, 30) }')
    ok "$id: says what differs" test "$(tr '\n' ' ' <"$out/$id.txt" | grep -cF -- "$differs")" = 1
done
# numbers by hand: n = 65536: one core 0.065536 s, GPU 1e-4 + 6.5536e-4 s
ratio=$(values "$out/niemeyer2014-fig01.csv" \
    'f["series"] == "1 core / GPU" && f["x"] == 65536' 'f["y"]')
ok "a ratio by hand" holds "($ratio / (0.065536 / 7.5536e-4) - 1)^2 < 1e-8"
speedup=$(values "$out/lecambier2013-fig10.csv" \
    'f["series"] == "ADER-WENO" && f["x"] == 262144' 'f["y"]')
ok "speed of the flow by hand" test "$speedup" = 500
speedup=$(values "$out/lecambier2013-fig14.csv" \
    'f["series"] == "two rows in shared memory" && f["x"] == 4096' 'f["y"]')
ok "with chemistry" test "$speedup" = 10
x=$(values "$out/lecambier2013-fig10.csv" 'f["series"] == "MP5"' 'f["x"]' | tr '\n' ' ')
ok "ratios from left to right" test "$x" = "4096 262144 "
ok "a bound" grep -q ',bound,' "$out/niemeyer2014-fig12.csv"
ok "says it is none of the paper" test "$(grep -c \
    '^  rkc gpu-thread: more than this for 64 ODEs (40)' "$out/niemeyer2014-fig12.txt")" = 1
caption_of() { tr '\n' ' ' <"$out/$1.txt"; }
ok "at least a run before the repeats and one of these" holds "$(caption_of niemeyer2014-fig12 |
    grep -c 'n = 65536[.] What.*; rkc gpu-thread has no point, more than 80 s[.]') == 1"
# by hand: 1.048576 s a step of 1048576 ODEs, 8 times as many, 10 steps, 1 + 3 runs
ok "curves that end before the paper's n" holds "$(caption_of niemeyer2014-fig01 | grep -c \
    'to n = 8388608[.] What.*: rkck 1 core ends at 1048576, 5.6 min; rkck 6 cores ends at') == 1"
ok "and not the others" holds "$(caption_of niemeyer2014-fig01 | grep -c 'gpu-thread ends') == 0"
[ -z "$pictures" ] || ok "pictures of the flow stand in one" test \
    "$(grep -c '<image ' "$out/lecambier2013-fig06.svg")" = \
    "$(rows $figures | awk -F'\t' '/^lecambier2013-fig06/ { print split($3, e, ",") }')"
rm "$results/e26-paper-step/flow-mp5.png"
draw 0 plots/papers/draw "$results" lecambier2013 fig06
ok "a run without its picture" grep -q 'No picture of e26-paper-step' "$out/lecambier2013-fig06.txt"
[ -z "$pictures" ] || ok "the others are drawn" test \
    "$(grep -c '<image ' "$out/lecambier2013-fig06.svg")" = 1
ok "what the paper has" grep -q 'paper: 126 on 1 core.*,126,' "$out/niemeyer2014-fig01.csv"
ok "and in the text" grep -q 'paper: 126 on 1 core' "$out/niemeyer2014-fig01.txt"
[ -z "$pictures" ] || ok "and in the picture" grep -q 'paper: 126 on 1 core' \
    "$out/niemeyer2014-fig01.svg"
ok "the caption: machine, n, dt" grep -q 'made-up. CPU: 1, 6 cores. n 64 to 8388608, dt' \
    "$out/niemeyer2014-fig01.txt"
cores=$(values "$out/curtis2017-fig01.csv" 'f["engine"] == "cpu-scalar"' 'f["threads"]' | sort -u)
ok "6 cores, not 16" test "$cores" = 6
caption() { # caption MACHINE HI
    printf '%s\n' 'kind	machine	engine	threads	n	y	lo	hi	dt_s	rtol	order	schedule	run	solver' \
        "measured	$1	cpu-scalar	6	64	1	0.9	$2" "measured	$1	gpu-thread	1	64	1	0.9	1" |
        awk -v style=curves -f plots/columns.awk -f plots/number.awk \
            -f plots/caption.awk >"$dir/out"
}
caption intel-xeon-16c-nvidia-h200 1.2
ok "cores and GPU" prints 'CPU: 6 of 16 cores. GPU: NVIDIA H200. n 64'
ok "what a red ring is" prints 'Red ring: a 95 % interval wider than a fifth'
caption made-up 1
ok "where there is one" test "$(cat "$dir/out")" = "Measured on made-up. CPU: 6 cores. n 64."
for file in "$out"/*-fig*.csv; do
    values "$file" 'f["kind"] == "measured" && !seen[f["panel"] f["quantity"] f["series"]]++' \
        'f["panel"] f["quantity"]' | sort | uniq -c |
        awk -v file="$file" '$1 > 7 { print file ": " $0 }'
done >"$dir/out"
ok "at most 7 curves a panel" test ! -s "$dir/out"

# --- missing data, and what is not there at all
# after: made-up results
mkdir "$dir/empty"
rm -rf "$out"
ok "no results" draw 0 plots/papers/draw "$dir/empty" curtis2017
ok "the experiment is told" prints 'curtis2017-fig01: no data: make experiment E=e13'
ok "in the text" grep -q 'not measured: make experiment E=e13' "$out/curtis2017-fig01.txt"
[ -z "$pictures" ] || ok "in the picture" grep -q 'not measured' "$out/curtis2017-fig01.svg"
mv "$results/e14-gri30-pasr" "$dir/kept"
ok "one of two experiments" draw 0 plots/papers/draw "$results" curtis2017 fig03
ok "the other is told" grep -q 'Not measured: e14-gri30-pasr (make experiment E=e14)' \
    "$out/curtis2017-fig03.txt"
mv "$dir/kept" "$results/gri30-pasr"
awk -F'\t' -v OFS='\t' '$1 ~ /^e14-/ { $5 = "gri30-pasr" } { print }' \
    datasets/experiments.tsv >"$dir/instead"
ok "an earlier run" draw 0 env EXPERIMENTS="$dir/instead" plots/papers/draw "$results" curtis2017 \
    fig02
ok "says so" grep -q 'gri30-pasr (an earlier' "$out/curtis2017-fig02.txt"
ok "unknown paper" draw 2 plots/papers/draw "$results" nobody2020
ok "the papers" says 'there are curtis2017 lecambier2013'
ok "unknown figure" draw 2 plots/papers/draw "$results" curtis2017 fig99
ok "its figures" says 'there are alg01 fig01 fig02'
ok "no such folder" draw 2 plots/papers/draw "$dir/none" curtis2017
ok "says which" says "RESULTS=$dir/none is not there"

# --- without gnuplot: tables and text, and a message
# after: made-up results
mkdir "$dir/bin"
for tool in sh awk mawk sed grep sort tail head cut tr mktemp mkdir rm basename paste cat wc \
    realpath cp mv; do
    ! command -v $tool >/dev/null || ln -s "$(command -v $tool)" "$dir/bin/$tool"
done
rm -rf "$out"
ok "without gnuplot" env PATH="$dir/bin" OUT="$out" sh -c \
    "plots/papers/draw '$results' curtis2017 fig01 >'$dir/out' 2>'$dir/err'"
ok "it is told" says 'gnuplot is missing'
ok "table and text are there" test -s "$out/curtis2017-fig01.csv" -a -s \
    "$out/curtis2017-fig01.txt" -a ! -e "$out/curtis2017-fig01.svg"

# --- experiments become calls of make
mkdir "$dir/build"
machine() { # machine GPU: a made-up env
    printf '#!/bin/sh\necho "machine  made-up"\necho "gpu  %s"\necho "gpu_now  %s"\n' "$1" "$1" \
        >"$dir/build/env"
    chmod +x "$dir/build/env"
}
printf '#!/bin/sh\necho "$@" >>"%s/calls"\n' "$dir" >"$dir/make"
chmod +x "$dir/make"
experiment() {
    rm -f "$dir/calls"
    KB_BUILD=$dir/build DATABASES=$dir/db MAKE=$dir/make run "$@"
}
machine H200
ok "an experiment" experiment 0 plots/papers/experiment E=e13
db=$dir/db/e13-h2co-pasr.npy
made=$(head -1 "$dir/calls" |
    grep -c "databases MECH=h2co DB=$db RECIPE=.*h2co-pasr.json N=131072")
ok "its database first" test "$made" = 1
sizes=64,256,512,1024,2048,4096,16384,65536
ok "the cells of a line" grep -q \
    "bench MECH=h2co .*ENGINES=gpu-thread .*N=$sizes DB=$db RUN=e13-h2co-pasr" "$dir/calls"
ok "a folder for another mechanism" experiment 0 plots/papers/experiment E=e10
ok "is named after it" grep -q 'MECH=jetsurf2 .*RUN=e10-sizes-jetsurf2' "$dir/calls"
ok "parts of an attempt" experiment 0 plots/papers/experiment E=dlbfoam75
ok "... in a folder beside" grep -q \
    "roofline MECH=h2co .*N=1000 DB=.*/dlbfoam75-h2co.npy RUN=parts-dlbfoam75-h2co" "$dir/calls"
ok "its methods alone are built" grep -q "databases MECH=usc2 .*METHODS=seulex,ros3" "$dir/calls"
ok "states before reaction" experiment 0 plots/papers/experiment E=before-h2-1e-4
db=$dir/db/h2-before-1e-4-900000.npy
ok "... by their time step" grep -q "databases MECH=h2 DB=$db DT=1e-4 N=900000" "$dir/calls"
ok "... are measured" grep -q "bench MECH=h2 .* N=65536,900000 DB=$db RUN=before-h2-1e-4 " \
    "$dir/calls"
ok "a run with the name of its recipe" experiment 0 plots/papers/experiment E=gri30-pasr
ok "... has a file of its own" grep -q \
    "databases MECH=gri30 DB=$dir/db/gri30-pasr-1048576.npy RECIPE=.* N=1048576 TILE=1" "$dir/calls"
ok "h2 is not h2-pasr" experiment 0 plots/papers/experiment E=h2
ok "... by name" prints '^h2: results/made-up/h2'
ok "a plan of parts" experiment 0 env PLAN=1 plots/papers/experiment E=dlbfoam75
ok "... measures nothing" test ! -e "$dir/calls"
ok "a budget" experiment 0 env BUDGET=7 plots/papers/experiment E=e11
ok "goes on" grep -q 'BUDGET=7 ' "$dir/calls"
ok "a plan" experiment 0 env PLAN=1 plots/papers/experiment E=e11
ok "... before anything is built" prints '^e11-.*: at most [1-9][0-9]* cells of up to [0-9]* ODEs'
ok "... builds nothing" test ! -e "$dir/calls"
mkdir -p "$dir/db" "$dir/build/mech"
for run in $(sed -n 's/^\(e11-[^:]*\): at most.*/\1/p' "$dir/out"); do : >"$dir/db/$run.npy"; done
for mech in datasets/mechanisms/*.yaml; do
    mkdir "$dir/build/mech/$(basename "$mech" .yaml)"
    : >"$dir/build/mech/$(basename "$mech" .yaml)/solvers.so"
done
ok "a plan of what is built" experiment 0 env PLAN=1 plots/papers/experiment E=e11
ok "plans" grep -q '^--no-print-directory plan ' "$dir/calls"
ok "a paper" experiment 0 env PLAN=1 plots/papers/experiment PAPER=curtis2017
ok "its experiments" test "$(sed -n 's/^\(e[0-9]*\)-[^ ]*: .*/\1/p' "$dir/out" | sort -u |
    tr "\n" " ")" = "e13 e14 e16 e23 e33 "
ok "another paper" experiment 0 env PLAN=1 plots/papers/experiment PAPER=sewerin2015
ok "with those of claims alone" prints '^e9b-curran-flamelet: '

machine -
ok "without a GPU" experiment 0 plots/papers/experiment E=e8
ok "the CPU engines" test "$(grep -c 'ENGINES=cpu-scalar' "$dir/calls")" = 2
ok "and it is told" prints 'no GPU here'
ok "e1 is not e10" experiment 0 env PLAN=1 plots/papers/experiment E=e1
ok "unknown experiment" experiment 2 plots/papers/experiment E=e99
ok "lists them" says 'e1-h2-ignition e2-h2co-ignition'
ok "too short" experiment 2 plots/papers/experiment E=e
ok "says so" says "begins several"
ok "unknown paper" experiment 2 plots/papers/experiment PAPER=nobody2020

# --- rows of results are those that experiments ask for
# but for those that tests/data/rows_without_line.tsv counts: lines that were changed since
for run in results/gpu/*/; do
    [ ! -s "$run/cells.csv" ] ||
        echo "$(basename "$run")	$(plots/papers/lines "$run" | grep -c ^row)"
done >"$dir/counted"
grep -v '	0$' "$dir/counted" | diff - tests/data/rows_without_line.tsv >"$dir/out"
ok "no more and no fewer than known" test ! -s "$dir/out"

# --- which runs are current
if ! git rev-parse -q --verify HEAD >"$dir/head" 2>/dev/null ||
    [ -n "$(git rev-parse --show-prefix)" ]; then # a copy within one, as of make mutate, is none
    echo "skip - runs of older sources: no git repository is here"
else
    head=$(cat "$dir/head") tree=$dir/tree now=$(plots/papers/sources HEAD rkck | cut -d' ' -f2)
    mkdir -p "$tree/results/made-up/e90-made"
    ln -s "$PWD/plots" "$PWD/datasets" "$tree"
    words="MECH=h2 REPEATS=3 BUDGET=50 N=64,128 DT=1e-6 STEPS=10 SOLVERS=rkck ENGINES=cpu-scalar"
    words="$words THREADS=1"
    printf 'experiment\ttarget\ne90-made\tbench\t%s\tn\t-\t-\t-\n' "$words" >"$tree/table"
    {
        echo time_s,mech,solver,engine,n,dt_s,steps,order,schedule,sample,threads,rtol,atol,\
repeats,status
        for n in 64 128; do
            echo "0.5,h2,rkck,cpu-scalar,$n,1e-6,10,generated,static,first,1,1e-10,1e-30,3,ok"
        done
    } >"$tree/results/made-up/e90-made/cells.csv"
    # of COMMIT [HASH]: ends as stale does
    of() {
        printf '{\n  "cores": 2,\n  "sources": {\n    "%s": "%s"\n  },\n  "git": "%s"\n}\n' \
            "${2:+rkck}" "$2" "$1" >"$tree/results/made-up/e90-made/environment.json"
        (cd "$tree" && GIT_DIR=$OLDPWD/.git KB_BUILD=$build plots/papers/stale results/made-up)
    }
    plan() { # the made-up experiment as a plan has it: state, claims, seconds, new cells and theirs
        (cd "$tree" && GIT_DIR=$OLDPWD/.git KB_BUILD=$build EXPERIMENTS=table plots/papers/plan \
            results/made-up e90-made) | sed -n 's/  */ /g; s/^e90-made //p'
    }
    ok "of this commit" run 0 of "$head"
    ok "... a plan: two runs of ten steps, three times and a warm-up" test "$(plan)" = \
        "current 0 0 40 0 0"
    echo 'Of older sources (`make stale`): `e90-made`.' >"$tree/README.md"
    ok "... which docs call old" run 1 of "$head"
    ok "... where" prints '^README.md:1:.* Run make docs\.$'
    rm "$tree/README.md"
    ok "of another commit with the same sources" run 0 of 0123456789 "$now"
    ok "of other sources" run 1 of "$head" 0123456789
    ok "... is named" prints '^e90-made, at .*: rkck$'
    ok "... in a plan" test "$(plan)" = "old 0 0 40 0 0"
    ok "of a commit that is not known" run 1 of 0123456789
    of "$head" >/dev/null
    ok "all cells are there" test -z "$(EXPERIMENTS=$tree/table plots/papers/lines \
        "$tree/results/made-up/e90-made")"
    sed -i '$d' "$tree/results/made-up/e90-made/cells.csv"
    ok "one is missing" test "$(EXPERIMENTS=$tree/table plots/papers/lines \
        "$tree/results/made-up/e90-made" | cut -c1-19)" = "missing: 1 cells of"
    ok "... in a plan, by the other row" test "$(plan)" = "in part 0 0 20 1 40"
    sed -i 's/THREADS=1/THREADS=1,4/' "$tree/table"
    ok "... four threads, and one beside them" test "$(plan)" = "in part 0 0 20 3 66"
    rm -r "$tree/results/made-up/e90-made"
    ok "none is there" test "$(plan)" = "not measured 0 0 0 4 200"
    # a flow goes by its folders, but for files that it is not built from
    objects=$(cd "$(git rev-parse --git-path objects)" && pwd)
    mkdir -p "$dir/objects" "$tree/results/made-up/e91-flow"
    export GIT_OBJECT_DIRECTORY="$dir/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects"
    with() { # HEAD, or $from, with another FILE, whose text is that of $2
        GIT_INDEX_FILE="$dir/index" git read-tree "${from:-HEAD}" &&
            GIT_INDEX_FILE="$dir/index" git update-index --cacheinfo \
                "100644,$(git hash-object -w "${2:-$0}"),$1" &&
            git -c user.name=a -c user.email=a@b commit-tree -m a \
                "$(GIT_INDEX_FILE="$dir/index" git write-tree)"
    }
    flow_of() {
        other=$(with "$@")
        printf '{\n  "git": "%s"\n}\n' "$other" >"$tree/results/made-up/e91-flow/environment.json"
        echo steps >"$tree/results/made-up/e91-flow/errors.csv"
        (cd "$tree" && GIT_DIR=$OLDPWD/.git KB_BUILD=$build plots/papers/stale results/made-up)
    }
    ok "a flow, another auto.c" run 0 flow_of solvers/auto.c
    ok "... another load.h" run 1 flow_of flow/load.h
    ok "... is named" prints '^e91-flow, at .*: mech solvers flow$'
    rm -r "$tree/results/made-up/e91-flow"
    # code that another lu.h leaves as it is: a made-up make compiles it into some of the objects
    cat >"$dir/makes" <<'END'
#!/bin/sh
mech=$2/build/mech/h2
object() { echo "$2" | "${CC:-gcc}" -x c -c -o "$1" - || exit 2; }
card() { object "$1" "__attribute__((section(\".nv_fatbin\"))) char card[] = \"$2\";"; }
mkdir -p "$mech" "$2/build/host/solvers"
lines=$(wc -l <"$2/solvers/linalg/lu.h")
for same in "$2/build/host/solvers/status" "$mech/lines_1" "$mech/cvode" "$mech/rkck_scalar"; do
    object "$same.o" 'int f(int x) { return x + 1; }'
done
object "$mech/rkck_simd.o" "int f(int x) { return x + $lines; }"
card "$mech/rkck_gpu_thread.o" "PTX $lines \\177ELF same"
card "$mech/rkck_gpu_warp.o" "PTX \\177ELF $lines"
END
    chmod +x "$dir/makes"
    export EQUAL="$dir/equal.tsv"
    grep "^from" datasets/equal.tsv >"$EQUAL"
    other=$(with solvers/linalg/lu.h) was=$(plots/papers/sources "$other" rkck | cut -d' ' -f2)
    ok "code of two commits" run 1 env MAKE="$dir/makes" plots/papers/equal "$other" HEAD h2 rkck
    ok "... the same on two engines" prints '^h2 rkck: the same on cpu-scalar,gpu-thread$'
    ok "... and of CVODE" prints '^h2 cvode: the same on cpu-scalar$'
    ok "... differs on two" test "$(sed -n 's/^h2: rkck_\(.*\).o differs$/\1/p' "$dir/out" |
        sort | tr '\n' ' ')" = "gpu_warp simd "
    ok "... is kept" grep -q "^$was	$now	h2	rkck	cpu-scalar,gpu-thread	gcc " "$EQUAL"
    ok "... once" run 1 env MAKE="$dir/makes" plots/papers/equal "$other" HEAD h2 rkck
    ok "... and no other" test "$(wc -l <"$EQUAL")" = 3
    mkdir "$tree/results/made-up/e90-made"
    at() { # at CODE MECH ENGINE HASH: a row of these ends so
        printf 'mech,solver,engine\n%s,rkck:h0=1,%s\n' "$2" "$3" \
            >"$tree/results/made-up/e90-made/cells.csv"
        run "$1" of "$head" "$4"
    }
    ok "a row at the other's hash" at 0 h2 cpu-scalar "$was"
    ok "... on the other engine" at 0 h2 gpu-thread "$was"
    ok "... not on one that differs" at 1 h2 cpu-simd "$was"
    ok "... nor of another mechanism" at 1 h2co cpu-scalar "$was"
    ok "... nor at another hash" at 1 h2 cpu-scalar 0123456789abcdef
    printf '0123456789abcdef\t%s\th2\trkck\tcpu-scalar\tx\n' "$was" >>"$EQUAL"
    ok "... but by two lines" at 0 h2 cpu-scalar 0123456789abcdef
    ok "... on an engine of both" at 1 h2 gpu-thread 0123456789abcdef
    # texts: another comment, what a new engine's macro lets in; other code; another command
    grep "^from" datasets/equal.tsv >"$EQUAL"
    cat >"$dir/makes" <<'END'
#!/bin/sh
mkdir -p "$2/solvers"
printf "cc$(sed -n 's/^# flag//p' "$2/solvers/mechanism.mk") -c x.c -o x.o\n"
printf "cc$(sed -n 's/^# host//p' "$2/solvers/mechanism.mk") -c y.c -o build/host/rows/y.o\n"
END
    file() { git show HEAD:"$1"; }
    file solvers/linalg/lu.h | sed '$a /* another comment */' >"$dir/comment.h"
    let_in() { # MACRO
        printf '\n#ifdef %s\nint added;\n#endif\n' "$1"
    }
    engine='ENGINE(scalar_made, cpu-scalar-made, 1, sorted, KB_MADE+KB_LINES, made)'
    { file solvers/linalg/lu.h; let_in KB_MADE; } >"$dir/made.h"
    { file solvers/linalg/lu.h; let_in KB_LINES; } >"$dir/lines.h"
    { file solvers/mechanism.mk; printf '# flag %s\n' '\\\n '; } >"$dir/wrapped.mk"
    { file solvers/mechanism.mk; printf '# flag %s\n' '-O2 \\\n '; } >"$dir/flag.mk"
    { file solvers/mechanism.mk; echo '# host -O1'; } >"$dir/host.mk"
    { file solvers/engines.def; echo "$engine"; } >"$dir/engines.def"
    texts() { # CODE FILE NEW [FILE NEW]: HEAD beside HEAD with other files
        code=$1 base=HEAD
        shift
        while [ $# -gt 0 ]; do
            base=$(from=$base with "$1" "$2")
            shift 2
        done
        other=$base
        run "$code" env MAKE="$dir/makes" plots/papers/equal --text HEAD "$base"
    }
    ok "texts: another comment" texts 0 solvers/linalg/lu.h "$dir/comment.h"
    ok "... is a line of all mechanisms" grep -q "^$now	$(plots/papers/sources "$other" rkck |
        cut -d' ' -f2)	\*	rkck	cpu-scalar,[^	]*,gpu-warp-unsorted	text$" "$EQUAL"
    ok "... and of flows" grep -q "	\*	flow	-	text$" "$EQUAL"
    rm -r "$tree/results/made-up/e90-made"
    mkdir "$tree/results/made-up/e91-flow"
    ok "... by which it is current" run 0 flow_of solvers/linalg/lu.h "$dir/comment.h"
    rm -r "$tree/results/made-up/e91-flow"
    mkdir "$tree/results/made-up/e90-made"
    ok "... and a row" at 0 h2 gpu-thread \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    ok "... of any mechanism" at 0 h2co cpu-simd \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    ok "... not on an engine that was not there" at 1 h2 cpu-scalar-made \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    lines=$(wc -l <"$EQUAL")
    ok "a new engine's macro" texts 0 solvers/linalg/lu.h "$dir/made.h" solvers/engines.def \
        "$dir/engines.def"
    ok "... without the engine" texts 1 solvers/linalg/lu.h "$dir/made.h"
    ok "... is named" prints "^rkck: solvers/linalg/lu.h differs$"
    ok "a macro that others have" texts 1 solvers/linalg/lu.h "$dir/lines.h" solvers/engines.def \
        "$dir/engines.def"
    # a law that a mechanism lacks
    rates=solvers/chemistry/laws/rates.h
    more() { file $rates | sed "/ law_$1(/,/^}/s/^    lane $2/    lane made = splat(1);\\n&/"; }
    more sri 'lp = ' >"$dir/sri.h"
    more troe '' >"$dir/troe.h"
    cat >"$dir/law_makes" <<'END'
#!/bin/sh
case $3 in
build/*)
    mkdir -p "$2/${3%/*}" && echo "    NSRI_ALL = $([ "$4" = MECH=h2 ]; echo $?)," >"$2/$3" ;;
*) exec "${0%law_makes}makes" "$@" ;;
esac
END
    chmod +x "$dir/law_makes"
    but() { # CODE FILE NEW LAW MECHS
        base=HEAD
        other=$(with "$2" "$3")
        run "$1" env MAKE="$dir/law_makes" plots/papers/equal --text HEAD "$other" "$4" "$5"
    }
    ok "a law that a mechanism lacks" but 0 $rates "$dir/sri.h" sri h2,h2-oneway,-
    ok "... is a line of these" grep -q \
        "	h2,h2-oneway,-	rkck	cpu-scalar,.*	text but for law_sri$" "$EQUAL"
    ok "... by which a row is current" at 0 h2-oneway gpu-thread \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    ok "... not of another mechanism" at 1 h2co gpu-thread \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    ok "... nor on an engine of any" at 1 h2 cpu-scalar-any \
        "$(plots/papers/sources "$other" rkck | cut -d' ' -f2)"
    sed -i '/but for law_sri/d' "$EQUAL"
    ok "... that one has" but 2 $rates "$dir/sri.h" sri h2,h2co
    ok "... is told" says "h2co: 1 reactions have the law sri"
    ok "... that is unknown" but 2 $rates "$dir/sri.h" made h2
    ok "... beside another one" but 1 $rates "$dir/troe.h" sri h2
    ok "another command" texts 2 solvers/mechanism.mk "$dir/flag.mk"
    ok "... is named" says "these commands are other ones"
    ok "... beside named mechanisms, too" but 2 solvers/mechanism.mk "$dir/flag.mk" sri h2
    ok "... is named" says "these commands are other ones"
    ok "another command of a program" texts 2 solvers/mechanism.mk "$dir/host.mk"
    ok "... is named" says "these commands are other ones"
    ok "... beside named mechanisms" but 2 solvers/mechanism.mk "$dir/host.mk" sri h2
    ok "... their tables decide" says "no tables"
    ok "... leave no line" test "$(wc -l <"$EQUAL")" = $((lines * 2 - 1))
    ok "the same, on two lines" texts 0 solvers/mechanism.mk "$dir/wrapped.mk"
    file solvers/engines/device.cu | sed 's/if (c.status/if (!c.status/' >"$dir/device.cu"
    ok "what only the library runs" texts 0 solvers/engines/device.cu "$dir/device.cu"
    ok "... and no program that measures" run 1 git grep -e '->run_on_device' -- base drivers flow \
        pasr rows solvers
    sed -i '1!d' "$EQUAL"
    echo "$was	$now	*	rkck	cpu-scalar	gcc 12" >>"$EQUAL"
    ok "objects are not of all mechanisms" at 2 h2 cpu-scalar "$now"
    sed -i '$d' "$EQUAL"
    echo "$was	0123	h2	rkck	cpu-scalar	x" >>"$EQUAL"
    ok "a wrong line" at 2 h2 cpu-scalar "$now"
    ok "... is named" says "equal.tsv:2: '0123': 16 digits"
    ok "... for a plan" run 2 plots/papers/plan "$tree/results/made-up"
    ok "... and an experiment" run 2 env MAKE=false plots/papers/experiment E=e1
    unset EQUAL GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    rm -r "$tree/results/made-up/e90-made"
    ok "the kept table" run 0 plots/papers/equal --check
    # what make compiled a method from is what is hashed
    git ls-tree -r --name-only HEAD base mech solvers | sort >"$dir/tracked"
    for method in $(sed -n 's/^METHOD(\(.*\))$/\1/p' solvers/methods.def) cvode; do
        set -- "$build"/mech/*/"$method"_*.d "$build"/mech/*/"$method".d
        plots/papers/sources --list HEAD "$method" | cut -d' ' -f2 | sort >"$dir/listed"
        cat "$@" 2>/dev/null | tr ' \\' '\n\n' | grep -E '^(base|mech|solvers)/.*[^:]$' | sort -u |
            comm -12 - "$dir/tracked" | comm -23 - "$dir/listed" >"$dir/out"
        ok "$method: sources" test ! -s "$dir/out"
    done
fi

# --- what was reproduced
# after: made-up results
{
    echo id,verdict,value,lo,hi,rows,runs,git,why,machine,class,cause
    printf 'niemeyer2014-c033,does not hold,2.4,2.1,2.7,a b,e3,0,"smaller, by far",'
    echo made-up-nvidia-h200,measured,choice
    echo 'niemeyer2014-c034,holds,4,3.5,4.5,a b,e3-gri30-ignition,0,,made-up,measured,'
    echo 'niemeyer2014-c041,holds,3,3,inf,a b,e4b,0,"asked; e4b stands in for e4",made-up,,'
} >"$results/claims.csv"
ok "the page" run 0 env WITNESS="$dir/empty" plots/papers/reproduction "$results"
ok "verdicts by class" prints '^| measured | 1 | 0 | 1 | 0 | 0 | 0 |'
ok "how to check" prints '^## Check it yourself'
ok "at most 200 lines" test "$(wc -l <"$dir/out")" -le 200
tr '\n' ' ' <"$dir/out" | sed 's/  */ /g' >"$dir/line"
ok "a finding with its number" grep -q \
    'c033: printed 57, does not hold, 2.4 (2.1 to 2.7) here' "$dir/line"
ok "a bound, by a stand-in" grep -q 'c041: printed 4.5, holds, at least 3 here (e4b stands in)' \
    "$dir/line"
ok "a cause, counted" grep -q '0 fail by the machine, 1 by a choice of ours, and 0 by' "$dir/line"
ok "a claim at three sizes" prints \
    '| niemeyer2014-c007 | 2.3 | 65536 | 1 | 823881 | 1 | 8388608 | 1 |'
ok "without a row" prints '| niemeyer2014-c046 | 2.5 | 16384 | cannot say | 205970 | cannot say |'
ok "ten findings" test "$(grep -c '^[0-9]*\. \*\*' "$dir/out")" = 10

[ -n "$pictures" ] || exit $failed

# --- pictures of a run: 15 solvers on 4 engines, with a long name; 7 curves a panel, every label
# inside the figure
solvers="alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu"
mkdir "$dir/run-$$"
{
    printf %s mech,machine,git,database,order,n,dt_s,solver,engine,schedule,threads,lanes,rtol,
    printf %s atol,time_s,time_lo_s,time_hi_s,err_p95,err_p95_lo,err_p95_hi,us_per_ode,us_lo,
    echo us_hi,status
    k=0
    for s in $solvers long_solver_name:option=2 cvode; do
        k=$((k + 1))
        for e in cpu-scalar cpu-simd gpu-thread gpu-warp; do
            for n in 64 4096; do
                printf %s "h2,made-up,0,db,similar,$n,1e-6,$s,$e,refill,1,8,1e-6,1e-12,"
                echo "0.$n$k,0.$n$k,0.9,1e-$k,1e-$k,1e-$((k - 1)),$k,$k,$((k + 1)),ok"
            done
        done
    done
} >"$dir/run-$$/cells.csv"
cp "$dir/run-$$/cells.csv" "$dir/run-$$/verify.csv"
# labels beyond the rim, at 6 units a letter
outside() {
    awk '/viewBox/ && match($0, /viewBox="0 0 [0-9]+ [0-9]+"/) {
            split(substr($0, RSTART + 13), v, /[ "]/) }
        match($0, /translate\([-0-9.]+,[-0-9.]+\)/) {
            split(substr($0, RSTART + 10), at, /[,)]/) }
        /<text>/ && before ~ /text-anchor="start"/ {
            gsub(/<[^>]*>/, "")
            gsub(/^[ \t]+|[ \t]+$/, "")
            if (length($0) < 60 && (at[1] + 5.5 * length($0) > v[1] || at[2] > v[2]))
                print $0
        }
        { before = $0 }' "$1"
}
ok "figures of a run" run 0 plots/draw "$dir/run-$$"
ok "the figure of verify" run 0 plots/verify "$dir/run-$$"
for name in time error verify; do
    file=plots/out/run-$$/$name
    outside "$file.svg" >"$dir/out"
    ok "$name: labels inside" test ! -s "$dir/out"
    ok "$name: neither empty groups nor gnuplot's expressions" test \
        "$(tr -d '\n' <"$file.svg" | grep -cE '<g [^>]*></g>|data index')" = 0
    ok "$name: 7 curves in each of 4 panels" test \
        "$(values "$file.csv" '!seen[f["panel"] f["series"]]++' 'f["panel"]' |
        sort | uniq -c | awk '{ printf "%s ", $1 }')" = "7 7 7 7 "
    ok "$name: CVODE is among them" test "$(grep -c ',cvode,' "$file.csv")" -ge 4
    ok "$name: PNG, PDF and text" test -s "$file.png" -a -s "$file.pdf" -a -s "$file.txt"
done
for part in time.csv time.txt error.svg; do
    file=plots/out/run-$$/$part
    cp "$file" "$dir/before" && ln -s /dev/full "$file.new"
    ok "a full disk: $part" run 2 plots/draw "$dir/run-$$"
    ok "... one message" test "$(wc -l <"$dir/err")" = 1
    ok "... it names the file" says "error: $file: not written: cp: .*No space left"
    ok "... which is as it was" cmp "$file" "$dir/before"
    ok "... and nothing else is left" test ! -L "$file.new" -a ! -e "$file.new"
done
rm -rf "plots/out/run-$$"

# --- orders and schedules
mkdir "$dir/orders-$$"
{
    printf %s mech,machine,git,order,n,dt_s,solver,engine,schedule,threads,lanes,rtol,atol,
    echo time_s,time_lo_s,time_hi_s,status
    for row in similar,static,1 similar,refill,1.1 shuffled,static,2 shuffled,refill,1.5; do
        IFS=, read -r order schedule t <<END
$row
END
        echo "h2,made-up,0,$order,64,1e-6,rkc,cpu-simd,$schedule,1,8,1e-6,1e-10,$t,$t,$t,ok"
    done
} >"$dir/orders-$$/cells.csv"
{
    printf %s key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,lanes,lane_use,measure,
    echo D,slow_down,slow_down_refill,histogram,lo,hi,count
    echo a,similar,64,1e-6,rkc,cpu-simd,static,1,1e-6,1e-10,8,1,rhs,0.9,1.25,1.1,warp,0.5,0.53,2
    echo b,shuffled,64,1e-6,rkc,cpu-simd,static,1,1e-6,1e-10,8,1,rhs,0.5,2.5,1.5,warp,0.5,0.53,2
} >"$dir/orders-$$/divergence.csv"
ok "orders" run 0 plots/orders "$dir/orders-$$"
ok "measured" prints '^ *shuffled *2 *2 *1.5 *1.2'
ok "D" prints '^ *shuffled *0.5'
ok "their picture" test -s "plots/out/orders-$$/orders.svg"
rm -rf "plots/out/orders-$$"
ok "no run" run 2 plots/orders "$dir/none"
exit $failed
