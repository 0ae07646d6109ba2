# SPDX-License-Identifier: MIT
#
# Lines of CSV (RFC 4180): loaded in front of the other awk programs of plots/.

# The fields of a line into f, and their number; a comma inside quotes is no end of a field
function csv_split(line, f,    n, i, c, quoted, text) {
    if (!index(line, "\""))
        return split(line, f, ",")
    n = 0; text = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { text = text c; i++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { f[++n] = text; text = "" }
        else text = text c
    }
    f[++n] = text
    return n
}

function csv_field(text) {
    if (text !~ /[",\r]/)
        return text
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

function number(text) { return text ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
function fail(text) { print "plots: error: " text >"/dev/stderr"; failed = 1; exit 2 }
