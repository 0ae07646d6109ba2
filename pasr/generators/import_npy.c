/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "pasr/database/database.h"
#include "pasr/database/origin.h"
#include "pasr/database/word_list.h"
#include "pasr/generators/import.h"

/* names of the species' columns: from the list, separated by commas or white space, or as in the
 * mechanism */
static int add_species(kb_import_table *t, const char *species, const kb_mech *m, kb_error *err)
{
    if (!species || !strcmp(species, KB_ORIGIN_SAME)) {
        for (int i = 0; i < m->nspecies; i++)
            kb_import_column(t, m->species[i].name, strlen(m->species[i].name));
        return KB_OK;
    }
    char *text = kb_word_list(species, err);
    if (!text)
        return KB_INVALID;
    for (const char *at = text; *(at += strspn(at, ", \t\r\n"));) {
        size_t n = kb_word_length(at);
        kb_import_column(t, at, n);
        at += n;
    }
    free(text);
    return KB_OK;
}

static int add_names(kb_import_table *t, const kb_import *r, const kb_mech *m, bool time,
                     kb_error *err)
{
    if (time)
        kb_import_column(t, "time", 4);
    kb_import_column(t, "T", 1);
    kb_import_column(t, "p", 1);
    return add_species(t, r->species, m, err);
}

/* what is there against what the names ask for */
static int check_width(const kb_import_table *t, const kb_npy *a, bool time, kb_error *err)
{
    long width = a->shape[a->ndim - 1];
    if (width == t->columns)
        return KB_OK;
    return kb_fail(err, KB_INVALID, "%s: %ld columns, expected %d (%sT, p and %d species; other "
                   "species are named by --species)", t->path, width, t->columns,
                   time ? "time, " : "", t->columns - 2 - time);
}

static void drop_names(kb_import_table *t)
{
    for (int j = 0; j < t->columns; j++)
        free(t->names[j]);
    t->columns = 0;
}

int kb_import_npy(kb_import_table *t, const kb_import *r, const kb_mech *m, kb_error *err)
{
    kb_npy a;
    *t = (kb_import_table){.path = r->source};
    int code = kb_npy_load(r->source, "<f8", 2, r->format == KB_IMPORT_STATES ? 2 : 3, &a, err);
    if (code)
        return code;
    bool time = r->format == KB_IMPORT_PYJAC || a.ndim == 3;
    code = add_names(t, r, m, time, err);
    if (!code && r->format == KB_IMPORT_AUTO && !time && a.shape[1] == t->columns + 1) {
        drop_names(t);
        code = add_names(t, r, m, true, err);
        time = true;
    }
    code = code ? code : check_width(t, &a, time, err);
    if (code) {
        free(a.data);
        return code;
    }
    t->rows = a.ndim == 3 ? a.shape[0] * a.shape[1] : a.shape[0];
    t->particles = a.ndim == 3 ? a.shape[1] : 0;
    t->data = a.data;
    return KB_OK;
}
