/* SPDX-License-Identifier: MIT
 *
 * Inside the CHEMKIN reader: text, words, and its parts.
 * Format: Kee, Rupley, Meeks and Miller, CHEMKIN-III, Sandia report SAND96-8216 (1996), and the
 * PLOG, CHEB and UNITS keywords of later versions.
 */
#pragma once

#include "mech/mech.h"
#include "mech/names.h"

typedef enum {
    CK_OUTSIDE,
    CK_ELEMENTS,
    CK_SPECIES,
    CK_THERMO,
    CK_REACTIONS,
    CK_TRANSPORT,
    CK_UNSUPPORTED /* surface chemistry, NASA-9 */
} ck_section;

typedef struct {
    char *text; /* without comment and trailing blanks; a header line: what follows the keyword */
    int number; /* from 1 */
    ck_section section;
    bool header; /* the line of the section's keyword */
} ck_line;

typedef struct {
    const char *file; /* stored in the mechanism */
    char *buffer;
    ck_line *lines;
    int nlines;
} ck_text;

typedef struct {
    double cal;     /* one unit of E [cal/mol] */
    bool molecules; /* concentrations count molecules, not moles */
} ck_units;

typedef struct {
    kb_mech *m;
    kb_error *err;
    kb_names names;
    int *declared;    /* line of each species' declaration */
    bool *has_thermo; /* by species */
    ck_units units;   /* of the REACTIONS section */
} ck_reader;

/* text.c */

/* Both return KB_OK or KB_INVALID; free the text in either case. */
int ck_text_file(ck_text *t, kb_mech *m, const char *path, kb_error *err);
int ck_text_bytes(ck_text *t, kb_mech *m, const char *name, const char *bytes, size_t n,
                  kb_error *err);
void ck_text_free(ck_text *t);
char *ck_word(char **cursor); /* next word; cuts it out of the text; NULL at the end */
bool ck_number(const char *word, double *x); /* a whole finite number; D exponents too */
bool ck_is(const char *word, const char *names); /* one of "A|B|C", case ignored */
void *ck_grow(void *list, int count, size_t size); /* room for one more after count */
void ck_index_add(ck_reader *rd, int species);
int ck_index_find(const ck_reader *rd, const char *name, size_t n); /* -1: none */
/* KB_INVALID with a message on the unknown name, with a hint at one that differs by case */
int ck_unknown_species(ck_reader *rd, const ck_text *t, int line, const char *name);

/* thermo.c: the lines of THERMO sections. Species that have data keep them. */
int ck_read_thermo(ck_reader *rd, ck_text *t);

/* equation.c */
typedef struct {
    bool third_body;   /* +M */
    bool falloff;      /* (+M) or (+species) */
} ck_form;

/* Fills reactants, products, reversible and collider of r from "2OH+CO(+M)=..." without blanks. */
int ck_read_equation(ck_reader *rd, const ck_text *t, int line, const char *equation,
                     kb_reaction *r, ck_form *form);

/* rates.c: what the lines of one reaction say, in the file's units, made into rates */
typedef struct {
    ck_form form;
    ck_units units;
    double rate[3], low[3], high[3], reverse[3];
    bool has_low, has_high, has_reverse, has_efficiencies;
    int nblend;
    kb_blending blending;
    double blend[5];
    double (*plog)[4]; /* p [atm], A, b, E */
    int nplog;
    int nT, np, ncoef;
    double *coef;
    bool has_T, has_p;
    double T_range[2], p_range[2]; /* [K], [atm] */
} ck_rates;

int ck_set_rates(ck_reader *rd, const ck_text *t, kb_reaction *r, ck_rates *k);

typedef struct {
    ck_reader *rd;
    ck_text *t;
    kb_reaction *r; /* the last one; NULL before the first */
    ck_rates k;     /* what its lines said so far */
} ck_reactions;

/* auxiliary.c */
int ck_read_auxiliary(ck_reactions *s, ck_line *line);
bool ck_is_keyword(const char *word);

/* reactions.c */
bool ck_read_units(ck_units *units, const char *word); /* false: not a unit keyword */
int ck_read_reactions(ck_reader *rd, ck_text *t);

/* reader.c: both files from memory; thermo NULL: none (tests and fuzzing) */
int ck_read_bytes(kb_mech *m, const char *mech, size_t nmech, const char *thermo, size_t nthermo,
                  kb_error *err);
