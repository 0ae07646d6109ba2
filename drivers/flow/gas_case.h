/* SPDX-License-Identifier: MIT
 *
 * flow --case FILE.json and --case detonation: a case in the gas of a mechanism by every scheme and
 * every chemistry that is named.
 */
#pragma once

#include "drivers/flow/settings.h"

/* Prints and writes a row for each run into FOLDER/runs.csv, of a detonation detonation.csv; fields
 * or a profile of each run and, of a case with probes, probes-SCHEME.csv. With set->reference the
 * L1 norms of accuracy.h, too. */
int kb_flow_gas_case(const kb_flow_settings *set, kb_error *err);
