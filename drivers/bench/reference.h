/* SPDX-License-Identifier: MIT
 *
 * Reference solutions: CVODE on cpu-scalar at rtol 1e-12 and atol 1e-22, or another solver at its
 * tolerances, one for each distinct state of the rows that are run, in the sequence in which they
 * come there. They are stored as
 * <folder>/<hash>.npy (states x (nsp + 1): T [K], Y) with <hash>.json beside it, the hash standing
 * for mechanism, database, sample, dt, steps and reactor, and are extended when more rows are
 * needed. Global steps one after another are so for the reference too: each is started cold.
 */
#pragma once

#include "base/arguments.h"
#include "base/progress.h"
#include "drivers/bench/mix.h"
#include "pasr/database/distinct.h"
#include "solvers/options.h"
#include "solvers/solver.h"

/* of the CVODE that makes reference solutions */
static inline const char *kb_reference_engine(bool forced)
{
    return forced ? "cpu-scalar-forced" : "cpu-scalar";
}

#define KB_REFERENCE_RTOL 1e-12
#define KB_REFERENCE_ATOL 1e-22

/* What makes them */
typedef struct {
    const kb_solver *solver;
    kb_choice choice;
    char *identity; /* of another solver than CVODE with all that it is made of; "" */
} kb_reference_maker;

typedef struct {
    const kb_solvers *solvers;
    const kb_reference_maker *maker;
    const kb_database *db;
    const long *row; /* rows of db, as many as are run */
    const char *sample; /* which they are: "even, seed 1" */
    const kb_distinct *distinct; /* of them */
    int steps;
    const kb_mix *mix; /* between them, or NULL */
    bool forced;       /* db has the forcing, too (drivers/bench/forcing.h) */
    const char *folder, *git;
    kb_reactor reactor;
    kb_progress *progress;
} kb_reference_source;

typedef struct {
    double dt;
    long states;        /* distinct states solved */
    double *y;          /* states x (nsp + 1); NaN where the reference itself failed */
    char hash[65];      /* sha256 of the file as stored; "": none */
    const long *number; /* index into kb_reference_source.row -> row of y */
} kb_reference;

/* spec: "name:option=value...", NULL: CVODE. plugins: files among the solvers. Error: no such
 * solver or option */
int kb_reference_maker_find(kb_reference_maker *m, const kb_solvers *s, const char *spec,
                            bool forced, const kb_words *plugins, kb_error *err);
void kb_reference_maker_free(kb_reference_maker *m);

/* n rows of db: row[place[i]], or row[i] without place; in the solvers' memory */
double *kb_rows_gather(const kb_solvers *s, const kb_database *db, const long *row,
                       const long *place, long n);

/* At least the first `rows` rows at dt, read or computed; saved every so often, so that an
 * interrupted computation continues. Returns KB_OK, KB_INTERRUPTED (what is done is stored) or
 * KB_INVALID. */
int kb_reference_get(kb_reference *r, const kb_reference_source *source, double dt, long rows,
                     kb_error *err);

/* Distinct states among the first `rows` rows whose solution at dt is not stored yet; reads only */
long kb_reference_missing(const kb_reference_source *source, double dt, long rows);
