/* SPDX-License-Identifier: MIT
 *
 * A comparison as a table of text, markdown, JSON or CSV.
 */
#pragma once

#include <stdio.h>

#include "drivers/compare/verdict.h"

typedef struct {
    const kb_comparison *c;
    const char *a, *b; /* folders */
    bool all;          /* also cells that are the same or missing, in text and markdown */
} kb_compare_report;

void kb_compare_text(const kb_compare_report *r, FILE *to);
void kb_compare_markdown(const kb_compare_report *r, FILE *to);
void kb_compare_csv(const kb_compare_report *r, FILE *to);
int kb_compare_json(const kb_compare_report *r, FILE *to, kb_error *err);
