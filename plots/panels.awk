# SPDX-License-Identifier: MIT
#
# From the table behind a figure (figure.awk) to what plots/panels.gp draws: numbers of panels,
# curves and marks into the file `out`, which gnuplot loads; every text into the file `texts`, of
# which `out` has the number alone (plots/texts.gp); points into `data`. After columns.awk. Of the
# environment: style (curves, bars, steps, rising or spans), logx, logy, xname, heading, caption,
# width [px], and the file `colours` (plots/colours). A row of panels is a quantity, with an axis in
# common; a column is a panel of the table. Where columns do not fit side by side, the others stand
# below.

BEGIN {
    style = ENVIRON["style"]
    logx = ENVIRON["logx"] + 0
    logy = ENVIRON["logy"] + 0
    width = ENVIRON["width"] + 0
    while ((getline line <colours) > 0)
        if (line !~ /^# / && split(line, f, "\t") >= 3) {
            colour[f[1]] = f[2]
            mark[f[1]] = f[3]
        }
    spare = split("#0072b2 #d55e00 #009e73 #cc79a7 #000000 #e69f00 #56b4e9", spares, " ")
    lowx = 1e300
    highx = -1e300
}

# ---- reading ----

function widen(r, y) {
    y += 0
    if (logy && y <= 0)
        return
    ylow[r] = y < ylow[r] ? y : ylow[r]
    yhigh[r] = y > yhigh[r] ? y : yhigh[r]
}

function wide(x) {
    lowx = x + 0 < lowx ? x + 0 : lowx
    highx = x + 0 > highx ? x + 0 : highx
}

function note(what, value) {
    distinct[what] += !((what, value) in noted)
    noted[what, value] = 1
}

function read_mark(r, c) {
    marks++
    m_row[marks] = r
    m_column[marks] = c
    m_label[marks] = $col["series"]
    m_axis[marks] = $col["x"] != "" ? "x" : "y"
    m_value[marks] = $col["x"] != "" ? $col["x"] : $col["y"]
    if (m_axis[marks] == "x")
        return wide(m_value[marks])
    widen(r, m_value[marks])
    widen(r, m_value[marks] * (logy ? 1.6 : 1.1)) # room for its label
}

# the number of the curve in its panel
function curve_of(r, c, s,    k) {
    if ((r, c, s) in series_of)
        return series_of[r, c, s]
    k = ++many[r, c]
    series_of[r, c, s] = k
    label[r, c, k] = s
    solver[r, c, k] = $col["solver"]
    sub(/:.*/, "", solver[r, c, k])
    engine[r, c, k] = $col["engine"]
    if (!(engine[r, c, k] in engine_number))
        engine_number[engine[r, c, k]] = ++engines
    engines_in[r, c] += !engine_met[r, c, engine[r, c, k]]++
    order[r, c, k] = $col["order"]
    note("solver", solver[r, c, k])
    note("engine", engine[r, c, k])
    note("order", order[r, c, k])
    return k
}

# an end of an interval, or the value itself where there is none
function end_of(name, value,    v) {
    v = $col[name]
    return v == "" || v == "inf" ? value : v
}

function read_point(r, c,    k, x, y, j) {
    k = curve_of(r, c, $col["series"])
    x = $col["x"]
    y = $col["y"]
    if (style == "bars") {
        if (!(x in category)) {
            category[x] = ++categories
            name_of[categories] = x
        }
        x = category[x]
    }
    j = ++points[r, c, k]
    px[r, c, k, j] = x
    py[r, c, k, j] = y
    plo[r, c, k, j] = end_of("lo", y)
    if (logy && plo[r, c, k, j] <= 0)
        plo[r, c, k, j] = y
    phi[r, c, k, j] = end_of("hi", y)
    pxlo[r, c, k, j] = end_of("xlo", x)
    pxhi[r, c, k, j] = end_of("xhi", x)
    wide(x)
    if (style == "spans") {
        wide(pxlo[r, c, k, j])
        wide(pxhi[r, c, k, j])
        widen(r, y + 0.5)
    }
    widen(r, y)
    if (style != "bars")
        widen(r, plo[r, c, k, j])
    widen(r, phi[r, c, k, j])
}

{
    panel = $col["panel"]
    quantity = $col["quantity"]
    if (!(panel in column_of)) {
        column_of[panel] = ++columns
        panels[columns] = panel
    }
    if (!(quantity in row_of)) {
        row_of[quantity] = ++rows
        quantities[rows] = quantity
        ylow[rows] = 1e300
        yhigh[rows] = -1e300
    }
    r = row_of[quantity]
    c = column_of[panel]
    if ($col["kind"] == "missing")
        missing[r, c] = $col["y"]
    else if ($col["kind"] == "paper" || $col["kind"] == "bound")
        read_mark(r, c)
    else
        read_point(r, c)
}

