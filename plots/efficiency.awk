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
function outer(m,    k, below, each, j) {
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

# median, lo and hi of x [m] as middle, low, high
function sum_up(x, m,    i, j, t, k) {
    for (i = 2; i <= m; i++)
        for (j = i; j > 1 && x[j] < x[j - 1]; j--) {
            t = x[j]
            x[j] = x[j - 1]
            x[j - 1] = t
        }
    k = m > 5 ? outer(m) : 1
    low = x[k]
    high = x[m + 1 - k]
    middle = (x[int((m + 1) / 2)] + x[int((m + 2) / 2)]) / 2
}

# times of p single ranks beside one another, for 1 / p of the ODEs each
function add_beside(at,    which, group, i) {
    group = like[at] SUBSEP n[at] SUBSEP beside_ranks[at]
    beside[group]++
    split("time_s kernel_s", which, " ")
    for (i = 1; i <= 2; i++) {
        sum[group, "median", which[i]] += median[at, which[i]]
        sum[group, "least", which[i]] += least[at, which[i]]
        sum[group, "most", which[i]] += most[at, which[i]]
        if (median[at, which[i]] > median[group, "slowest", which[i]]) {
            median[group, "slowest", which[i]] = median[at, which[i]]
            least[group, "slowest", which[i]] = least[at, which[i]]
            most[group, "slowest", which[i]] = most[at, which[i]]
        }
    }
}

# and the mean of these, as if it were one
function mean_beside(group,    which, i) {
    split("time_s kernel_s", which, " ")
    for (i = 1; i <= 2; i++) {
        median[group, which[i]] = sum[group, "median", which[i]] / beside[group]
        least[group, which[i]] = sum[group, "least", which[i]] / beside[group]
        most[group, which[i]] = sum[group, "most", which[i]] / beside[group]
    }
}

function keep(at, which,    x, i) {
    for (i = 1; i <= samples[at]; i++)
        x[i] = sample[at, which, i]
    sum_up(x, samples[at])
    median[at, which] = middle
    least[at, which] = low
    most[at, which] = high
}

function line(place, scaling, at, one, which, factor) {
    print scaling, order[at], solver[at], engine[at], sprintf("%g", dt[at]), place, deal[at],
        ranks[at], n[at], sprintf("%.4g", median[one, "time_s"] / (factor * median[at, which])),
        sprintf("%.4g", least[one, "time_s"] / (factor * most[at, which])),
        sprintf("%.4g", most[one, "time_s"] / (factor * least[at, which]))
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
    sample[at, "time_s", ++samples[at]] = R["time_s"]
    sample[at, "kernel_s", samples[at]] = R["kernel_s"]
}
END {
    print "scaling", "order", "solver", "engine", "dt_s", "place", "distribution", "ranks", "n", \
        "efficiency", "efficiency_lo", "efficiency_hi"
    for (i = 1; i <= cells; i++) {
        keep(list[i], "time_s")
        keep(list[i], "kernel_s")
        if (list[i] in beside_ranks)
            add_beside(list[i])
    }
    for (group in beside)
        mean_beside(group)
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
