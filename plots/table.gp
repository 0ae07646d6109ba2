# SPDX-License-Identifier: MIT
#
# A table as a picture: the lines of the file `texts`. plots/show calls this with the format; the
# picture is picture.<format>.

format = ARG1
load "plots/texts.gp"
rows = |texts| - 1
longest = 0
do for [k = 1:rows] { longest = strlen(texts[k]) > longest ? strlen(texts[k]) : longest }
W = 20 + 6.7 * longest; W = W < 800 ? 800 : W
H = 20 + 15. * rows
if (format eq "svg") { set terminal svg size W,H font "DejaVu Sans Mono,11" background rgb "white" }
if (format eq "png") { set terminal pngcairo size 2*W,2*H font "DejaVu Sans Mono,11" fontscale 1.5 }
if (format eq "pdf") { set terminal pdfcairo size W/100.,H/100. font "DejaVu Sans Mono,8" }
set output "picture." . format
set encoding utf8
unset border; unset tics; unset key
set margins 0, 0, 0, 0
set xrange [0:1]; set yrange [0:1]
do for [k = 1:rows] {
    set label k texts[k] at screen 10. / W, screen 1 - (15. * k) / H left noenhanced \
        font (k == 1 ? ",12" : ",11")
}
plot -1 with lines linecolor rgb "white"
set output
