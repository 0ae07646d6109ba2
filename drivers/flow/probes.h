/* SPDX-License-Identifier: MIT
 *
 * States at a user's points after each step, in FOLDER/probes-NAME.csv.
 */
#pragma once

#include <stdio.h>

#include "drivers/flow/case_file.h"

typedef struct {
    const kb_flow_case_file *of;
    FILE *to; /* NULL: no probes, or another rank writes */
    char *path;
} kb_flow_probes;

/* of NULL: none. A run that goes on keeps the rows of its steps so far. The probes are at the
 * centres of the cells that they lie in. */
int kb_flow_probes_open(kb_flow_probes *p, const kb_flow_case_file *of, const kb_flow *f,
                        const char *folder, const char *name, kb_error *err);
/* after a step; on all ranks */
void kb_flow_probes_add(kb_flow_probes *p, const kb_flow *f);
/* Error: rows that could not be written */
int kb_flow_probes_close(kb_flow_probes *p, kb_error *err);
