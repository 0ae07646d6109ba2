# SPDX-License-Identifier: MIT
#
# From the --help of a program, which argp writes from its option table, to a man page (form=man) or
# to a line of bash's completion (form=completion). Variables: name, form, version.

function roff(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    sub(/^[.']/, "\\\\\\&&", s)
    return s
}

# the long options of a line, as they are typed
function note(line,    word) {
    if (match(line, /--[A-Za-z0-9-]+(=)?/)) {
        word = substr(line, RSTART, RLENGTH)
        words = words (words == "" ? "" : " ") word
    }
}

function begin_options() {
    if (!options++)
        put(".SH OPTIONS")
}

function put(s) { if (form == "man") print s }

NR == 1 {
    sub(/^[Uu]sage: [^ ]*/, "")
    page = name == "kinbench" ? name : "kinbench\\-" roff(name)
    put(".TH \"" toupper(page) "\" 1 \"\" \"kinbench " version "\" \"kinbench\"")
    usage = roff($0)
    next
}
/^  or: / && !opened { # another usage
    sub(/^  or: +[^ ]+ /, "")
    usage = usage "\n.br\n.B build/" roff(name) "\n" roff($0)
    next
}
!opened && /./ { opening = opening (opening == "" ? "" : "\n") $0; next }
!opened { # what it does: its first sentence is the page's name, too
    opened = 1
    first = opening
    gsub(/\n/, " ", first)
    if (match(first, /[.]( |$)/))
        first = substr(first, 1, RSTART - 1)
    put(".SH NAME\n" page " \\- " roff(tolower(substr(first, 1, 1)) substr(first, 2)))
    sub(/^ /, "", usage)
    put(".SH SYNOPSIS\n.B build/" roff(name) "\n" usage "\n.SH DESCRIPTION\n" roff(opening))
}
/^(  -[A-Za-z?], |      )--[A-Za-z]/ { # an option, its first line
    note($0)
    begin_options()
    head = $0
    sub(/^ +/, "", head)
    text = ""
    if (match(head, /  +/)) {
        text = substr(head, RSTART + RLENGTH)
        head = substr(head, 1, RSTART - 1)
    }
    put(".TP\n.B " roff(head))
    if (text != "")
        put(roff(text))
    next
}
/^  -[a-z]( |$)/ {
    begin_options()
    put(".TP\n.B " roff($1))
    $1 = ""
    put(roff(substr($0, 2)))
    next
}
# a command of kinbench
/^  [a-z]+  +[a-z]/ { put(".TP\n.B " roff($1)); $1 = ""; put(roff(substr($0, 2))); next }
/^ [A-Z].*:$/ { begin_options(); sub(/^ /, ""); put(".SS " roff($0)); next }
/^Mandatory or optional arguments/ { getline; next }
/^$/ { put(".PP"); next }
/^Example: / { put(".SH EXAMPLE\n.B " roff(substr($0, 10))); next }
{
    if (options && /^[^ ]/ && !ended++)
        put(".SH NOTES")
    sub(/^ +/, "")
    put(roff($0))
}
END {
    if (form == "completion")
        print "_kinbench_" name "='" words "'"
    put(".SH SEE ALSO\nREADME.md and docs/ of kinbench; make help")
}
