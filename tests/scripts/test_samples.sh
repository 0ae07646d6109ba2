#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What bench runs: the same population at every n, and global steps one after another. On the toy
# solvers and on H2. Run from the repository root, after `make tools solvers MECH=h2`:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_samples.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh

measure() { # measure FOLDER ARGUMENTS...: one thread, one repeat, static lanes
    folder=$1
    shift
    code 0 bench --schedules static --threads 1 --repeats 1 --quiet --out "$dir/$folder" "$@"
}

# --- H2 in a reactor: 9 conditions one after another, each at equilibrium to begin with
ok "states" code 0 pasr --recipe datasets/recipes/h2-pasr.json --particles 20 \
    --quiet --out "$dir/pasr.npy"
h2=(--mech h2 --db "$dir/pasr.npy" --dt 1e-4 --solvers rodas4 --engines cpu-simd)
mean() { column "$dir/$1/cells.csv" "${3:-steps_mean}" \
    "f[\"n\"] == $2 && f[\"order\"] == \"${4:-generated}\""; }
ok "first rows" measure first "${h2[@]}" --n 64,1024,16384 --sample first
ok "... are other ODEs at other n: $(mean first 64), $(mean first 1024), $(mean first 16384)" \
    holds \
    "$(mean first 64) == 1 && $(mean first 1024) > 1.25 * $(mean first 16384)"
ok "... which is told" test "$(grep -c "rodas4 rtol 0.0001, dt 0.0001 s, n \(64: 0\|1024: 1\)\." \
    "$dir/first/table.txt")" = 2
ok "... and recorded" holds "$(mean first 64 work_ratio) < 0.9 && $(mean first 1024 \
    work_ratio) > 1.1 &&
    $(mean first 16384 work_ratio) == 1"
ok "rows of the whole database" measure even "${h2[@]}" --n 1024,4096,16384 \
    --orders generated,shuffled
for n in 1024 4096; do
    ok "... at n $n the same mean work: $(mean even $n), $(mean even 16384)" holds \
        "($(mean even $n) / $(mean even 16384) - 1)^2 < 0.01"
done
ok "... no warning" test "$(grep -c "not the same work" "$dir/even/table.txt")" = 0
for n in 1024 16384; do
    ok "... n $n: every order the same ODEs" test "$(mean even $n rhs_mean)$(mean even $n \
        err_p95)" = \
        "$(mean even $n rhs_mean shuffled)$(mean even $n err_p95 shuffled)"
done
ok "... work over the largest n with four digits" holds "$(digits "$dir/even/cells.csv" \
    work_ratio) <= 4"
ok "... whose kind is recorded" test "$(column "$dir/even/cells.csv" states,states_dt_s |
    sort -u)" = after,0.0001
ok "... and shown" grep -q "database pasr (after reaction, step 0.0001 s)" "$dir/even/table.txt"
active=$(mean even 16384 err_p95_active)
ok "... beside the error of those that react" grep -q \
    "^rodas4 .* $(printf %.1e "$active") " "$dir/even/table.txt"
ok "again" measure again "${h2[@]}" --n 1024 --references "$dir/other"
ok "... the same states" test "$(mean again 1024 rhs_mean)$(mean again 1024 err_p95)" = \
    "$(mean even 1024 rhs_mean)$(mean even 1024 err_p95)"
ok "another seed" measure seed "${h2[@]}" --n 1024 --seed 2
ok "... other states" test "$(mean seed 1024 rhs_mean)" != "$(mean even 1024 rhs_mean)"

# --- what static lanes wait: the screen has it by time and by counts, of the rows beside it
# after: H2 in a reactor
ok "both schedules" code 0 bench "${h2[@]}" --n 4096 --orders shuffled --threads 1 --repeats 2 \
    --schedules static,refill --quiet --out "$dir/lanes"
lanes() { column "$dir/lanes/$1" "$2" "f[\"schedule\"] == \"$3\" && ${4:-1}" | head -1; }
by_time=$(lanes cells.csv time_s static)/$(lanes cells.csv time_s refill)
by_counts=$(lanes divergence.csv slow_down static 'f["measure"] == "rhs"')/$(lanes divergence.csv \
    slow_down_refill refill 'f["measure"] == "rhs"')
