/* SPDX-License-Identifier: MIT
 *
 * A plotfile of AMReX as PeleC and PeleLMeX write it (AMReX documentation, "Plotfiles and
 * checkpoints"): Header, and for each level the boxes (Level_0/Cell_H) and their numbers
 * (Level_0/Cell_D_00000). Cells that a finer level covers, and cells inside a body (vfrac 0), are
 * left out.
 *
 *   T [K]        temp (PeleLMeX) or Temp (PeleC: g, cm, s)
 *   p [Pa]       RhoRT, or pressure [dyn/cm2]; otherwise from density
 *   species X    Y(X), or rho.Y(X) or rho_X over density
 */
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"
#include "pasr/generators/import_scan.h"

#define APART " \t\r\n(),"

typedef struct {
    long lo[3], hi[3];
    char file[128];
    long offset;
    bool *left_out; /* [cells], i fastest */
} amr_box;

typedef struct {
    char *prefix; /* of its files: plt00005/Level_0/Cell */
    long ratio;   /* to the next finer one */
    long n;
    amr_box *box;
} amr_level;

typedef struct {
    const char *path;
    int dim, levels;
    amr_level *level;
    int variables;
    char **name;
    int *from;       /* [columns of the table] variable of each */
    bool *over;      /* is it over density? */
    double *factor;  /* to SI units */
    int density, body; /* variables; -1: none */
} plotfile;

static long cells(const amr_box *b)
{
    return (b->hi[0] - b->lo[0] + 1) * (b->hi[1] - b->lo[1] + 1) * (b->hi[2] - b->lo[2] + 1);
}

static int read_box(kb_scan *w, int dim, amr_box *b, kb_error *err)
{
    long *const to[] = {b->lo, b->hi, NULL};
    long unused, n = 1;
    int code = KB_OK;
    for (int k = 0; k < 3 && !code; k++)
        for (int d = 0; d < dim && !code; d++)
            code = kb_scan_whole(w, -INT_MAX, INT_MAX, to[k] ? &to[k][d] : &unused,
                                  "an index of a box", err);
    for (int d = 0; d < dim && !code; d++) {
        if (b->hi[d] < b->lo[d] || b->hi[d] - b->lo[d] >= (1L << 31) / n)
            return kb_scan_fail(w, NULL, "a box of no cells, or too many, ends at", err);
        n *= b->hi[d] - b->lo[d] + 1;
    }
    return code;
}

/* ---- Header ---- */

static int variable(const plotfile *p, const char *name)
{
    for (int i = 0; i < p->variables; i++)
        if (!strcmp(p->name[i], name))
            return i;
    return -1;
}

static int skip_words(kb_scan *w, long n, const char *what, kb_error *err)
{
    double unused;
    int code = KB_OK;
    for (long i = 0; i < n && !code; i++)
        code = kb_scan_number(w, &unused, what, err);
    return code;
}

static int read_levels(plotfile *p, kb_scan *w, kb_error *err)
{
    long level, boxes;
    int code = KB_OK;
    for (int l = 0; l + 1 < p->levels && !code; l++)
        code = kb_scan_whole(w, 2, 64, &p->level[l].ratio, "a ratio of refinement", err);
    /* boxes of the domain, steps, cell sizes; coordinates, width of the border */
    code = code ? code : skip_words(w, (4L * p->dim + 1) * p->levels + 2, "a number", err);
    for (int l = 0; l < p->levels && !code; l++) {
        code = kb_scan_whole(w, l, l, &level, "the number of the level", err);
        code = code ? code : kb_scan_whole(w, 1, INT_MAX, &boxes, "the number of boxes", err);
        code = code ? code : skip_words(w, 2 + 2 * p->dim * boxes, "a number", err);
        if (!code && !*kb_scan_next(w))
            code = kb_scan_fail(w, "is the file cut off?", "no folder of the level", err);
        if (!code)
            p->level[l].prefix = kb_format("%s/%s", p->path, w->word);
    }
    return code;
}

