/* SPDX-License-Identifier: MIT
 *
 * A reaction mechanism as read from a CHEMKIN or a Cantera YAML file.
 * Units everywhere: kmol, m, kg, s, J, K, Pa.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include "base/error.h"

#define KB_R 8314.46261815324 /* gas constant [J/(kmol K)], CODATA 2018 */
#define KB_ATM 101325.0       /* [Pa]; also the standard pressure of CHEMKIN thermo data */
#define KB_CAL 4.184          /* thermochemical calorie [J] */
#define KB_MAX_ELEMENTS 16

typedef struct {
    char name[8];
    double weight; /* [kg/kmol] */
} kb_element;

/* NASA-7 also holds constant cp; NASA-9: McBride, Zehe and Gordon, NASA/TP-2002-211556, eq. 1-3;
 * Shomate: NIST Chemistry WebBook, SRD 69. Between two ranges the lower one holds, of NASA-9 the
 * upper one, as in Cantera. */
typedef enum { KB_NASA7, KB_NASA9, KB_SHOMATE } kb_thermo_model;

typedef struct {
    char *name;
    double atoms[KB_MAX_ELEMENTS]; /* by index into kb_mech.elements */
    double weight;                 /* [kg/kmol] */
    kb_thermo_model model;
    double Tlow, Tmid, Thigh;      /* validity of the two ranges [K] */
    double lo[7], hi[7];           /* NASA-7 a1..a7 below and above Tmid */
    int nranges;                   /* other models: T_ends [nranges + 1] [K], and nine ... */
    double *T_ends, *coef;         /* ... coefficients of each (Shomate: seven, J, mol, 1000 K) */
    double p_ref;                  /* standard pressure of the entropy [Pa] */
    const char *file;              /* where its thermo data stand */
    int line;
} kb_species;

/* k = A T^b exp(-theta / T); A in kmol, m, s; theta = E/R in K */
typedef struct {
    double A, b, theta;
} kb_arrhenius;

/* a species with its coefficient: stoichiometric, reaction order or collision efficiency */
typedef struct {
    int species;
    double value;
} kb_term;

typedef enum {
    KB_ELEMENTARY,   /* k = kf */
    KB_THREE_BODY,   /* rate x [M] */
    KB_FALLOFF,      /* k = kf Pr/(1+Pr) F, Pr = low [M]/kf */
    KB_ACTIVATED,    /* chemically activated: k = low/(1+Pr) F, Pr = low [M]/kf */
    KB_PLOG,         /* ln k linear in ln p between tabulated pressures */
    KB_CHEBYSHEV,    /* log10 k as a Chebyshev series in 1/T and log10 p */
    KB_LINEAR_BURKE  /* linear mixture rule of rates in one collider each */
} kb_rate_type;

typedef enum { KB_LINDEMANN, KB_TROE, KB_SRI, KB_TSANG } kb_blending;

typedef struct {
    double p; /* [Pa]; ascending; several entries at one pressure are summed */
    kb_arrhenius k;
} kb_plog_point;

typedef struct {
    double Tmin, Tmax, pmin, pmax; /* [K], [Pa] */
    int nT, np;
    double *coef; /* nT x np, row major; log10 of k in kmol, m, s (the unit is in coef[0]) */
} kb_chebyshev;

typedef struct kb_burke kb_burke;

typedef struct {
    kb_rate_type type;
    bool reversible, duplicate;
    bool no_forward, no_reverse; /* left out, since species in steady state couple nonlinearly */
    kb_term *reactants, *products; /* as written; one species appears once on each side */
    int nreactants, nproducts;
    kb_term *forward_orders; /* complete list when FORD (or YAML orders) is given, else NULL: */
    kb_term *reverse_orders; /* orders are then the stoichiometric coefficients. RORD likewise */
    int nforward_orders, nreverse_orders;
    kb_arrhenius kf;  /* elementary, three-body: the rate; falloff, activated: the high limit */
    kb_arrhenius low; /* falloff, activated: the low limit */
    bool has_reverse; /* explicit reverse rate (REV); kr.A may be 0 (one-way in effect) */
    kb_arrhenius kr;
    int collider;           /* three-body, falloff, activated: -1 for M, else one species */
    kb_term *efficiencies;  /* when collider is -1: species other than the default */
    int nefficiencies;
    double default_efficiency; /* 1 unless YAML says otherwise */
    kb_blending blending;
    int nblend;      /* Troe: 3, 4 (alpha, T***, T*, T**); SRI: 3, 5 (a, b, c, d, e); Tsang: 2 */
    double blend[5];
    kb_plog_point *plog;
    int nplog;
    kb_chebyshev cheb;
    bool blowers_masel; /* kf.theta is E0/R: E follows the heat of reaction */
    double bond;        /* of these: w/R, the mean of the bonds' energies [K] */
    kb_burke *colliders; /* linear-Burke: the first is M, whose efficiency is 1 */
    int ncolliders;
    const char *file;
    int line;
} kb_reaction;

