/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of a run: every number of it comes back, and a file with a wrong number in its head,
 * with the right hash too, or with any wrong byte is refused.
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

#include <sha2.h>
#include <unistd.h>

#include "drivers/flow/resume.h"
#include "flow/run/checkpoint.h"
#include "flow/run/chemistry.h"

/* bytes of the head: the words of the run, its sizes, order of the fields, step, hash */
enum { WHAT = 8, MORE = 1024, BODY = 1032, NOW = 1040, STEP = 1056, HASH = 1168, HEAD = HASH + 72 };
static const char words[] = "a run", kept[] = "seconds";
static char path[] = "/tmp/kb_flow_checkpoint_XXXXXX";
static kb_flow run;
static char *bytes;
static size_t size;

static void open_run(kb_flow *f)
{
    kb_flow_options o;
    const kb_flow_case *c = flow_case("sod", &o);
    o.nx = 16;
    flow_open(f, c, &o, "mp5", "cpu-scalar");
}

static int make_run(void **state)
{
    kb_error err = {0};
    (void)state;
    flow_one_thread(state);
    open_run(&run);
    flow_steps(&run, 3);
    if (close(mkstemp(path)) ||
        kb_flow_checkpoint_write(&run, path, words, kept, sizeof kept, &err))
        return 1;
    FILE *f = fopen(path, "rb");
    bytes = kb_alloc(1 << 20, 1);
    size = f ? fread(bytes, 1, 1 << 20, f) : 0;
    return !f || fclose(f) || size < HEAD;
}

FIXTURE(end_run)
{
    kb_flow_close(&run);
    free(bytes);
    return remove(path);
}

/* the code of reading n of these bytes, hashed anew if asked for, and what it says */
static int read_back(kb_flow *f, char *text, size_t n, int hashed, kb_error *err)
{
    char back[sizeof kept], hash[65];
    bool found;
    *err = (kb_error){0};
    if (hashed) {
        memset(text + HASH, 0, HEAD - HASH);
        SHA256Data((const uint8_t *)text, n, hash);
        memcpy(text + HASH, hash, sizeof hash);
    }
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(text, 1, n, file) == n && fclose(file) == 0);
    int code = kb_flow_checkpoint_read(f, path, words, back, sizeof back, &found, err);
    assert_true(found && (code || strcmp(back, kept) == 0));
    return code;
}

static void refused(char *text, size_t n, int hashed, const char *why)
{
    kb_flow f;
    kb_error err;
    open_run(&f);
    assert_int_equal(read_back(&f, text, n, hashed, &err), KB_INVALID);
    if (!strstr(err.text, why))
        fail_msg("'%s' does not say '%s'", err.text, why);
    kb_flow_close(&f);
}

TEST(all_comes_back)
{
    kb_flow f = run, g;
    kb_flow_chemistry a = {.odes = 11, .attempts = 12, .redone = 13, .skipped = 14,
                           .seconds = 15.5};
    kb_flow_chemistry b = {0};
    char back[sizeof kept];
    bool found;
    f.chemistry = &a;
    f.retried = 2;
    f.owed = 0.25;
    f.nets = (kb_flow_nets){3, 4};
    assert_works(kb_flow_checkpoint_write(&f, path, words, kept, sizeof kept, &err));
    open_run(&g);
    g.chemistry = &b;
    assert_works(kb_flow_checkpoint_read(&g, path, words, back, sizeof back, &found, &err));
    assert_true(found && strcmp(back, kept) == 0);
    assert_true(g.step == 3 && g.retried == 2 && g.faces == f.faces && f.faces > 0);
    assert_true(g.t == f.t && f.t > 0 && g.owed == 0.25 && g.nets.scaled == 3);
    assert_true(g.nets.blended == 4 && g.health.rate == f.health.rate && g.health.bad == -1);
    assert_true(b.odes == 11 && b.attempts == 12 && b.redone == 13 && b.skipped == 14);
    assert_true(b.seconds == 15.5);
    g.chemistry = NULL;
    for (int i = 0; i < 16; i++)
        assert_true(kb_flow_density(&g, i, 0) == kb_flow_density(&f, i, 0));
    g.owed = 0;
    flow_steps(&g, 4);
    kb_flow again;
    open_run(&again);
    flow_steps(&again, 7);
    for (int i = 0; i < 16; i++)
        assert_true(kb_flow_density(&g, i, 0) == kb_flow_density(&again, i, 0));
    assert_true(g.t == again.t && g.step == 7);
    kb_flow_close(&again);
    kb_flow_close(&g);
    remove(path);
    assert_works(kb_flow_checkpoint_read(&run, path, words, back, sizeof back, &found, &err));
    assert_false(found);
}

