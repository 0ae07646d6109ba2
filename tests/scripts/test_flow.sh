#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flow and detonation as programs: tables, files, bad input, interruption.
# beside others
build=${KB_BUILD:-build}
. tests/scripts/check.sh
export OMP_NUM_THREADS=1
rounded() { # of words and of CSV, to three digits
    awk '{
        n = split($0, f, /[ ,]+/)
        for (i = 1; i <= n; i++) {
            if (f[i] ~ /^[-+]?[0-9.]+(e[-+][0-9]+)?$/)
                f[i] = sprintf("%.3g", f[i] < 1e-8 && f[i] > -1e-8 ? 0 : f[i])
            printf "%s%s", f[i], i < n ? " " : "\n"
        } }'
}
refused() { # refused TEXT ARGUMENTS...: exit code 2 and a message with TEXT
    text=$1
    shift
    code 2 flow "$@" && says "$text" && [ "$(wc -l <"$dir/err")" -le 3 ]
}
# killed SIGNAL ARGUMENTS...: a run that is stopped once its first checkpoint is there
killed() {
    signal=$1
    shift
    held "$signal" .checkpoint "$build/flow" "$@" --checkpoint 0.0002 --quiet
}
same() { cmp "$dir/$1" "$dir/$2" >"$dir/out"; }
within() ( # within BLOCKS CODE ARGUMENTS...: flow, whose files may have so many blocks of 512 bytes
    ulimit -f "$1"
    expected=$2
    shift 2
    code "$expected" flow "$@"
)
clock() { # clock [LOOK]: a clock that is made up, each look at which takes so many us
    "${CC:-gcc}" -shared -fPIC -O1 -DLOOK="${1:-5000}" tests/scripts/made_up_clock.c \
        -o "$dir/clock.so" || exit 2
}

# --- cases: tables and profiles
ok "cases are listed" code 0 flow --list
screen flow-list
ok "with the step" grep -q "^  step " "$dir/out"
ok "Sod on two grids" code 0 flow --case sod --nx 50,100 --scheme mp5,weno5 --out "$dir/sod" --quiet
ok "writes its errors" test "$(column "$dir/sod/errors.csv" l1 'f["nx"] == 100' | wc -l)" -eq 2
ok "that are those of the library" holds "$(column "$dir/sod/errors.csv" l1 \
    'f["nx"] == 100 && f["scheme"] == "mp5"') > 0.0031 && 0.0033 > $(column "$dir/sod/errors.csv" \
    l1 \
    'f["nx"] == 100 && f["scheme"] == "mp5"')"
kept() { # the largest change of mass and energy
    column "$dir/sod/errors.csv" mass_change,energy_change | tr , '\n' |
        awk '{ c = $1 < 0 ? -$1 : $1 } c > most { most = c } END { print most + (NR != 8) }'
}
ok "mass and energy are kept" holds "$(kept) < 1e-10"
ok "and a profile of 100 cells" test "$(wc -l <"$dir/sod/profile-weno5.csv")" -eq 101
for c in density exact velocity pressure; do
    ok "... with 8 digits of $c" test "$(digits "$dir/sod/profile-weno5.csv" $c)" -eq 8
done
ok "without an exact answer" code 0 flow --case shu --nx 25,50 --out "$dir/shu" --quiet
ok "errors are to a grid of 16 times the cells" test \
    "$(wc -l <"$dir/shu/profile-reference.csv")" -eq 801
