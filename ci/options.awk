# SPDX-License-Identifier: MIT
#
# Prints the options of a program from the tables in its sources (base/options.h), one a line with
# tabs: its variable of make, its name, what it takes (0: it is a switch), its kind and its range.
#   awk -f ci/options.awk drivers/bench/settings.c ...

# takes the next field of the row from `rest`: a text without its quotes, or a word
function field(    text) {
    match(rest, /^("[^"]*"|[A-Za-z_]*\([^)]*\)|[^,]*), */)
    text = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    sub(/, *$/, "", text)
    return text ~ /^"/ ? substr(text, 2, length(text) - 2) : text
}
function rows(    name, variable, takes, kind, range) {
    while (match(source, /\{"[a-z][a-z0-9-]*", [^,]+, ("[^"]+"|0), KB_OPT_/)) {
        rest = substr(source, RSTART + 1)
        source = substr(source, RSTART + RLENGTH)
        name = field()
        field()
        takes = field()
        kind = substr(field(), 8)
        field()
        range = field()
        variable = toupper(name)
        gsub(/-/, "_", variable)
        print variable "\t" name "\t" takes "\t" kind "\t" (range == "0" ? "" : range)
    }
    source = ""
}
FNR == 1 { rows() }
{ source = source " " $0 }
END { rows() }
