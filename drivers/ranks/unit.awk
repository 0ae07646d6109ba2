# SPDX-License-Identifier: MIT
#
# Seconds of a substep on one rank of one thread, for the replay of costs: time over ODEs and their
# mean substeps, of the first row that `rows --select` prints. Loaded after plots/columns.awk.

$col["steps_mean"] > 0 {
    printf "%.6g\n", $col["time_s"] / ($col["n"] * $col["steps_mean"])
    found = 1
    exit
}

END {
    if (!found) {
        print "unit: error: no cell that was measured" >"/dev/stderr"
        exit 2
    }
}
