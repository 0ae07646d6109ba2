#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Nothing that a file says runs: 248 texts (hostile_strings.awk), each of which runs kbcN, its
# number, where a shell, gnuplot, make or a browser takes it for a part of a program, go through the
# text columns of tables, keys of .json files and names of files and folders, into whatever draws,
# reports, compares or judges. Run from the repository root, after make tools:
#   [KB_BUILD=build] tests/scripts/test_hostile.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
export KB_BUILD="$build"
. tests/scripts/check.sh
if ! command -v gnuplot >/dev/null; then
    echo "skip - hostile texts: gnuplot is missing (apt-get install gnuplot-nox)"
    exit 0
fi

# kbcN notes that it ran
export KB_RAN="$dir/ran"
mkdir "$dir/bin"
# shellcheck disable=SC2016,SC2046
printf '#!/bin/sh\necho "${0##*/}" >>"$KB_RAN"\n' |
    (cd "$dir/bin" && tee $(seq -f kbc%g 260)) >"$dir/out"
chmod +x "$dir"/bin/kbc*
PATH=$dir/bin:$PATH
# a tree of links, with results and pictures of its own
root=$PWD tree=$dir/tree
mkdir -p "$tree/results/latest"
for file in *; do
    case $file in results | build) continue ;; esac
    cp -rs "$root/$file" "$tree"
done
rm -rf "$tree/plots/out"
ln -s "$build" "$tree/build"
cd "$tree" || exit 2
export FORMATS=svg

texts=$dir/texts names=$dir/names
awk -f tests/scripts/hostile_strings.awk >"$texts"
# as many in a name as a file's has room for
awk -v names=1 -f tests/scripts/hostile_strings.awk | awk '
    length(line) + length($0) > 230 { print line; line = "" } { line = line $0 }
    END { print line }' >"$names"
joined() { # joined N: the texts, N a line
    awk -v n="$1" '{ line = line $0 " " } NR % n == 0 { print line; line = "" }
        END { if (line != "") print line }' "$texts"
}
joined 31 >"$dir/many"
ok "at least 200 texts" test "$(wc -l <"$texts")" -ge 200
# every form once, in one of its four surroundings, which take turns from check to check
for k in 0 1 2 3; do
    awk -v k=$k '(NR + int((NR - 1) / 4)) % 4 == k' "$texts" >"$texts$k"
done
turn=0
table() { # table HEAD ROW COLUMNS [FILE]: of the texts of FILE, or of every form once
    awk -v head="$1" -v row="$2" -v columns="$3" -f "$root/tests/scripts/hostile_table.awk" \
        "${4:-$texts$turn}"
}

# inert WHAT COMMAND...: a program ends with a code of its own, and nothing of a text has run
inert() {
    what=$1
    shift
    : >"$KB_RAN"
    turn=$(((turn + 1) % 4))
    "$@" >"$dir/out" 2>"$dir/err"
    ended=$?
    sort -u "$KB_RAN" >>"$dir/err"
    ok "$what: nothing runs" test ! -s "$KB_RAN" -a $ended -le 5
}
# drawn WHAT COMMAND...: and there is a result
drawn() {
    inert "$@"
    ok "$1: drawn" test "$ended" -eq 0
}
# every row has as many fields as its head
whole_rows() { "$build/rows" --table "$1" >/dev/null 2>"$dir/err"; }
valid_svg() {
    ! command -v python3 >/dev/null ||
        python3 -c 'import sys, xml.sax as x
for name in sys.argv[1:]: x.parse(name, x.ContentHandler())' "$@" 2>"$dir/err"
}

# --- tables of bench: each text column
head=schema,run,mech,machine,git,database,order,sample,n,dt_s,steps,chain,solver,engine,schedule
head=$head,threads,lanes,rtol,atol,ranks,distribution,time_s,time_lo_s,time_hi_s,kernel_s,err_p95
head=$head,err_p95_lo,err_p95_hi,err_max,steps_mean,rhs_mean,D_rhs,work_ratio,nsp,failed,status,why
row=1,run,h2,box,0,db,similar,even,64,%d,1,,s%r,cpu-simd,refill,1,8,1e-6,1e-12,1,,%r,%r,%r,%r,1e-3
row=$row,1e-3,1e-3,1e-2,4,5,0.5,1,9,0,ok,
samples=order,sample,steps,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeat,time_s
samples=$samples,kernel_s,begin_s
sample_row=similar,even,1,64,%d,s%r,cpu-simd,refill,1,1e-6,1e-12,1,%r,%r,1
run=$dir/run
mkdir "$run"
for column in mech,machine order solver engine schedule threads n rtol err_p95_lo,time_lo_s \
    git,database,sample,chain,distribution,run,why status; do
    table "$head" "$row" $column >"$run/cells.csv"
    inert "draw: $column" plots/draw "$run"
    for file in plots/out/run/*.csv; do
        [ ! -e "$file" ] || ok "draw: $column: ${file##*/}" whole_rows "$file"
    done
