# SPDX-License-Identifier: MIT
#
# What orders and schedules cost, from cells.csv and divergence.csv together: time over that of the
# order similar with the static schedule (without it the first order's), beside what the counts of
# evaluations and attempts make of groups of lanes, and D. Engines of one lane wait for nothing and
# are left out. Loaded after figure.awk.

function what(i) {
    return R[i, "solver"] " " R[i, "engine"] (on_gpu(i) ? "" : ", " cores(i)) ", dt " \
        short(R[i, "dt_s"]) " s"
}
function key(i, order, schedule) { return what(i) SUBSEP order SUBSEP schedule }

function note_row(i,    b) {
    if (R[i, "measure"] == "rhs") {
        expect[key(i, R[i, "order"], "static")] = R[i, "slow_down"]
        expect[key(i, R[i, "order"], "refill")] = R[i, "slow_down_refill"]
        D[what(i), R[i, "order"]] = R[i, "D"]
    }
    if (R[i, "lanes"] < 2 || R[i, "time_s"] == "")
        return
    cell[key(i, R[i, "order"], R[i, "schedule"])] = i
    if (!(what(i) in seen)) {
        seen[what(i)] = ++panels
        title[panels] = what(i)
        base[panels] = i
    }
    order_seen[R[i, "order"]] = 1
    b = base[seen[what(i)]]
    if (R[i, "schedule"] == "static" && \
        (R[i, "order"] == "similar" || R[b, "schedule"] != "static"))
        base[seen[what(i)]] = i
}

function bars_of(p, order, schedule,    b, i, e) {
    b = base[p]
    if (!((title[p], order, schedule) in cell))
        return
    i = cell[title[p], order, schedule]
    figure_row(title[p], yname, schedule, i, order, R[i, "time_s"] / R[b, "time_s"], \
        R[i, "time_lo_s"] / R[b, "time_s"], R[i, "time_hi_s"] / R[b, "time_s"])
    e = expect[title[p], R[b, "order"], R[b, "schedule"]]
    if (e > 0)
        figure_row(title[p], yname, schedule ", expected", i, order, \
            expect[title[p], order, schedule] / e, "", "")
}

END {
    n = 0
    for (i = 1; i <= rows; i++)
        note_row(i)
    head_of_figure()
    m = split("similar sorted-cost sorted-own sorted-f sorted-T generated shuffled", order, " ")
    for (p = 1; p <= panels; p++)
        for (k = 1; k <= m; k++) {
            if (!(order[k] in order_seen))
                continue
            bars_of(p, order[k], "static")
            bars_of(p, order[k], "refill")
            if ((title[p], order[k]) in D)
                figure_row(title[p], "D of warps of 32", "D", base[p], order[k], \
                    D[title[p], order[k]], "", "")
        }
    if (!panels)
        missing_row("", yname, "no engine with several lanes was measured")
}
