/* SPDX-License-Identifier: MIT
 *
 * Columns of a database and of what stands beside it as CSV, for plots.
 */
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "drivers/dbinfo/dbinfo.h"

typedef struct {
    const char *name;
    const double *first; /* its number in the first row */
    int stride;          /* from row to row */
} column;

/* All of them: those beside the database, then T_K, p_Pa and the species of the recipe */
static column *all_columns(const kb_dbinfo *d, int *count)
{
    const json_t *species = json_object_get(d->recipe, "species");
    column *c = kb_alloc((size_t)(d->naux + d->db.columns), sizeof *c);
    int n = 0;
    for (int k = 0; k < d->naux; k++)
        c[n++] = (column){d->aux_names[k], d->aux + k, d->naux};
    for (int k = 0; k < d->db.columns; k++) {
        const char *name = k == 0 ? "T_K" : k == 1 ? "p_Pa"
                         : json_string_value(json_array_get(species, (size_t)k - 2));
        if (name)
            c[n++] = (column){name, d->db.states + k, d->db.columns};
    }
    *count = n;
    return c;
}

int kb_dbinfo_columns(const kb_dbinfo *d, kb_error *err)
{
    kb_words wanted;
    int n, kept = 0;
    kb_owned column *c = all_columns(d, &n);
    kb_words_split(&wanted, d->set.columns);
    for (int k = 0; k < n; k++)
        if (kb_words_find(&wanted, c[k].name) >= 0)
            c[kept++] = c[k];
    for (int k = 0; k < kept; k++)
        printf("%s%s", c[k].name, k + 1 < kept ? "," : "\n");
    for (long i = 0; i < d->db.n; i++)
        for (int k = 0; k < kept; k++)
            printf("%.9g%s", c[k].first[i * c[k].stride], k + 1 < kept ? "," : "\n");
    kb_words_free(&wanted);
    if (!kept)
        return kb_fail(err, KB_INVALID, "%s: none of the columns %s", d->db.path, d->set.columns);
    return fflush(stdout) ? kb_fail(err, KB_INVALID, "the columns cannot be written") : KB_OK;
}
