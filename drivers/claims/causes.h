/* SPDX-License-Identifier: MIT
 *
 * Why claims do not hold by a folder of results: FOLDER/causes.tsv, written by hand.
 */
#pragma once

#include "drivers/claims/judge.h"

extern const char *const kb_cause_names[KB_CAUSES]; /* "", "machine", "choice", "paper" */

/* Reads the causes of the claims of l: after a line of names lines "id TAB cause TAB why"; # begins
 * a comment. A folder without the file is none. Errors, with file and line: no such claim, an
 * unknown cause, no reason, a second cause. */
int kb_causes_read(kb_ledger *l, const char *folder, kb_error *err);
/* Prints how many claims do not hold by each cause. KB_DIFFERS, with the ids on stderr, if a claim
 * that does not hold has no cause, or another claim has one; KB_OK for results without causes. */
int kb_causes_check(const kb_ledger *l, const kb_judgement *j, kb_error *err);
