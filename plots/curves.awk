# SPDX-License-Identifier: MIT
#
# Curves (or bars) from the rows that `select` left, drawn as y against x, and the ratios of two
# curves below. Loaded after figure.awk. Variables:
#   x, y      columns, or us (time for one ODE), nc (unknowns), copies (time of copies), slices,
#             step_ratio (most over mean number of steps)
#   panel     columns whose values get a panel each, as a+b; place: GPU, or so many cores
#   xname, yname   what stands at the axes
#   also, alsoname   a second column, in a row of panels of its own; only=ratios: no y
#   ratios    "label=A/B;...", A and B as solver,engine[,threads 1 or many][,order]: A's time over
#             B's; in the label %t stands for A's threads, %m for its mechanism
#   rname     what stands at the axis of ratios
#   curves    at most so many curves in a panel, those of least y at the largest x
#   marks, command   figure.awk; what a panel without data says
#   paper_n   the largest n of the paper: the caption says which curves of times end before it, and
#             what a point there would take; needs status=ok,skipped among the selectors

# the number behind `name=` among the options of a solver, "" without
function option(i, name,    pattern) {
    pattern = name "=[0-9]+"
    return match(R[i, "solver"], pattern) ? \
        substr(R[i, "solver"], RSTART + length(name) + 1, RLENGTH - length(name) - 1) : ""
}

function value(i, name) {
    if (name == "us")
        return "us_per_ode" in col ? R[i, "us_per_ode"] : 1e6 * R[i, "time_s"] / R[i, "n"]
    if (name == "nc")
        return R[i, "nsp"] + 1
    if (name == "copies")
        return R[i, "copy_in_s"] + R[i, "copy_out_s"]
    if (name == "step_ratio")
        return R[i, "steps_mean"] > 0 ? R[i, "steps_max"] / R[i, "steps_mean"] : ""
    if (name == "slices")
        return option(i, "slice") ? R[i, "n"] / option(i, "slice") : option(i, "cycles")
    return name == "dt_s" ? short(R[i, name]) : R[i, name]
}

# an end of the interval of y: `end` lo or hi
function bound(i, end,    t) {
    if ((y "_" end) in col)
        return R[i, y "_" end]
    t = R[i, "time_" end "_s"]
    if (y == "time_s")
        return t
    if (y == "us")
        return "us_" end in col ? R[i, "us_" end] : (t == "" ? "" : 1e6 * t / R[i, "n"])
    t = R[i, "time_" (end == "lo" ? "hi" : "lo") "_s"]
    return y == "ode_per_s" && t > 0 ? R[i, "n"] / t : ""
}

# ---- what curves are called, and which panel they are in ----

function varies(field,    i, first, any) {
    for (i = 1; i <= rows; i++) {
        if (field == "threads" && on_gpu(i))
            continue
        if (any && R[i, field] != first)
            return 1
        first = R[i, field]
        any = 1
    }
    return 0
}

# curves that schedules alone tell apart
function what(i) {
    return R[i, "solver"] "|" R[i, "engine"] "|" R[i, "threads"] "|" R[i, "order"] "|" panel_of(i)
}

# which fields tell the curves apart
function look_over(    n, names, k, i, s) {
    n = split("solver engine threads order schedule mech", names, " ")
    for (k = 1; k <= n; k++)
        several[names[k]] = varies(names[k])
    for (i = 1; i <= rows; i++) {
        s = R[i, "solver"]
        if (s in tolerance_of && tolerance_of[s] != R[i, "rtol"])
            several_tolerances[s] = 1
        tolerance_of[s] = R[i, "rtol"]
        schedules[what(i)] += !((what(i), R[i, "schedule"]) in met_schedule)
        met_schedule[what(i), R[i, "schedule"]] = 1
    }
}

function label_of(i,    text, solver) {
    solver = R[i, "solver"]
    sub(/:(slice|cycles|steps)=[0-9]+/, "", solver)
    text = several["solver"] || !several["engine"] ? solver : ""
    if (several["engine"] && panel !~ /engine/)
        text = text " " R[i, "engine"]
    if (!on_gpu(i) && several["threads"] && panel !~ /place/)
        text = text " " cores(i)
    if (several["order"] && panel != "order")
        text = text " " R[i, "order"]
    if (schedules[what(i)] > 1)
        text = text " " R[i, "schedule"]
    if (several_tolerances[R[i, "solver"]] && x !~ /^err_p95/)
        text = text " rtol " short(R[i, "rtol"])
    if (several["mech"] && panel !~ /mech/ && x != "nc" && x != "mech")
        text = text " " R[i, "mech"]
    sub(/^ /, "", text)
    return text
}

# panels by experiment, time step and n, or alphabetic, so that those of an engine are together
function find_panels(    i) {
    for (i = 1; i <= rows; i++)
        add_panel(panel_of(i), curves ? panel_of(i) : rank_of_row(i))
    sort_panels()
    for (i = 1; i <= panels; i++)
        place_of[title[i]] = i
}

