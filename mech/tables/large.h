/* SPDX-License-Identifier: MIT
 *
 * Tables that are too long for a compiler: the header only declares them. Their values stand beside
 * it in large.bin, which large.S puts into an object, and for CUDA, whose tables are of the device,
 * in large.h.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "mech/tables/tables.h"

typedef struct {
    FILE *values, *source, *cuda; /* in memory; cuda NULL: not wanted */
    char *text[3];                /* of these */
    size_t size[3];
    const char *layout;           /* of the tables: two in one library have other symbols */
    int least;                    /* entries of a large table */
    size_t width;                 /* of an index [B]: 2 or 4 */
} kb_large;

void kb_large_open(kb_large *l, const char *layout, size_t width, bool cuda);
/* The declaration of table kb_<name> goes to f. none: what stands for KB_NO_TARGET */
void kb_large_put(kb_large *l, FILE *f, const char *name, int none, const kb_ints *a);
/* Writes the files beside the header and frees; must come before the header itself. */
int kb_large_write(kb_large *l, const char *header, kb_error *err);
