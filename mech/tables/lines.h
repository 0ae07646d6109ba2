/* SPDX-License-Identifier: MIT
 *
 * The sums of the tables as records, one macro call each, which a CPU's engines turn into
 * straight-line code (solvers/chemistry/straight/cpu): lines.def. It is included once for each
 * section, with LINES_<section> and the macros defined; SECTION_PARTS(CALL) then calls each of its
 * functions.
 *
 * All sections: PART(n) .. PART_END is a function.
 * REACTIONS  REACTION(r, slots, three_body, arrhenius, border); border: gathered into the border
 * GATHER     SPECIES(i), ADD(chain, r, nu) or ADD_BORDER, SPECIES_END(i): sums over reactions
 * COLUMNS    of -d omega/dC. GROUP .. GROUP_END: entries whose sums are in registers together.
 *            FORWARD(r, species, species), REVERSE or DERIVATIVE(slot): the next derivative, for
 *            ADD(sum, coefficient). ENTRY, SUM(sum), HEAT(row), THIRD_BODY(dwdot_dM, efficiency),
 *            STORE(storage). COLUMN_END(j)
 * HEAD       LU of the head: UPDATE(storage), LESS(l, u), then PIVOT(storage), UPPER(storage) or
 *            LOWER(storage, pivot); tiles of the tail: TILE(storage, stride), LEFT(row, l),
 *            ABOVE(column, u), TILE_LESS(row, column), TILE_END
 * FORWARD    ROW, DOT(chain, storage, position), ROW_END(position)
 * BACKWARD   ROW, DOT, PIVOT_END(position, pivot)
 */
#pragma once

#include <stdio.h>

#include "mech/tables/tables.h"

/* sums of a column at a time, of 32 registers (COLUMN_SUMS of the header) */
enum { KB_COLUMN_SUMS = 22 };

/* small enough, and without species in steady state */
bool kb_lines_fit(const kb_tables *t);
void kb_lines_put(FILE *f, const kb_tables *t);
