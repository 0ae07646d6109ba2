# SPDX-License-Identifier: MIT
#
# The text of docs/reproduction.md: plots/papers/reproduction calls it, after number.awk.

# < begins a tag of HTML in Markdown where a letter, / or ! follows
function without_tags(text,    all) {
    while (match(text, /<[A-Za-z\/!?]/)) {
        all = all substr(text, 1, RSTART - 1) "&lt;"
        text = substr(text, RSTART + 1)
    }
    return all text
}

function fold(text, indent) { print wrap(without_tags(text), 98, indent) }

function read_all(    line, f, n, i, h, at) {
    while ((getline line <(dir "/claims")) > 0) {
        split(line, f, "\t")
        id = f[1]
        ids[++claims] = id; paper_of[id] = f[2]; quantity[id] = f[4]; printed[id] = f[5]
        sources[id] = f[10]; query[id] = f[11]
    }
    while ((getline line <(dir "/verdicts")) > 0) {
        split(line, f, "\t")
        id = f[1]
        judged++
        verdict[id] = f[2]; value[id] = f[3]; lo[id] = f[4]; hi[id] = f[5]; why[id] = f[6]
        machine = f[7] != "" ? f[7] : machine
        class[id] = f[8] != "" ? f[8] : "without a query"
        by_cause[cause[id] = f[9]] += verdict[id] == "does not hold"
    }
    read_rows("findings")
}

# " (run/table:row row, run/table:row)" for each line of a filled file
function read_rows(name,    line, f, n, last) {
    while ((getline line <(dir "/" name "-rows")) > 0) {
        split(line, f, "\t")
        n = match(f[2], /:[^:]*$/)
        rows_of[name, f[1]] = rows_of[name, f[1]] (last == f[1] substr(f[2], 1, n) ? " " \
            substr(f[2], n + 1) : (rows_of[name, f[1]] == "" ? " Rows: " : ", ") f[2])
        last = f[1] substr(f[2], 1, n)
    }
    for (n in rows_of)
        if (index(n, name SUBSEP) == 1)
            rows_of[n] = rows_of[n] "."
}

function digits(v) { return number(v) ? sprintf("%.3g", v) : v }

function says(id,    text) {
    if (!(id in verdict))
        return "not judged yet"
    text = verdict[id]
    if (value[id] != "" && verdict[id] != "cannot say")
        text = text ", " (hi[id] == "inf" ? "at least " digits(lo[id]) : \
            digits(value[id]) (lo[id] != "" && hi[id] != "" ? \
            " (" digits(lo[id]) " to " digits(hi[id]) ")" : "")) " here"
    if (match(why[id], /[^ ]+ stands in for/))
        text = text " (" substr(why[id], RSTART, RLENGTH - 4) ")"
    return text
}

function totals(    n, m, i, j, list, v, count, line) {
    n = split("measured;counted;arithmetic;stand-in;without a query", list, ";")
    m = split("holds;direction holds;does not hold;unclear;cannot say;not judged", v, ";")
    for (i = 1; i <= claims; i++) {
        count[class[ids[i]], verdict[ids[i]]]++
        count["all", verdict[ids[i]]]++
    }
    list[++n] = "all"
    print "\n| class | " join(v, m) " |\n| --- |" repeated(" ---: |", m)
    for (i = 1; i <= n; i++) {
        line = "| " list[i] " |"
        for (j = 1; j <= m; j++)
            line = line " " count[list[i], v[j]] + 0 " |"
        print line
    }
    if (!(by_cause["machine"] + by_cause["choice"] + by_cause["paper"]))
        return
    print ""
    fold("Of the claims that do not hold, " by_cause["machine"] + 0 " fail by the machine, " \
        by_cause["choice"] + 0 " by a choice of ours, and " by_cause["paper"] + 0 \
        " by the paper: its own numbers contradict them, or it does not state what they depend " \
        "on. The page of `make papers` has the reason for each, and the rows that show it.")
}

function join(list, n,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? " | " : "") list[i]
    return text
}

function repeated(text, n,    all) {
    while (n-- > 0)
        all = all text
    return all
}

