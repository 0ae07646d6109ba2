/* SPDX-License-Identifier: MIT
 *
 * flow --case FILE.json: a user's case by every scheme and every chemistry that is named.
 */
#ifndef KB_FLOW_GAS_CASE_H
#define KB_FLOW_GAS_CASE_H

#include "drivers/flow/settings.h"

/* Prints the largest T and p at the end and the cost, and writes FOLDER/runs.csv, the fields or the
 * profile of each run and, of a case with probes, probes-SCHEME.csv */
int kb_flow_gas_case(const kb_flow_settings *set, kb_error *err);

#endif
