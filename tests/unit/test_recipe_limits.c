/* SPDX-License-Identifier: MIT
 *
 * The limits of every number of every recipe, as users are given them: each limit itself is read,
 * and what lies beyond it is refused by name; what a recipe may lack, and all that it must not.
 */
#include <float.h>

#include "tests/test.h"
#include "base/error.h"
#include "base/file.h"
#include "pasr/generators/common/mixture.h"
#include "pasr/generators/flamelet.h"
#include "pasr/generators/ignition.h"
#include "pasr/generators/import.h"
#include "pasr/generators/lem.h"
#include "pasr/generators/pasr.h"
#include "solvers/states.h"

typedef struct {
    const char *key;
    double low, high;
    bool optional; /* 0: not given */
} limit;

typedef struct {
    const kb_recipe_form *form;
    size_t size;
    void (*defaults)(void *);
    const char *texts; /* that must be given */
    limit limits[20];  /* ends with key NULL */
} generator;

static void default_ignition(void *r) { kb_ignition_defaults(r); }
static void default_pasr(void *r) { kb_pasr_defaults(r); }
static void default_lem(void *r) { kb_lem_defaults(r); }
static void default_flamelet(void *r) { kb_flamelet_defaults(r); }
static void default_import(void *r) { kb_import_defaults(r); }

static const generator generators[] = {
    {&kb_ignition_form, sizeof(kb_ignition), default_ignition, "mech fuel oxidizer",
     {{"T0_K", 200, 5000}, {"p_atm", 1e-5, 9869}, {"phi", 0, 1e6}, {"n", 1, 1e9},
      {"tile", 1, 1e9, true}, {"span", 1e-9, 1e9}, {"t_end_s", 1e-15, 1e9, true},
      {"spacing_s", 1e-18, 1e9, true}, {"rtol", 1e-15, 0.1}, {"atol", 1e-300, 0.1}}},
    {&kb_pasr_form, sizeof(kb_pasr), default_pasr, "mech fuel oxidizer solver",
     {{"phi", 1e-3, 1e3}, {"pilot_share", 0, 1}, {"T0_K", 200, 3000}, {"p_atm", 1e-3, 1e3},
      {"particles", 2, 1e6}, {"tau_res_s", 1e-12, 1e6}, {"tau_mix_s", 1e-12, 1e6},
      {"tau_pair_s", 1e-12, 1e6}, {"residence_times", 1e-6, 1e6}, {"dt_s", 1e-15, 1e6, true},
      {"coarse_dt_s", 1e-15, 1e6, true}, {"start_residence_times", 0, 1e6},
      {"keep_every", 1, 1e9}, {"n", 0, 1e9, true}, {"seed", 0, 1e15}, {"rtol", 1e-14, 0.1},
      {"atol", 1e-300, 0.1}}},
    {&kb_lem_form, sizeof(kb_lem), default_lem, "mech fuel oxidizer diluent",
     {{"T_fuel_K", 200, 3000}, {"T_oxidizer_K", 200, 3000}, {"p_atm", 1e-3, 1e3},
      {"dilution", 0, 0.999}, {"strain_1_s", 1, 1e6}, {"u_rms_m_s", 0, 1e3},
      {"integral_scale_mm", 1e-6, 1e4}, {"simulations", 1, 1e6}, {"cells", 10, 1e6},
      {"domain_widths", 4, 1e4}, {"dt_s", 1e-15, 1}, {"steps", 1, 1e7}, {"every", 1, 1e7},
      {"seed", 0, 9e15}, {"rtol", 1e-12, 0.1}, {"atol", 1e-300, 0.1}}},
    {&kb_flamelet_form, sizeof(kb_flamelet), default_flamelet, "mech fuel oxidizer",
     {{"T_fuel_K", 200, 3000}, {"T_oxidizer_K", 200, 3000}, {"p_atm", 1e-3, 1e3},
      {"strain_1_s", 0, 1e7}, {"points", 2, 1e7}, {"dt_s", 1e-15, 1}, {"steps", 1, 1e7},
      {"every", 1, 1e7}, {"rtol", 1e-12, 0.1}, {"atol", 1e-300, 0.1}}},
    {&kb_import_form, sizeof(kb_import), default_import, "mech source",
     {{"normalize", 1e-15, 0.1, true}, {"n", 1, 1e9, true}}}};

