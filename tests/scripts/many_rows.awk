# SPDX-License-Identifier: MIT
#
# A made-up run of bench in the folder `out`, all columns of cells.csv and samples.csv: of each
# choice of the lists below some cells, with times, errors and statuses that are drawn, few values
# each, so that ties and limits are met. Another `change` has other times of a third of the cells.
# few=1, 2 ...: a few cells, each time others.
#   awk -v out=FOLDER [-v change=1] [-v few=1] -f tests/scripts/many_rows.awk rows/columns_which.def
#       rows/columns_samples.def rows/columns_cells.def
function drawn(n) { # 0 to n - 1
    seed = seed * 16807 % 2147483647
    return int(seed / 2147483647 * n)
}
function one_of(text,    list) {
    return list[1 + drawn(split(text, list, " "))]
}
# 1, but of a run with a change in one cell of n one of the text
function changed(n, text,    is, old) {
    if (!change) return 1
    old = seed
    seed = other
    is = drawn(n) ? 1 : one_of(text)
    other = seed
    seed = old
    return is
}
function line(names, n,    i, text) {
    for (i = 1; i <= n; i++) text = text (i > 1 ? "," : "") v[names[i]]
    return text
}
function put(name, value) { v[name] = value }
function cell(order, n, dt, solver, engine, schedule, rtol, steps,    cpu, t, e, k, times) {
    cpu = engine ~ /^cpu/
    if (few ? drawn(solver == "cvode" ? 8 : 40) : drawn(5) > 1) return
    split("", v)
    put("schema", 2); put("run", name); put("machine", "box-4c-card"); put("git", "0123abcd")
    put("dirty", 0); put("mech", "toy"); put("mech_sha256", "0a"); put("nsp", 9)
    put("nrxn", 20); put("database", "base"); put("db_sha256", "0b"); put("states", "before")
    put("order", order); put("sample", "\"even, seed 1\""); put("n", n); put("dt_s", dt)
    put("steps", steps); put("chain", steps > 1 ? "host" : ""); put("solver", solver)
    put("engine", engine); put("schedule", schedule); put("rtol", rtol); put("atol", rtol * 1e-6)
    put("threads", cpu ? one_of("1 4 4 4") : one_of("64 64 128"))
    put("lanes", engine == "cpu-scalar" ? 1 : cpu ? 8 : 32); put("repeats", 9)
    t = one_of("1 1 1.5 1.5 2.25 3 10 40") * 1e-6 * n * (dt > 1e-5 ? 10 : 1) / (cpu ? 1 : 10)
    t *= changed(3, "0.5 0.97 1.02 1.03 1.031 1.2 10")
    e = one_of("0.01 0.1 1 1 1 3 10 100") * rtol
    e *= changed(25, "0.3 2 5")
    put("time_s", t); put("time_lo_s", 0.98 * t); put("time_hi_s", 1.03 * t)
    put("copy_in_s", cpu ? 0 : 0.1 * t); put("kernel_s", cpu ? t : 0.8 * t)
    put("copy_out_s", cpu ? 0 : 0.1 * t); put("ode_per_s", n / t)
    put("err_p50", e / 9); put("err_p50_lo", e / 10); put("err_p50_hi", e / 8)
    put("err_p95", e); put("err_p95_lo", e / 2); put("err_p95_hi", e * one_of("1 1.5 2"))
    put("err_max", e * one_of("1 2 10 999 1000 1001")); put("active_share", one_of("1 0.5 0"))
    if (v["active_share"] > 0) put("err_p95_active", e * one_of("1 1 2"))
    put("steps_mean", one_of("1 4 9.5")); put("steps_max", one_of("4 40")); put("rhs_mean", 20)
    put("rejected_mean", 0.5); put("rhs_max", 90); put("work_ratio", one_of("1 0.9 1.1 1.11"))
    put("jac_mean", 1); put("lu_mean", 2); put("solve_mean", 12); put("D_rhs", 0.75)
    put("D_steps", 0.8); put("lane_use", 0.9); put("wait_8", 1.1); put("wait_32", 1.25)
    put("wait_all", 2); put("failed", one_of("0 0 0 0 0 0 0 0 0 3"))
    put("wrong", one_of("0 0 0 0 0 0 0 0 2"))
    put("status", drawn(7) ? "ok" : one_of("ok skipped failed interrupted"))
    k = changed(15, "skipped failed ok")
    if (k != 1) put("status", k)
    if (drawn(9) == 0) { put("energy_j", 40 * t); put("energy_scope", cpu ? "packages" : "gpu")
        put("idle_w", 30); put("j_per_million", 4e7 * t / n); put("peak_bytes_host", 1e6 + n) }
    if (!cpu && drawn(2)) put("peak_bytes_device", 4e6 + n)
    if (v["status"] ~ /skipped|failed/) {
        put("why", "\"beyond \"\"the\"\" budget, or <not> here\""); put("time_s", "")
        put("repeats", 0)
    }
    print line(cells, ncells) >(out "/cells.csv")
    times = v["status"] == "interrupted" ? 2 : v["time_s"] == "" ? 0 : 9
    put("key", sprintf("%016x", ++number)); put("batch", 1); put("clock_MHz", 2000)
    for (k = 1; k <= times; k++) {
        put("repeat", k); put("time_s", sprintf("%.9g", t * (1 + 0.003 * (k * 4 % 9 - 4))))
        if ((number * 7 + k) % 40 == 0) put("time_s", 1.4 * t)
        put("cpu_s", cpu ? v["time_s"] * v["threads"] * 0.99 : ""); put("outlier", "")
        put("begin_s", 1700000000 + 100 * number + k + 1000000 * change)
        print line(samples, nsamples) >(out "/samples.csv")
    }
}
match($0, /^COLUMN\([a-zA-Z0-9_]+/) { # which cell, then each file with these
    column = substr($0, 8, RLENGTH - 7)
    if (FILENAME ~ /which/) which[++nwhich] = column
    else if (FILENAME ~ /samples/) samples[++nsamples] = column
    else cells[++ncells] = column
}
/^#include "rows.columns_which.def"/ {
    for (i = 1; i <= nwhich; i++)
        if (FILENAME ~ /samples/) samples[++nsamples] = which[i]
        else cells[++ncells] = which[i]
}
END {
    seed = few ? 1000 * few : 20
    other = 1234567 + 7654321 * change
    name = out
    sub(/.*\//, "", name)
    for (i = 1; i <= ncells; i++) v[cells[i]] = cells[i]
    for (i = 1; i <= nsamples; i++) v[samples[i]] = samples[i]
    print line(cells, ncells) >(out "/cells.csv")
    print line(samples, nsamples) >(out "/samples.csv")
    engines = "cpu-scalar cpu-simd gpu-thread gpu-block"
    solvers = "cvode rkck ros3 ros3:x=1 point_implicit"
    for (dt = 1e-6; dt < 1e-3; dt *= 100)
        for (n = 100; n < 20000; n *= 100)
            for (i = 1; i <= split(solvers, solver, " "); i++)
                for (k = 1; k <= split(engines, engine, " "); k++)
                    for (r = 3; r <= 7; r += 2)
                        if (solver[i] != "cvode" || k == 1)
                            cell(one_of("generated shuffled shuffled"), n, dt, solver[i], \
                                engine[k], one_of("static refill"), 10 ^ -r, \
                                one_of("1 1 1 1 1 1 10"))
}
