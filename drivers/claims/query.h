/* SPDX-License-Identifier: MIT
 *
 * Queries over results: an expression of terms, each a column of the rows that its selectors leave.
 *
 *     max(us{rkc cpu-scalar threads=6} / us{rkc gpu-thread static}) where order=generated n>=64 by n
 *
 * docs/claims.md has the language.
 */
#ifndef KB_QUERY_H
#define KB_QUERY_H

#include "base/arguments.h"

typedef enum { KB_EQUAL, KB_NOT, KB_LESS, KB_LESS_EQUAL, KB_MORE, KB_MORE_EQUAL } kb_compare;

/* key=a|b: the first of the alternatives that leaves a row counts */
typedef struct {
    char *key;
    kb_compare compare;
    kb_words any;
} kb_select;

typedef struct {
    int count;
    kb_select *of;
} kb_selects;

typedef enum { KB_NUMBER, KB_TERM, KB_CALL, KB_OPERATION } kb_node_kind;

typedef struct kb_node {
    kb_node_kind kind;
    int at;            /* place in the text, from 1 */
    double number;
    char operation;    /* + - * / ^ */
    char *name;        /* of the function or the column */
    char *table;       /* of a term: cells, divergence, kernels, micro, mech */
    kb_selects selects;
    struct kb_node *argument[8];
    int narguments;
} kb_node;

typedef struct {
    kb_node *root;
    kb_selects where; /* for every term that does not name the key itself */
    char *by;         /* the column that terms are joined on */
} kb_query;

/* file and line are those of the claim, for messages; line 0: a query of the command line */
int kb_query_parse(kb_query *q, const char *text, const char *file, int line, kb_error *err);
void kb_query_free(kb_query *q);

/* number of arguments of a function, from and to; false: there is no such function */
int kb_function_known(const char *name, int *least, int *most);
/* is there such a column (computed ones too) in this table, or such a table? */
int kb_column_known(const char *table, const char *column);
int kb_table_known(const char *table);

#endif
