# SPDX-License-Identifier: MIT
#
# The one way of a text into a figure: texts[1], texts[2], ... from the file `texts`, where a byte 1
# ends each (plots/paint.sh and plots/panels.awk write it). Nothing in them is a command: gnuplot
# runs `commands` in the text of a program alone. For a tic use tic_text(text), since gnuplot takes
# % there for a format.

rest = system("cat texts")
array texts[1 + int(system("tr -cd '\\001' <texts | wc -c"))]
do for [k = 1:|texts| - 1] {
    at = strstrt(rest, "\001")
    texts[k] = at > 1 ? rest[1:at - 1] : ""
    rest = rest[at + 1:*]
}
texts[|texts|] = ""
tic_text(s) = strstrt(s, "%") == 0 ? s : \
    s[1:strstrt(s, "%")] . "%" . tic_text(s[strstrt(s, "%") + 1:*])
