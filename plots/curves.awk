# SPDX-License-Identifier: MIT
#
# Curves (or bars) from cells.csv: rows chosen by `select` (select.awk), drawn as y against x, and
# the ratios of two curves below. Variables:
#   x, y      columns, or us (time for one ODE), nc (unknowns), copies (time of copies), per_step
#   panel     column whose values get a panel each
#   xname, yname   what stands at the axes
#   also, alsoname   a second column, in a row of panels of its own; only=ratios: no y
#   ratios    "label=A/B;...", A and B as solver,engine[,threads 1 or many][,order]: A's y over B's
#   rname     what stands at the axis of ratios
#   curves    at most so many curves in a panel, those of least y at the largest x
#   marks, command   figure.awk; what a panel without data says

function value(i, name) {
    if (name == "us" && "us_per_ode" in named)
        return R[i, "us_per_ode"]
    if (name == "us")
        return 1e6 * R[i, "time_s"] / R[i, "n"]
    if (name == "nc")
        return R[i, "nsp"] + 1
    if (name == "copies")
        return R[i, "copy_in_s"] + R[i, "copy_out_s"]
    if (name == "step_ratio")
        return R[i, "steps_mean"] > 0 ? R[i, "steps_max"] / R[i, "steps_mean"] : ""
    if (name == "slices")
        return match(R[i, "solver"], /slice=[0-9]+/) ? \
            R[i, "n"] / substr(R[i, "solver"], RSTART + 6, RLENGTH - 6) : \
            match(R[i, "solver"], /cycles=[0-9]+/) ? substr(R[i, "solver"], RSTART + 7, RLENGTH - 7) : ""
    return name == "dt_s" ? short(R[i, name]) : R[i, name]
}

# an end of the interval of y: `end` lo or hi
function bound(i, end,    t) {
    t = R[i, "time_" end "_s"]
    if (y == "time_s")
        return t
    if (y == "us")
        return "us_" end in named ? R[i, "us_" end] : (t == "" ? "" : 1e6 * t / R[i, "n"])
    t = R[i, "time_" (end == "lo" ? "hi" : "lo") "_s"]
    return y == "ode_per_s" && t > 0 ? R[i, "n"] / t : ""
}

function varies(field,    i, first, any) {
    for (i = 1; i <= rows; i++) {
        if (!alive[i] || (field == "threads" && on_gpu(i)))
            continue
        if (any && R[i, field] != first)
            return 1
        first = R[i, field]; any = 1
    }
    return 0
}

# curves that schedules alone tell apart
function what(i) { return R[i, "solver"] "|" R[i, "engine"] "|" R[i, "threads"] "|" R[i, "order"] "|" panel_of(i) }

# what tells the curves of a panel apart
function label_of(i,    text, solver) {
    solver = R[i, "solver"]
    sub(/:(slice|cycles|steps)=[0-9]+/, "", solver)
    sub(/:jacobian=fd:linear=dense/, " (FD, dense)", solver)
    text = several["solver"] || !several["engine"] ? solver : ""
    if (several["engine"] && panel !~ /engine/)
        text = text " " R[i, "engine"]
    if (!on_gpu(i) && several["threads"] && panel !~ /place/)
        text = text " " R[i, "threads"] (R[i, "threads"] == 1 ? " core" : " cores")
    if (several["order"] && panel != "order")
        text = text " " R[i, "order"]
    if (schedules[what(i)] > 1)
        text = text " " R[i, "schedule"]
    if (several_tolerances[R[i, "solver"]] && x != "err_p95")
        text = text " rtol " short(R[i, "rtol"])
    if (several["mech"] && panel != "mech" && x != "nc")
        text = text " " R[i, "mech"]
    sub(/^ /, "", text)
    return text
}

function place_of(i) { return on_gpu(i) ? "GPU" : R[i, "threads"] (R[i, "threads"] == 1 ? " core" : " cores") }