/* what rank 0 tells rank 1 of two */
static int told;
static void tell(int rank, void *data, size_t size)
{
    if (rank == 0 && size == sizeof told)
        memcpy(data, &told, size);
}
static void most(double *x, int n) { (void)x, (void)n; }

/* rank 0 decides whether there is a checkpoint, and no rank goes on without it */
TEST(of_another_rank)
{
    const kb_flow_world world = {.rank = 1, .ranks = 2, .tell = tell, .most = most};
    kb_flow f;
    for (int k = 0; k < 4; k++) {
        kb_error err = {0};
        char back[sizeof kept], expected[100];
        bool found, here = k % 2;
        open_run(&f);
        if (here)
            assert_int_equal(
                kb_flow_checkpoint_write(&run, path, words, kept, sizeof kept, &err), KB_OK);
        else
            remove(path);
        f.options.world = &world;
        told = k / 2;
        snprintf(expected, sizeof expected, "%s: rank 0 sees it, another rank does not", path);
        int code = kb_flow_checkpoint_read(&f, path, words, back, sizeof back, &found, &err);
        assert_int_equal(code, told && !here ? KB_INVALID : KB_OK);
        assert_string_equal(err.text, code ? expected : "");
        assert_int_equal(found, told);
        assert_int_equal(f.step, told && here ? 3 : 0);
        f.options.world = NULL;
        kb_flow_close(&f);
    }
}

/* An engine whose stages write W beside the one that they read, as on a GPU: after an odd number of
 * stages the second of both is W. Its numbers are the same as of any other engine. */
TEST(two_fields_of_W)
{
    kb_flow_engine fused = *run.engine;
    kb_error err = {0};
    char back[sizeof kept];
    bool found;
    fused.fused = 1;
    for (int n = 1; n < 5; n++) {
        kb_flow f, g, plain;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("sod", &o);
        o.nx = 16;
        assert_int_equal(kb_flow_open(&f, c, &o, &fused, &err), KB_OK);
        assert_int_equal(kb_flow_open(&g, c, &o, &fused, &err), KB_OK);
        double *first = (double *)f.block + 3 * 4 * f.stage.grid.plane;
        flow_steps(&f, n);
        assert_ptr_equal(f.w == first ? f.next : f.w, first + 6 * f.stage.grid.plane);
        assert_int_equal(
            kb_flow_checkpoint_write(&f, path, words, kept, sizeof kept, &err), KB_OK);
        assert_int_equal(kb_flow_checkpoint_read(&g, path, words, back, sizeof back, &found, &err),
                         KB_OK);
        assert_int_equal(g.w - (double *)g.block, f.w - (double *)f.block);
        assert_int_equal(g.next - (double *)g.block, f.next - (double *)f.block);
        flow_steps(&g, 5 - n);
        open_run(&plain);
        flow_steps(&plain, 5);
        for (int i = 0; i < 16; i++)
            assert_true(kb_flow_density(&g, i, 0) == kb_flow_density(&plain, i, 0));
        kb_flow_close(&plain);
        kb_flow_close(&g);
        kb_flow_close(&f);
    }
    remove(path);
}

static bool is_order(const int *now)
{
    int seen = 0;
    for (int k = 0; k < 3; k++)
        seen |= now[k] >= 0 && now[k] < 3 ? 1 << now[k] : 8;
    return seen == 7;
}

/* which third is q[0], q[1], q[2]: their orders alone */
TEST(order_of_fields)
{
    kb_owned char *text = kb_alloc(size, 1);
    for (int k = 0; k < 5 * 5 * 5; k++) {
        const int32_t now[3] = {k % 5 - 1, k / 5 % 5 - 1, k / 25 - 1};
        kb_flow f;
        kb_error err;
        open_run(&f);
        memcpy(text, bytes, size);
        memcpy(text + NOW, now, sizeof now);
        int code = read_back(&f, text, size, 1, &err);
        assert_int_equal(code, is_order(now) ? KB_OK : KB_INVALID);
        for (int q = 0; q < 3 && !code; q++)
            assert_ptr_equal(f.q[q], (double *)f.block +
                             now[q] * (f.stage.grid.nsp + 3) * f.stage.grid.plane);
        kb_flow_close(&f);
    }
}

