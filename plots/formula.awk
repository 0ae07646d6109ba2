# SPDX-License-Identifier: MIT
#
# Shared memory by number of species m (Le and Cambier 2013, Figs. 4 and 5): a full matrix with its
# right-hand side, or two rows with theirs; one system a block, or 32. Loaded after figure.awk.
BEGIN {
    head_of_figure()
    from = "formula"
    panels = 1; title[1] = ""
    for (systems = 1; systems <= 32; systems += 31)
        for (m = 4; m <= 200; m += 4)
            figure_row("", yname, systems == 1 ? "1 system" : "32 systems", 0, m, \
                systems * (select == "full" ? 8 * (m * m + m) : 16 * (m + 1)) / 1024, "", "")
    for (line = 48; line <= 227; line += 179)
        for (m = 4; m <= 200; m += 196)
            figure_row("", yname, line " kB a block (" (line == 227 ? "H100, H200" : "Fermi") ")", \
                0, m, line, "", "")
    exit 0
}
