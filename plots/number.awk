# SPDX-License-Identifier: MIT
#
# Numbers and lines as people write them; loaded before the programs of figures.

# Is a text a number? awk takes any for one.
function number(text) { return text ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
# one: 1e-6
function short(v) {
    v = v + 0 > 0 && v + 0 < 0.01 ? sprintf("%.6e", v) : sprintf(v == int(v) ? "%.0f" : "%g", v)
    sub(/0+e/, "e", v)
    sub(/[.]e/, "e", v)
    sub(/e-0/, "e-", v)
    return v
}
# lines of at most so many characters, `wrapped` of them, with an indent; the word // begins one
function wrap(text, most, indent,    words, n, i, line, gap, all) {
    n = split(text, words, " ")
    wrapped = 1
    line = indent
    for (i = 1; i <= n; i++) {
        if (words[i] == "//" || (gap != "" && length(line gap words[i]) > most)) {
            all = all line "\n"
            line = indent
            gap = ""
            wrapped++
        }
        if (words[i] != "//") {
            line = line gap words[i]
            gap = " "
        }
    }
    return all line
}
