# SPDX-License-Identifier: MIT
#
# Draws anew by a seed what was measured in a table of bench, as a table of tabs with a head: each
# column that is named here, from few values, so that ties and limits are met, the times, and the
# order of the lines. What was not measured, as energy, is drawn in every other line, and some of
# what may be missing is.
#   awk -v seed=1 -f tests/scripts/drawn_rows.awk
function drawn(n) { # 0 to n - 1
    seed = seed * 16807 % 2147483647
    return int(seed / 2147483647 * n)
}
function one_of(text,    list) {
    return list[1 + drawn(split(text, list, " "))]
}
BEGIN {
    FS = OFS = "\t"
    seed = seed * 1234567 % 2147483647
    of["err_p95_active"] = of["err_p95"] = "0 3e-9 1e-8 5e-7 2e-6 1e-5 1.1e-4 1e-3 1.1e-3 0.02"
    of["energy_scope"] = "gpu packages"
    of["j_per_million"] = "0.03 0.5 0.51 4 999.4"
    of["idle_w"] = "30 45.5"
    of["peak_bytes_host"] = of["peak_bytes_device"] = "4e6 9.99e8 1.2e9 1.3e9"
    of["failed"] = "0 0 0 0 0 0 1 15"
    of["wrong"] = "0 0 0 0 0 1 60"
    of["passed"] = "0 0 0 3"
    of["steps_mean"] = "1 4.25 40"
    of["rhs_mean"] = "20 20 21.9 22.1 30"
    of["D_rhs"] = of["D_steps"] = of["D"] = of["D_against"] = "0.25 0.5 0.8 0.93"
    of["wait_8"] = of["wait_32"] = of["wait_all"] = "1 1.25 1.51 12"
    of["slow_down"] = of["slow_down_refill"] = "1 1.1 1.75 3"
    of["lane_use"] = "0.5 0.75 1"
    of["err_max"] = "1e-8 0.001 0.9 1.1 20"
    of["differ"] = "0 0 1 7"
}
NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; print; next }
{
    scope = t = ""
    for (i = 1; i <= NF; i++) {
        if (name[i] in of && ($i != "" || scope || !drawn(2)))
            $i = name[i] ~ /^(err_p95_active|energy_scope|peak_)/ && !drawn(9) ||
                name[i] ~ /^(j_per_million|idle_w)$/ && !scope ? "" : one_of(of[name[i]])
        else if (name[i] == "time_s" && $i)
            $i = sprintf("%.6g", t = $i * one_of("0.01 0.5 0.5 1 1 1 1.02 7 30"))
        else if (name[i] ~ /^time_(lo|hi)_s$/ && t)
            $i = sprintf("%.6g", t * one_of(name[i] ~ /lo/ ? "0.9 0.97 0.99" : "1 1.02 1.13"))
        if (name[i] == "energy_scope") scope = $i
    }
    at = drawn(n + 1)
    for (i = n++; i > at; i--) line[i] = line[i - 1]
    line[at] = $0
}
END { for (i = 0; i < n; i++) print line[i] }
