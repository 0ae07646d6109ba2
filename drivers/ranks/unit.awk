# SPDX-License-Identifier: MIT
#
# Seconds of a substep on one rank of one thread, for the replay of costs: time over ODEs and their
# mean substeps, of the first cell of cells.csv that was measured. Loaded after plots/csv.awk.

FNR == 1 {
    n = csv_split($0, head)
    next
}

{
    csv_split($0, f)
    for (i = 1; i <= n; i++)
        row[head[i]] = f[i]
    if (row["status"] == "ok" && row["time_s"] > 0 && row["steps_mean"] > 0) {
        printf "%.6g\n", row["time_s"] / (row["n"] * row["steps_mean"])
        found = 1
        exit
    }
}

END {
    if (!found)
        fail("no cell that was measured in " FILENAME)
}
