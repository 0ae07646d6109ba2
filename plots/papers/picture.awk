# SPDX-License-Identifier: MIT
#
# What stands behind a picture of the flow solver: each number of the rows of errors.csv or
# detonation.csv into the file `table`; the last row in words to the output. Loaded after
# columns.awk; reads what `rows --select` prints.

BEGIN {
    line = "panel quantity series x y kind experiment run git machine rows"
    gsub(/ /, OFS, line)
    print line >table
}

# columns in their sequence, from nx on
FNR == 2 {
    for (name in col)
        name_of[col[name]] = name
}
{
    grid = $col["nx"] " x " $col["ny"]
    for (i = col["nx"]; name_of[i] !~ /^(mech|machine|experiment)$/; i++)
        if (number($i))
            print "", name_of[i], $col["scheme"] " " grid, "", $i, "measured", $col["experiment"],
                $col["run"], $col["git"], $col["machine"], $col["row"] >table
    what = $col["scheme"] ("riemann" in col ? ", " $col["riemann"] : "") \
        ("chemistry" in col ? ", " $col["mech"] ", " $col["chemistry"] : "")
}
END { print what ", " grid " cells, " $col["steps"] " steps" }
