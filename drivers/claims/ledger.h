/* SPDX-License-Identifier: MIT
 *
 * The claims of the papers: datasets/claims.tsv, one line each, fields between tabs.
 */
#pragma once

#include <stdbool.h>

#include "base/owned.h"
#include "rows/query.h"

typedef enum {
    KB_ID, KB_PAPER, KB_WHERE, KB_QUANTITY, KB_PRINTED, KB_PRINTED_LO, KB_PRINTED_HI, KB_KIND,
    KB_PORTABLE, KB_EXPERIMENT, KB_QUERY, KB_DIRECTION, KB_BAND, KB_GUARD, KB_NOTE, KB_FIELDS
} kb_claim_field;

typedef struct {
    double interval, err, work; /* 0: not wanted */
} kb_guards;

#define KB_SOURCES 4

/* why a claim does not hold (causes.h) */
typedef enum { KB_NO_CAUSE, KB_BY_MACHINE, KB_BY_CHOICE, KB_BY_PAPER, KB_CAUSES } kb_cause;

/* What a claim says of the value, and where it is looked for: the first source that has the rows.
 * Without a query (nqueries 0) there is nothing to be evaluated. */
typedef struct {
    char *field[KB_FIELDS];
    int line;
    kb_query query[KB_SOURCES]; /* of each source; the last one of all that follow */
    int nqueries;
    char direction[3]; /* ">", "<", ">=", "<=", "is" (there is one), "" */
    kb_query bound, least, most; /* of the direction; of the band, root NULL without one */
    kb_guards guard;
    kb_cause cause;
} kb_claim;

typedef struct {
    char *path, *causes; /* the files; causes is NULL if the results have none */
    int count;
    kb_claim *of;
} kb_ledger;

/* Errors, with line, column of a query and word: a field too many, an unknown kind or guard, a
 * malformed query, an id twice. */
int kb_ledger_read(kb_ledger *l, const char *path, kb_error *err);
void kb_ledger_free(kb_ledger *l);
/* Leaves the claims of these papers and of these ids; an empty list leaves all. Error: no such */
int kb_ledger_choose(kb_ledger *l, const kb_words *papers, const kb_words *ids, kb_error *err);
/* the first claim with this text in the field; NULL: none */
kb_claim *kb_ledger_find(const kb_ledger *l, kb_claim_field field, const char *value);

/* kinds of claims that nobody can judge by a run: cited, context, flow, hardware */
bool kb_claim_beyond(const kb_claim *c);
