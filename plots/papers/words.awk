# SPDX-License-Identifier: MIT
#
# Words NAME=value of a line of datasets/experiments.tsv, and the solvers in them. For runs.awk,
# lines.awk and plan.awk: awk -f words.awk -f ....

function field(text, name, otherwise,    w, n, i) {
    n = split(text, w, " ")
    for (i = 1; i <= n; i++)
        if (index(w[i], name "=") == 1)
            return substr(w[i], length(name) + 2)
    return otherwise
}

# "radau2a:slice=8:rtol=1e-6" without its tolerances, which are said_rtol and said_atol, "*" if it
# has none; a plug-in by its file
function bare(spec,    w, n, i, rest) {
    n = split(spec, w, ":")
    rest = w[1]
    sub(/.*\//, "", rest)
    sub(/\.so$/, "", rest)
    said_rtol = said_atol = "*"
    for (i = 2; i <= n; i++)
        if (w[i] ~ /^rtol=/)
            said_rtol = substr(w[i], 6) + 0
        else if (w[i] ~ /^atol=/)
            said_atol = substr(w[i], 6) + 0
        else
            rest = rest ":" w[i]
    return rest
}
