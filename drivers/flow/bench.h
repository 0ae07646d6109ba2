/* SPDX-License-Identifier: MIT
 *
 * flow --bench: the time of a cell's step, scheme by scheme and engine by engine.
 */
#pragma once

#include "drivers/flow/settings.h"

/* Prints and writes FOLDER/flow.csv. Engines and solvers take turns, so that a change of the
 * machine's load falls on all of them; from set->begin on each measurement has the same steps. */
int kb_flow_bench(const kb_flow_settings *set, kb_error *err);
