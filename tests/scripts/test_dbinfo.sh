#!/bin/sh
# SPDX-License-Identifier: MIT
#
# dbinfo, dbimport and the orders of bench from end to end, on small databases of the h2 mechanism.
# Run from the repository root, after `make tools solvers MECH=h2`:
#   [KB_BUILD=build] tests/scripts/test_dbinfo.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
prints() { grep -Eq -- "$1" "$dir/out"; }
# of orders.csv: value COLUMN-NUMBER ORDER, at the first dt
value() { awk -F, -v c="$1" -v o="$2" '$3 == o { print $c; exit }' "$dir/csv/orders.csv"; }
beside() { find "$dir" -name "$1" | wc -l; }

# --- what the states are
ok "a database" code 0 ignite --mech h2 --fuel H2:1 --T0 1100,1400 --n 1000 --quiet \
    --out "$dir/a.npy"
ok "its figures alone" code 0 dbinfo "$dir/a.npy" --no-costs
ok "size" prints "^states +1000 x 11 \(T, p and 9 species\), of a reactor in time$"
ok "mechanism" prints "^mechanism +h2, sha256"
ok "recipe" prints '^recipe +ignition .*"T0_K":\[1100.0,1400.0\]'
ok "range of T" prints "^T +1[01][0-9.]* to 2[0-9.]* K"
ok "elements" prints "^H +0.0[0-9]* to 0.0[0-9]* of the mass, spread [0-9.]*e-1[0-9]"
ok "histogram adds up" test "$(awk '/^ *[0-9.]+ - / { n += $4 } END { print n }' "$dir/out")" = 1000
ok "nothing is kept for that" test "$(beside '*.order-*')" = 0

# --- states of which each number is another: what they are as text, tables and JSON, to the byte
cat >"$dir/in.csv" <<'END'
T,p,H2,O2,O,OH,H2O,H,HO2,H2O2,N2
1000,101325,0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.08,0.64
1250,202650,0.5,0.2,0.01,0.01,0.01,0.01,0.01,0.01,0.2400004
1120,50662.5,0.001,0.002,0.003,0.004,0.98,0.0005,0.0005,0.0005,0.0084995
2000,303975,0.02,0.03,0.04,0.05,0.06,0.07,1e-5,0.08,0.64999
1500,405300,0.2,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1
1750,151987.5,0.02,0.03,0.04,0.05,0.06,0.07,0.01,0.08,0.64
END
ok "states of their own" code 0 dbimport --mech h2 --source "$dir/in.csv" --out "$dir/rows.npy" \
    --quiet
head -2 "$dir/in.csv" >"$dir/one.csv"
ok "one state" code 0 dbimport --mech h2 --source "$dir/one.csv" --out "$dir/one.npy" --quiet
cp "$dir/rows.npy" "$dir/bare.npy"
cp "$dir/one.npy" "$dir/other.npy"
echo '{"generator": "mine", "parameters": {"a": 1.5},
       "results": {"database_sha256": "0123456789abc"}}' >"$dir/other.json"
