# SPDX-License-Identifier: MIT
#
# Rows of five words and more that differ in one number alone (the fastest solver at each error) as
# the first of them, behind which stand the numbers of the others and, in brackets, which number of
# the row they are unless it is the first. How many blanks stand between words does not count.
function flush() {
    if (any)
        print row others (others != "" && place > 1 ? " (" place ")" : "")
    any = 0
    others = ""
}
# the numbers of a line in number[]; returns what is left of it
function without_numbers(line,    rest) {
    n = 0
    while (match(line, /[0-9][0-9.]*(e[-+]?[0-9]+)?/)) {
        number[++n] = substr(line, RSTART, RLENGTH)
        rest = rest substr(line, 1, RSTART - 1) "#"
        line = substr(line, RSTART + RLENGTH)
    }
    rest = rest line
    gsub(/ +/, " ", rest)
    return rest
}
{
    rest = without_numbers($0)
    changed = 0
    if (any && rest == rest_of_row && split($0, words, /[ ,]+/) > 4)
        for (i = 1; i <= n; i++)
            if (number[i] != first[i]) {
                changed++
                at = i
            }
    if (changed == 1 && (others == "" || at == place)) {
        place = at
        others = others (others == "" ? " = " : " ") number[at]
        next
    }
    flush()
    any = 1
    row = $0
    rest_of_row = rest
    for (i = 1; i <= n; i++)
        first[i] = number[i]
}
END { flush() }
