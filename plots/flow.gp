# SPDX-License-Identifier: MIT
#
# Flow in two dimensions: plots/flow calls this with the format, nx, ny, x0, y0, dx, dy, t and foil
# (1: there is one); the file `table` has x, y, density, pressure, schlieren, temperature and foil,
# a blank line after each row of cells, and `texts` the names of case and scheme. Density with 30
# contours, or the temperature of a detonation; pressure, a schlieren picture:
# exp(-15 |grad rho|/max), and the foil: dark where the largest pressure was high, light where it
# stayed below half of its upper quartile. A detonation has SI units.

format = ARG1; nx = int(ARG2 + 0); ny = int(ARG3 + 0)
x0 = ARG4 + 0.; y0 = ARG5 + 0.; dx = ARG6 + 0.; dy = ARG7 + 0.; t = ARG8 + 0.; foil = int(ARG9 + 0)
load "plots/style.gp"
scheme = texts[2] . ""
table = "table"
aspect = (ny * dy) / (nx * dx)
tall = aspect > 1
panel = tall ? 1.4 : aspect > 0.2 ? 4.6 : 7
panels = 3 + foil
real = foil # the cases in a mechanism's gas have one
width = (tall ? panels : 1) * (panel + 1.4) # with axes and colour bars
height = (tall ? 1 : panels) * (panel * aspect + 0.75) + 0.35
load "plots/style.gp"
set datafile separator whitespace
set datafile missing "none" # solid cells are NaN, and no point may be left out of an image
unset datafile columnheaders
unset key; unset grid
stats table using 3 nooutput
stats table using 4 name "P" nooutput
stats table using 6 name "T" nooutput
stats table using 7 name "FOIL" nooutput
set xrange [x0:x0 + nx * dx]; set yrange [y0:y0 + ny * dy]
x_step = tall ? nx * dx / 2 : nx * dx / 5; y_step = tall ? ny * dy / 5 : ny * dy / 2
set xtics x_step; set ytics y_step
set cbtics font ",8"
# steps of 1, 2 or 5 for the numbers of a colour bar: few where it is low
round_step(x) = (e = 10**floor(log10(x)), x < 1.5 * e ? e : x < 3.5 * e ? 2 * e : \
    x < 7.5 * e ? 5 * e : 10 * e)
steps(range) = round_step((range > 0 ? range : 1) / (tall ? 8.0 : 3 + 8 * aspect))
contours = "contours"
set table contours
set contour base; unset surface
level = (STATS_max - STATS_min) / 30 # none at a state that fills half of the picture
set cntrparam levels incremental STATS_min + 0.37 * level, level, STATS_max
splot table using 1:2:3 with lines
unset table; unset contour; set surface
if (tall) { set rmargin 7 }
set border 15
set size ratio -1
set multiplot layout (tall ? 1 : panels), (tall ? panels : 1) \
    title sprintf("%s, %s, %d x %d cells, t = %.4g%s", name, scheme, nx, ny, t, real ? \
        " s (x and y in m)" : "") noenhanced font ",11"
set palette defined (0 "#30123b", 1 "#4777ef", 2 "#1bd0d5", 3 "#62fc6b", 4 "#d2e935", 5 "#fe9b2d", \
    6 "#d23105", 7 "#7a0403")
if (real) {
    set title "temperature [K]" offset 0, -0.6
    set cbtics steps(T_max - T_min)
    plot table using 1:2:6 with image
} else {
    set title "density, 30 contours" offset 0, -0.6
    set cbtics steps(STATS_max - STATS_min)
    plot table using 1:2:3 with image, \
        contours using 1:2 with lines linewidth 0.4 linecolor rgb "black"
}
set title real ? "pressure [Pa]" : "pressure"
set cbtics steps(P_max - P_min)
plot table using 1:2:4 with image
set title "schlieren"
set palette defined (0 "black", 1 "white"); set cbrange [0:1]
set cbtics steps(1)
plot table using 1:2:5 with image
if (foil) {
    set palette defined (0 "#f4f0e6", 0.35 "#c8c2b4", 0.75 "black", 1 "black")
    set cbrange [0.5 * FOIL_up_quartile:FOIL_max]
    set cbtics steps(FOIL_max - 0.5 * FOIL_up_quartile)
    set title "soot foil: largest pressure so far [Pa]"
    plot table using 1:2:7 with image
}
unset multiplot
