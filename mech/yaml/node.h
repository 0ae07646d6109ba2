/* SPDX-License-Identifier: MIT
 *
 * Inside the YAML reader: a thin layer over libyaml's document tree. Scalars are always text here,
 * so the species NO, N, Y and ON never turn into booleans. Functions that can fail return KB_OK or
 * KB_INVALID with a message that names the file and the line.
 */
#pragma once

#include <yaml.h>
#include "mech/mech.h"
#include "mech/names.h"

/* what one unit of a plain number is worth; changed by `units` blocks on the way down the tree */
typedef struct {
    double length, quantity, time, energy, pressure; /* [m, kmol, s, J, Pa] */
    double Ea;     /* activation energy [J/kmol]; 0: it is a temperature [K] */
    bool Ea_given; /* otherwise Ea follows energy and quantity */
} kb_units;

typedef struct {
    yaml_document_t doc;
    const yaml_node_t *root;
    const char *file; /* as stored in the mechanism */
    kb_mech *m;
    kb_error *err;
    kb_names *names;
    bool any_element;    /* the phase lists no elements: those of its species join it */
    bool skip_elements;  /* skip-undeclared-elements of the phase */
    bool skip_colliders; /* skip-undeclared-third-bodies */
    bool skip_reactions; /* reactions: declared-species */
} kb_yaml;

/* Composes the first document of a file (compose.c); its root is a mapping whose keys are known. */
int kb_yaml_open(kb_yaml *y, const char *path);
void kb_yaml_close(kb_yaml *y);
int kb_yaml_fail(const kb_yaml *y, const yaml_node_t *node, const char *word, const char *hint,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Length of a sequence or mapping; 0 for anything else and for NULL. */
int kb_yaml_count(const yaml_node_t *node);
yaml_node_t *kb_yaml_item(kb_yaml *y, const yaml_node_t *sequence, int i);
yaml_node_t *kb_yaml_key(kb_yaml *y, const yaml_node_t *mapping, int i);
yaml_node_t *kb_yaml_value(kb_yaml *y, const yaml_node_t *mapping, int i);
/* NULL when the key is not there or the node is no mapping */
yaml_node_t *kb_yaml_get(kb_yaml *y, const yaml_node_t *mapping, const char *key);

bool kb_yaml_is(const yaml_node_t *node, yaml_node_type_t type); /* false for NULL */
const char *kb_yaml_scalar(const yaml_node_t *node);             /* NULL when it is none */
/* A name: no blanks, no control characters. NULL: it is none. */
const char *kb_yaml_name(const yaml_node_t *node);
int kb_yaml_number(kb_yaml *y, const yaml_node_t *node, const char *what, double *out);
int kb_yaml_flag(kb_yaml *y, const yaml_node_t *mapping, const char *key, bool *out);

/* Units (units.c). A value may carry its own unit: `1.0 cm^3/mol/s`. */
kb_units kb_units_si(void);
int kb_yaml_units(kb_yaml *y, const yaml_node_t *mapping, kb_units *u); /* its `units` block */
int kb_yaml_pressure(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double *p);
int kb_yaml_kelvin(kb_yaml *y, const yaml_node_t *node, double *T);
/* J/kmol, or J/(kmol K) when per_kelvin */
int kb_yaml_molar(kb_yaml *y, const yaml_node_t *node, const kb_units *u, bool per_kelvin,
                  double *x);
int kb_yaml_theta(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double *theta);
/* order: of the whole reaction, so that A is in (m^3/kmol)^(order-1)/s */
int kb_yaml_prefactor(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                      double *A);
/* log10 of the SI value of 1 (length^3/quantity)^(order-1)/time in these units */
double kb_units_log10(const kb_units *u, double order);

/* Keys (keys.c). Lists are words between bars: "name|composition|thermo". */
typedef struct {
    const char *what;    /* for messages: "species" */
    const char *known;   /* read */
    const char *noted;   /* kept out of the calculation, as in Cantera; may be NULL */
    const char *refused; /* would change the result; may be NULL */
    const char *hint;    /* for these */
    bool closed;         /* any other key is an error, not a warning */
} kb_yaml_keys;

/* nodes [n], which are sorted by their text: KB_INVALID where two scalars are the same; format
 * takes the line of the first of them */
int kb_yaml_check_twins(const kb_yaml *y, const yaml_node_t **nodes, int n, const char *format)
    __attribute__((format(printf, 4, 0)));
bool kb_yaml_in(const char *word, const char *list);
/* KB_INVALID at a key that is refused or near a known one; other unknown keys are warnings */
int kb_yaml_check_key(kb_yaml *y, const yaml_node_t *key, const kb_yaml_keys *keys);
int kb_yaml_check_keys(kb_yaml *y, const yaml_node_t *mapping, const kb_yaml_keys *keys);

/* A section by its name: a list of this file, or for "file.yaml/section" of another one. *from: the
 * file that holds it, for kb_yaml_leave. where: for messages. NULL: failed (source.c). */
const yaml_node_t *kb_yaml_section(kb_yaml *y, const yaml_node_t *where, const char *name,
                                   kb_yaml *from);
void kb_yaml_leave(const kb_yaml *y, kb_yaml *from);
/* the first item of a list when it is {units: ...}, which *u takes; *first: where items begin */
int kb_yaml_list_units(kb_yaml *y, const yaml_node_t *list, kb_units *u, int *first);

/* Elements, species and their thermo data, reactions: each in a file of that name */
int kb_yaml_elements(kb_yaml *y, const yaml_node_t *phase);
int kb_yaml_add_element(kb_yaml *y, const yaml_node_t *node); /* one of standard weight */
int kb_yaml_element(const kb_yaml *y, const char *symbol); /* index or -1; case matters */
int kb_yaml_species(kb_yaml *y, const yaml_node_t *phase);
int kb_yaml_thermo(kb_yaml *y, const yaml_node_t *species, const kb_units *u, kb_species *s);
int kb_yaml_reactions(kb_yaml *y, const yaml_node_t *phase);
int kb_yaml_find(const kb_yaml *y, const char *name); /* a species, or -1 */

/* Equation (equation.c): fills reactants, products, reversible and collider. */
typedef enum { KB_NO_COLLIDER, KB_PLAIN_M, KB_PAREN } kb_equation_kind;
int kb_yaml_equation(kb_yaml *y, const yaml_node_t *node, kb_reaction *r, kb_equation_kind *kind,
                     bool *undeclared);

/* Collider, efficiencies and final type, after the equation (third_body.c) */
int kb_yaml_third_body(kb_yaml *y, const yaml_node_t *node, kb_equation_kind kind, kb_reaction *r);

/* Rate parameters by the type that is already in r (rate.c); n: the forward order */
int kb_yaml_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_reaction *r);
int kb_yaml_rate_of(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                    kb_reaction *r);
/* known: keys that may stand in the mapping; what names it in messages */
int kb_yaml_arrhenius(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                      const char *known, const char *what, kb_arrhenius *k);
/* colliders of a linear-Burke reaction (burke.c) */
int kb_yaml_burke(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n, kb_reaction *r);
