#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mechanisms by name: fetched ones (datasets/fetch) and one-way forms. Addresses are files of the
# test; nothing is downloaded. Run from the repository root:
#   [KB_BUILD=build] tests/scripts/test_fetch.sh
build=${KB_BUILD:-build}
. tests/scripts/check.sh
mine=datasets/downloads/kb-test-$$
trap 'rm -rf "$dir" "$mine"' EXIT
unset KB_MECH_PATH

fetches() { # fetches EXPECTED NAME
    datasets/fetch "$2" "$dir/sources.tsv" "$dir/got" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$1" ]
}
entry() { # entry NAME FILE SHA256 ADDRESS
    printf '%s\t%s\t%s\t%s\thttp://page\tA. Author, 1999\tfree\n' "$@" >>"$dir/sources.tsv"
}
hash_of() { sha256sum "$1" | cut -d' ' -f1; }

# --- the list of the project
ok "each line has seven fields, a whole hash and an address" test "$(awk -F'\t' 'NF != 7 ||
    (NR > 1 && ($3 !~ /^[0-9a-f]+$/ || length($3) != 64 || $4 !~ /^https?:/))' \
        datasets/sources.tsv | wc -l)" = 0
ok "each mechanism has its two files" test "$(awk -F'\t' 'NR > 1 { print $1 }' \
    datasets/sources.tsv | uniq -c |
    awk '$1 != 2' | wc -l)" = 0
for recipe in datasets/recipes/*.json; do
    mech=$(sed -n 's/.*"mech" *: *"\([^"]*\)".*/\1/p' "$recipe")
    [ -e "datasets/mechanisms/$mech.yaml" ] || cut -f1 datasets/sources.tsv | grep -qx "$mech" ||
        ok "$recipe: a mechanism that is shipped or can be fetched" false
done

# --- two small files, at addresses that are files
printf 'ELEMENTS\nH\nEND\nSPECIES\nH H2\nEND\nREACTIONS\nH+H+H2=H2+H2 1E18 -1. 0.\nEND\n' \
    >"$dir/a.inp"
cat >"$dir/b.dat" <<'EOT'
THERMO
   300.000  1000.000  5000.000
H                 L 7/88H   1               G   200.000  3500.000  1000.000    1
 2.50000001E+00-2.30842973E-11 1.61561948E-14-4.73515235E-18 4.98197357E-22    2
 2.54736599E+04-4.46682914E-01 2.50000000E+00 7.05332819E-13-1.99591964E-15    3
 2.30081632E-18-9.27732332E-22 2.54736599E+04-4.46682853E-01                   4
H2                TPIS78H   2               G   200.000  3500.000  1000.000    1
 3.33727920E+00-4.94024731E-05 4.99456778E-07-1.79566394E-10 2.00255376E-14    2
-9.50158922E+02-3.20502331E+00 2.34433112E+00 7.98052075E-03-1.94781510E-05    3
 2.01572094E-08-7.37611761E-12-9.17935173E+02 6.83010238E-01                   4
END
EOT
printf 'name\tfile\tsha256\taddress\tauthors_page\tcitation\tterms\n' >"$dir/sources.tsv"
entry good mech.inp "$(hash_of "$dir/a.inp")" "file://$dir/a.inp"
entry good therm.dat "$(hash_of "$dir/b.dat")" "file://$dir/b.dat"
entry changed mech.inp "$(hash_of "$dir/b.dat")" "file://$dir/a.inp"
entry gone mech.inp "$(hash_of "$dir/a.inp")" "file://$dir/nowhere"
if command -v curl >/dev/null; then
    ok "from their addresses" fetches 0 good
    ok "... whole" cmp -s "$dir/got/good/mech.inp" "$dir/a.inp"
    ok "... with the citation" grep -q "^cite:  A. Author, 1999" "$dir/out"
    ok "again" fetches 0 good
    ok "... nothing is fetched" test "$(grep -c ': there$' "$dir/out")" = 2
    ok "a file with another hash" fetches 2 changed
    ok "... both hashes" says "sha256 $(hash_of "$dir/a.inp"), expected $(hash_of "$dir/b.dat")"
    ok "an address that does not answer" fetches 2 gone
    ok "... what to do" says \
        "nowhere: not reached (is there a network?).*KB_MECH_PATH=folder with gone/mech.inp"
    ok "... nothing is left" test -z "$(ls "$dir/got/changed" "$dir/got/gone" | grep -v :)"
else
    echo "skip - addresses: there is no curl"
fi
mkdir -p "$dir/bin" "$dir/path/gone" "$dir/path/changed"
for tool in sh awk sort paste cut sha256sum mkdir rm cp mv printf; do
    ln -sf "$(command -v $tool)" "$dir/bin/" 2>/dev/null
done
PATH=$dir/bin ok "neither curl nor wget" fetches 2 changed
ok "... is told" says "neither curl nor wget is installed; get file://"
cp "$dir/a.inp" "$dir/path/gone/mech.inp"
cp "$dir/a.inp" "$dir/path/changed/mech.inp"
export KB_MECH_PATH=$dir/path
ok "from KB_MECH_PATH" fetches 0 gone
ok "... as it says" grep -q "from $dir/path/gone/mech.inp" "$dir/out"
ok "not with another hash" fetches 2 changed
ok "... as it says" says "path/changed/mech.inp: has another sha256, not taken"
unset KB_MECH_PATH
ok "an unknown name" fetches 2 nosuch
ok "... those that there are" says "there are changed gone good"

# --- then it has a name for every program, with its thermo file
# after: two small files
mkdir -p "$mine"
cp "$dir/a.inp" "$mine/mech.inp"
cp "$dir/b.dat" "$mine/therm.dat"
ok "a fetched mechanism by name" code 0 mechinfo "$(basename "$mine")"
ok "... its name" grep -q "^mechanism  *$(basename "$mine")$" "$dir/out"

# --- one-way forms by name: those of mechinfo, and no equilibrium constant left
"$build/mechinfo" h2 --oneway exact --write "$dir/h2.yaml" >/dev/null
make --no-print-directory CUDA=0 BUILD="$build" mechinfo MECH=h2-oneway >"$dir/out" 2>"$dir/err"
ok "MECH=h2-oneway" test $? = 0
ok "... 38 reactions, all one way" test "$(awk '/^reactions/ { r = $2 } /^  irreversible/ { i = $2 }
    END { print r, i }' "$dir/out")" = "38 38"
ok "... the exact fit of h2" test "$(awk '/^sha256/ { print $2 }' "$dir/out")" = \
    "$("$build/mechinfo" "$dir/h2.yaml" | awk '/^sha256/ { print $2 }')"
ok "... not beside the sources" test -z "$(git status --porcelain 2>/dev/null | grep oneway.yaml)"
make --no-print-directory CUDA=0 BUILD="$build" mechinfo MECH=nosuch-oneway >"$dir/out" 2>"$dir/err"
ok "of no mechanism" test $? = 2
ok "... names are told" says \
    "no mechanism 'nosuch-oneway': names are .*h2co.*after make fetch MECH=<name> also .*usc2"

exit $failed
