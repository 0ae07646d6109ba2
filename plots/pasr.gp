# SPDX-License-Identifier: MIT
#
# A database of partially stirred reactors: plots/database calls this with the format; table.csv has
# time_s, condition, particle, T_mean_K, mixture_fraction, progress and T_K, `texts` the name and
# then the label of each condition. Left: mean T of each condition in time, which shows when it has
# settled; right: T of the particles in the second half of the time against progress (Y_CO2 + Y_H2O
# over its value at equilibrium), or against the mixture fraction where that varies.

format = ARG1
load "plots/style.gp"
table = "table.csv"
conditions = ""; t_end = 0; z_low = 1; z_high = 0; n = 0
stats table using (conditions = add(conditions, strcol("condition")), \
    t_end = column("time_s") > t_end ? column("time_s") : t_end, \
    z_low = column("mixture_fraction") < z_low ? column("mixture_fraction") : z_low, \
    z_high = column("mixture_fraction") > z_high ? column("mixture_fraction") : z_high, \
    n = n + 1, 0) nooutput
mixed = z_high - z_low > 1e-3
across = mixed ? "mixture_fraction" : "progress"
unit = t_end < 1e-3 ? 1e6 : 1e3
many = words(conditions)
# no more than some 3000 points of each condition in the cloud
thin = int(n / many / 2 / 3000) + 1
dash(k) = k > 8 ? 2 : 1 # colours come round again
marker(k) = k > 8 ? 6 : 7
label_of(c) = c >= 0 && c + 2 < |texts| ? texts[c + 2] : ""

width = 8.6; height = 3.3
load "plots/style.gp"
set label 1 name at screen 0.5, screen 1 - 0.14 / height center noenhanced font ",11"
set multiplot
left(c) = c == 1 ? 0.075 : 0.5
place_panel = "set lmargin at screen left(c); set rmargin at screen left(c) + 0.34; \
set tmargin at screen 0.91; set bmargin at screen 0.15"

c = 1; eval place_panel
set xlabel unit == 1e6 ? "t [µs]" : "t [ms]" offset 0, 0.4
set ylabel "mean T of the particles [K]" offset 1
set xrange [0:t_end * unit]
unset key
mean(c) = strcol("condition") eq c && column("particle") == 0
plot for [k = 1:many] table using (mean(word(conditions, k)) ? unit * column("time_s") : 1 / 0): \
    (column("T_mean_K")) with lines linewidth 1.2 linecolor rgb colour(k) \
    dashtype dash(k)
unset label 1

c = 2; eval place_panel
set xlabel mixed ? "mixture fraction" : "progress (H_2O + CO_2, 1: equilibrium)" offset 0, 0.4
set ylabel "T [K]" offset 1
set xrange [0:*]
set key at graph 1.03, 1 left top samplen 0.6 spacing 1.1 Left reverse noenhanced
row = 0
cloud(c) = (row = row + 1, strcol("condition") eq c && column("time_s") > 0.5 * t_end && \
    row % thin == 0)
plot for [k = 1:many] table using (cloud(word(conditions, k)) ? column(across) : 1 / 0): \
    (column("T_K")) with points pointtype marker(k) pointsize 0.22 linecolor rgb colour(k) \
    notitle, \
    for [k = 1:many] NaN with points pointtype marker(k) pointsize 0.8 linecolor rgb colour(k) \
    title label_of(int(word(conditions, k)))
unset multiplot
