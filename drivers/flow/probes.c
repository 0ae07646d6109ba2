/* SPDX-License-Identifier: MIT */
#include "drivers/flow/probes.h"

#include <math.h>
#include <unistd.h>

#include "base/csv.h"

static const char common[] = "step,time_s,probe,x_m,y_m";

/* the rows up to the step of f, again */
static int keep_rows(kb_flow_probes *p, const kb_flow *f, kb_error *err)
{
    kb_csv old = {0};
    int code = f->step > 0 && !access(p->path, F_OK) ? kb_csv_read(&old, p->path, err) : KB_OK;
    p->to = code ? NULL : fopen(p->path, "w");
    if (!code && !p->to)
        code = kb_fail(err, KB_INVALID, "%s: cannot be written", p->path);
    for (int k = 0; p->to && k < kb_flow_fields(f); k++)
        fprintf(p->to, "%s,%s", k ? "" : common, kb_flow_field_name(f, k));
    if (p->to)
        fputc('\n', p->to);
    for (long i = 0; p->to && i < old.nrows; i++)
        for (int k = 0; kb_csv_value(&old, i, "step") <= (double)f->step && k < old.ncolumns; k++)
            fprintf(p->to, "%s%c", old.rows[i][k], k < old.ncolumns - 1 ? ',' : '\n');
    kb_csv_free(&old);
    return code;
}

int kb_flow_probes_open(kb_flow_probes *p, const kb_flow_case_file *of, const kb_flow *f,
                        const char *folder, const char *name, kb_error *err)
{
    const kb_flow_world *world = f->options.world;
    *p = (kb_flow_probes){.of = of};
    if (!of || !of->probes)
        return KB_OK;
    p->path = kb_format("%s/probes-%s.csv", folder, name);
    return kb_flow_agree(world, kb_flow_writes(world) ? keep_rows(p, f, err) : KB_OK, err);
}

/* the cell at x, which the grid has, from x0 in steps of dx; at its end the last */
static int cell_at(double x, double x0, double dx, int n)
{
    return (int)fmin((x - x0) / dx, n - 1);
}

void kb_flow_probes_add(kb_flow_probes *p, const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    int n = kb_flow_fields(f);
    kb_owned double *value = kb_alloc((size_t)n, sizeof *value);
    for (int k = 0; p->of && k < p->of->probes; k++) {
        const double *at = p->of->probe[k];
        int i = cell_at(at[f->options.turn], g->x0, g->dx, g->nx);
        int j = cell_at(at[!f->options.turn], g->y0, g->dy, g->ny);
        bool here = j >= f->rows[0] && j < f->rows[1];
        for (int field = 0; field < n; field++)
            value[field] = here ? kb_flow_field(f, field, i, j) : 0;
        kb_flow_sum(f->options.world, value, n);
        if (!p->to)
            continue;
        fprintf(p->to, "%ld,%.9g,%d,%.9g,%.9g", f->step, f->t, k, kb_flow_x(f, i), kb_flow_y(f, j));
        for (int field = 0; field < n; field++)
            fprintf(p->to, ",%.9g", value[field]);
        fputc('\n', p->to);
    }
    if (p->to)
        fflush(p->to);
}

int kb_flow_probes_close(kb_flow_probes *p, kb_error *err)
{
    bool bad = p->to && ferror(p->to);
    bad |= p->to && fclose(p->to);
    int code = bad ? kb_fail(err, KB_INVALID, "%s: not written whole (disk full?)", p->path)
                   : KB_OK;
    free(p->path);
    return code;
}
