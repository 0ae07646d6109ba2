/* SPDX-License-Identifier: MIT
 *
 * Databases from a linear-eddy counter-flow (LEM-CF): many independent turbulent diffusion flames,
 * each on a line between a fuel stream (left) and an oxidiser stream (right). Stone and Niemeyer
 * (2014) name the model, about 300 cells and many fuel-oxidiser conditions; what they leave open is
 * chosen here (docs/databases.md). Model: Kerstein, Combust. Sci. Technol. 60 (1988) 391.
 *
 * All cells hold the same mass for each area of the line, so that lengths are those at the density
 * of the oxidiser stream. One global step: eddies (triplet maps), strain, diffusion, reaction; the
 * states before the reaction are the database, in the order simulation, time, cell.
 */
#pragma once

#include "base/random.h"
#include "pasr/generators/common/march.h"

#define KB_LEM_VERSION 1 /* changes when the same recipe would give other bytes */

typedef struct {
    char *mech, *thermo;              /* name or file; NULL or a CHEMKIN thermo file */
    char *fuel, *oxidizer, *diluent;  /* moles */
    /* each simulation draws one value of each list */
    kb_axis T_fuel, T_oxidizer, p;    /* [K], [K], [atm] */
    kb_axis dilution;                 /* mole fraction of diluent in the fuel stream */
    kb_axis strain, u, length;        /* [1/s]; u' [m/s]; integral scale [mm] */
    long simulations, cells;
    double domain;                    /* length of the line in laminar widths sqrt(2 D/strain) */
    double dt;                        /* global step [s] */
    long steps, every;                /* the first and each every-th step after it are kept */
    long seed;
    double rtol, atol;                /* of the reaction step */
} kb_lem;

extern const kb_recipe_form kb_lem_form;
void kb_lem_defaults(kb_lem *r); /* gri30, CH4 and N2 against air, 16 simulations of 300 cells */

/* Eddies of one line: sizes l between eta and the integral scale with the density
 * f(l) = (5/3) l^(-8/3) / (eta^(-5/3) - L^(-5/3)), as many as give the turbulent diffusivity
 * D_t = u' L / 15 (Kerstein 1991; Smith and Menon, Combust. Sci. Technol. 128 (1997) 99). */
typedef struct {
    double eta, L;    /* smallest and largest [m] */
    double diffusivity; /* D_t [m^2/s] */
    double rate;      /* events [1/(m s)]; 0: laminar */
} kb_eddies;

/* nu [m^2/s]; eta = 10.76 L Re^(-3/4), Re = u' L/nu, but not less than six cells; no eddies if that
 * is L or more */
kb_eddies kb_eddies_of(double u, double L, double nu, double cell);
double kb_eddy_size(const kb_eddies *e, kb_random *random); /* [m] */

/* Rows first ... first + 3k - 1 of cells [. x columns] in the order of a triplet map: every third
 * one, then every third one backwards, then the last third. work [3k x columns] is scratch. */
void kb_triplet_map(double *cells, int columns, long first, long k, double *work);

/* fills out */
int kb_lem_run(const kb_lem *r, const kb_mech *m, const kb_solvers *s, const kb_march_how *how,
               kb_output *out, kb_error *err);