told() { # told NAME ARGUMENTS...
    name=$1
    shift
    "$build/dbinfo" "$dir/$name.npy" --no-costs "$@" 2>&1
    [ ! -d "$dir/own" ] || cat "$dir/own"/*
    rm -rf "$dir/own"
}
{
    told rows --csv "$dir/own"
    told rows --json
    told one | head -16
    told bare | head -8
    told bare --json | sed '/"histogram"/,$d'
    told other | head -8
    # where states are of, by the record or by what its generator wrote before records said it
    for record in '"states": "before"' '"states": "after"' '"states": "both"' '"states": "flow"' \
        '"states": "path"' '"states": "none"' '"states": 1' '"generator": "pasr"' \
        '"generator": "lem"' '"generator": "flamelet"' '"generator": "ignition"' \
        '"generator": "flow"' '"generator": "import"' '"generator": "lem", "states": "after"' \
        '"states": "flow", "states_dt_s": 2e-6' '"states_dt_s": 0.5'; do
        echo "{$record}" >"$dir/other.json"
        echo "$record: $(told other | sed -n '/^states/p') $(told other --json | grep '"kind"')"
    done
} >"$dir/all"
screen dbinfo-states "$dir/all"

# --- columns for plots that are of other states
# after: what the states are
ok "a smaller database" code 0 ignite --mech h2 --fuel H2:1 --T0 1100,1400 --n 10 --quiet \
    --out "$dir/small.npy"
for ending in npy json; do cp "$dir/a.$ending" "$dir/mixed.$ending"; done
cp "$dir/small.aux.npy" "$dir/mixed.aux.npy"
ok "other rows beside it" code 2 dbinfo "$dir/mixed.npy" --no-costs
ok "... are counted" says "mixed.aux.npy: 10 x [0-9]* numbers, expected 1000 rows"
rm "$dir"/mixed.* "$dir"/small.*

# --- columns as CSV, and the figure that is drawn from them
# after: what the states are
ok "columns" code 0 dbinfo "$dir/a.npy" --columns OH,T_K,nonsense,time_s
ok "those that there are" test "$(head -1 "$dir/out") $(wc -l <"$dir/out")" = "time_s,T_K,OH 1001"
# row 700 is the 700th of 11 numbers after the header of 128 bytes: T, p, H2, O2, O, OH
ok "numbers" test "$(sed -n 702p "$dir/out" | cut -d, -f2,3)" = "$(
    od -An -tf8 -w88 -j $((128 + 700 * 88)) -N 88 "$dir/a.npy" |
        awk '{ printf "%.9g,%.9g", $1, $6 }')"
ok "none of them" code 2 dbinfo "$dir/a.npy" --columns nonsense
ok "are named" says "none of the columns nonsense"
ok "a PaSR" code 0 pasr --mech h2 --fuel H2:1 --T0 600,800 --particles 20 --times 1 \
    --tau-pair 1e-3 \
    --out "$dir/pasr-$$.npy" --quiet
if command -v gnuplot >/dev/null; then
    KB_BUILD=$build plots/database "$dir/pasr-$$.npy" >"$dir/out" 2>"$dir/err"
    ok "its figure" test $? = 0 -a -s "plots/out/pasr-$$/pasr.svg" \
        -a -s "plots/out/pasr-$$/pasr.pdf"
    rm -rf "plots/out/pasr-$$"
fi

# --- costs and orders, held against the costs of single states
# after: what the states are
# after: each number is another
ok "costs" code 0 dbinfo "$dir/a.npy" --csv "$dir/csv" --dt 1e-5 --threads 1 --quiet
ok "orders are kept" test "$(beside 'a.order-*.npy')" = 5
ok "distribution" prints "^rodas4 +cpu-simd +1000 +0 "
ok "a quarter by CVODE" prints "^cvode +cpu-scalar +250 +0 "
grep rodas4 "$dir/csv/costs.csv" >"$dir/shuffled" # all states, in shuffled sequence
sort -t, -k3n "$dir/shuffled" >"$dir/generated"
sort -t, -k5nr "$dir/shuffled" >"$dir/cost"
sort -t, -k4g -k3n "$dir/shuffled" >"$dir/T"
# divergence FILE: mean over warps of sum/(m max), weighted by m; and sum of m max / sum
divergence() {
    awk -F, '{ s += $5; all += $5; m++; if ($5 > max) max = $5 }
        m == 32 { D += s / max; wait += m * max; s = m = max = 0 }
        END { if (m) { D += s / max; wait += m * max }
            printf "%.6f %.6f", D / NR, wait / all }' "$1"
}
for order in shuffled generated; do
    set -- $(divergence "$dir/$order")
    ok "D of $order" holds "($1 - $(value 5 $order))^2 < 1e-10"
    ok "slow-down of $order" holds "($2 - $(value 7 $order))^2 < 1e-8"
done
set -- $(divergence "$dir/cost")
ok "D of sorted-cost" holds "($1 - $(value 5 sorted-cost))^2 < 1e-10"
ok "rhs: six an attempt" test \
    "$(awk -F, '$2 == "rodas4" && $6 != 6 * $5' "$dir/csv/costs.csv" | wc -l)" = 0
ok "sorting helps" holds \
    "$(value 5 sorted-f) > $(value 5 shuffled) && $(value 5 similar) > $(value 5 shuffled)"
ok "refill helps" holds "$(value 8 shuffled) < $(value 7 shuffled)"
least=$(cut -d, -f5 "$dir/shuffled" | sort -n | head -1)
share=$(awk -F, -v least="$least" '$5 > least { n++ }
    END { printf "%.1f", n / 10 }' "$dir/shuffled")
ok "active share" prints "^rodas4 .* $share\$"
cp "$dir/out" "$dir/first"
ok "again" code 0 dbinfo "$dir/a.npy" --dt 1e-5 --threads 1 --quiet
ok "... the same" cmp -s "$dir/out" "$dir/first"
for few in 160:40 128:128; do
    code 0 dbinfo "$dir/a.npy" --dt 1e-7 --sample ${few%:*} --threads 1 --quiet
    ok "a quarter by CVODE, if it is more than a warp: ${few#*:}" \
        prints "^cvode +cpu-scalar +${few#*:} +0 "
done
ok "a figure" sh -c "! command -v gnuplot >/dev/null ||
    { plots/dbinfo '$dir/csv' >/dev/null 2>'$dir/err' &&
    test -s '$dir/csv/dbinfo.svg' && test -s '$dir/csv/dbinfo.png' && test ! -s '$dir/err'; }"

# what is known is told before what takes long: it is there when dbinfo is killed
held KILL .order-similar.npy "$build/dbinfo" "$dir/rows.npy" --dt 1e-6 --quiet
ok "killed while it orders" prints "^ 1958.3 - *2000.0 "
held KILL costs.csv "$build/dbinfo" "$dir/rows.npy" --dt 1e-6 --csv "$dir/none" --quiet
ok "killed before its tables" prints "^sorted-cost: |^sorted-cost goes by"

# --- the same as JSON: one object, whose numbers are those of the text and of the CSV
# after: costs and orders
cp "$dir/csv/orders.csv" "$dir/csv/histogram.csv" "$dir"
ok "JSON" code 0 dbinfo "$dir/a.npy" --csv "$dir/csv" --dt 1e-5 --threads 1 --json --quiet
cp "$dir/out" "$dir/json"
if command -v python3 >/dev/null; then
    cat >"$dir/same.py" <<'END'
import csv, json, sys
told = json.load(open(sys.argv[1] + "/json"))
text = {}
for line in open(sys.argv[1] + "/first"):
    if line.strip():
        text.setdefault(line.split()[0], line.split())
def rows(name):
    return list(csv.DictReader(open(sys.argv[1] + "/" + name)))
def near(a, b, digits):
    return abs(float(a) - float(b)) <= 10.0 ** -digits * abs(float(b))
def same(rows, told):
    assert rows and len(rows) == len(told), (len(rows), len(told))
    for row, cell in zip(rows, told):
        assert set(row) == set(cell), (row, cell)
        for name, value in row.items():
            a = cell[name]
            assert value == a if isinstance(a, str) else near(value, a, 5), (name, value, a)
same(rows("orders.csv"), told["orders"])
same(rows("histogram.csv"), told["histogram"])
assert told["sha256"] == text["sha256"][1] and told["states"] == int(text["states"][1])
assert told["recipe"]["generator"] == "ignition" and told["recipe"]["parameters"]["n"] == 1000
assert told["mechanism"]["name"] == "h2" and told["species"] == 9
for at, name in (1, "least"), (3, "most"), (6, "median"):
    assert near(text["T"][at], told["T_K"][name], 5), name
    assert near(float(text["p"][at]) * 101325, told["p_Pa"][name], 5), name
assert near(text["H"][1], told["elements"]["H"]["least"], 8)
# solver, engine, states, failed, min, 25 %, median, 75 %, 95 %, 99 %, max, mean, rhs, active %
names = ["solver", "engine", "states", "failed", "steps_min", "steps_p25", "steps_p50",
         "steps_p75", "steps_p95", "steps_p99", "steps_max", "steps_mean", "rhs_mean"]
assert [c["solver"] for c in told["costs"]] == ["rodas4", "cvode"]
for cell in told["costs"]:
    assert cell["dt_s"] == 1e-5
    row = text[cell["solver"]]
    for at, name in enumerate(names):
        if at < 2:
            assert row[at] == cell[name], name
        else:
            assert abs(float(row[at]) - cell[name]) <= 0.51, (name, row[at], cell[name])
    assert abs(float(row[13]) - 100 * cell["active_share"]) < 0.051
assert told["sorted_cost"].startswith("rodas4 cpu-simd, dt 1e-05 s")
END
    ok "... of the same numbers" python3 "$dir/same.py" "$dir"
    ok "without costs" code 0 dbinfo "$dir/a.npy" --no-costs --json
    ok "... there are none" test "$(python3 -c 'import json, sys
print("costs" in json.load(sys.stdin))' <"$dir/out")" = False
else
    echo "skip - dbinfo --json: no python3 to read it"
fi
ok "columns are no JSON" code 2 dbinfo "$dir/a.npy" --columns T_K --json

# --- of a toy, whose counts can be worked out by hand, to the byte; and the replay of its costs
cat >"$dir/toy.yaml" <<'END'
phases: [{name: toy, thermo: ideal-gas, elements: [H], species: [A, B], kinetics: gas}]
species:
- {name: A, composition: {H: 2}, thermo: &a {model: NASA7, temperature-ranges: [200, 1000, 3500],
  data: [[3.5, 0, 0, 0, 0, -1000, 3], [3.5, 0, 0, 0, 0, -1000, 3]]}}
- {name: B, composition: {H: 2}, thermo: *a}
reactions: [{equation: A => B, rate-constant: {A: 1e6, b: 0, Ea: 2000}}]
END
of_toy() { # of_toy ARGUMENTS...
    ok "dbinfo $*" code 0 dbinfo "$dir/toy.npy" --mech "$dir/toy.yaml" --species mechanism "$@"
}
"${CC:-gcc}" -std=gnu11 -O1 -I. tests/scripts/toy_database.c "$build/libkb.a" -lmd \
    -o "$dir/toydb" && "$dir/toydb" "$dir/toy.npy" 300 && rm "$dir/toy.json" || exit 2
of_toy --no-costs --json
sha=$(sed -n '/"mechanism"/,/}/s/.*"sha256": "\(.*\)".*/\1/p' "$dir/out")
"${CC:-gcc}" -std=gnu11 -O1 -shared -fPIC -I. -DTOY_SHA256="\"$sha\"" tests/scripts/toy_solvers.c \
    base/error.c -o "$dir/toy.so" -lm || exit 2
measure_toy() {
    of_toy --solvers-file "$dir/toy.so" --solvers uneven,euler,failing --dt 1e-6,1e-5 \
        --csv "$dir/toy" --threads 1 --quiet "$@"
}
measure_toy --write-cost
screen dbinfo
{
    cat "$dir/toy/histogram.csv" "$dir/toy/orders.csv"
    awk 'FNR % 30 == 1' "$dir/toy/states.csv" "$dir/toy/costs.csv"
} >"$dir/tables"
screen dbinfo-tables "$dir/tables"
measure_toy --sample 64 --seed 2
screen dbinfo-sample "$dir/out" dbinfo
replay() { # replay ARGUMENTS...
    ok "scaling $*" code 0 scaling --db "$dir/toy.npy" --ranks 1,2,7,300 --host-ranks 3 "$@"
    { echo "$*" && cat "$dir/out"; } >>"$dir/replays"
}
replay --out "$dir/replay.csv"
replay --per-rank 5 --order shuffled --seed 3 --unit 1e-3 --fetch 1e-4 --latency 1e-3 --poll 1e-2
replay --n 1000 --lanes 1 --parts 4 --unit 1.2345678e-5 --json
replay --n 999 --lanes 1 --unit 1e-3 --poll 0.03 --latency 1e-3
replay --n 3000 --lanes 2 --seed 2
screen scaling "$dir/replays"
screen scaling.csv "$dir/replay.csv"
ok "a million ranks" code 0 scaling --db "$dir/toy.npy" --ranks 1000000
ok "... and no more" code 2 scaling --db "$dir/toy.npy" --ranks 1000001

# --- a sample of a larger one; its cost is measured when asked for
# so many that a fast machine is still at it when Ctrl-C comes
ok "more states" code 0 ignite --mech h2 --fuel H2:1 --n 60000 --tile 500 --out "$dir/b.npy" --quiet
ok "a sample" code 0 dbinfo "$dir/b.npy" --dt 1e-6 --sample 320 --solvers rodas4 --quiet
ok "ten warps each" prints "^similar +320 "
ok "no cost yet" prints "^sorted-cost: no cost is kept yet"
ok "as tables" code 0 dbinfo "$dir/b.npy" --no-costs --csv "$dir/few"
"$build/dbinfo" "$dir/b.npy" --columns T_K,p_Pa,time_s,reactor >"$dir/all"
ok "... 4096 states, evenly, with what stands beside them" test "$(awk -F, '
    NR == FNR { row[FNR - 2] = $3 "," $4 "," $1 "," $2; next }
    { n = split(row[$1], x) }
    FNR == 1 { bad += $0 != "row,T_K,p_Pa,time_s,reactor"; next }
    { bad += $1 != int((FNR - 2) * 60000 / 4096)
      for (k = 1; k <= 4; k++) bad += ($(k + 1) - x[k]) ^ 2 > 1e-14 * x[k] ^ 2 }
    END { print FNR, n, bad + 0 }' "$dir/all" "$dir/few/states.csv")" = "4097 4 0"
ok "measured" code 0 dbinfo "$dir/b.npy" --dt 1e-6 --write-cost --no-costs --quiet
ok "... alone" test "$(grep -c "^cost of all 60000 states kept" "$dir/out")" = 1 -a \
    "$(grep -c "attempted substeps\|warps of" "$dir/out")" = 0
ok "kept" test -s "$dir/b.cost.npy"
ok "taken" code 0 dbinfo "$dir/b.npy" --dt 1e-6 --sample 320 --solvers rodas4 --quiet
ok "... and named" prints "^sorted-cost goes by rodas4 cpu-simd, dt 1e-06 s"
ok "... an order like others" prints "^sorted-cost +320 "
OMP_NUM_THREADS=1 "$build/dbinfo" "$dir/b.npy" --dt 1e-4 --solvers cvode --write-cost --no-costs \
    --quiet >"$dir/out" 2>"$dir/err" &
catches $! 2
kill -INT $!
wait $!
ok "Ctrl-C" test $? = 130
ok "... is told" says "dbinfo: error: interrupted while measuring"
ok "the kept cost stays" grep -q "rodas4" "$dir/b.cost.json"
ok "no temporary files" test "$(beside '*.tmp*')" = 0

# --- the orders in bench: same ODEs, same errors
# after: costs and orders
orders=generated,similar,shuffled,sorted-T,sorted-f,sorted-cost
ok "bench in all orders" code 0 bench --mech h2 --db "$dir/a.npy" --n 640 --dt 1e-5 --quiet \
    --solvers rodas4 --engines cpu-simd --schedules static --threads 1 --repeats 1 \
    --orders $orders --out "$dir/run"
cells=$dir/run/cells.csv
ok "six rows" test "$(column "$cells" order | LC_ALL=C sort | tr '\n' ' ')" = \
    "generated shuffled similar sorted-T sorted-cost sorted-f "
ok "one error" test "$(column "$cells" err_max | sort -u | wc -l)" = 1
ok "one number of steps" test "$(column "$cells" steps_mean | sort -u | wc -l)" = 1
ok "other divergence" test "$(column "$cells" D_steps | sort -u | wc -l)" -ge 4
ok "the cost from bench" code 0 bench --mech h2 --db "$dir/a.npy" --n 1000 --dt 1e-5 --quiet \
    --solvers cvode --engines cpu-scalar --threads 1 --repeats 1 --orders shuffled --write-cost \
    --out "$dir/run2"
ok "... is kept" grep -q "cvode cpu-scalar, dt 1e-05 s" "$dir/a.cost.json"
ok "its order" code 0 dbinfo "$dir/a.npy" --dt 1e-5 --solvers cvode --sample 1000 --quiet \
    --csv "$dir/csv"
grep cvode "$dir/csv/costs.csv" | sort -t, -k5nr >"$dir/cvode"
set -- $(divergence "$dir/cvode")
ok "D of sorted-cost by cvode" holds "($1 - $(value 5 sorted-cost))^2 < 1e-10"

# --- import: a table, and its recipe again
{
    echo "N2,T,p,H2,O2"
    for T in 900 1000 1100 1200; do echo "0.75,$T,101325,0.03,0.22"; done
} >"$dir/c.csv"
ok "import" code 0 dbimport --mech h2 --source "$dir/c.csv" --out "$dir/c.npy"
ok "recipe names the source" grep -q '"source_sha256"' "$dir/c.json"
ok "recipe makes it again" code 0 dbimport --recipe "$dir/c.json" --out "$dir/again.npy"
ok "... the same bytes" cmp -s "$dir/c.npy" "$dir/again.npy"
ok "dbinfo of it" code 0 dbinfo "$dir/c.npy" --dt 1e-6 --quiet
ok "its states" prints "^T +900 to 1200 K, median 1050"
ok "foreign" cp "$dir/c.npy" "$dir/foreign.npy"
ok "no recipe" code 2 dbinfo "$dir/foreign.npy"
ok "hint" says "give --mech NAME"
ok "as JSON without a mechanism" code 0 dbinfo "$dir/foreign.npy" --no-costs --json
ok "... null" test "$(grep -cE '^ *"(mechanism|recipe)": null' "$dir/out")" = 2
ok "by name" code 0 dbinfo "$dir/foreign.npy" --mech h2 --no-costs --species mechanism

# --- wrong use and input: code 2, one message, nothing written
# after: what the states are
# after: import:
echo "0.75,1300,101325,0.03,0.3" >>"$dir/c.csv"
ok "fractions" code 2 dbimport --mech h2 --source "$dir/c.csv" --out "$dir/bad.npy"
ok "line and row" says "line 6 (row 4): the mass fractions add up to 1.08"
ok "one line" test "$(wc -l <"$dir/err")" = 1
ok "source missing" code 2 dbimport --mech h2 --out "$dir/bad.npy"
ok "no file" code 2 dbimport --mech h2 --source "$dir/none.npy" --out "$dir/bad.npy"
ok "format" code 2 dbimport --mech h2 --source "$dir/c.csv" --format hdf5 --out "$dir/bad.npy"
ok "nothing written" test "$(beside 'bad*')" = 0
head -c 500 "$dir/a.npy" >"$dir/cut.npy"
ok "truncated" code 2 dbinfo "$dir/cut.npy"
ok "says so" says "truncated"
ok "other mechanism" code 2 dbinfo "$dir/a.npy" --mech gri30 --no-costs
ok "says so" says "has 53 species"
ok "no such solver" code 2 dbinfo "$dir/a.npy" --solvers euler
ok "says so" says "solvers: mechanism h2 has no solver 'euler' on a CPU engine"
ok "dt" code 2 dbinfo "$dir/a.npy" --dt 0
echo "{" >"$dir/c.json"
ok "broken recipe" code 2 dbinfo "$dir/c.npy"
ok "where" says "c.json"
exit $failed