# ---- laying out ----

# what gives a curve its colour: its own name, else the solver, or where all have the same one the
# order or the engine
function key_of(r, c, k) {
    if (label[r, c, k] in colour)
        return label[r, c, k]
    if ((style == "steps" || style == "rising") && distinct["solver"] < 2)
        return order[r, c, k]
    if (distinct["solver"] < 2 && distinct["order"] > 1)
        return order[r, c, k]
    if (distinct["solver"] < 2 && distinct["engine"] > 1)
        return engine[r, c, k]
    return solver[r, c, k]
}

function log10(v) { return log(v) / log(10) }

# place of y in its panel, 0 below to 1 above
function share(r, y) {
    if (logy)
        return log10(y / bottom[r]) / log10(top[r] / bottom[r])
    return (y - bottom[r]) / (top[r] - bottom[r])
}

# where the labels of curves stand: at their ends, but `gap` apart; those of bars below one another
function place_labels(r, c, gap,    k, j, n, at, last, moved) {
    n = many[r, c]
    for (k = 1; k <= n; k++) {
        at[k] = k
        label_at[r, c, k] = style == "curves" ? share(r, py[r, c, k, points[r, c, k]]) : \
            1 - (k - 0.5) * gap
    }
    for (k = 2; k <= n; k++) # rising
        for (j = k; j > 1 && label_at[r, c, at[j]] < label_at[r, c, at[j - 1]]; j--) {
            moved = at[j]
            at[j] = at[j - 1]
            at[j - 1] = moved
        }
    last = -gap / 2
    for (k = 1; k <= n; k++) {
        if (label_at[r, c, at[k]] < last + gap)
            label_at[r, c, at[k]] = last + gap
        last = label_at[r, c, at[k]]
    }
    last = 1 + gap / 2
    for (k = n; k >= 1; k--) {
        if (label_at[r, c, at[k]] > last - gap)
            label_at[r, c, at[k]] = last - gap
        last = label_at[r, c, at[k]]
    }
}

function vertical_range(r,    gap) {
    bottom[r] = ylow[r]
    top[r] = yhigh[r]
    if (yhigh[r] < ylow[r]) {
        bottom[r] = 1
        top[r] = 10
    } else if (logy) {
        gap = top[r] / bottom[r] < 6 ? sqrt(6 * bottom[r] / top[r]) : 1.4
        bottom[r] /= gap
        top[r] *= gap
    } else {
        top[r] += 0.06 * (top[r] - (bottom[r] < 0 ? bottom[r] : 0))
        bottom[r] = bottom[r] < 0 ? 1.06 * bottom[r] : 0
    }
    if (top[r] <= bottom[r])
        top[r] = bottom[r] + 1
}

function horizontal_range(    gap) {
    xlow = lowx
    xhigh = highx
    if (highx < lowx) {
        xlow = 1
        xhigh = 10
    } else if (style == "bars") {
        xlow = 0.5
        xhigh = categories + 0.5
    } else if (style == "steps" || style == "rising") {
        xlow = 0
        xhigh = 1
    } else if (logx) {
        gap = highx / lowx < 6 ? sqrt(6 * lowx / highx) : 1.3
        xlow = lowx / gap
        xhigh = highx * gap
    } else if (lowx == highx) {
        xlow = lowx - 0.5
        xhigh = highx + 0.5
    }
}

# sizes in pixels
function measure(    r, c, k, longest, names_px) {
    for (r = 1; r <= rows; r++)
        for (c = 1; c <= columns; c++)
            for (k = 1; k <= many[r, c]; k++) {
                longest = length(label[r, c, k]) > longest ? length(label[r, c, k]) : longest
                curves++
            }
    label_px = 14 + 6.3 * (longest > 46 ? 46 : longest)
    # so many panels side by side that 150 px stay for the curves
    side = int(width / (74 + label_px + 150))
    side = side < 1 ? 1 : side > columns ? columns : side
    below = int((columns + side - 1) / side)
    # names of bars are turned where they do not fit side by side
    for (k = 1; k <= categories; k++)
        names_px += 7 * length(name_of[k]) + 8
    tics_px = style == "bars" && names_px > width / side - 74 - label_px ? 26 : 0
    row_px = tics_px + (below > 1 ? 240 : rows > 1 ? 215 : 280)
}

# ---- writing ----

function set_number(name, value) { printf "%s = %.9g\n", name, value >out }
# the only text that reaches gnuplot: a line of data, whatever stands in it
function set_text(name, value) {
    gsub(/[\001-\011\013-\037\177]/, "", value)
    printf "%s\001", value >texts
    printf "%s = texts[%d]\n", name, ++texts_written >out
}
function array(names, size,    n, i, name) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++)
        printf "array %s[%d]\n", name[i], size >out
}