done
table "$head" "$row" solver,why "$texts" >"$run/cells.csv"
drawn "draw: solvers of one machine" plots/draw "$run"
ok "draw: every solver, and no program" test "$(grep -c 'kbc[0-9]' plots/out/run/time.svg)" -ge 200
ok "draw: valid pictures" valid_svg plots/out/run/*.svg
# the first row makes the heading: many texts at once, and each kind alone
first_is() { # first_is TEXT: the mechanism
    printf '%s\n' "$1" | table "$head" "$row" mech -
}
headings() {
    k=0
    while IFS= read -r text; do
        first_is "$text" >"$run/cells.csv"
        cp "$run/cells.csv" "$run/verify.csv"
        case $((k % 2)) in
        0) plots/verify "$run" || return ;;
        *) plots/draw "$run" || return ;;
        esac
        k=$((k + 1))
    done
}
drawn "headings" headings <"$dir/many"

# --- the table behind a figure: what is drawn of it
figure=panel,quantity,series,solver,engine,order,schedule,threads,n,dt_s,rtol,atol
figure=$figure,x,y,lo,hi,xlo,xhi,kind,experiment,run,git,machine
for column in panel quantity series solver x y lo kind experiment,run,git,machine; do
    style=curves kind=measured
    [ $column != x ] || style=bars
    table $figure "p,q,s%r,s,e,o,f,1,1,%d,1,1,%r,%r,%r,%r,,,$kind,e,r,g,m" $column \
        >"$dir/figure.csv"
    inert "show: $column" plots/show "$dir/figure" style=$style heading=h caption=c xname=x
done
table $figure "p%d,q,s%r,s,e,o,f,1,1,%d,1,1,,%r,,,,,paper,e,r,g,m" series >"$dir/figure.csv"
echo "p1e-6,q,s,s,e,o,f,1,1,1,1,1,1,2,,,,,measured,e,r,g,m" >>"$dir/figure.csv"
drawn "show: marks of a paper" plots/show "$dir/figure" heading=h caption=c xname=x
table $figure "p%d,q%r,,,,,,,,,,,,y,,,,,missing,,,," y | head -20 >"$dir/figure.csv"
drawn "show: what is missing" plots/show "$dir/figure" heading=h caption=c xname=x
table $figure "p,q,s,s,e,o,f,1,1,1,1,1,%r,2,,,,,measured,e,r,g,m" series >"$dir/figure.csv"
drawn "show: a table" plots/show "$dir/figure" style=table heading=h caption=c xname=x
head -3 "$dir/figure.csv" >"$dir/few" && mv "$dir/few" "$dir/figure.csv"
variables() {
    while IFS= read -r text; do
        plots/show "$dir/figure" "heading=$text" "caption=$text" "xname=$text" || return
    done
}
drawn "show: heading, caption, axis" variables <"$dir/many"

# --- other tables
# after: tables of bench
# after: the table behind
kernels=machine,git,mech,kernel,engine,layout,precision,matrix,m,n,segments,time_s,time_lo_s
kernels=$kernels,time_hi_s,us_per_system,bandwidth_GBs,speedup_dense,status
system=box,0,h2,dense,gpu-thread,interleaved,double,dominant,%r,16384,1,1,1,1,1,1,1,ok
for column in mech,machine,git kernel engine layout,matrix; do
    table $kernels $system $column >"$run/kernels.csv"
    inert "kernels: $column" plots/kernels "$run"
done
roofline=run,machine,git,mech,engine,part,ns_per_ode,flop_limit_ns,shared_limit_ns,issue_limit_ns
part=run,box,0,h2,gpu-thread,f,%r,1,1,1
for column in run,machine,git mech engine part; do
    table $roofline $part $column >"$run/roofline.csv"
    inert "roofline: $column" plots/roofline "$run"
done
divergence=key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,lanes,lane_use,measure,D
divergence=$divergence,slow_down,slow_down_refill,histogram,lo,hi,count
spread=a,similar,64,%d,s%r,cpu-simd,refill,1,1e-6,1e-12,8,1,rhs,0.9,1.2,1.1,warp,0.5,0.5,2
for column in order solver engine schedule; do
    table "$head" "$row" $column >"$run/cells.csv"
    table $divergence $spread $column >"$run/divergence.csv"
    inert "orders: $column" plots/orders "$run"
    head -3 "$run/cells.csv" >"$dir/few"
    mv "$dir/few" "$run/cells.csv"
    inert "divergence: $column" plots/draw "$run"
done
rm "$run/divergence.csv"
replay=kind,scaling,order,distribution,ranks,n,efficiency,efficiency_lo,efficiency_hi
ranks() { # ranks FOLDER COLUMN: tables of one rank and of two
    for ranks in 1 2; do
        mkdir -p "$1/$ranks"
        table "$head" "$(echo "$row" | sed "s/,1e-12,1,/,1e-12,$ranks,/")" $2 \
            >"$1/$ranks/cells.csv"
        table $samples $sample_row $2 >"$1/$ranks/samples.csv"
    done
}
ranks "$dir/scaling/plain" none
for column in order solver engine distribution; do
    ranks "$dir/scaling" $column
    table $replay strong,strong,o,d,%r,64,1,1,1 ${column%solver} >"$dir/replay.csv"
    inert "scaling: $column" plots/scaling run "$dir/efficiency.csv" "$dir/scaling/1" \
        "$dir/scaling/2" "$dir/replay.csv"
    ok "scaling: $column: rows" whole_rows "$dir/efficiency.csv"
done

# --- the flow: cases, schemes, sizes
flow=$dir/flow
mkdir "$flow"
profiles() { # profiles FILE: of each scheme
    while IFS= read -r scheme; do
        printf 'x,density,exact\n0,1,1\n1,2,2\n' >"$flow/profile-$scheme.csv"
    done <"$1"
}
grep -v / "$texts" | head -60 >"$dir/schemes"
profiles "$dir/schemes"
table case,scheme,nx,ny,l1 sod,mp5,%r,1,0.1 scheme "$dir/schemes" >"$flow/errors.csv"
drawn "flow: schemes" plots/flow "$flow"
ok "flow: valid" valid_svg "$flow/flow.svg"
cases() {
    while IFS= read -r text; do
        printf '%s\n' "$text" | table case,scheme,nx,ny,l1 ,mp5,10,1,0.1 case - \
            >"$flow/errors.csv"
        plots/flow "$flow" || return
    done
}
echo mp5 >"$dir/one"
profiles "$dir/one"
drawn "flow: cases" cases <"$dir/many"
rm -r "$flow"
mkdir "$flow"
echo "case,scheme" >"$flow/errors.csv"
echo "sod,mp5" >>"$flow/errors.csv"
grids() { # seven texts, or six numbers and one
    while IFS= read -r text; do
        printf '%s\n' "$text" >"$flow/mp5.txt"
        ! plots/flow "$flow" || return 6
    done
}
{
    paste -d ' ' - - - - - - - <"$texts"
    sed 's/$/ 1 0 0 1 1 0/; 15q' "$texts"
} >"$dir/sizes"
inert "flow: sizes" grids <"$dir/sizes"

# --- a database: keys of its .json and columns, which plots/database reads; its program is a
# made-up one
{
    echo "simulation,time_s,cell,z,condition,particle,T_mean_K,mixture_fraction,progress,T_K,H2,\
O2,H2O,OH,\"$(head -1 "$texts")\",\`kbc2\`\$(kbc3)"
    for t in 0 1 2 3 4; do
        for z in 1 2 3; do
            echo "0,${t}e-6,$z,0.$z,0,0,100$t,0.$z,0.$t,${z}00$t,0.1,0.2,0.$t,1e-3,!kbc4,\"\`kbc5\`"
        done
    done
} >"$dir/made.csv"
printf '#!/bin/sh\ncat "%s"\n' "$dir/made.csv" >"$dir/bin/dbinfo"
chmod +x "$dir/bin/dbinfo"
echo x >"$dir/made.npy"
echo x >"$dir/made.aux.npy"
json() { # json GENERATOR T0 P
    printf '{\n "generator": "%s",\n "T0_K": [%s],\n "p_atm": [%s]\n}\n' "$1" "$2" "$3" \
        >"$dir/made.json"
}
database() { KB_BUILD=$dir/bin plots/database "$dir/made.npy"; }
conditions() {
    k=0
    while IFS= read -r text; do
        k=$((k + 1))
        case $((k % 2)) in
        0) json pasr "1000,$text" 1 ;;
        *) json pasr 1000 "$text" ;;
        esac
        database
    done
    :
}
generators() {
    while IFS= read -r text; do
        json "$text" 1000 1
        ! database || return 6
    done
}
joined 16 >"$dir/joined"
inert "database: T0_K, p_atm" conditions <"$dir/joined"
ok "database: T0_K, p_atm: drawn" test -s plots/out/made/pasr.svg
{ echo ../../x; echo ./pasr; echo style; cat "$dir/joined" "$names"; } >"$dir/some"
inert "database: generator" generators <"$dir/some"
ok "database: generator: there is none" test "$ended" -eq 0
for generator in flamelet lem pasr; do
    json $generator 1000 1
    drawn "database: $generator" database
    ok "database: $generator: valid" valid_svg plots/out/made/$generator.svg
    inert "database: $generator: SIM" env 'SIM=0`kbc1`$(kbc2)' KB_BUILD="$dir/bin" plots/database \
        "$dir/made.npy"
    ok "database: $generator: SIM is no number" test "$ended" -eq 2
done
SIM=7 inert "database: no simulation 7" database
ok "database: lem alone has simulations" test "$ended" -eq 0
json lem 1000 1
SIM=7 FORMATS="svg png" inert "database: no simulation 7" database
ok "database: and says so, once for each format" test \
    "$ended $(grep -c 'no simulation 7' "$dir/err") $(wc -l <"$dir/err")" = "2 2 2"

# --- dbinfo: its tables, and the .json of a database
info=$dir/info
mkdir "$info"
printf 'T_K,row\n900,0\n1000,1\n' >"$info/states.csv"
printf 'T_low_K,T_high_K,states\n900,950,1\n950,1000,1\n' >"$info/histogram.csv"
for column in dt_s solver order; do
    table dt_s,solver,row,T_K,steps,rhs 1e-6,rkc,%r,900,%r,%r ${column#order} | head -30 \
        >"$info/costs.csv"
    table dt_s,solver,order,states,D_steps,D_rhs,slow_down,slow_down_refill \
        1e-6,rkc,o%r,1,1,1,1.%r,1 $column | head -30 >"$info/orders.csv"
    inert "dbinfo: a figure, $column" plots/dbinfo "$info"
done
printf 'T,p,H2,O2,N2\n900,101325,0.03,0.22,0.75\n1000,101325,0.03,0.22,0.75\n' >"$dir/db.csv"
drawn "dbimport" "$build/dbimport" --mech h2 --source "$dir/db.csv" --out "$dir/db.npy"
cp "$dir/db.json" "$dir/db.kept"
described() { # each of some texts as the value of each key
    while IFS= read -r text; do
        TEXT=$(printf '%s' "$text" | sed 's/\\/\\\\/g; s/"/\\"/g' | tr -d '\t') awk '
            /^ *"(generator|mech|source|species|kinbench|git)"/ && /": "/ {
                sub(/": ".*/, "\": "); print $0 "\"" ENVIRON["TEXT"] "\","; next }
            { print }' "$dir/db.kept" >"$dir/db.json"
        "$build/dbinfo" "$dir/db.npy" --no-costs
        "$build/dbinfo" "$dir/db.npy" --no-costs --mech h2 --json
        "$build/dbinfo" "$dir/db.npy" --columns "T_K,$text"
    done
    :
}
inert "dbinfo: keys of a .json" described <"$dir/some"

