/* SPDX-License-Identifier: MIT
 *
 * Files of a partially stirred reactor: interruption and checkpoints, recipes good and bad, saving.
 */
#include <signal.h>
#include <sys/resource.h>

#include "tests/test.h"
#include "base/file.h"
#include "tests/unit/pasr_case.h"

TEST(interruption)
{
    static const long at[] = {1, 4, 9, 10, 17};
    kb_pasr r = small(KB_PREMIXED);
    r.start = 0.25; /* kept from step 3 on, every second one */
    r.every = 2;
    assert_goes_on(run_pasr, &r, at, sizeof at / sizeof *at);
    kb_recipe_free(&kb_pasr_form, &r);
}

static void copy_file(const char *from, const char *to)
{
    kb_owned char *command = kb_format("cp %s %s", from, to);
    assert_int_equal(system(command), 0);
}

/* data: the checkpoint's path; a copy of it is made at step 14, when it is that of step 12 */
static void copy_checkpoint(void *data, long step, long steps)
{
    (void)steps;
    if (step == 14)
        copy_file(data, file);
}

/* a run that was killed leaves an older checkpoint, and rows beyond it */
TEST(killed)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output whole, again;
    char *kept = kb_beside(base, ".kept"), *checkpoint = kb_beside(base, ".checkpoint");
    kb_march_how how = {.path = base, .checkpoint = 6, .progress = copy_checkpoint,
                        .data = checkpoint};
    assert_int_equal(run_with(&r, solvers, how, &whole, NULL), KB_OK);
    copy_file(file, checkpoint);
    FILE *f = fopen(kept, "ab");
    fputs("half a row", f);
    fclose(f);
    how.progress = NULL;
    assert_int_equal(run_with(&r, solvers, how, &again, NULL), KB_OK);
    assert_same(&whole, &again);
    kb_output_free(&whole);
    kb_output_free(&again);
    free(kept);
    free(checkpoint);
    kb_recipe_free(&kb_pasr_form, &r);
}

static void limit_files(rlim_t size)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* no room on the disk for the checkpoint of step 12 */
static void fill_disk(void *data, long step, long steps)
{
    (void)data, (void)steps;
    limit_files(step >= 8 && step < 14 ? 512 : RLIM_INFINITY);
}

/* with one bit of that byte changed the file is refused; it is then as before */
static void assert_changed(const char *path, long at, const char *expected, kb_pasr *r)
{
    kb_output o;
    kb_error err = {0};
    for (int pass = 0; pass < 2; pass++) {
        FILE *f = fopen(path, "r+b");
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        int byte = fgetc(f);
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        fputc(byte ^ 4, f);
        fclose(f);
        if (pass == 0)
            assert_int_equal(run_with(r, solvers, (kb_march_how){.path = base, .checkpoint = 6},
                                      &o, &err), KB_INVALID);
    }
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
}

TEST(foreign_checkpoints)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    kb_march_how how = {.path = base, .checkpoint = 6};
    r.seed++; /* the one there is from before */
    assert_fails(run_with(&r, solvers, how, &o, &err), KB_INVALID, "belongs to another recipe");
    r.seed--;
    kb_owned char *kept = kb_beside(base, ".kept"), *checkpoint = kb_beside(base, ".checkpoint");
    assert_changed(kept, 1000, "damaged, its hash", &r);
    assert_changed(checkpoint, 300, "damaged", &r);  /* the state begins at 232 */
    assert_changed(checkpoint, 100, "damaged", &r);  /* in the hashes */
    assert_int_equal(truncate(kept, 100), 0);
    assert_fails(run_with(&r, solvers, how, &o, &err), KB_INVALID, "truncated");
    assert_int_equal(truncate(checkpoint, 500), 0);
    assert_fails(run_with(&r, solvers, how, &o, &err), KB_INVALID, "damaged");
    assert_int_equal(truncate(checkpoint, 5), 0);
    assert_fails(run_with(&r, solvers, how, &o, &err), KB_INVALID, "not a checkpoint");
    kb_checkpoint_drop(base);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* one changed parameter of the text of a good recipe -> what the message must hold */
static void bad_text(const char *text, const char *expected)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_error err = {0};
    assert_int_equal(kb_file_write(file, text, strlen(text), NULL, 0, NULL), KB_OK);
    assert_int_equal(kb_recipe_read(&kb_pasr_form, &r, file, &err), KB_INVALID);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
    kb_recipe_free(&kb_pasr_form, &r);
}

#define RECIPE(parameters) \
    "{\"generator\": \"pasr\", \"version\": 2, \"parameters\": {" parameters "}}"

TEST(bad_recipes)
{
    bad_text("{", "recipe.json:1");
    bad_text("{\"generator\": \"ignition\", \"version\": 1, \"parameters\": {}}", "\"pasr\"");
    bad_text("{\"generator\": \"pasr\", \"version\": 3, \"parameters\": {}}", "version");
    bad_text("{\"generator\": \"pasr\", \"version\": 2}", "parameters");
    bad_text(RECIPE("\"tau_res\": 1"), "unknown parameter 'tau_res' (known: mech");
    bad_text(RECIPE("\"tau_res_s\": \"1\""), "'tau_res_s' is not a number");
    bad_text(RECIPE("\"tau_res_s\": -1"), "'tau_res_s' = -1, expected");
    bad_text(RECIPE("\"particles\": 10.5"), "'particles' is not a whole number");
    bad_text(RECIPE("\"particles\": 0"), "'particles' = 0, expected 2");
    bad_text(RECIPE("\"T0_K\": []"), "'T0_K' has 0 values");
    bad_text(RECIPE("\"T0_K\": [400, 10]"), "'T0_K' = 10, expected 200");
    bad_text(RECIPE("\"p_atm\": [\"1\"]"), "'p_atm' is not a number");
    bad_text(RECIPE("\"inflow\": \"mixed\""), "'mixed' is none of premixed, non-premixed");
    bad_text(RECIPE("\"pilot_share\": 1.5"), "'pilot_share' = 1.5, expected 0 to 1");
    bad_text(RECIPE("\"fuel\": 3"), "'fuel' is not a string");
    bad_text(RECIPE("\"fuel\": \"\""), "'fuel': the value is empty");
    bad_text(RECIPE("\"seed\": 100000000000000000000"), "recipe.json:1");
}

