/* SPDX-License-Identifier: MIT */
#include "tests/test.h"
#include "mech/thermo/equilibrium.h"
#include "tests/unit/reference.h"

typedef struct {
    double T, p, *C, *kf, *kr, *qf, *qr, *wdot, *sum;
} work;

static work make_work(const kb_mech *m)
{
    work w = {0};
    double **by_species[] = {&w.C, &w.wdot, &w.sum}, **by_reaction[] = {&w.kf, &w.kr, &w.qf, &w.qr};

    for (int i = 0; i < 3; i++)
        *by_species[i] = kb_alloc((size_t)m->nspecies, sizeof(double));
    for (int i = 0; i < 4; i++)
        *by_reaction[i] = kb_alloc((size_t)m->nreactions, sizeof(double));
    return w;
}

static void free_work(work *w)
{
    double *all[] = {w->C, w->wdot, w->sum, w->kf, w->kr, w->qf, w->qr};

    for (int i = 0; i < 7; i++)
        free(all[i]);
}

static void evaluate(const kb_mech *m, work *w)
{
    kb_mech_rates(m, w->T, w->p, w->C, w->kf, w->kr, w->qf, w->qr);
    kb_production(m, w->T, w->p, w->C, w->wdot);
    contributions(m, w->qf, w->qr, w->sum);
}

/* values against the present line; scale NULL: relative to the reference itself */
static void compare(const table *t, const char *mech, const double *values, const double *scale,
                    int n, double tolerance)
{
    assert_int_equal(t->nfields, n + 2);
    for (int i = 0; i < n; i++) {
        double reference = number(t, i + 2), size = scale ? scale[i] : fabs(reference);

        if (!(fabs(values[i] - reference) <= tolerance * size + 1e-290))
            fail_msg("%s, state %s, %s %d: %.15g, Cantera has %.15g", mech, t->fields[1],
                     t->fields[0], i + 1, values[i], reference);
    }
}

static void match_cantera(const char *name, const char *path)
{
    kb_mech m = read_mech(path);
    kb_owned char *file = kb_format("rates_%s.csv", name);
    table t = open_table(file);
    work w = make_work(&m);
    uint64_t random = 1;
    int states = 0;

    without_ends(&m);
    while (next_line(&t)) {
        if (strcmp(t.fields[0], "wdot") == 0) {
            draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
            evaluate(&m, &w);
            compare(&t, name, w.wdot, w.sum, m.nspecies, 1e-10);
            states++;
        } else {
            bool forward = strcmp(t.fields[0], "kf") == 0;
            compare(&t, name, forward ? w.kf : w.kr, NULL, m.nreactions, 1e-10);
        }
    }
    assert_int_equal(states, 50);
    free_work(&w);
    kb_mech_free(&m);
}

TEST(gri30_matches_cantera)
{
    match_cantera("gri30", DATASETS "gri30.yaml");
}

TEST(h2co_matches_cantera)
{
    match_cantera("h2co", DATASETS "h2co.yaml");
}

TEST(h2_matches_cantera)
{
    match_cantera("h2", DATASETS "h2.yaml");
}

TEST(every_rate_type_matches_cantera)
{
    match_cantera("rate_types", "tests/data/rate_types.yaml");
    match_cantera("cantera_types", "tests/data/cantera_types.yaml");
}

static void reverse_terms(kb_term *terms, int n, int nsp)
{
    for (int i = 0; i < n; i++)
        terms[i].species = nsp - 1 - terms[i].species;
}

/* species k becomes nsp - 1 - k */
static void reverse_species(kb_reaction *r, int nsp)
{
    reverse_terms(r->reactants, r->nreactants, nsp);
    reverse_terms(r->products, r->nproducts, nsp);
    reverse_terms(r->forward_orders, r->nforward_orders, nsp);
    reverse_terms(r->efficiencies, r->nefficiencies, nsp);
    if (r->collider >= 0)
        r->collider = nsp - 1 - r->collider;
    for (int i = 1; i < r->ncolliders; i++)
        r->colliders[i].species = nsp - 1 - r->colliders[i].species;
}

/* Species and reactions in another order: the same rates at other places, to the last digits, as
 * sums over species are taken in another order */