function findings(    line, f, n, i, c, k, at, names) {
    while ((getline line <(dir "/findings")) > 0) {
        at++
        if (line ~ /^#/ || !names++)
            continue
        split(line, f, "\t")
        print (k ? "\n" : "") ++k ". **" without_tags(f[2]) "**"
        n = split(f[1], c, ",")
        line = ""
        for (i = 1; i <= n; i++)
            line = line (i > 1 ? "; " : "") c[i] ": printed " printed[c[i]] ", " says(c[i])
        fold(line ".", "   ")
        fold(f[3] rows_of["findings", at], "   ")
    }
}

# "value lo hi"; a run that was ended at its budget leaves one end open
function at_size(text,    v) {
    split(text, v, " ")
    return v[1] == "-" ? "cannot say" : v[3] == "inf" ? ">= " digits(v[2]) : \
        v[2] == 0 ? "<= " digits(v[3]) : digits(v[1])
}

function whole(text,    v) {
    split(text, v, " ")
    return number(v[1]) ? sprintf("%.0f", v[1]) : v[1]
}

function sizes(    line, f, n, said) {
    while ((getline line <(dir "/sizes")) > 0) {
        if (!n++) {
            print "\n## Three sizes\n"
            fold("A speed-up depends on the number of ODEs, n. Each claim at three: the n that " \
                "the paper names, or its largest; the n of equal load, that n times the ratio of " \
                "resident threads of the two cards (datasets/cards.tsv), or the nearest one " \
                "measured, at most a factor of 1.5 away; and the largest n measured. The cores " \
                "stay at the largest n of their own curve.")
            print "\n| claim | printed | n of paper | value | n of equal load | value | " \
                "largest n | value | n of cores |"
            print "| --- | --- |" repeated(" ---: |", 7)
        }
        split(line, f, "\t")
        said = without_tags(printed[f[1]])
        sub(/ \(.*/, "", said)
        print "| " f[1] " | " said " | " f[2] " | " at_size(f[4]) " | " \
            f[3] " | " at_size(f[5]) " | " whole(f[7]) " | " at_size(f[6]) " | " whole(f[8]) " |"
    }
}

# claims of the authors' papers that have no row of their code, by what is in the way
function without_witness(seen,    i, id, without) {
    split("", without)
    for (i = 1; i <= claims; i++) {
        id = ids[i]
        if (paper_of[id] !~ /^(niemeyer2014|curtis2017)$/ || id in seen)
            continue
        if (query[id] == "-" || sources[id] ~ /^(-|e16-tables|e15-kernels)$/)
            without["no run"]++
        else if (query[id] ~ /rkck/)
            without["rkck"]++
        else if (sources[id] ~ /usc2/)
            without["usc2"]++
        else
            without["rest"]++
    }
    print ""
    fold("Claims of these two papers without a second witness: " without["no run"] + 0 \
        " are cited, or arithmetic, or about tables and kernels, which no run of an integrator " \
        "judges; " without["rkck"] + 0 " need RKCK, which is not among the published codes; " \
        without["usc2"] + 0 " are about USC II over 1e-4 s or with dense factors, which their " \
        "code was not run for (results/trials/papers.md); " without["rest"] + 0 " are about " \
        "what one of the two codes cannot do or count (one ODE a block, the carve-out of shared " \
        "memory, Gershgorin's bound, matrix functions), or lack a run.")
}

# the authors' own code; nothing before it was measured
function witness(    line, f, i, k, n, any, list, seen) {
    while ((getline line <(dir "/witness")) > 0) {
        list[++n] = line
        split(line, f, "\t")
        any += f[3] != "-"
    }
    if (!any)
        return
    print "\n## A second witness\n"
    fold("The authors' own code (accelerInt with pyJac, docs/peers.md) beside ours, on the same " \
        "states at the same tolerances, on one card and its host (results/peers/witness-*). " \
        "The printed value and theirs here differ by the machine, theirs and ours by the " \
        "implementation. One wrong line is mended in their Radau IIA on the GPU, and one in " \
        "their RKC for claims where it ends as NaN; for these our RKC has one ODE a block. The " \
        "verdict comes from `" results "`; results/peers/README.md says what these rows lack.")
    print "\n| claim | printed | the authors' code here | ours here | verdict |"
    print "| --- | --- | ---: | ---: | --- |"
    for (i = 1; i <= n; i++) {
        split(list[i], f, "\t")
        if (f[3] == "-")
            continue
        seen[f[1]] = 1
        for (k = 2; k <= 4; k++)
            sub(/ ?[(;,].*/, "", f[k])
        if (length(f[2]) > 45)
            f[2] = substr(f[2], 1, 42) "..."
        print "| " f[1] " | " without_tags(f[2]) " | " f[3] " | " f[4] " | " f[5] " |"
    }
    without_witness(seen)
}

BEGIN {
    read_all()
    print "# What was reproduced"
    print ""
    print "<!-- written by plots/papers/reproduction (make reproduction); do not edit -->"
    print ""
    fold("How many claims of five papers hold by the rows of `" results "`, how to check it, and " \
        "what was learnt (verdicts and classes: docs/results-format.md). The papers are " \
        "Niemeyer and Sung (2014, states of an ignition path), Stone and Niemeyer " \
        "(2014, states before reaction), Sewerin and Rigopoulos (2015, before reaction), Curtis " \
        "et al. (2017, after reaction), and Le and Cambier (2013, flows and linear systems).")
    if (!judged)
        print "\nThe claims have not been judged yet: there is no `" results "/claims.csv`."
    if (judged)
        totals()
    print ""
    while ((getline line <"plots/papers/artefact.md") > 0)
        print line
    print ""
    print "## Ten findings"
    print ""
    findings()
    sizes()
    witness()
}