static int read_header(plotfile *p, kb_error *err)
{
    kb_owned char *path = kb_format("%s/Header", p->path);
    kb_scan w;
    long n = 0, dim = 0, finest = 0;
    int code = kb_scan_open(&w, path, APART, "", err);
    if (!code && strncmp(kb_scan_next(&w), "HyperCLaw", 9))
        code = kb_scan_fail(&w, "NavierStokes-V1.1 and others are not read", "expected "
                             "HyperCLaw-V1.1, found", err);
    code = code ? code : kb_scan_whole(&w, 1, 100000, &n, "the number of variables", err);
    p->name = kb_alloc((size_t)n + 1, sizeof *p->name);
    for (; p->variables < n && !code; p->variables++)
        p->name[p->variables] = kb_strdup(kb_scan_line(&w));
    code = code ? code : kb_scan_whole(&w, 1, 3, &dim, "the number of dimensions", err);
    code = code ? code : skip_words(&w, 1, "the time", err);
    code = code ? code : kb_scan_whole(&w, 0, 63, &finest, "the finest level", err);
    code = code ? code : skip_words(&w, 2 * dim, "an end of the domain", err);
    p->dim = (int)dim;
    p->levels = (int)finest + 1;
    p->level = kb_alloc((size_t)p->levels, sizeof *p->level);
    code = code ? code : read_levels(p, &w, err);
    free(w.text);
    return code;
}

/* ---- which variables ---- */

static void take(plotfile *p, kb_import_table *t, int variable, const char *name, size_t length,
                 double factor, bool over)
{
    int j = kb_import_column(t, name, length);
    p->from = kb_realloc(p->from, (size_t)j + 1, sizeof *p->from);
    p->factor = kb_realloc(p->factor, (size_t)j + 1, sizeof *p->factor);
    p->over = kb_realloc(p->over, (size_t)j + 1, sizeof *p->over);
    p->from[j] = variable;
    p->factor[j] = factor;
    p->over[j] = over;
}

/* variables "prefix NAME suffix", in the mechanism if `known`; how many */
static int take_species(plotfile *p, kb_import_table *t, const kb_mech *m, const char *prefix,
                        const char *suffix, bool known)
{
    int n = 0;
    size_t before = strlen(prefix), after = strlen(suffix);
    for (int i = 0; i < p->variables; i++) {
        const char *name = p->name[i] + before;
        if (strncmp(p->name[i], prefix, before) || strlen(name) <= after ||
            strcmp(name + strlen(name) - after, suffix))
            continue;
        kb_owned char *species = kb_format("%.*s", (int)(strlen(name) - after), name);
        if (!known || kb_find_species(m, species) >= 0) {
            take(p, t, i, species, strlen(species), 1, *prefix == 'r');
            n++;
        }
    }
    return n;
}

static int choose(plotfile *p, kb_import_table *t, const kb_mech *m, kb_error *err)
{
    int T = variable(p, "temp"), cgs = variable(p, "Temp"), pressure = variable(p, "RhoRT");
    p->density = variable(p, "density");
    p->body = variable(p, "vfrac");
    if (T < 0 && cgs < 0)
        return kb_fail_at(err, p->path, 0, NULL, "PeleLMeX writes temp, PeleC Temp",
                          "no temperature among its %d variables", p->variables);
    take(p, t, T < 0 ? cgs : T, "T", 1, 1, false);
    if (pressure >= 0)
        take(p, t, pressure, "p", 1, 1, false);
    else if (variable(p, "pressure") >= 0)
        take(p, t, variable(p, "pressure"), "p", 1, 0.1, false);
    else if (p->density >= 0)
        take(p, t, p->density, "density", 7, T < 0 ? 1000 : 1, false);
    if (take_species(p, t, m, "Y(", ")", false) || p->density < 0 ||
        take_species(p, t, m, "rho.Y(", ")", false) || take_species(p, t, m, "rho_", "", true))
        return KB_OK;
    return kb_fail_at(err, p->path, 0, NULL, "Y(H2), rho.Y(H2) or rho_H2", "no species of %s among "
                      "its %d variables", m->name, p->variables);
}

/* ---- boxes ---- */

static int read_boxes(const plotfile *p, amr_level *level, kb_error *err)
{
    kb_owned char *path = kb_format("%s_H", level->prefix);
    kb_scan w;
    long n = 0, unused;
    int code = kb_scan_open(&w, path, APART, "", err);
    code = code ? code : kb_scan_whole(&w, 1, 1, &unused, "version 1", err);
    code = code ? code : kb_scan_whole(&w, 0, 1, &unused, "how it is written (0, 1)", err);
    code = code ? code : kb_scan_whole(&w, p->variables, p->variables, &unused,
                                        "as many variables as in Header", err);
    if (!code)
        kb_scan_line(&w); /* how many border cells: the boxes of Cell_D tell */
    code = code ? code : kb_scan_whole(&w, 1, (long)w.size, &n, "the number of boxes", err);
    code = code ? code : skip_words(&w, 1, "a number", err);
    level->box = kb_alloc((size_t)n + 1, sizeof *level->box);
    for (; level->n < n && !code; level->n++)
        code = read_box(&w, p->dim, &level->box[level->n], err);
    code = code ? code : kb_scan_whole(&w, n, n, &unused, "as many places as boxes", err);
    for (long i = 0; i < n && !code; i++) {
        if (strcmp(kb_scan_next(&w), "FabOnDisk:"))
            code = kb_scan_fail(&w, NULL, "expected FabOnDisk:, found", err);
        else
            strcpy(level->box[i].file, kb_scan_next(&w));
        code = code ? code : kb_scan_whole(&w, 0, LONG_MAX, &level->box[i].offset, "an offset",
                                            err);
    }
    free(w.text);
    return code;
}