static void permuted(const char *path)
{
    kb_mech m = read_mech(path), v;
    int nsp = m.nspecies, nrx = m.nreactions;
    work w = make_work(&m);
    uint64_t random = 5;

    v = m;
    v.species = kb_alloc((size_t)nsp, sizeof *v.species);
    v.reactions = kb_alloc((size_t)nrx, sizeof *v.reactions);
    for (int k = 0; k < nsp; k++)
        v.species[nsp - 1 - k] = m.species[k];
    for (int i = 0; i < nrx; i++) {
        kb_reaction *r = &v.reactions[nrx - 1 - i];
        *r = kb_reaction_copy(m.reactions[i]);
        reverse_species(r, nsp);
    }
    work x = make_work(&v);
    for (int state = 0; state < 20; state++) {
        draw_C(&random, nsp, &w.T, &w.p, w.C);
        x.T = w.T;
        x.p = w.p;
        for (int k = 0; k < nsp; k++)
            x.C[nsp - 1 - k] = w.C[k];
        evaluate(&m, &w);
        evaluate(&v, &x);
        for (int i = 0; i < nrx; i++)
            assert_true(fabs(w.qf[i] - x.qf[nrx - 1 - i]) <= 1e-11 * fabs(w.qf[i]));
        for (int k = 0; k < nsp; k++)
            assert_true(fabs(w.wdot[k] - x.wdot[nsp - 1 - k]) <= 1e-11 * w.sum[k]);
    }
    for (int i = 0; i < nrx; i++)
        kb_reaction_free(&v.reactions[i]);
    free(v.reactions);
    free(v.species);
    free_work(&x);
    free_work(&w);
    kb_mech_free(&m);
}

TEST(order_does_not_matter)
{
    permuted("tests/data/rate_types.yaml");
    permuted("tests/data/cantera_types.yaml");
    permuted(DATASETS "gri30.yaml");
}

/* REV, RORD (no YAML form): by hand on the first, elementary reaction H + O2 <=> O + OH */
TEST(explicit_reverse_and_orders)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    kb_reaction *r = &m.reactions[0];
    work w = make_work(&m);
    kb_term order = {kb_find_species(&m, "OH"), 1.5};

    w.T = 1300;
    w.p = KB_ATM;
    for (int k = 0; k < m.nspecies; k++)
        w.C[k] = 1e-4 * (k + 1);
    r->has_reverse = true;
    r->kr = (kb_arrhenius){2e10, 0.5, 1000};
    r->reverse_orders = &order;
    r->nreverse_orders = 1;
    evaluate(&m, &w);
    double kr = 2e10 * sqrt(w.T) * exp(-1000 / w.T);
    assert_true(fabs(w.kr[0] / kr - 1) < 1e-13);
    assert_true(fabs(w.qr[0] / (kr * pow(w.C[order.species], 1.5)) - 1) < 1e-13);
    r->kr.A = 0;
    evaluate(&m, &w);
    assert_true(w.qr[0] == 0 && w.qf[0] > 0);
    r->reverse_orders = NULL;
    free_work(&w);
    kb_mech_free(&m);
}

/* An explicit reverse of a fall-off reaction carries the forward reaction's pressure factor. */
TEST(explicit_reverse_of_falloff)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    work w = make_work(&m);
    uint64_t random = 4;

    draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
    for (int i = 0; i < m.nreactions; i++) {
        kb_reaction *r = &m.reactions[i];

        if (r->type != KB_FALLOFF && r->type != KB_ACTIVATED)
            continue;
        r->has_reverse = true;
        r->kr = r->type == KB_FALLOFF ? r->kf : r->low;
        r->kr.A *= 3;
    }
    evaluate(&m, &w);
    int seen = 0;
    for (int i = 0; i < m.nreactions; i++) {
        if (m.reactions[i].has_reverse) {
            assert_true(fabs(w.kr[i] - 3 * w.kf[i]) <= 1e-13 * w.kr[i]);
            seen++;
        }
    }
    assert_int_equal(seen, 9);
    free_work(&w);
    kb_mech_free(&m);
}

/* F = exp(-X T/c) where a is 0, and 0 where c is 0 as well */
TEST(sri_of_any_c)
{
    static const double c[] = {0.5, 1, 2, 3};
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    work w = make_work(&m);
    uint64_t random = 4;
    int i = 0;

    while (m.reactions[i].blending != KB_SRI)
        i++;
    kb_reaction *r = &m.reactions[i];
    draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
    w.T = 300;
    r->nblend = 3;
    r->blending = KB_LINDEMANN;
    evaluate(&m, &w);
    double plain = w.kf[i];
    r->blending = KB_SRI;
    r->blend[0] = 0;
    r->blend[2] = 300;
    evaluate(&m, &w);
    double X = -log(w.kf[i] / plain);
    assert_true(X > 0 && X < 1);
    for (int k = 0; k < 4; k++) {
        r->blend[2] = c[k];
        evaluate(&m, &w);
        assert_true(fabs(log(w.kf[i] / plain) * c[k] / (300 * X) + 1) < 1e-11);
    }
    r->blend[2] = 0;
    evaluate(&m, &w);
    assert_true(w.kf[i] == 0);
    free_work(&w);
    kb_mech_free(&m);
}

