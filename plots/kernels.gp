# SPDX-License-Identifier: MIT
#
# Linear algebra kernels: plots/kernels calls this with run (a folder with kernels.csv), format and
# file.
# Panels: time of a system against its size; with a GPU bandwidth asked for (Le and Cambier 2013,
# Fig. 11), speed-up over one CPU core by number of systems (Fig. 12) and time by number of segments
# (Fig. 13); without one flops. Colour and shape: kernel with its layout; open: CPU, filled: GPU. In
# the panels of Figs. 12 and 13 the colour is the number of systems.

load "plots/style.gp"
rows = run . "/kernels.csv"

# ---- what is there ----
ok(_) = strcol("status") eq "ok"
on_gpu(_) = strcol("engine")[1:3] eq "gpu"
double(_) = strcol("precision") eq "double"
name(_) = strcol("kernel") . "|" . strcol("engine") . "|" . strcol("layout")
series = ""; batches = ""; cut = ""; gpu = 0; shown = 0; copy = 0
stats rows using ( \
    series = ok(0) && double(0) ? add(series, name(0)) : series, \
    batches = ok(0) && on_gpu(0) ? add(batches, strcol("n")) : batches, \
    cut = ok(0) && column("segments") > 1 ? add(cut, strcol("n")) : cut, \
    gpu = gpu || (ok(0) && on_gpu(0)), copy = on_gpu(0) && ok(0) ? column("copy_GBs") : copy, \
    mech = strcol("mech"), machine = strcol("machine"), 0) nooutput
if (words(series) == 0) { print rows . ": nothing was measured"; exit status 3 }
# one number of systems stands for the GPU: the paper's 128 x 128 cells if measured
shown = has(batches, "16384") ? "16384" : word(batches, words(batches))

# ---- which rows are drawn where ----
whole(_) = ok(0) && column("segments") == 1
# dense systems by size, or the Newton matrix, which alone the sparse LU has
fits(_) = whole(0) && double(0) && (!on_gpu(0) || strcol("n") eq shown) && \
    strcol("matrix") eq (strcol("kernel") eq "sparse" ? "newton" : "dominant")
is(k) = fits(0) && name(0) eq word(series, k)
kernel(k) = field(word(series, k), 1); engine(k) = field(word(series, k), 2)
filled(k) = engine(k)[1:3] eq "gpu"
label_of(k) = kernel(k) . " " . engine(k) . (filled(k) ? " " . field(word(series, k), 3) : "")
on_device = ""
do for [k = 1:words(series)] {
    on_device = filled(k) ? add(on_device, sprintf("%d", k)) : on_device
}
# number of a GPU series among all; the speed-ups of Fig. 12
mapping = "dense|gpu-thread|interleaved rows|gpu-thread|interleaved rows|gpu-block|contiguous"
speeds(k, n) = whole(0) && double(0) && strcol("matrix") eq "dominant" && strcol("n") eq n && \
    name(0) eq word(mapping, k)
pieces(n) = ok(0) && column("m") == 100 && double(0) && strcol("n") eq n && \
    name(0) eq word(mapping, 1) && strcol("matrix") eq "dominant"

# ---- layout [inches] ----
width = 10; height = gpu ? 7.2 : 3.9
load "plots/style.gp"
set label 1 mech . ", " . machine at screen 0.5, screen 1 - 0.16 / height center noenhanced \
    font ",11"
panel_h = (1 - 0.35 / height) / (gpu ? 2 : 1)
left(c) = c == 1 ? 0.07 : 0.6
place_panel = "set lmargin at screen left(c); set rmargin at screen left(c) + 0.26; \
set tmargin at screen 1 - 0.4 / height - (r - 1) * panel_h; \
set bmargin at screen 1 - 0.35 / height - r * panel_h + 0.5 / height; \
set key at screen left(c) + 0.27, screen 1 - 0.4 / height - (r - 1) * panel_h left top Left \
reverse noenhanced samplen 1.5 font ',8' spacing 1.1"
set multiplot
set logscale xy
set format y powers

c = 1; r = 1; eval place_panel
set xlabel "unknowns m" offset 0, 0.4; set ylabel "time of a system [us]" offset 1
set label 2 (gpu ? "GPU: n = " . shown : "") at graph 0.03, graph 0.95
plot for [k = 1:words(series)] rows using (column("m")):(is(k) ? column("us_per_system") : NaN): \
    (1e6 * column("time_lo_s") / column("n")):(1e6 * column("time_hi_s") / column("n")) \
    with yerrorlines linecolor rgb colour(k) pointtype shape(k, filled(k)) title label_of(k)
unset label 1; unset label 2

c = 2; r = 1; eval place_panel
set ylabel (gpu ? "asked of global memory [GB/s]" : "GFlop/s")
what = gpu ? "bandwidth_GBs" : "gflops"
# colours are those of the first panel
if (gpu) {
    plot for [i = 1:words(on_device)] rows using \
        (column("m")):(is(word(on_device, i) + 0) ? column(what) : NaN) with linespoints \
        linecolor rgb colour(word(on_device, i) + 0) pointtype shape(word(on_device, i) + 0, 1) \
        notitle, \
        copy with lines linecolor rgb "#606060" dashtype 2 title "a plain copy"
} else {
    plot for [k = 1:words(series)] rows using (column("m")):(is(k) ? column(what) : NaN) \
        with linespoints linecolor rgb colour(k) pointtype shape(k, 0) notitle
}
if (gpu) {
    c = 1; r = 2; eval place_panel
    set ylabel "speed-up over one core"
    plot for [j = 1:words(batches)] for [k = 1:3] rows using (column("m")): \
        (speeds(k, word(batches, j)) ? column("speedup_dense") : NaN) with linespoints \
        linecolor rgb colour(j) pointtype shape(k, 1) dashtype k \
        title head(word(mapping, k)) . (k == 3 ? " (block)" : "") . ", n " . word(batches, j)
    if (words(cut)) {
        c = 2; r = 2; eval place_panel
        set xlabel "segments (launches), m = 100"; set ylabel "time of the batch [s]"
        set logscale x 2
        plot for [j = 1:words(cut)] rows using (column("segments")): \
            (pieces(word(cut, j)) ? column("time_s") : NaN) with linespoints \
            linecolor rgb colour(j) pointtype shape(j, 1) title "n " . word(cut, j)
    }
}
unset multiplot