static long coarse(long i, long ratio) { return i >= 0 ? i / ratio : -((-i + ratio - 1) / ratio); }

/* cells of b that are under the box f of the next level */
static void cover(amr_box *b, const amr_box *f, long ratio)
{
    long lo[3], hi[3];
    for (int d = 0; d < 3; d++) {
        long from = coarse(f->lo[d], ratio), to = coarse(f->hi[d], ratio);
        lo[d] = from > b->lo[d] ? from : b->lo[d];
        hi[d] = to < b->hi[d] ? to : b->hi[d];
    }
    bool *at = b->left_out;
    for (long k = b->lo[2]; k <= b->hi[2]; k++)
        for (long j = b->lo[1]; j <= b->hi[1]; j++)
            for (long i = b->lo[0]; i <= b->hi[0]; i++, at++)
                *at |= i >= lo[0] && i <= hi[0] && j >= lo[1] && j <= hi[1] && k >= lo[2] &&
                       k <= hi[2];
}

static bool touches(const amr_box *b, const amr_box *f, long ratio)
{
    bool yes = true;
    for (int d = 0; d < 3; d++)
        yes = yes && coarse(f->lo[d], ratio) <= b->hi[d] && coarse(f->hi[d], ratio) >= b->lo[d];
    return yes;
}

/* ---- numbers ---- */

typedef struct {
    FILE *f;
    char *path;
    amr_box whole; /* with its border */
    long first;    /* byte of the first number */
    int bytes;     /* of a number */
    double *values;
} amr_fab;

/* "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))((0,0) (7,7) (0,0)) 15" */
static int read_fab_head(const plotfile *p, const amr_box *b, amr_fab *fab, kb_error *err)
{
    char line[512] = "";
    kb_scan w = {.path = fab->path, .blank = APART, .single = "", .text = line};
    long x, bits = 0, order = 0;
    int code = fseek(fab->f, b->offset, SEEK_SET) || !fgets(line, sizeof line, fab->f);
    w.size = strlen(line);
    code = code || strcmp(kb_scan_next(&w), "FAB");
    for (int i = 0; i < 9 && !code; i++)
        code = kb_scan_whole(&w, 0, INT_MAX, i == 1 ? &bits : &x, "", NULL);
    code = code || (bits != 32 && bits != 64) ||
           kb_scan_whole(&w, bits / 8, bits / 8, &x, "", NULL);
    for (int i = 0; i < bits / 8 && !code; i++)
        code = kb_scan_whole(&w, 1, INT_MAX, i ? &x : &order, "", NULL);
    code = code || order != bits / 8 || read_box(&w, p->dim, &fab->whole, NULL) ||
           kb_scan_whole(&w, p->variables, p->variables, &x, "", NULL);
    for (int d = 0; d < 3; d++)
        code = code || fab->whole.lo[d] > b->lo[d] || fab->whole.hi[d] < b->hi[d];
    fab->bytes = (int)bits / 8;
    fab->first = ftell(fab->f);
    line[strcspn(line, "\r\n")] = 0;
    line[60] = 0;
    if (code)
        return kb_fail_at(err, fab->path, 0, line, "IEEE numbers of 32 or 64 bits, the lowest byte "
                          "first, a box of Cell_H, all variables", "byte %ld: expected the head of "
                          "a box, found", b->offset);
    long end = fab->first + p->variables * cells(&fab->whole) * fab->bytes;
    if (fseek(fab->f, 0, SEEK_END) || ftell(fab->f) < end)
        return kb_fail_at(err, fab->path, 0, NULL, "is the file cut off?", "%ld bytes, expected "
                          "%ld and more", ftell(fab->f), end);
    return KB_OK;
}

static int read_variable(amr_fab *fab, int variable, kb_error *err)
{
    long n = cells(&fab->whole), at = fab->first + (long)variable * n * fab->bytes;
    fab->values = kb_realloc(fab->values, (size_t)n, sizeof *fab->values);
    if (fseek(fab->f, at, SEEK_SET) ||
        fread(fab->values, (size_t)fab->bytes, (size_t)n, fab->f) != (size_t)n)
        return kb_fail_at(err, fab->path, 0, NULL, NULL, "byte %ld: cannot be read", at);
    for (long i = n - 1; i >= 0 && fab->bytes == 4; i--) {
        float x;
        memcpy(&x, (char *)fab->values + 4 * i, 4);
        fab->values[i] = (double)x;
    }
    return KB_OK;
}

