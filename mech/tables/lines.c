/* SPDX-License-Identifier: MIT */
#include "mech/tables/lines.h"

#include <stdlib.h>
#include <string.h>

#include "mech/tables/bundles.h"

/* records of a function, so that compilers stay fast */
enum { PART_REACTIONS = 32, PART_SPECIES = 12, PART_UPDATES = 400, PART_DOTS = 600 };
/* terms from which an entry has 2 or 4 sums */
enum { TWO_SUMS = 10, FOUR_SUMS = 40 };

bool kb_lines_fit(const kb_tables *t)
{
    return t->sorted && t->nall == t->nsp && t->m->nreactions <= KB_LINES_REACTIONS;
}

/* functions of a section, numbered from 0 */
typedef struct {
    FILE *f;
    int parts, records;
} section;

static section begin(FILE *f, const char *name)
{
    fprintf(f, "#ifdef LINES_%s\n", name);
    return (section){f, 0, 0};
}

/* opens a function when there is none, or the last one has this many records */
static void part(section *s, int most)
{
    if (s->parts && s->records < most)
        return;
    fprintf(s->f, "%sPART(%d)\n", s->parts ? "PART_END\n" : "", s->parts);
    s->parts++;
    s->records = 0;
}

static void end(section *s, const char *name)
{
    fprintf(s->f, "%s#endif\n#define %s_PARTS(CALL)", s->parts ? "PART_END\n" : "", name);
    for (int k = 0; k < s->parts; k++)
        fprintf(s->f, " CALL(%d)", k);
    fprintf(s->f, "\n");
}

static bool one_way(const kb_tables *t, int r) { return t->slot.v[3 * t->nrx + r] > t->nall; }

static bool listed(const kb_ints *a, int x)
{
    for (int k = 0; k < a->n; k++)
        if (a->v[k] == x)
            return true;
    return false;
}

/* whether q - sum_j C_j dq/dC_j is more than -q: not in a plain reaction of second order */
static bool in_border(const kb_tables *t, int r)
{
    return t->one_minus_forward_order.v[r] != -1 ||
           (!one_way(t, r) && t->one_minus_reverse_order.v[r] != -1) ||
           listed(&t->mreaction_rx, r) || listed(&t->plog_rx, r) || listed(&t->cheb_rx, r) ||
           listed(&t->burke_rx, r) || listed(&t->general_rx, r);
}

/* whether kf = A x[x_index] and nothing more */
static bool arrhenius(const kb_tables *t, int r)
{
    for (int k = t->ntb; k < t->mreaction_rx.n; k++)
        if (t->mreaction_rx.v[k] == r)
            return false;
    return !listed(&t->plog_rx, r) && !listed(&t->cheb_rx, r) && !listed(&t->burke_rx, r) &&
           !listed(&t->blowers_masel_rx, r);
}

static void put_reactions(FILE *f, const kb_tables *t)
{
    section s = begin(f, "REACTIONS");
    for (int r = 0; r < t->nrx; r++) {
        int range = 0;
        while (r >= t->range[range + 1])
            range++;
        part(&s, PART_REACTIONS);
        fprintf(f, "REACTION(%d, %d, %d, %d, %d)\n", r, range % 2 ? 3 : 2, range / 2,
                arrhenius(t, r), in_border(t, r));
        s.records++;
    }
    end(&s, "REACTIONS");
}

static void put_gather(FILE *f, const kb_tables *t)
{
    section s = begin(f, "GATHER");
    for (int i = 0; i < t->nsp; i++) {
        part(&s, PART_SPECIES);
        fprintf(f, "SPECIES(%d)\n", i);
        for (int k = t->species_start.v[i]; k < t->species_start.v[i + 1]; k++) {
            int r = t->species_rx.v[k];
            fprintf(f, "%s(%d, %d, %.17g)\n", in_border(t, r) ? "ADD_BORDER" : "ADD",
                    (k - t->species_start.v[i]) % 2, r, t->species_nu.v[k]);
        }
        fprintf(f, "SPECIES_END(%d)\n", i);
        s.records++;
    }
    end(&s, "GATHER");
}

/* what a derivative of D is: by a slot of a reaction, with the others of its side; r -1: no slot */
typedef struct {
    int r, side, other[2];
} derivative;

static derivative *derivatives(const kb_tables *t)
{
    derivative *d = kb_alloc(t->nslot + 1, sizeof *d);
    for (int k = 0; k < t->nslot; k++)
        d[k].r = -1;
    for (int r = 0; r < t->nrx; r++)
        for (int k = 0; k < KB_SLOTS; k++) {
            int side = k / 3, at = t->slot_derivative.v[k * t->nrx + r], n = 0;
            if (at == t->nslot)
                continue;
            d[at] = (derivative){r, side, {t->nall, t->nall}};
            for (int o = 3 * side; o < 3 * side + 3; o++)
                if (o != k)
                    d[at].other[n++] = t->slot.v[o * t->nrx + r];
        }
    return d;
}

