# SPDX-License-Identifier: MIT
#
# A figure as text: its table (figure.awk) as columns, one for each curve. Loaded after
# columns.awk and number.awk. Of the environment: heading, caption, xname.

BEGIN { xname = ENVIRON["xname"] }

function longer(a, b) { return length(a) > b ? length(a) : b }

{
    panel = $col["panel"]; series = $col["series"]; x = $col["x"]; value = $col["y"]
    key = panel (panel == "" ? "" : ": ") $col["quantity"]
    if (!(key in seen)) {
        seen[key] = ++panels
        title[panels] = key
    }
    p = seen[key]
    if ($col["kind"] == "missing") {
        missing[p] = value
        next
    }
    if ($col["kind"] == "paper" || $col["kind"] == "bound") {
        notes[p] = notes[p] "  " series " (" (x == "" ? value : "x = " x) ")\n"
        next
    }
    if (!((p, series) in column)) {
        column[p, series] = ++many[p]
        name[p, many[p]] = series
        wide[p, many[p]] = longer(series, 9)
    }
    if (!((p, x) in place)) {
        place[p, x] = ++places[p]
        at[p, places[p]] = x
    }
    k = column[p, series]
    y[p, place[p, x], k] = sprintf(number(value) ? "%.4g" : "%s", value)
    wide[p, k] = longer(y[p, place[p, x], k], wide[p, k])
}

# places in rising sequence where they are numbers
function sorted(p,    i, j, t) {
    for (i = 1; i <= places[p]; i++)
        to[i] = i
    for (i = 2; i <= places[p]; i++)
        for (j = i; j > 1 && number(at[p, to[j]]) && at[p, to[j]] + 0 < at[p, to[j - 1]] + 0; j--) {
            t = to[j]
            to[j] = to[j - 1]
            to[j - 1] = t
        }
}

function print_line(p, first, width, i,    k) {
    printf "  %*s", width, first
    for (k = 1; k <= many[p]; k++)
        printf "  %*s", wide[p, k], i ? y[p, i, k] : name[p, k]
    printf "\n"
}

END {
    print ENVIRON["heading"] "\n"
    for (p = 1; p <= panels; p++) {
        print title[p]
        sorted(p)
        width = length(xname)
        for (i = 1; i <= places[p]; i++)
            width = longer(at[p, i], width)
        if (many[p])
            print_line(p, xname, width, 0)
        for (i = 1; i <= places[p]; i++)
            print_line(p, at[p, to[i]], width, to[i])
        if (missing[p] != "")
            print "  " missing[p]
        printf "%s\n", notes[p]
    }
    print wrap(ENVIRON["caption"], 98)
}
