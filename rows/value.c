/* SPDX-License-Identifier: MIT */
#include "rows/value.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

kb_value kb_single(double v, double lo, double hi)
{
    kb_value out = {.n = 1, .p = kb_alloc(1, sizeof *out.p)};
    *out.p = (kb_point){.v = v, .lo = lo, .hi = hi};
    return out;
}

void kb_value_free(kb_value *v)
{
    free(v->p);
    *v = (kb_value){0};
}

static double apply(char op, double a, double b)
{
    switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    default: return pow(a, b);
    }
}

/* The ends come from the four pairs of ends */
static kb_point combine(char op, const kb_point *a, const kb_point *b)
{
    double ends[4] = {apply(op, a->lo, b->lo), apply(op, a->lo, b->hi), apply(op, a->hi, b->lo),
                      apply(op, a->hi, b->hi)};
    kb_point out = {.x = a->x ? a->x : b->x, .v = apply(op, a->v, b->v), .lo = INFINITY,
                    .hi = -INFINITY, .work = a->work > 0 ? a->work : b->work};
    for (int i = 0; i < 4; i++) {
        out.lo = fmin(out.lo, ends[i]);
        out.hi = fmax(out.hi, ends[i]);
    }
    if (op == '/' && b->lo <= 0 && b->hi >= 0)
        out.lo = -INFINITY, out.hi = INFINITY;
    return out;
}

void kb_combine(char op, const kb_value *a, const kb_value *b, kb_value *out)
{
    *out = (kb_value){.curve = a->curve || b->curve};
    out->p = kb_alloc((size_t)(a->n * b->n), sizeof *out->p);
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            if (!a->curve || !b->curve || a->p[i].x == b->p[j].x)
                out->p[out->n++] = combine(op, &a->p[i], &b->p[j]);
    out->database = a->database ? a->database : b->database;
    out->err = a->err > 0 ? a->err : b->err;
    if (op == '/' && a->database && b->database)
        out->database = NULL;
    if (op == '/' && a->err > 0 && b->err > 0)
        out->err = 0;
}