# --- report, compare and claims: every text column, environment.json and verdicts
# after: tables of bench
# after: the table behind
every=mech,machine,git,database,order,sample,chain,solver,engine,schedule,threads,distribution,why
table "$head,mech_sha256,db_sha256" "$row,," $every "$texts" >"$run/cells.csv"
table $samples $sample_row order,solver,engine,schedule,threads "$texts" >"$run/samples.csv"
cp "$run/samples.csv" "$dir/samples.csv"
escaped() { sed 's/\\/\\\\/g; s/"/\\"/g' "$1" | tr -d '\t'; }
{
    echo '{'
    escaped "$texts" | awk '{ printf " \"%s\": \"%s\",\n", $0, $0 }'
    echo ' "machine": "box", "git": "--x`kbc1`", "database": "$(kbc2)", "reactor": "v",'
    echo ' "sessions": ['
    escaped "$texts" | awk '{ printf "  {\"make\": \"make bench SOLVERS=%s\"}, {\"command\": \
\"build/bench %s\"}, {\"command\": \"%s\"},\n", $0, $0, $0 }'
    echo '  {"make": "make bench MECH=h2"}]}'
} >"$run/environment.json"
table id,verdict,value,lo,hi,rows,runs,git,why,machine "id,holds,1,1,1,1,r,0,w,m" \
    id,verdict,rows,runs,git,why,machine >"$run/claims.csv"
