# SPDX-License-Identifier: MIT
#
# Measured numbers that a text has by hand: a number with ns, us, ms, s, % or times, and a row of a
# table with two decimal fractions. Blocks that make docs writes and indented commands are left out,
# and so are code in backquotes and the phrases of the first file (tests/house/numbers).
FNR == NR {
    if ($0 !~ /^#/ && split($0, field, "\t") == 2) allowed[field[1]] = 1
    next
}
FNR == 1 { inside = 0 }
/^<!-- \// { inside = 0 }
/^<!-- [a-z]/ { inside = 1 }
inside || /^    / { next }
{
    text = $0
    gsub(/`[^`]*`/, "", text)
    for (phrase in allowed)
        while ((at = index(text, phrase)) > 0)
            text = substr(text, 1, at - 1) substr(text, at + length(phrase))
    found = match(text, /[0-9]\)? ?(ns|us|ms|s|%|times)([^A-Za-z]|$)/)
    if (text ~ /^\|/ && gsub(/\| *[0-9]+(\.[0-9]+(e-?[0-9]+)?|e-?[0-9]+) */, "", text) > 1)
        found = 1
    if (found)
        print FILENAME ":" FNR ": a number by hand; take it from results (docs/blocks), move it " \
            "to results/trials, or list it in tests/house/numbers"
}
