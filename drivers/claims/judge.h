/* SPDX-License-Identifier: MIT
 *
 * From the value of a claim's query to a verdict.
 */
#ifndef KB_JUDGE_H
#define KB_JUDGE_H

#include "drivers/claims/ledger.h"
#include "rows/evaluate.h"

typedef enum {
    KB_HOLDS, KB_DIRECTION_HOLDS, KB_DOES_NOT_HOLD, KB_UNCLEAR, KB_CANNOT_SAY, KB_NOT_JUDGED,
    KB_VERDICTS
} kb_verdict;

extern const char *const kb_verdict_names[KB_VERDICTS];

typedef struct {
    kb_verdict verdict;
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

#endif
