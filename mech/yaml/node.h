/* SPDX-License-Identifier: MIT
 *
 * Inside the YAML reader: a thin layer over libyaml's document tree. Scalars are always text here,
 * so the species NO, N, Y and ON never turn into booleans. Functions that can fail return KB_OK or
 * KB_INVALID with a message that names the file and the line.
 */
#ifndef KB_YAML_NODE_H
#define KB_YAML_NODE_H

#include <yaml.h>
#include "mech/mech.h"

/* what one unit of a plain number is worth; changed by `units` blocks on the way down the tree */
typedef struct {
    double length, quantity, time, energy, pressure; /* [m, kmol, s, J, Pa] */
    double Ea;     /* activation energy [J/kmol]; 0: it is a temperature [K] */
    bool Ea_given; /* otherwise Ea follows energy and quantity */
} kb_units;

typedef struct {
    yaml_document_t doc;
    const char *file; /* as stored in the mechanism */
    kb_mech *m;
    kb_error *err;
    bool skip_elements;  /* skip-undeclared-elements of the phase */
    bool skip_colliders; /* skip-undeclared-third-bodies */
    bool skip_reactions; /* reactions: declared-species */
} kb_yaml;

int kb_yaml_open(kb_yaml *y, const char *path);
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
int kb_yaml_theta(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double *theta);
/* order: of the whole reaction, so that A is in (m^3/kmol)^(order-1)/s */
int kb_yaml_prefactor(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                      double *A);
/* log10 of the SI value of 1 (length^3/quantity)^(order-1)/time in these units */
double kb_units_log10(const kb_units *u, double order);

/* Species (phase.c) and reactions (reaction.c) of one phase */
int kb_yaml_phase(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *phase);
int kb_yaml_reactions(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *phase,
                      const kb_units *u);

/* Equation (equation.c): fills reactants, products, reversible and collider. */
typedef enum { KB_NO_COLLIDER, KB_PLAIN_M, KB_PAREN } kb_equation_kind;
int kb_yaml_equation(kb_yaml *y, const yaml_node_t *node, kb_reaction *r, kb_equation_kind *kind,
                     bool *undeclared);

/* Rate parameters by the type that is already in r (rate.c) */
int kb_yaml_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_reaction *r);

#endif
