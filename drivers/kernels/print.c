/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"
#include "base/table.h"
#include "drivers/kernels/cells.h"

static bool alike(const kb_kernel_cell *a, const kb_kernel_cell *b)
{
    return a->kernel == b->kernel && a->m == b->m && !strcmp(a->matrix, b->matrix);
}

/* a kernel's largest batch of a matrix, undivided, stands for it */
static bool is_shown(const kb_kernel_cells *all, const kb_kernel_cell *c)
{
    if (!c->nsamples || c->segments > 1)
        return false;
    for (const kb_kernel_cell *o = c + 1; o < all->cells + all->count; o++)
        if (alike(o, c) && o->nsamples && o->segments == 1)
            return false;
    return true;
}

static void add_row(kb_table *out, const kb_kernel_cells *all, const kb_kernel_cell *c,
                    const kb_kernel_device *device)
{
    const kb_kernel *k = c->kernel;
    double t = kb_kernel_system_time(c), rate = c->counts.bytes > 0 ? c->counts.bytes / t : NAN;
    double part = device && kb_kernel_on_gpu(k) ? 100 * rate / device->copy : NAN;
    char *f[] = {kb_strdup(c->matrix), kb_shown("%.0f", c->m), kb_strdup(k->name),
                 kb_strdup(k->engine), kb_strdup(k->layout), kb_strdup(k->precision),
                 kb_shown("%.0f", (double)c->n), kb_shown("%.4g", 1e6 * t),
                 kb_shown("%.3g", 1e-9 * c->counts.flops / t), kb_shown("%.3g", 1e-9 * rate),
                 kb_shown("%.0f", part), kb_shown("%.1f", c->counts.sectors / c->counts.requests),
                 kb_shown("%.1e", c->check.backward), kb_shown("%.1e", c->check.difference),
                 kb_shown("%.3g", kb_kernel_speedup(all, c, "dense", "cpu-scalar"))};
    kb_table_add(out, f);
}

void kb_kernel_print(const kb_kernel_cells *all, const kb_kernel_device *device)
{
    static const char *const heads[] = {
        "matrix", "m", "kernel", "engine", "layout", "precision", "n", "us/system", "GFlop/s",
        "GB/s", "% of copy", "sectors", "backward", "to pivoted", "speed-up"};
    kb_table out = {.ncolumns = 15, .heads = heads, .left = 1};
    for (int i = 0; i < all->count; i++)
        if (is_shown(all, &all->cells[i]))
            add_row(&out, all, &all->cells[i], device);
    if (device)
        printf("%s: a copy in its memory reaches %.0f GB/s, read and written\n\n", device->name,
               1e-9 * device->copy);
    kb_table_print(&out);
    kb_table_free(&out);
    printf("\nspeed-up: over dense elimination on one CPU core, double\n");
}
