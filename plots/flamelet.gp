# SPDX-License-Identifier: MIT
#
# A flamelet database: plots/database calls this with the format; table.csv has step, time_s, z, T_K
# and species, `texts` the name. Left: T along the mixture fraction at up to six of its times;
# right: the major species at the first and at the last of them.

format = ARG1
load "plots/style.gp"
table = "table.csv"
header = system("head -1 table.csv")
named(s) = strstrt("," . header . ",", "," . s . ",") > 0

# with a point: gnuplot takes no "1e-06" for a number
time_of(_) = sprintf("%.9e", column("time_s"))
times = ""
stats table using (times = add(times, time_of(0)), 0) nooutput
count = words(times)
shown = count < 6 ? count : 6
# the first, and then with growing distance
moment(k) = word(times, k == 1 ? 1 : \
    k == 2 ? 2 : 1 + int((count - 1)**((k - 2.0) / (shown - 2)) + 0.5))

# the flame and its surroundings: six times the mixture fraction of the largest T at the start
T_most = 0; z_most = 1
stats table using (column("T_K") > T_most ? \
    (T_most = column("T_K"), z_most = column("z")) : 0, 0) nooutput
z_end = 6 * z_most < 1 ? 6 * z_most : 1
at(t) = time_of(0) eq t && column("z") <= z_end

unit = moment(shown) < 1e-3 ? 1e6 : 1e3
label(t) = sprintf("%.3g %s", t * unit, unit == 1e6 ? "µs" : "ms")

width = 8.2; height = 3.1
load "plots/style.gp"
set label 1 name at screen 0.5, screen 1 - 0.14 / height center noenhanced font ",11"
set multiplot
left(c) = c == 1 ? 0.075 : 0.565
place_panel = "set lmargin at screen left(c); set rmargin at screen left(c) + 0.3; \
set tmargin at screen 0.91; set bmargin at screen 0.15"
set xlabel "mixture fraction z" offset 0, 0.4
set xrange [0:z_end]
set xtics z_end > 0.5 ? 0.2 : z_end > 0.25 ? 0.1 : z_end > 0.1 ? 0.05 : 0.02
set key at graph 1.02, 1 left top samplen 1.2 spacing 1.1 Left reverse noenhanced

c = 1; eval place_panel
set ylabel "T [K]" offset 1
set yrange [0:*]
# from light (start) to dark (end)
shade(k) = shown > 1 ? (k - 1.0) / (shown - 1) : 1
colour_of(k) = int(214 - 214 * shade(k)) * 65536 + int(226 - 112 * shade(k)) * 256 + \
    int(240 - 62 * shade(k))
plot for [k = 1:shown] table using (at(moment(k)) ? column("z") : NaN):(column("T_K")) with lines \
    linewidth 1.4 linecolor rgb colour_of(k) title label(moment(k))
unset label 1

c = 2; eval place_panel
set ylabel "mass fraction" offset 1
# OH is small: tenfold
species = ""
do for [s in "O2 CH4 H2 H2O CO CO2 OH"] {
    most = 0
    if (named(s)) { stats table using (column(s)) name "Y" nooutput; most = Y_max }
    if (most > 1e-6) { species = add(species, s) }
}
factor(s) = s eq "OH" ? 10 : 1
titled(s) = s eq "OH" ? "OH × 10" : s
set yrange [0:0.3]
plot for [k = 1:words(species)] table using (at(moment(shown)) ? column("z") : NaN): \
        (factor(word(species, k)) * column(word(species, k))) with lines linewidth 1.4 \
        linecolor rgb colour(k) title titled(word(species, k)), \
    for [k = 1:words(species)] table using (at(moment(1)) ? column("z") : NaN): \
        (factor(word(species, k)) * column(word(species, k))) with lines linewidth 1 dashtype 2 \
        linecolor rgb colour(k) notitle, \
    NaN with lines linewidth 1 dashtype 2 linecolor rgb "#606060" title label(moment(1)), \
    NaN with lines linewidth 1.4 linecolor rgb "#606060" title label(moment(shown))
unset multiplot
