# SPDX-License-Identifier: MIT
#
# The table of all mechanisms from what features.c says of each: sums, and the worst.
FNR == 1 { judged++ }
/^(ok|skipped) - / || ($1 == "engine" && head = $0) { next }
{
    if (!($1 in sum)) order[++n] = $1
    sum[$1] += $2
    numbers[$1] += $3
    for (i = 4; i <= 6; i++)
        if ($i + 0 > worst[$1, i]) worst[$1, i] = $i + 0
    for (i = 7; i <= 9; i++) worst[$1, i] += $i
}
END {
    print head
    for (k = 1; k <= n; k++) {
        e = order[k]
        printf "%-14s %10d %10d %8.1e %8.1e %8.1e %8d %8d %8d\n", e, sum[e], numbers[e],
            worst[e, 4], worst[e, 5], worst[e, 6], worst[e, 7], worst[e, 8], worst[e, 9]
    }
    print judged " mechanisms judged"
}