# drop[panel, series]: where there are more curves than `curves`, the slowest ones, but never the
# fastest CVODE
function thin(    i, s, p, k, other, list) {
    for (i = 1; i <= rows; i++) {
        s = panel_of(i) SUBSEP label_of(i)
        measures[s] = R[i, "yardstick"] + 0
        if (!(s in far) || value(i, x) + 0 >= far[s] + 0) {
            far[s] = value(i, x) + 0
            last[s] = value(i, y) + 0
        }
    }
    for (s in last) {
        split(s, p, SUBSEP)
        if (measures[s] && (!(p[1] in yardstick) || last[s] < last[yardstick[p[1]]]))
            yardstick[p[1]] = s
    }
    for (k in yardstick)
        last[yardstick[k]] = 0
    for (s in last) {
        k = 0
        split(s, p, SUBSEP)
        for (other in last) {
            split(other, list, SUBSEP)
            k += list[1] == p[1] && \
                (last[other] < last[s] || (last[other] == last[s] && other < s))
        }
        drop[s] = k >= curves
        dropped[p[1]] += drop[s]
    }
}

# ---- points ----

function usable(i) {
    return value(i, x) != "" && value(i, y) != "" && value(i, y) != "inf" && \
        (x !~ /^err_p95/ || value(i, x) > 0) && !drop[panel_of(i) SUBSEP label_of(i)]
}

function sequence(i) {
    return sprintf("%02d%02d%03d%02d%02d", R[i, "wish_engine"], R[i, "wish_solver"], \
        R[i, "threads"], R[i, "wish_order"], R[i, "wish_schedule"])
}

# Is there a point of another run, which comes first, at the same place of the same curve?
function taken(i,    key) {
    if (x != "n" && x != "nc")
        return 0
    key = panel_of(i) SUBSEP label_of(i) SUBSEP value(i, x)
    if (!(key in holder))
        holder[key] = R[i, "run"]
    return holder[key] != R[i, "run"]
}

# curves in the sequence of `select`, points from left to right
function point_rows(    sort, i, line, f) {
    sort = "LC_ALL=C sort -t\"\t\" -k1,1n -k2,2 -k3,3g -k4,4n >\"$scratch\""
    printf "" | sort
    for (i = 1; i <= rows; i++)
        if (usable(i))
            print place_of[panel_of(i)] "\t" sequence(i) "\t" value(i, x) "\t" i | sort
    close(sort)
    while ((getline line <ENVIRON["scratch"]) > 0) {
        split(line, f, "\t")
        i = f[4]
        if (taken(i))
            continue
        from_left[++points] = i
        if (only == "ratios")
            continue
        xlo = x == "err_p95" ? R[i, "err_p95_lo"] : ""
        xhi = x == "err_p95" ? R[i, "err_p95_hi"] : ""
        figure_row(panel_of(i), yname, label_of(i), i, value(i, x), value(i, y), \
            bound(i, "lo"), bound(i, "hi"))
        if (also != "" && value(i, also) + 0 > 0)
            figure_row(panel_of(i), alsoname, label_of(i), i, value(i, x), value(i, also), "", "")
    }
}

# ---- ratios ----

# does row i fit the side "solver,engine,threads,order" of a ratio?
function fits(i, side,    f, n, many) {
    n = split(side, f, ",")
    if (R[i, "solver"] != f[1] || (f[2] != "" && R[i, "engine"] != f[2]))
        return 0
    many = R[i, "threads"] > 1 ? "many" : "1"
    if (n > 2 && f[3] != "" && !on_gpu(i) && f[3] != many)
        return 0
    return n < 4 || f[4] == "" || f[4] == R[i, "order"]
}

function filled(text, i) {
    gsub(/%t/, R[i, "threads"], text)
    gsub(/%m/, R[i, "mech"], text)
    return text
}

function ratio_rows(spec,    at, label, sides, below, i, j, k, key) {
    at = index(spec, "=")
    label = substr(spec, 1, at - 1)
    split(substr(spec, at + 1), sides, "/")
    for (j = 1; j <= rows; j++) {
        key = panel_of(j) "|" R[j, "mech"] "|" value(j, x)
        if (fits(j, sides[2]) && (!(key in below) || R[j, "time_s"] < R[below[key], "time_s"]))
            below[key] = j
    }
    for (k = 1; k <= points; k++) {
        i = from_left[k]
        key = panel_of(i) "|" R[i, "mech"] "|" value(i, x)
        if (!fits(i, sides[1]) || !(key in below) || below[key] == i)
            continue
        j = below[key]
        from = R[i, "row"] " " R[j, "row"]
        if (R[j, "time_s"] > 0 && R[j, "time_lo_s"] > 0)
            figure_row(panel_of(i), rname, filled(label, i), one_above ? j : i, value(i, x), \
                R[i, "time_s"] / R[j, "time_s"], R[i, "time_lo_s"] / R[j, "time_hi_s"], \
                R[i, "time_hi_s"] / R[j, "time_lo_s"])
    }
}

