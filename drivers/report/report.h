/* SPDX-License-Identifier: MIT
 *
 * The sections of a report.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "drivers/claims/ledger.h"
#include "drivers/compare/side.h"

typedef struct {
    const char *folder, *plots; /* of the runs; of their pictures: PLOTS/<run>/error.svg ... */
    const char *claims;         /* datasets/claims.tsv */
    const char *figures;        /* datasets/figures.tsv, of the page of the papers */
    kb_side side;               /* its runs */
    json_t **environment;       /* of each run; NULL where it has none */
    long room;                  /* bytes that pictures may still take */
} kb_report_of;

/* The answer and the tables of the fastest; of many runs a row of each at one error */
void kb_report_verdict(const kb_report_of *r, FILE *to);
/* The fastest of one run at each error, folded; nothing where there is none */
void kb_report_fastest(const kb_report_of *r, int run, FILE *to);
/* The same as JSON, with the command that repeats each: what one run has at each error */
json_t *kb_report_fastest_json(const kb_report_of *r, int run);
/* One run: its pictures, environment and commands; divergence and the raw table if it is the only
 * one, otherwise its fastest */
void kb_report_run(kb_report_of *r, int i, FILE *to);

/* FOLDER/claims.csv, the ledger that it judges, the text of FOLDER/causes.tsv with its values
 * (NULL: there is none), and the rows behind these as kb_template_fill names them */
typedef struct {
    kb_csv verdicts;
    kb_ledger ledger;
    char *causes, *rows;
} kb_claims_of;

/* *any: is there a claims.csv? Errors: those of the two tables */
int kb_claims_open(kb_claims_of *c, const kb_report_of *r, bool *any, kb_error *err);
void kb_claims_close(kb_claims_of *c);
/* Verdicts by class; the claims of a paper (NULL: of all), by verdict */
void kb_claims_totals(const kb_claims_of *c, FILE *to);
void kb_claims_table(const kb_claims_of *c, const char *paper, FILE *to);

/* The claims of the papers as judged by FOLDER/claims.csv; nothing where there is none. *any: was
 * there one? */
int kb_report_claims(const kb_report_of *r, FILE *to, bool *any, kb_error *err);

/* Text of an object's key, "" without it */
const char *kb_report_word(const json_t *o, const char *key);
/* Last part of a path */
const char *kb_report_name(const char *folder);
/* A page up to its first section: title and heading are escaped; with style.css, script.js and
 * their policy. kb_page_end writes the footer's text, which is HTML, and what closes the page. */
void kb_page_begin(const char *title, const char *heading, const char *below, FILE *to);
void kb_page_end(const char *footer, FILE *to);
/* The whole page */
int kb_report_page(kb_report_of *r, FILE *to, kb_error *err);
/* The page of the papers: totals, how to check, and each paper's claims and figures
 * (PLOTS/papers/ID.svg, ID.txt). Error: no FOLDER/claims.csv, or a table that cannot be read */
int kb_papers_page(kb_report_of *r, FILE *to, kb_error *err);