/* exp(-E/T) of Blowers and Masel's E, all over R: 0 below -4 E0, dH above 4 E0, between them their
 * parabola with the bond energy w */
static double blowers_masel(double E0, double w, double dH, double T)
{
    double V = 2 * w * (w + E0) / (w - E0), E = (w + dH / 2) * pow(V - 2 * w + dH, 2);
    E /= V * V - 4 * w * w + dH * dH;
    return exp(-(dH <= -4 * E0 ? 0 : dH > 4 * E0 ? dH : E) / T);
}

static double heat_of_reaction(const kb_mech *m, const kb_reaction *r, double T)
{
    double dH = 0;
    for (int i = 0; i < r->nproducts; i++)
        dH += r->products[i].value * T * kb_h_RT(&m->species[r->products[i].species], T);
    for (int i = 0; i < r->nreactants; i++)
        dH -= r->reactants[i].value * T * kb_h_RT(&m->species[r->reactants[i].species], T);
    return dH;
}

/* H + O2 = O + OH takes heat, and turned round it gives it */
TEST(blowers_masel_in_all_its_ranges)
{
    kb_mech m = read_mech("tests/data/cantera_types.yaml");
    work w = make_work(&m);
    uint64_t random = 4;

    for (int turned = 0; turned < 2; turned++) {
        kb_reaction *r = &m.reactions[0];
        assert_true(r->blowers_masel);
        if (turned) {
            kb_reaction before = *r;
            r->reactants = before.products;
            r->nreactants = before.nproducts;
            r->products = before.reactants;
            r->nproducts = before.nreactants;
        }
        draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
        double dH = heat_of_reaction(&m, r, w.T);
        assert_true(turned ? dH < 0 : dH > 0);
        static const double parts[] = {0.1, 0.9, 0.99, 1.01, 1.1, 3};
        for (int k = 0; k < 6; k++) {
            r->kf = (kb_arrhenius){.A = 3, .b = 0, .theta = parts[k] * fabs(dH) / 4};
            r->bond = 1e5;
            evaluate(&m, &w);
            double k0 = 3 * blowers_masel(r->kf.theta, r->bond, dH, w.T);
            assert_true(fabs(w.kf[0] - k0) <= 1e-9 * k0);
        }
    }
    free_work(&w);
    kb_mech_free(&m);
}

/* Negative concentrations: whole small orders multiply, others give zero; all stays finite. */
TEST(negative_concentrations)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    work w = make_work(&m);
    int H = kb_find_species(&m, "H"), O2 = kb_find_species(&m, "O2");
    int H2 = kb_find_species(&m, "H2");

    w.T = 1500;
    w.p = KB_ATM;
    for (int k = 0; k < m.nspecies; k++)
        w.C[k] = 1e-3;
    w.C[H] = w.C[O2] = -1e-6;
    evaluate(&m, &w);
    for (int i = 0; i < m.nreactions; i++)
        assert_true(isfinite(w.qf[i]) && isfinite(w.qr[i]));
    assert_true(fabs(w.qf[0] - w.kf[0] * 1e-12) < 1e-26 * w.kf[0]); /* H + O2: both negative */
    for (int i = 0; i < m.nreactions; i++) {
        const kb_reaction *r = &m.reactions[i];

        if (r->nreactants == 2 && r->reactants[0].species == H2 && r->reactants[1].value == 0.5)
            assert_true(w.qf[i] == 0); /* C(O2)^0.5 */
    }
    for (int k = 0; k < m.nspecies; k++)
        w.C[k] = 0;
    evaluate(&m, &w);
    for (int i = 0; i < m.nreactions; i++)
        assert_true(w.qf[i] == 0 && w.qr[i] == 0); /* a reduced pressure of zero included */
    free_work(&w);
    kb_mech_free(&m);
}

/* PLOG: at a tabulated pressure the (summed) entry itself, outside the table its ends */
TEST(plog_at_and_outside_its_table)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    work w = make_work(&m);
    int i = 0;

    while (m.reactions[i].type != KB_PLOG)
        i++;
    const kb_plog_point *point = m.reactions[i].plog;
    int n = m.reactions[i].nplog;
    double at[] = {point[0].p / 50, point[0].p, point[1].p, point[n - 1].p, 100 * point[n - 1].p};
    double k[] = {0, 0, 0, 0, 0};
    w.T = 1234;
    k[0] = k[1] = kb_arrhenius_k(&point[0].k, w.T);
    k[2] = kb_arrhenius_k(&point[1].k, w.T) + kb_arrhenius_k(&point[2].k, w.T);
    k[3] = k[4] = kb_arrhenius_k(&point[n - 1].k, w.T);
    for (int j = 0; j < 5; j++) {
        w.p = at[j];
        evaluate(&m, &w);
        assert_true(fabs(w.kf[i] / k[j] - 1) < 1e-12);
    }
    free_work(&w);
    kb_mech_free(&m);
}

