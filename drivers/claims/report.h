/* SPDX-License-Identifier: MIT
 *
 * Verdicts on the screen and in claims.csv.
 */
#pragma once

#include "drivers/claims/judge.h"

void kb_claims_print(const kb_ledger *l, const kb_judgement *j);
/* Compares with FOLDER/claims.csv, says which verdicts differ, and writes it again (lines of claims
 * that were not chosen stay) unless some differ and accept is false. KB_OK, KB_DIFFERS, KB_NOTHING
 * (no verdict among them; nothing is written) or KB_INVALID. */
int kb_claims_write(const kb_ledger *l, const kb_judgement *j, const char *folder, bool accept,
                    kb_error *err);
