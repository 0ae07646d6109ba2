/* SPDX-License-Identifier: MIT
 *
 * What flow writes into its folder.
 */
#pragma once

#include "base/csv.h"
#include "flow/run/flow.h"

/* Makes the folder, and those that it lies in. */
int kb_flow_make_folder(const char *folder, kb_error *err);
/* FOLDER/NAME.csv */
int kb_flow_write_table(const kb_csv *rows, const char *folder, const char *name, kb_error *err);
/* columns beside the fields of a profile, of a value for each cell along x; NAN: none */
typedef struct {
    int count;
    char **name;
    double **value;
} kb_flow_beside;
void kb_flow_beside_free(kb_flow_beside *b);
/* One dimension: FOLDER/profile-NAME.csv with x, density, velocity, pressure and, where it is
 * known, the exact density (reference: from a finer run, or NULL), and what is beside (or NULL). */
int kb_flow_write_profile(const kb_flow *f, const kb_flow *reference, const kb_flow_beside *beside,
                          const char *folder, const char *name, kb_error *err);
/* Two dimensions: FOLDER/NAME-{density,pressure,u,v,temperature}.npy and, of a case with a foil,
 * NAME-foil.npy, row by row from the bottom; NaN in solid cells; and NAME.txt with nx, ny and the
 * domain for plots/flow.gp */
int kb_flow_write_fields(const kb_flow *f, const char *folder, const char *name, kb_error *err);