table id,verdict,value,lo,hi,rows,runs,git,why,machine "id,holds,1,1,1,1,r,0,w,m" id | tail -n +2 \
    >>"$run/claims.csv"
page=$dir/page.html
drawn "report" "$build/report" "$run" --out "$page"
ok "report: one script" test "$(grep -ic '<script' "$page")" = 1
ok "report: no tag of a text" test "$(grep -ic '<img\|<svg onload' "$page")" = 0
ok "report: no other script may run" grep -q "script-src 'sha256-[A-Za-z0-9+/]*='" "$page"
# the page of the papers: hostile ledger, causes, figures and captions
hostile='<img src=x onerror=a> <svg onload=a> </script><script>a</script> $(kbc1) `kbc2`'
mkdir -p "$dir/paged/papers"
awk -F'\t' -v OFS='\t' -v text="$hostile" 'NR > 1 { $3 = $4 = $5 = $15 = text } NR < 4' \
    datasets/claims.tsv >"$dir/paged/claims.tsv"
cut -f1,2 "$dir/paged/claims.tsv" | tail -n +2 | while read -r id paper; do
    printf '%s\tpaper\t%s\n' "$id" "$hostile"
done | cat - "$dir/paged/claims.tsv" | grep 'paper' | cut -f1-3 >"$dir/paged/causes.tsv"
{ echo id,verdict,value,lo,hi,why,class,cause
    tail -n +2 "$dir/paged/claims.tsv" | cut -f1 | while read -r id; do
        echo "$id,$hostile,1,1,1,$hostile,$hostile,$hostile"
        echo "$id,holds,1,1,1,$hostile,$hostile,$hostile"
    done; } >"$dir/paged/claims.csv"