static char path[] = "/tmp/kb-limits-XXXXXX";

/* whether a recipe with this one parameter is read; otherwise the message names it */
static int is_read(const generator *g, const char *key, double x, int whole)
{
    kb_error err = {0};
    kb_owned void *r = kb_alloc(1, g->size);
    kb_owned char *text = kb_format(
        whole ? "{\"generator\": \"%s\", \"version\": %d, \"parameters\": "
                "{\"%s\": %.0f}}"
              : "{\"generator\": \"%s\", \"version\": %d, \"parameters\": "
                "{\"%s\": %.17g}}",
        g->form->generator, g->form->version, key, x);
    g->defaults(r);
    assert_int_equal(kb_file_write(path, text, strlen(text), NULL, 0, NULL), KB_OK);
    int code = kb_recipe_read(g->form, r, path, &err);
    kb_owned char *named = kb_format("'%s'", key);
    if (code && !strstr(err.text, named))
        fail_msg("no %s in: %s", named, err.text);
    kb_recipe_free(g->form, r);
    return code == KB_OK;
}

static void check_limits(const generator *g, const kb_field *f)
{
    const limit *l = g->limits;
    while (l->key && strcmp(l->key, f->key))
        l++;
    if (!l->key)
        fail_msg("%s: '%s' is a number without limits here", g->form->generator, f->key);
    int whole = f->type == KB_FIELD_WHOLE;
    double below = whole || l->low == 0 ? l->low - 1 : nextafter(l->low, -1);
    double above = whole ? l->high + 1 : nextafter(l->high, 2 * l->high);
    int none = l->optional && below == 0;
    if (!strcmp(f->key, "p_atm")) /* a state of a database, which is looked at when all are made */
        assert_true(l->low * KB_ATM >= KB_P_MIN && l->high * KB_ATM <= KB_P_MAX);
    if (!is_read(g, f->key, l->low, whole) || !is_read(g, f->key, l->high, whole) ||
        is_read(g, f->key, below, whole) != none || is_read(g, f->key, above, whole) ||
        is_read(g, f->key, 0, whole) != (l->optional || l->low == 0))
        fail_msg("%s: the limits of '%s' are not %g to %g%s", g->form->generator, f->key, l->low,
                 l->high, l->optional ? ", or 0" : "");
}

TEST(limits_are_these)
{
    for (size_t k = 0; k < sizeof generators / sizeof *generators; k++)
        for (const kb_field *f = generators[k].form->fields; f->key; f++)
            if (f->type != KB_FIELD_TEXT && f->type != KB_FIELD_CHOICE)
                check_limits(&generators[k], f);
}

/* what is 0 is written unless it may lack; a text without which a recipe is none is named */
TEST(recipes_without_a_value)
{
    for (size_t k = 0; k < sizeof generators / sizeof *generators; k++) {
        const generator *g = &generators[k];
        char *r = kb_alloc(1, g->size), named[200] = "";
        json_t *written = kb_recipe_parameters(g->form, r);
        for (const limit *l = g->limits; l->key; l++)
            assert_int_equal(!json_object_get(written, l->key), l->optional);
        json_decref(written);
        g->defaults(r);
        kb_recipe_free(g->form, r);
        for (kb_error err; kb_recipe_check(g->form, r, &err);) {
            const kb_field *f = g->form->fields;
            while (f->key && strncmp(err.text, f->key, strcspn(err.text, " ")))
                f++;
            assert_non_null(f->key);
            if (f->type != KB_FIELD_TEXT)
                break;
            assert_string_equal(strchr(err.text, ' '), " is not given");
            strcat(strcat(named, *named ? " " : ""), f->key);
            assert_int_equal(kb_recipe_set(f, r, "", "x", NULL), KB_OK);
        }
        assert_string_equal(named, g->texts);
        kb_recipe_free(g->form, r);
        free(r);
    }
}