/* the terms of third bodies of the entry at a storage index */
static void put_third_bodies(FILE *f, const kb_tables *t, int storage)
{
    for (int e = 0; e < t->third_body_entry_storage.n; e++)
        for (int k = t->third_body_entry_start.v[e];
             t->third_body_entry_storage.v[e] == storage && k < t->third_body_entry_start.v[e + 1];
             k++)
            fprintf(f, "THIRD_BODY(%d, %.17g)\n", t->third_body_entry_dwdot_dM.v[k],
                    t->third_body_entry_coef.v[k]);
}

static int sums_of(const kb_tables *t, int entry)
{
    int terms = t->jac_start.v[entry + 1] - t->jac_start.v[entry];
    return terms > FOUR_SUMS ? 4 : terms > TWO_SUMS ? 2 : terms > 0;
}

static void put_term(FILE *f, const derivative *d, int slot)
{
    if (d->r < 0)
        fprintf(f, "DERIVATIVE(%d)\n", slot);
    else
        fprintf(f, "%s(%d, %d, %d)\n", d->side ? "REVERSE" : "FORWARD", d->r, d->other[0],
                d->other[1]);
}

/* entries [first, last) of a column, whose sums are in registers together; the slots are walked
 * once. next [entries]: the term of each that comes next */
static void put_group(FILE *f, const kb_tables *t, const derivative *d, int first, int last,
                      int *next)
{
    fprintf(f, "GROUP\n");
    for (int k = first; k < last; k++)
        next[k] = t->jac_start.v[k];
    for (;;) {
        int slot = t->nslot, sum = 0;
        for (int k = first; k < last; k++)
            if (next[k] < t->jac_start.v[k + 1] && t->jac_slot.v[next[k]] < slot)
                slot = t->jac_slot.v[next[k]];
        if (slot == t->nslot)
            break;
        put_term(f, &d[slot], slot);
        for (int k = first; k < last; sum += sums_of(t, k), k++) {
            int n = next[k] - t->jac_start.v[k];
            if (next[k] == t->jac_start.v[k + 1] || t->jac_slot.v[next[k]] != slot)
                continue;
            double nu = t->jac_nu.v[next[k]++];
            fprintf(f, "ADD(%d, %.17g)\n", sum + n % sums_of(t, k), d[slot].side ? -nu : nu);
        }
    }
    for (int k = first, sum = 0; k < last; sum += sums_of(t, k), k++) {
        fprintf(f, "ENTRY\n");
        for (int c = 0; c < sums_of(t, k); c++)
            fprintf(f, "SUM(%d)\n", sum + c);
        fprintf(f, "HEAT(%d)\n", t->jac_row.v[k]);
        put_third_bodies(f, t, t->jac_storage.v[k]);
        fprintf(f, "STORE(%d)\n", t->jac_storage.v[k]);
    }
    fprintf(f, "GROUP_END\n");
}

static void put_columns(FILE *f, const kb_tables *t)
{
    derivative *d = derivatives(t);
    int *next = kb_alloc(t->jac_row.n + 1, sizeof *next);
    section s = begin(f, "COLUMNS");
    for (int j = 0; j < t->nsp; j++) {
        part(&s, 1);
        int end = t->jac_column_start.v[j + 1];
        for (int first = t->jac_column_start.v[j], last; first < end; first = last) {
            int sums = 0;
            for (last = first; last < end && sums + sums_of(t, last) <= KB_COLUMN_SUMS; last++)
                sums += sums_of(t, last);
            put_group(f, t, d, first, last, next);
        }
        fprintf(f, "COLUMN_END(%d)\n", j);
        s.records++;
    }
    end(&s, "COLUMNS");
    free(next);
    free(d);
}

/* entry (i, j) loses what the pivots before the given one take from it */
static void put_update(section *s, const int *storage, int n, int i, int j, int before)
{
    fprintf(s->f, "UPDATE(%d)\n", storage[i * n + j]);
    for (int k = 0; k < before; k++)
        if (storage[i * n + k] >= 0 && storage[k * n + j] >= 0) {
            fprintf(s->f, "LESS(%d, %d)\n", storage[i * n + k], storage[k * n + j]);
            s->records++;
        }
}

