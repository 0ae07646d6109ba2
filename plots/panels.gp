# SPDX-License-Identifier: MIT
#
# Draws what plots/panels.awk laid out: rows of panels with an axis in common, labels at the ends of
# curves. Called with the format (svg, png or pdf); reads `texts`, `layout` and `data`, and writes
# picture.<format>.

format = ARG1
load "plots/texts.gp"
load "layout"
data = "data"
scale = format eq "png" ? 2 : 1
if (format eq "svg") { set terminal svg size W,H font "DejaVu Sans,11" background rgb "white" }
if (format eq "png") { set terminal pngcairo size 2*W,2*H font "DejaVu Sans,11" fontscale 1.5 \
    linewidth 2 pointscale 1.5 background rgb "white" }
if (format eq "pdf") { set terminal pdfcairo size W/100.,H/100. font "DejaVu Sans,8" }
set output "picture." . format
set encoding utf8
set border 3 linewidth 0.8
set tics nomirror out scale 0.6, 0.3
set grid x y back linetype 1 linewidth 0.4 linecolor rgb "#d8d8d8"
unset key
set style textbox opaque noborder margins 0.3, 0.2
# tics at 1, 2, 5 of each decade, where there are few decades
first_of(a) = floor(log10(a > 0 ? a : 1))
last_of(is_log, a, b) = is_log && b / a <= 50 ? ceil(log10(b)) : -99
colour(k) = s_colour[k] . ""
light(k) = "#90" . substr(s_colour[k], 2, 7)
point(k) = s_point[k] + 0
dash(k) = s_dash[k] + 0

set multiplot
set label 100 heading at screen 0.5, screen 1 - 14. / H center noenhanced \
    font (strlen(heading) > 84 ? ",11" : ",13")
set label 101 caption at screen 10. / W, screen (15. * CAPTION_LINES - 6) / H left noenhanced \
    font ",9.5" textcolor rgb "#303030"