printf 'id\n%s\tcurves\t-\t-\t-\t-\t-\t%s\t-\n' niemeyer2014-fig01 "$hostile" \
    "niemeyer2014-$hostile" "$hostile" >"$dir/paged/figures.tsv"
echo "$hostile" >"$dir/paged/papers/niemeyer2014-fig01.txt"
drawn "report --papers" "$build/report" --papers "$dir/paged" --plots "$dir/paged" \
    --claims "$dir/paged/claims.tsv" --figures "$dir/paged/figures.tsv" --out "$dir/paged.html"
ok "papers: the texts are there" test "$(grep -c 'onerror=a' "$dir/paged.html")" -ge 3
ok "papers: one script" test "$(grep -ic '<script' "$dir/paged.html")" = 1
ok "papers: no tag of a text" test "$(grep -ic '<img\|<svg onload' "$dir/paged.html")" = 0
# what it offers to copy, in a shell: make expands its variables as a recipe does
printf '%s\n' '%: ; @true $(MECH) $(SOLVERS) $(CLAIM)' >"$dir/tiny.mk"
printf '#!/bin/sh\nexec %s -f "%s" "$@"\n' "$(command -v make)" "$dir/tiny.mk" >"$dir/bin/make"
for program in git bench; do printf '#!/bin/sh\n' >"$dir/bin/$program"; done
chmod +x "$dir/bin/make" "$dir/bin/git" "$dir/bin/bench"
grep -o '<code>[^<]*</code>\|<td>make claims[^<]*</td>\|plots/draw [^<]* draws' "$page" |
    sed 's/<[^>]*>//g; s/ draws$//; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g' |
    sed "s/&#39;/'/g; s/&amp;/\\&/g" >"$dir/commands"
ok "report: commands to copy" test "$(wc -l <"$dir/commands")" -ge 10
copies() {
    mkdir -p "$dir/copies/build" "$dir/copies/plots"
    cp "$dir/bin/bench" "$dir/copies/build/bench"
    cp "$dir/bin/bench" "$dir/copies/plots/draw"
    (cd "$dir/copies" && while IFS= read -r line; do
        sh -c "$line" </dev/null || :
    done <"$dir/commands")
}
inert "report: a command that is copied" copies
rm "$dir/bin/make" "$dir/bin/git"
mkdir "$dir/other"
cp "$run/cells.csv" "$run/samples.csv" "$dir/other"
inert "compare: text" "$build/compare" "$run" "$dir/other" --all
inert "compare: markdown" "$build/compare" "$run" "$dir/other" --all --format markdown
ok "compare: markdown has no tags" test "$(grep -c '[^\\]<[a-z/!]' "$dir/out")" = 0
inert "compare: csv" "$build/compare" "$run" "$dir/other" --format csv
cp "$dir/out" "$dir/compared.csv"
ok "compare: rows" whole_rows "$dir/compared.csv"
for column in order solver engine schedule; do
    table "$head,mech_sha256,db_sha256" "$row,," $column | head -80 >"$run/cells.csv"
    table $samples $sample_row $column | head -80 >"$run/samples.csv"
    cp "$run/cells.csv" "$run/samples.csv" "$dir/other"
    inert "compare: a figure, $column" plots/compare "$run" "$dir/other"
    ok "compare: rows of its figure, $column" whole_rows plots/out/compare/compare.csv
done

# --- papers: folders that begin as an experiment does, their tables and environments
papers=$dir/papers
timeline=order,n,dt_s,solver,engine,schedule,slice,copy_in_s,kernel_s,copy_out_s,done_s
mkdir "$papers"
k=0
while IFS= read -r name; do
    k=$((k + 1))
    folder=$papers/$(echo e3-gri30-ignition e17-flow-step e12-slices e13-h2co-pasr e16-tables |
        cut -d' ' -f$((1 + k % 5)))
    [ $k -lt 6 ] || folder=$folder-$name
    mkdir -p "$folder"
    table "$head" "$row" solver,machine,git,engine | head -40 >"$folder/cells.csv"
    table $divergence $spread order,solver,engine | head -40 >"$folder/divergence.csv"
    table git,mech,item,value 0,h2,i%r,%r mech,item,value | head -40 >"$folder/tables.csv"
    table $timeline "similar,64,%d,rkc,gpu-block,static,%r,0.1,0.2,0.3,0.4" order,solver,engine |
        head -40 >"$folder/timeline.csv"
    {
        echo case,scheme,riemann,variables,engine,cfl,nx,ny,steps,l1,order
        printf '"%s",' "$(echo "$name" | sed 's/"/""/g')" "$(echo "$name" | sed 's/"/""/g')"
        echo hllc,conserved,gpu,0.4,96,32,100,,
    } >"$folder/errors.csv"
    echo picture >"$folder/flow-mp5.png"
    for key in machine git mech; do echo "  \"$key\": \"$name\","; done >"$folder/environment.json"
