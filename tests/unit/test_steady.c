/* SPDX-License-Identifier: MIT
 *
 * Species in steady state: the list and its errors, what becomes of the reactions, the canonical
 * form. tests/unit/test_evaluate.c holds their rates and Jacobian.
 */
#include <unistd.h>
#include "mech/steady.h"
#include "tests/unit/reference.h"

static char list[] = "/tmp/kb-steady-XXXXXX";

/* KB_OK, or KB_INVALID with its message in err */
static int load(kb_mech *m, const char *path, const char *names, kb_error *err)
{
    FILE *f = fopen(list, "w");
    fputs(names, f);
    fclose(f);
    setenv("KB_QSS", list, 1);
    int code = kb_mech_load(m, path, NULL, err);
    unsetenv("KB_QSS");
    return code;
}

static void refused(const char *path, const char *names, const char *text)
{
    kb_mech m;
    kb_error err = {0};
    assert_int_equal(load(&m, path, names, &err), KB_INVALID);
    if (!strstr(err.text, text))
        fail_msg("'%s' is not in '%s'", text, err.text);
    if (!strncmp(err.text, list, strlen(list))) /* a name of the list has no line */
        assert_true(!strncmp(err.text + strlen(list), ": ", 2));
}

TEST(wrong_lists_are_refused)
{
    const char *h2 = DATASETS "h2.yaml", *types = "tests/data/rate_types.yaml";
    refused(h2, "HO2 Q", "none of the name 'Q'");
    refused(h2, "HO2 # a comment H2O2\nHO2", "stands twice: 'HO2'");
    refused(h2, " # nothing\n", "no species in steady state in the file");
    refused(h2, "HO2 N2 drop-nonlinear", "no reaction uses the species in steady state 'N2'");
    refused(types, "AR", "is the collider: 'AR'");
    refused(h2, "HO2", "HO2 and HO2 are in steady state and couple nonlinearly in the forward "
            "direction of '2 HO2 <=> H2O2 + O2'");
    refused(h2, "O OH", "nonlinearly in the reverse direction of 'H + O2 <=> O + OH'");
    refused(types, "H2O2", "H2O2 and H2O2 are"); /* an order of 0.7 */
    kb_mech m;
    kb_error err = {0};
    setenv("KB_QSS", "/nowhere/names", 1);
    assert_int_equal(kb_mech_load(&m, h2, NULL, &err), KB_INVALID);
    unsetenv("KB_QSS");
    assert_string_equal(err.text, "/nowhere/names: cannot be read (QSS=)");
}

/* a file of three species with these reactions, in place of the template */
static void write_three(char *path, const char *reactions)
{
    FILE *f = fdopen(mkstemps(path, 5), "w");
    fprintf(f, "phases: [{name: g, thermo: ideal-gas, species: [A, B, C], kinetics: gas}]\n"
            "species:\n"
            "- {name: A, composition: {H: 1}, thermo: &t {model: NASA7, temperature-ranges: "
            "[200, 3000], data: [[2.5, 0, 0, 0, 0, 1, 2]]}}\n"
            "- {name: B, composition: {H: 1}, thermo: *t}\n"
            "- {name: C, composition: {H: 1}, thermo: *t}\nreactions:\n%s", reactions);
    fclose(f);
}

/* an efficiency that is left out is said, unless any other species has the same one */
static void warnings_of(const char *efficiencies, int warnings)
{
    char path[] = "/tmp/kb-left-out-XXXXXX.yaml";
    char *text = kb_format("- {equation: A <=> C, rate-constant: {A: 1, b: 0, Ea: 0}}\n"
                           "- {equation: A + M <=> B + M, type: three-body, rate-constant: "
                           "{A: 1, b: 0, Ea: 0}, efficiencies: {%s}}\n", efficiencies);
    kb_mech m;
    write_three(path, text);
    assert_works(load(&m, path, "C", &err));
    assert_int_equal(m.nwarnings, warnings);
    if (warnings)
        assert_non_null(strstr(m.warnings[0], "the efficiency of 'C' is left out"));
    kb_mech_free(&m);
    unlink(path);
    free(text);
}

TEST(efficiencies_are_left_out)
{
    warnings_of("A: 2, C: 3", 1);
    warnings_of("A: 2, C: 1", 0);
}

