# SPDX-License-Identifier: MIT
#
# The table behind a figure, which plots/panels.awk draws and plots/text.awk prints: loaded after
# columns.awk and before the program that makes it. Reads the rows that `rows --select` prints,
# R[row, column], those that were ended at their budget as R[-1, column], R[-2, column] ... down to
# `ended`; writes lines between tabs, of which `rows --csv` makes CSV. One row a point:
#   panel, quantity   column and row of panels it is in
#   series, x, y, lo, hi, xlo, xhi   the curve, and intervals of y and x (xlo and xhi are variables)
#   kind   measured; paper (a number printed in the paper: a line at x or y); bound (a line above
#          which what was not measured lies); missing (nothing to draw: y is what to do)
#   rows   run/table:line of the rows behind it (`from`, or the row's own)

{
    in_row = "status" in col && $col["status"] == "skipped" ? --ended : ++rows
    for (in_line in col)
        R[in_row, in_line] = $col[in_line]
}

function on_gpu(i) { return substr(R[i, "engine"], 1, 3) == "gpu" }
function cores(i) { return R[i, "threads"] (R[i, "threads"] == 1 ? " core" : " cores") }

function head_of_figure(    line) {
    line = "panel quantity series solver engine order schedule threads n dt_s rtol atol x y lo " \
        "hi xlo xhi kind experiment run git machine rows"
    gsub(/ /, OFS, line)
    print line
}

# fields of row i, a tab behind each
function cells(i, names,    name, n, k, text) {
    n = split(names, name, " ")
    for (k = 1; k <= n; k++)
        text = text R[i, name[k]] OFS
    return text
}

function figure_row(panel, quantity, series, i, x, y, lo, hi) {
    print panel, quantity, series, cells(i, "solver engine order schedule threads n dt_s rtol " \
        "atol") x, y, lo, hi, xlo, xhi, "measured", cells(i, "experiment run") \
        substr(R[i, "git"], 1, 12), R[i, "machine"], from == "" ? R[i, "row"] : from
    drawn[panel, quantity] = 1
    shown++
}

# a row of nothing measured
function other_row(panel, quantity, series, x, y, kind) {
    print panel, quantity, series, "", "", "", "", "", "", "", "", "", x, y, "", "", "", "", kind, \
        "", "", "", "", ""
}

# marks: "quantity|x, y or y>|value or lo-hi|label[|panel]" between semicolons; `quantities` as
# figure rows name them; y>: a bound
function paper_rows(marks, panels, panel,    list, n, k, f, fields, p, v, j, m, is_bound) {
    n = split(marks, list, ";")
    for (k = 1; k <= n; k++) {
        sub(/^ */, "", list[k])
        fields = split(list[k], f, "|")
        m = split(f[3], v, /[.][.]/)
        is_bound = f[2] == "y>"
        for (p = 1; p <= panels; p++)
            if ((fields < 5 || index(panel[p], f[5])) && (panel[p], f[1]) in drawn)
                for (j = 1; j <= m; j++)
                    other_row(panel[p], f[1], (is_bound ? "" : "paper: ") f[4],
                        f[2] == "x" ? v[j] : "", f[2] == "x" ? "" : v[j],
                        is_bound ? "bound" : "paper")
    }
}

# ---- panels: title[1..panels] in the sequence of their ranks ----

# the panel of a row: `panel` is a column, or several with + between
function panel_of(i,    text, names, n, k, part) {
    n = split(panel, names, "+")
    text = ""
    for (k = 1; k <= n; k++) {
        part = R[i, names[k]]
        if (names[k] == "dt_s")
            part = "dt = " short(part) " s"
        else if (names[k] == "n")
            part = "n = " part
        else if (names[k] == "place")
            part = on_gpu(i) ? "" : cores(i)
        text = text (text == "" || part == "" ? "" : ", ") part
    }
    return text
}

function add_panel(name, rank) {
    if (!(name in panel_at)) {
        panel_at[name] = ++panels
        title[panels] = name
        rank_of_panel[name] = rank
    } else if (rank "" < rank_of_panel[name] "")
        rank_of_panel[name] = rank
}

# a row's experiment in the sequence of the sources, its time step and its n
function rank_of_row(i,    run) {
    run = R[i, "experiment"] " " R[i, "run"]
    if (!(run in run_number))
        run_number[run] = ++runs
    return sprintf("%03d %.12f %012d", run_number[run], R[i, "dt_s"], R[i, "n"])
}

function sort_panels(    p, k, name) {
    for (p = 2; p <= panels; p++)
        for (k = p; k > 1 &&
            rank_of_panel[title[k]] "" < rank_of_panel[title[k - 1]] ""; k--) {
            name = title[k]
            title[k] = title[k - 1]
            title[k - 1] = name
        }
}

function missing_row(panel, quantity, text) {
    other_row(panel, quantity, "", "", text, "missing")
}
