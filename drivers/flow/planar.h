/* SPDX-License-Identifier: MIT
 *
 * flow --case detonation: a planar detonation by every scheme and every chemistry that is named.
 */
#ifndef KB_FLOW_PLANAR_H
#define KB_FLOW_PLANAR_H

#include "drivers/flow/settings.h"

/* Prints speed, pressure and cost, and writes FOLDER/detonation.csv, front-NUMBER.csv and
 * profiles */
int kb_flow_planar(const kb_flow_settings *set, kb_error *err);

#endif