static double value_at(const amr_fab *fab, long i, long j, long k)
{
    const amr_box *w = &fab->whole;
    long nx = w->hi[0] - w->lo[0] + 1, ny = w->hi[1] - w->lo[1] + 1;
    return fab->values[((k - w->lo[2]) * ny + j - w->lo[1]) * nx + i - w->lo[0]];
}

/* The variable in the cells of b: into column j of rows that begin at `row`; as divisor of those
 * that are over density; or, j < 0, which cells are in a body. */
enum { BODY = -1, DIVIDE = -2 };
static void put(const plotfile *p, amr_box *b, const amr_fab *fab, int j, double *row, int columns)
{
    bool *out = b->left_out;
    for (long z = b->lo[2]; z <= b->hi[2]; z++)
        for (long y = b->lo[1]; y <= b->hi[1]; y++)
            for (long x = b->lo[0]; x <= b->hi[0]; x++, out++) {
                double v = value_at(fab, x, y, z);
                if (j == BODY)
                    *out |= v <= 0;
                if (*out || j == BODY)
                    continue;
                for (int c = 0; c < columns && j == DIVIDE; c++)
                    row[c] /= p->over[c] ? v : 1;
                if (j >= 0)
                    row[j] = v * p->factor[j];
                row += columns;
            }
}

/* cells of box b of level l that nothing else shows; *n of them */
static void choose_cells(const plotfile *p, int l, amr_box *b, amr_fab *fab, long *n)
{
    b->left_out = kb_alloc((size_t)cells(b), sizeof *b->left_out);
    for (long k = 0; l + 1 < p->levels && k < p->level[l + 1].n; k++)
        if (touches(b, &p->level[l + 1].box[k], p->level[l].ratio))
            cover(b, &p->level[l + 1].box[k], p->level[l].ratio);
    if (p->body >= 0)
        put(p, b, fab, BODY, NULL, 0);
    *n = 0;
    for (long i = 0; i < cells(b); i++)
        *n += !b->left_out[i];
}

static int read_box_rows(const plotfile *p, int l, amr_box *b, kb_import_table *t, kb_error *err)
{
    const char *prefix = p->level[l].prefix;
    amr_fab fab = {.path = kb_format("%.*s%s", (int)(strrchr(prefix, '/') + 1 - prefix), prefix,
                                     b->file)};
    fab.f = kb_file_open(fab.path);
    int code = fab.f ? read_fab_head(p, b, &fab, err)
                     : kb_fail_at(err, fab.path, 0, NULL, NULL, "cannot be opened");
    code = code || p->body < 0 ? code : read_variable(&fab, p->body, err);
    if (!code) {
        long n;
        choose_cells(p, l, b, &fab, &n);
        t->data = kb_realloc(t->data, (size_t)(t->rows + n) * (size_t)t->columns + 1,
                             sizeof *t->data);
        double *rows = t->data + (size_t)t->rows * (size_t)t->columns;
        bool divide = false;
        for (int j = 0; j < t->columns && !code; j++) {
            divide |= p->over[j];
            if (!(code = read_variable(&fab, p->from[j], err)))
                put(p, b, &fab, j, rows, t->columns);
        }
        if (!code && divide && !(code = read_variable(&fab, p->density, err)))
            put(p, b, &fab, DIVIDE, rows, t->columns);
        t->rows += n;
        free(b->left_out);
    }
    if (fab.f)
        fclose(fab.f);
    free(fab.path);
    free(fab.values);
    return code;
}

int kb_import_amrex(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err)
{
    plotfile p = {.path = path};
    *t = (kb_import_table){.path = path, .kind = "flow"};
    int code = read_header(&p, err);
    code = code ? code : choose(&p, t, m, err);
    for (int l = 0; l < p.levels && !code; l++)
        code = read_boxes(&p, &p.level[l], err);
    for (int l = 0; l < p.levels; l++)
        for (long i = 0; i < p.level[l].n && !code; i++)
            code = read_box_rows(&p, l, &p.level[l].box[i], t, err);
    for (int l = 0; l < p.levels; l++) {
        free(p.level[l].prefix);
        free(p.level[l].box);
    }
    for (int i = 0; i < p.variables; i++)
        free(p.name[i]);
    free(p.level);
    free(p.name);
    free(p.from);
    free(p.factor);
    free(p.over);
    return code;
}