static void refused(kb_pasr *r, const char *expected)
{
    kb_output o;
    kb_error err = {0};
    assert_int_equal(run_with(r, solvers, (kb_march_how){0}, &o, &err), KB_INVALID);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
    kb_recipe_free(&kb_pasr_form, r);
}

TEST(one_step)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    r.start = 0;
    r.times = kb_pasr_dt(&r) / r.tau_res;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    assert_int_equal(kb_pasr_plan_of(&r).steps, 1);
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(bad_values)
{
    kb_pasr r = small(KB_PREMIXED);
    r.particles = 7;
    refused(&r, "even number");
    r = small(KB_PREMIXED);
    r.dt = 1e-3;
    refused(&r, "too long");
    r = small(KB_PREMIXED);
    r.start = 3;
    refused(&r, "start_residence_times");
    r = small(KB_PREMIXED);
    r.times = 1e-3;
    refused(&r, "steps");
    r = small(KB_PREMIXED);
    r.tau_res = r.tau_mix = r.tau_pair = 1e6;
    r.dt = 1e-15;
    r.coarse = 1e5;
    refused(&r, "2 residence times of 1e+06 s are 2e+21 times dt = 1e-15 s, expected less than");
    r = small(KB_PREMIXED);
    r.start = 0;
    r.least = 1;
    refused(&r, "n = 1: one time has");
    r = small(KB_PREMIXED);
    free(r.fuel);
    r.fuel = kb_strdup("CH4:1");
    refused(&r, "CH4");
    r = small(KB_NON_PREMIXED);
    free(r.solver);
    r.solver = kb_strdup("euler");
    refused(&r, "'euler'");
}

/* what is saved reads back, and the .json is the recipe of the same database */
TEST(saved)
{
    kb_pasr r = small(KB_NON_PREMIXED), again;
    kb_output o, p;
    kb_database db;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    assert_works(kb_recipe_save(&kb_pasr_form, &r, solvers, &o, base, &err));
    assert_works(kb_database_read(&db, base, mech.nspecies, false, &err));
    assert_int_equal(db.n, o.n);
    kb_owned char *json = kb_beside(base, ".json"), *aux = kb_beside(base, ".aux.npy");
    kb_states_kind kind = kb_states_kind_read(base);
    assert_string_equal(kind.name, "after");
    assert_true(kind.dt == kb_pasr_dt(&r));
    kb_pasr_defaults(&again);
    assert_works(kb_recipe_read(&kb_pasr_form, &again, json, &err));
    assert_int_equal(run_with(&again, solvers, (kb_march_how){0}, &p, NULL), KB_OK);
    assert_same(&o, &p);
    remove(json);
    remove(aux);
    kb_database_free(&db);
    kb_output_free(&o);
    kb_output_free(&p);
    kb_recipe_free(&kb_pasr_form, &r);
    kb_recipe_free(&kb_pasr_form, &again);
}

/* A checkpoint that cannot be written does not end the run */
TEST(full_disk)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output whole, again;
    kb_error err = {0};
    kb_owned char *checkpoint = kb_beside(base, ".checkpoint");
    kb_march_how how = {.path = base, .checkpoint = 6};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(run_with(&r, solvers, how, &whole, &err), KB_OK);
    remove(checkpoint);
    how.progress = fill_disk;
    assert_works(run_with(&r, solvers, how, &again, &err));
    assert_same(&whole, &again);
    remove(checkpoint);
    kb_output_free(&whole);
    kb_output_free(&again);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* the .json beside base.npy -> the kind of its states, in words */
static void kind_of(const char *json, const char *expected)
{
    kb_owned char *path = kb_beside(base, ".json");
    FILE *f = fopen(path, "w");
    fputs(json, f);
    fclose(f);
    kb_states_kind kind = kb_states_kind_read(base);
    kb_owned char *words = kb_states_kind_text(&kind);
    assert_string_equal(words, expected);
    remove(path);
}

/* as recorded; by the generator where a record is older than kinds; and nothing made up */
TEST(kinds)
{
    kind_of("{\"generator\": \"pasr\", \"states\": \"before\", \"states_dt_s\": 1e-6}",
            "before reaction, step 1e-06 s");
    kind_of("{\"generator\": \"pasr\"}", "after reaction");
    kind_of("{\"generator\": \"lem\"}", "before reaction");
    kind_of("{\"generator\": \"flow\"}", "of a flow, before reaction");
    kind_of("{\"generator\": \"import\"}", "");
    kind_of("{\"generator\": \"pasr\", \"states\": \"a,b\\nc\"}", "");
    kind_of("{\"states\": 1}", "");
    kind_of("not JSON", "");
    kb_states_kind none = kb_states_kind_read("/nonexistent/file.npy");
    assert_string_equal(none.name, "");
}

TESTS(open_all, close_all)
