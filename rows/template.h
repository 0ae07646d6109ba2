/* SPDX-License-Identifier: MIT
 *
 * Tables of the docs: templates whose queries are replaced by values of results.
 *
 *   % run=gri30-pasr schedule=refill   where of the queries that follow, until the next %
 *   [[us{rodas4 gpu-block n=4096}]]    the value of a query (docs/results-format.md)
 *   [[solver @1]]                      a column of the row behind the first value of the line; a
 *                                      column err... is a value itself
 *   [[@3 / @1]]                        ratio of two values of the line
 *   [[settled @1]]                     * if the time of an ODE still falls with n: it is 5 % and
 *                                      more below that at the next smaller n, or there is none
 *   [[= 15.9]]                         a number of a paper, to divide by
 *   [[card gri30-pasr]]                H200: the card that the run was measured on
 */
#pragma once

#include <stdio.h>

#include "rows/results.h"

/* The file path with its values, to `to`; into sources, if it is not NULL, a line "LINE: VALUE
 * run/table:line" for each row that a value rests on. Errors, with path and line: a query that is
 * wrong, or has no value; a text that Markdown would take for its own. */
int kb_template_fill(kb_results *r, const char *path, FILE *to, FILE *sources, kb_error *err);
