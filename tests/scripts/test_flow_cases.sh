#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Cases of the flow solver in files: what regions, gradients, shocks and probes are, the shipped
# cases, interruption, bad input.
# beside others
build=${KB_BUILD:-build}
. tests/scripts/check.sh
export OMP_NUM_THREADS=1
[ -s "$build/mech/h2co/flow.so" ] || {
    echo "skip - cases of files: no flow.so of h2co"
    exit 0
}

flow() { # flow FILE ARGUMENTS...: into $dir/run
    file=$1
    shift
    code 0 flow --case "$file" --quiet --out "$dir/run" "$@"
}
made() { # made NAME: a case from standard input
    cat >"$dir/$1.json"
}
# profile COLUMN CONDITION
profile() { column "$dir/run/profile-mp5.csv" "$1" "$2"; }

# --- the test that docs/adding.md shows
sed -n '/^## A test of a program/,/^## /s/^    //p' docs/adding.md >"$dir/shown"
. "$dir/shown"

# --- regions, from the first to the last, on a time too short for anything to move
made still <<'E2'
{"x_m": [-1, 1], "nx": 200, "end_s": 1e-12, "fields": ["O2"],
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1", "u_m_s": 7},
             {"east_of": 0.1, "west_of": 0.5, "T_K": [1000, 2000], "X": "O2:1,N2:1"},
             {"disc": [0.25, 0, 0.1], "p_Pa": 3e5}]}
E2
ok "regions" flow "$dir/still.json"
ok "... the first is everywhere" test "$(profile temperature,pressure,velocity,Y_O2 \
    'f["x"] == -0.995 || f["x"] == 0.995' | sort -u)" = 300,100000,7,0
ok "... a gradient from west to east" holds \
    "($(profile temperature 'f["x"] == 0.105') / 1012.5 - 1)^2 < 1e-8 &&
     ($(profile temperature 'f["x"] == 0.495') / 1987.5 - 1)^2 < 1e-8"
ok "... with its gas: $(profile Y_O2 'f["x"] == 0.105')" holds \
    "($(profile Y_O2 'f["x"] == 0.105') - 31.998 / (31.998 + 28.014))^2 < 1e-10"
ok "... the last one covers it, and is else as the first" test "$(profile \
    temperature,pressure,velocity,Y_O2 'f["x"] == 0.255')" = 300,300000,7,0
first=$(sed -n 's/^  species: \[\([^,]*\),.*/\1/p' datasets/mechanisms/h2co.yaml)
sed "s/\"OH\"/\"$first\"/" datasets/cases/detonation.json >"$dir/first.json"
ok "a detonation that shows the first species" flow "$dir/first.json" --mech h2co --nx 40 \
    --length 0.06 --end 2e-6
ok "... $first" holds "$(profile "Y_$first" 'f["x"] > 0' | sort -g | tail -1) > 1e-5"
# cells beyond the thermo data of a species are told at both ends; 300 and 3500 K are within
made hot <<'E2'
{"x_m": [0, 1], "y_m": [0, 0.1], "nx": 40, "end_s": 1e-12,
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1"}, {"east_of": 0.5, "T_K": 3500},
             {"east_of": 0.7, "T_K": 3510}, {"west_of": 0.1, "T_K": 290}]}
E2
ok "cells beyond the data" code 0 flow --case "$dir/hot.json" --out "$dir/run"
cat "$dir/out" "$dir/err" >"$dir/both"
ok "... are told, before and after" test "$(grep -c \
    "note: at the \(start\|end\) 64 of 160 cells lie beyond .* (300 to 3500 K)" "$dir/both")" = 2
ok "cells within the data" code 0 flow --case "$dir/still.json" --out "$dir/run"
ok "... need no word" test "$(cat "$dir/out" "$dir/err" | grep -c beyond)" = 0
made rim <<'E2'
{"x_m": [0, 1], "y_m": [0.5, 1], "nx": 20, "end_s": 1e-12,
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "H2:1"}, {"disc": [0.2, 0.3, 0.5], "T_K": [1000, 500]}]}
E2
ok "a gradient from the middle of a disc, which is beside the cells, to its rim" \
    flow "$dir/rim.json"
