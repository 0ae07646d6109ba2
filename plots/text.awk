# SPDX-License-Identifier: MIT
#
# The text twin of a figure: its table (figure.awk) as columns, one for each curve. Loaded after
# csv.awk. Variables: heading, caption, xname.

function wrap(text, most,    words, n, i, line) {
    n = split(text, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] == "//" || (line != "" && length(line " " words[i]) > most)) { print line; line = "" }
        if (words[i] != "//") line = line (line == "" ? "" : " ") words[i]
    }
    print line
}
FNR == 1 { n = csv_split($0, h); for (i = 1; i <= n; i++) col[h[i]] = i; next }
{
    csv_split($0, f)
    key = f[col["panel"]] (f[col["panel"]] == "" ? "" : ": ") f[col["quantity"]]
    if (!(key in seen)) { seen[key] = ++panels; title[panels] = key }
    p = seen[key]
    s = f[col["series"]]; x = f[col["x"]]
    if (f[col["kind"]] == "missing") { missing[p] = f[col["y"]]; next }
    if (f[col["kind"]] == "paper") { notes[p] = notes[p] "  " s " (" (x == "" ? f[col["y"]] : "x = " x) ")\n"; next }
    if (!((p, s) in series)) { series[p, s] = ++many[p]; name[p, many[p]] = s }
    if (!((p, x) in place)) { place[p, x] = ++places[p]; at[p, places[p]] = x }
    y[p, place[p, x], series[p, s]] = sprintf(number(f[col["y"]]) ? "%.4g" : "%s", f[col["y"]])
}
END {
    if (failed) exit 2
    print heading "\n"
    for (p = 1; p <= panels; p++) {
        print title[p]
        # places in rising sequence where they are numbers
        for (i = 1; i <= places[p]; i++) to[i] = i
        for (i = 2; i <= places[p]; i++)
            for (j = i; j > 1 && number(at[p, to[j]]) && at[p, to[j]] + 0 < at[p, to[j - 1]] + 0; j--) { t = to[j]; to[j] = to[j - 1]; to[j - 1] = t }
        wide = length(xname)
        for (i = 1; i <= places[p]; i++) wide = length(at[p, i]) > wide ? length(at[p, i]) : wide
        if (many[p]) {
            printf "  %*s", wide, xname
            for (k = 1; k <= many[p]; k++) printf "  %*s", (length(name[p, k]) > 9 ? length(name[p, k]) : 9), name[p, k]
            printf "\n"
        }
        for (i = 1; i <= places[p]; i++) {
            printf "  %*s", wide, at[p, to[i]]
            for (k = 1; k <= many[p]; k++) printf "  %*s", (length(name[p, k]) > 9 ? length(name[p, k]) : 9), y[p, to[i], k]
            printf "\n"
        }
        if (missing[p] != "") print "  " missing[p]
        printf "%s\n", notes[p]
    }
    wrap(caption, 100)
}
