#!/bin/bash
# SPDX-License-Identifier: MIT
#
# roofline with made-up engines: least times by operations, shared memory and instructions; an
# engine with a part that takes less than its least time has no rows, and the run fails. Run from
# the repository root:
#   [KB_BUILD=build] [CC=gcc] tests/scripts/test_roofline.sh
build=$(realpath "${KB_BUILD:-build}")
. tests/scripts/check.sh
made_up() { # made_up NAME QUICK: $dir/NAME.so
    "${CC:-gcc}" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I. -DQUICK="$2" \
        tests/scripts/made_up_roofline.c base/error.c -o "$dir/$1.so" || exit 2
}
made_up sound 0
made_up quick 1
code 0 ignite --recipe datasets/recipes/h2-ignition.json --n 16 \
    --mech datasets/mechanisms/h2.yaml --solvers "$build/mech/h2/solvers.so" \
    --out "$dir/h2.npy" || exit 2
roofline() { # roofline EXPECTED NAME
    code "$1" roofline --mech "$dir/$2.so" --db "$dir/h2.npy" --out "$dir/$2"
}
least() { # least ENGINE PART COLUMN
    column "$dir/sound/roofline.csv" "$3" "f[\"engine\"] == \"$1\" && f[\"part\"] == \"$2\""
}

ok "all parts take their time" roofline 0 sound
ok "an engine that is not here is told" says "gpu-none: not here"
ok "and has no row" test "$(column "$dir/sound/roofline.csv" engine | sort | uniq -c |
    tr -s ' \n' ' ')" = " 5 gpu-block 5 gpu-pair-float 5 gpu-straight "
ok "operations" test "$(least gpu-block LU flop_limit_ns)" = 1000
ok "words of 8 bytes" test "$(least gpu-block LU shared_limit_ns)" = 800
ok "instructions of 32 threads: pairs of operations, and words" test \
    "$(least gpu-block LU issue_limit_ns)" = 18.75
ok "straight-line code has its own count" test "$(least gpu-straight LU flop_limit_ns)" = 500
ok "and no words" test "$(least gpu-straight LU shared_limit_ns)" = 0
ok "the rates of a pair are in doubles" test "$(least gpu-pair-float rates flop_limit_ns)" = 1000
ok "its solves may be in floats" test "$(least gpu-pair-float solve flop_limit_ns)" = 500
ok "its LU on tensor cores" test "$(least gpu-pair-float LU flop_limit_ns)" = 250
ok "a word serves both" test "$(least gpu-pair-float LU shared_limit_ns)" = 400
ok "the limit is the longest" test "$(least gpu-pair-float LU limit)" = "shared memory"
ok "and the share of it" test "$(least gpu-pair-float LU share)" = 0.4
ok "an attempt is the sum: 5 rates, one with J, an LU, 6 solves" test \
    "$(least gpu-pair-float "attempt of rodas4" flop_limit_ns)" = 8750

ok "a part below its least time: the run fails" roofline 2 quick
ok "and says which" says "gpu-straight: LU takes 400 ns for one ODE, less than the 500 ns"
ok "the others have their rows" test "$(column "$dir/quick/roofline.csv" engine | sort -u |
    tr '\n' ' ')" = "gpu-block gpu-pair-float "
exit $failed
