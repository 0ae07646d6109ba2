# SPDX-License-Identifier: MIT
#
# Finds the phrases of the first file (tests/house/phrases: phrase, tab, mend) in Markdown outside
# of blocks and code, in the help of make (ci/help) and in strings of other files. A phrase may
# begin on the line before.
FNR == NR {
    if ($0 !~ /^#/ && split($0, field, "\t") == 2) mend[field[1]] = field[2]
    next
}
FNR == 1 { tail = ""; inside = 0 }
function strings(line,    text) { # the contents of a line's string literals
    text = ""
    while (match(line, /"([^"\\]|\\.)*"/)) {
        text = text substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
    }
    return text
}
function prose(line) {
    if (FILENAME ~ /\.md$/) return line ~ /^    / ? "" : line
    if (FILENAME ~ /^ci\/help$/) return line
    return line ~ /^ *#include/ ? "" : strings(line)
}
/^<!-- [a-z]/ && !/-->.*-->/ { inside = 1 }
/^<!-- \// { inside = 0 }
inside { tail = ""; next }
{
    text = prose($0)
    gsub(/[ \t]+/, " ", text)
    all = tolower(" " tail " " text " ")
    for (phrase in mend) {
        at = match(all, "[^a-z-]" phrase "[^a-z-]")
        if (at && at + RLENGTH - 1 > length(tail) + 2)
            print FILENAME ":" FNR ": '" phrase "'; " mend[phrase]
    }
    n = split(text, word, " ")
    tail = n > 1 ? word[n - 1] " " word[n] : word[1]
    if (n == 0) tail = ""
}