done <"$names"
cp "$run/claims.csv" "$papers"
for paper in niemeyer2014 lecambier2013; do
    inert "papers: $paper" env OUT="$dir/drawn" plots/papers/draw "$papers" $paper
    ok "papers: $paper: no failure" test "$ended" -eq 0
done
for file in "$dir"/drawn/*.csv; do
    whole_rows "$file" >"$dir/out" || ok "papers: $file" whole_rows "$file"
done
awk '/^#/ || NR % 5 == 3' datasets/figures.tsv >"$dir/figures.tsv"
inert "papers: what was reproduced" env FIGURES="$dir/figures.tsv" plots/papers/reproduction \
    "$papers"
ok "papers: no tag in Markdown" test "$(grep -c '<[a-zA-Z/]' "$dir/out")" = 0
inert "claims" "$build/claims" --results "$papers" --paper niemeyer2014
claims_csv=$papers/claims.csv
ok "claims: rows" whole_rows "$claims_csv"
experiments() {
    while IFS= read -r text; do
        { echo '# a table'; echo head; printf 'x1-a\tbench\tMECH=%s\tn\t-\t-\t-\n' "$text"; } \
            >"$dir/experiments.tsv"
        EXPERIMENTS=$dir/experiments.tsv MAKE="$dir/bin/tiny" plots/papers/experiment E=x1
    done
    :
}
printf '#!/bin/sh\nexec make -f "%s" bench "$@"\n' "$dir/tiny.mk" >"$dir/bin/tiny"
chmod +x "$dir/bin/tiny"
inert "papers: variables of an experiment" experiments <"$dir/joined"

# --- tables of datasets/: claims, figures, findings, experiments, sources
# after: papers
# after: report, compare
# after: tables of bench
# after: the table behind
first_row() { awk -F'\t' '/^#/ { next } n++ == 1' "datasets/$1.tsv"; }
tsv() { # tsv NAME ROW COLUMN[,COLUMN...]: a table with the head of datasets/NAME.tsv; rows of TEXTS
    awk -F'\t' '!/^#/ { print; exit }' "$root/datasets/$1.tsv"
    ROW=$2 awk -v names="$(awk '!/^#/ { print; exit }' "$root/datasets/$1.tsv" | tr '\t' ,)" \
        -v columns="$3" -f /dev/fd/3 "${TEXTS:-$texts}" 3<<'END'
{ gsub(/\t/, " "); text[++n] = $0 }
END {
    split(names, name, ",")
    many = split(columns, wanted, ",")
    for (r = 1; r <= n; r++) {
        fields = split(ENVIRON["ROW"], f, "\t")
        for (i = 1; i <= fields; i++) {
            gsub(/%r/, r, f[i])
            for (k = 1; k <= many; k++)
                if (name[i] == wanted[k])
                    f[i] = text[1 + (r - 1 + 17 * (k - 1)) % n]
            printf "%s%s", f[i], i < fields ? "\t" : "\n"
        }
    }
}
END
}
claim=$(first_row claims)
ledger=$dir/claims.tsv
tsv claims "$claim" id,paper,where,quantity,printed,note,experiment >"$ledger"
inert "claims.tsv" "$build/claims" --claims "$ledger" --results "$papers"
ok "claims.tsv: all are judged" test "$(grep -c 'kbc.*no row for' "$dir/out")" -ge 200
ok "claims.tsv: rows" whole_rows "$claims_csv"
queries() { # each as the query, direction, band or guard of a claim
    k=0
    while IFS= read -r text; do
        k=$((k + 1))
        echo "$text" >"$dir/one"
        column=$(echo query direction band guard | cut -d' ' -f$((1 + k % 4)))
        TEXTS=$dir/one tsv claims "$claim" "$column" >"$ledger"
        ! "$build/claims" --claims "$ledger" --results "$papers" || return 6
    done
    :
}
joined 4 >"$dir/some"
inert "claims.tsv: queries" queries <"$dir/some"
# of figures.tsv and findings.tsv a row has many texts
export FIGURES="$dir/figures.tsv"
row31() { printf 'niemeyer2014-%%r\tcurves\te3\tdt_s=any\t%s\t-\t-\tt\td' "$1"; }
shape="xname=n yname=t style=curves x=n y=time_s"
TEXTS=$dir/many tsv figures "$(row31 "$shape")" title,differs >"$FIGURES"
drawn "figures.tsv: title, differs" env OUT="$dir/drawn" plots/papers/draw "$papers" niemeyer2014
joined 62 >"$dir/most"
for column in experiments select ratios marks shape; do
    TEXTS=$dir/most tsv figures "$(row31 "$shape")" $column >"$FIGURES"
    for k in 1 2 3 4; do
        inert "figures.tsv: $column, $k" env OUT="$dir/drawn" FORMATS=none plots/papers/draw \
            "$papers" niemeyer2014 "$k"
    done
done
tr ' ' '_' <"$dir/many" | sed "s/^/style=curves x=n y=time_s xname=/" >"$dir/shapes"
TEXTS=$dir/shapes tsv figures "$(row31 "")" shape >"$FIGURES"
inert "figures.tsv: names of axes" env OUT="$dir/drawn" plots/papers/draw "$papers" niemeyer2014
unset FIGURES
for file in claims findings figures; do
    rm "$tree/datasets/$file.tsv"
done
tsv claims "$claim" id,paper,where,quantity,printed,note,experiment >datasets/claims.tsv
tsv findings "niemeyer2014-c001,c%r	a	w" about,why >datasets/findings.tsv
TEXTS=$dir/many tsv figures "$(row31 "$shape")" title,differs,experiments >datasets/figures.tsv
{
    printf 'id\tcause\twhy\n'
    awk -F, 'NR > 1 { print $1 }' "$claims_csv" >"$dir/ids"
    tr '\t' ' ' <"$dir/many" | paste "$dir/ids" - | sed 's/\t/\tchoice\t/' | grep '^[a-z]'
} >"$papers/causes.tsv"
drawn "findings.tsv" plots/papers/reproduction "$papers"
ok "findings.tsv: no tag in Markdown" test "$(grep -c '<[a-zA-Z/]' "$dir/out")" = 0
rm "$tree/datasets/sources.tsv"
TEXTS=$names tsv sources "$(printf 'n%%r\tf\t0\ta\tp\tc\tt')" name,address,citation,terms \
    >datasets/sources.tsv
make_there() { make --no-print-directory -s -C "$tree" CUDA=0 "$@"; }
while IFS= read -r name; do : >"datasets/mechanisms/$name.yaml"; done <"$names"
inert "sources.tsv, mechanisms/: names" make_there solvers MECH=nope
while IFS= read -r name; do rm "datasets/mechanisms/$name.yaml"; done <"$names"
ok "sources.tsv, mechanisms/: they are shown" grep -q 'names are .*kbc.* after make .*kbc' \
    "$dir/err"
# addresses that all give one byte, which has the right sum
# shellcheck disable=SC2016
printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" != --output ] || printf x >"$2"; shift; done\n' \
    >"$dir/bin/curl"
chmod +x "$dir/bin/curl"
sum=$(printf x | sha256sum | cut -d' ' -f1)
TEXTS=$names tsv sources "$(printf 'x\tf%%r\t%s\ta\tp\tc\tt' "$sum")" file,address,citation \
    >"$dir/sources.tsv"
drawn "sources.tsv: files" datasets/fetch x "$dir/sources.tsv" "$dir/fetched"
ok "sources.tsv: there" test "$(ls -A "$dir/fetched/x" | wc -l)" = "$(wc -l <"$names")"

# --- docs: a value of a table in a text
mkdir "$tree/docs-test"
(
    cd "$tree/docs-test" && mkdir -p docs/blocks results/gpu/a &&
        cp "$root/docs/update" "$root/docs/write_block" docs
) || exit 2
docs() { # docs BLOCK
    cp "$1" "$tree/docs-test/docs/blocks/x"
    cd "$tree/docs-test" || return 6
    while IFS= read -r text; do
        printf '%s\n' "$text" | table dt_s,n,engine,time_s,solver 1e-6,64,cpu-simd,1, solver - \
            >results/gpu/a/cells.csv
        sed "1s/.*/dt_s,n,engine,ns_per_ode,part/" results/gpu/a/cells.csv \
            >results/gpu/a/micro.csv
        printf '<!-- x -->\n<!-- /x -->\nend\n' >README.md
        KB_BUILD=$build docs/update
        [ "$(grep -c '<[^!]' README.md) $(grep -c '^<!--' README.md)" = "0 2" ] || return 6
    done
    :
}
whole_docs() { (docs "$@"); }
printf '%% run=a\n[[us{cpu-simd dt_s=1e-6}]] [[solver @1]] [[engine @1]]\n' >"$dir/cells"
printf '[[micro:ns_per_ode{run=a cpu-simd}]] [[part @1]]\n' >"$dir/micro"
joined 4 >"$dir/some"
inert "docs: cells.csv" whole_docs "$dir/cells" <"$dir/some"
inert "docs: micro.csv" whole_docs "$dir/micro" <"$dir/joined"

