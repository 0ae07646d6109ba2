# SPDX-License-Identifier: MIT
#
# A table from tables.csv (mech, item, value): items against mechanisms, or with x=item one column.
# Loaded after figure.awk. marks: "item|mechanism|number printed in the paper" between semicolons.
END {
    head_of_figure()
    for (i = 1; i <= rows; i++)
        figure_row("", yname, R[i, x == "item" ? "mech" : "item"], i, R[i, x], R[i, "value"], \
            "", "")
    n = split(marks, list, ";")
    for (k = 1; rows && k <= n; k++) {
        split(list[k], f, "|")
        other_row("", yname, f[1] ", paper", f[2], f[3], "printed")
    }
    if (!rows)
        missing_row("", yname, command)
}