/* by the first reaction alone */
TEST(the_first_reaction_counts)
{
    char path[] = "/tmp/kb-first-XXXXXX.yaml";
    write_three(path, "- {equation: A <=> B, rate-constant: {A: 1, b: 0, Ea: 0}}\n"
                "- {equation: A <=> C, rate-constant: {A: 1, b: 0, Ea: 0}}\n");
    kb_mech m;
    assert_works(load(&m, path, "B", &err));
    assert_int_equal(m.nwarnings, 0);
    kb_mech_free(&m);
    unlink(path);
}

/* the only one and the first of all, as the second collider of a linear-Burke rate */
TEST(a_burke_collider_is_refused)
{
    char path[] = "/tmp/kb-burke-XXXXXX.yaml";
    write_three(path, "- {equation: A <=> B, rate-constant: {A: 1, b: 0, Ea: 0}}\n"
                "- {equation: B (+M) <=> C (+M), type: linear-Burke, colliders: [{name: M, "
                "type: falloff, low-P-rate-constant: {A: 1, b: 0, Ea: 0}, "
                "high-P-rate-constant: {A: 1, b: 0, Ea: 0}, Troe: {A: 0.5, T3: 100, T1: 100}}, "
                "{name: A, efficiency: {A: 2, b: 0, Ea: 0}}]}\n");
    refused(path, "A", "is the collider: 'A'");
    unlink(path);
}

TEST(directions_are_left_out)
{
    kb_mech m;
    int forward = 0, reverse = 0;
    assert_works(load(&m, DATASETS "h2.yaml", "O OH # radicals\ndrop-nonlinear", &err));
    assert_int_equal(m.nsteady, 2);
    assert_string_equal(m.species[m.nspecies].name, "O");
    assert_int_equal(kb_find_species(&m, "O"), -1);
    for (int i = 0; i < m.nreactions; i++) {
        forward += m.reactions[i].no_forward;
        reverse += m.reactions[i].no_reverse;
        for (int k = 0; k < m.reactions[i].nefficiencies; k++)
            assert_true(m.reactions[i].efficiencies[k].species < m.nspecies);
    }
    assert_true(forward > 0 && reverse > 0);
    int warned = 0;
    for (int k = 0; k < m.nwarnings; k++)
        warned += strstr(m.warnings[k], "is left out: ") != NULL;
    assert_int_equal(warned, forward + reverse);
    kb_mech_free(&m);
}

static void put_terms(FILE *f, const kb_mech *m, char what, const kb_term *t, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(f, "%c %s %g, ", what, m->species[t[i].species].name, t[i].value);
}

/* every species that a reaction names, and how often or how strongly */
static char *terms_of(const kb_mech *m)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        put_terms(f, m, 'r', r->reactants, r->nreactants);
        put_terms(f, m, 'p', r->products, r->nproducts);
        put_terms(f, m, 'f', r->forward_orders, r->nforward_orders);
        put_terms(f, m, 'b', r->reverse_orders, r->nreverse_orders);
        put_terms(f, m, 'e', r->efficiencies, r->nefficiencies);
        for (int k = 0; k < r->ncolliders; k++)
            if (r->colliders[k].species >= 0)
                fprintf(f, "c %s, ", m->species[r->colliders[k].species].name);
        fprintf(f, "%s\n", r->collider < 0 ? "" : m->species[r->collider].name);
    }
    fclose(f);
    return text;
}

/* A species goes behind all others, the numbers of which change: each reaction names whom it did */
TEST(reactions_name_whom_they_did)
{
    static const struct {
        const char *file, *moved;
    } list[] = {{DATASETS "gri30.yaml", "C"}, {"tests/data/rate_types.yaml", "OH"},
                {"tests/data/cantera_types.yaml", "OH"}};
    for (int i = 0; i < 3; i++) {
        kb_error err;
        kb_mech m;
        kb_mech whole = read_mech(list[i].file);
        kb_term orders[2] = {{whole.nspecies - 1, 0.5}, {0, 1.5}};
        kb_reaction *r = &whole.reactions[whole.nreactions - 1];
        r->reverse_orders = memcpy(kb_alloc(2, sizeof *orders), orders, sizeof orders);
        r->nreverse_orders = 2;
        char *before = terms_of(&whole), *name = kb_strdup(list[i].moved);
        m = whole;
        int code = kb_steady(&m, &name, 1, true, "", 0, &err);
        if (code)
            fail_msg("%s: %s", list[i].file, err.text);
        assert_string_equal(m.species[m.nspecies].name, name);
        char *after = terms_of(&m);
        assert_string_equal(before, after);
        free(before);
        free(after);
        free(name);
        kb_mech_free(&m);
    }
}

