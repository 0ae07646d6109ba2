# SPDX-License-Identifier: MIT
#
# Bars from roofline.csv: the time of each part of an attempt beside its least times by the limits
# of the hardware, a panel for each mechanism and engine. Loaded after figure.awk; variables:
# select, yname, command.
END {
    head_of_figure()
    limits = split("ns_per_ode flop_limit_ns shared_limit_ns issue_limit_ns", column, " ")
    split("measured|operations|shared memory|instructions", name, "|")
    for (k = 1; k <= limits; k++)
        for (i = 1; i <= rows; i++)
            if (R[i, column[k]] > 0) {
                points++
                figure_row(R[i, "mech"] ", " R[i, "engine"], yname, name[k], i, R[i, "part"], \
                    R[i, column[k]], "", "")
            }
    if (!points)
        missing_row("", yname, command)
}
