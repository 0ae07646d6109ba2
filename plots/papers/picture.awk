# SPDX-License-Identifier: MIT
#
# What stands behind a picture of the flow solver: each number of the rows of errors.csv or
# detonation.csv into the file `table`, with experiment, run, git and machine of the environment;
# the last row in words to the output. Loaded after csv.awk.

BEGIN {
    end = "measured," csv_field(ENVIRON["experiment"]) "," csv_field(ENVIRON["run"]) "," \
        csv_field(ENVIRON["git"]) "," csv_field(ENVIRON["machine"])
}

{ n = csv_split($0, f) }
FNR == 1 {
    for (i = 1; i <= n; i++)
        at[name[i] = f[i]] = i
    next
}
{
    grid = f[at["nx"]] " x " f[at["ny"]]
    for (i = at["nx"]; i <= n; i++)
        if (number(f[i]))
            print "," csv_field(name[i]) "," csv_field(f[at["scheme"]] " " grid) ",," f[i] "," end \
                >>table
    what = f[at["scheme"]] ("riemann" in at ? ", " f[at["riemann"]] : "") \
        ("chemistry" in at ? ", " f[at["mech"]] ", " f[at["chemistry"]] : "")
}
END { print what ", " grid " cells, " f[at["steps"]] " steps" }
