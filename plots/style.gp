# SPDX-License-Identifier: MIT
#
# Common style of the scripts of their own. Load it once for texts, name, functions and lists, and
# again when width and height [inches] of the figure are known, with format (svg, png or pdf), to
# open the output picture.<format>.
# Colour and shape go by solver, so that neither alone carries it.

load "plots/texts.gp"
name = texts[1] . ""
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN

if (exists("width")) {
    if (format eq "png") {
        set terminal pngcairo size 200*width, 200*height font "DejaVu Sans,9" fontscale 2 \
            linewidth 2.2 pointscale 1.8 background rgb "white"
    }
    if (format eq "svg") {
        set terminal svg size 100*width, 100*height font "DejaVu Sans,10" linewidth 1.2 \
            background rgb "white"
    }
    if (format eq "pdf") {
        set terminal pdfcairo size 1.0*width, 1.0*height font "DejaVu Sans,8" linewidth 1.2 \
            pointscale 0.6
    }
    set output "picture." . format
}

# Okabe and Ito (2008): eight colours that remain apart for colour-blind readers; then three of
# Tol's (2021). 11 colours and 6 shapes: pairs repeat only after 66
array colours[11] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", \
    "#8C8C00", "#332288", "#882255", "#999999"]
array shapes[6] = [6, 4, 8, 12, 10, 14] # open; the next number is the same shape filled
colour(i) = colours[1 + (i - 1) % 11]
shape(i, filled) = shapes[1 + (i - 1) % 6] + (filled ? 1 : 0)

set border 3 linewidth 0.8
set tics nomirror out scale 0.7, 0.35
set grid x y back linetype 1 linewidth 0.4 linecolor rgb "#d8d8d8"

# ---- words and lists of words (gnuplot 5.4 has no arrays that grow) ----
has(list, w) = strstrt(" " . list . " ", " " . w . " ") > 0
add(list, w) = has(list, w) ? list : (strlen(list) ? list . " " : "") . w
place(list, w) = words((" " . list . " ")[1:strstrt(" " . list . " ", " " . w . " ")]) + 1

# the colour of a solver, order or engine in every figure
colour_table = " " . system("awk -F'\\t' '!/^# / && NF >= 4 { \
    printf \"%s|%s \", $1, $2 }' plots/colours")
after(name) = strstrt(colour_table, " " . name . "|") + strlen(name) + 2
colour_of(name) = strstrt(colour_table, " " . name . "|") == 0 ? "#606060" : \
    colour_table[after(name) : after(name) + 6]
