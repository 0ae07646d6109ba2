/* SPDX-License-Identifier: MIT
 *
 * Command line of kernels.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    const char *mech, *db, *m, *n, *segments, *kernels, *out, *run;
    double gamma, budget;
    long distinct;
    int repeats, block;
    bool quiet;
    char *command; /* the full command line */
} kb_kernel_settings;

/* Reads the command line; ends the program for --help and for wrong use (code KB_INVALID). */
void kb_kernel_settings_parse(kb_kernel_settings *set, int argc, char **argv);
