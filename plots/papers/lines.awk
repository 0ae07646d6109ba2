# SPDX-License-Identifier: MIT
#
# Holds the rows of an experiment's run against its lines in datasets/experiments.tsv. Reads what
# runs.awk prints and then rows between tabs (SOLVER ENGINE N DT STEPS ORDER SCHEDULE SAMPLE THREADS
# RTOL ATOL REPEATS STATUS of rows --columns), of the run named `run`, on `cores` cores. Prints each
# row that no line asks for, "row LINE: what", and each cell of a line without a row, "missing:
# what".

# in a list between commas; threads: all is every core; numbers as numbers
function among(list, value,    w, n, i) {
    n = split(list, w, ",")
    for (i = 1; i <= n; i++)
        if (w[i] == value || (w[i] == "all" && value == cores) ||
            (w[i] + 0 != 0 && w[i] + 0 == value + 0))
            return 1
    return list == "*"
}

function is_solver(spec, solver, rtol, atol) {
    return bare(spec) == solver && (said_rtol == "*" || said_rtol == rtol + 0) &&
        (said_atol == "*" || said_atol == atol + 0)
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
    if ($1 == run && $2 == "bench")
        line[++lines] = $4
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
