/* SPDX-License-Identifier: MIT
 *
 * ODEs a second for the price of what computes them (Sewerin and Rigopoulos 2015, Table 5).
 */
#pragma once

#include "base/csv.h"
#include "base/error.h"

/* In any currency; 0: not given */
typedef struct {
    double cpu, gpu;
} kb_price;

/* "600,9000": that of the processors, and of the GPU. Errors: not one or two positive numbers. */
int kb_price_read(kb_price *price, const char *text, kb_error *err);

/* Fills price and ode_per_s_per_price of each row of cells.csv by its engine. A CPU counts whole,
 * whatever the number of threads; rows without a price stay as they are. */
void kb_price_fill(const kb_price *price, kb_csv *cells);
