# SPDX-License-Identifier: MIT
#
# One block of a test script, and what it needs before it:
#   awk -f block.awk want=12 SCRIPT SCRIPT
# A block begins with "# --- title"; want is its number or a text of its title. It needs the lines
# before the first block, and each block of which a line "# after: text" in it names a text of the
# title. All other lines become empty, so that errors name lines of the script. Ends with 2 and the
# titles on stderr if there is no such block.
function find(text, last,    b) {
    for (b = 1; b <= last; b++)
        if (text ~ /^[0-9]+$/ ? b == text : index(title[b], text)) return b
    return 0
}
function need(b,    i, text, list) {
    needed[b] = 1
    for (i = split(after[b], list, "\n"); i > 1; i--) {
        if (!find(list[i], b - 1)) fault(title[b] ": no block \"" list[i] "\" before it")
        need(find(list[i], b - 1))
    }
}
function fault(text,    b) {
    print "tests/run: " FILENAME ": " text "; its blocks:" > "/dev/stderr"
    for (b = 1; b <= n; b++) printf "%4d  %s\n", b, title[b] > "/dev/stderr"
    exit 2
}
NR == FNR && /^# --- / { title[++n] = substr($0, 7) }
NR == FNR && /^# after: / { after[n] = after[n] "\n" substr($0, 10) }
NR == FNR { next }
FNR == 1 && !find(want, n) { fault("no block \"" want "\"") }
FNR == 1 { need(find(want, n)) }
/^# --- / { block++ }
{ print !block || block in needed || /^exit / ? $0 : "" }
