# SPDX-License-Identifier: MIT
#
# The lines of the experiment `e`, or of all, each with the name of its run, which is a folder of
# results/<machine>. Reads datasets/experiments.tsv, prints run, target, GPU, variables, experiment.
BEGIN { FS = OFS = "\t" }
/^#/ || $1 == "experiment" { next }
e == "" || $1 == e {
    mech = field($3, "MECH", "")
    if (!($1 in first))
        first[$1] = mech
    # a flow to several times: a folder for each
    end = $2 == "flow" ? field($3, "END", "") : ""
    print ($2 == "roofline" ? "parts-" : "") $1 (mech == first[$1] ? "" : "-" mech) \
        (end ? "-" end : ""), $2, $4, $3, $1
}