rim=$(tail -c $((8 * 200)) "$dir/run/mp5-density.npy" | od -An -v -tf8 -w8 | awk '{
    x = 0.025 + 0.05 * ((NR - 1) % 20)
    y = 0.525 + 0.05 * int((NR - 1) / 20)
    d = sqrt((x - 0.2) ^ 2 + (y - 0.3) ^ 2)
    T = 1e5 * 2.016 / 8314.46 / $1
    if (d < 0.45 || d > 0.55) {
        n[d < 0.5]++
        most += (T / (d < 0.5 ? 1000 - 500 * d / 0.5 : 300) - 1) ^ 2
    }
} END { print n[0], n[1], most }')
ok "... is linear in each cell: $rim" holds "\"${rim% *}\" == \"120 48\" && ${rim##* } < 1e-4"
made solid <<'E2'
{"x_m": [0, 1], "y_m": [0, 0.5], "nx": 20, "end_s": 1e-9,
 "solid": [{"east_of": 0.5, "south_of": 0.25}],
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1"}]}
E2
ok "solid cells" flow "$dir/solid.json"
ok "... are a quarter" test "$(tail -c $((8 * 200)) "$dir/run/mp5-density.npy" |
    od -An -v -tf8 -w8 | grep -c nan)" = 50

# --- formulas: of a place, of names of their own, and of the values before them
made spot <<'E2'
{"x_m": [0, 1], "nx": 20, "end_s": 1e-12, "fields": ["O2"],
 "let": {"near": "exp(-((x - 0.5) / 0.1) ^ 2)"},
 "regions": [{"T_K": "300 + 1700 * near", "p_Pa": 1e5, "X": "N2:1", "u_m_s": "2 * T + p / 1e5"},
             {"east_of": 0.9, "T_K": 400, "p_Pa": "1e5 * (1 + x)"}]}
E2
ok "a hot spot that a formula describes" flow "$dir/spot.json"
ok "... has its temperatures: $(profile temperature 'f["x"] == 0.475')" holds \
    "($(profile temperature 'f["x"] == 0.475') / (300 + 1700 * exp(-0.0625)) - 1)^2 < 1e-4"
ok "... velocities that follow them" holds \
    "($(profile velocity 'f["x"] == 0.075') / 601.00009 - 1)^2 < 1e-14"
ok "... in all regions, of their own temperature" holds \
    "($(profile velocity 'f["x"] == 0.975') / 801.975 - 1)^2 < 1e-10 &&
     ($(profile pressure 'f["x"] == 0.975') / 197500 - 1)^2 < 1e-10"

# --- one and two ideal gases, with answers that are known
made wave <<'E2'
{"gas": [{"R": 2, "cv": 3}], "x": [1, 4], "nx": 40, "end": 0.5, "cfl": 0.05,
 "edges": {"west": "periodic", "east": "periodic"},
 "regions": [{"T": "1 / (2 + sin(2 * pi * x / 3))", "p": 2, "u": -3}],
 "exact": "carried", "carried_by": [-3, 0]}
E2
ok "a wave of your own" flow "$dir/wave.json"
ok "... three grids, the fifth order: $(column "$dir/run/errors.csv" order | tail -1)" holds \
    "$(column "$dir/run/errors.csv" order | tail -1) > 4.8"
ok "... density of p / (R T)" holds "($(column "$dir/run/profile-mp5.csv" density,exact |
    awk -F, '{ s += $1 } END { print s / NR }') / 2 - 1)^2 < 1e-12"
made shift <<'E2'
{"gas": [{"R": 1, "cv": 2.5}], "x": [-2, 1], "nx": 150, "end": 0.2,
 "regions": [{"rho": 0.125, "p": 0.1, "u": 1}, {"west_of": -0.5, "rho": 1, "p": 1, "u": 1}],
 "exact": "riemann"}