/* One collider: k = sum of k_i(p eps/eps_i) eps_i X_i/eps, eps = sum of eps_i X_i */
struct kb_burke {
    int species;      /* -1: M, all that are not named */
    kb_arrhenius eps; /* its efficiency over that of M */
    bool own;         /* else M's rate serves, at p eps */
    kb_reaction rate; /* PLOG, Chebyshev or fall-off in Troe's form; nothing else of it is filled */
};

/* Of a reaction with M and its like with one collider that M counts, too (explicit-third-body-
 * duplicates of Cantera): warn, refuse, take both, or take the collider out of M */
typedef enum { KB_OVERLAP_WARN, KB_OVERLAP_ERROR, KB_OVERLAP_BOTH, KB_OVERLAP_MODIFY } kb_overlap;
extern const char *const kb_overlap_names[4];

typedef struct {
    char *name;        /* file name without folder and ending, or the name of the YAML phase */
    char *description; /* citation and terms; may be "" */
    char sha256[65];   /* of the canonical YAML text without name and description */
    kb_element elements[KB_MAX_ELEMENTS];
    int nelements;
    kb_species *species; /* [nspecies + nsteady] */
    int nspecies;        /* of the state */
    int nsteady;         /* in steady state, behind the others (steady.h) */
    bool drop_nonlinear; /* as these are given */
    kb_reaction *reactions;
    int nreactions;
    kb_overlap overlap;
    char **warnings; /* each one complete message with file and line */
    const char **kinds; /* of each: its format, the same for all of a kind */
    int nwarnings;
    char **files; /* names that file pointers refer to */
    int nfiles;
} kb_mech;

/* Reads a mechanism: a Cantera YAML file (ends in .yaml or .yml) or a CHEMKIN file with an optional
 * separate thermo file (NULL: thermo inside the mechanism). Checks it (check.h) and fills sha256.
 * Returns KB_OK or KB_INVALID with a message; on failure *m is freed and zero. */
int kb_mech_load(kb_mech *m, const char *path, const char *thermo, kb_error *err);
/* Warnings, one of a kind and how many more there are, the gravest kinds first; kinds of at most
 * `each` warnings are printed whole. most > 0: at most that many lines, and how many more. */
void kb_warnings_print(FILE *f, const kb_mech *m, const char *head, int each, int most);
void kb_warnings_tell(const kb_mech *m); /* the worst three kinds, on stderr */

void kb_mech_free(kb_mech *m);

/* The two readers behind kb_mech_load, without checks and hash. */
int kb_chemkin_read(kb_mech *m, const char *path, const char *thermo, kb_error *err);
int kb_yaml_read(kb_mech *m, const char *path, kb_error *err);

/* Writes canonical YAML that Cantera reads; numbers in cm, mol, cal as shortest decimals that read
 * back to the same double. head = false leaves out name, description and the generator line. */
int kb_yaml_write(const kb_mech *m, const char *path, kb_error *err);
char *kb_yaml_text(const kb_mech *m, bool head); /* caller frees */

/* Helpers shared by the readers (mech.c) */
void kb_species_free(kb_species *s); /* what it points to */
void kb_reaction_free(kb_reaction *r);
kb_species kb_species_copy(kb_species s); /* with lists and name of its own */
kb_reaction kb_reaction_copy(kb_reaction r);
int kb_find_species(const kb_mech *m, const char *name); /* index, or -1; case matters */
int kb_find_element(const kb_mech *m, const char *name); /* index, or -1; case ignored */
double kb_element_weight(const char *symbol); /* [kg/kmol]; IUPAC, as Cantera 3.x; 0: unknown */
const char *kb_element_symbol(const char *symbol); /* as usually written: "Ar" for "AR"; or NULL */
const char *kb_add_file(kb_mech *m, const char *path); /* returns the stored name */
/* format: a literal. One that begins with "!" says that something counts otherwise than the file
 * may mean it: these come first where warnings are printed (warnings.c). */
void kb_add_warning(kb_mech *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A from cm, mol, s to m, kmol, s for a rate coefficient of this reaction order; E from cal/mol to
 * the temperature E/R [K]. Every reader converts by these: equal input gives equal doubles. */
double kb_A_to_SI(double A, double order);
double kb_theta_from_cal(double E);
double kb_forward_order(const kb_reaction *r); /* sum of its orders, third body aside */
double kb_reverse_order(const kb_reaction *r);

/* How a file names the broadening of a falloff reaction and its parameters, the first `least` of
 * which must be there; by kb_blending, NULL for that of Lindemann */
typedef struct {
    const char *name, *keys[5];
    int least, most;
} kb_blend_form;
extern const kb_blend_form kb_blend_forms[];

/* "2 OH + CO (+M) <=> ..." as written by this project; caller frees */
char *kb_equation(const kb_mech *m, const kb_reaction *r);
