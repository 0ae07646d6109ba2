/* SPDX-License-Identifier: MIT
 *
 * Values of queries: a curve over the column that terms are joined on, or one number, each with an
 * interval. Intervals are combined by their ends, so that they are never too narrow.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    double x;         /* 0 of a single number */
    double v, lo, hi;
    double work;      /* mean evaluations of the right-hand side of an ODE; 0: not known */
} kb_point;

typedef struct {
    bool curve;
    int n;            /* 1 without curve */
    kb_point *p;      /* ascending x */
    const char *database; /* hash, of a value not yet divided by another of that database */
    double err;       /* of a time: typical err_p95 of its rows; 0: none */
} kb_value;

kb_value kb_single(double v, double lo, double hi);
void kb_value_free(kb_value *v);

/* a op b for op + - * / ^, point by point at the same x; single numbers go with every point. out
 * may have no point. The caller frees all three. */
void kb_combine(char op, const kb_value *a, const kb_value *b, kb_value *out);

/* A function of the language over its arguments, which end with an empty value
 * (docs/results-format.md). *spread: the largest mean work of the points it joins over the
 * smallest, 1 when it joins none. Returns NULL, or what is wrong. */
const char *kb_reduce(const char *name, const kb_value *argument, kb_value *out, double *spread);