E2
ok "Sod's tube elsewhere, in motion" flow "$dir/shift.json" --nx 150,300
ok "... is as near to the exact answer: $(column "$dir/run/errors.csv" l1 | tail -1)" holds \
    "$(column "$dir/run/errors.csv" l1 | tail -1) < 0.0025"
made mach <<'E2'
{"gas": [{"R": 1, "cv": 2.5}], "x": [0, 1], "nx": 100, "end": 1e-9,
 "regions": [{"rho": 1, "p": 1}, {"west_of": 0.5, "shock_mach": 3}]}
E2
ok "a shock of Mach 3" flow "$dir/mach.json"
ok "... rho 27/7, u 4 sqrt(35)/9, p 31/3" holds \
    "($(profile density 'f["x"] == 0.105') / (27 / 7) - 1)^2 < 1e-12 &&
     ($(profile velocity 'f["x"] == 0.105') / (4 * sqrt(35) / 9) - 1)^2 < 1e-12 &&
     ($(profile pressure 'f["x"] == 0.105') / (31 / 3) - 1)^2 < 1e-12"

# --- a detonation of another mixture
made ozone <<'E2'
{"detonation": {"X": "H2:1,O2:1,N2:1", "T_K": 350, "p_Pa": 50000, "length_m": 0.01}, "nx": 200,
 "edges": {"west": "outflow", "east": "fixed"}}
E2
ok "a detonation of your own" flow "$dir/ozone.json"
ok "... is the one of the options" code 0 flow --case detonation --mixture H2:1,O2:1,N2:1 \
    --temperature 350 --pressure 50000 --length 0.01 --nx 200 --quiet --out "$dir/options"
ok "... to the last digit" test "$(column "$dir/run/detonation.csv" speed,peak,D_CJ,steps)" = \
    "$(column "$dir/options/detonation.csv" speed,peak,D_CJ,steps)"

# --- probes of a domain that begins below 0, two of them in its corners
made probes <<'E2'
{"x_m": [-1, 1], "y_m": [-0.5, 0.5], "nx": 20, "end_s": 1e-12,
 "probes_m": [[-1, -0.5], [1, 0.5], [0.05, -0.05], [-0.95, 0.45]],
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1"}, {"east_of": 0, "T_K": 500},
             {"north_of": 0, "T_K": 400}, {"north_of": 0, "east_of": 0, "T_K": 700}]}
E2
ok "probes in two dimensions" flow "$dir/probes.json"
ok "... each in its cell" test "$(column "$dir/run/probes-mp5.csv" temperature 1 | tail -4 |
    tr '\n' ' ')" = "300 700 500 400 "

# --- a shock of Mach 2 in nitrogen at 300 K: its state, and its speed between two probes
made shock <<'E2'
{"x_m": [0, 0.3], "nx": 300, "end_s": 3e-4, "edges": {"west": "fixed"},
 "probes_m": [0.1, 0.2], "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1"},
                                     {"west_of": 0.02, "shock_mach": 2}]}
E2
ok "a shock" flow "$dir/shock.json" --t-react 5000
ok "... at gamma 1.4 p2/p1 = 4.5, T2/T1 = 1.6875, u2 = 441.5 m/s" holds \
    "($(profile pressure 'f["x"] == 0.0505') / 4.5e5 - 1)^2 < 1e-4 &&
     ($(profile temperature 'f["x"] == 0.0505') / 506.25 - 1)^2 < 1e-4 &&
     ($(profile velocity 'f["x"] == 0.0505') / 441.5 - 1)^2 < 1e-4"
arrival() { column "$dir/run/probes-mp5.csv" time_s "f[\"probe\"] == $1 && f[\"pressure\"] > 2e5" |
    head -1; }
ok "... runs at Mach 2, 706.1 m/s: $(arrival 0), $(arrival 1)" holds \
    "(0.1 / ($(arrival 1) - $(arrival 0)) / 706.1 - 1)^2 < 0.01^2"