static double random_coefficient(uint64_t *random)
{
    return floor(1 + 2.999 * uniform(random));
}

/* A reaction of random type among random species; the elements need not balance here. */
static kb_reaction random_reaction(uint64_t *random, int nsp)
{
    kb_reaction r = {.reversible = true, .collider = -1, .default_efficiency = 1};
    int first = (int)(nsp * uniform(random));

    r.reactants = kb_alloc(1, sizeof(kb_term));
    r.products = kb_alloc(1, sizeof(kb_term));
    r.nreactants = r.nproducts = 1;
    r.reactants[0] = (kb_term){first, random_coefficient(random)};
    r.products[0] = (kb_term){(first + 1) % nsp, random_coefficient(random)};
    r.type = (kb_rate_type)(4 * uniform(random)); /* elementary ... activated */
    r.kf.A = exp(20 * uniform(random));
    r.kf.b = 4 * uniform(random) - 2;
    r.kf.theta = 9000 * uniform(random);
    r.low.A = exp(20 * uniform(random));
    r.low.b = -2 * uniform(random);
    r.low.theta = 4000 * uniform(random);
    if (uniform(random) < 0.5) {
        r.blending = KB_TROE;
        r.nblend = uniform(random) < 0.5 ? 3 : 4;
        memcpy(r.blend, (double[]){uniform(random), 100, 1500, 4000}, 4 * sizeof(double));
    }
    return r;
}

/* kf/kr = Kc for every random reversible reaction, also where exp under- or overflows */
TEST(random_reactions_keep_detailed_balance)
{
    kb_mech m = read_mech(DATASETS "h2co.yaml"), mine = m;
    uint64_t random = 11;
    work w = make_work(&m);
    double k[2], q[2];

    mine.nreactions = 1;
    for (int i = 0; i < 2000; i++) {
        kb_reaction r = random_reaction(&random, m.nspecies);

        mine.reactions = &r;
        draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
        kb_mech_rates(&mine, w.T, w.p, w.C, &k[0], &k[1], &q[0], &q[1]);
        double lnK = kb_ln_Kc(&mine, &r, w.T);
        assert_true(isfinite(k[0]) && k[0] >= 0);
        if (fabs(lnK) < 300)
            assert_true(fabs(k[0] - k[1] * exp(lnK)) <= 1e-11 * k[0]);
        assert_true(isfinite(k[1]));
        free(r.reactants);
        free(r.products);
    }
    free_work(&w);
    kb_mech_free(&m);
}

static void elements_are_conserved(const char *path)
{
    kb_mech m = read_mech(path);
    work w = make_work(&m);
    uint64_t random = 5;

    for (int i = 0; i < 100; i++) {
        draw_C(&random, m.nspecies, &w.T, &w.p, w.C);
        evaluate(&m, &w);
        for (int e = 0; e < m.nelements; e++) {
            double net = 0, size = 0;

            for (int k = 0; k < m.nspecies; k++) {
                net += w.wdot[k] * m.species[k].atoms[e];
                size += w.sum[k] * m.species[k].atoms[e];
            }
            assert_true(fabs(net) <= 1e-13 * size);
        }
    }
    free_work(&w);
    kb_mech_free(&m);
}

TEST(production_conserves_elements)
{
    elements_are_conserved(DATASETS "gri30.yaml");
    elements_are_conserved(DATASETS "h2co.yaml");
    elements_are_conserved("tests/data/rate_types.yaml");
}

/* At equilibrium every reversible reaction runs as fast back as forth. */
TEST(equilibrium_balances_every_reaction)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    work w = make_work(&m);
    uint64_t random = 6;

    for (int i = 0; i < 20; i++) {
        double p;

        draw(&random, m.nspecies, &w.T, &p, w.C);
        kb_X_to_Y(&m, w.C, w.C);
        assert_works(kb_equilibrate(&m, KB_FIXED_TP, &w.T, &p, w.C, &err));
        w.p = p;
        double rho = kb_density(&m, w.T, p, w.C);
        for (int k = 0; k < m.nspecies; k++)
            w.C[k] *= rho / m.species[k].weight;
        evaluate(&m, &w);
        for (int j = 0; j < m.nreactions; j++)
            if (m.reactions[j].reversible)
                assert_true(fabs(w.qf[j] - w.qr[j]) <= 1e-9 * w.qf[j] + 1e-290);
    }
    free_work(&w);
    kb_mech_free(&m);
}

TESTS(NULL, NULL)
