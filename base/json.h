/* SPDX-License-Identifier: MIT
 *
 * JSON files, read and written whole.
 */
#ifndef KB_JSON_H
#define KB_JSON_H

#include <jansson.h>

#include "base/error.h"

/* The file's value, which the caller owns; NULL with a message that names file and line, and
 * hint (NULL: none). A name that comes twice in one object is an error. */
json_t *kb_json_read(const char *path, const char *hint, kb_error *err);
/* Indented, numbers with this number of significant digits. */
int kb_json_write(const char *path, const json_t *value, int digits, kb_error *err);
/* The same to the standard output; value is given up. */
int kb_json_print(json_t *value, int digits, kb_error *err);

#endif
