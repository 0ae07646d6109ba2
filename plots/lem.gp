# SPDX-License-Identifier: MIT
#
# A linear-eddy database: plots/database calls this with the format and the number of a simulation;
# table.csv has simulation, time_s, cell, z, T_K and species, `texts` the name. Left: T along the
# line of that simulation at four of its times, one above the other; right: T against the mixture
# fraction of all simulations.

format = ARG1
load "plots/style.gp"
table = "table.csv"
# one simulation; and some 16000 states of all, without the pure streams
sim = int(ARG2 + 0)
line = sprintf("< awk -F, 'NR == 1 || $1 == %d' table.csv", sim)
rows = int(system("wc -l <table.csv"))
thin = sprintf("< awk -F, 'NR == 1 || ($4 > 1e-3 && $4 < 0.999 && n++ %% %d == 0)' table.csv", \
    1 + rows / 32000)
if (int(system(sprintf("%s | wc -l", line[2:*]))) < 2) {
    print sprintf("%s has no simulation %d (SIM=)", name, sim); exit status 2
}
# with a point: gnuplot takes no "1e-06" for a number
time_of(_) = sprintf("%.9e", column("time_s"))
times = ""; last_cell = 0
stats line using (times = add(times, time_of(0)), \
    last_cell = column("cell") > last_cell ? column("cell") : last_cell, 0) nooutput
count = words(times)
shown = count < 4 ? count : 4
moment(k) = word(times, 1 + (shown > 1 ? (k - 1) * (count - 1) / (shown - 1) : 0))
at(t) = time_of(0) eq t

width = 8.2; height = 3.6
load "plots/style.gp"
set label 1 name at screen 0.5, screen 1 - 0.14 / height center noenhanced font ",11"
set multiplot

# ---- along the line ----
strip = 0.76 / shown
set lmargin at screen 0.08; set rmargin at screen 0.49
set xrange [0:last_cell]
set yrange [0:2600]
set ytics 0, 1000
unset key
do for [k = 1:shown] {
    set tmargin at screen 0.91 - (k - 1) * strip
    set bmargin at screen 0.91 - k * strip + 0.02
    if (k == shown) {
        set format x "%g"; set xlabel "cell, fuel on the left" offset 0, 0.4
    } else { set format x ""; unset xlabel }
    set label 2 sprintf("%.3g ms", 1e3 * moment(k)) at graph 0.98, graph 0.84 right
    if (k == 1) { set label 3 sprintf("simulation %d", sim) at graph 0.02, graph 0.84 left }
    if (k == 1 + shown / 2) { set label 4 "T [K]" at screen 0.018, screen 0.53 center rotate }
    plot line using (at(moment(k)) ? column("cell") : NaN):(column("T_K")) with lines \
        linewidth 1.2 linecolor rgb colour(2)
    unset label 1; unset label 3
}
unset label 2; unset label 4

# ---- all states ----
set lmargin at screen 0.575; set rmargin at screen 0.975
set tmargin at screen 0.91; set bmargin at screen 0.15
set xrange [0:1]; set yrange [*:*]; set ytics auto
set format x "%g"
set xlabel "mixture fraction z"; set ylabel "T [K]" offset 1
plot thin using (column("z")):(column("T_K")) with points pointtype 7 pointsize 0.1 \
    linecolor rgb colour(1)
unset multiplot
