# SPDX-License-Identifier: MIT
#
# Histograms from divergence.csv: warps by D for each order, or with share=1 the share of warps
# whose D is at most x for each solver and order (at most `curves` a panel, those of least D).
# Loaded after figure.awk; of rows with histogram=warp. Variables: panel (column or "a+b"), yname,
# marks, command.

# a curve: of each solver and order (and panel) the first cell
function gather(    i, p, s, k) {
    for (i = 1; i <= rows; i++) {
        p = panel_of(i)
        add_panel(p, rank_of_row(i))
        s = p SUBSEP R[i, "solver"] SUBSEP R[i, "order"]
        if (!(s in cell)) {
            cell[s] = R[i, "key"]
            series[++bars] = s
            first[s] = i
            D[s] = R[i, "D"]
        }
        if (cell[s] == R[i, "key"]) {
            k = int(R[i, "lo"] * 32 + 0.5)
            count[s, k] = R[i, "count"]
            row_of[s, k] = R[i, "row"]
            total[s] += R[i, "count"]
        }
        orders += !order_seen[R[i, "order"]]++
        solvers += !solver_seen[R[i, "solver"]]++
    }
}

# as many curves of a panel have a smaller D
function rank_of(m,    k, part, other, n) {
    split(series[m], part, SUBSEP)
    for (k = 1; k <= bars; k++) {
        split(series[k], other, SUBSEP)
        n += other[1] == part[1] && \
            (D[series[k]] < D[series[m]] || (D[series[k]] == D[series[m]] && k < m))
    }
    return n
}

function draw(s, part,    k, sum, text) {
    text = solvers > 1 ? part[2] (orders > 1 ? " " part[3] : "") : part[3]
    text = text sprintf(", D %.2f", D[s])
    from = ""
    for (k = 0; k < 32; k++) {
        sum += count[s, k]
        if ((s, k) in row_of)
            from = row_of[s, k]
        figure_row(part[1], yname, text, first[s], share ? (k + 1) / 32 : (k + 0.5) / 32, \
            share ? sum / total[s] : count[s, k] + 0, "", "")
    }
}

END {
    head_of_figure()
    gather()
    sort_panels()
    for (p = 1; p <= panels; p++)
        for (m = 1; m <= bars; m++) {
            split(series[m], part, SUBSEP)
            if (part[1] != title[p])
                continue
            if (curves && rank_of(m) >= curves)
                left[p]++
            else
                draw(series[m], part)
        }
    paper_rows(marks, panels, title)
    if (!bars)
        missing_row("", yname, "not measured: " command)
    for (p = 1; p <= panels; p++)
        if (left[p])
            print title[p] ": the " curves " of least D of " curves + left[p] " curves" \
                >ENVIRON["notes"]
}
