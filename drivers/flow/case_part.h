/* SPDX-License-Identifier: MIT
 *
 * An object of a case file, its keys and numbers. Messages name file, line, object and key.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/owned.h"

typedef struct {
    const char *path;
    const json_t *object;
    const char *list; /* NULL: the file itself; else the key of the list in which this is */
    int index;        /* in that list; -1: list is the object's own key */
    bool ideal;       /* keys without units */
    kb_error *err;
} kb_case_part;

/* the object of a key, for k >= 0 object k of its list */
kb_case_part kb_case_inside(const kb_case_part *p, const char *key, int k);
/* "T_K", in the file of an ideal gas "T" */
const char *kb_case_key(const kb_case_part *p, const char *key);
/* KB_INVALID with "file:line: regions[1]: text (hint)"; key: whose line; NULL: the object's */
int kb_case_wrong(const kb_case_part *p, const char *key, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Errors: no object, a key that is not among these */
int kb_case_check_keys(const kb_case_part *p, const char *known);
/* A number or a list of numbers, least to most of them, each from low to high, into to; *n of them,
 * 0 where the key is missing and least is 0. */
int kb_case_numbers(const kb_case_part *p, const char *key, int least, int most, double low,
                    double high, double *to, int *n);
/* one number, which stays as it is where the key is missing */
int kb_case_number(const kb_case_part *p, const char *key, double low, double high, double *to);
int kb_case_text(const kb_case_part *p, const char *key, const char **to);
int kb_case_choice(const kb_case_part *p, const char *key, const char *const *choices, int *to);
/* the list of a key; *n 0 where it is missing */
int kb_case_list(const kb_case_part *p, const char *key, const json_t **to, int *n);
