# SPDX-License-Identifier: MIT
#
# From the table behind a figure (figure.awk) to what plots/panels.gp draws: arrays of panels, curves
# and marks into `out`, points into `data`. Loaded after csv.awk. Variables: style (curves, bars, steps
# or rising), logx, logy, xname, heading, caption, width [px], and the file `colours` (plots/colours).
# Rows of panels are quantities with an axis in common; columns are panels.

BEGIN {
    while ((getline line <colours) > 0)
        if (line !~ /^# / && split(line, f, "\t") >= 3) { colour[f[1]] = f[2]; mark[f[1]] = f[3] }
    spare = split("#0072b2 #d55e00 #009e73 #cc79a7 #000000 #e69f00 #56b4e9", spares, " ")
    lowx = lowest = 1e300; highx = -1e300
}

FNR == 1 { n = csv_split($0, h); for (i = 1; i <= n; i++) col[h[i]] = i; next }
{
    csv_split($0, f)
    kind = f[col["kind"]]; panel = f[col["panel"]]; quantity = f[col["quantity"]]
    if (!(panel in column_of)) { column_of[panel] = ++columns; panels[columns] = panel }
    if (!(quantity in row_of)) { row_of[quantity] = ++rows; quantities[rows] = quantity; ylow[rows] = 1e300; yhigh[rows] = -1e300 }
    c = column_of[panel]; r = row_of[quantity]
    if (kind == "missing") { missing[r, c] = f[col["y"]]; next }
    if (kind == "paper") {
        marks++
        m_row[marks] = r; m_column[marks] = c; m_label[marks] = f[col["series"]]
        m_axis[marks] = f[col["x"]] != "" ? "x" : "y"
        m_value[marks] = f[col["x"]] != "" ? f[col["x"]] : f[col["y"]]
        if (m_axis[marks] == "y") widen(r, m_value[marks] * (logy ? 1.6 : 1.1)) # room for its label
        if (m_axis[marks] == "y") widen(r, m_value[marks])
        else wide(m_value[marks])
        next
    }
    s = f[col["series"]]
    if (!((r, c, s) in series_of)) {
        k = ++many[r, c]
        series_of[r, c, s] = k; label[r, c, k] = s
        solver[r, c, k] = f[col["solver"]]; engine[r, c, k] = f[col["engine"]]; order[r, c, k] = f[col["order"]]
        sub(/:.*/, "", solver[r, c, k])
        note("solver", solver[r, c, k]); note("engine", engine[r, c, k]); note("order", order[r, c, k])
    }
    k = series_of[r, c, s]
    x = f[col["x"]]; y = f[col["y"]]; lo = f[col["lo"]]; hi = f[col["hi"]]
    if (style == "bars") {
        if (!(x in category)) { category[x] = ++categories; name_of[categories] = x }
        x = category[x]
    }
    points[r, c, k]++
    px[r, c, k, points[r, c, k]] = x; py[r, c, k, points[r, c, k]] = y
    plo[r, c, k, points[r, c, k]] = lo == "" || (logy && lo <= 0) ? y : lo
    phi[r, c, k, points[r, c, k]] = hi == "" || hi == "inf" ? y : hi
    v = f[col["xlo"]]
    pxlo[r, c, k, points[r, c, k]] = v == "" ? x : v
    v = f[col["xhi"]]
    pxhi[r, c, k, points[r, c, k]] = v == "" || v == "inf" ? x : v
    wide(x)
    widen(r, y); if (lo != "" && style != "bars") widen(r, lo); if (hi != "" && hi != "inf") widen(r, hi)
}

function widen(r, y) {
    y += 0
    if (logy && y <= 0) return
    if (y < ylow[r]) ylow[r] = y
    if (y > yhigh[r]) yhigh[r] = y
}
function wide(x) {
    lowx = x + 0 < lowx ? x + 0 : lowx
    highx = x + 0 > highx ? x + 0 : highx
}
function note(what, value) {
    if (!((what, value) in noted)) { noted[what, value] = 1; distinct[what]++ }
}

# what gives the colours of a figure
function key_of(r, c, k) {
    if (label[r, c, k] in colour) return label[r, c, k]
    if ((style == "steps" || style == "rising") && distinct["solver"] < 2) return order[r, c, k]
    if (distinct["solver"] < 2 && distinct["order"] > 1) return order[r, c, k]
    if (distinct["solver"] < 2 && distinct["engine"] > 1) return engine[r, c, k]
    return solver[r, c, k]
}
function log10(v) { return log(v) / log(10) }
function share(r, y) { # place of y in its panel, 0 below to 1 above
    if (logy) return (log10(y) - log10(bottom[r])) / (log10(top[r]) - log10(bottom[r]))
    return (y - bottom[r]) / (top[r] - bottom[r])
}
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); gsub(/\n/, "\\n", text); return "\"" text "\"" }
function wrap(text, most,    words, n, i, line, all) {
    n = split(text, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] == "//" || (line != "" && length(line " " words[i]) > most)) { all = all line "\n"; line = ""; lines++ }
        if (words[i] != "//") line = line (line == "" ? "" : " ") words[i]
    }
    lines++
    return all line
}