/* row and column of pivot k */
static void put_pivot(section *s, const int *storage, int n, int k)
{
    for (int j = k; j < n; j++)
        if (storage[k * n + j] >= 0) {
            put_update(s, storage, n, k, j, k);
            fprintf(s->f, j == k ? "PIVOT(%d)\n" : "UPPER(%d)\n", storage[k * n + j]);
        }
    for (int i = k + 1; i < n; i++)
        if (storage[i * n + k] >= 0) {
            put_update(s, storage, n, i, k, k);
            fprintf(s->f, "LOWER(%d, %d)\n", storage[i * n + k], storage[k * n + k]);
        }
}

/* which of four entries of a row or column are there, as bits */
static int four(const int *storage, int stride)
{
    int which = 0;
    for (int c = 0; c < 4; c++)
        which |= (storage[c * stride] >= 0) << c;
    return which;
}

/* what pivot k takes: from the entries at these rows and columns of the tile */
static void put_tile_pivot(section *s, const int *left, const int *above, int n, int rows,
                           int columns)
{
    for (int c = 0; c < 4; c++) {
        if (rows >> c & 1)
            fprintf(s->f, "LEFT(%d, %d)\n", c, left[c * n]);
        if (columns >> c & 1)
            fprintf(s->f, "ABOVE(%d, %d)\n", c, above[c]);
    }
    for (int e = 0; e < 16; e++)
        if (rows >> e / 4 & 1 && columns >> e % 4 & 1) {
            fprintf(s->f, "TILE_LESS(%d, %d)\n", e / 4, e % 4);
            s->records++;
        }
}

/* what the head takes from a 4 x 4 tile of the tail, if anything */
static void put_tile(section *s, const kb_tables *t, const int *storage, int i0, int j0)
{
    int n = t->lu.n;
    bool begun = false;
    for (int k = 0; k < t->lu.tail; k++) {
        const int *left = storage + i0 * n + k, *above = storage + k * n + j0;
        int rows = four(left, n), columns = four(above, 1);
        if (!rows || !columns)
            continue;
        if (!begun)
            fprintf(s->f, "TILE(%d, %d)\n", storage[i0 * n + j0], t->tail_stride);
        put_tile_pivot(s, left, above, n, rows, columns);
        begun = true;
    }
    if (begun)
        fprintf(s->f, "TILE_END(%d, %d)\n", storage[i0 * n + j0], t->tail_stride);
}

static void put_head(FILE *f, const kb_tables *t, const int *storage)
{
    section s = begin(f, "HEAD");
    for (int k = 0; k < t->lu.tail; k++) {
        part(&s, PART_UPDATES);
        put_pivot(&s, storage, t->lu.n, k);
    }
    for (int i = t->lu.tail; i < t->lu.n; i += 4)
        for (int j = t->lu.tail; j < t->lu.n; j += 4) {
            part(&s, PART_UPDATES);
            put_tile(&s, t, storage, i, j);
        }
    end(&s, "HEAD");
}

/* row i of a triangular solve: columns [first, last) */
static void put_row(section *s, const int *storage, int n, int i, int first, int last)
{
    int terms = 0;
    part(s, PART_DOTS);
    fprintf(s->f, "ROW\n");
    for (int j = first; j < last; j++)
        if (storage[i * n + j] >= 0) {
            fprintf(s->f, "DOT(%d, %d, %d)\n", terms++ % 4, storage[i * n + j], j);
            s->records++;
        }
}

static void put_solve(FILE *f, const kb_tables *t, const int *storage)
{
    int n = t->lu.n, head = t->lu.tail;
    section s = begin(f, "FORWARD");
    for (int i = 0; i < n; i++) {
        put_row(&s, storage, n, i, 0, i < head ? i : head);
        fprintf(f, "ROW_END(%d)\n", i);
    }
    end(&s, "FORWARD");
    s = begin(f, "BACKWARD");
    for (int i = head - 1; i >= 0; i--) {
        put_row(&s, storage, n, i, i + 1, n);
        fprintf(f, "PIVOT_END(%d, %d)\n", i, storage[i * n + i]);
    }
    end(&s, "BACKWARD");
}

void kb_lines_put(FILE *f, const kb_tables *t)
{
    fprintf(f, "/* Written by mechc; do not edit. Records: mech/tables/lines.h */\n");
    if (!kb_lines_fit(t))
        return;
    int *storage = kb_places(t->lu.n, t->lu.tail, t->lu_row_start.v, t->lu_column.v,
                             t->tail_stride);
    put_reactions(f, t);
    put_gather(f, t);
    put_columns(f, t);
    put_head(f, t, storage);
    put_solve(f, t, storage);
    free(storage);
}