TEST(wrong_heads)
{
    static const struct { int at; const char *why; } list[] = {
        {0, "not a checkpoint"}, {WHAT, "another run"}, {MORE, "another run"},
        {BODY, "another run"}, {STEP + 7, "damaged"}};
    kb_owned char *text = kb_alloc(size + 1, 1);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        memcpy(text, bytes, size);
        text[list[k].at] ^= (char)0x80;
        refused(text, size, 1, list[k].why);
    }
    memcpy(text, bytes, size);
    text[size] = 0;
    refused(text, size + 1, 1, "damaged");
    memcpy(text, bytes, size);
    refused(text, size - 1, 1, "damaged");
    refused(text, HEAD - 1, 0, "not a checkpoint");
}

/* any byte behind the words, without a new hash */
TEST(any_byte)
{
    kb_owned char *text = kb_alloc(size, 1);
    for (size_t at = NOW; at < size; at += at < HEAD ? 3 : 149) {
        memcpy(text, bytes, size);
        text[at] ^= 1;
        refused(text, size, 0, "damaged");
    }
}

/* What a program keeps beside its run comes back, with or without it the seconds that were spent;
 * a run that is new has none. */
TEST(what_a_program_goes_on_with)
{
    static const char text[] = "rodas4/h2";
    kb_flow_settings set = {.quiet = true, .checkpoint = 1};
    char folder[] = "/tmp/kb_flow_resume_XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t size = 0; size <= 16; size += 16) {
        double more[2] = {3, 4};
        kb_error err = {0};
        kb_flow_resume r;
        assert_works(kb_flow_resume_open(&r, &set, folder, &run, "", text, more, size, &err));
        assert_true(r.spent == 0 && more[0] == 3 && more[1] == 4);
        r.begin -= 1000;
        assert_int_equal(kb_flow_resume_close(&r, &run, KB_INTERRUPTED, &err), KB_INTERRUPTED);
        more[0] = more[1] = 0;
        kb_flow f;
        open_run(&f);
        assert_works(kb_flow_resume_open(&r, &set, folder, &f, "", text, more, size, &err));
        assert_true(r.spent >= 1000 && r.spent < 2000 && f.step == run.step);
        assert_true(more[0] == (size ? 3 : 0) && more[1] == (size ? 4 : 0));
        assert_true(kb_flow_resume_seconds(&r) >= r.spent);
        kb_flow_resume_close(&r, &f, KB_OK, &err);
        kb_flow_close(&f);
        kb_flow_resume_drop(folder);
    }
    assert_int_equal(rmdir(folder), 0);
}

static char *words_with(const kb_flow_settings *set, const char *gas, const char *text)
{
    kb_flow_resume r;
    kb_error err = {0};
    assert_works(kb_flow_resume_open(&r, set, "/tmp/none", &run, gas, text, NULL, 0, &err));
    char *what = kb_strdup(r.what);
    kb_flow_resume_close(&r, &run, KB_OK, &err);
    return what;
}

/* each choice that makes a run another one is in the words by which its checkpoint is known */
TEST(words_of_a_run)
{
    const kb_flow_settings set = {.quiet = true, .p = 1e5, .T = 300, .T_react = 500, .frames = 1,
                                  .mixture = "H2:2"};
    const kb_flow_options was = run.options;
    char *plain = words_with(&set, "gas", "text"), *other;
    for (int i = 0; i < 18; i++) {
        kb_flow_settings s = set;
        kb_flow_options *o = &run.options;
        double *numbers[] = {&s.p, &s.T, &s.T_react, &o->end, &o->cfl, &o->noise};
        int *choices[] = {&o->nx, &o->ny, (int *)&o->variables, (int *)&o->riemann};
        if (i < 6)
            *numbers[i] += 1;
        else if (i < 10)
            (*choices[i - 6])++;
        s.mixture = i == 10 ? "H2:3" : s.mixture;
        s.frames += i == 11;
        s.splitting += i == 12;
        o->nets += i == 13;
        o->turn += i == 14;
        o->seed += i == 15;
        other = words_with(&s, i == 16 ? "air" : "gas", i == 17 ? "word" : "text");
        run.options = was;
        assert_string_not_equal(plain, other);
        free(other);
    }
    other = words_with(&set, "gas", "text");
    assert_string_equal(plain, other);
    free(other);
    free(plain);
}

TESTS(make_run, end_run)
