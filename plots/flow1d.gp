# SPDX-License-Identifier: MIT
#
# Flow in one dimension: plots/flow calls this with the format and gas (1: of a mechanism), beside
# errors.csv, profile-1.csv and
# errors-1.csv of the first scheme, and so on, and, where there is one, profile-reference.csv;
# `texts` has the names of case and schemes. Left: density, over
# the exact one or that of a fine run; right: the temperature of a mechanism's gas,
# else the mean error of the density against the number of cells, and slopes 1 and 5.

format = ARG1; gas = int(ARG2 + 0)
load "plots/style.gp"
width = 8.2; height = 3.4
load "plots/style.gp"
schemes = |texts| - 2
scheme(k) = texts[k + 1] . ""
profile(k) = sprintf("profile-%d.csv", k)
fine = system("test -s profile-reference.csv && echo 1 || echo 0") + 0
set label 1 name at screen 0.5, screen 1 - 0.14 / height center noenhanced font ",11"
set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.16
set lmargin at screen 0.075; set rmargin at screen 0.56
set xlabel "x" offset 0, 0.4; set ylabel "density" offset 1.5
set key top right samplen 1.5 noenhanced
if (!gas) {
    stats profile(1) using (column("exact")) name "E" nooutput
}
known = fine || (exists("E_records") && E_records > 0)
from = fine ? "profile-reference.csv" : profile(1)
what = fine ? "density" : "exact"
plot for [k = 1:known] from using (column("x")):(column(what)) with lines linewidth 1.2 \
        linecolor rgb "#b0b0b0" title (fine ? "a fine grid" : "exact"), \
    for [k = 1:schemes] profile(k) using (column("x")):(column("density")) \
        with points pointtype shape(k, 0) pointsize 0.35 linecolor rgb colour(k) \
        title scheme(k)
unset label 1

set lmargin at screen 0.67; set rmargin at screen 0.98
if (gas) {
    set xlabel "x [m]"; set ylabel "temperature [K]" offset 1; set key off
    plot for [k = 1:schemes] profile(k) using (column("x")):(column("temperature")) \
        with lines linecolor rgb colour(k)
    unset multiplot
    exit
}
set logscale xy
set format y "10^{%L}"
set xlabel "cells"; set ylabel "mean error of the density" offset 1
set key bottom left
errors = "errors.csv"
stats errors using (column("l1")) name "L" nooutput
if (exists("L_records") && L_records > 0) {
    of(k) = sprintf("errors-%d.csv", k)
    cells(_) = column("nx") * column("ny")
    stats errors using (cells(0)) name "N" nooutput
    set xrange [0.8 * N_min : 1.25 * N_max]
    set yrange [0.5 * L_min : 2 * L_max]
    plot for [k = 1:schemes] of(k) using (cells(0)):(column("l1")) with linespoints \
            pointtype shape(k, 1) pointsize 0.6 linecolor rgb colour(k) title scheme(k), \
        L_max * (N_min / x) dashtype 3 linecolor rgb "#808080" title "order 1", \
        L_max * (N_min / x)**5 dashtype 2 linecolor rgb "#808080" title "order 5"
}
unset multiplot
