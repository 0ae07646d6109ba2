# SPDX-License-Identifier: MIT
#
# Efficiency against ranks out of cells.csv and samples.csv of runs on one rank and on several (make
# scaling). Loaded after columns.awk; reads what `rows --select` prints of each
# cells.csv, then of each samples.csv.
#
# strong: the time of one rank over ranks times that of several, for as many ODEs. weak: the time of
# one rank over that of p ranks with p times the ODEs. beside: the mean time of p single ranks that
# ran beside one another (folders alone-p/k), each with its share of the ODEs, over that of p ranks:
# what the distribution costs, on the same cores. slowest: that of the slowest of these, for which a
# distribution in fixed parts waits. The place of the states: root, time_s, end to
# end at rank 0; ranks, kernel_s, where each rank has its own. The interval is made of the ends of
# both medians' intervals: order statistics at 93 % or more, and the range of 5 samples or less.

function key_of(    k) {
    k = R["order"] SUBSEP R["dt_s"] SUBSEP R["solver"] SUBSEP R["engine"] SUBSEP R["schedule"]
    k = k SUBSEP R["threads"]
    return k SUBSEP R["rtol"] SUBSEP R["atol"] SUBSEP R["sample"] SUBSEP R["steps"]
}

# places of the interval of a median among m sorted samples: as far out as leaves 7 % outside
function outer(m,    k, below, each) {
    each = 0.5 ^ m
    below = each
    for (k = 1; k <= m / 2; k++) {
        each *= (m - k + 1) / k
        if (2 * (below + each) > 0.07)
            return k
        below += each
    }
    return 1
}

# a sample at its place in the sequence
function add_sample(at, which, seconds,    j) {
    for (j = ++samples[at, which]; j > 1 && seconds < sample[at, which, j - 1]; j--)
        sample[at, which, j] = sample[at, which, j - 1]
    sample[at, which, j] = seconds
}

function keep(at, which,    m, k) {
    m = samples[at, which]
    k = m > 5 ? outer(m) : 1
    time["least", at, which] = sample[at, which, k]
    time["most", at, which] = sample[at, which, m + 1 - k]
    time["median", at, which] = (sample[at, which, int((m + 1) / 2)] + \
        sample[at, which, int((m + 2) / 2)]) / 2
}

# one more of the p single ranks beside one another, for 1 / p of the ODEs each: their mean, and the
# slowest
function add_beside(at, which, group,    i, k, is_slowest) {
    is_slowest = time["median", at, which] > time["median", group SUBSEP "slowest", which]
    for (i = 1; i <= 3; i++) {
        k = ends[i]
        time[k, group, which] += (time[k, at, which] - time[k, group, which]) / beside[group]
        if (is_slowest)
            time[k, group SUBSEP "slowest", which] = time[k, at, which]
    }
}

function line(place, scaling, at, one, which, factor) {
    print scaling, order[at], solver[at], engine[at], sprintf("%g", dt[at]), place, deal[at],
        ranks[at], n[at], \
        sprintf("%.4g", time["median", one, "time_s"] / (factor * time["median", at, which])), \
        sprintf("%.4g", time["least", one, "time_s"] / (factor * time["most", at, which])), \
        sprintf("%.4g", time["most", one, "time_s"] / (factor * time["least", at, which]))
}

function lines(at, one, scaling, factor) {
    line("root", scaling, at, one, "time_s", factor)
    line("ranks", scaling, at, one, "kernel_s", factor)
}

{
    for (name in col)
        R[name] = $col[name]
    in_samples = R["file"] ~ /samples[.]csv$/
    folder = R["file"]
    sub(/[^\/]*$/, "", folder)
    at = folder SUBSEP key_of() SUBSEP R["n"]
}
!in_samples {
    list[++cells] = at
    ranks[at] = R["ranks"]
    n[at] = R["n"]
    order[at] = R["order"]
    dt[at] = R["dt_s"]
    solver[at] = R["solver"]
    engine[at] = R["engine"]
    deal[at] = R["distribution"]
    like[at] = key_of()
    if (match(folder, /alone-[0-9]+\/[0-9]+\/$/))
        beside_ranks[at] = substr(folder, RSTART + 6) + 0
    else if (R["ranks"] == 1)
        alone[like[at], R["n"]] = at
}
in_samples && at in ranks {
    add_sample(at, "time_s", R["time_s"])
    add_sample(at, "kernel_s", R["kernel_s"])
}
END {
    split("least median most", ends, " ")
    print "scaling", "order", "solver", "engine", "dt_s", "place", "distribution", "ranks", "n", \
        "efficiency", "efficiency_lo", "efficiency_hi"
    for (i = 1; i <= cells; i++) {
        at = list[i]
        keep(at, "time_s")
        keep(at, "kernel_s")
        if (at in beside_ranks) {
            group = like[at] SUBSEP n[at] SUBSEP beside_ranks[at]
            beside[group]++
            add_beside(at, "time_s", group)
            add_beside(at, "kernel_s", group)
        }
    }
    for (i = 1; i <= cells; i++) {
        at = list[i]
        if (ranks[at] > 1 && (like[at], n[at]) in alone)
            lines(at, alone[like[at], n[at]], "strong", ranks[at])
    }
    for (i = 1; i <= cells; i++) {
        at = list[i]
        if (ranks[at] > 1 && (like[at], n[at] / ranks[at]) in alone)
            lines(at, alone[like[at], n[at] / ranks[at]], "weak", 1)
    }
    for (i = 1; i <= cells; i++) {
        at = list[i]
        group = like[at] SUBSEP int(n[at] / ranks[at]) SUBSEP ranks[at]
        if (ranks[at] > 1 && group in beside) {
            lines(at, group, "beside", 1)
            lines(at, group SUBSEP "slowest", "slowest", 1)
        }
    }
}
