# SPDX-License-Identifier: MIT
#
# No typedef name in two headers. Takes the headers.
function name_is(name) {
    if (name in first && first[name] != FILENAME)
        print FILENAME ":" FNR ": typedef " name " is also in " first[name] "; rename one"
    if (!(name in first)) first[name] = FILENAME
}
function last_word(text) {
    sub(/[ \t]*(\[[^\]]*\][ \t]*)*(;.*)?$/, "", text)
    if (text ~ /__attribute__/) sub(/[ \t]*__attribute__.*/, "", text)
    sub(/.*[^A-Za-z0-9_]/, "", text)
    return text
}
function pointer_name(text) { # typedef int (*name)(...)
    sub(/^[^(]*\([ \t]*\*[ \t]*/, "", text)
    sub(/[^A-Za-z0-9_].*/, "", text)
    return text
}
function function_name(text) { # typedef int name(...)
    sub(/[ \t]*\(.*/, "", text)
    return last_word(text)
}
function names_of(text,    n, part, i) { # typedef double one, *two;
    sub(/[ \t]*__attribute__.*/, "", text)
    if (text ~ /\}/) sub(/.*\}/, "", text)
    if (text ~ /</) return name_is(last_word(text))
    n = split(text, part, ",")
    for (i = 1; i <= n; i++) name_is(last_word(part[i]))
}
FNR == 1 { open = 0 }
/^[ \t]*typedef[ \t]/ {
    if ($0 ~ /\([ \t]*\*/ && $0 !~ /\{/) name_is(pointer_name($0))
    else if ($0 ~ /\(/ && $0 !~ /\{|__attribute__/) name_is(function_name($0))
    else if ($0 ~ /;/ && ($0 !~ /\{/ || $0 ~ /\}.*;/)) names_of($0)
    else open = 1
    next
}
open && /^[ \t]*\}/ {
    open = 0
    text = $0
    sub(/^[ \t]*\}/, "", text)
    name_is(last_word(text))
}
