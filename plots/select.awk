# SPDX-License-Identifier: MIT
#
# Rows of a table by conditions: loaded after csv.awk, and before a program that makes something of
# the rows. In front of each file stand experiment=, run=, and for
# tables without these columns mech=, machine= and git=.
#
# select: words "field=a,b" (rows with a, and rows with b), "field=a>b" (a, but b where that has
# more sizes), "field=max" (its largest value), "radau2a*" (what begins so), "n>=64", "n<=64". Where
# one value has to be chosen, it is chosen for each experiment, dt, solver and engine apart; n for
# each experiment, dt, size of a linear system, and CPU or GPU. Rows with a failed ODE are never
# taken: their time is not that of the work. Threads of a GPU's block are not
# looked at. The first line of a table names its fields.

function parse_select(text,    words, i, at, w) {
    conditions = 0
    w = split(text, words, " ")
    for (i = 1; i <= w; i++) {
        if (!match(words[i], /(<=|>=|=)/))
            fail("'" words[i] "' of '" text "' is not field=values")
        at = ++conditions
        cond_field[at] = substr(words[i], 1, RSTART - 1)
        cond_op[at] = substr(words[i], RSTART, RLENGTH)
        cond_list[at] = substr(words[i], RSTART + RLENGTH)
    }
}

function on_gpu(i) { return substr(R[i, "engine"], 1, 3) == "gpu" }

function equal(a, b) {
    if (b == "any")
        return 1
    if (number(a) && number(b))
        return a + 0 == b + 0
    if (substr(b, length(b)) == "*")
        return index(a, substr(b, 1, length(b) - 1)) == 1
    return a == b
}

# one row for each line
FNR == 1 {
    split("", head)
    columns = csv_split($0, head)
    for (i = 1; i <= columns; i++)
        R[0, head[i]] = 1
    next
}
{
    rows++
    csv_split($0, cell)
    for (i = 1; i <= columns; i++)
        R[rows, head[i]] = cell[i]
    R[rows, "experiment"] = experiment
    R[rows, "run"] = run
    if (R[rows, "mech"] == "")
        R[rows, "mech"] = mech
    if (R[rows, "machine"] == "")
        R[rows, "machine"] = machine
    if (R[rows, "git"] == "")
        R[rows, "git"] = git
    # of linear systems
    if ((0, "kernel") in R)
        R[rows, "solver"] = R[rows, "kernel"] " " R[rows, "layout"] \
            (R[rows, "precision"] == "float" ? " single" : "")
    # of the flow solver: a cell's step is what an ODE is elsewhere, with chemistry by a solver
    if ((0, "ns_per_cell_step") in R)
        read_flow(rows)
}

function read_flow(i,    step, with) {
    R[i, "n"] = R[i, "nx"] * R[i, "ny"]
    step = 1e-9 * R[i, "n"]
    R[i, "time_s"] = step * R[i, "ns_per_cell_step"]
    R[i, "time_lo_s"] = step * R[i, "ns_lo"]
    R[i, "time_hi_s"] = step * R[i, "ns_hi"]
    R[i, "solver"] = R[i, "scheme"]
    if (split(R[i, "chemistry"], with, "@") < 2)
        return
    R[i, "solver"] = with[1]
    R[i, "engine"] = with[2]
}

# rows among which field is chosen
function group_of(i, field,    g) {
    if (field == "n")
        return R[i, "experiment"] "|" R[i, "dt_s"] "|" R[i, "m"] "|" on_gpu(i)
    g = R[i, "experiment"] "|" R[i, "mech"]
    g = g (field == "dt_s" ? "" : "|" R[i, "dt_s"])
    g = g "|" R[i, field == "solver" ? "threads" : "solver"]
    return g (field == "engine" ? "" : "|" R[i, "engine"])
}

# place of a value in "a>b>c"; 0: it is not there
function rank(value, wanted, largest,    parts, k, n) {
    n = split(wanted, parts, ">")
    for (k = 1; k <= n; k++)
        if (parts[k] == "max" ? value + 0 == largest : equal(value, parts[k]))
            return k
    return 0
}

function apply(at,    field, wants, w, k, i, g, r, v) {
    field = cond_field[at]
    if (cond_op[at] != "=") {
        for (i = 1; i <= rows; i++) {
            v = R[i, field] + 0
            if (cond_op[at] == ">=" ? v < cond_list[at] + 0 : v > cond_list[at] + 0)
                alive[i] = 0
        }
        return
    }
    w = split(cond_list[at], wants, ",")
    split("", best); split("", largest); split("", keep); split("", many); split("", met)
    deepest = 0
    for (i = 1; i <= rows; i++)
        if (alive[i] && R[i, field] + 0 > largest[group_of(i, field)] + 0)
            largest[group_of(i, field)] = R[i, field] + 0
    for (k = 1; k <= w; k++) {
        for (i = 1; i <= rows; i++) {
            g = k "|" group_of(i, field)
            r = alive[i] ? rank(R[i, field], wants[k], largest[group_of(i, field)]) : 0
            if (r)
                many[g, r] += !met[g, r, R[i, "n"], R[i, "m"]]++
            deepest = r > deepest ? r : deepest
            if (r && !(g in best))
                best[g] = r
        }
        for (g in best)
            for (r = 1; r <= deepest; r++)
                if (many[g, r] > many[g, best[g]] || \
                    (many[g, r] == many[g, best[g]] && r < best[g]))
                    best[g] = r
        for (i = 1; i <= rows; i++) {
            g = k "|" group_of(i, field)
            if (alive[i] && (g in best) &&
                rank(R[i, field], wants[k], largest[group_of(i, field)]) == best[g])
                keep[i] = keep[i] ? keep[i] : k
        }
    }
    for (i = 1; i <= rows; i++) {
        if (field == "threads" && on_gpu(i))
            continue
        alive[i] = alive[i] && keep[i]
        wish[i, field] = keep[i] # which of the values, for the sequence of curves
    }
}

# alive[i]: row i is selected
function select_rows(text,    i, at) {
    parse_select(text)
    for (i = 1; i <= rows; i++)
        alive[i] = (!((0, "status") in R) || R[i, "status"] == "ok" || R[i, "status"] == "") && \
            R[i, "failed"] + 0 == 0
    for (at = 1; at <= conditions; at++)
        apply(at)
}