for n in 320:5120 500:6000 1700:6800; do # 16 times, no more than 6400, and at least 4 times
    ok "of ${n%:*} cells" code 0 flow --case shu --nx "${n%:*}" --end 1e-3 --out "$dir/shu" --quiet
    ok "... ${n#*:}" test "$(wc -l <"$dir/shu/profile-reference.csv")" -eq $((${n#*:} + 1))
done
ok "two dimensions" code 0 flow --case step --nx 30 --end 0.1 --out "$dir/step" --quiet
ok "write fields" test -s "$dir/step/mp5-density.npy"

# --- what is printed and written of small grids, to three digits and but for times
for small in "sod --nx 20,40 --scheme mp5,weno5" "shu --nx 24 --riemann hlle" \
    "vortex --nx 8,16 --ny 6 --scheme mp5,muscl --end 1" "step --nx 15 --end 0.2" \
    "sod --nx 10 --turn on --positive none --cfl 0.2" "sod --nx 10 --noise 0.01 --seed 3" \
    "step --nx 15 --turn on --end 0.1 --also blended" "contact --nx 12 --end 0.3"; do
    rm -rf "$dir/small"
    echo "$small"
    # shellcheck disable=SC2086 # words
    code 0 flow --case $small --engine cpu-scalar --out "$dir/small" --quiet || cat "$dir/err"
    sed 's/ *[a-z0-9]*$//' "$dir/out" | rounded
    cut -d, -f1-18 "$dir/small/errors.csv" | rounded
    for file in "$dir"/small/*.npy; do
        [ -e "$file" ] || continue
        echo "${file##*/}"
        od -An -v -w8 -tf8 -j128 "$file" | awk 'NR % 17 == 3' | rounded | xargs
    done
    cat "$dir"/small/*.txt 2>/dev/null
    for file in "$dir"/small/profile-*.csv; do
        [ ! -e "$file" ] || awk 'NR % 6 == 1' "$file" | rounded
    done
done >"$dir/rounded"
rm -r "$dir/small"
screen flow-small "$dir/rounded"

# --- what a measurement makes of times, by a clock that is made up
clock
timed() { # timed ARGUMENTS...
    OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so "$build/flow" --bench --engine cpu-scalar \
        --out "$dir/timed" --quiet "$@" >"$dir/out" 2>"$dir/err" || return
    grep -v flow.csv "$dir/out"
    cut -d, -f4-30 "$dir/timed/flow.csv"
    rm -r "$dir/timed"
}
{
    timed --case vortex --nx 16,24 --ny 12 --scheme mp5,muscl --repeats 5 &&
        timed --case datasets/cases/hot-spot.json --nx 20 --scheme mp5 --repeats 3 \
            --chemistry rodas4:rtol=1e-3,rodas4:rtol=1e-6 --begin 2e-6 --dt 1e-6
    # of 16 cells one reacts, in one attempt; then none
    cat >"$dir/one.json" <<'END'
{"x_m": [0, 1], "nx": 16, "end_s": 1e-3, "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "H2:2,O2:1"},
 {"east_of": 0.5, "west_of": 0.5625, "T_K": 1500}]}
END
    for least in 1000 2000; do
        timed --case "$dir/one.json" --scheme mp5 --repeats 2 --dt 1e-9 --t-react $least \
            --splitting godunov --chemistry rodas4:rtol=0.5
    done
    timed --case datasets/cases/spark.json --nx 8 --ny 6 --scheme mp5 --repeats 2
} | rounded >"$dir/rounded"
screen flow-bench "$dir/rounded"
# a row takes the place of one with the same in all of these, and of no other
OMP_NUM_THREADS=1
export LD_PRELOAD="$dir/clock.so"
for again in 1 2; do
    for one in "sod --nx 10" "sod --nx 11" "lax --nx 10" "sod --nx 10 --scheme muscl" \
        "sod --nx 10 --riemann hlle" "sod --nx 10 --variables primitive" "sod --nx 10 --cfl 0.3" \
        "sod --nx 10 --engine cpu-simd" "sod --nx 10 --threads 2" "sod --nx 10 --begin 0.01" \
        "vortex --nx 10" "vortex --nx 10 --ny 8" "datasets/cases/hot-spot.json --nx 10" \
        "datasets/cases/hot-spot.json --nx 10 --splitting godunov" \
        "datasets/cases/hot-spot.json --nx 10 --chemistry cvode" \
        "datasets/cases/hot-spot.json --nx 10 --dt 1e-9"; do
        # shellcheck disable=SC2086 # words
        code 0 flow --bench --engine cpu-scalar --case $one --repeats $again --out "$dir/keys" ||
            cat "$dir/err"
    done
    column "$dir/keys/flow.csv" repeats | sort | uniq -c | xargs
done >"$dir/rows"
ok "16 rows, each replaced: $(xargs <"$dir/rows")" test "$(xargs <"$dir/rows")" = "16 1 16 2"
for key in machine mech ranks; do # as if of another one
    awk -F, -v OFS=, -v key=$key 'NR == 1 { for (k = 1; $k != key;) k++ } NR > 1 { $k = $k 7 } 1' \
        "$dir/keys/flow.csv" >"$dir/another" && mv "$dir/another" "$dir/keys/flow.csv"
    code 0 flow --bench --engine cpu-scalar --case datasets/cases/hot-spot.json --nx 10 \
        --repeats 3 --out "$dir/keys"
    column "$dir/keys/flow.csv" repeats | sort | uniq -c | xargs
done >"$dir/rows"
ok "... none of another machine, mechanism or number of ranks: $(xargs <"$dir/rows")" test \
    "$(xargs <"$dir/rows")" = "16 2 1 3 16 2 2 3 16 2 3 3"
unset LD_PRELOAD

# --- what is shown on the way, by a slow clock that is made up
clock 2000000
shown() {
    OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so "$build/flow" "$@" 2>&1 | grep '^\['
    rm -rf "$dir/shown"
}
{
    shown --case sod --nx 20 --scheme mp5 --end 0.05 --out "$dir/shown"
    shown --case datasets/cases/hot-spot.json --nx 12 --end 1e-6 --engine cpu-scalar \
        --out "$dir/shown"
    shown --case detonation --nx 40 --length 0.06 --end 2e-6 --engine cpu-scalar --out "$dir/shown"
    shown --recipe datasets/recipes/h2co-flow.json --nx 20 --first 2 --every 2 --count 4 \
        --out "$dir/shown.npy"
} | rounded >"$dir/lines"
screen flow-progress "$dir/lines"
for at in "1 0" "20 4" "30 6"; do # Ctrl-C at a look at this clock, and after which step that is
    KB_INTERRUPT=${at% *} OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so code 130 flow --nx 20 \
        --recipe datasets/recipes/h2co-flow.json --first 2 --every 2 --count 4 --quiet \
        --out "$dir/shown.npy"
    ok "Ctrl-C after step ${at#* }" says "error: interrupted after step ${at#* }$"
done
KB_INTERRUPT=3 LD_PRELOAD=$dir/clock.so ok "Ctrl-C ends a measurement" code 130 flow --bench \
    --case sod --nx 20 --scheme mp5 --engine cpu-scalar --quiet --out "$dir/shown"
ok "... and is told" says "error: interrupted$"
ok "... which has no table then" test ! -e "$dir/shown/flow.csv"
if command -v script >/dev/null; then
    left() { # left WORD ARGUMENTS...: of a line that begins where the progress was
        word=$1
        shift
        on_terminal flow "$@" >"$dir/lines"
        ok "on a terminal it is gone before '$word'" test \
            "$(grep -c '^\[.*ETA' "$dir/lines")" -gt 0 -a "$(grep -c "^$word" "$dir/lines")" = 1
    }
    left scheme --case sod --nx 20 --out "$dir/t"
    left scheme --case datasets/cases/hot-spot.json --nx 12 --end 1e-6 --out "$dir/t"
    left "$dir/t.npy" --recipe datasets/recipes/h2co-flow.json --nx 20 --first 2 --count 1 \
        --out "$dir/t.npy"
else
    echo "skip - progress on a terminal: no script"
fi

# --- measurements and their table
# after: what a measurement makes of times
ok "a measurement" code 0 flow --bench --case vortex --nx 16 --repeats 2 --out "$dir/bench"
ok "has a row for each engine" test "$(column "$dir/bench/flow.csv" ns_per_cell_step 1 | wc \
    -l)" -eq 2
ok "less than a second for a cell" holds "$(column "$dir/bench/flow.csv" ns_per_cell_step 1 |
    sort -g | tail -1) < 1e9"
ok "with 6 digits" holds "$(digits "$dir/bench/flow.csv" \
    ns_per_cell_step,ns_lo,ns_hi,ns_least,cell_steps_per_s) <= 6"
export LD_PRELOAD="$dir/clock.so" # whose looks take long: fewer steps
ok "another grid" code 0 flow --bench --case vortex --nx 24 --repeats 2 --out "$dir/bench"
ok "joins it" test "$(column "$dir/bench/flow.csv" nx 1 | sort | paste -sd ,)" = 16,16,24,24
ok "a grid again" code 0 flow --bench --case vortex --nx 24 --repeats 3 --out "$dir/bench"
ok "takes its place" test "$(column "$dir/bench/flow.csv" repeats 1 | sort | paste -sd ,)" = 2,2,3,3
unset LD_PRELOAD
mkdir "$dir/other" && echo scheme,ns >"$dir/other/flow.csv"
ok "a file of other columns is refused" code 2 flow --bench --case vortex --nx 16 --out "$dir/other"
ok "for its columns" says "other columns"
ok "before anything is measured" test ! -s "$dir/out"
for lacks in 1 15 33 0; do # 0: one column more
    awk -F, -v OFS=, -v lacks=$lacks '{ $lacks = $lacks; n = 0
        for (i = 1; i <= NF; i++) if (i != lacks) printf "%s%s", n++ ? "," : "", $i
        print lacks ? "" : ",x" }' "$dir/bench/flow.csv" >"$dir/other/flow.csv"
    ok "and one without column $lacks" code 2 flow --bench --case vortex --nx 16 --out "$dir/other"
    ok "... for its columns" says "other columns"
done

# --- wrong use and input
ok "no such case" refused "no case 'soda'" --case soda
ok "no such scheme" refused "no scheme 'mp6'" --scheme mp6
ok "no such engine" refused "'gpus' is none of cpu-scalar, cpu-simd, gpu" --engine gpus
ok "no such Riemann solver" refused "roe" --riemann roe
ok "no cells" refused "nx" --nx 0
ok "too few cells" refused "need 4 cells" --nx 2
ok "too many cells" refused "more than" --case step --nx 900000
ok "a grid that would move the step" refused "ny = 21: a wall would lie inside a cell" \
    --case step --ny 21
ok "... or the corner" refused "nx = 100: a wall .*(3 cells or a multiple" --case diffraction \
    --nx 100
ok "one dimension" refused "one dimension" --ny 4
ok "CFL number too large" refused "cfl = 1.5" --cfl 1.5
ok "CFL number that is none" refused "fast" --cfl fast
ok "negative end" refused "end" --end -1
ok "an option of the detonation elsewhere" refused "--mixture: for detonations alone" \
    --case sod --mixture H2:1
ok "rows of a detonation" refused "has the rows of its --height" --case detonation --ny 20
ok "a pressure that no gas has" refused "pressure: '1e30' is not a number from 1 to 1e9" \
    --case detonation --pressure 1e30
ok "two species have no conserved variables" refused "conserved" --case contact \
    --variables conserved
ok "a folder that cannot be" refused "/dev/null" --case sod --nx 20 --out /dev/null/x --quiet
ok "without nets the corner ends the run" refused "cell (2" --case step --riemann hllc \
    --positive none --out "$dir/step" --quiet

# --- runs that are stopped go on
ok "a run from start to end" code 0 flow --case step --nx 60 --end 0.5 --out "$dir/whole"
ok "... goes on from none" test "$(grep -c 'goes on' "$dir/err")" = 0
killed INT --case step --nx 60 --end 0.5 --out "$dir/parts"
ok "Ctrl-C ends a run" test $ended -eq 130
ok "and says how to go on" says "the same command goes on"
killed KILL --case step --nx 60 --end 0.5 --out "$dir/parts"
ok "kill -9 leaves a checkpoint" test -s "$dir/parts/mp5-cpu-simd-60.checkpoint"
cp -r "$dir/parts" "$dir/changed"
printf '\1\2\3' | dd of="$dir/changed/mp5-cpu-simd-60.checkpoint" bs=1 seek=9000 conv=notrunc \
    2>/dev/null
ok "bytes of a checkpoint that were changed are noticed" refused "damaged" --case step --nx 60 \
    --end 0.5 --out "$dir/changed"
ok "which is no other run's" refused "another run" --case step --nx 60 --end 0.4 --out "$dir/parts"
ok "and goes on" code 0 flow --case step --nx 60 --end 0.5 --out "$dir/parts"
ok "where it was" says "goes on from step"
ok "to the same bits" same whole/mp5-density.npy parts/mp5-density.npy
ok "and leaves none" test ! -e "$dir/parts/mp5-cpu-simd-60.checkpoint"

# --- a full disk, and frames over time
ok "a checkpoint that the disk has no room for" within 400 0 --case step --nx 120 --end 0.05 \
    --checkpoint 1e-9 --out "$dir/room" --quiet
ok "... is told" says "warning: .*room/mp5-cpu-simd-120.checkpoint: not written .*goes on"
ok "... and the result is there" test -s "$dir/room/mp5-density.npy" -a -s "$dir/room/errors.csv"
"$build/flow" --case step --nx 45 --end 0.2 --frames 5 --out "$dir/frames" --quiet \
    >"$dir/out" 2>"$dir/err"
if [ $? -eq 0 ]; then
    ok "frames over time" test "$(grep -c '<Time Value' "$dir/frames/mp5.xdmf")" -eq 5
    ok "at places in double precision" test \
        "$(grep -c 'NumberType="Float" Precision="8"' "$dir/frames/mp5.xdmf")" -eq 10
    ok "in an HDF5 file" test "$(head -c 4 "$dir/frames/mp5.vtkhdf" | tail -c 3)" = HDF
    ok "a frame that the disk has no room for" within 80 2 --case step --nx 120 --end 0.4 \
        --frames 5 --out "$dir/small" --quiet
    ok "... is told" says "small/mp5.vtkhdf: cannot write frame 1"
    ok "... and no result is there" test ! -e "$dir/small/errors.csv"
else
    ok "without HDF5 frames are refused" says "no HDF5"
    echo "skip - frames: this build has no HDF5"
fi

# --- options of runs
mkdir "$dir/bad" && echo nonsense >"$dir/bad/mp5-cpu-simd-20.checkpoint"
ok "a negative noise" refused "noise: '-1' is not a number from 0" --case sod --noise -1
ok "a time between checkpoints that is no number" refused "'0x' is not a number from 0" \
    --case sod --checkpoint 0x
ok "no checkpoints, written otherwise" code 0 flow --case sod --nx 20 --checkpoint 0.0 \
    --out "$dir/none" --quiet
ok "a temperature out of range" code 2 detonation --temperature 100
ok "says the range" says "temperature: '100' is not a number from 200 to 2000"
ok "a damaged checkpoint is told" refused "not a checkpoint" --case sod --nx 20 --out "$dir/bad"

# --- detonations: their speed and zone
if [ ! -s "$build/mech/h2co/solvers.so" ]; then
    echo "skip - detonation: no solvers of h2co"
    exit $failed
fi
ok "a detonation" code 0 detonation --mech h2co --out "$dir/det"
ok "has its speed" grep -q "D = 1616.65 m/s" "$dir/out"
grep -v znd.csv "$dir/out" | rounded >"$dir/rounded"
screen detonation "$dir/rounded"
ok "and its zone" test "$(wc -l <"$dir/det/znd.csv")" -gt 100
# where a step of the integration ends depends on the machine; between two the zone is a straight
# line to 1e-6, and at these places no number is near the middle of two of three digits
zone_at() { # zone_at X FILE
    awk -F, -v at="$1" 'NR > 2 && $1 >= at {
            for (i = 1; i <= NF; i++)
                printf "%.9g%s", x[i] + (at - x[1]) / ($1 - x[1]) * ($i - x[i]), i < NF ? "," : "\n"
            exit
        } { split($0, x) }' "$2"
}
{
    sed -n 2p "$dir/det/znd.csv"
    zone_at 0.029 "$dir/det/znd.csv"
    code 0 detonation --mech h2co --overdrive 1.2 --length 0.0104 --out "$dir/over" &&
        grep -v znd.csv "$dir/out" && zone_at 0.0104 "$dir/over/znd.csv"
    code 0 detonation --mech h2co --overdrive 1.001 --length 3 --out "$dir/over"
    grep -v znd.csv "$dir/out"
    cat "$dir/err"
    code 0 detonation --mech h2co --length 0.001 --out "$dir/cut" # before the peak
    grep -v znd.csv "$dir/out" && tail -1 "$dir/cut/znd.csv"
} | rounded >"$dir/rounded"
screen detonation-driven "$dir/rounded"
ok "a mixture that does not burn" code 2 detonation --mixture AR:1
ok "is told" says "does not detonate"
ok "an unknown species" code 2 detonation --mixture XX:1
ok "is named" says "XX"

# --- detonations in time, on grids that are small
if [ ! -s "$build/mech/h2co/flow.so" ]; then
    echo "skip - detonation in time: no flow.so of h2co"
    exit $failed
fi
clock
ok "a domain shorter than the induction zone" code 0 flow --case detonation --nx 40 \
    --length 0.001 --out "$dir/short" --quiet
ok "knows its length all the same: 1.5 mm" holds \
    "($(column "$dir/short/detonation.csv" cells_per_induction 1) / 60.5 - 1)^2 < 1e-4"
OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so "$build/flow" --case detonation --nx 40 \
    --length 0.06 --end 2e-6 --out "$dir/rough" --quiet --engine cpu-scalar \
    --chemistry rodas4:rtol=1e-1:atol=1e-2@cpu-scalar,rodas4:rtol=1e-3@cpu-scalar \
    --reference rodas4:rtol=1e-6@cpu-scalar >"$dir/out" 2>"$dir/err"
{ grep -v detonation.csv "$dir/out" && cat "$dir/rough/detonation.csv"
    awk 'NR % 6 == 1' "$dir/rough/profile-mp5.csv"; } | rounded >"$dir/rounded"
screen flow-detonation "$dir/rounded"
# a case of a mechanism's gas in two dimensions, and in one
cat >"$dir/plane.json" <<'END'
{"x_m": [0.002, 0.012], "y_m": [-0.001, 0.003], "nx": 10, "end_s": 4e-7, "fields": ["OH", "H2O"],
 "probes_m": [[0.004, 0.0005], [0.0115, 0.0025]], "edges": {"west": "wall", "south": "fixed"},
 "regions": [{"T_K": 1600, "p_Pa": 1013250, "X": "H2:2,O2:1,N2:3.76", "u_m_s": 200},
             {"east_of": 0.005, "T_K": 1400, "v_m_s": -100}, {"north_of": 0.001, "T_K": 1900}]}
END
cat >"$dir/line.json" <<'END'
{"x_m": [0.002, 0.012], "nx": 10, "end_s": 4e-7, "fields": ["H", "OH"], "edges": {"west": "wall"},
 "probes_m": [0.004, 0.0115],
 "regions": [{"T_K": 1600, "p_Pa": 1013250, "X": "H2:2,O2:1,N2:3.76", "u_m_s": 200},
             {"east_of": 0.005, "T_K": 1400, "v_m_s": -100}]}
END
for case in "plane --nx 12 --ny 4" "plane --nx 10 --turn on" "line --nx 12,18 --scheme mp5,muscl" \
    "line --nx 12 --turn on --fields H,O2"; do
    # shellcheck disable=SC2086 # words
    OMP_NUM_THREADS=1 LD_PRELOAD=$dir/clock.so "$build/flow" --case "$dir/${case%% *}.json" \
        ${case#* } --rtol 1e-2,1e-4 --reference rodas4:rtol=1e-7 --out "$dir/gas" --quiet \
        --engine cpu-scalar 2>&1
    cat "$dir"/gas/[!p]*.csv "$dir"/gas/probes*.csv
    cat "$dir"/gas/profile*.csv 2>/dev/null | awk 'NR % 4 == 1'
    for file in "$dir"/gas/*.npy; do
        [ -e "$file" ] || continue
        echo "${file##*/}" && od -An -v -w8 -tf8 -j128 "$file" | awk 'NR % 7 == 3' | xargs
    done
    rm -r "$dir/gas"
done | sed '/runs.csv/d' | rounded >"$dir/rounded"
screen flow-gas "$dir/rounded"
ok "a height of too few rows" refused \
    "height 0.0045: 3 rows of square cells with 40 along 0.06 m; 4 to 2500000 can be" \
    --case detonation --nx 40 --length 0.06 --height 0.0045
ok "and one of too many" refused \
    "height 500: 5e+12 rows of square cells with 1000 along 1e-07 m; 4 to 100000 can be" \
    --case detonation --length 1e-7 --height 500
ok "and one of enough" code 0 flow --case detonation --nx 40 --length 0.06 --height 0.006 \
    --end 2e-6 --out "$dir/four" --quiet
ok "... four" test "$(column "$dir/four/detonation.csv" ny 1)" = 4
ok "an unknown solver" refused "no solver 'rodas44'" --case detonation --chemistry rodas44
"$build/flow" --case detonation --nx 40 --length 0.06 --height 0.01 --end 1e-6 --frames 2 \
    --scheme ader_weno --out "$dir/cells3" --quiet >"$dir/out" 2>"$dir/err"
if says "no HDF5"; then
    echo "skip - a foil over time: this build has no HDF5"
else
    ok "the foil is one of its frames' fields" test \
        "$(grep -c 'Attribute Name="foil"' "$dir/cells3/ader_weno.xdmf")" -eq 2
fi

# --- detonations in time, on grids that are fine
[ -s "$build/mech/h2co/flow.so" ] || exit $failed
ok "a detonation in time" code 0 flow --case detonation --nx 300 --out "$dir/wave" --quiet
ok "has its speed within a few per cent" holds "$(column "$dir/wave/detonation.csv" speed \
    1) > 1560 &&
    $(column "$dir/wave/detonation.csv" speed 1) < 1680"
ok "and the engine of its chemistry" test \
    "$(column "$dir/wave/detonation.csv" chemistry 1)" = rodas4@cpu-simd
killed KILL --case detonation --nx 300 \
    --out "$dir/wave2"
ok "a run that is killed has said what it is" grep -q "D_CJ = 1616.65 m/s" "$dir/out"
ok "goes on after kill -9" code 0 flow --case detonation --nx 300 --out "$dir/wave2"
ok "where it was" says "goes on from step"
ok "to the same profile" same wave/profile-mp5.csv wave2/profile-mp5.csv
ok "and the same speed" test "$(column "$dir/wave/detonation.csv" speed 1)" = \
    "$(column "$dir/wave2/detonation.csv" speed 1)"
ok "a detonation in two dimensions" code 0 flow --case detonation --nx 120 --length 0.06 \
    --height 0.01 --end 3e-6 --out "$dir/cells" --quiet
ok "is not planar, and writes its fields" holds \
    "$(column "$dir/cells/detonation.csv" peak_high 1) > \
    1.1 * $(column "$dir/wave/detonation.csv" peak_high 1)"
ok "with the temperature" test -s "$dir/cells/mp5-temperature.npy"
killed KILL --case detonation --nx 120 \
    --length 0.06 --height 0.01 --end 3e-6 --out "$dir/cells2"
ok "not with another height of as many rows" refused "another run" --case detonation \
    --nx 120 --length 0.06 --height 0.0101 --end 3e-6 --out "$dir/cells2"
ok "and with its own mechanism alone" grep -qa "$(sed -n 's/.*MECH_SHA256 "\(.*\)"/\1/p' \
    "$build/mech/h2co/constants.h")" "$dir/cells2/mp5-cpu-simd-120-rodas4.checkpoint"
ok "it, too, goes on after kill -9" code 0 flow --case detonation --nx 120 \
    --length 0.06 --height 0.01 --end 3e-6 --out "$dir/cells2" --quiet
ok "and says nothing of it, if asked" test ! -s "$dir/err"
ok "to the same soot foil" same cells/mp5-foil.npy cells2/mp5-foil.npy

# --- a database of a detonation
[ -s "$build/mech/h2co/flow.so" ] || exit $failed
ok "a database of its states" code 0 flow --recipe datasets/recipes/h2co-flow.json \
    --nx 100 --first 20 --every 20 --count 3 --out "$dir/states.npy" --quiet
ok "with a recipe" grep -q '"generator": "flow"' "$dir/states.json"
ok "that makes it again" code 0 flow --recipe "$dir/states.json" \
    --out "$dir/again.npy" --quiet
ok "to the same bits" same states.npy again.npy
{
    cat "$dir/out"
    sed '/sha256/d' "$dir/states.json"
    od -An -v -w40 -tf8 -j128 "$dir/states.aux.npy" | awk 'NR % 9 == 2' # step, times, dT, x
    od -An -v -w120 -tf8 -j128 "$dir/states.npy" | awk 'NR % 9 == 2 { print $1, $2, $7, $8 }'
} | rounded >"$dir/rounded"
screen flow-record "$dir/rounded"
ok "a part of them by how much they change" code 0 flow --recipe datasets/recipes/h2co-flow.json \
    --nx 100 --first 2 --every 2 --count 3 --T-least 0 --dt 1e-6 --n 150 --quiet \
    --out "$dir/part.npy"
changes() { # changes FOUND|KEPT: their numbers, above 10 K, to 0.1 K, below
    tr -d ' \n' <"$dir/part.json" | sed "s/.*\"$1\":\[\([0-9,]*\)\].*/\1/"
}
large=$(changes found | cut -d, -f1)
ok "... a third of each, where there are too few more of the next" test \
    "$((0 < large && large < 50)) $(changes kept)" = "1 $large,$((100 - large)),50"
ok "... of all cells" test $(($(changes found | tr , +))) = 300
ok "... which are these" test "$(od -An -v -w40 -tf8 -j128 "$dir/part.aux.npy" | awk '
    { d = $4 < 0 ? -$4 : $4; n[(d <= 10) + (d <= 0.1)]++ }
    END { print n[0] "," n[1] "," n[2] }')" = "$(changes kept)"

# --- its recipe: keys that are out of range, and those that it need not have
recipe() { # recipe KEYS
    echo "{\"generator\": \"flow\", \"version\": 1, \"parameters\": {$1}}" >"$dir/recipe.json"
    "$build/flow" "--recipe=$dir/recipe.json" --quiet --out "$dir/some.npy" 2>&1
}
for key in p_Pa T_K length_m nx cells_per_induction T_least_K first_step every count dt_s n; do
    recipe "\"$key\": 2e15"
    recipe "\"$key\": -1"
done >"$dir/recipes"
recipe '"nx": 20, "first_step": 2, "every": 1, "count": 1' >>"$dir/recipes"
sed -n '/"parameters"/,/}/p' "$dir/some.json" >>"$dir/recipes"
screen flow-recipe "$dir/recipes"
exit $failed
