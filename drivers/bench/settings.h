/* SPDX-License-Identifier: MIT
 *
 * Command line of bench. Lists stay text here; cells.c reads them.
 */
#pragma once

#include <stdbool.h>

#include "base/arguments.h"
#include "drivers/bench/chain.h"
#include "drivers/ranks/distribution.h"
#include "solvers/solver.h"

#define KB_MOST_ALSO 8

typedef struct {
    const char *mech, *db; /* name, .so or file of a mechanism; .npy */
    const char *mech_file; /* NULL, or the file of mech for the engines of any mechanism */
    const char *n, *dt, *solvers, *engines, *schedules, *orders, *rtol, *atol, *threads, *blocks;
    const char *species; /* of the database's columns; NULL: as recorded beside it */
    const char *price;   /* "", or CPU,GPU */
    const char *sample;  /* name of a selection (pasr/database/selection.h) */
    const char *out, *run, *references; /* folders; NULL: chosen by record.c */
    const char *reference; /* a solver with its options; NULL: CVODE */
    const char *label; /* NULL, or what the chosen name of the run begins with */
    kb_reactor reactor;
    unsigned long long seed;
    int repeats;
    int steps;         /* global steps, one after another */
    double tau_mix;    /* [s] of the transport between global steps; 0: none */
    const char *forcing; /* NULL, or a file (drivers/bench/forcing.h) */
    kb_chain chain;    /* where a GPU engine's states are between them */
    long max_substeps; /* 0: the engine's default */
    double budget;     /* [s] for one cell */
    double energy;     /* [s] of the runs whose energy is measured; 0: it is not */
    double precision;  /* of the median, 0.02; 0: `repeats` samples */
    bool plan, list, columns, quiet, brief, table, json, write_cost, repair;
    const char *also[KB_MOST_ALSO]; /* more cells: "solvers=rodas4 engines=all" */
    int nalso;
    char *command;     /* the full command line */
    kb_deal deal;      /* of a batch over MPI ranks */
    int ranks;         /* 1 without */
    kb_words plugins;  /* files among the solvers (solvers/plugins.h) */
} kb_settings;

/* Reads the command line; ends the program for --help and for wrong use (code KB_INVALID). */
void kb_settings_parse(kb_settings *set, int argc, char **argv);

/* The settings of set->also[i]: those of set but for the lists it names. *words holds their text;
 * the caller frees it after *part. */
int kb_settings_also(const kb_settings *set, int i, kb_settings *part, char **words, kb_error *err);
