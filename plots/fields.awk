# SPDX-License-Identifier: MIT
#
# Reads a CSV file for the programs that are loaded after it, and after csv.awk: the first line
# names the columns, col[name]; f holds the fields of each line that follows.
FNR == 1 {
    n = csv_split($0, h)
    for (i = 1; i <= n; i++)
        col[h[i]] = i
    next
}
{ csv_split($0, f) }