# --- names of folders and files
# after: tables of bench
# after: other tables
# after: the flow
# after: a database
# after: report, compare
table "$head" "$row" none | head -5 >"$dir/cells.csv"
table $divergence $spread none | head -5 >"$dir/divergence.csv"
table $roofline $part none | head -5 >"$dir/roofline.csv"
for ranks in 1 2; do
    for file in cells samples; do
        head -5 "$dir/scaling/plain/$ranks/$file.csv" >"$dir/$file-$ranks"
    done
done
printf 'T_K,row\n900,0\n1000,1\n' >"$dir/states.csv"
folders() { # folders COMMAND...: called with a folder of each name
    rm -rf "$dir/named"
    while IFS= read -r name; do
        folder=$dir/named/$name
        mkdir -p "$folder" || return 6
        cp "$dir/cells.csv" "$folder"
        cp "$dir/cells.csv" "$folder/verify.csv"
        cp "$dir/samples.csv" "$dir/states.csv" "$folder"
        printf 'T_low_K,T_high_K,states\n900,950,1\n950,1000,1\n' >"$folder/histogram.csv"
        printf 'case,scheme,nx,ny,l1\nsod,mp5,10,1,0.1\n' >"$folder/errors.csv"
        printf 'x,density,exact\n0,1,1\n1,2,2\n' >"$folder/profile-mp5.csv"
        printf '%s\n%s\n' $kernels "$(echo $system | sed s/%r/4/)" >"$folder/kernels.csv"
        cp "$dir/divergence.csv" "$dir/roofline.csv" "$folder"
        for program; do
            (cd "$tree" && "$program" "$folder") || return 6
        done
    done
}
scaled() { # scaled FOLDER: as runs of one rank and of two, and as the name of what is drawn
    mkdir -p "$1/two=2" || return
    for file in cells samples; do
        cp "$dir/$file-1" "$1/$file.csv"
        cp "$dir/$file-2" "$1/two=2/$file.csv"
    done
    plots/scaling "$(basename -- "$1")" "$1/efficiency.csv" "$1" "$1/two=2"
}
# a third of the names for each program, and all of them for what the programs share
for k in 0 1 2; do awk -v k=$k 'NR % 3 == k' "$names" >"$dir/names$k"; done
drawn "folders: draw" folders plots/draw <"$dir/names0"
drawn "folders: verify" folders plots/verify <"$dir/names1"
drawn "folders: dbinfo" folders plots/dbinfo <"$dir/names2"
drawn "folders: flow" folders plots/flow <"$dir/names0"
inert "folders: kernels" folders plots/kernels <"$dir/names1"
drawn "folders: orders" folders plots/orders <"$dir/names2"
drawn "folders: roofline" folders plots/roofline <"$dir/names0"
drawn "folders: scaling" folders scaled <"$dir/names1"
drawn "folders: report" folders "$build/report" <"$dir/names2"
beside() { # beside COMMAND...: with names that begin with < | - in this folder, without a path
    for name in '|kbc3' '-delete' 'run=kbc5' '-e system("kbc6")'; do
        mkdir -p "$tree/$name"
        cp "$dir/cells.csv" "$tree/$name"
        cp "$dir/named/$first/"*.csv "$tree/$name" 2>/dev/null
        for program; do "$program" "$name"; done
        # a figure of that name
        cp "$dir/figure.csv" "$tree/$name.csv"
        plots/show "$name" heading=h caption=c xname=x
    done
    :
}
first=$(tail -1 "$dir/names2")
inert "names without a path" beside plots/draw plots/dbinfo plots/flow
ok "and nothing is lost" test -e "$tree/Makefile" -a -e "$tree/-delete/cells.csv"
files() { # files GENERATOR
    json "$1" 1000 1
    while IFS= read -r name; do
        cp "$dir/made.npy" "$dir/named/$name.npy"
        cp "$dir/made.npy" "$dir/named/$name.aux.npy"
        cp "$dir/made.json" "$dir/named/$name.json"
        KB_BUILD=$dir/bin plots/database "$dir/named/$name.npy" || return 6
    done
}
drawn "files: a flamelet" files flamelet <"$dir/names0"
drawn "files: a line of eddies" files lem <"$dir/names1"
drawn "files: a reactor" files pasr <"$dir/names2"

