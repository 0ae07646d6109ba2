# SPDX-License-Identifier: MIT
#
# Seconds that the lines of experiments take. Reads rows between tabs (RUN MECH SOLVER ENGINE
# THREADS N DT STEPS ORDER TIME REPEATS STATUS RTOL SCHEDULE, of all runs), then what runs.awk
# prints. Prints for each experiment: seconds on a GPU, on cores, cells without a row, and their
# seconds.
#
# A cell runs once as a warm-up and then REPEATS times; several threads are compared with one thread
# by three samples of as long a time. A cell without a row takes what the row that is most like it
# says (more ODEs take longer in proportion, and on cores fewer threads do). One beyond its BUDGET
# takes a run of the GPU, and none of the cores, where a probe tells; without such a row it takes
# its BUDGET.

function abs(x) { return x < 0 ? -x : x }

# seconds of a run of this cell by the row that is most like it; -1: there is none
function guess(mech, solver, engine, threads, n, dt,    key, i, r, far, least, t) {
    key = mech SUBSEP solver SUBSEP dt + 0
    if (!(key in rows))
        key = mech SUBSEP first(solver) SUBSEP dt + 0
    least = -1
    for (i = 1; i <= rows[key]; i++) {
        r = row[key, i]
        if ((engine ~ /^gpu/) != (engine_of[r] ~ /^gpu/) ||
            (engine ~ /-dense/) != (engine_of[r] ~ /-dense/))
            continue
        far = abs(log(n / n_of[r])) + (engine != engine_of[r]) + (threads != threads_of[r]) / 2
        if (least >= 0 && far >= least)
            continue
        least = far
        t = seconds[r] * (n > n_of[r] || engine ~ /^cpu/ ? n / n_of[r] : 1)
        if (engine ~ /^cpu/)
            t *= threads_of[r] / threads
    }
    return least < 0 ? -1 : t
}

function first(solver) { sub(/:.*/, "", solver); return solver }

function cell(experiment, run, mech, solver, rtol, engine, threads, n, dt, order, schedule,
    repeats, budget,    key, side, t, all) {
    side = engine ~ /^gpu/ ? "gpu" : "cores"
    if (side == "gpu")
        threads = ""
    key = run SUBSEP solver SUBSEP engine SUBSEP threads + 0 SUBSEP n + 0 SUBSEP dt + 0 SUBSEP order
    key = key SUBSEP rtol SUBSEP schedule
    if ((key in known) && known[key] != "ok")
        return
    t = key in known ? time[key] : guess(mech, solver, engine, threads, n, dt)
    all = t * (repeats + 1 + (side == "cores" && threads > 1 ? 3 : 0))
    if (!(key in known)) {
        missing[experiment]++
        if (t < 0)
            all = budget
        else if (all > budget)
            all = side == "cores" ? 0 : t < budget ? t : budget
        new[experiment] += all
    } else
        spent[experiment, side] += all
}

FNR == NR {
    key = $1 SUBSEP $3 SUBSEP $4 SUBSEP ($4 ~ /^gpu/ ? 0 : $5 + 0) SUBSEP $6 + 0 SUBSEP $7 + 0
    r = ++total
    seconds[r] = $10 * ($8 > 0 ? $8 : 1)
    for (i = 0; i < 8; i++) { # with and without what a line may leave open
        as = key SUBSEP (i % 2 ? $9 : "*") SUBSEP (i % 4 < 2 ? $13 + 0 : "*") SUBSEP \
            (i < 4 ? $14 : "*")
        known[as] = $12
        time[as] = seconds[r]
    }
    if ($12 != "ok")
        next
    engine_of[r] = $4
    threads_of[r] = $5 > 0 ? $5 : 1
    n_of[r] = $6
    row[$2, $3, $7 + 0, ++rows[$2, $3, $7 + 0]] = r
    if ($3 ~ /:/)
        row[$2, first($3), $7 + 0, ++rows[$2, first($3), $7 + 0]] = r
    next
}
$2 != "bench" { next }
{
    mech = field($4, "MECH", "")
    experiments[$5]
    # all that its lists make together
    lists = split("SOLVERS= ENGINES= N= DT=1e-6 ORDER=* THREADS=1 RTOL=* SCHEDULE=*", \
        list, " ")
    product = 1
    for (k = 1; k <= lists; k++) {
        split(list[k], part, "=")
        size[k] = split(field($4, part[1], part[2]), part, ",")
        for (i = 1; i <= size[k]; i++)
            item[k, i] = part[i]
        product *= size[k]
    }
    for (i = 0; i < product; i++) {
        rest = i
        for (k = 1; k <= lists; k++) {
            at[k] = rest % size[k] + 1
            pick[k] = item[k, at[k]]
            rest = int(rest / size[k])
        }
        # threads are of cores, and one lane of one thread has one schedule
        if ((pick[2] ~ /^gpu/ && at[6] > 1) ||
            (pick[2] ~ /^cpu-scalar/ && pick[6] == 1 && at[8] > 1))
            continue
        solver = bare(pick[1])
        cell($5, $1, mech, solver,
            said_rtol != "*" || pick[7] == "*" ? said_rtol : pick[7] + 0, pick[2],
            pick[6] == "all" ? cores : pick[6], pick[3], pick[4], pick[5],
            pick[2] ~ /^cpu-scalar/ && pick[6] == 1 ? "*" : pick[8],
            field($4, "REPEATS", 3), field($4, "BUDGET", 60) + 0)
    }
}
END {
    for (e in experiments)
        printf "%s\t%.0f\t%.0f\t%d\t%.0f\n", e, spent[e, "gpu"], spent[e, "cores"], missing[e],
            new[e]
}
