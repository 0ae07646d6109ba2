/* SPDX-License-Identifier: MIT
 *
 * Runs of flow that are written down every few minutes and when they are interrupted; the same
 * command then continues.
 */
#pragma once

#include "drivers/flow/settings.h"
#include "flow/run/checkpoint.h"

typedef struct {
    const char *folder;
    char *path, *what;
    double interval, last; /* [s] */
    double spent, begin;   /* seconds before this program's part, and when that began */
    void *more;            /* [size] of the caller */
    size_t size;
} kb_flow_resume;

/* Before the first step: takes the run over from its file, where there is one. gas: the sha256 of
 * the mechanism, text: the solver of the chemistry; or both "". */
int kb_flow_resume_open(kb_flow_resume *r, const kb_flow_settings *set, const char *folder,
                        kb_flow *f, const char *gas, const char *text, void *more, size_t size,
                        kb_error *err);
/* After each step: writes the run when it is time, or when code is KB_INTERRUPTED; returns code */
int kb_flow_resume_step(kb_flow_resume *r, const kb_flow *f, int code, kb_error *err);
/* seconds spent on the run, by all programs that took part */
double kb_flow_resume_seconds(const kb_flow_resume *r);
/* After the run: writes it where code is KB_INTERRUPTED, and frees r; returns code */
int kb_flow_resume_close(kb_flow_resume *r, const kb_flow *f, int code, kb_error *err);
/* the files of a folder, once all its runs are done */
void kb_flow_resume_drop(const char *folder);
