# SPDX-License-Identifier: MIT
#
# Nothing includes upward, every include is written from the root.
#   awk -f includes.awk part=rules docs/architecture.md part=files LIST part=source FILE...
# The rules are the rows `folders | what they may include | ...` under "## Who may include what":
# what a folder may include, that folder's own includes may reach too. Two rows of one folder count
# together. A folder without a row has that of the folder around it.
function words(text, list,    n, k, parts) { # the words in backquotes
    n = split(text, parts, "`")
    k = 0
    while (2 * (k + 1) <= n) {
        k++
        list[k] = parts[2 * k]
    }
    return k
}
function room(path) {
    if (path in row) return path
    while (sub(/\/[^\/]*\/?$/, "", path))
        if (path "/" in row) return path "/"
    return ""
}
function reaches(from, to,    b, n, list, i) { # below[from] and what lies below these
    if ((from, to) in known) return known[from, to]
    known[from, to] = 0 # a circle ends here
    n = split(below[from], list, " ")
    for (i = 1; i <= n; i++)
        if (list[i] == to || reaches(list[i], to)) {
            known[from, to] = 1
            break
        }
    return known[from, to]
}
function fault(place, text) {
    print place ": " text
}

part == "rules" && /^## / { rules = /^## Who may include what/ }
part == "rules" && rules && /^\| *`/ {
    split($0, cell, "|")
    n = words(cell[2], names)
    allowed = ""
    m = words(cell[3], lower)
    for (i = 1; i <= m; i++) {
        allowed = allowed " " lower[i]
        used[lower[i]] = FILENAME ":" FNR
    }
    for (i = 1; i <= n; i++) {
        row[names[i]] = FILENAME ":" FNR
        below[names[i]] = below[names[i]] allowed
    }
}

part == "files" { exists[$0] = 1 }

part == "source" && !checked++ {
    for (r in used)
        if (!(r in row)) fault(used[r], "`" r "` has no row of its own; add one")
    for (r in row)
        if (reaches(r, r)) fault(row[r], "`" r "` lies below itself; cut the circle")
}
part == "source" && /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, cell, "\"")
    to = cell[2]
    here = FILENAME ":" FNR
    from = room(FILENAME)
    if (!(to in exists) && !(to in row)) {
        fault(here, "\"" to "\" is not there; write the include from the root")
        next
    }
    target = room(to)
    if (from == "") fault(here, "no rule for " FILENAME "; add its folder to docs/architecture.md")
    else if (target == "") fault(here, "no rule for " to "; add its folder to docs/architecture.md")
    else if (from != target && !reaches(from, target))
        fault(here, from " may not include " target " (" to "); move what is needed down")
}
