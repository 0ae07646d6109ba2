/* SPDX-License-Identifier: MIT
 *
 * Options of a program as a table: a row has the option's name, kind, range, unit, default and
 * help. From it come the parser, its checks and messages, --help, man page and completion, and the
 * variables of make, which reads rows as they stand in the source (ci/options.awk).
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arguments.h"

/* what a row stores at `to`; range is read as its line says */
typedef enum {
    KB_OPT_SWITCH,  /* bool: true; arg is 0 */
    KB_OPT_TEXT,    /* const char *: not empty, one word of range; as LIST without empty words */
    KB_OPT_NAME,    /* const char *: the name of a folder */
    KB_OPT_INT,     /* int in "1 to 4096", "from 1" */
    KB_OPT_LONG,    /* long, or unsigned long long, likewise */
    KB_OPT_NUMBER,  /* double in "0 to 1", "from 0", "more than 0[, at most 1]" */
    KB_OPT_WORD,    /* int: index of the word in "even, first" */
    KB_OPT_WORDS,   /* kb_words, which the caller frees */
    KB_OPT_LIST,    /* const char *: words with commas, each one of "static, refill" */
    KB_OPT_COUNTS,  /* const char *: whole numbers with commas, in range: "1 to 4096, or all" */
    KB_OPT_NUMBERS, /* const char *: likewise, numbers */
    KB_OPT_OTHER    /* nothing: the program's function gets it, by its key */
} kb_value_kind;

typedef struct {
    const char *name; /* NULL: help is the title of a group */
    int key;          /* a letter; of KB_OPT_OTHER any number of the program's own; 0: none */
    const char *arg;  /* "SECONDS"; NULL: takes no value */
    kb_value_kind kind;
    size_t to;         /* offsetof in the settings */
    const char *range; /* NULL: any */
    const char *unit;  /* "s"; "%": 3% is 3; NULL: none */
    const char *usual; /* the default, which is stored; ": a text" is none; NULL: not said; "!": no
                        * default, it is needed (of texts) */
    int group;
    const char *help;
} kb_program_option;

typedef struct {
    const kb_program_option *options; /* ends with an empty row */
    const char *words;        /* as args_doc of argp; NULL: none are taken */
    const char *doc;          /* as doc of argp */
    const char *what;         /* "folder": the one argument, needed but where words begin with [; */
    size_t argument;          /* const char *, stored there. NULL: rest takes what there is */
    size_t given; /* const char *[]: the last option of each group that was given; 0: not kept */
    /* what is no row: ARGP_KEY_ARG, ARGP_KEY_END and the like, and KB_OPT_OTHER by its key; as a
     * parser of argp, with the settings. NULL: nothing */
    int (*rest)(int key, char *arg, struct argp_state *state, void *settings);
} kb_program;

/* Stores a value; refuses what is out of range. */
int kb_program_option_set(const kb_program_option *option, const char *text, void *settings,
                          kb_error *err);

/* Stores defaults and the command line in settings; ends the program for --help and for wrong use
 * (KB_INVALID). */
void kb_program_parse(const kb_program *program, int argc, char **argv, void *settings);
