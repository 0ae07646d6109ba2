/* SPDX-License-Identifier: MIT
 *
 * The command line: values of options, comma-separated lists.
 */
#pragma once

#include "base/error.h"

struct argp_state;

/* A whole number from least to most; option is its name for the message: "--repeats" */
int kb_read_whole(const char *option, const char *text, long least, long most, long *value,
                  kb_error *err);
/* A finite number */
int kb_read_number(const char *option, const char *text, double *value, kb_error *err);
/* Index of the word in choices, which end with NULL */
int kb_read_choice(const char *option, const char *text, const char *const *choices, int *index,
                   kb_error *err);

/* Stores the one argument of a program in *to; a second or an empty one is wrong. what: its name in
 * messages. */
void kb_argument(struct argp_state *state, const char **to, const char *text, const char *what);

typedef struct {
    char **word;
    int count;
} kb_words;

/* "a,b,c"; empty words and repeated ones are left out; never NULL for count > 0 */
void kb_words_split(kb_words *w, const char *text);
void kb_words_add(kb_words *w, const char *word); /* nothing if it is in the list */
void kb_words_free(kb_words *w);
/* index or -1 */
int kb_words_find(const kb_words *w, const char *word);
/* "a, b, c"; caller frees */
char *kb_words_join(const kb_words *w);

/* text as one word of a shell: as it is, or in quotes where a shell would take it apart; caller
 * frees */
char *kb_shell_word(const char *text);
/* the arguments of main as a shell would take them again; caller frees */
char *kb_command_line(int argc, char **argv);

/* Positive finite numbers; *values is allocated, *count may be 0 for an empty text. option names
 * the list in the message. whole: integers only. */
int kb_list_numbers(const char *option, const char *text, int whole, double **values, int *count,
                    kb_error *err);
