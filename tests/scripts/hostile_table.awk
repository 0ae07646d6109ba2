# SPDX-License-Identifier: MIT
#
# A table whose rows each have a hostile text: reads the texts, writes CSV. Variables: head and row
# (names and usual fields), columns (that take the texts; of several each takes another one). In
# `row` %r is the number of the row, %d grows with every seventh.

function csv_field(text) {
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

{ text[++n] = $0 }
END {
    print head
    fields = split(head, name, ",")
    many = split(columns, wanted, ",")
    for (r = 1; r <= n; r++) {
        split(row, f, ",")
        for (i = 1; i <= fields; i++) {
            gsub(/%r/, r, f[i])
            gsub(/%d/, (1 + int((r - 1) / 7)) "e-6", f[i])
            for (k = 1; k <= many; k++)
                if (name[i] == wanted[k])
                    f[i] = text[1 + (r - 1 + 17 * (k - 1)) % n]
            printf "%s%s", csv_field(f[i]), i < fields ? "," : "\n"
        }
    }
}
