# SPDX-License-Identifier: MIT
#
# Every path that a text names: prints "file:line path" for each, one a line; the shell looks
# whether it is there. In Markdown also the bare names of source files in backquotes (`lane.h`) and
# the targets of links.
function folder_of(path) {
    sub(/[^\/]*$/, "", path)
    return path
}
function print_path(path) {
    sub(/[.,:;]+$/, "", path)
    if (path !~ /[<>$%{}]/) print FILENAME ":" FNR, path
}
BEGIN { root = "(base|mech|solvers|pasr|flow|drivers|datasets|results|plots|ci|docs|tests)" }
{
    text = $0
    while (match(text, "(^|[^A-Za-z0-9_./<>$-])" root "/[A-Za-z0-9_./*<>${}%-]+")) {
        path = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/^[^a-z]/, "", path)
        print_path(path)
    }
}
FILENAME ~ /\.md$/ {
    text = $0
    while (match(text, /`[A-Za-z0-9_]+\.(c|h|cu|cuh|sh|gp|mk|def|awk)`/)) {
        print FILENAME ":" FNR, "*/" substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
    }
    text = $0
    while (match(text, /\]\([^):#]+[):#]/)) {
        path = substr(text, RSTART + 2, RLENGTH - 3)
        after = substr(text, RSTART + RLENGTH - 1, 1)
        text = substr(text, RSTART + RLENGTH)
        if (after != ":") print FILENAME ":" FNR, folder_of(FILENAME) path
    }
}