shown=$(sed -n 's/.*time of static over refill: cpu-simd //p' "$dir/out")
ok "static lanes wait, which the screen says: $by_counts, $shown" holds "$by_counts > 1.1"
ok "... by time and by counts" test "$shown" = "$(awk "BEGIN { printf \"%.2f (by counts %.2f)\",
    $by_time, $by_counts }")"

# --- active ODEs and lockstep: 10 states without a reaction, 10 that ignite, all alike
{
    echo "T,p,H2,O2,N2"
    for T in 300 1500; do
        for _ in 1 2 3 4 5 6 7 8 9 10; do echo "$T,101325,0.25,0.125,0.625"; done
    done
} >"$dir/halves.csv"
ok "states, half of them inert" code 0 dbimport --mech h2 --source "$dir/halves.csv" \
    --fractions mole --states before --out "$dir/halves.npy"
ok "a run" measure halves --mech h2 --db "$dir/halves.npy" --dt 1e-5 --solvers rodas4 \
    --engines cpu-simd --n 20 --sample first
half() { column "$dir/halves/cells.csv" "$1"; }
ok "its kind is what the import said" test "$(half states)" = before
ok "half are active: $(half active_share)" test "$(half active_share)" = 0.5
ok "whose error is in the upper half: $(half err_p50), $(half err_p95_active)" holds \
    "$(half err_p50) < 1e-12 && $(half err_p95_active) == $(half err_max) && $(half err_max) > 1e-9"
ok "verify" code 0 verify "$dir/halves"
ok "... names the kind" \
    grep -q "database halves (states: before)" "$dir/halves/verify.txt"
ok "... and report" code 0 report "$dir/halves" -o "$dir/page.html"
ok "... too" grep -q "database halves (states: before)" "$dir/page.html"
ok "... its error is that of the active ones" test "$(column "$dir/halves/fastest.csv" err_p95 \
    'f["error"] == "0.001"')" = "$(half err_p95_active)"
# an inert one takes 1 attempt, another k: groups 8 | 2 + 6 | 4 of 8, all in one of 32
k=$(half steps_max)
ok "lockstep of 8, k = $k: $(half wait_8)" holds \
    "$k > 2 && ($(half wait_8) / ((8 + 12 * $k) / (10 + 10 * $k)) - 1)^2 < 1e-8"
ok "... of 32 and of all: $(half wait_32), $(half wait_all)" holds \
    "($(half wait_32) / (20 * $k / (10 + 10 * $k)) - 1)^2 < 1e-8 && $(half wait_all) == $(half \
    wait_32)"

shown_waits() { sed -n 's/^lockstep: .*all: \(.*\) times.*/\1/p' "$dir/out"; }
waits() { column "$dir/halves/cells.csv" wait_8,wait_32,wait_all "f[\"dt_s\"] == $1" |
    awk -F, '{ printf "%.3g, %.3g, %.3g\n", $1, $2, $3 }'; }
ok "the screen has them" code 0 bench --mech h2 --db "$dir/halves.npy" --dt 1e-5 --n 20 \
    --solvers rodas4 --engines cpu-simd --sample first --schedules static --threads 1 --repeats 1 \
    --quiet --out "$dir/halves"
ok "... $(waits 1e-05)" test "$(shown_waits)" = "$(waits 1e-05)"
ok "of another step in the same folder" code 0 bench --mech h2 --db "$dir/halves.npy" --dt 1e-7 \
    --n 20 --solvers rodas4 --engines cpu-simd --sample first --schedules static --threads 1 \
    --repeats 1 --quiet --out "$dir/halves"
ok "... its own: $(waits 1e-07)" test "$(shown_waits)" = "$(waits 1e-07)" -a \
    "$(waits 1e-07)" != "$(waits 1e-05)"

# --- ten global steps: the reference makes them too, times are of one of them, counts of all
ok "an ignition" code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 200 \
    --quiet --out "$dir/0.npy"
