/* SPDX-License-Identifier: MIT
 *
 * Comma-separated lists and numbers of the command line.
 */
#ifndef KB_ARGUMENTS_H
#define KB_ARGUMENTS_H

#include "base/error.h"

typedef struct {
    char **word;
    int count;
} kb_words;

/* "a,b,c"; empty words and repeated ones are left out; never NULL for count > 0 */
void kb_words_split(kb_words *w, const char *text);
void kb_words_add(kb_words *w, const char *word); /* unless it is there */
void kb_words_free(kb_words *w);
/* index or -1 */
int kb_words_find(const kb_words *w, const char *word);
/* "a, b, c"; caller frees */
char *kb_words_join(const kb_words *w);

/* the arguments of main with a blank between; caller frees */
char *kb_command_line(int argc, char **argv);

/* Positive finite numbers; *values is allocated, *count may be 0 for an empty text. option names
 * the list in the message. whole: integers only. */
int kb_list_numbers(const char *option, const char *text, int whole, double **values, int *count,
                    kb_error *err);

#endif
