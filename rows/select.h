/* SPDX-License-Identifier: MIT
 *
 * Selectors of rows: key=value, or a word whose key is plain from what it says.
 */
#pragma once

#include <stdbool.h>

#include "base/csv.h"
#include "rows/query.h"

/* Adds "dt_s=1e-6", "n>1024", "threads=6|16", "gpu-thread" (engine), "static" (schedule),
 * "shuffled" (order), "least", "most" or "rkc" (solver; mechanism in table mech). table NULL: any.
 * Returns NULL, or what is wrong with the word. */
const char *kb_select_add(kb_selects *s, const char *table, const char *word, size_t length);
void kb_selects_free(kb_selects *s);
/* Is it one of the words between blanks? */
bool kb_has_word(const char *words, const char *word);
/* that selector, or NULL */
const kb_select *kb_selects_find(const kb_selects *s, const char *key);
/* Place of the value in "a,b*", from 1; 0: it is none of them. max is `largest` where that is
 * finite. Numbers are compared as numbers. */
int kb_list_place(const char *list, const char *text, double largest);
/* Does alternative `which` of s hold for this text? Numbers are compared as numbers. */
bool kb_select_holds(const kb_select *s, int which, const char *text);
/* Text of a field; a column that the file lacks has its default (steps 1), or NULL */
const char *kb_row_text(const kb_csv *t, long row, const char *column);