function write_figure(    text) {
    text = wrap(ENVIRON["caption"], 145)
    set_text("caption", text)
    set_number("CAPTION_LINES", wrapped)
    set_text("heading", ENVIRON["heading"])
    set_number("W", width)
    set_number("H", 62 + rows * below * row_px + 15 * wrapped)
    set_number("ROWS", rows * below)
    set_number("COLUMNS", side)
    set_number("PANELS", rows * columns)
    set_number("ROW_PX", row_px)
    set_number("TICS_PX", tics_px)
    set_number("LABEL_PX", label_px)
    set_text("xname", ENVIRON["xname"])
    set_text("style", style)
    set_number("logx", logx)
    set_number("logy", logy)
    set_number("xlow", xlow)
    set_number("xhigh", xhigh)
    set_number("CATEGORIES", categories)
    array("s_colour s_point s_dash s_label s_at s_width", curves + 1)
    array("p_first p_last p_missing p_title p_row p_column p_quantity", rows * columns)
    array("q_name q_low q_high", rows)
    array("name_of", categories + 1)
    set_number("MARKS", marks)
    array("m_panel m_across m_value m_label", marks + 1)
}

function write_panel(r, c,    n) {
    n = (r - 1) * columns + c
    set_text("p_title[" n "]", r == 1 ? panels[c] : "")
    set_number("p_quantity[" n "]", r)
    set_number("p_row[" n "]", int((c - 1) / side) * rows + r)
    set_number("p_column[" n "]", 1 + (c - 1) % side)
    set_number("p_first[" n "]", series + 1)
    set_number("p_last[" n "]", series + many[r, c])
    set_text("p_missing[" n "]", wrap(missing[r, c], columns > 1 ? 30 : 80))
}

# what is no number is no point
function valid(v) { return number(v) ? v : "NaN" }

function write_points(r, c, k, w,    j, x) {
    for (j = 1; j <= points[r, c, k]; j++) {
        x = px[r, c, k, j] + (style == "bars" ? w * (k - 0.5 - many[r, c] / 2) : 0)
        print x, valid(py[r, c, k, j]), valid(plo[r, c, k, j]), valid(phi[r, c, k, j]), \
            valid(pxlo[r, c, k, j]), valid(pxhi[r, c, k, j]) >data
    }
    printf "\n\n" >data
}

# where a panel has several engines, each has its own dashes; the next ones where two curves have
# one colour
function dash_of(r, c, k, key, used,    dash) {
    dash = engines_in[r, c] > 1 ? engine_number[engine[r, c, k]] : 1
    while (used[key, dash]++)
        dash++
    return 1 + (dash - 1) % 5
}

function write_series(r, c,    k, key, used, keys, at, w) {
    w = many[r, c] < 3 ? 0.28 : 0.8 / many[r, c]
    for (k = 1; k <= many[r, c]; k++)
        keys += !used[key_of(r, c, k)]++
    split("", used)
    for (k = 1; k <= many[r, c]; k++) {
        at = "[" ++series "]"
        key = key_of(r, c, k)
        if (keys == 1 && many[r, c] > 1) # nothing but their labels tells them apart
            key = label[r, c, k]
        set_text("s_colour" at, key in colour ? colour[key] : spares[1 + (k - 1) % spare])
        set_number("s_point" at, (key in mark ? mark[key] : 6) + (engine[r, c, k] ~ /^gpu/))
        set_number("s_dash" at, dash_of(r, c, k, key, used))
        set_text("s_label" at, label[r, c, k])
        set_number("s_at" at, label_at[r, c, k])
        set_number("s_width" at, w)
        write_points(r, c, k, w)
    }
}

function write_marks(    k, n, said) {
    for (k = 1; k <= marks; k++) {
        n = (m_row[k] - 1) * columns + m_column[k]
        # several marks of one label: the label once
        said = (n, m_label[k]) in labelled ? "" : m_label[k]
        labelled[n, m_label[k]] = 1
        set_number("m_panel[" k "]", n)
        set_number("m_across[" k "]", m_axis[k] == "y")
        set_number("m_value[" k "]", m_value[k])
        set_text("m_label[" k "]", said)
    }
}

END {
    if (!rows)
        exit 2
    measure()
    horizontal_range()
    write_figure()
    for (k = 1; k <= categories; k++)
        set_text("name_of[" k "]", name_of[k])
    for (r = 1; r <= rows; r++) {
        vertical_range(r)
        set_text("q_name[" r "]", quantities[r])
        set_number("q_low[" r "]", bottom[r])
        set_number("q_high[" r "]", top[r])
        for (c = 1; c <= columns; c++) {
            place_labels(r, c, 15 / (row_px - tics_px - 55))
            write_panel(r, c)
            write_series(r, c)
        }
    }
    write_marks()
}
