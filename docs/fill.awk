# SPDX-License-Identifier: MIT
#
# A template of docs/blocks with its queries replaced by values out of results:
#   awk -v results=results/h200 -f plots/csv.awk -f plots/ranking.awk -f docs/fill.awk \
#       docs/blocks/<name>
#
#   % run=gri30-pasr schedule=refill     selectors for the lines that follow, until the next %
#   [[us rodas4 gpu-block n=4096]]       a column of the one row that the selectors leave
#   [[min us gpu-block rank_error<=1e-4]]  min or max over the rows that they leave
#   [[solver @1]]                        a column of the row behind the first value of the line
#   [[@3 / @1]]                          ratio of two values of the line
#   [[settled @1]]                       * if the time of an ODE still falls with n: it is 5 % and
#                                        more below that at the next smaller n, or there is none
#   [[= 15.9]]                           a number of a paper, to divide by
#
# A selector is key=value, key!=value, key<=value or key>=value; values are numbers, @k or patterns
# that match a whole field. Bare words: cpu-.. and gpu-.. are engines, others solvers. file=micro
# reads micro.csv in place of cells.csv. Computed columns: us and kernel_us (of one ODE),
# err_over_rtol (err_max / rtol), rank_error (the least error at which a row may be called the
# fastest: plots/ranking.awk). Only rows with status ok (or without a status) count, and for min
# those without a failed ODE; min with err_p95<= in place of rank_error<= is an error. No row, or
# two without min or max, is an error, and so is an unknown column. A query with file= takes no
# selector from the % line.
function stop(text) {
    print FILENAME ":" FNR ": " text | "cat >&2"
    failed = 1
    exit 2
}
function load(file,    line, part, head, n, i) { # table[file, row, column], rows[file]
    rows[file] = 0
    if ((getline line <file) <= 0) stop("no file " file)
    n = csv_split(line, head)
    for (i = 1; i <= n; i++) has[file, head[i]] = 1
    while ((getline line <file) > 0) {
        rows[file]++
        csv_split(line, part)
        for (i = 1; i <= n; i++) table[file, rows[file], head[i]] = part[i]
    }
    close(file)
}
function field(file, row, name) {
    if (name == "us") return 1e6 * table[file, row, "time_s"] / table[file, row, "n"]
    if (name == "kernel_us") return 1e6 * table[file, row, "kernel_s"] / table[file, row, "n"]
    if (name == "err_over_rtol") return table[file, row, "err_max"] / table[file, row, "rtol"]
    if (name == "rank_error")
        return rank_error(table[file, row, "status"], table[file, row, "failed"],
            table[file, row, "err_p95"], table[file, row, "err_max"], table[file, row, "solver"])
    if (!((file, name) in has)) stop("no column " name " in " file)
    return table[file, row, name]
}
function literal(text) {
    if (number(text)) return text
    gsub(/[\\^\]]/, ".", text)
    gsub(/[$|?*+(){[]/, "[&]", text)
    return text
}
function select_words(text, key, how, value,    n, word, i, k, count) { # returns how many
    n = split(text, word, " ")
    count = 0
    for (i = 1; i <= n; i++) {
        if (match(word[i], /(!=|<=|>=|=)/)) {
            k = substr(word[i], 1, RSTART - 1)
            how[++count] = substr(word[i], RSTART, RLENGTH)
            value[count] = substr(word[i], RSTART + RLENGTH)
        } else {
            k = word[i] ~ /^[cg]pu-/ ? "engine" : "solver"
            how[++count] = "="
            value[count] = word[i]
        }
        key[count] = k
        if (value[count] ~ /^@/) # a value of a table is a word, and no pattern
            value[count] = literal(values[substr(value[count], 2)])
    }
    return count
}
function holds(text, how, value) {
    if (how == "<=") return number(text) && text + 0 <= value + 0
    if (how == ">=") return number(text) && text + 0 >= value + 0
    if (number(text) && number(value)) return (text + 0 == value + 0) == (how == "=")
    return (text ~ ("^(" value ")$")) == (how == "=")
}
function slot(key, how) { return key (how == "!=" ? "=" : how) }
# the row of a query; a selector of the query replaces those of the % line for the same key
function find(text, reduce, column,    n, key, how, value, i, last, file, run, row, best, good,
    gain) {
    n = select_words(text, key, how, value)
    for (i = 1; i <= n; i++) last[slot(key[i], how[i])] = i
    run = ""
    file = "cells"
    for (i = 1; i <= n; i++) {
        if (key[i] == "run" && how[i] == "=") run = value[i]
        if (key[i] == "file") file = value[i]
        if (reduce == "min" && key[i] == "err_p95" && last[slot(key[i], how[i])] == i)
            stop("the fastest is by rank_error, not by err_p95: [[" text "]]")
    }
    if (run == "") stop("no run= for [[" text "]]")
    file = results "/" run "/" file ".csv"
    if (!(file in rows)) load(file)
    best = 0
    for (row = 1; row <= rows[file]; row++) {
        good = !((file, "status") in has) || table[file, row, "status"] == "ok"
        if (reduce == "min" && table[file, row, "failed"] > 0) good = 0
        for (i = 1; good && i <= n; i++)
            if (key[i] != "run" && key[i] != "file" && last[slot(key[i], how[i])] == i)
                good = holds(field(file, row, key[i]), how[i], value[i])
        if (!good) continue
        if (best && reduce == "") stop("more than one row for [[" column " " text "]]")
        if (best) gain = field(file, row, column) - field(file, best, column)
        if (!best || reduce == "min" && gain < 0 || reduce == "max" && gain > 0) best = row
    }
    if (!best) stop("no row for [[" column " " text "]]")
    found_file = file
    return best
}
function shown(x, column) {
    if (column ~ /^err_p|^err_max/ && x < 1) {
        x = sprintf("%.0e", x)
        sub(/e-0/, "e-", x)
        return x
    }
    if (x == "") return "none"
    if (!number(x "")) { # what Markdown or HTML would take for its own is no word of a table
        if (x !~ /^[A-Za-z0-9_.:,=+*%@ ()\/-]*$/)
            stop("'" x "' of column " column " is no plain word")
        return x
    }
    if (column ~ /^(rtol|atol|dt_s|n)$/) {
        x = sprintf(x <= 1e-3 ? "%.0e" : "%g", x)
        sub(/e-0/, "e-", x)
        return x
    }
    if (column == "ratio") return sprintf(x >= 9.95 ? "%.0f" : "%.1f", x)
    if (x + 0 >= 99.5) return sprintf("%.0f", x)
    if (x + 0 >= 9.95) return sprintf("%.1f", x)
    if (x + 0 >= 0.995) return sprintf("%.2f", x)
    return sprintf("%#.2g", x)
}
# "" if the row behind a value takes an ODE no less time than that of the next smaller n, otherwise
# or if there is none *
function settled(k,    file, row, i, other, best) {
    file = row_file[k]
    row = row_of[k]
    split("order sample dt_s steps solver engine schedule threads rtol atol", same_as, " ")
    for (other = 1; other <= rows[file]; other++) {
        if (table[file, other, "status"] != "ok" ||
            table[file, other, "n"] + 0 >= table[file, row, "n"] + 0)
            continue
        for (i = 1; i in same_as; i++)
            if (table[file, other, same_as[i]] != table[file, row, same_as[i]]) break
        if (!(i in same_as) && \
            (!best || table[file, other, "n"] + 0 > table[file, best, "n"] + 0))
            best = other
    }
    return best && field(file, row, "us") >= 0.95 * field(file, best, "us") ? "" : "*"
}
function answer(query,    word, n, column, reduce, k, m) {
    n = split(query, word, " ")
    if (word[1] ~ /^@/ && word[2] == "/") {
        m = values[substr(word[1], 2)] / values[substr(word[3], 2)]
        return m >= 9.95 ? sprintf("%.0f", m) : sprintf("%.1f", m)
    }
    if (word[1] == "settled") return settled(substr(word[2], 2))
    if (word[1] == "=") {
        values[++nvalues] = word[2]
        return word[2]
    }
    if (word[2] ~ /^@/ && n == 2) {
        k = substr(word[2], 2)
        m = field(row_file[k], row_of[k], word[1])
        sub(/^gpu-/, "", m)
        sub(/:float=1/, "+float", m)
        sub(/:pass=1/, "+pass", m)
        sub(/:host=[0-9]+$/, "+host", m)
        if (word[1] ~ /^err/) values[++nvalues] = m
        return shown(m, word[1])
    }
    reduce = word[1] ~ /^(min|max)$/ ? word[1] : ""
    column = reduce == "" ? word[1] : word[2]
    sub(/^((min|max) +)?[^ ]+ */, "", query)
    k = find((query ~ /file=/ ? "" : defaults) " " query, reduce, column)
    values[++nvalues] = field(found_file, k, column)
    row_of[nvalues] = k
    row_file[nvalues] = found_file
    return shown(values[nvalues], column)
}
/^%/ { defaults = substr($0, 2); next }
{
    nvalues = 0
    line = $0
    text = ""
    while (match(line, /\[\[[^\]]*\]\]/)) {
        query = substr(line, RSTART + 2, RLENGTH - 4)
        before = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        text = text before answer(query)
    }
    print text line
}
END { if (failed) exit 2 }
