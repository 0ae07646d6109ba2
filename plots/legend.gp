# SPDX-License-Identifier: MIT
#
# The legend of bench.gp and verify.gp, in a panel of its own at the right of a multiplot.

set lmargin at screen right - 0.7 * gap_x
set rmargin at screen 0.995
set tmargin at screen top
set bmargin at screen bottom
unset border; unset tics; unset title; unset xlabel; unset ylabel; unset grid; unset logscale
set xrange [0:1]; set yrange [0:1]
set key inside left top Left reverse noenhanced samplen 2.5 spacing 1.15 width -2
if (text) {
    plot for [w in pairs] NaN with points pointtype place(pairs, w) title head(w) . " " . tail(w)
} else {
    plot for [i = 1:words(solvers)] NaN with linespoints pointtype shape(i, 1) \
            linecolor rgb colour(i) title label_of(word(solvers, i)), \
        NaN with points linecolor rgb "white" title " ", \
        for [e in engines] NaN with points linecolor rgb "#606060" \
            pointtype 6 + solid(e) title e, \
        NaN with points linecolor rgb "white" title " ", \
        for [s in schedules] NaN with lines linecolor rgb "#606060" dashtype dash_of(s) title s
}