/* what a generator takes without options is its recipe of GRI-Mech 3.0, of PaSR the first T0, p */
TEST(defaults_are_recipes_of_gri30)
{
    for (size_t k = 0; k < sizeof generators / sizeof *generators; k++) {
        const generator *g = &generators[k];
        if (g->form == &kb_import_form)
            continue;
        void *r = kb_alloc(2, g->size), *written = (char *)r + g->size;
        kb_owned char *file = kb_format("datasets/recipes/gri30-%s.json", g->form->generator);
        g->defaults(r);
        g->defaults(written);
        assert_int_equal(kb_recipe_read(g->form, written, file, NULL), KB_OK);
        if (g->form == &kb_pasr_form)
            ((kb_pasr *)written)->T0.n = ((kb_pasr *)written)->p.n = 1;
        json_t *of[] = {kb_recipe_parameters(g->form, r), kb_recipe_parameters(g->form, written)};
        char *text[] = {json_dumps(of[0], 0), json_dumps(of[1], 0)};
        assert_string_equal(text[0], text[1]);
        for (int i = 0; i < 2; i++) {
            json_decref(of[i]);
            free(text[i]);
        }
        kb_recipe_free(g->form, r);
        kb_recipe_free(g->form, written);
        free(r);
    }
}

/* Y of a mixture as "H2 0.25 N2 0.75", or what is said of it */
TEST(mixtures_as_text)
{
    static const char *const mixtures[][2] = {
        {"O2:1,N2:3", "O2 0.25 N2 0.75"}, {" O2:1  N2:3,\tH2:0", "O2 0.25 N2 0.75"},
        {"H2:1e-3", "H2 1"}, {"H2:0.5,H2:0.5", "--fuel: H2 stands twice in 'H2:0.5,H2:0.5'"},
        {"O2:1;N2:3", "--fuel: mechanism h2 has no species 'O2:1;N2' (names are case sensitive)"},
        {"o2:1", "--fuel: mechanism h2 has no species 'o2' (names are case sensitive)"},
        {"O2", "--fuel: 'O2' is not 'species:moles' (an example: O2:1,N2:3.76)"},
        {":1", "--fuel: ':1' is not 'species:moles' (an example: O2:1,N2:3.76)"},
        {"O2:", "--fuel: the amount '' of O2 is not a number >= 0"},
        {"O2:1x", "--fuel: the amount '1x' of O2 is not a number >= 0"},
        {"O2:-1", "--fuel: the amount '-1' of O2 is not a number >= 0"},
        {"O2:inf", "--fuel: the amount 'inf' of O2 is not a number >= 0"},
        {"O2:nan", "--fuel: the amount 'nan' of O2 is not a number >= 0"},
        {"O2:0", "--fuel: 'O2:0' holds nothing (an example: O2:1,N2:3.76)"},
        {"", "--fuel: '' holds nothing (an example: O2:1,N2:3.76)"}};
    kb_mech m;
    assert_int_equal(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, NULL), KB_OK);
    kb_owned double *X = kb_alloc((size_t)m.nspecies, sizeof *X);
    for (size_t k = 0; k < sizeof mixtures / sizeof *mixtures; k++) {
        kb_error err = {0};
        char found[400] = "";
        int code = kb_mole_fractions(&m, "--fuel", mixtures[k][0], X, &err);
        for (int i = 0; i < m.nspecies && !code; i++)
            if (X[i] > 0)
                snprintf(found + strlen(found), 99, "%s%s %g", *found ? " " : "",
                         m.species[i].name, X[i]);
        assert_string_equal(code ? err.text : found, mixtures[k][1]);
    }
    kb_mech_free(&m);
}

