#!/bin/sh
# Few features alone, in every engine of a CPU: f and J against mech/ in long double
# (tests/random/features.c). make test builds the mechanisms.
random=build/tests/random
export KB_ANY=build/tests/read/build/any/solvers.so
folders=$("$random/mechanism" few | sed "s,.*,$random/few/&,")
log=$(mktemp) || exit 2
trap 'rm -f "$log" "$log.program"' EXIT
"$random/features" "$random/reference" $folders >"$log"
code=$?
cat "$log"
# what is compared is most of what is there, and an entry that is wrong by a thousandth would be off
compared() { # compared ENGINE LEFT-OUT BLIND: shares of its rows of J that are at most these
    awk -v engine="$1" -v out="$2" -v blind="$3" '
        $1 == engine { n = $7; bad = $8 > out * n || $9 > blind * n }
        END { print (n && !bad ? "ok" : "not ok") " - rows of J by " engine " are compared"
              exit !n || bad }' "$log" || code=1
}
compared float 0.3 0
compared team 0 0.03
compared lanes_lines 0 0.03
# the threads of a team where programs are fortified, as kernels that are not optimised are not
cat >"$log" <<'END'
enum { KB_TEAM = 4 };
typedef double lane;
#include "tests/team/fibers.h"
static int turns;
static void work(void) { for (int i = 0; i < 3; i++) { turns++; team_sync(); } }
int main(void) { run_fibers(work); return turns != 3 * KB_TEAM; }
END
if "${CC:-gcc}" -std=gnu11 -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -I. -x c "$log" \
    -o "$log.program" && "$log.program"; then
    echo "ok - fortified teams"
else
    echo "not ok - fortified teams"
    code=1
fi
exit $code