function panel_of(i,    text, names, n, k) {
    n = split(panel, names, "+")
    text = ""
    for (k = 1; k <= n; k++) {
        if (names[k] == "place" && on_gpu(i))
            continue
        text = text (k > 1 ? ", " : "") (names[k] == "dt_s" ? "dt = " short(R[i, "dt_s"]) " s" : \
            names[k] == "place" ? place_of(i) : (names[k] == "n" ? "n = " : "") R[i, names[k]])
    }
    return text
}

# does row i fit the side "solver,engine,threads,order" of a ratio?
function fits(i, side,    f, n) {
    n = split(side, f, ",")
    if (!equal(R[i, "solver"], f[1]) || (f[2] != "" && !equal(R[i, "engine"], f[2])))
        return 0
    if (n > 2 && f[3] != "" && !on_gpu(i) && (f[3] == "many" ? R[i, "threads"] + 0 < 2 : R[i, "threads"] != f[3]))
        return 0
    return n < 4 || f[4] == "" || f[4] == R[i, "order"]
}

# %t: threads of row i; %m: its mechanism
function filled(text, i) {
    gsub(/%t/, R[i, "threads"], text)
    gsub(/%m/, R[i, "mech"], text)
    return text
}

function ratio_rows(spec,    at, label, sides, a, b, i, j, key) {
    at = index(spec, "=")
    label = substr(spec, 1, at - 1)
    split(substr(spec, at + 1), sides, "/")
    split("", below)
    for (j = 1; j <= rows; j++) {
        if (alive[j] && fits(j, sides[2])) {
            key = panel_of(j) "|" R[j, "mech"] "|" value(j, x)
            if (!(key in below) || R[j, "time_s"] < R[below[key], "time_s"])
                below[key] = j
        }
    }
    for (i = 1; i <= rows; i++) {
        key = panel_of(i) "|" R[i, "mech"] "|" value(i, x)
        if (!alive[i] || !fits(i, sides[1]) || !(key in below) || below[key] == i)
            continue
        j = below[key]
        if (R[j, "time_s"] > 0 && R[j, "time_lo_s"] > 0)
            figure_row(panel_of(i), rname, filled(label, i), one_above ? j : i, value(i, x), R[i, "time_s"] / R[j, "time_s"], \
                R[i, "time_lo_s"] / R[j, "time_hi_s"], R[i, "time_hi_s"] / R[j, "time_lo_s"])
    }
}

# drop[panel, series]: more curves than `curves`: those that are slowest
function thin(    i, s, p, k, most, list, n) {
    for (i = 1; i <= rows; i++) {
        if (!alive[i])
            continue
        s = panel_of(i) SUBSEP label_of(i)
        if (!(s in far) || value(i, x) + 0 >= far[s] + 0) { far[s] = value(i, x) + 0; last[s] = value(i, y) + 0 }
    }
    # the fastest CVODE of a panel is always there
    for (s in last) {
        split(s, p, SUBSEP)
        if (substr(p[2], 1, 5) == "cvode" && (!(p[1] in yardstick) || last[s] < last[yardstick[p[1]]]))
            yardstick[p[1]] = s
    }
    for (k in yardstick)
        last[yardstick[k]] = 0
    for (s in last) {
        k = 0
        split(s, p, SUBSEP)
        for (most in last) {
            split(most, list, SUBSEP)
            k += list[1] == p[1] && (last[most] < last[s] || (last[most] == last[s] && most < s))
        }
        if (k >= curves) { drop[s] = 1; dropped[p[1]]++ }
    }
}

function sequence(i) {
    return sprintf("%02d%02d%03d%02d%02d", wish[i, "engine"], wish[i, "solver"], R[i, "threads"], \
        wish[i, "order"], wish[i, "schedule"])
}