powers_or(low, high, ratio) = high / low > ratio ? "10^{%L}" : high > 99999 ? "%.0s%c" : "%g"
left_px = 76; gap_px = 10
cell_px = 1. * W / COLUMNS
do for [p = 1:PANELS] {
    q = p_quantity[p]; r = p_row[p]; c = p_column[p]
    set lmargin at screen ((c - 1) * cell_px + left_px) / W
    set rmargin at screen (c * cell_px - LABEL_PX - gap_px) / W
    set tmargin at screen 1 - (46. + (r - 1) * ROW_PX + (r > 1 && strlen(p_title[p]) ? 32 : 0)) / H
    set bmargin at screen 1 - (46. + r * ROW_PX - TICS_PX - (r == ROWS ? 34 : 26)) / H
    unset logscale; unset arrow; unset label 1; unset label 2
    do for [k = 10:90] { unset label k }
    set format x "%g"; set format y "%g"
    # 200k and not 200000, whose width would push the axis' name out of the picture
    if (logx) { set logscale x; set format x powers_or(xlow, xhigh, xhigh > 999999 ? 50 : 2000) }
    if (logy) { set logscale y; set format y powers_or(q_low[q], q_high[q], 50) }
    set xtics auto; set ytics auto
    if (logx && xhigh / xlow > 1e7) { set xtics 100 }
    if (logy && q_high[q] / q_low[q] > 1e7) { set ytics 100 }
    if (style eq "steps" || style eq "rising") { set xtics 0.2 }
    do for [d = first_of(q_low[q]):last_of(logy, q_low[q], q_high[q])] { do for [m in "1 2 5"] {
        v = m * 10.**d; set ytics add (gprintf(powers_or(1, q_high[q], 1e300), v) v)
    }}
    do for [d = first_of(xlow):last_of(logx, xlow, xhigh)] { do for [m in "1 2 5"] {
        v = m * 10.**d; set xtics add (gprintf(powers_or(1, xhigh, 1e300), v) v)
    }}
    if (style eq "bars") {
        set xtics ()
        if (TICS_PX) { set xtics rotate by 25 right font ",9" } else { set xtics norotate center }
        do for [k = 1:CATEGORIES] { set xtics add (tic_text(name_of[k]) k) }
    }
    set xrange [xlow:xhigh]; set yrange [q_low[q]:q_high[q]]
    unset title; unset xlabel
    if (strlen(p_title[p])) { set title p_title[p] noenhanced offset 0, -0.7 font ",11" }
    if (c == 1) { set ylabel q_name[q] noenhanced offset 0.2 } else { unset ylabel }
    if (r == ROWS || p + COLUMNS > PANELS) { set xlabel xname noenhanced offset 0, 0.6 }
    # numbers printed in the paper
    j = 0
    do for [m = 1:MARKS] {
        if (m_panel[m] != p) { continue }
        j = j + 1; v = real(m_value[m]); says = m_label[m] . ""
        if (m_across[m] > 0) {
            set arrow from graph 0, first v to graph 1, first v nohead dashtype 3 linewidth 1.2 \
                linecolor rgb "#606060" front
            set label 10 + j says at graph 0.02, first v left offset 0, 0.5 noenhanced \
                font ",9" textcolor rgb "#404040" boxed front
        } else {
            set arrow from first v, graph 0 to first v, graph 1 nohead dashtype 3 linewidth 1.2 \
                linecolor rgb "#606060" front
            set label 10 + j says at first v, graph 0.97 right offset 0.5, 0 rotate noenhanced \
                font ",9" textcolor rgb "#404040" boxed front
        }
    }
    k1 = p_first[p]; k2 = p_last[p]
    if (k2 < k1) {
        set format x ""; set format y ""
        set label 1 p_missing[p] eq "" ? "nothing measured" : p_missing[p] at graph 0.5, graph 0.6 \
            center noenhanced font ",10" textcolor rgb "#a03000"
        plot (q_low[q] > 0 ? q_low[q] / 10 : q_low[q] - 1) with lines linecolor rgb "white"
    } else {
        do for [k = k1:k2] {
            set label 30 + k - k1 s_label[k] at graph 1, graph s_at[k] left offset 0.8, 0 \
                noenhanced font ",9.5" textcolor rgb colour(k)
        }
        if (style eq "curves") {
            plot for [k = k1:k2] data index k - 1 using 1:3:(0):($4 - $3) with vectors \
                    nohead linewidth 2.5 linecolor rgb light(k), \
                for [k = k1:k2] data index k - 1 using 5:2:($6 - $5):(0) with vectors \
                    nohead linewidth 1 linecolor rgb light(k), \
                for [k = k1:k2] data index k - 1 using 1:2 with linespoints \
                    linewidth 1.4 dashtype dash(k) linecolor rgb colour(k) \
                    pointtype point(k) pointsize 0.55, \
                for [k = k1:k2] data index k - 1 using \
                    1:($4 - $3 > 0.2 * $2 ? $2 : NaN) with points pointtype 6 pointsize 1.4 \
                    linewidth 0.6 linecolor rgb "#c00000" # an interval wider than a fifth
        }
        if (style eq "spans") {
            plot for [k = k1:k2] data index k - 1 using 5:2:($6 - $5):(0) with vectors nohead \
                linewidth 6 linecolor rgb colour(k)
        }
        if (style eq "steps") {
            plot for [k = k1:k2] data index k - 1 using 1:2 with histeps \
                linewidth 1.6 dashtype dash(k) linecolor rgb colour(k)
        }
        if (style eq "rising") {
            plot for [k = k1:k2] data index k - 1 using 1:2 with steps \
                linewidth 1.6 dashtype dash(k) linecolor rgb colour(k)
        }
        if (style eq "bars") {
            plot for [k = k1:k2] data index k - 1 using 1:2:(s_width[k]) with boxes \
                    fill solid 0.75 noborder linecolor rgb colour(k), \
                for [k = k1:k2] data index k - 1 using 1:3:(0):($4 - $3) with vectors \
                    nohead linewidth 1.5 linecolor rgb "#404040"
        }
    }
    unset label 100; unset label 101
}
unset multiplot
set output
