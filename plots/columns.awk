# SPDX-License-Identifier: MIT
#
# What `rows` prints between tabs, for the programs that are loaded after this one: $col["name"] of
# each line after the first.
BEGIN { FS = OFS = "\t" }
FNR == 1 {
    split("", col)
    for (i = 1; i <= NF; i++)
        col[$i] = i
    next
}