# where all have the same curve above, the one below gives a ratio its colour
function all_ratios(    n, k, specs, above, first) {
    xlo = xhi = ""
    n = split(ratios, specs, ";")
    for (k = 1; k <= n; k++) {
        above = substr(specs[k], index(specs[k], "=") + 1)
        sub(/,.*/, "", above)
        one_above = k == 1 ? n > 1 : one_above && above == first
        first = above
    }
    for (k = 1; k <= n; k++)
        ratio_rows(specs[k])
    from = ""
}

# ---- what is not there ----

# each dt asked for has a panel, where panels go by dt
function missing_panels(    n, j, p, wanted, there, text) {
    n = match(select, /dt_s=[^ |]*( |$)/) && panel ~ /dt_s/ && points ? \
        split(substr(select, RSTART + 5, RLENGTH - 5), wanted, ",") : 0
    for (j = 1; j <= n; j++) {
        there = 0
        text = "dt = " short(wanted[j]) " s"
        for (p = 1; p <= panels; p++)
            there = there || index(title[p], text)
        if (!there)
            missing_row(text, only == "ratios" ? rname : yname, "not measured: " command)
    }
    if (!shown)
        missing_row("", only == "ratios" ? rname : yname, \
            (points ? "nothing to compare: " : "not measured: ") command)
}

# says where n changes the population, and not the number of ODEs alone
function check_work(    i, off, worst) {
    for (i = 1; i <= rows; i++) {
        off = R[i, "work_ratio"] != "" ? R[i, "work_ratio"] - 1 : 0
        off = off < 0 ? -off : off
        worst = off > worst ? off : worst
    }
    if (worst > 0.1)
        printf "Work for one ODE changes with n, by up to %.0f %%\n", 100 * worst >ENVIRON["notes"]
}

# ---- curves that end before the paper's largest n ----

function span(s,    unit, name) {
    unit = s < 100 ? 1 : s < 6000 ? 60 : 3600
    name = s < 100 ? " s" : s < 6000 ? " min" : " h"
    return sprintf(s / unit < 9.95 ? "%.1f" : "%.0f", s / unit) name
}

# what the caption calls a curve
function curve_name(i,    text) {
    text = R[i, "solver"] (R[i, "engine"] == "cpu-scalar" ? "" : " " R[i, "engine"]) \
        (on_gpu(i) ? "" : " " cores(i))
    if (several["order"])
        text = text " " R[i, "order"]
    if (several["mech"])
        text = text " " R[i, "mech"]
    return text (panels > 1 ? " " panel_of(i) : "")
}

# seconds at the end of the reason why row i was ended: "... and 41.6 s: ...", "... of 40 s"
function ended_after(i) {
    return match(R[i, "why"], /[0-9.]+ s(:|$)/) ? substr(R[i, "why"], RSTART, RLENGTH) + 0 : 0
}

# seconds of a point at paper_n: a step's by row i, times n, in all steps of the repeats and of the
# run before them, or as bench predicted it for the n of a row that was ended
function cost(i) {
    if (i > 0)
        return R[i, "time_s"] * paper_n / R[i, "n"] * R[i, "steps"] * (1 + R[i, "repeats"])
    return match(R[i, "why"], /^predicted [0-9.e+]+ s/) ? \
        substr(R[i, "why"], 11, RLENGTH - 12) * paper_n / R[i, "n"] : 0
}

# A curve without a point: a line above which it lies, and what is known of its cost
function unmeasured(i,    t) {
    t = ended_after(i)
    if (t && R[i, "steps"] > 0)
        other_row(panel_of(i), yname, curve_name(i) ": more than this for " R[i, "n"] " ODEs", \
            "", t / R[i, "steps"], "bound")
    return curve_name(i) " has no point, " \
        (t ? "more than " span(2 * t) : cost(i) ? span(cost(i)) : "not known")
}

function check_ends(    k, i, name, at, n, names, text) {
    for (k = 1; k <= points; k++) {
        name = curve_name(from_left[k])
        if (!(name in at))
            names[++n] = name
        at[name] = from_left[k]
    }
    for (k = 1; k <= n; k++) {
        i = at[names[k]]
        if (R[i, "n"] + 0 < paper_n)
            text = text "; " names[k] " ends at " R[i, "n"] ", " span(cost(i))
    }
    for (i = -1; i >= ended; i--)
        if (!((name = curve_name(i)) in at)) {
            at[name] = i
            text = text "; " unmeasured(i)
        }
    if (text != "")
        printf "The paper goes on to n = %d. What ends before it, and what one point there would " \
            "take (a step's time by n, all its steps, the repeats and a run before them): %s\n", \
            paper_n, substr(text, 3) >ENVIRON["notes"]
}

END {
    look_over()
    if (curves)
        thin()
    head_of_figure()
    find_panels()
    point_rows()
    all_ratios()
    paper_rows(marks, panels, title)
    missing_panels()
    check_work()
    if (paper_n)
        check_ends()
    for (p = 1; p <= panels; p++)
        if (dropped[title[p]])
            print title[p] ": the " curves " fastest of " curves + dropped[title[p]] \
                " curves" >ENVIRON["notes"]
}
