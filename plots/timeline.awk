# SPDX-License-Identifier: MIT
#
# When the copies and the kernel of each slice ran, from timeline.csv: a span for each, one row for
# a slice, a panel for each solver. Loaded after figure.awk; variables: select, yname, command.

function span(i, what, from, to) {
    if (R[i, from] == "" || R[i, to] == "")
        return
    xlo = 1e3 * R[i, from]
    xhi = 1e3 * R[i, to]
    figure_row(R[i, "solver"], yname, what, i, (xlo + xhi) / 2, R[i, "slice"] + 1, "", "")
}

END {
    head_of_figure()
    for (i = 1; i <= rows; i++) {
        span(i, "copy in", "copy_in_s", "kernel_s")
        span(i, "kernel", "kernel_s", "copy_out_s")
        span(i, "copy back", "copy_out_s", "done_s")
    }
    if (!shown)
        missing_row("", yname, "not measured: " command)
}