ok "... nothing reacts" test "$(column "$dir/run/runs.csv" attempts)" = 0

# --- a closed box in which the gas is the same everywhere is a reactor of constant volume
made box <<'E2'
{"x_m": [0, 1], "nx": 4, "end_s": 2e-4, "edges": {"west": "wall", "east": "wall"},
 "fields": ["H2O"], "regions": [{"T_K": 1200, "p_Pa": 101325, "X": "H2:2,O2:1,N2:3.76"}]}
E2
ok "a reactor" flow "$dir/box.json" --chemistry cvode:rtol=1e-9 --cfl 0.05
echo "T,p,H2,O2,N2
1200,101325,0.2958579882,0.1479289941,0.5562130177" >"$dir/one.csv"
ok "... as a state" code 0 dbimport --mech h2co --source "$dir/one.csv" --fractions mole \
    --states before --out "$dir/one.npy"
ok "... integrated over the same time" code 0 bench --mech h2co --db "$dir/one.npy" --dt 2e-4 \
    --n 1 --solvers cvode --engines cpu-scalar --rtol 1e-9 --reactor v --repeats 1 --quiet \
    --references "$dir/reference" --out "$dir/reactor"
T=$(od -An -tf8 -j128 -N8 "$dir"/reference/*.npy)
ok "... ends at the same temperature: $T" holds \
    "$T > 2500 && ($(profile temperature 'f["x"] == 0.125') / $T - 1)^2 < 1e-12"

# --- what the chemistry moves: T, OH and heat, beside the error of the flow
made radicals <<'E2'
{"x_m": [0, 1], "nx": 4, "end_s": 1e-15,
 "regions": [{"T_K": 1500, "p_Pa": 1e5, "X": "H2:2,O2:1,H:0.1,OH:0.1,H2O:0.5,N2:3"}]}
E2
ok "heat released" flow "$dir/radicals.json"
ok "... as Cantera 3.2 has it, 7.343576e10 W/m3" holds \
    "($(profile heat_release 'f["x"] == 0.125') / 7.3435760e10 - 1)^2 < 1e-12"
exact="--reference rodas4:rtol=1e-9:atol=1e-15"
# norms COLUMN NUMBER: of a row of the table
norms() { column "$dir/run/$table.csv" "$1" | sed -n "$2p"; }
table=runs
# shellcheck disable=SC2086 # words
ok "a hot spot at two tolerances" flow datasets/cases/hot-spot.json --mech h2co --nx 24 \
    --rtol 1e-2,1e-5 $exact
ok "... whose error falls: $(norms l1_T,l1_OH,l1_heat 1); $(norms l1_T,l1_OH,l1_heat 2)" holds \
    "$(norms l1_T 1) > 10 * $(norms l1_T 2) && $(norms l1_heat 1) > 10 * $(norms l1_heat 2) &&
     $(norms l1_OH 1) > 10 * $(norms l1_OH 2) && $(norms l1_OH 2) > 0"
ok "... below the flow's own: $(norms flow_T,flow_OH,flow_heat 1)" holds \
    "$(norms flow_T 1) > 100 * $(norms l1_T 2) && $(norms flow_heat 1) > 100 * $(norms l1_heat 2)"
ok "... without ZND" test -z "$(norms znd_T 1)"
# the flow's own error in two dimensions: against the means over four cells of a grid twice as fine
made plane <<'E2'
{"x_m": [0, 0.01], "y_m": [0, 0.004], "nx": 10, "end_s": 1e-6,
 "regions": [{"T_K": 1600, "p_Pa": 1013250, "X": "H2:2,O2:1,N2:3.76"},
             {"east_of": 0.005, "T_K": 1400}]}
E2
chemistry=${exact#* }
ok "a plane at two resolutions" flow "$dir/plane.json" --mech h2co --nx 20 --chemistry $chemistry
temperatures() { # temperatures NX: of NX by NX * 0.4 cells
    tail -c $((8 * $1 * $1 * 2 / 5)) "$dir/run/mp5-temperature.npy" | od -An -v -tf8 -w8
}
temperatures 20 >"$dir/fine"
ok "... the coarse one" flow "$dir/plane.json" --mech h2co --nx 10 --chemistry $chemistry
own=$(temperatures 10 | awk 'NR == FNR { fine[FNR - 1] = $1; next } {
    i = 2 * ((FNR - 1) % 10) + 40 * int((FNR - 1) / 10)
    mean[FNR] = (fine[i] + fine[i + 1] + fine[i + 20] + fine[i + 21]) / 4
    sum += ($1 > mean[FNR] ? 1 : -1) * ($1 - mean[FNR])
    if (FNR == 1 || mean[FNR] < least) least = mean[FNR]
} END { for (k in mean) size += mean[k] - least; print sum / size }' "$dir/fine" -)
# shellcheck disable=SC2086
ok "... with its error" flow "$dir/plane.json" --mech h2co --nx 10 --rtol 1e-2 $exact
table=runs
ok "... of the temperature, by hand: $(norms flow_T 1), $own" holds \
    "($(norms flow_T 1) / $own - 1)^2 < 1e-8"
table=detonation
# shellcheck disable=SC2086
ok "a detonation on two grids" code 0 flow --case detonation --nx 60,120 --length 0.03 --quiet \
    --rtol 1e-3 $exact --out "$dir/run"
ok "... nearer to ZND on the finer one: $(norms znd_T 1), $(norms znd_T 2)" holds \
    "$(norms znd_T 2) < 0.8 * $(norms znd_T 1) && $(norms znd_heat 2) < 0.8 * $(norms znd_heat 1)"
ok "... where the flow's own error is less, too" holds "$(norms flow_T 2) < 0.8 * $(norms flow_T 1)"
ok "... has ZND beside its profile" holds "$(profile temperature_znd,temperature \
    'f["temperature_znd"] > 1950 && f["temperature_znd"] < 2700' |
    awk -F, '{ d += ($2 - $1)^2; n++ } END { print (n > 3 && sqrt(d / n) < 100) }') == 1"
ok "tolerances that are none" code 2 flow --case detonation --rtol 0
ok "... are told" says "rtol: '0' is not a number more than 0, at most 1"
ok "an accurate chemistry that is not there" code 2 flow --case detonation --reference rodas99 \
    --out "$dir/x" --quiet
ok "... is told, and nothing else" test "$(grep -c "no solver 'rodas99'" "$dir/err")$(grep -c L1 \
    "$dir/out")" = 10
ok "a front that is not planar has none" code 2 flow --case detonation --height 0.01 $exact
ok "... is told" says "without --height"

# --- the cases that come along, on few cells
for case in shock-bubble spark hot-spot; do
    ok "$case" flow datasets/cases/$case.json --mech h2co --nx 24
    ok "... has its row" test "$(column "$dir/run/runs.csv" case)" = $case
done

ok "species of the command line" flow datasets/cases/spark.json --mech h2co --nx 24 --end 1e-6 \
    --fields H2O,O2
ok "... in place of those of the file" test -s "$dir/run/mp5-Y_O2.npy"
most=$(tail -c $((8 * 24 * 24)) "$dir/run/mp5-substeps.npy" | od -An -v -tf8 -w8 | sort -g |
    sed -n '1p;$p' | paste -sd,)
ok "... and the substeps of each cell: $most" holds \
    "${most%,*} >= 1 && ${most#*,} > ${most%,*} && ${most#*,} < 256"
ok "blended faces and times" flow datasets/cases/spark.json --mech h2co --nx 24 --end 1e-6 \
    --also blended,time
# numbers FIELD: of that file
numbers() { tail -c $((8 * 24 * 24)) "$dir/run/mp5-$1.npy" | od -An -v -tf8 -w8; }
faces=$(column "$dir/run/runs.csv" blended)
ok "... all $faces faces" test "$faces" -gt 0 -a \
    "$faces" = "$(numbers blended | awk '{ s += $1 } END { print s }')"
ok "... times go as the substeps" holds "$({ numbers substeps; numbers time; } | awk '
    NR <= 576 { n[NR] = $1; next } { x = $1 / n[NR - 576]; if (!low || x < low) low = x
    if (x > high) high = x } END { print (low > 1 && high < 1e9 && high < low * 1.000001) }') == 1"
ok "times where nothing reacts" code 2 flow --case sod --also time
ok "... are refused" says "--also time: for cases with chemistry, not for sod"
ok "a species that is not there" code 2 flow --case datasets/cases/spark.json --fields XE --quiet
ok "... is named" says "fields: h2co has no species 'XE'"

# --- states that the chemistry of a case starts from
ok "a database of a case" code 0 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    --case datasets/cases/spark.json --nx 24 --first 2 --every 2 --count 3 --out "$dir/states.npy"
ok "... with its case" grep -q '"summary": "a spark in a closed box' "$dir/states.json"
ok "... its kind and places" grep -q '"states": "flow"' "$dir/states.json"
ok "... in two dimensions" grep -qa "y_m" "$dir/states.json"
ok "... hot cells alone" holds "$(od -An -tf8 -w8 -j128 -v "$dir/states.npy" |
    awk 'NR % 15 == 1 && (!n || $1 < n) { n = $1 } END { print n }') >= 500"
ok "... again" code 0 flow --recipe "$dir/states.json" --quiet --out "$dir/again.npy"
ok "... the same bits" cmp "$dir/states.npy" "$dir/again.npy"
ok "... of every cell, before a reaction of its own" code 0 flow --recipe "$dir/states.json" \
    --quiet --T-least 0 --dt 1e-9 --out "$dir/all.npy"
ok "... each once in a step" test \
    "$(od -An -tf8 -w8 -j128 -v "$dir/all.npy" | wc -l)" = $((3 * 24 * 24 * 15))
ok "... no such case" code 2 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    --case "$dir/none.json" --out "$dir/x.npy"
ok "... is named" says "none.json"

# --- cells of frames as states
all=$(sed -n 's/^  species: \[\(.*\)\]/\1/p' datasets/mechanisms/h2co.yaml | tr -d ' ')
"$build/flow" --case datasets/cases/spark.json --mech h2co --nx 12 --end 1e-6 --fields "$all" \
    --frames 3 --out "$dir/frames" --quiet >"$dir/out" 2>"$dir/err"
if says "no HDF5"; then
    echo "skip - cells of frames: this build has no HDF5"
else
    ok "frames" code 0 dbimport --mech h2co --source "$dir/frames/mp5.vtkhdf" \
        --out "$dir/frames.npy"
    ok "... all of them" grep -q "frames.npy: 432 states" "$dir/out"
    ok "... of a flow" grep -q '"states": "flow"' "$dir/frames.json"
    rounded() { od -An -v -tf8 "$@" | awk '{ printf "%.5g\n", $1 }' | tail -144; }
    ok "... the last one last" test "$(rounded -w120 -j128 "$dir/frames.npy")" = \
        "$(rounded -w8 -j128 "$dir/frames/mp5-temperature.npy")"
    "$build/flow" --case datasets/cases/spark.json --mech h2co --nx 12 --end 1e-6 --frames 2 \
        --fields OH --out "$dir/few" --quiet >"$dir/out" 2>"$dir/err"
    ok "of one species" code 2 dbimport --mech h2co --source "$dir/few/mp5.vtkhdf" \
        --out "$dir/x.npy"
    ok "... fractions are missing" says "row 0: the mass fractions add up to"
fi

# --- a run that is killed goes on to the same bits
same() { cmp "$dir/whole/$1" "$dir/parts/$1" >"$dir/out"; }
bubble="--case datasets/cases/shock-bubble.json --nx 40 --quiet"
# shellcheck disable=SC2086 # words
ok "a run from start to end" code 0 flow $bubble --out "$dir/whole"
# shellcheck disable=SC2086
held KILL .checkpoint "$build/flow" $bubble --checkpoint 0.0002 --out "$dir/parts"
ok "... and one that was killed" code 0 flow --case datasets/cases/shock-bubble.json --nx 40 \
    --out "$dir/parts"
ok "... goes on" says "goes on from step"
ok "... to the same fields" same mp5-Y_OH.npy
ok "... and the same rows of its probes" same probes-mp5.csv

# --- bad input
# after: a closed box
refused() { # refused TEXT CASE: exit code 2 and a message with TEXT
    printf '%s' "$2" >"$dir/bad.json"
    code 2 flow --case "$dir/bad.json" --out "$dir/x" --quiet && says "bad.json:1: $1"
}
domain='"x_m": [0, 1], "nx": 10, "end_s": 1e-6'
gas='"T_K": 300, "p_Pa": 1e5, "X": "N2:1"'
ok "an unknown key" refused "unknown key 'sold' (known: summary, x_m" "{$domain, \"sold\": []}"
ok "a part of a known one" refused "unknown key 'gion'" "{$domain, \"gion\": []}"
ok "a missing number" refused "'end_s' is missing" '{"x_m": [0, 1], "nx": 10}'
ok "a number out of range" refused "'nx' is not a number from 4 to 1e+08" \
    '{"x_m": [0, 1], "nx": 3, "end_s": 1}'
ok "a range that is none" refused "'x_m' is not \[from, to\]" '{"x_m": [1, 0], "nx": 9, "end_s": 1}'
ok "rows in one dimension" refused "'ny' without 'y_m'" "{$domain, \"ny\": 10}"
ok "an unknown edge" refused "edges: 'west': 'wal' is none of periodic, outflow, wall, fixed" \
    "{$domain, \"edges\": {\"west\": \"wal\"}}"
ok "half a period" refused "edges: west and east are periodic together" \
    "{$domain, \"edges\": {\"west\": \"periodic\"}}"
made lines <<'E2'
{"x_m": [0, 1], "nx": 10, "end_s": 1,
 "regions": [{"T_K": 300, "p_Pa": 1e5, "X": "N2:1"},
             {"east_of": 0.1,
              "T_K": "300 + 10 * z"}]}
E2
ok "a formula with an unknown name" code 2 flow --case "$dir/lines.json" --out "$dir/x" --quiet
ok "... is named, with its line" says "lines.json:4: regions\[1\]: 'T_K': no variable or function \
of that name (there are x y abs"
ok "a formula that ends early" refused "regions\[0\]: 'p_Pa': a value is missing at the end of" \
    "{$domain, \"regions\": [{\"T_K\": 300, \"p_Pa\": \"1e5 +\", \"X\": \"N2:1\"}]}"
made below <<E2
{$domain, "regions": [{"T_K": 300, "p_Pa": "1e5 * (x - 0.5)", "X": "N2:1"}]}
E2
ok "a pressure below 0" code 2 flow --case "$dir/below.json" --out "$dir/x" --quiet
ok "... is found in its cell" says "the state at the start is impossible in cell (0, 0) at x = 0.05"
ok "a shock into a formula" refused "regions\[1\]: 'shock_mach' needs a first region of numbers" \
    "{$domain, \"regions\": [{${gas#*, }, \"T_K\": \"300 + x\"}, {\"shock_mach\": 2}]}"
ideal='"gas": [{"R": 1, "cv": 2.5}], "x": [0, 1], "nx": 10, "end": 1'
ok "units of an ideal gas" refused "unknown key 'x_m'" "{$ideal, \"x_m\": [0, 1]}"
ok "an ideal gas without density" refused "regions\[0\]: 'rho' is missing" \
    "{$ideal, \"regions\": [{\"p\": 1}]}"
ok "density and temperature" refused "regions\[0\]: 'rho' and 'T': one of the two" \
    "{$ideal, \"regions\": [{\"p\": 1, \"rho\": 1, \"T\": 1}]}"
ok "an answer that is none" refused "'exact': 'exact' is none of none, carried, simple_wave" \
    "{$ideal, \"regions\": [{\"p\": 1, \"rho\": 1}], \"exact\": \"exact\"}"
ok "a Riemann problem of one state" refused "a Riemann problem is of one gas" \
    "{$ideal, \"regions\": [{\"p\": 1, \"rho\": 1}], \"exact\": \"riemann\"}"
ok "three gases" refused "'gas' is not a list of one or two ideal gases" '{"gas": [1, 2, 3]}'
ok "a detonation without a mixture" refused "detonation: 'X' is missing" \
    '{"detonation": {"T_K": 300, "p_Pa": 1e5}, "nx": 9}'
ok "states of an ideal gas" code 2 flow --recipe datasets/recipes/h2co-flow.json --quiet \
    --case sod --out "$dir/x.npy"
ok "... are none" says "case sod is of an ideal gas"
ok "no region" refused "'regions' is missing" "{$domain}"
ok "a region without gas" refused "regions\[0\]: 'X' is missing" \
    "{$domain, \"regions\": [{\"T_K\": 300, \"p_Pa\": 1e5}]}"
ok "a first region that is not everywhere" refused "regions\[0\]: unknown key 'west_of'" \
    "{$domain, \"regions\": [{$gas, \"west_of\": 1}]}"
ok "an unknown species" refused "regions\[1\]: 'X': .*no species 'XE'" \
    "{$domain, \"regions\": [{$gas}, {\"X\": \"XE:1\"}]}"
ok "a gradient without ends" refused "regions\[1\]: two of 'T_K' need" \
    "{$domain, \"regions\": [{$gas}, {\"east_of\": 0.5, \"T_K\": [300, 400]}]}"
ok "a slow shock" refused "regions\[1\]: 'shock_mach' is not a number from 1.0001 to 100" \
    "{$domain, \"regions\": [{$gas}, {\"shock_mach\": 1}]}"
ok "a field of no species" refused "h2co has no species 'XE'" \
    "{$domain, \"fields\": [\"XE\"], \"regions\": [{$gas}]}"
ok "a probe outside" refused "'probes_m'\[0\] is not an x inside the domain" \
    "{$domain, \"probes_m\": [2]}"
ok "a disc without extent" refused "regions\[1\]: 'disc' is not \[x, y, radius\]" \
    "{$domain, \"regions\": [{$gas}, {\"disc\": [0, 0, 0]}]}"
ok "a disc without a radius" refused "regions\[1\]: 'disc' is not \[x, y, radius\]" \
    "{$domain, \"regions\": [{$gas}, {\"disc\": [0, 1]}]}"
if [ -s "$build/mech/h2/solvers.so" ]; then # of the current folder, flow.so of another mechanism
    mkdir -p "$dir/here/build/mech/h2"
    cp "$build/mech/h2/solvers.so" "$build/mech/h2co/flow.so" "$dir/here/build/mech/h2"
    program=$(realpath "$build/flow")
    for run in "--case $PWD/datasets/cases/hot-spot.json --nx 20" \
        "--recipe $PWD/datasets/recipes/h2co-flow.json --case $PWD/datasets/cases/hot-spot.json"; do
        # shellcheck disable=SC2086 # words
        (cd "$dir/here" && rm -rf x.npy && "$program" $run --quiet \
            --mech "$repository/datasets/mechanisms/h2.yaml" --out x.npy >"$dir/out" 2>"$dir/err")
        ok "flow.so of another mechanism: ${run%% *}" test $? -eq 2
        ok "... is told" says "flow.so .*was built for another mechanism"
    done
fi
ok "an option of the detonation" code 2 flow --case "$dir/box.json" --mixture H2:1
ok "... is told" says "--mixture: for detonations alone"
exit $failed