/* moles of fuel over moles of oxidizer, or the message about both */
TEST(premixed_gases)
{
    static const struct {
        const char *fuel, *oxidizer;
        double phi, ratio;
        const char *say, *nitrogen; /* the element that takes its place */
    } cases[] = {
        {"N2:1", "O2:1", 1, 0.5, NULL, "S"}, {"N2:1", "O2:1", 1, 0.5, NULL, "C"},
        {"H2:1", "O2:1", 1, 2, NULL}, {"H2:1", "O2:1", 0.25, 0.5, NULL},
        {"H2:3", "O2:2", 0, 0, NULL}, {"H:1", "O2:1", 3, 12, NULL},
        {"H2:1", "H2O2:1", 1, 1, NULL},
        {"N2:1", "O2:1", 1, 0, "fuel lacks 0 O atoms and one of oxidizer offers 2, expected both"},
        {"O2:1", "O2:1", 1, 0, "fuel lacks -2 O atoms and one of oxidizer offers 2, expected"},
        {"H2:1", "H2:1", 1, 0, "fuel lacks 1 O atoms and one of oxidizer offers -1, expected"},
        {"H2:1", "N2:1", 1, 0, "fuel 'H2:1' and oxidizer 'N2:1': one mole of fuel lacks 1"},
        {"H2:1", "O2:1", -1e-9, 0, "equivalence ratio phi = -1e-09, expected >= 0"},
        {"H2:1", "O2:1", INFINITY, 0, "phi = inf"}, {"H2:1", "O2:1", NAN, 0, "phi = nan"},
        {"H2", "O2:1", 1, 0, "fuel: 'H2' is not"}, {"H2:1", "O2", 1, 0, "oxidizer: 'O2' is not"}};
    kb_mech m;
    assert_int_equal(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, NULL), KB_OK);
    kb_owned double *Y = kb_alloc((size_t)m.nspecies, sizeof *Y);
    char *element = m.elements[kb_find_element(&m, "N")].name;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kb_error err = {0};
        double moles[2] = {0, 0};
        strcpy(element, cases[k].nitrogen ? cases[k].nitrogen : "N");
        int code = kb_premixed(&m, cases[k].fuel, cases[k].oxidizer, cases[k].phi, Y, &err);
        assert_int_equal(code, cases[k].say ? KB_INVALID : KB_OK);
        if (code) {
            assert_non_null(strstr(err.text, cases[k].say));
            continue;
        }
        for (int side = 0; side < 2; side++) {
            const char *of = side ? cases[k].oxidizer : cases[k].fuel;
            kb_owned char *name = kb_format("%.*s", (int)strcspn(of, ":"), of);
            int i = kb_find_species(&m, name);
            moles[side] = Y[i] / m.species[i].weight;
        }
        assert_true(fabs(moles[0] - cases[k].ratio * moles[1]) <= 1e-14 * moles[1]);
    }
    kb_mech_free(&m);
}

/* first:last:count, of two values to KB_AXIS */
TEST(axes_of_many_values)
{
    for (int n = 0; n <= KB_AXIS + 1; n++) {
        kb_axis a;
        kb_error err = {0};
        kb_owned char *text = kb_format("10:20:%d", n);
        int good = n >= 2 && n <= KB_AXIS;
        assert_int_equal(kb_axis_parse(&a, "--phi", text, &err), good ? KB_OK : KB_INVALID);
        if (good)
            assert_true(a.n == n && a.v[0] == 10 && a.v[n - 1] == 20);
        else
            assert_non_null(strstr(err.text, text));
    }
}

FIXTURE(make_file)
{
    return mkstemp(path) < 0;
}

FIXTURE(remove_file)
{
    return remove(path);
}

TESTS(make_file, remove_file)
