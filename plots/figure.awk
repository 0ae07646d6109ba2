# SPDX-License-Identifier: MIT
#
# The table behind a figure, which plots/panels.awk draws and plots/text.awk prints: loaded after
# select.awk by curves.awk and histogram.awk. One row for each point:
#   panel, quantity   column and row of panels it is in
#   series, x, y, lo, hi, xlo, xhi   the curve, and intervals of y and x (xlo and xhi are variables)
#   kind   measured; paper (a number printed in the paper: a line at x or y); missing (nothing to
#          draw: y is what to do)

function head_of_figure() {
    print "panel,quantity,series,solver,engine,order,schedule,threads,n,dt_s,rtol,atol," \
          "x,y,lo,hi,xlo,xhi,kind,experiment,run,git,machine"
}

# fields of row i, a comma behind each
function cells(i, names,    name, n, k, text) {
    n = split(names, name, " ")
    for (k = 1; k <= n; k++)
        text = text csv_field(R[i, name[k]]) ","
    return text
}

function figure_row(panel, quantity, series, i, x, y, lo, hi) {
    printf "%s,%s,%s,%s", csv_field(panel), csv_field(quantity), csv_field(series), \
        cells(i, "solver engine order schedule threads n dt_s rtol atol")
    printf "%s,%s,%s,%s,%s,%s,measured,", csv_field(x), csv_field(y), csv_field(lo), \
        csv_field(hi), csv_field(xlo), csv_field(xhi)
    printf "%s%s,%s\n", cells(i, "experiment run"), csv_field(substr(R[i, "git"], 1, 12)), \
        csv_field(R[i, "machine"])
    drawn[panel, quantity] = 1
    shown++
}

# marks: "quantity|x or y|value or lo-hi|label[|panel]" between semicolons; `quantities` as figure
# rows name them
function paper_rows(marks, panels, panel,    list, n, k, f, fields, p, v, parts, j, m) {
    n = split(marks, list, ";")
    for (k = 1; k <= n; k++) {
        sub(/^ */, "", list[k])
        fields = split(list[k], f, "|")
        m = split(f[3], v, /[.][.]/)
        for (p = 1; p <= panels; p++)
            if ((fields < 5 || index(panel[p], f[5])) && (panel[p], f[1]) in drawn)
                for (j = 1; j <= m; j++)
                    print csv_field(panel[p]) "," csv_field(f[1]) "," \
                        csv_field("paper: " f[4]) ",,,,,,,,,," (f[2] == "x" ? v[j] ",,,,,," : \
                        "," v[j] ",,,,,") "paper,,,,"
    }
}

# a number as people write it: 1e-6
function short(v) {
    v = v + 0 > 0 && v + 0 < 0.01 ? sprintf("%.6e", v) : sprintf("%g", v)
    sub(/0+e/, "e", v); sub(/[.]e/, "e", v); sub(/e-0/, "e-", v)
    return v
}

function missing_row(panel, quantity, text) {
    print csv_field(panel) "," csv_field(quantity) ",,,,,,,,,,,," csv_field(text) ",,,,,missing,,,,"
}
