/* SPDX-License-Identifier: MIT */
#include "drivers/flow/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 40 }; /* brackets in brackets, and values that wait for their operator */

/* a step of a stack machine */
typedef struct {
    char what; /* 'n': number; 'v': variable; 1, 2: function of so many; else the operator */
    int variable;
    double number, (*one)(double), (*two)(double, double);
} step;

struct kb_formula {
    step *step;
    int n;
};

static const struct {
    const char *name;
    double (*one)(double), (*two)(double, double);
} functions[] = {{"abs", fabs, NULL},  {"cos", cos, NULL},   {"exp", exp, NULL},
                 {"floor", floor, NULL}, {"log", log, NULL},   {"max", NULL, fmax},
                 {"min", NULL, fmin},  {"sin", sin, NULL},   {"sqrt", sqrt, NULL},
                 {"tanh", tanh, NULL}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- reading ---- */

typedef struct {
    const char *what, *text, *at;
    const char *const *names;
    int nnames, depth, waiting;
    kb_formula *f;
    kb_error *err;
} reader;

static int wrong(const reader *r, const char *why)
{
    return kb_fail(r->err, KB_INVALID, "%s: %s at %s%s%s of \"%s\"", r->what, why,
                   *r->at ? "'" : "the end", r->at, *r->at ? "'" : "", r->text);
}

static int add(reader *r, step s)
{
    r->waiting += s.what == 'n' || s.what == 'v' ? 1 : s.what == 1 || s.what == '~' ? 0 : -1;
    if (r->waiting > DEEPEST)
        return wrong(r, "too many values wait for their operator");
    kb_formula *f = r->f;
    f->step = kb_realloc(f->step, (size_t)f->n + 1, sizeof *f->step);
    f->step[f->n++] = s;
    return KB_OK;
}

/* is c the next character? It is taken then. */
static bool take(reader *r, char c)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static int read_sum(reader *r);

static int read_call(reader *r, int k)
{
    int code = take(r, '(') ? read_sum(r) : wrong(r, "a '(' is missing");
    if (!code && functions[k].two)
        code = take(r, ',') ? read_sum(r) : wrong(r, "a second value is missing");
    if (!code && !take(r, ')'))
        code = wrong(r, "a ')' is missing");
    return code ? code : add(r, (step){functions[k].two ? 2 : 1, 0, 0, functions[k].one,
                                       functions[k].two});
}

static int read_name(reader *r)
{
    const char *from = r->at;
    size_t n = 0;
    while (isalnum((unsigned char)from[n]) || from[n] == '_')
        n++;
    r->at += n;
    for (int k = 0; k < r->nnames; k++)
        if (strlen(r->names[k]) == n && !strncmp(r->names[k], from, n))
            return add(r, (step){.what = 'v', .variable = k});
    if (n == 2 && !strncmp(from, "pi", n))
        return add(r, (step){.what = 'n', .number = M_PI});
    for (int k = 0; k < FUNCTIONS; k++)
        if (strlen(functions[k].name) == n && !strncmp(functions[k].name, from, n))
            return read_call(r, k);
    r->at = from;
    char *known;
    size_t length;
    FILE *to = kb_open_text(&known, &length);
    for (int k = 0; k < r->nnames + FUNCTIONS; k++)
        fprintf(to, "%s ", k < r->nnames ? r->names[k] : functions[k - r->nnames].name);
    kb_close_text(to);
    int code = kb_fail(r->err, KB_INVALID, "%s: no variable or function of that name (there are "
                       "%spi) at '%s' of \"%s\"", r->what, known, from, r->text);
    free(known);
    return code;
}

static int read_value(reader *r)
{
    if (take(r, '(')) {
        int code = read_sum(r);
        return code || take(r, ')') ? code : wrong(r, "a ')' is missing");
    }
    if (isalpha((unsigned char)*r->at))
        return read_name(r);
    char *end = (char *)r->at;
    double x = isdigit((unsigned char)*end) || *end == '.' ? strtod(r->at, &end) : 0;
    if (end == r->at || !isfinite(x))
        return wrong(r, end == r->at ? "a value is missing" : "a number beyond 1.8e308");
    r->at = end;
    return add(r, (step){.what = 'n', .number = x});
}

static int read_signed(reader *r)
{
    if (++r->depth > DEEPEST)
        return wrong(r, "too many brackets in brackets");
    bool minus = take(r, '-');
    int code = minus ? read_signed(r) : read_value(r);
    if (!code && !minus && take(r, '^')) {
        code = read_signed(r);
        code = code ? code : add(r, (step){.what = '^'});
    }
    r->depth--;
    return code || !minus ? code : add(r, (step){.what = '~'});
}

/* values between two kinds of operators of one rank */
static int read_row(reader *r, int (*read)(reader *r), const char *operators)
{
    int code = read(r), k;
    while (!code && ((k = 0, take(r, operators[0])) || (k = 1, take(r, operators[1])))) {
        code = read(r);
        code = code ? code : add(r, (step){.what = operators[k]});
    }
    return code;
}

static int read_product(reader *r) { return read_row(r, read_signed, "*/"); }
static int read_sum(reader *r) { return read_row(r, read_product, "+-"); }

kb_formula *kb_formula_of(double number)
{
    kb_formula *f = kb_alloc(1, sizeof *f);
    f->step = kb_alloc(1, sizeof *f->step);
    f->step[f->n++] = (step){.what = 'n', .number = number};
    return f;
}

kb_formula *kb_formula_read(const char *what, const char *text, const char *const *names, int n,
                            kb_error *err)
{
    reader r = {.what = what, .text = text, .at = text, .names = names, .nnames = n, .err = err,
                .f = kb_alloc(1, sizeof *r.f)};
    int code = read_sum(&r);
    if (!code && !take(&r, 0))
        code = wrong(&r, "an operator is missing");
    if (!code)
        return r.f;
    kb_formula_free(r.f);
    return NULL;
}

void kb_formula_free(kb_formula *f)
{
    if (f)
        free(f->step);
    free(f);
}

/* ---- its value ---- */

bool kb_formula_is_number(const kb_formula *f) { return f->n == 1 && f->step->what == 'n'; }

static double join(const step *s, double a, double b)
{
    switch (s->what) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case '^': return b == 2 ? a * a : pow(a, b);
    default: return s->two(a, b);
    }
}

double kb_formula_at(const kb_formula *f, const double *variables)
{
    double stack[DEEPEST + 1], *top = stack; /* one beyond the last */
    for (const step *s = f->step; s < f->step + f->n; s++)
        if (s->what == 'n')
            *top++ = s->number;
        else if (s->what == 'v')
            *top++ = variables[s->variable];
        else if (s->what == '~')
            top[-1] = -top[-1];
        else if (s->what == 1)
            top[-1] = s->one(top[-1]);
        else {
            top--;
            top[-1] = join(s, top[-1], *top);
        }
    return *stack;
}