# --- make: sub-folders of a run's folder, folders of results, recipes
# after: tables of datasets
# after: names of folders
mkdir -p "$tree/results/all" "$tree/results/x"
while IFS= read -r name; do
    for folder in results/all results/x; do
        mkdir "$tree/$folder/$name"
        cp "$dir/cells.csv" "$dir/samples.csv" "$tree/$folder/$name"
    done
done <"$dir/names0"
drawn "make report RUN=" make_there report RUN=results/all -o build/report
inert "make compare" make_there compare -o build/compare
recipe() { # recipe KEY: with each text
    tr '\n' ' ' <"$texts" | tr -d ',}' >"$dir/joined"
    for line in "$(cut -c1-600 "$dir/joined")" '$(shell kbc1)' '-x;`kbc2`'; do
        printf '{"generator": "ignition",\n "%s": "%s"}\n' "$1" "$line" >"$dir/recipe.json"
        make_there -n databases RECIPE="$dir/recipe.json" DB="$dir/x.npy"
    done
    :
}
for key in mech thermo; do inert "make databases: $key of a recipe" recipe $key; done
for name in 'a$(shell kbc1)' 'a`kbc2`' "a';kbc3;'" '-f$(kbc4)' 'a;kbc5'; do
    inert "make: OUT=$name" make_there compare "A=$name" B=results/latest -o build/compare
    ok "make: it is refused" test "$ended" -eq 2
done
exit $failed
