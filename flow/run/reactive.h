/* SPDX-License-Identifier: MIT
 *
 * Cases in the gas of a mechanism.
 */
#pragma once

#include "flow/gas/detonation.h"
#include "flow/run/flow.h"

/* a planar detonation that runs to the right from its ZND profile */
typedef struct {
    kb_detonation d;
    kb_znd zone;
    double D;      /* of the shock at the start [m/s] */
    double shock;  /* its place at the start [m] */
    double height; /* of the domain [m]; 0: one dimension. The front starts wavy over it. */
    const double *Y; /* unburnt */
    int nsp;
} kb_flow_znd_start;

/* c, whose mesh, edges and names are set: on a length [m], from start (whose d, zone, D, Y, nsp and
 * height are set) */
void kb_flow_detonation_case(kb_flow_case *c, const kb_flow_znd_start *start, double length,
                             double end);

/* start, and what of c is not in its file, of a mixture Y [nspecies] at T [K], p [Pa]; length 0:
 * 130 induction lengths, height 0: one dimension, end 0: until the front has gone through 93 % of
 * what lies ahead. start->zone is to be freed. */
int kb_flow_detonation_open(kb_flow_case *c, kb_flow_znd_start *start, const kb_mech *m,
                            const kb_solvers *s, const double *Y, double T, double p, double length,
                            double height, double end, kb_error *err);

/* x where the pressure rises through level, from the right, between the centres of two cells, mean
 * of all rows; NAN: one has none. peak: the largest pressure */
double kb_flow_front(const kb_flow *f, double level, double *peak);

/* samples of a front: sums for the line through (t, x), and the pressures of its peak */
typedef struct {
    long n;
    double t, x, tt, tx, peak, low, high;
} kb_flow_track;

void kb_flow_track_add(kb_flow_track *r, double t, double x, double peak);
double kb_flow_track_speed(const kb_flow_track *r); /* slope of that line; two samples at least */
