# SPDX-License-Identifier: MIT
#
# An include guard has the name of its header, and is that of no other. Takes the headers.
FNR == 1 {
    stem = toupper(FILENAME)
    sub(/.*\//, "", stem)
    sub(/\.[^.]*$/, "", stem)
    guard = ""
    looking = 1
}
looking && $1 == "#ifndef" { guard = $2; next }
looking && $1 == "#define" && $2 == guard && guard != "" {
    if (guard !~ "(^|_)" stem "_H$")
        print FILENAME ":" FNR ": guard " guard "; end it with " stem "_H"
    if (guard in first)
        print FILENAME ":" FNR ": guard " guard " is also in " first[guard] "; rename one"
    first[guard] = FILENAME
}
looking && /^[^ \/*]/ { looking = 0 }
