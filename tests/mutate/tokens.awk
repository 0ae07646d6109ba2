# SPDX-License-Identifier: MIT
#
# The faults that one token of C can have: file, line, column, token, what takes its place.
# Comments, texts, includes and conditions of the preprocessor are left alone, and so is what no
# test can see: room that would be larger by one, n of `t x[n];` or `t x[n] = {` in a function, both
# 1 of kb_alloc(n + 1, 1); another mark below 0, 1 of `x = -1;` and `return -1;`; one iteration more
# of a hundred and above; what kb_error holds before a failure; what a method promises, which tests
# ask of it; the key of an option without a letter, for which any number that is none serves; and
# the 0 of `= {0}`, which is the first member alone, nearly always set before it is read.
BEGIN {
    OFS = "\t"
    n = split("<= < < <= >= > > >= == != != == && || || && += -= -= += ++ -- + - - + * / / * " \
              "fmin fmax fmax fmin true false false true break continue", pair, " ")
    for (i = 1; i < n; i += 2) other[pair[i]] = pair[i + 1]
}
function replace(at, token) {
    if (token in other) print FILENAME, FNR, at, token, other[token]
    else if (token ~ /^[0-9]+$/) print FILENAME, FNR, at, token, token + 1
    else if (token ~ /^[0-9.]+(e-?[0-9]+)?$/) print FILENAME, FNR, at, token, "(2 * " token ")"
}
function is_room(at, token,    before, after) {
    before = substr($0, 1, at - 1)
    after = substr($0, at + length(token))
    if (token !~ /^[0-9]+$/ || structure) return 0
    sub(/^ *(static )?(const )?/, "", before)
    return before ~ /^(char|int|long|double|bool|size_t|lane|mask|[a-z]*int[0-9]+_t) [^=(]*\[$/ &&
        after ~ /^\][^=]*(;|= \{)/ ||
        before ~ /kb_(re)?alloc\([^,]*([a-z]*, [^,]*)?\+ $/ && after ~ /^, / ||
        before ~ /kb_alloc\(.*, $/ && token == 1 && after ~ /^\)/
}
function is_choice(at, token,    before, after) {
    before = substr($0, 1, at - 1)
    after = substr($0, at + length(token))
    return token ~ /^[0-9]+$/ && !structure && before ~ /(= |\))\{$/ && after ~ /^\}/ ||
        token ~ /^[0-9]+$/ && before ~ /^ *\{"[^"]+", $/ && after ~ /^, .*KB_OPT_/ ||
        token == 1 && before ~ /(= |return )-$/ && after ~ /^[;,]/ ||
        token + 0 >= 100 && before ~ /for \(int [a-z]+ = 0; [a-z]+ < $/ ||
        before ~ /kb_error err = \{$/
}
FNR == 1 { comment = structure = 0 }
/struct [a-z_ ]*\{/ { structure = 1 }
/^ *\}/ { structure = 0 }
/\.promise = |^#define [A-Z]+_ORDERS/ { promise = 1 }
promise { promise = /\\$/; next }
/^#/ && !/^#define [A-Z_]+ [-0-9.e]+$/ { next }
/^(static |extern |typedef |struct |enum |kb_fn )?[a-z_ ]*[a-z_]\(.*[,)]$/ { next } # a signature
/^ +[a-z_]+\(.*\);$/ { # a call alone in its line
    match($0, /^ +/)
    print FILENAME, FNR, RLENGTH + 1, substr($0, RLENGTH + 1), ";"
}
{
    for (at = 1; at <= length($0); ) {
        rest = substr($0, at)
        if (comment) {
            if (!(i = index(rest, "*/"))) break
            comment = 0
            at += i + 1
        } else if (rest ~ /^\/\*/) { comment = 1; at += 2 }
        else if (rest ~ /^\/\//) break
        else if (match(rest, /^"(\\.|[^"\\])*"/) || match(rest, /^'(\\.|[^'\\])*'/)) at += RLENGTH
        else if (match(rest, /^([A-Za-z_][A-Za-z_0-9]*|[0-9][0-9.]*(e[-+]?[0-9]+)?)/) ||
            match(rest, /^(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|\/=|\+\+|--|->|<<|>>|[-+*\/<>])/)) {
            token = substr(rest, 1, RLENGTH)
            # a pointer, a sign
            one = token ~ /^[-+*\/<>]$/ &&
                (substr(rest, 2, 1) != " " || substr($0, at - 1, 1) != " ")
            if (!one && !is_room(at, token) && !is_choice(at, token)) replace(at, token)
            at += RLENGTH
        } else at++
    }
}
