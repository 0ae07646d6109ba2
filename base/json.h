/* SPDX-License-Identifier: MIT
 *
 * JSON files, read and written whole.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/error.h"

/* The file's value, which the caller owns; NULL with a message that names file and line, and
 * hint (NULL: none). A name that comes twice in one object is an error. */
json_t *kb_json_read(const char *path, const char *hint, kb_error *err);
/* A number, null where it is not finite: JSON has no other, and jansson makes NULL of those */
json_t *kb_json_number(double x);
/* The rows of a table as objects: a field that reads as a finite number is one, an empty field is
 * null, any other a text */
json_t *kb_json_rows(const kb_csv *t);
/* Indented, numbers with this number of significant digits. NULL, as json_pack makes it of a number
 * that is not finite, is an error, and the file stays as it was. */
int kb_json_write(const char *path, const json_t *value, int digits, kb_error *err);
/* On a stream, as kb_json_write has it */
int kb_json_print(FILE *to, const json_t *value, int digits, kb_error *err);
