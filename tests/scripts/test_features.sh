#!/bin/sh
# Few features alone, in every engine of a CPU: f and J against mech/ in long double
# (tests/random/features.c). make test builds the mechanisms.
random=build/tests/random
export KB_ANY=build/tests/read/build/any/solvers.so
folders=$("$random/mechanism" few | sed "s,.*,$random/few/&,")
"$random/features" "$random/reference" $folders