chain=(--mech h2 --db "$dir/0.npy" --dt 1e-6 --n 200 --solvers rkc,cvode --engines cpu-scalar)
at() { column "$dir/chain/cells.csv" "$1" "f[\"steps\"] == $2 && f[\"solver\"] == \"$3\""; }
ok "one step" measure chain "${chain[@]}"
ok "ten steps" measure chain "${chain[@]}" --steps 10
ok "... are other cells" test "$(column "$dir/chain/cells.csv" steps | tr '\n' ' ')" = "1 1 10 10 "
for solver in rkc cvode; do
    ok "... $solver: counts of all steps: $(at rhs_mean 1 $solver), $(at rhs_mean 10 $solver)" \
        holds \
        "$(at rhs_mean 10 $solver) > 7 * $(at rhs_mean 1 $solver)"
    ok "... ends where ten steps end: $(at err_p95 10 $solver)" holds \
        "$(at err_p95 10 $solver) < 100 * $(at err_p95 1 $solver) && $(at err_p95 10 \
        $solver) < 1e-3"
done
ok "time of one of ten steps: ten of them end before the next sample begins" test \
    "$(overlaps "$dir/chain/samples.csv" 'f["steps"] == 10')" = "2 samples, 0 overlap"
ok "transport between the steps" measure mixed "${chain[@]}" --steps 10 --tau-mix 1e-5 \
    --orders generated,shuffled
mixed() { column "$dir/mixed/cells.csv" "$1" "f[\"order\"] == \"$2\" && f[\"solver\"] == \"rkc\""; }
ok "... is recorded" test "$(column "$dir/mixed/cells.csv" tau_mix_s | sort -u)" = 1e-05
ok "... at half the rate it is another run" code 2 bench "${chain[@]}" --steps 10 --tau-mix 2e-5 \
    --out "$dir/mixed"
ok "... which is said" says "other sources or inputs"
ok "... the same in any order" test "$(mixed err_p95,steps_max generated)" = \
    "$(mixed err_p95,steps_max shuffled)"
ok "... other ODEs than without, no less accurate: $(mixed err_p95 generated)" holds \
    "$(mixed rhs_mean generated) != $(at rhs_mean 10 rkc) && $(mixed err_p95 generated) < 1e-3"
ok "... needs several steps" code 2 bench "${chain[@]}" --tau-mix 1e-5 --out "$dir/x"
ok "... which is said" says "--tau-mix: transport is between global steps (--steps, 2 or more)"
# --- constant forcing: in the method and in the reference, of each ODE its own in any order
# after: ten global steps
"${CC:-gcc}" -std=gnu11 -O1 -I. tests/scripts/made_up_forcing.c "$build/libkb.a" -lmd -lm \
    -o "$dir/made_up_forcing" && "$dir/made_up_forcing" "$dir/0.npy" "$dir/F.npy" || exit 2
forced=(--mech h2 --db "$dir/0.npy" --dt 1e-6 --n 200 --solvers rodas4 --engines cpu-simd-forced)
ok "states without forcing" measure forced/no "${forced[@]}"
ok "states with forcing" measure forced/yes "${forced[@]}" --forcing "$dir/F.npy" \
    --orders generated,shuffled
of_forced() { column "$dir/forced/$1/cells.csv" "$2" "f[\"order\"] == \"$3\""; }
ok "... as accurate: $(of_forced yes err_p95 generated)" holds \
    "$(of_forced yes err_p95 generated) < 1e-3"
ok "... other ODEs: $(of_forced yes steps_mean generated)" holds \
    "$(of_forced yes steps_mean generated) != $(of_forced no steps_mean generated)"
ok "... the same in any order" test "$(of_forced yes err_p95,steps_max,rhs_mean generated)" = \
    "$(of_forced yes err_p95,steps_max,rhs_mean shuffled)"
ok "... in one step" measure forced/one "${forced[@]}" --dt 3e-6 --forcing "$dir/F.npy" --n 20 \
    --references "$dir/forced/ref-one"
ok "... in three" measure forced/three "${forced[@]}" --steps 3 --forcing "$dir/F.npy" --n 20 \
    --references "$dir/forced/ref-three"
