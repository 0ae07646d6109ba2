# SPDX-License-Identifier: MIT
#
# Divergence: plots/draw calls this with run (a folder with divergence.csv), format and file.
# Upper panels: share of warps whose D is at most that (D: evaluations of the right-hand side in the
# warp over 32 times those of its costliest ODE). Lower panels: share of ODEs that need at most so
# many evaluations. One column for each dt, at the largest number of ODEs, first tolerance, engine
# and schedule of each solver. Colour: solver; dashes: order.

load "plots/style.gp"
rows_of = run . "/divergence.csv"
text = format eq "txt"

rhs(_) = strcol("measure") eq "rhs"
note(list, w) = rhs(0) ? add(list, w) : list
solvers = ""; dts = ""; orders = ""; n_max = 0
stats rows_of using ( \
    solvers = note(solvers, strcol("solver")), dts = note(dts, strcol("dt_s")), \
    orders = note(orders, strcol("order")), \
    n_max = column("n") > n_max ? column("n") : n_max, 0) nooutput
if (words(solvers) == 0) { print rows_of . ": no counts to draw"; exit status 3 }

# the first of each solver, order and dt
here(_) = rhs(0) && column("n") == n_max
kind(_) = strcol("solver") . "|" . strcol("order") . "|" . strcol("dt_s")
choice(_) = strcol("rtol") . "|" . strcol("engine") . "|" . strcol("schedule") . "|" . strcol("threads")
found(list, w) = strstrt(" " . list, " " . w . "|") > 0
chosen = ""
stats rows_of using (chosen = here(0) && !found(chosen, kind(0)) ? \
    add(chosen, kind(0) . "|" . choice(0)) : chosen, 0) nooutput
is(s, what) = here(0) && strcol("histogram") eq what && kind(0) . "|" . choice(0) eq s
dt_of(s) = field(s, 3)
total(what) = what eq "ode" ? n_max : ceil(n_max / 32.0)

most = 1
stats rows_of using (most = here(0) && strcol("histogram") eq "ode" && column("hi") > most ? \
    column("hi") : most, 0) nooutput

# ---- layout [inches] ----
longest = 12
do for [s in solvers . " " . orders] { longest = strlen(s) > longest ? strlen(s) : longest }
columns = words(dts); rows = 2
legend = text ? 2.2 : 0.55 + 0.075 * longest
entries = text ? words(solvers) * words(orders) : words(solvers) + words(orders) + 1
tall = 0.85 + (text ? 0.115 : 0.2) * entries
width = 0.8 + 3.2 * columns + legend; height = 0.9 + 2.2 * rows
height = tall > height ? tall : height
load "plots/style.gp"
left = 0.8 / width; right = 1 - legend / width
top = 1 - 0.55 / height; bottom = 0.35 / height
cell_w = (right - left) / columns; cell_h = (top - bottom) / rows
gap_x = (text ? 0.8 : 0.45) / width; gap_y = (text ? 0.75 : 0.6) / height
mech = system(sprintf("awk -F, 'NR==1 { for (i = 1; i <= NF; i++) if ($i == \"mech\") c = i } \
NR==2 { print $c }' '%s/cells.csv'", run))
set label 1 sprintf("%s: divergence of warps of 32, %d ODEs", mech, n_max) \
    at screen 0.5 * (left + right - gap_x), screen 1 - 0.2 / height center noenhanced font ",11"

unset key
set yrange [0:1.02]
set multiplot
do for [r = 1:rows] { do for [c = 1:columns] {
    dt = word(dts, c); what = r == 1 ? "warp" : "ode"; series = ""
    do for [s in chosen] { series = dt_of(s) eq dt ? add(series, s) : series }
    set lmargin at screen left + (c - 1) * cell_w
    set rmargin at screen left + c * cell_w - gap_x
    set tmargin at screen top - (r - 1) * cell_h - 0.1 / height
    set bmargin at screen top - r * cell_h + gap_y
    if (r == 1) {
        set title sprintf("dt = %s s", dt) noenhanced offset 0, (text ? 0 : -0.6)
        unset logscale x; set xrange [0:1]; set xtics 0.2
        set xlabel "D by evaluations of the right-hand side" offset 0, (text ? 0 : 0.4)
    } else {
        unset title
        set logscale x; set xrange [1:most * 1.2]; set xtics autofreq
        set xlabel "evaluations of the right-hand side" offset 0, (text ? 0 : 0.4)
    }
    if (c == 1) { set ylabel (r == 1 ? "share of warps" : "share of ODEs") } else { unset ylabel }
    if (words(series) == 0) {
        set label 3 "nothing measured" at graph 0.5, graph 0.5 center
        plot -1 notitle with lines linecolor rgb "white"
        unset label 3
    } else {
        plot for [s in series] rows_of using (is(s, what) ? column("hi") : NaN): \
            (column("count") / total(what)) smooth cumulative with steps \
            linecolor rgb colour(place(solvers, field(s, 1))) dashtype place(orders, field(s, 2))
    }
    unset label 1
}}

set lmargin at screen right - 0.7 * gap_x
set rmargin at screen 0.995
set tmargin at screen top
set bmargin at screen bottom
unset border; unset tics; unset title; unset xlabel; unset ylabel; unset grid; unset logscale
set xrange [0:1]; set yrange [0:1]
set key inside left top Left reverse noenhanced samplen 2.5 spacing 1.15 width -2
plot for [i = 1:words(solvers)] NaN with lines linecolor rgb colour(i) title word(solvers, i), \
    NaN with points linecolor rgb "white" title " ", \
    for [o in orders] NaN with lines linecolor rgb "#606060" dashtype place(orders, o) title o
unset multiplot
set output
