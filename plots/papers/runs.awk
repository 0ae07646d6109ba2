# SPDX-License-Identifier: MIT
#
# The lines of the experiment `e`, each with the name of its run, which is a folder of
# results/<machine>. Reads datasets/experiments.tsv, prints run, target, GPU and variables.
function value(name) {
    return match(" " $3, " " name "=[^ ]*") ? \
        substr($3, RSTART + length(name) + 1, RLENGTH - length(name) - 2) : ""
}
BEGIN { FS = OFS = "\t" }
$1 == e {
    mech = value("MECH")
    if (!n++)
        first = mech
    # a flow to several times: a folder for each
    end = $2 == "flow" ? value("END") : ""
    print ($2 == "roofline" ? "parts-" : "") e (mech == first ? "" : "-" mech) (end ? "-" end : ""),
        $2, $4, $3
}
