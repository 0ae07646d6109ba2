# SPDX-License-Identifier: MIT
#
# A table from tables.csv (mech, item, value): items against mechanisms, or with x=item one column.
# Loaded after figure.awk.
END {
    head_of_figure()
    for (i = 1; i <= rows; i++)
        figure_row("", yname, R[i, x == "item" ? "mech" : "item"], i, R[i, x], R[i, "value"], \
            "", "")
    if (!rows)
        missing_row("", yname, command)
}