# where the labels of curves stand: at their ends, but apart
function place_labels(r, c, gap,    k, j, n, at, last, moved) {
    n = many[r, c]
    for (k = 1; k <= n; k++) {
        at[k] = k
        label_at[r, c, k] = style == "curves" ? share(r, py[r, c, k, points[r, c, k]]) : 1 - (k - 1) * gap - gap / 2
    }
    for (k = 2; k <= n; k++) # rising
        for (j = k; j > 1 && label_at[r, c, at[j]] < label_at[r, c, at[j - 1]]; j--) { moved = at[j]; at[j] = at[j - 1]; at[j - 1] = moved }
    last = -gap / 2
    for (k = 1; k <= n; k++) {
        if (label_at[r, c, at[k]] < last + gap) label_at[r, c, at[k]] = last + gap
        last = label_at[r, c, at[k]]
    }
    last = 1 + gap / 2
    for (k = n; k >= 1; k--) {
        if (label_at[r, c, at[k]] > last - gap) label_at[r, c, at[k]] = last - gap
        last = label_at[r, c, at[k]]
    }
}

function write_series(r, c,    k, j, key, w, x, used, keys) {
    for (k = 1; k <= many[r, c]; k++)
        keys += !used[key_of(r, c, k)]++
    split("", used)
    for (k = 1; k <= many[r, c]; k++) {
        series++
        key = key_of(r, c, k)
        if (keys == 1 && many[r, c] > 1) # nothing but their labels tells them apart
            key = label[r, c, k]
        w = 0.8 / many[r, c]
        printf "s_colour[%d] = \"%s\"; s_point[%d] = %d; s_dash[%d] = %d; s_label[%d] = %s; s_at[%d] = %.4f; s_width[%d] = %g\n", \
            series, key in colour ? colour[key] : spares[1 + (k - 1) % spare], \
            series, (key in mark ? mark[key] : 6) + (substr(engine[r, c, k], 1, 3) == "gpu"), \
            series, 1 + used[key]++ % 4, series, quoted(label[r, c, k]), series, label_at[r, c, k], series, w >out
        for (j = 1; j <= points[r, c, k]; j++) {
            x = style == "bars" ? px[r, c, k, j] - 0.4 + w * (k - 0.5) : px[r, c, k, j]
            print x, py[r, c, k, j], plo[r, c, k, j], phi[r, c, k, j], pxlo[r, c, k, j], pxhi[r, c, k, j] >data
        }
        printf "\n\n" >data
    }
}

