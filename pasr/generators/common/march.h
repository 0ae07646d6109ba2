/* SPDX-License-Identifier: MIT
 *
 * Generators that go from step to step: the loop, and the checkpoints that an interrupted or killed
 * run leaves beside its database, so that the same command continues to the same bytes.
 */
#pragma once

#include <sha2.h>

#include "pasr/database/recipe.h"
#include "pasr/generators/common/react.h"

typedef struct {
    int threads;              /* 0: all */
    const volatile int *stop; /* NULL: none */
    const char *path;         /* of the database; checkpoints stand beside it. NULL: none */
    long checkpoint;          /* steps between checkpoints; 0: only when interrupted */
    void (*progress)(void *data, long step, long steps);
    void *data;
} kb_march_how;

/* The beginning of a generator's state. The state is one block of memory that has all that a step
 * changes; the generator's own part comes after this. */
typedef struct {
    int64_t step;       /* the last one done; within kb_march.step the one that it does */
    kb_reacted reacted; /* in them */
} kb_march_clock;

/* an array of kept rows: [groups][times][rows][columns] */
typedef struct {
    double *at; /* NULL: none */
    int columns;
} kb_kept_rows;
#define KB_KEPT_ARRAYS 2

typedef struct {
    const kb_march_how *how;
    void *work;                             /* the generator */
    int (*step)(void *work, kb_error *err);
    void (*keep)(void *work, long k);       /* the state now as kept time k */
    long steps, first, every;               /* kept: steps first, first + every ... */
    long groups, times, rows;               /* of what is kept; a group is a condition */
    kb_kept_rows kept[KB_KEPT_ARRAYS];
    size_t size;                            /* of the state in bytes */
    char *state, *before;                   /* now, and at the start of the step */
    kb_march_clock *clock;                  /* in state */
    char hash[65];                          /* of recipe, mechanism and solvers */
    bool resumed;
    long written;                           /* kept times that the checkpoint's file has */
    SHA2_CTX kept_hash;                     /* of these */
} kb_march;

/* A state with `more` zero bytes after its clock, and where they begin; kb_march_free frees it. */
char *kb_march_state(kb_march *m, size_t more);
void kb_march_free(kb_march *m);

/* Looks for a checkpoint of this recipe and these solvers beside how->path: resumed says whether
 * state and kept rows come from one. One that does not fit is refused. */
int kb_march_resume(kb_march *m, const kb_recipe_form *form, const void *recipe,
                    const kb_solvers *s, kb_error *err);

/* After kb_march_resume: on to the last step. KB_INTERRUPTED: *how->stop was set; the checkpoint
 * holds all that was done. */
int kb_march_run(kb_march *m, kb_error *err);

/* times kept up to and with the current step */
long kb_march_kept(const kb_march *m);

/* checkpoint.c: the files beside how->path */
int kb_checkpoint_write(kb_march *m, kb_error *err);
int kb_checkpoint_read(kb_march *m, kb_error *err);
void kb_checkpoint_drop(const char *path); /* once the database is whole */
