#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Names and texts of data files as an attacker would write them: none of them is run by a shell, by
# make or by the compiler. A command that ran would leave the file $dir/ran.
. tests/scripts/check.sh
build=${KB_BUILD:-build}
ran=$dir/ran

# refuses ASSIGNMENT...: make stops with a message on the name, and nothing ran
refuses() {
    ${MAKE:-make} -n mechinfo CUDA=0 "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && says "a name here has no" && [ ! -e "$ran" ]
}

for value in "a\`touch $ran\`" "a\$(touch $ran)" "\$\$(touch $ran)" "\$(shell touch $ran)" \
    "a';touch $ran;'" "a\";touch $ran;\"" "a;touch $ran" "a|touch $ran" "a&touch $ran" "a b" "a
touch $ran" "a\\b" "a>$ran" "a#b" "a:b" "a%b" "a=b"; do
    more=SOURCE
    case $value in a[:%=]b) more= ;; esac # no target has its name
    for variable in MECH THERMO DB RECIPE RUN PHASE QSS $more; do
        refuses "$variable=$value" ||
            { echo "not ok - $variable=$value"; sed 's/^/    /' "$dir/err"; failed=1; }
    done
    printf '{"mech": "%s"}\n' "$value" | tr '\n' ' ' >"$dir/recipe.json"
    case $value in
    *\"*) ;; # the JSON text ends there
    *) refuses RECIPE="$dir/recipe.json" ||
        { echo "not ok - recipe with mech $value"; sed 's/^/    /' "$dir/err"; failed=1; } ;;
    esac
done
[ "$failed" -eq 0 ] && echo "ok - names that a shell or make would take are refused by make"

# a species whose name is C: the header that mechc writes compiles, and the name is as it was
name='A");system("touch$IFS'$ran'");("??/'
cat >"$dir/evil.yaml" <<END
phases:
- {name: 'g"); #', thermo: ideal-gas, species: all, kinetics: gas}
species:
- {name: '$name', composition: {H: 1}, thermo: {model: constant-cp, cp0: 20}}
- {name: 'B\\"', composition: {H: 2}, thermo: {model: constant-cp, cp0: 30}}
reactions:
- {equation: '2 $name <=> B\\"', rate-constant: {A: 1, b: 0, Ea: 0}}
END
ok "mechc takes names with quotes and backslashes" \
    code 0 mechc "$dir/evil.yaml" -o "$dir/constants.h"
cat >"$dir/names.c" <<'END'
#include <stdio.h>
#define KB_TABLE static const
#include "constants.h"
int main(void)
{
    static const char *const names[] = {KB_SPECIES_NAMES};
    puts(names[0]);
    puts(names[1]);
    return sizeof KB_MECH_NAME > 1 ? 0 : 1;
}
END
compiled() {
    ${CC:-gcc} -std=gnu11 -w -o "$dir/names" "$dir/names.c" 2>"$dir/err" &&
        "$dir/names" >"$dir/out"
}
ok "the header compiles" compiled
printf '%s\n' "$name" 'B\"' >"$dir/expected"
ok "the names are what they were" cmp "$dir/expected" "$dir/out"
ok "mechinfo prints them" code 0 mechinfo "$dir/evil.yaml"
ok "nothing ran" test ! -e "$ran"

# JSON that is nested without end
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "[" }' >"$dir/deep.json"
deep() {
    timeout "$patience" "$build/ignite" --recipe "$dir/deep.json" --out "$dir/x.npy" \
        >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ]
}
ok "deep JSON ends with a message" deep
exit $failed