END {
    if (failed || !rows) exit 2
    lines = 0
    text = wrap(caption, 128)
    longest = 0
    for (r = 1; r <= rows; r++)
        for (c = 1; c <= columns; c++)
            for (k = 1; k <= many[r, c]; k++)
                longest = length(label[r, c, k]) > longest ? length(label[r, c, k]) : longest
    longest = longest > 46 ? 46 : longest
    # so many panels side by side that 150 px stay for the curves; the others below them
    label_px = 14 + 6.3 * longest
    side = int(width / (74 + label_px + 150))
    side = side < 1 ? 1 : side > columns ? columns : side
    below = int((columns + side - 1) / side)
    # names of bars are turned where they do not fit side by side
    for (k = 1; k <= categories; k++)
        names_px += 7 * length(name_of[k]) + 8
    tics_px = style == "bars" && names_px > width / side - 74 - label_px ? 26 : 0
    row_px = tics_px + (below > 1 ? 240 : rows > 1 ? 215 : 280)
    high = 62 + rows * below * row_px + 15 * lines
    total = 0
    for (r = 1; r <= rows; r++)
        for (c = 1; c <= columns; c++)
            total += many[r, c]
    printf "W = %d; H = %d; ROWS = %d; COLUMNS = %d; PANELS = %d; ROW_PX = %d; TICS_PX = %d; LABEL_PX = %d; heading = %s; caption = %s; CAPTION_LINES = %d\n", \
        width, high, rows * below, side, rows * columns, row_px, tics_px, label_px, quoted(heading), quoted(text), lines >out
    printf "array s_colour[%d]; array s_point[%d]; array s_dash[%d]; array s_label[%d]; array s_at[%d]; array s_width[%d]\n", \
        total + 1, total + 1, total + 1, total + 1, total + 1, total + 1 >out
    n = rows * columns
    printf "array p_first[%d]; array p_last[%d]; array p_missing[%d]; array p_title[%d]; array p_row[%d]; array p_column[%d]; array p_quantity[%d]; array q_name[%d]; array q_low[%d]; array q_high[%d]; array p_marks[%d]\n", n, n, n, n, n, n, n, rows, rows, rows, n >out
    if (logx) { gap = highx / lowx < 6 ? sqrt(6 * lowx / highx) : 1.3; xl = lowx / gap; xh = highx * gap }
    else if (style == "steps" || style == "rising") { xl = 0; xh = 1 }
    else if (style == "bars") { xl = 0.5; xh = categories + 0.5 }
    else { xl = lowx; xh = highx; if (xl == xh) { xl -= 0.5; xh += 0.5 } }
    printf "xlow = %.9g; xhigh = %.9g; xname = %s; style = \"%s\"; logx = %d; logy = %d; CATEGORIES = %d; array name_of[%d]\n", \
        series_any() ? xl : 1, series_any() ? xh : 10, quoted(xname), style, logx, logy, categories, categories + 1 >out
    for (k = 1; k <= categories; k++)
        printf "name_of[%d] = %s\n", k, quoted(name_of[k]) >out
    for (r = 1; r <= rows; r++) {
        bottom[r] = ylow[r]; top[r] = yhigh[r]
        if (yhigh[r] < ylow[r]) { bottom[r] = 1; top[r] = 10 }
        else if (logy) {
            gap = top[r] / bottom[r] < 6 ? sqrt(6 * bottom[r] / top[r]) : 1.4
            bottom[r] /= gap; top[r] *= gap
        }
        else { top[r] += 0.06 * (top[r] - (bottom[r] < 0 ? bottom[r] : 0)); bottom[r] = bottom[r] < 0 ? 1.06 * bottom[r] : 0 }
        if (top[r] <= bottom[r]) top[r] = bottom[r] + 1
        printf "q_name[%d] = %s; q_low[%d] = %.9g; q_high[%d] = %.9g\n", r, quoted(quantities[r]), r, bottom[r], r, top[r] >out
        for (c = 1; c <= columns; c++) {
            place_labels(r, c, 15 / (row_px - tics_px - 55))
            n = (r - 1) * columns + c
            printf "p_title[%d] = %s; p_quantity[%d] = %d; p_row[%d] = %d; p_column[%d] = %d\n", n, \
                quoted(r == 1 ? panels[c] : ""), n, r, n, int((c - 1) / side) * rows + r, n, 1 + (c - 1) % side >out
            printf "p_first[%d] = %d; p_last[%d] = %d; p_missing[%d] = %s; p_marks[%d] = \"\"\n", n, series + 1, n, series + many[r, c], n, quoted(wrap(missing[r, c], columns > 1 ? 30 : 80)), n >out
            write_series(r, c)
        }
    }
    for (k = 1; k <= marks; k++) {
        n = (m_row[k] - 1) * columns + m_column[k]
        # several marks of one label: the label once
        said = (n, m_label[k]) in labelled ? "" : m_label[k]
        labelled[n, m_label[k]] = 1
        printf "p_marks[%d] = p_marks[%d] . %s\n", n, n, quoted(sprintf("%s %.9g %s;", m_axis[k], m_value[k], said)) >out
    }
}

function series_any(    r, c) {
    for (r = 1; r <= rows; r++) for (c = 1; c <= columns; c++) if (many[r, c]) return 1
    return 0
}
