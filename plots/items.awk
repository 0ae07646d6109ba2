# SPDX-License-Identifier: MIT
#
# A table from tables.csv (mech, item, value): items against mechanisms, or with x=item one column.
# Loaded after figure.awk.
END {
    if (failed) exit 2
    select_rows(select)
    head_of_figure()
    for (i = 1; i <= rows; i++)
        if (alive[i]) {
            points++
            figure_row("", yname, R[i, x == "item" ? "mech" : "item"], i, R[i, x], R[i, "value"], \
                "", "")
        }
    if (!points)
        missing_row("", yname, command)
}
