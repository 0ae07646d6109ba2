# SPDX-License-Identifier: MIT
#
# Histograms from divergence.csv: warps by D for each order. Loaded after figure.awk; variables:
# select, panel (column or "a+b"), yname, marks, command, and machine and git of the run.

function panel_of(i,    names, n, k, text) {
    n = split(panel, names, "+")
    for (k = 1; k <= n; k++)
        text = text (k > 1 ? ", " : "") (names[k] == "dt_s" ? "dt " short(R[i, "dt_s"]) " s" : R[i, names[k]])
    return text
}

END {
    if (failed) exit 2
    select_rows(select)
    head_of_figure()
    for (i = 1; i <= rows; i++) {
        if (!alive[i] || R[i, "histogram"] != "warp" || R[i, "measure"] == "")
            continue
        p = panel_of(i)
        if (!(p in panel_at)) { panel_at[p] = ++panels; title[panels] = p }
        s = p SUBSEP R[i, "order"]
        # one cell stands for an order
        if (!(s in cell)) { cell[s] = R[i, "key"]; series[++bars] = s; first[s] = i; D[s] = R[i, "D"] }
        if (cell[s] == R[i, "key"])
            count[s, int(R[i, "lo"] * 32 + 0.5)] = R[i, "count"]
    }
    for (p = 2; p <= panels; p++) # alphabetic, so that the steps of a mechanism stand side by side
        for (k = p; k > 1 && title[k] "" < title[k - 1] ""; k--) { s = title[k]; title[k] = title[k - 1]; title[k - 1] = s }
    for (p = 1; p <= panels; p++)
        for (m = 1; m <= bars; m++) {
            s = series[m]
            split(s, part, SUBSEP)
            if (part[1] != title[p])
                continue
            for (k = 0; k < 32; k++)
                figure_row(part[1], yname, part[2] sprintf(", D %.2f", D[s]), first[s], (k + 0.5) / 32, count[s, k] + 0, "", "")
        }
    paper_rows(marks, panels, title)
    if (!bars)
        missing_row("", yname, command)
}
