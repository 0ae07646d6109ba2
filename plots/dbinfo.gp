# SPDX-License-Identifier: MIT
#
# A database: plots/dbinfo calls this with the format, beside histogram.csv, states.csv and, where
# costs were measured, costs.csv and orders.csv of dbinfo; `texts` has the name.
# Panels: distribution of T; T along mixture fraction, time or row; share of states by substeps, for
# each solver and dt; slow-down of warps by order, open: static, filled: with lane refill.

format = ARG1
load "plots/style.gp"
states = "states.csv"; costs = "costs.csv"; orders = "orders.csv"
measured = system("test -s costs.csv && echo 1 || echo 0") + 0
header = system("head -1 states.csv")
named(name) = strstrt("," . header . ",", "," . name . ",") > 0
# mixture fraction where it varies, or time, or row
along = named("time_s") ? "time_s" : "row"
do for [z in "mixture_fraction z"] {
    if (named(z)) {
        stats states using (column(z)) name "Z" nooutput
        if (Z_max - Z_min > 1e-6) { along = z }
    }
}
title_of(name) = name eq "row" ? "row of the database" : name eq "time_s" ? "time [s]" : \
    "mixture fraction"

width = 7.4; height = measured ? 5.4 : 2.9
load "plots/style.gp"
rows = measured ? 2 : 1
set label 1 name at screen 0.5, screen 1 - 0.16 / height center noenhanced font ",11"
panel_h = (1 - 0.3 / height) / rows
set multiplot
left(c) = c == 1 ? 0.095 : 0.595
# about four tics over a range
nice(x) = (x < 1.5 ? 1 : x < 3.5 ? 2 : x < 7.5 ? 5 : 10)
tics_of(range) = range > 0 ? \
    nice(range / 4 / 10**floor(log10(range / 4))) * 10**floor(log10(range / 4)) \
    : 1
place_panel = "set lmargin at screen left(c); set rmargin at screen left(c) + 0.39; \
set tmargin at screen 1 - (0.35 / height) - (r - 1) * panel_h; \
set bmargin at screen 1 - (0.3 / height) - r * panel_h + 0.5 / height"

# ---- distribution of T ----
c = 1; r = 1; eval place_panel
set xlabel "T [K]" offset 0, 0.4; set ylabel "states" offset 0
set style fill solid 0.6 noborder
set format y "%g"
unset key
stats states using (column("T_K")) name "T" nooutput
set xtics tics_of(T_max - T_min)
set yrange [0:*]
plot "histogram.csv" using \
    (0.5 * (column("T_low_K") + column("T_high_K"))):(column("states")): \
    (column("T_high_K") - column("T_low_K")) with boxes linecolor rgb colour(1)
unset label 1
set format y "%g"
set yrange [*:*]

# ---- T along ... ----
c = 2; eval place_panel
set xlabel title_of(along); set ylabel "T [K]"
stats states using (column(along)) name "X" nooutput
set xtics tics_of(X_max - X_min)
set xrange [0:*] # time, row and mixture fraction begin there
if (X_max < 0.01 || X_max > 99999) { set format x "%g" }
plot states using (column(along)):(column("T_K")) with points pointtype 7 pointsize 0.25 \
    linecolor rgb colour(2)
set format x "%g"
set xrange [*:*]
set xtics autofreq

if (measured) {
    dts = ""; solvers = ""; order_names = ""
    stats costs using (dts = add(dts, strcol("dt_s")), \
        solvers = add(solvers, strcol("solver")), 0) \
        nooutput
    stats orders using (order_names = add(order_names, strcol("order")), 0) nooutput

    # ---- share of states that need at most so many substeps ----
    c = 1; r = 2; eval place_panel
    set key inside top left Left reverse noenhanced samplen 2 spacing 1.1
    set logscale x; set xlabel "attempted substeps"; set ylabel "share of states"
    set yrange [0 : 1.05 + 0.13 * words(solvers) * words(dts)]; set ytics 0, 0.2, 1
    is(s, dt) = strcol("solver") eq s && strcol("dt_s") eq dt
    plot for [k = 1:words(solvers)] for [j = 1:words(dts)] costs \
        using (is(word(solvers, k), word(dts, j)) ? column("steps") : NaN):(1) smooth cnormal \
        with steps linecolor rgb colour_of(word(solvers, k)) dashtype j \
        title sprintf("%s, dt %s s", word(solvers, k), word(dts, j))
    unset logscale x; set yrange [*:*]; set ytics autofreq

    # ---- slow-down by order ----
    c = 2; eval place_panel
    stats orders using (column("slow_down")) name "S" nooutput
    set logscale y; set ylabel "slow-down of warps"; unset xlabel
    set xrange [0.5 : words(order_names) + 0.5]; set yrange [0.95 : S_max * 1.5 * 1.25**words(dts)]
    set ytics (1, 2, 3, 5, 10, 20, 30, 50, 100)
    set xtics ()
    do for [k = 1:words(order_names)] { set xtics add (tic_text(word(order_names, k)) k) }
    set xtics noenhanced font ",8" rotate by 20 right
    at(dt) = strcol("dt_s") eq dt ? place(order_names, strcol("order")) : NaN
    plot for [j = 1:words(dts)] orders using (at(word(dts, j))):(column("slow_down")) with points \
            pointtype shape(j, 0) linecolor rgb colour(j) \
            title sprintf("dt %s s (filled: with lane refill)", word(dts, j)), \
        for [j = 1:words(dts)] orders using (at(word(dts, j))):(column("slow_down_refill")) with \
            points pointtype shape(j, 1) linecolor rgb colour(j) notitle
}
unset multiplot
