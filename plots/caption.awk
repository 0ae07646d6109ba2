# SPDX-License-Identifier: MIT
#
# The part of a caption that the rows of a figure say by themselves: machine, cores and GPU, runs,
# sizes, steps, tolerances, orders and schedules, and what a red ring is. Loaded after number.awk.
# Variable: style (plots/panels.awk).

function add(what, value) {
    if (value == "" || (what, value) in seen)
        return
    seen[what, value] = 1
    list[what] = list[what] (list[what] == "" ? "" : ", ") value
    many[what]++
}

function range(what, v) {
    if (v == "")
        return
    v += 0
    if (!(what in low) || v < low[what])
        low[what] = v
    if (!(what in high) || v > high[what])
        high[what] = v
}

function from_to(what) {
    return short(low[what]) (low[what] == high[what] ? "" : " to " short(high[what]))
}

# a run, and whether it stands in for the experiment that was asked for
function run_text(run, experiment, git,    own) {
    own = experiment == "" || run == experiment || index(run, experiment "-") == 1
    return run (own ? "" : " (an earlier run, in place of " experiment ")") \
        (git == "" ? "" : " at " substr(git, 1, 8))
}

# "16" and "NVIDIA H200" of intel-xeon-16c-nvidia-h200 (drivers/env); "" where a name has neither
function cores_of(machine) {
    return match(machine, /-[0-9]+c(-|$)/) ? substr(machine, RSTART + 1) + 0 : ""
}
function gpu_of(machine) {
    if (!match(machine, /-[0-9]+c-/))
        return ""
    machine = toupper(substr(machine, RSTART + RLENGTH))
    gsub(/-/, " ", machine)
    return machine
}

{
    if ($col["kind"] != "measured")
        next
    add("machine", $col["machine"])
    if ($col["engine"] ~ /^gpu/)
        add("gpu", gpu_of($col["machine"]))
    else if ($col["engine"] != "" && $col["threads"] > 0) {
        add("cores", $col["threads"])
        add("all cores", cores_of($col["machine"]))
    }
    wide = wide || (style == "curves" && $col["hi"] - $col["lo"] > 0.2 * $col["y"])
    if ($col["run"] != "")
        add("run", run_text($col["run"], $col["experiment"], $col["git"]))
    range("n", $col["n"])
    range("dt", $col["dt_s"])
    solver = $col["solver"]
    sub(/:(slice|cycles|steps)=[0-9]+/, "", solver)
    if ($col["rtol"] != "")
        add("tolerance", solver " " short($col["rtol"]) " / " short($col["atol"]))
    add("order", $col["order"])
    add("schedule", $col["schedule"])
}

END {
    if (list["machine"] != "")
        text = "Measured on " list["machine"] "."
    if (list["cores"] != "")
        text = text " CPU: " list["cores"] \
            (many["all cores"] == 1 ? " of " list["all cores"] : "") \
            (list["cores"] == "1" && many["all cores"] != 1 ? " core." : " cores.")
    if (list["gpu"] != "")
        text = text " GPU: " list["gpu"] "."
    if ("n" in low)
        text = text " n " from_to("n") ("dt" in low ? "," : ".")
    if ("dt" in low)
        text = text " dt " from_to("dt") " s."
    if (many["tolerance"] && many["tolerance"] <= 7)
        text = text " rtol / atol: " list["tolerance"] "."
    if (list["order"] != "")
        text = text " Order " list["order"] \
            (list["schedule"] != "" ? ", schedule " list["schedule"] : "") "."
    if (list["run"] != "")
        text = text " Data: " list["run"] "."
    if (wide)
        text = text " Red ring: a 95 % interval wider than a fifth of its value."
    print text
}
