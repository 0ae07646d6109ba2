/* SPDX-License-Identifier: MIT
 *
 * Warnings of a mechanism, summed by kind.
 */
#include <string.h>

#include "mech/mech.h"

typedef struct {
    const char *kind;
    int first, count;
} group;

static int by_gravity(const void *a, const void *b)
{
    const group *x = a, *y = b;
    int grave = (*y->kind == '!') - (*x->kind == '!');
    return grave ? grave : x->first - y->first;
}

static int collect(const kb_mech *m, group *g)
{
    int n = 0;
    for (int i = 0; i < m->nwarnings; i++) {
        int k = 0;
        while (k < n && g[k].kind != m->kinds[i])
            k++;
        if (k == n)
            g[n++] = (group){m->kinds[i], i, 0};
        g[k].count++;
    }
    qsort(g, (size_t)n, sizeof *g, by_gravity);
    return n;
}

/* Prints one group; returns how many warnings that stands for, 0 when there is no line left. */
static int print_group(FILE *f, const kb_mech *m, const char *head, const group *g, bool whole,
                       int *lines)
{
    int done = 0;
    for (int i = g->first; i < m->nwarnings && done < g->count && *lines != 0; i++) {
        if (m->kinds[i] != g->kind)
            continue;
        fprintf(f, "%s%s", head, m->warnings[i]);
        --*lines;
        if (!whole && g->count > 1)
            fprintf(f, " (and %d more of this kind)", g->count - 1);
        fputc('\n', f);
        done += whole ? 1 : g->count;
    }
    return done;
}

void kb_warnings_print(FILE *f, const kb_mech *m, const char *head, int each, int most)
{
    group *g = kb_alloc((size_t)m->nwarnings + 1, sizeof *g);
    int n = collect(m, g), lines = most > 0 ? most : -1, told = 0;
    for (int k = 0; k < n; k++)
        told += print_group(f, m, head, &g[k], g[k].count <= each, &lines);
    if (told < m->nwarnings)
        fprintf(f, "%s%d more: mechinfo shows them\n", head, m->nwarnings - told);
    free(g);
}

void kb_warnings_tell(const kb_mech *m) { kb_warnings_print(stderr, m, "warning: ", 1, 3); }
