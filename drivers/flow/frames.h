/* SPDX-License-Identifier: MIT
 *
 * Fields over time as a VTKHDF file (FOLDER/NAME.vtkhdf, temporal ImageData: ParaView 5.12 and
 * later, h5py) with a description beside it (NAME.xdmf: VisIt, older ParaView).
 */
#ifndef KB_FLOW_FRAMES_H
#define KB_FLOW_FRAMES_H

#include "flow/flow.h"

typedef struct {
    char *path;  /* without ending; NULL: nothing is written */
    int count;   /* frames, the start among them */
    double end;
} kb_flow_frames;

/* count 0: none. KB_INVALID when this build has no HDF5 */
int kb_flow_frames_open(kb_flow_frames *r, const char *folder, const char *name, int count,
                        double end, kb_error *err);
/* the time at which the next frame is due; INFINITY: no more */
double kb_flow_frames_next(const kb_flow_frames *r, double t);
/* Writes the frame of f's time where one is due; it takes the place of what an interrupted run has
 * left there. The file is whole after each frame. */
int kb_flow_frames_write(const kb_flow_frames *r, const kb_flow *f, kb_error *err);
void kb_flow_frames_close(kb_flow_frames *r);

#endif
