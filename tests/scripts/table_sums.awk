# SPDX-License-Identifier: MIT
#
# Headers and lines of mechc, FORM/constants.h and FORM/lines.def ...: a line for each number, table
# and section, with the number, or a sum of the numbers, of each form, - if a form has none. Sums
# are of 9 digits of each, so that another libm gives the same.
function add(text) {
    text = text ~ /^-?[0-9]+$/ ? text : sprintf("%.8e", text)
    for (at = 1; at <= length(text); at++)
        now = (now * 131 + index("0123456789.-+e", substr(text, at, 1))) % 2147483647
}
function keep(what, value) {
    if (!(what in known)) order[++n] = what
    known[what]
    if (!((what, form) in sum)) sum[what, form] = value
}
function done() {
    if (name != "") keep(name, sprintf("%05x", now % 1048576))
    name = ""
    now = 7
}
function put_line(first, of) {
    line = sprintf("%-24s", first)
    for (f = 1; f <= nforms; f++) {
        text = (of, forms[f]) in sum ? sum[of, forms[f]] : "-"
        line = line sprintf(" %17s", of == "" ? forms[f] : text)
    }
    print line
}
FNR == 1 {
    done()
    form = FILENAME
    sub(/\/[^\/]*$/, "", form)
    sub(/.*\//, "", form)
    if (!(form in place)) forms[place[form] = ++nforms] = form
}
/^KB_TABLE/ { done(); name = $3; sub(/\[.*/, "", name); sub(/.*= /, "") }
/^#ifdef LINES/ { done(); name = $2; next }
/^    [A-Z_0-9]+ = [0-9]+,?$/ { done(); keep($1, $3 + 0); next }
/^#define [A-Z_]+ [0-9]/ { done(); keep($2, $3 + 0); next }
/^\/\*/ || name == "" { next }
{
    words = $0
    sub(/\(.*/, "", words) # of a record
    for (i = 1; i <= length(words) && words ~ /^[A-Z]/; i++)
        now = (now * 131 + index("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", substr(words, i, 1))) % 2147483647
    gsub(/[^-0-9.e+]+/, " ")
    for (i = 1; i <= NF; i++) if ($i ~ /[0-9]/) add($i)
}
/^#endif/ { done() }
END {
    done()
    put_line("table", "")
    for (k = 1; k <= n; k++) put_line(order[k], order[k])
}
