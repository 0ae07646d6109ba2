# SPDX-License-Identifier: MIT
#
# A run of bench: plots/draw calls this with run (a folder with cells.csv), format, file and figure:
#   "time"   time for one ODE against the number of ODEs, median with 95 % interval
#   "error"  time for one ODE against its error (work-precision), at the largest number of ODEs
# One column of panels for each dt, one row for each number of threads (and one for GPUs). Shape and
# colour: solver; open: cpu-scalar and gpu-thread, filled: other engines; solid: refill, dashed: static.

load "plots/style.gp"
cells = run . "/cells.csv"
text = format eq "txt"
by_n = figure eq "time"

# ---- what is there (a function needs an argument, hence the _) ----
ok(_) = strcol("status") eq "ok" && column("err_p95") > (by_n ? -1 : 0)
group(_) = strcol("engine")[1:3] eq "cpu" ? strcol("threads") : "gpu"
note(list, w) = ok(0) ? add(list, w) : list
solvers = ""; dts = ""; groups = ""; engines = ""; schedules = ""; sizes = ""; order = ""; n_max = 0
pairs = ""
stats cells using ( \
    solvers = note(solvers, strcol("solver")), dts = note(dts, strcol("dt_s")), \
    groups = note(groups, group(0)), engines = note(engines, strcol("engine")), \
    pairs = note(pairs, strcol("solver") . "|" . strcol("engine")), \
    schedules = note(schedules, strcol("schedule")), sizes = note(sizes, strcol("n")), \
    order = strlen(order) ? order : strcol("order"), \
    mech = strcol("mech"), machine = strcol("machine"), database = strcol("database"), \
    n_max = ok(0) && column("n") > n_max ? column("n") : n_max, 0) nooutput
if (words(solvers) == 0) { print cells . ": no measured cell to draw"; exit status 3 }

# the first tolerance of each solver stands for it where the figure has no room for all
first = ""
tolerance(s) = field(word(first, place(solvers, s)), 2)
do for [s in solvers] {
    found = ""
    stats cells using (found = (ok(0) && strcol("solver") eq s && found eq "") ? \
        strcol("rtol") : found, 0) nooutput
    first = add(first, s . "|" . found)
}

# ---- which rows are drawn where ----
x(_) = by_n ? column("n") : column("err_p95")
us(name) = 1e6 * column(name) / column("n")
drawn(_) = ok(0) && x(0) < 1e300 && strcol("order") eq order && \
    (by_n ? strcol("rtol") eq tolerance(strcol("solver")) : column("n") == n_max)
fits(dt, g) = drawn(0) && strcol("dt_s") eq dt && group(0) eq g
name(_) = strcol("solver") . "|" . strcol("engine") . "|" . strcol("schedule")
is(k, dt, g) = fits(dt, g) && name(0) eq word(series, k)
number(k) = place(solvers, field(word(series, k), 1))
solid(engine) = engine ne "cpu-scalar" && engine ne "gpu-thread"
filled(k) = solid(field(word(series, k), 2))
letter(k) = place(pairs, field(word(series, k), 1) . "|" . field(word(series, k), 2))
# a plain "dashtype (" would begin a pattern of dashes
dash_of(schedule) = schedule eq "refill" ? 1 : 2
dash(k) = dash_of(field(word(series, k), 3))

# one range for all panels, so that they compare at a glance
ylow = 1e300; yhigh = 0; xlow = 1e300; xhigh = 0
stats cells using ( \
    ylow = drawn(0) && us("time_lo_s") < ylow ? us("time_lo_s") : ylow, \
    yhigh = drawn(0) && us("time_hi_s") > yhigh ? us("time_hi_s") : yhigh, \
    xlow = drawn(0) && x(0) < xlow ? x(0) : xlow, \
    xhigh = drawn(0) && x(0) > xhigh ? x(0) : xhigh, 0) nooutput

# ---- layout [inches] ----
label_of(s) = by_n ? s . ", rtol " . tolerance(s) : s
longest = 12
do for [s in solvers] { longest = strlen(label_of(s)) > longest ? strlen(label_of(s)) : longest }
columns = words(dts); rows = words(groups)
legend = text ? 2.8 : 0.55 + 0.075 * longest
entries = text ? words(pairs) : words(solvers) + words(engines) + words(schedules) + 2
tall = 0.85 + (text ? 0.115 : 0.2) * entries # the legend in one column
width = 0.8 + 2.9 * columns + legend; height = 0.9 + 2.4 * rows
height = tall > height ? tall : height
load "plots/style.gp"
left = 0.8 / width; right = 1 - legend / width
top = 1 - 0.55 / height; bottom = 0.35 / height
cell_w = (right - left) / columns; cell_h = (top - bottom) / rows
gap_x = (text ? 0.8 : 0.45) / width; gap_y = (text ? 0.75 : 0.55) / height

set logscale xy
set format y powers
if (by_n) {
    xtitle = "number of ODEs"
    heading = mech . ": time for one ODE against the number of ODEs"
    if (words(sizes) <= 7) {
        set xtics ()
        do for [w in sizes] { set xtics add (w real(w)) }
    }
} else {
    xtitle = "error, 95th percentile over ODEs"
    heading = sprintf("%s: time for one ODE against its error, %d ODEs", mech, n_max)
    set format x powers
    if (xhigh / xlow > 1e6) { set xtics 100 }
}
ytitle = text ? "time for one ODE [us]" : "time for one ODE [µs]"
middle = 0.5 * (left + right - gap_x)
set label 1 heading at screen middle, screen 1 - 0.18 / height center noenhanced font ",11"
set label 2 sprintf("%s, database %s in %s order", machine, database, order) \
    at screen middle, screen 1 - 0.37 / height center noenhanced

# ---- panels ----
unset key
set multiplot
do for [r = 1:rows] { do for [c = 1:columns] {
    dt = word(dts, c); g = word(groups, r); series = ""
    set xrange [*:*]; set yrange [*:*] # stats would heed a range
    stats cells using (series = fits(dt, g) ? add(series, name(0)) : series, 0) nooutput
    set xrange [xlow / 1.5 : xhigh * 1.5]; set yrange [ylow / 1.5 : yhigh * 1.5]
    set lmargin at screen left + (c - 1) * cell_w
    set rmargin at screen left + c * cell_w - gap_x
    set tmargin at screen top - (r - 1) * cell_h - 0.2 / height
    set bmargin at screen top - r * cell_h + gap_y * (text ? 0.9 : 0.6)
    set title sprintf("dt = %s s, %s", dt, g eq "gpu" ? "GPU" : \
        g . (g eq "1" ? " thread" : " threads")) noenhanced offset 0, (text ? 0 : -0.6)
    if (c == 1) { set ylabel ytitle offset (text ? 0 : 0.3) } else { unset ylabel }
    if (r == rows) { set xlabel xtitle } else { unset xlabel }
    if (words(series) == 0) {
        set label 3 "nothing measured" at graph 0.5, graph 0.5 center
        plot xlow notitle with points pointtype 0 linecolor rgb "white"
        unset label 3
    } else { if (text) {
        plot for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):(us("time_s")) \
            with points pointtype letter(k)
    } else {
        plot for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):(us("time_s")) \
                smooth unique with lines linecolor rgb colour(number(k)) dashtype dash(k), \
            for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):(us("time_s")): \
                (us("time_lo_s")):(us("time_hi_s")) with yerrorbars pointtype \
                shape(number(k), filled(k)) linecolor rgb colour(number(k))
    }}
    unset label 1
    unset label 2
}}

load "plots/legend.gp"
unset multiplot
set output