/* |what a species gains| over what makes and uses it, of species k from rates of progress q */
static double gain(const kb_mech *m, const double *qf, const double *qr, int species)
{
    double net = 0, size = 1e-250;
    for (int r = 0; r < m->nreactions; r++)
        for (int side = 0; side < 2; side++) {
            const kb_reaction *x = &m->reactions[r];
            const kb_term *t = side ? x->products : x->reactants;
            for (int k = 0; k < (side ? x->nproducts : x->nreactants); k++)
                if (t[k].species == species) {
                    net += (side ? 1 : -1) * t[k].value * (qf[r] - qr[r]);
                    size += t[k].value * (qf[r] + qr[r]);
                }
        }
    return fabs(net) / size;
}

/* rates of progress of elementary reactions are k C^nu of all species, with steady ones; how many
 * of these there are */
static int check_progress(const kb_mech *m, const double *C, const double *kf, const double *qf)
{
    int found = 0;
    for (int r = 0; r < m->nreactions; r++) {
        const kb_reaction *x = &m->reactions[r];
        double q = kf[r];
        for (int k = 0; k < x->nreactants; k++) {
            q *= pow(C[x->reactants[k].species], x->reactants[k].value);
            found += x->type == KB_ELEMENTARY && x->reactants[k].species >= m->nspecies;
        }
        assert_true(x->type != KB_ELEMENTARY || fabs(q - qf[r]) <= 1e-12 * qf[r]);
    }
    return found;
}

TEST(balance_closes)
{
    kb_mech m;
    uint64_t random = 3;
    assert_works(load(&m, DATASETS "gri30.yaml", "CH2(S) CH HCN C H2CN", &err));
    int n = m.nspecies, nrx = m.nreactions;
    double *C = kb_alloc((size_t)(n + m.nsteady), sizeof *C), T, p, worst = 0, least = 1;
    double *q = kb_alloc(2 * (size_t)nrx, sizeof *q), *kf = kb_alloc((size_t)nrx, sizeof *kf);
    for (int i = 0; i < 50; i++) {
        draw_C(&random, n, &T, &p, C);
        kb_steady_concentrations(&m, T, p, C, C + n);
        kb_mech_rates(&m, T, p, C, kf, NULL, q, q + nrx);
        assert_true(check_progress(&m, C, kf, q) > 10);
        for (int k = n; k < n + m.nsteady; k++) {
            worst = larger(worst, gain(&m, q, q + nrx, k));
            least = fmin(least, C[k]);
        }
    }
    print_message("steady species: at worst %.1e of what makes and uses them is left\n", worst);
    assert_true(worst < 1e-12 && least >= 0);
    free(C);
    free(q);
    free(kf);
    kb_mech_free(&m);
}

/* The canonical form holds the list; read again it is the same mechanism. */
TEST(canonical_form)
{
    kb_mech m, again;
    char *path = kb_format("%s.yaml", list);
    assert_works(load(&m, DATASETS "h2.yaml", "HO2 O drop-nonlinear", &err));
    assert_works(kb_yaml_write(&m, path, &err));
    assert_works(kb_mech_load(&again, path, NULL, &err));
    kb_mech whole = read_mech(DATASETS "h2.yaml");
    assert_int_equal(again.nsteady, 2);
    assert_string_equal(m.sha256, again.sha256);
    assert_string_not_equal(m.sha256, whole.sha256);
    kb_mech twice;
    assert_fails(load(&twice, path, "O", &err), KB_INVALID, "has species in steady state already");
    kb_mech_free(&m);
    kb_mech_free(&again);
    kb_mech_free(&whole);
    remove(path);
    free(path);
}

int main(void)
{
    int fd = mkstemp(list), failed = 1;
    if (fd >= 0) {
        close(fd);
        failed = cmocka_run_group_tests(kb_tests, NULL, NULL);
        remove(list);
    }
    return failed;
}
