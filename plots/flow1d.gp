# SPDX-License-Identifier: MIT
#
# Flow in one dimension: plots/flow calls this with folder (errors.csv, profile-SCHEME.csv and,
# where there is one, profile-reference.csv), schemes, name, format and file. Left: density, over
# the exact one or that of a fine run; right: mean error of the density against the number of cells,
# and slopes 1 and 5.

load "plots/style.gp"
width = 8.2; height = 3.4
load "plots/style.gp"
profile(s) = sprintf("%s/profile-%s.csv", folder, s)
fine = system(sprintf("test -s '%s' && echo 1 || echo 0", profile("reference"))) + 0
set label 1 name at screen 0.5, screen 1 - 0.14 / height center noenhanced font ",11"
set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.16
set lmargin at screen 0.075; set rmargin at screen 0.56
set xlabel "x" offset 0, 0.4; set ylabel "density" offset 1.5
set key top right samplen 1.5 noenhanced
stats profile(word(schemes, 1)) using (column("exact")) name "E" nooutput
known = fine || (exists("E_records") && E_records > 0)
from = fine ? profile("reference") : profile(word(schemes, 1))
what = fine ? "density" : "exact"
plot (known ? from : "/dev/null") using (column("x")):(column(what)) with lines linewidth 1.2 \
        linecolor rgb "#b0b0b0" title (known ? (fine ? "1600 cells" : "exact") : ""), \
    for [k = 1:words(schemes)] profile(word(schemes, k)) using (column("x")):(column("density")) \
        with points pointtype shape(k, 0) pointsize 0.35 linecolor rgb colour(k) \
        title word(schemes, k)
unset label 1

set lmargin at screen 0.67; set rmargin at screen 0.98
set logscale xy
set format y powers
set xlabel "cells"; set ylabel "mean error of the density" offset 1
set key bottom left
errors = folder . "/errors.csv"
stats errors using (column("l1")) name "L" nooutput
if (exists("L_records") && L_records > 0) {
    of(k) = sprintf("< awk -F, 'NR == 1 || $2 == \"%s\"' '%s'", word(schemes, k), errors)
    cells(_) = column("nx") * column("ny")
    stats errors using (cells(0)) name "N" nooutput
    set xrange [0.8 * N_min : 1.25 * N_max]
    set yrange [0.5 * L_min : 2 * L_max]
    plot for [k = 1:words(schemes)] of(k) using (cells(0)):(column("l1")) with linespoints \
            pointtype shape(k, 1) pointsize 0.6 linecolor rgb colour(k) title word(schemes, k), \
        L_max * (N_min / x) dashtype 3 linecolor rgb "#808080" title "order 1", \
        L_max * (N_min / x)**5 dashtype 2 linecolor rgb "#808080" title "order 5"
}
unset multiplot
