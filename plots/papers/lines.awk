# SPDX-License-Identifier: MIT
#
# Holds the rows of an experiment's run against its lines in datasets/experiments.tsv. Reads that
# table and then rows between tabs (SOLVER ENGINE N DT STEPS ORDER SCHEDULE SAMPLE THREADS RTOL ATOL
# REPEATS STATUS of rows --columns), of the run named `run`, on `cores` cores. Prints each row that
# no line asks for, "row LINE: what", and each cell of a line without a row, "missing: what".

function field(text, name, otherwise,    w, n, i) {
    n = split(text, w, " ")
    for (i = 1; i <= n; i++)
        if (index(w[i], name "=") == 1)
            return substr(w[i], length(name) + 2)
    return otherwise
}

# in a list between commas; threads: all is every core; numbers as numbers
function among(list, value,    w, n, i) {
    n = split(list, w, ",")
    for (i = 1; i <= n; i++)
        if (w[i] == value || (w[i] == "all" && value == cores) ||
            (w[i] + 0 != 0 && w[i] + 0 == value + 0))
            return 1
    return list == "*"
}

# "solver:option=1:rtol=1e-6" is the solver of a row, its tolerances apart; a plug-in by its file
function is_solver(spec, solver, rtol, atol,    w, n, i, rest) {
    n = split(spec, w, ":")
    rest = w[1]
    sub(/.*\//, "", rest)
    sub(/\.so$/, "", rest)
    for (i = 2; i <= n; i++)
        if (w[i] ~ /^rtol=/) {
            if (substr(w[i], 6) + 0 != rtol + 0) return 0
        } else if (w[i] ~ /^atol=/) {
            if (substr(w[i], 6) + 0 != atol + 0) return 0
        } else rest = rest ":" w[i]
    return rest == solver
}

# of a line with auto, which takes another solver with tolerances of its own choice, any
function solver_of(line, solver, rtol, atol,    w, n, i, list) {
    list = field(line, "SOLVERS", "all")
    n = split(list, w, ",")
    for (i = 1; i <= n; i++)
        if (w[i] == "all" || w[i] == "auto" || is_solver(w[i], solver, rtol, atol))
            return w[i]
    return ""
}

FNR == NR {
    if ($0 ~ /^#/ || $2 != "bench")
        next
    mech = field($3, "MECH", "")
    if (!($1 in first))
        first[$1] = mech
    if ((mech == first[$1] ? $1 : $1 "-" mech) == run)
        line[++lines] = $3
    next
}
{
    row++
    said = $2 " " $1 " n " $3 " dt " $4 " " $6 " " $7 " threads " $9 " rtol " $10 " repeats " $12
    found = 0
    # lines with auto last: it may have measured a cell that another line names
    for (k = 1; k <= 2 * lines && !found; k++) {
        i = k <= lines ? k : k - lines
        if ((field(line[i], "SOLVERS", "") == "auto") != (k > lines))
            continue
        spec = solver_of(line[i], $1, $10, $11)
        engines = field(line[i], "ENGINES", "all")
        found = spec != "" && (engines == "all" || among(engines, $2)) &&
            among(field(line[i], "N", "*"), $3) && among(field(line[i], "DT", "*"), $4) &&
            among(field(line[i], "STEPS", "1"), $5 == "" ? 1 : $5) &&
            among(field(line[i], "ORDER", "*"), $6) && among(field(line[i], "SCHEDULE", "*"), $7) &&
            among(field(line[i], "SAMPLE", "*"), $8) &&
            (spec == "auto" || among(field(line[i], "RTOL", "*"), $10)) &&
            ($2 ~ /^gpu/ || among(field(line[i], "THREADS", "*"), $9)) &&
            ($13 != "ok" || $12 == field(line[i], "REPEATS", $12))
        if (found && !met[i, spec, $2, $3 + 0, $4 + 0, $6, $10, $2 ~ /^gpu/ ? "" : $9]++)
            measured[i]++
    }
    if (!found)
        print "row " row + 1 ": " said
}
END {
    for (i = 1; i <= lines; i++) {
        asked = 1
        n = split("SOLVERS ENGINES N DT ORDER RTOL", name, " ")
        for (k = 1; k <= n; k++)
            asked *= split(field(line[i], name[k], "*"), w, ",")
        if (field(line[i], "ENGINES", "") !~ /gpu/)
            asked *= split(field(line[i], "THREADS", "1"), w, ",")
        if (measured[i] + 0 < asked && field(line[i], "SOLVERS", "all") !~ /^(all|auto)$/)
            print "missing: " asked - measured[i] " cells of " line[i]
    }
}
