# SPDX-License-Identifier: MIT
#
# Columns of cells.csv as curves: for each selected row the columns named, at the
# place that `label` names (solver, engine, dt_s or slices). Loaded after figure.awk.

function place_of(i) {
    if (label == "slices")
        return match(R[i, "solver"], /slice=[0-9]+/) ? \
            int(0.999 + R[i, "n"] / substr(R[i, "solver"], RSTART + 6, RLENGTH - 6)) : "default"
    if (label == "dt_s")
        return short(R[i, label])
    return R[i, label == "engine" ? "engine" : "solver"]
}

# a column in the words of the field
function called(column) {
    sub(/_mean$/, "", column)
    return column == "steps" ? "substeps" : column == "rhs" ? "f" : column == "jac" ? "J" : \
        column == "lu" ? "LU" : column == "solve" ? "solves" : column
}

END {
    head_of_figure()
    n = split(columns_shown, name, ",")
    for (i = 1; i <= rows; i++)
        for (k = 1; k <= n; k++)
            figure_row("", yname, called(name[k]), i, place_of(i), R[i, name[k]], "", "")
    if (!rows)
        missing_row("", yname, command)
}