END {
    if (failed) exit 2
    for (one in R) { split(one, pair, SUBSEP); if (pair[1] == 0) named[pair[2]] = 1 }
    select_rows(select)
    n = split("solver engine threads order schedule mech", names, " ")
    for (k = 1; k <= n; k++)
        several[names[k]] = varies(names[k])
    for (i = 1; i <= rows; i++)
        if (alive[i]) {
            s = R[i, "solver"]
            if (s in tolerance_of && tolerance_of[s] != R[i, "rtol"])
                several_tolerances[s] = 1
            tolerance_of[s] = R[i, "rtol"]
        }
    for (i = 1; i <= rows; i++)
        if (alive[i] && !((what(i), R[i, "schedule"]) in met)) {
            met[what(i), R[i, "schedule"]] = 1
            schedules[what(i)]++
        }
    if (curves)
        thin()
    head_of_figure()
    # panels in the sequence of their first rows, those of the same experiment side by side
    for (i = 1; i <= rows; i++)
        if (alive[i] && !(panel_of(i) in panel_at))
            { panel_at[panel_of(i)] = ++panels; title[panels] = panel_of(i) }
    if (curves) # alphabetic, so that panels of an engine stand together
        for (p = 2; p <= panels; p++)
            for (k = p; k > 1 && title[k] "" < title[k - 1] ""; k--) { s = title[k]; title[k] = title[k - 1]; title[k - 1] = s }
    # curves in the sequence of select
    sort = "LC_ALL=C sort -t\"\t\" -k1,1 -k2,2 -k3,3g >" scratch
    printf "" | sort
    for (i = 1; i <= rows; i++)
        if (alive[i] && value(i, x) != "" && value(i, y) != "" && value(i, y) != "inf" && \
            (x != "err_p95" || value(i, x) > 0) && \
            !(panel_of(i) SUBSEP label_of(i) in drop))
            print (curves ? panel_of(i) : "") "\t" sequence(i) "\t" value(i, x) "\t" i | sort
    close(sort)
    while ((getline line <scratch) > 0) {
        split(line, f, "\t")
        i = f[4]
        points++
        if (only == "ratios")
            continue
        xlo = x == "err_p95" ? R[i, "err_p95_lo"] : ""
        xhi = x == "err_p95" ? R[i, "err_p95_hi"] : ""
        figure_row(panel_of(i), yname, label_of(i), i, value(i, x), value(i, y), bound(i, "lo"), bound(i, "hi"))
        if (also != "" && value(i, also) + 0 > 0)
            figure_row(panel_of(i), alsoname, label_of(i), i, value(i, x), value(i, also), "", "")
    }
    # where all have the same curve above, the one below gives a ratio its colour
    n = split(ratios, specs, ";")
    for (k = 1; k <= n; k++) {
        above = substr(specs[k], index(specs[k], "=") + 1)
        sub(/,.*/, "", above)
        one_above = k == 1 ? n > 1 : one_above && above == first_above
        first_above = above
    }
    for (k = 1; k <= n; k++)
        ratio_rows(specs[k])
    paper_rows(marks, panels, title)
    # what was to be there: each dt asked for
    for (k = 1; k <= conditions; k++)
        if (cond_field[k] == "dt_s" && panel ~ /dt_s/ && cond_list[k] !~ />/) {
            n = split(cond_list[k], wanted, ",")
            for (j = 1; j <= n; j++) {
                there = 0
                for (p = 1; p <= panels; p++)
                    there = there || index(title[p], "dt = " short(wanted[j]) " s")
                if (!there && points)
                    missing_row("dt = " short(wanted[j]) " s", only == "ratios" ? rname : yname, "not measured: " command)
            }
        }
    if (!shown)
        missing_row("", only == "ratios" ? rname : yname, (points ? "nothing to compare: " : "not measured: ") command)
    for (p = 1; p <= panels; p++)
        if (dropped[title[p]])
            print title[p] ": the " curves " fastest of " curves + dropped[title[p]] " curves" >notes
}
