/* SPDX-License-Identifier: MIT
 *
 * From the value of a claim's query to a verdict.
 */
#pragma once

#include "drivers/claims/ledger.h"
#include "rows/evaluate.h"

typedef enum {
    KB_HOLDS, KB_DIRECTION_HOLDS, KB_DOES_NOT_HOLD, KB_UNCLEAR, KB_CANNOT_SAY, KB_NOT_JUDGED,
    KB_VERDICTS
} kb_verdict;

extern const char *const kb_verdict_names[KB_VERDICTS];

/* What a value is made of: a time; only counts of runs (steps, D, ODEs); only printed numbers and
 * counts of mechanism files; any, of another case that stands in. Without a value: what is asked */
typedef enum {
    KB_MEASURED, KB_COUNTED, KB_ARITHMETIC, KB_STANDS_IN, KB_NO_CLASS, KB_CLASSES
} kb_class;

extern const char *const kb_class_names[KB_CLASSES];

typedef struct {
    kb_verdict verdict;
    kb_class class;
    double value, lo, hi; /* NAN: none */
    char *rows, *runs, *git, *machine;
    char why[700];
} kb_judgement;

/* experiment: "a+b|c": the rows of runs a and b, or where these lack some, those of c. Error: a
 * file of results that cannot be read */
int kb_judge(kb_results *r, const kb_claim *c, kb_judgement *j, kb_error *err);
void kb_judgement_free(kb_judgement *j);
/* The verdict of a value alone: direction and bound, band if banded */
kb_verdict kb_verdict_of(const kb_point *p, const char *direction, double bound, bool banded,
                         double least, double most);
