# SPDX-License-Identifier: MIT
#
# Work-precision: plots/verify calls this with run (a folder with verify.csv), format and file.
# Time for one ODE against its error at the 95th percentile over ODEs, one column of panels for each
# dt, one row for each number of threads (and one for GPUs). Bars: 95 % interval of the error over
# the states (across) and of the median time (up and down). Errors above 10 are left out. Shape and
# colour: solver; open: cpu-scalar and gpu-thread, filled: other engines.

load "plots/style.gp"
cells = run . "/verify.csv"
text = format eq "txt"

# ---- what is there (a function needs an argument, hence the _) ----
ok(_) = strcol("status") eq "ok" && column("err_p95") > 0 && column("err_p95") < 10
group(_) = strcol("engine")[1:3] eq "cpu" ? strcol("threads") : "gpu"
# a method of fixed steps is swept by their number
solver(_) = strstrt(strcol("solver"), ":steps=") ? \
    strcol("solver")[1:strstrt(strcol("solver"), ":steps=") - 1] : strcol("solver")
note(list, w) = ok(0) ? add(list, w) : list
solvers = ""; dts = ""; groups = ""; engines = ""; schedules = ""; pairs = ""; order = ""; n_cpu = 0; n_gpu = 0
on_gpu(_) = group(0) eq "gpu"
stats cells using ( \
    solvers = note(solvers, solver(0)), dts = note(dts, strcol("dt_s")), \
    groups = note(groups, group(0)), engines = note(engines, strcol("engine")), \
    pairs = note(pairs, solver(0) . "|" . strcol("engine")), \
    schedules = note(schedules, strcol("schedule")), \
    order = strlen(order) ? order : strcol("order"), \
    mech = strcol("mech"), machine = strcol("machine"), database = strcol("database"), \
    n_cpu = ok(0) && !on_gpu(0) && column("n") > n_cpu ? column("n") : n_cpu, \
    n_gpu = ok(0) && on_gpu(0) && column("n") > n_gpu ? column("n") : n_gpu, 0) nooutput
if (words(solvers) == 0) { print cells . ": no measured cell to draw"; exit status 3 }

# ---- which rows are drawn where ----
x(_) = column("err_p95")
drawn(_) = ok(0) && strcol("order") eq order && column("n") == (on_gpu(0) ? n_gpu : n_cpu)
fits(dt, g) = drawn(0) && strcol("dt_s") eq dt && group(0) eq g
name(_) = solver(0) . "|" . strcol("engine") . "|" . strcol("schedule")
is(k, dt, g) = fits(dt, g) && name(0) eq word(series, k)
number(k) = place(solvers, field(word(series, k), 1))
solid(engine) = engine ne "cpu-scalar" && engine ne "gpu-thread"
filled(k) = solid(field(word(series, k), 2))
letter(k) = place(pairs, field(word(series, k), 1) . "|" . field(word(series, k), 2))
dash_of(schedule) = schedule eq "refill" ? 1 : 2
dash(k) = dash_of(field(word(series, k), 3))

# one range for all panels, so that they compare at a glance
ylow = 1e300; yhigh = 0; xlow = 1e300; xhigh = 0
stats cells using ( \
    ylow = drawn(0) && column("us_lo") < ylow ? column("us_lo") : ylow, \
    yhigh = drawn(0) && column("us_hi") > yhigh ? column("us_hi") : yhigh, \
    xlow = drawn(0) && x(0) < xlow ? x(0) : xlow, \
    xhigh = drawn(0) && x(0) > xhigh ? x(0) : xhigh, 0) nooutput
# the ends of bars stay in the panel (an interval can end at 0 or at infinity)
inside(e) = e < xlow / 2 ? xlow / 2 : e > 2 * xhigh ? 2 * xhigh : e

odes = n_cpu == n_gpu || !n_gpu ? sprintf("%d ODEs", n_cpu) : !n_cpu ? sprintf("%d ODEs", n_gpu) : \
    sprintf("%d ODEs (%d on the GPU)", n_cpu, n_gpu)

# ---- layout [inches] ----
label_of(s) = s
longest = 12
do for [s in solvers] { longest = strlen(s) > longest ? strlen(s) : longest }
columns = words(dts); rows = words(groups)
legend = text ? 2.8 : 0.55 + 0.075 * longest
entries = text ? words(pairs) : words(solvers) + words(engines) + words(schedules) + 2
tall = 0.85 + (text ? 0.115 : 0.2) * entries
width = 0.8 + 3.6 * columns + legend; height = 0.9 + 3.4 * rows
height = tall > height ? tall : height
load "plots/style.gp"
left = 0.8 / width; right = 1 - legend / width
top = 1 - 0.55 / height; bottom = 0.35 / height
cell_w = (right - left) / columns; cell_h = (top - bottom) / rows
gap_x = (text ? 0.8 : 0.45) / width; gap_y = (text ? 0.75 : 0.55) / height

set logscale xy
set format y powers
set format x powers
if (xhigh / xlow > 1e6) { set xtics 100 }
ytitle = text ? "time for one ODE [us]" : "time for one ODE [µs]"
middle = 0.5 * (left + right - gap_x)
set label 1 sprintf("%s: time for one ODE against its error, %s", mech, odes) \
    at screen middle, screen 1 - 0.18 / height center noenhanced font ",11"
set label 2 sprintf("%s, database %s in %s order; bars: 95 %% intervals", machine, database, order) \
    at screen middle, screen 1 - 0.37 / height center noenhanced

# ---- panels ----
unset key
set multiplot
do for [r = 1:rows] { do for [c = 1:columns] {
    dt = word(dts, c); g = word(groups, r); series = ""
    set xrange [*:*]; set yrange [*:*] # stats would heed a range
    stats cells using (series = fits(dt, g) ? add(series, name(0)) : series, 0) nooutput
    set xrange [xlow / 2 : xhigh * 2]; set yrange [ylow / 1.5 : yhigh * 1.5]
    set lmargin at screen left + (c - 1) * cell_w
    set rmargin at screen left + c * cell_w - gap_x
    set tmargin at screen top - (r - 1) * cell_h - 0.2 / height
    set bmargin at screen top - r * cell_h + gap_y * (text ? 0.9 : 0.6)
    set title sprintf("dt = %s s, %s", dt, g eq "gpu" ? "GPU" : \
        g . (g eq "1" ? " thread" : " threads")) noenhanced offset 0, (text ? 0 : -0.6)
    if (c == 1) { set ylabel ytitle offset (text ? 0 : 0.3) } else { unset ylabel }
    if (r == rows) { set xlabel "error, 95th percentile over ODEs" } else { unset xlabel }
    if (words(series) == 0) {
        set label 3 "nothing measured" at graph 0.5, graph 0.5 center
        plot xlow notitle with points pointtype 0 linecolor rgb "white"
        unset label 3
    } else { if (text) {
        plot for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):"us_per_ode" \
            with points pointtype letter(k)
    } else {
        plot for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):"us_per_ode" \
                smooth unique with lines linecolor rgb colour(number(k)) dashtype dash(k), \
            for [k = 1:words(series)] cells using (is(k, dt, g) ? x(0) : NaN):"us_per_ode": \
                (inside(column("err_p95_lo"))):(inside(column("err_p95_hi"))):"us_lo":"us_hi" \
                with xyerrorbars pointtype shape(number(k), filled(k)) linewidth 0.6 \
                linecolor rgb colour(number(k))
    }}
    unset label 1
    unset label 2
}}

load "plots/legend.gp"
unset multiplot
set output
