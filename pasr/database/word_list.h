/* SPDX-License-Identifier: MIT
 *
 * Lists of species as text: H2,O2,N2 or a file of such names.
 */
#pragma once

#include <stddef.h>

#include "base/error.h"

/* The list itself, or what is in the file of that name. Caller frees; NULL with a message where the
 * file cannot be read. */
char *kb_word_list(const char *list, kb_error *err);

/* of the word of a list at text: to a comma or white space, but not one inside parentheses, as in
 * C5H5O(1,3) */
size_t kb_word_length(const char *text);
