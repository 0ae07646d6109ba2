/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "flow/run/flow.h"

double kb_flow_x(const kb_flow *f, int i)
{
    return f->stage.grid.x0 + (f->stage.grid.nx > 1 ? (i + 0.5) * f->stage.grid.dx : 0);
}

double kb_flow_y(const kb_flow *f, int j)
{
    return f->stage.grid.y0 + (f->stage.grid.ny > 1 ? (j + 0.5) * f->stage.grid.dy : 0);
}

bool kb_flow_is_solid(const kb_flow *f, int i, int j)
{
    return f->open && f->open[kb_flow_at(&f->stage.grid, i, j)] == 0;
}

double kb_flow_foil(const kb_flow *f, int i, int j)
{
    const kb_flow_grid *g = &f->stage.grid;
    long at = kb_flow_at(g, i, j);
    return fmax(f->foil[at], f->w[(g->nsp + 2) * g->plane + at]);
}

double kb_flow_density(const kb_flow *f, int i, int j)
{
    const kb_flow_grid *g = &f->stage.grid;
    double sum = 0;
    for (int s = 0; s < g->nsp; s++)
        sum += f->q[0][s * g->plane + kb_flow_at(g, i, j)];
    return sum;
}

void kb_flow_cell(const kb_flow *f, int i, int j, kb_flow_point *p)
{
    const kb_flow_grid *g = &f->stage.grid;
    const double *w = f->w + kb_flow_at(g, i, j);
    for (int s = 0; s < g->nsp; s++)
        p->rho[s] = w[s * g->plane];
    p->u = w[g->nsp * g->plane];
    p->v = w[(g->nsp + 1) * g->plane];
    p->p = w[(g->nsp + 2) * g->plane];
}

static const struct { const char *name, *unit; } fields[] = {
    {"density", "kg/m^3"}, {"pressure", "Pa"}, {"temperature", "K"}, {"u", "m/s"}, {"v", "m/s"},
    {"foil", "Pa"}, {"substeps", "1"}, {"blended", "1"}, {"time", "ns"}};
enum { TEMPERATURE = 2, U, V, FOIL, SUBSTEPS, BLENDED, TIME, KINDS };

static int has(const kb_flow *f, int kind)
{
    return kind == FOIL       ? f->foil != NULL
           : kind == SUBSTEPS ? f->chemistry != NULL
           : kind == BLENDED  ? f->blended != NULL
           : kind == TIME     ? f->chemistry && f->options.time : 1;
}

/* what field k of this run is: one of these, or KINDS + the number of a species shown */
static int kind_of(const kb_flow *f, int k)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (has(f, kind) && k-- == 0)
            return kind;
    return KINDS + k;
}

int kb_flow_fields(const kb_flow *f)
{
    int n = f->problem.nshown;
    for (int kind = 0; kind < KINDS; kind++)
        n += has(f, kind);
    return n;
}

const char *kb_flow_field_name(const kb_flow *f, int field)
{
    int kind = kind_of(f, field);
    return kind >= KINDS ? f->problem.shown_names[kind - KINDS] : fields[kind].name;
}

const char *kb_flow_field_unit(const kb_flow *f, int field)
{
    int kind = kind_of(f, field);
    return kind >= KINDS || !f->chemistry ? "1" : fields[kind].unit;
}

int kb_flow_find_field(const kb_flow *f, const char *name)
{
    int k = kb_flow_fields(f) - 1;
    while (k >= 0 && strcmp(kb_flow_field_name(f, k), name))
        k--;
    return k;
}

double kb_flow_field(const kb_flow *f, int field, int i, int j)
{
    const kb_flow_grid *g = &f->stage.grid;
    const int place[] = {0, g->nsp + 2, g->nsp + 4, g->nsp, g->nsp + 1}; /* in W */
    int kind = kind_of(f, field);
    if (kb_flow_is_solid(f, i, j))
        return NAN;
    if (kind >= KINDS)
        return f->q[0][f->problem.shown[kind - KINDS] * g->plane + kb_flow_at(g, i, j)] /
               kb_flow_density(f, i, j);
    if (kind == SUBSTEPS)
        return kb_flow_cost(f, i, j);
    if (kind == TIME)
        return 1e9 * f->chemistry->attempt * kb_flow_cost(f, i, j);
    if (kind == BLENDED)
        return f->blended[kb_flow_at(g, i, j)];
    if (kind == FOIL)
        return kb_flow_foil(f, i, j);
    return kind ? f->w[place[kind] * g->plane + kb_flow_at(g, i, j)] : kb_flow_density(f, i, j);
}

void kb_flow_totals(const kb_flow *f, double *total)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (int k = 0; k < g->nsp + 3; k++) {
        long double sum = 0;
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                if (!kb_flow_is_solid(f, i, j))
                    sum += f->q[0][k * g->plane + kb_flow_at(g, i, j)];
        total[k] = (double)sum * g->dx * g->dy;
    }
}

typedef struct {
    double sum, largest;
    long cells;
} norm;

static void add(norm *n, double difference)
{
    n->sum += fabs(difference);
    n->largest = fmax(n->largest, fabs(difference));
    n->cells++;
}

static kb_flow_error result(const norm *n)
{
    return (kb_flow_error){n->sum / (double)n->cells, n->largest};
}

kb_flow_error kb_flow_exact_error(const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    double *q = kb_alloc((size_t)g->nsp + 3, sizeof *q);
    norm n = {0};
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double rho = 0;
            kb_flow_cell_mean(f, i, j, f->t, f->problem.smooth, q);
            for (int s = 0; s < g->nsp; s++)
                rho += q[s];
            add(&n, kb_flow_density(f, i, j) - rho);
        }
    free(q);
    return result(&n);
}

kb_flow_error kb_flow_fine_error(const kb_flow *f, const kb_flow *fine)
{
    const kb_flow_grid *g = &f->stage.grid;
    int mx = fine->stage.grid.nx / g->nx, my = fine->stage.grid.ny / g->ny;
    norm n = {0};
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double sum = 0;
            if (kb_flow_is_solid(f, i, j))
                continue;
            for (int b = 0; b < my; b++)
                for (int a = 0; a < mx; a++)
                    sum += kb_flow_density(fine, i * mx + a, j * my + b);
            add(&n, kb_flow_density(f, i, j) - sum / (mx * my));
        }
    return result(&n);
}
