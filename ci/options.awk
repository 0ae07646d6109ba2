# SPDX-License-Identifier: MIT
#
# Prints the options of a program from the tables in its sources, one a line with tabs: its variable
# of make, its name, what it takes (0: it is a switch), and its help.
#   awk -f ci/options.awk drivers/bench/settings.c ...
function entries(    entry, part, n, i, text, name) {
    while (match(source, /\{"[a-z][a-z0-9-]*", [^,]+, ("[^"]+"|0), 0, *("[^"]*" *)+/)) {
        entry = substr(source, RSTART, RLENGTH)
        source = substr(source, RSTART + RLENGTH)
        if (entry ~ /, 0, 0, /)
            sub(/, 0, 0, /, ", \"0\", 0, ", entry)
        n = split(entry, part, "\"")
        text = ""
        for (i = 6; i <= n; i += 2)
            text = text part[i]
        name = toupper(part[2])
        gsub(/-/, "_", name)
        print name "\t" part[2] "\t" part[4] "\t" text
    }
    source = ""
}
FNR == 1 { entries() }
{ source = source " " $0 }
END { entries() }
