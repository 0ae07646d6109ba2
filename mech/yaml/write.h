/* SPDX-License-Identifier: MIT
 *
 * Inside the YAML writer: write.c makes the frame, write_reaction.c the reactions.
 */
#pragma once

#include <stdio.h>
#include "mech/mech.h"

typedef struct {
    FILE *f;
    const kb_mech *m;
    int column;
    const char *indent; /* of the rate that is written */
} kb_text;

/* head, then [1.0, 2.0] or {H2: 2.0}, over as many lines as are needed */
void kb_text_numbers(kb_text *o, const char *head, const char *indent, const double *values, int n);
void kb_text_terms(kb_text *o, const char *head, const char *indent, const kb_term *terms, int n);
void kb_text_reactions(kb_text *o);

/* Bytes of the UTF-8 character at s, 0 when YAML could not carry it as it is */
int kb_printable(const char *s);

/* A name in quotes when YAML would take it for something else; caller frees. */
char *kb_yaml_quoted(const char *s);
