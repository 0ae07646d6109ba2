#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What a team keeps in static shared memory stays below 48 KB, or a mechanism could not be compiled
# for gpu-block and gpu-pair: for radau2a, which has the most arrays, of mechanisms at the sizes
# where an array goes to global memory (solvers/portable/team_memory.h). Seen in the teams of
# tests/team, whose shared arrays are static ones. Run from the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_team_memory.sh
# beside others
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh

# bytes LANES SPECIES HUBS: of the arrays that grow with the mechanism or with its tail
bytes() {
    awk -v n="$2" -v hubs="$3" -f tests/scripts/large_mechanism.awk >"$dir/long.yaml" &&
        "$build/mechc" "$dir/long.yaml" --name long --team 128 -o "$dir/constants.h" &&
        "${CC:-gcc}" -std=gnu11 -w -pthread -I. -I"$dir" -DKB_TEAM=128 -DKB_LANES="$1" \
            -DKB_METHOD=radau2a -DKB_METHOD_HEADER='"solvers/methods/radau2a.h"' \
            -DKB_METHOD_INFO=RADAU2A_INFO -DKB_METHOD_OPTIONS=RADAU2A_OPTIONS \
            -DKB_SOLVER=kb_team -DKB_TEAM_RUN=run_team -c tests/team/team_run.c -o "$dir/team.o" &&
        nm -S -t d "$dir/team.o" | awk '
            $4 ~ /_shared\.|^room/ { sum += $2; arrays += $4 ~ /^[zv].*_shared/ }
            END { if (arrays == 6) print sum + 0 }'
}
fits() { # fits LANES SPECIES HUBS LEAST: of 48 KB, 2.5 KB are for the rest of a kernel
    sum=$(bytes "$1" "$2" "$3" 2>"$dir/err")
    echo "$sum bytes" >"$dir/out"
    [ -n "$sum" ] && [ "$sum" -gt "$4" ] && [ "$sum" -lt 46592 ]
}
ok "a pair, all of a solve in shared memory" fits 2 205 60 35000
ok "a pair of 253 species" fits 2 253 40 10000
ok "a pair of 348 species" fits 2 348 40 10000
ok "one ODE, all of a solve in shared memory" fits 1 381 60 25000
exit $failed
