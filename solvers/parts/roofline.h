/* SPDX-License-Identifier: MIT
 *
 * The parts of an attempt on their own: their times on the GPU engines, what they do, and what the
 * hardware can do at most. One library a mechanism, build/mech/<name>/roofline.so, with one
 * exported symbol.
 */
#pragma once

#include <stdbool.h>
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* rates: the right-hand side; jacobian: with it; LU of the Newton matrix; solve: one */
enum { KB_PART_RATES, KB_PART_JACOBIAN, KB_PART_LU, KB_PART_SOLVE, KB_PARTS };
#define KB_PART_NAMES                                                                              \
    {                                                                                              \
        "rates", "rates+J", "LU", "solve"                                                          \
    }

/* What one ODE's part does, on one lane, counted while it is done (count.cc). An exponential, a
 * logarithm and a square root count as the multiplications and additions of an expansion to full
 * accuracy (count.cc), a division as its Newton steps. */
typedef struct {
    double flops; /* additions and multiplications */
    double words; /* numbers read and written in arrays, at least; 0: all are in registers */
} kb_part_work;

typedef struct {
    const char *engine;
    int team, lanes; /* threads of a team, ODEs on it */
    bool straight;   /* straight-line code */
    bool floats;     /* the matrix is in floats */
    /* seconds [KB_PARTS] for one of n ODEs, states [n x (nsp + 2)] T, p, Y; KB_NOTHING: no GPU, or
     * the mechanism is too large */
    int (*time)(const double *states, long n, double *seconds, kb_error *err);
} kb_part_engine;

/* of the device, measured by loops that do nothing else; and what it says of itself */
typedef struct {
    char name[64];
    double flops;  /* double precision, additions and multiplications [1/s] */
    double tensor; /* the same on its tensor cores; without them as flops */
    double floats; /* single precision */
    double shared; /* shared memory, all multiprocessors [B/s] */
    double issue;  /* instructions of warps [1/s] */
    double memory; /* [B/s] by its clock and width */
    int multiprocessors, clock_MHz, memory_clock_MHz, bus_bits, registers, shared_bytes, L2_bytes,
        major, minor;
} kb_limits;

typedef struct {
    int version; /* KB_ROOFLINE_VERSION */
    const char *mech, *sha256;
    int nsp, nengines;
    const kb_part_engine *const *engines;
    void (*count)(const double *state, kb_part_work *work); /* of one state: work [KB_PARTS] */
    /* of straight-line code; NULL: the mechanism is too large */
    void (*count_straight)(const double *state, kb_part_work *work);
    double (*core)(void); /* flops of one CPU core with its widest lanes [1/s] */
    int (*device)(kb_limits *limits, kb_error *err); /* NULL: built without CUDA */
} kb_roofline;

#define KB_ROOFLINE_VERSION 2
const kb_roofline *kb_roofline_get(void);

#ifdef __cplusplus
}
#endif
