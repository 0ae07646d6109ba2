# SPDX-License-Identifier: MIT
#
# JSON as rows: an object or a list of at most 600 characters on one line, others as they are.
function add(text) {
    if (!depth) { print text; return }
    lines[depth] = lines[depth] "\n" text
    sub(/^ +/, " ", text)
    row[depth] = row[depth] text
}
function joined() { return length(row[depth]) <= 600 ? row[depth--] : lines[depth--] }
/[[{]$/ { row[++depth] = lines[depth] = $0; next }
{ add($0) }
depth && /^ *[]}],?$/ { add(joined()) }
END { while (depth) print joined() }
