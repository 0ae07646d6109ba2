/* SPDX-License-Identifier: MIT
 *
 * Fields over time as a VTKHDF file (FOLDER/NAME.vtkhdf, temporal ImageData: ParaView 5.12 and
 * later, h5py) with a description beside it (NAME.xdmf: VisIt, older ParaView), which reads each
 * frame as a data set of its own.
 */
#pragma once

#include "flow/run/flow.h"

/* Runs f to its end, from frame to frame: count of them, evenly in time, the start among them, into
 * folder/name.vtkhdf; 0: none. A frame takes the place of what an interrupted run has left there.
 * The file is whole after each. watch as kb_flow_run. Errors: KB_INVALID when this build has no
 * HDF5, or where the file cannot be written. */
int kb_flow_run_frames(kb_flow *f, const char *folder, const char *name, int count,
                       int (*watch)(void *data, const kb_flow *f, kb_error *err), void *data,
                       kb_error *err);
