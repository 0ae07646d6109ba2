/* SPDX-License-Identifier: MIT */
#include "drivers/bench/timeline.h"

#include "drivers/bench/divergence.h"
#include "drivers/bench/rows.h"

#define COLUMN(name, unit, value, meaning) column = #name; value;
#define TEXT(text) kb_csv_set(t, row, column, text)
#define EXACT(number) kb_csv_number(t, row, column, (double)(number), 0)
#define MEASURED(number) kb_csv_number(t, row, column, number, 9)

static void add_slice(kb_csv *t, const kb_cell *c, const kb_slice *s, long i)
{
    const char *column;
    long row = kb_csv_add(t);
#include "rows/columns_timeline.def"
}

void kb_timeline_fill(kb_csv *t, const kb_cell *cell, const kb_slice *slices, long n)
{
    kb_divergence_drop(t, cell->key);
    for (long i = 0; i < n && i < KB_TIMELINE_MOST; i++)
        add_slice(t, cell, &slices[i], i);
}