ends_of() { od -An -v -w80 -tf8 -j128 "$dir/forced/ref-$1"/*.npy; } # 10 unknowns an ODE
ends_of three >"$dir/three"
ends_of one | paste - "$dir/three" | awk '{ for (i = 1; i <= 10; i++) {
    off = ($i - $(i + 10)) / ($i + 1e-6); if (off * off > far) far = off * off } }
    END { print NR, sqrt(far) }' >"$dir/far"
ok "... ends where it ends, in each of 20 ODEs: $(cat "$dir/far")" holds \
    "$(sed 's/ / == 20 \&\& 1e-8 > /' "$dir/far")"
ok "... without it is another run" code 2 bench "${forced[@]}" --out "$dir/forced/yes"
ok "... which is said" says "other sources or inputs"
ok "... an engine that takes none is skipped" code 3 bench "${forced[@]}" --engines cpu-scalar \
    --forcing "$dir/F.npy" --out "$dir/forced/none"
ok "... is said" says "it takes no forcing: engines ...-forced do"
"${CC:-gcc}" -O1 -shared -fPIC -I. examples/euler.c -o "$dir/euler.so" || exit 2
ok "... a plug-in, too" code 3 bench "${forced[@]}" --solvers "$dir/euler.so:steps=9" \
    --engines cpu-plugin --forcing "$dir/F.npy" --out "$dir/forced/plugin"
ok "... is said" says "it takes no forcing: engines ...-forced do"
ok "... with states on the device" code 2 bench "${forced[@]}" --forcing "$dir/F.npy" --steps 2 \
    --chain device --out "$dir/x"
ok "... is said" says "--forcing: goes neither with --tau-mix nor with --chain device"
ok "... gpu-straight has no such engine" code 2 bench "${forced[@]}" --forcing "$dir/F.npy" \
    --engines gpu-straight-forced --out "$dir/x"
ok "... is said" says "gpu-straight-forced"
"$dir/made_up_forcing" "$dir/0.npy" "$dir/spoilt.npy" 10
ok "... a sum that is not 0" code 2 bench "${forced[@]}" --forcing "$dir/spoilt.npy" --out "$dir/x"
ok "... is said" says "spoilt.npy: row 2, columns 1 to 9: the forcing of the mass fractions adds up"
ok "... states in its place" code 2 bench "${forced[@]}" --forcing "$dir/0.npy" --out "$dir/x"
ok "... is said" says "0.npy: 200 rows of 11 columns, expected 200 of 10: T and the species, for"
ok "... with mixing" code 2 bench "${forced[@]}" --forcing "$dir/F.npy" --steps 2 --tau-mix 1e-5 \
    --out "$dir/x"
ok "... is said" says "--forcing: goes neither with --tau-mix nor with --chain device"
ok "states that stay on the device: a CPU has no copies" measure chain "${chain[@]}" --steps 10 \
    --chain device
ok "... its cells are those of the host" test \
    "$(column "$dir/chain/cells.csv" chain | sort | uniq -c | xargs)" = "4 host"
ok "... one step has none to keep" code 2 bench "${chain[@]}" --chain device --out "$dir/x"
ok "... which is said" says "--chain device: one global step has no states to keep (give --steps"
ok "another word for it" code 2 bench "${chain[@]}" --steps 2 --chain gpu --out "$dir/x"
ok "... there are two" says "'gpu' is none of host, device"
ok "... two references" test "$(ls "$dir"/references/*.npy | wc -l)" -ge 2
ok "the plan" code 0 bench "${chain[@]}" --threads 1 --schedules static --repeats 1 --steps 10 \
    --plan \
    --out "$dir/chain"
ok "... knows them" grep -q "2 cells, 2 cached" "$dir/out"
ok "... and their states" grep -q "^states of 0, of a reactor in time$" "$dir/out"

# --- the reference is far more accurate than what is measured by it
# after: H2 in a reactor
ok "CVODE at 1e-11" measure reference --mech h2 --db "$dir/pasr.npy" --n 32 --dt 1e-6,1e-4 \
    --solvers cvode:rtol=1e-11:atol=1e-18 --engines cpu-scalar
errors=$dir/reference/cells.csv
ok "... is that close to the reference: $(column "$errors" err_p95 | paste -sd' ')" \
    test "$(column "$errors" err_p95 'f["err_p95"] < 1e-8' | wc -l)" = 2

# --- states know their mechanism
# after: ten global steps
# refuses PROGRAM ARGUMENTS...: says which mechanism the states are of, and which they are not
# after: H2 in a reactor
refuses() {
    ok "$1 refuses states of another mechanism" code 2 "$@"
    ok "... both are named" says "made for mechanism other (sha256 [0-9a-f]*), not for h2 (sha256 "
}
one=(--n 10 --dt 1e-6 --solvers rkck --engines cpu-scalar --threads 1 --repeats 1)
sed 's/"mech": "h2"/"mech": "other"/; s/"mech_sha256": "....../"mech_sha256": "abcdef/' \
    "$dir/0.json" >"$dir/x.json"
cp "$dir/0.npy" "$dir/x.npy"
refuses bench --mech h2 --db "$dir/x.npy" "${one[@]}" --out "$dir/x"
ok "... nothing written" test ! -e "$dir/x"
refuses dbinfo "$dir/x.npy" --mech h2 --no-costs
refuses dbimport --mech h2 --source "$dir/x.npy" --out "$dir/y.npy"
names=$(sed -n '/"species": \[/,/\]/p' "$dir/0.json" | grep -o '"[^"]*"' | tr -d '"' \
    | grep -v species | paste -sd,)
ok "named columns are taken" code 0 dbimport --mech h2 --source "$dir/x.npy" --species "$names" \
    --out "$dir/y.npy"
ok "... and the new record is right" code 0 bench --mech h2 --db "$dir/y.npy" "${one[@]}" \
    --out "$dir/y"
cp "$dir/0.npy" "$dir/bare.npy"
bare=(bench --mech h2 --db "$dir/bare.npy" "${one[@]}" --out "$dir/bare")
ok "states without a record" code 2 "${bare[@]}"
ok "... their species are asked for" says "no .json beside it: .*--species H2,O2,... in their order"
ok "dbinfo asks too" code 2 dbinfo "$dir/bare.npy" --mech h2 --no-costs
ok "... for the same" says "no .json beside it: .*--species"
ok "dbimport asks too" code 2 dbimport --mech h2 --source "$dir/bare.npy" --out "$dir/y.npy"
ok "... for the same" says "no .json beside it: .*--species"
ok "species in another order" code 2 "${bare[@]}" --species "${names%,*,*},N2,H2O2"
ok "... are named" says "species 7 is N2 there and H2O2 in mechanism h2"
ok "too few species" code 2 "${bare[@]}" --species "${names%,*}"
ok "... are counted" says "8 names of species, but mechanism h2 has 9"
ok "the right species" code 0 "${bare[@]}" --species "$names"
ok "... are asked for once" code 0 "${bare[@]}"
ok "... by any program" code 0 dbinfo "$dir/bare.npy" --no-costs
rm "$dir/bare.json"
ok "those of the mechanism" code 0 dbinfo "$dir/bare.npy" --mech h2 --no-costs --species mechanism
cp "$dir/pasr.json" "$dir/bare.json"
ok "a record of other states" code 2 "${bare[@]}"
ok "... says so" says "the .json beside it is of other states"

# --- states beyond the thermo data are counted
# after: states know their
printf 'T,p,%s\n' "$names" >"$dir/hot.csv"
for T in 250 1000 5900; do echo "$T,101325,1,0,0,0,0,0,0,0,0,0"; done |
    cut -d, -f1-$((2 + $(echo "$names" | tr ',' '\n' | wc -l))) >>"$dir/hot.csv"
ok "states that are too cold and too hot" code 0 dbimport --mech h2 --source "$dir/hot.csv" \
    --out "$dir/hot.npy"
ok "... are counted" grep -q "2 of them lie beyond the thermo data of a species (300 to 5000 K)" \
    "$dir/out"
ok "... by bench, too" code 0 bench --mech h2 --db "$dir/hot.npy" --n 3 --dt 1e-8 \
    --solvers rodas4 --engines cpu-scalar --schedules refill --threads 1 --repeats 1 \
    --out "$dir/hot"
ok "... which says it" says "2 of 3 states lie beyond the thermo data of a species (300 to 5000 K)"

# --- species in steady state belong to the mechanism
steady=$build/mech/models/solvers.so
if [ -e "$steady" ]; then
    printf 'T,p,H2,O2,AR\n1200,101325,0.1,0.2,0.7\n' >"$dir/steady.csv"
    types=tests/data/cantera_types.yaml
    KB_QSS=$PWD/tests/data/models.qss ok "states without species in steady state" code 0 \
        dbimport --mech $types --solvers "$steady" --source "$dir/steady.csv" \
        --out "$dir/steady.npy"
    ok "... their list is recorded" grep -q '"qss": "tests/data/models.qss"' "$dir/steady.json"
    ok "... and read with the mechanism" code 0 dbinfo "$dir/steady.npy" --no-costs
    echo 'HO2 H2O2 D O drop-nonlinear' >"$dir/other.qss"
    KB_QSS=$dir/other.qss ok "another list of as many is refused" code 2 \
        dbinfo "$dir/steady.npy" --no-costs --mech $types
    ok "... both are named" says \
        "models with QSS=tests/data/models.qss (sha256 [0-9a-f]*), not for .* with QSS=.*other.qss"
    ${MAKE:-make} -n solvers CUDA=0 DB="$dir/steady.npy" BUILD="$build" >"$dir/out" 2>&1
    ok "make takes the list from the record" grep -q "/mech/cantera_types-qss/" "$dir/out"
    for place in top inside; do # of the record, as the one here has it, or beside "mech"
        own='"qss": "tests/data/models.qss"' top= inside=
        [ $place = top ] && top="$own, " || inside="$own, "
        echo "{\"generator\": \"ignition\", \"version\": 1, $top\"parameters\": {$inside" \
            "\"mech\": \"$types\", \"fuel\": \"H2:2\", \"oxidizer\": \"O2:1,AR:7\"," \
            "\"T0_K\": [1500], \"p_atm\": [1], \"phi\": [1], \"n\": 4}}" >"$dir/qss.json"
        ok "a recipe has the list ($place)" code 0 ignite --recipe "$dir/qss.json" \
            --solvers "$steady" --out "$dir/qss.npy"
        ok "... and its states" grep -q "$own" "$dir/qss.json"
    done
else
    echo "skip - species in steady state: no $steady"
fi

# --- a recipe knows the mechanism that it was made with
# after: states know their
sed 's/"mech_sha256": "....../"mech_sha256": "abcdef/' "$dir/0.json" >"$dir/then.json"
ok "a recipe of another mechanism" code 2 ignite --recipe "$dir/then.json" --out "$dir/now.npy"
ok "... says so" says "made with another mechanism: sha256 abcdef[0-9a-f]* there"
ok "... is taken for one that is given" code 0 ignite --recipe "$dir/then.json" --mech h2 \
    --out "$dir/now.npy" --quiet

# --- fractions that are off by noise: refused with row and column, or repaired and told
# after: states know their
cp "$dir/0.npy" "$dir/noise.npy" && cp "$dir/0.json" "$dir/noise.json"
sed -i '/database_sha256/d' "$dir/noise.json"
at=$((128 + 11 * 8 * 3 + 8 * 4)) # O of row 3: -1e-7
printf '\x48\xaf\xbc\x9a\xf2\xd7\x7a\xbe' |
    dd of="$dir/noise.npy" bs=1 seek=$at conv=notrunc status=none
noise=(bench --mech h2 --db "$dir/noise.npy" "${one[@]}" --out "$dir/noise")
ok "a negative fraction" code 2 "${noise[@]}"
ok "... is named" says "noise.npy: row 3, column 4: Y = -1e-07, expected at least"
ok "... and repaired" code 0 "${noise[@]}" --repair
ok "... which is told" says "note: .*noise.npy: 1 of [0-9]* states repaired"
ok "... and recorded" grep -q '"repaired_states": 1,' "$dir/noise/environment.json"
ok "dbinfo repairs too" code 0 dbinfo "$dir/noise.npy" --no-costs --repair
ok "... and tells" says "1 of [0-9]* states repaired"
echo '{' >"$dir/bare.json"
ok "a broken record" code 2 bench --mech h2 --db "$dir/bare.npy" "${one[@]}" --out "$dir/bare"
ok "... line" says "bare.json:2"

exit $failed
