#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A row that does not count is planted as the fastest of a run: one with failed ODEs, wrong ODEs,
# another commit, no error control, interrupted, or without a number. Claims, tables of docs,
# figures, tune, report, verify, compare and `rows`, which tests use, all leave it; a sound row in
# its place is taken by each. Run from the repository root: [KB_BUILD=build]
# tests/scripts/test_planted.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
export KB_BUILD="$build" FORMATS=none
. tests/scripts/check.sh
head=schema,run,machine,git,mech,mech_sha256,nsp,database,db_sha256,order,n,sample,dt_s,steps,solver
head=$head,engine,schedule,threads,rtol,atol,repeats,time_s,time_lo_s,time_hi_s,err_p95,err_p95_hi
head=$head,err_max,steps_mean,failed,wrong,status,why
row() { # row SOLVER SECONDS [NAME=VALUE...]: of cells.csv
    solver=$1 seconds=$2
    shift 2
    echo "2,run,box-4c,abc,toy,m,9,base,d,shuffled,1000,even,1e-06,1,$solver,cpu-simd,refill,4,\
1e-4,1e-10,5,$seconds,$seconds,$seconds,1e-5,1e-5,1e-4,9,0,0,ok," |
        awk -F, -v OFS=, -v head="$head" -v set="$*" '{
            n = split(head, name, ","); m = split(set, part, " ")
            for (k = 1; k <= m; k++) {
                split(part[k], pair, "=")
                for (i = 1; i <= n; i++) if (name[i] == pair[1]) $i = pair[2]
            }
            print }'
}
samples() { # samples SOLVER SECONDS...: twelve of each, whose median is SECONDS
    echo key,order,n,sample,dt_s,steps,solver,engine,schedule,threads,rtol,atol,repeat,time_s
    while [ $# -gt 1 ]; do
        for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
            echo "k,shuffled,1000,even,1e-06,1,$1,cpu-simd,refill,4,1e-4,1e-10,$k,${2}00000$k"
        done
        shift 2
    done
}
planted() { # planted FOLDER SOLVER SECONDS [NAME=VALUE...]: a run with this row
    folder=$1
    shift
    rm -rf "$folder" && mkdir -p "$folder"
    {
        echo "$head"
        row cvode 0.040
        row "$@"
        row rodas4 0.020
        row ros3 0.030
    } >"$folder/cells.csv"
    samples cvode 0.0400 rodas4 0.0200 ros3 0.0300 "$1" "$2" >"$folder/samples.csv"
}
{
    head -1 datasets/claims.tsv
    printf '%s\t' a-1 a here "least time" 20 20 20 ratio yes run \
        'us{least cpu-simd n=1000}' '> 0'
    printf '%s\t%s\t%s\n' - - note
} >"$dir/claims.tsv"

takers() { # takers SOLVER: who takes its row, for less than the 20 us of rodas4
    r=$dir/r
    rm -f "$r/claims.csv" "$dir/tuned.def" "$dir/held.def" "$dir/page.html"
    "$build/claims" --claims "$dir/claims.tsv" --results "$r" >"$dir/out" 2>"$dir/err"
    [ "$(cut -d, -f3 "$r/claims.csv" | tail -1)" = 20 ] || echo claims
    [ "$("$build/rows" --results "$r" --run run 'us{least n=1000}')" = "20 20 20" ] || echo tests
    for error in '' 'rank_error<=1e-4'; do
        printf '%% run=run %s\n[[us{least}]] [[solver @1]]\n' "$error" >"$dir/block"
        [ "$("$build/rows" --results "$r" --fill "$dir/block")" = "20.0 rodas4" ] || echo docs
    done
    plots/figure "$dir/fig" curves heading=x x=n y=us yname=us xname=n panel=dt_s style=curves \
        "select=order=shuffled" -- "$r/run/cells.csv" >"$dir/out" 2>"$dir/err"
    [ "$(column "$dir/fig.csv" solver | sort | tr '\n' ' ')" = \
        "cvode rodas4 ros3 " ] || echo figures
    "$build/verify" "$r/run" >"$dir/out" 2>"$dir/err"
    [ "$(column "$r/run/fastest.csv" solver 'f["error"] == "0.0001"')" = rodas4 ] || echo verify
    "$build/tune" --results "$r" --out "$dir/tuned.def" >"$dir/out" 2>"$dir/err"
    [ "$(grep -c '"rodas4"' "$dir/tuned.def") $(grep -c "\"$1\"" "$dir/tuned.def")" = "1 0" ] ||
        echo tune
    "$build/tune" --accuracy "$r" --out "$dir/held.def" >"$dir/out" 2>"$dir/err"
    awk -v s="\"$1\"" 'index($0, s) && / 1e-05, / { found = 1 } END { exit found || NR < 5 }' \
        "$dir/held.def" || echo tune
    "$build/report" "$r/run" -o "$dir/page.html" >"$dir/out" 2>"$dir/err"
    sed -n '/<table/,/<\/table>/p;/<\/table>/q' "$dir/page.html" |
        grep -q '1e-04</td><td>rodas4, ' || echo report
}
plant() { # plant WHAT TAKERS SOLVER SECONDS [NAME=VALUE...]
    what=$1 expected=$2
    shift 2
    planted "$dir/r/run" "$@"
    took=$(takers "$1" | sort -u | tr '\n' ' ')
    ok "$what: taken by ${expected:-none} ($took)" test "$took" = "$expected"
    # and the same row twice as slow is none that became slower: planted on one side, or on both
    planted "$dir/a" "$1" 0.0010
    planted "$dir/b" "$1" 0.0020 "${@:3}"
    "$build/compare" "$dir/a" "$dir/b" >"$dir/out" 2>"$dir/err"
    took=$?
    planted "$dir/a" "$1" 0.0010 "${@:3}"
    "$build/compare" "$dir/a" "$dir/b" >>"$dir/out" 2>>"$dir/err"
    both=$?
}
none() { # none WHAT SOLVER [NAME=VALUE...]
    plant "$1" "" "$2" 0.0010 "${@:3}"
    ok "$1: no time for compare ($took)" test "$took" = 4
    ok "$1: on both sides ($both)" test "$both" != 1
}
plant "a sound row" "claims docs figures report tests tune verify " exp4 0.0010
ok "a sound row: slower" test $took = 1
none "failed ODEs" exp4 failed=3
none "another commit" exp4 git=def
none "interrupted" exp4 status=interrupted
none "no time" exp4 time_s=nan
none "an endless time" exp4 time_s=inf
# to compare, wrong ODEs on both sides are the same work, and a method is held against itself
plant "wrong ODEs" "" exp4 0.0010 wrong=2 err_max=500
ok "wrong ODEs: no time for compare ($took)" test $took = 4
plant "no error control" "" point_implicit 0.0010
plant "no error control, with options" "" point_implicit:steps=4 0.0010
exit $failed
