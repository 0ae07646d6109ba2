/* SPDX-License-Identifier: MIT
 *
 * Lines of claims: what is refused, which source of rows is taken, guards; and the claims of the
 * papers themselves.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"
#include "drivers/claims/judge.h"

static char folder[] = "/tmp/kb_test_ledger_XXXXXX";
static char path[64];

#define NAMES "id\tpaper\twhere\tquantity\tprinted\tprinted_lo\tprinted_hi\tkind\tportable\t" \
              "experiment\tquery\tdirection\tband\tguard\tnote\n"

static void put(const char *file, const char *text)
{
    char full[200];
    snprintf(full, sizeof full, "%s/%s", folder, file);
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* a line from its last fields */
static char *line_of(const char *kind, const char *portable, const char *rest)
{
    return kb_format("%sa-1\ta\tFig. 1\tquantity\t2\t2\t2\t%s\t%s\t%s\tnote\n", NAMES, kind,
                     portable, rest);
}

static const char cells[] =
    "git,db_sha256,n,solver,engine,time_s,time_lo_s,time_hi_s,err_p95,rhs_mean,status\n"
    "abc,d,64,a,gpu-thread,2,1.9,2.1,1e-6,10,ok\n"
    "abc,d,64,b,gpu-thread,1,0.9,1.1,1e-3,10,ok\n"
    "abc,d,128,a,gpu-thread,4,3.9,4.1,1e-6,12,ok\n"
    "abc,d,128,b,gpu-thread,2,1.9,2.1,1e-3,12,ok\n"
    "abc,d,64,c,gpu-thread,1,0.5,2,1e-6,10,ok\n"
    "abc,d,64,same,gpu-thread,1,0.99,1.01,1e-6,10,ok\n";

/* slow was ended at its budget: two steps of 64 ODEs took more than 8 s, and so more than 64 do;
 * what 32 take, or 512 beside a row that is not there, nobody knows */
static const char ended[] =
    "git,db_sha256,n,steps,solver,time_s,time_lo_s,time_hi_s,err_p95,status,why\n"
    "abc,d,64,2,slow,,,,,skipped,one run of 64 ODEs took longer than the budget of 8 s\n"
    "abc,d,128,2,slow,,,,,skipped,one run of 64 ODEs took longer than the budget of 8 s\n"
    "abc,d,256,2,slow,,,,,skipped,\"beyond the budget, as with rtol 1e-06 and n 64\"\n"
    "abc,d,32,2,slow,,,,,skipped,one run of 64 ODEs took longer than the budget of 8 s\n"
    "abc,d,512,2,slow,,,,,skipped,\"beyond the budget, as with rtol 1e-06 and n 50\"\n"
    "abc,d,32,2,quick,1,0.9,1.1,1e-6,ok,\n"
    "abc,d,256,2,quick,1,0.9,1.1,1e-6,ok,\n"
    "abc,d,64,2,quick,1,0.9,1.1,1e-6,ok,\n"
    "abc,d,128,2,quick,1,0.9,1.1,1e-6,ok,\n"
    "abc,d,64,2,held,,,,,skipped,64 ODEs had not all ended after 32 substeps and 8 s: a kernel\n"
    "abc,d,64,2,left,,,,,skipped,beyond the budget of 8 s\n";

static int make(void **state)
{
    static const char *const runs[] = {"first", "second", "ended", "second-b"};
    char run[100];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/claims.tsv", folder);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(run, sizeof run, "%s/%s", folder, runs[i]);
        mkdir(run, 0777);
    }
    put("ended/cells.csv", ended);
    put("second/cells.csv", cells);
    put("second-b/cells.csv", "git,db_sha256,n,solver,engine,time_s,time_lo_s,time_hi_s,err_p95,"
                              "rhs_mean,status\nabc,d,64,own,gpu-thread,2,1.9,2.1,1e-6,10,ok\n");
    put("first/cells.csv", "git,db_sha256,n,solver,engine,time_s,time_lo_s,time_hi_s,err_p95,"
                           "rhs_mean,status\n"
                           "abc,d,64,own,gpu-thread,2,1.9,2.1,1e-6,10,ok\n");
    return 0;
}

FIXTURE(delete)
{
    return delete_tree(folder);
}

TEST(wrong_lines_are_refused)
{
    static const struct { const char *kind, *portable, *rest, *says; } wrong[] = {
        {"ratios", "yes", "-\t1\t> 1\t-\t-", ":2: no such kind 'ratios'"},
        {"ratio", "maybe", "-\t1\t> 1\t-\t-", ":2: no such portability 'maybe'"},
        {"cited", "no", "-\t1\t-\t-\t-", "nothing can be asked for a claim of kind 'cited'"},
        {"ratio", "yes", "-\t1 +\t> 1\t-\t-", "query, column 4: unexpected '(end)'"},
        {"ratio", "yes", "-\t1 || us{x=1}\t> 1\t-\t-", "query, column 9: no such column 'x=1'"},
        {"ratio", "yes", "-\t1\tabove 1\t-\t-", "no such direction 'above 1'"},
        {"ratio", "yes", "-\t1\t= 1\t-\t-", "no such direction '= 1'"},
        {"ratio", "yes", "-\t1\t> x\t-\t-", "no such column or function 'x'"},
        {"ratio", "yes", "-\t1\t> 1\t1-2\t-", "no such band '1-2'"},
        {"ratio", "yes", "-\t1\t> 1\t1..y\t-", "no such column or function 'y'"},
        {"ratio", "yes", "-\t1\t> 1\t-\twork luck", "no such guard 'luck'"},
        {"ratio", "yes", "-\t1\t> 1\t-\terr=-1", "no such guard 'err=-1'"},
        {"ratio", "yes", "-\t1\t> 1\t-\terr=1x", "no such guard 'err=1x'"},
        {"ratio", "yes", "-\t1\t> 1\t-\t", "empty field 'guard'"},
        {"ratio", "yes", "-\t1\t> 1\t-", "14 fields in place of 15"},
        {"ratio", "yes", "-\t1\t> 1\t-\t-\tx\tx", "17 fields in place of 15"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kb_ledger l;
        kb_error err = {0};
        kb_owned char *line = line_of(wrong[i].kind, wrong[i].portable, wrong[i].rest);
        put("claims.tsv", line);
        if (kb_ledger_read(&l, path, &err) != KB_INVALID || !strstr(err.text, wrong[i].says))
            fail_msg("'%s' in place of '%s'", err.text, wrong[i].says);
    }
}

TEST(files_are_checked)
{
    kb_ledger l;
    kb_error err = {0};
    put("claims.tsv", NAMES);
    assert_fails(kb_ledger_read(&l, path, &err), KB_INVALID, "no claims");
    put("claims.tsv", "id\tpaper\n");
    assert_int_equal(kb_ledger_read(&l, path, &err), KB_INVALID);
    kb_owned char *line = line_of("ratio", "yes", "-\t1\t> 1\t-\t-");
    kb_owned char *both = kb_format("%s%s", line, line + strlen(NAMES));
    put("claims.tsv", both);
    assert_fails(kb_ledger_read(&l, path, &err), KB_INVALID, ":3: a second claim 'a-1'");
}

/* Verdict on a claim with these last fields; *why is fresh */
static kb_verdict judged(const char *kind, const char *portable, const char *rest, char **why)
{
    kb_ledger l;
    kb_results r;
    kb_judgement j;
    kb_owned char *line = line_of(kind, portable, rest);
    put("claims.tsv", line);
    assert_works(kb_ledger_read(&l, path, &err));
    assert_works(kb_results_open(&r, folder, &err));
    assert_works(kb_judge(&r, &l.of[0], &j, &err));
    *why = kb_format("%s [%s] %s (%s)", j.why, j.rows, j.git, j.runs);
    kb_verdict verdict = j.verdict;
    kb_judgement_free(&j);
    kb_results_free(&r);
    kb_ledger_free(&l);
    return verdict;
}

static void expect(kb_verdict expected, const char *rest, const char *says)
{
    kb_owned char *why = NULL;
    kb_verdict verdict = judged("ratio", "yes", rest, &why);
    if (verdict != expected || !strstr(why, says))
        fail_msg("%s: %s, '%s' in place of %s, '%s'", rest, kb_verdict_names[verdict], why,
                 kb_verdict_names[expected], says);
}

#define AB "us{a n=64} / us{b n=64}"

TEST(every_verdict)
{
    char *why;
    expect(KB_HOLDS, "second\t" AB "\t> 1\t1..4\t-", "asked: > 1, in 1..4 [second/cells:2 3] abc");
    expect(KB_DIRECTION_HOLDS, "second\t" AB "\t> 1\t3..4\t-", "asked: > 1, in 3..4");
    expect(KB_DOES_NOT_HOLD, "second\t" AB "\t< 1\t-\t-", "asked: < 1");
    expect(KB_UNCLEAR, "second\t" AB "\t> 2\t-\t-", "asked: > 2");
    /* each run once, also one whose name is a part of another one's */
    expect(KB_HOLDS, "second-b+second\tus{own n=64} / us{b n=64}\t> 1\t-\t-",
           "(second-b second)");
    expect(KB_CANNOT_SAY, "second\tus{z n=64}\t> 2\t-\t-", "no row for us{z 64} in second");
    expect(KB_CANNOT_SAY, "third\t" AB "\t> 2\t-\t-", "in third");
    /* a bound may be measured, as A/A is */
    expect(KB_HOLDS, "second\t" AB "\t> 1.4 * us{b n=64} / us{b n=64}\t-\t-", "asked: > 1.4");
    expect(KB_CANNOT_SAY, "second\t" AB "\t> us{z n=64}\t-\t-", "no bound: no row for us{z 64}");
    expect(KB_CANNOT_SAY, "second\t" AB "\t> 1\t1..us{z n=64}\t-", "no bound: no row for us{z");
    assert_int_equal(judged("ratio", "no", "second\t" AB "\t-\t-\t-", &why), KB_NOT_JUDGED);
    assert_non_null(strstr(why, "reported: note"));
    free(why);
    assert_int_equal(judged("cited", "no", "-\t-\t-\t-\t-", &why), KB_NOT_JUDGED);
    free(why);
    assert_int_equal(judged("ratio", "yes", "-\t-\t-\t-\t-", &why), KB_CANNOT_SAY);
    free(why);
}

TEST(every_guard)
{
    expect(KB_CANNOT_SAY, "second\t" AB "\t> 1\t-\terr",
           "errors of the two sides are a factor 1e+03");
    expect(KB_CANNOT_SAY, "second\t" AB "\t> 1\t-\terr=1", "(guard err=1)");
    expect(KB_HOLDS, "second\t" AB "\t> 1\t-\terr=2000", "asked");
    expect(KB_CANNOT_SAY, "second\tus{a n=64} / us{c n=64}\t> 0\t-\tinterval",
           "the interval is ");
    expect(KB_HOLDS, "second\tus{a n=64} / us{c n=64}\t> 0\t-\tinterval=10", "asked");
    expect(KB_CANNOT_SAY, "second\tmax(us{a} / us{b})\t> 1\t-\twork",
           "mean work of an ODE changes by 20 %");
    expect(KB_HOLDS, "second\tmax(us{a} / us{b})\t> 1\t-\twork=0.2", "asked"); /* no more */
    expect(KB_HOLDS, "second\tat(us{a} / us{b}, 64)\t> 1\t-\twork", "asked");
}

#define SLOW "us{slow n=64} / us{quick n=64}"

/* a run that was ended at its budget of 8 s took at least 4 s for each of two steps */
TEST(a_run_that_was_ended_is_a_bound)
{
    expect(KB_HOLDS, "ended\t" SLOW "\t> 3\t-\tinterval err",
           "a run that was ended at its budget counts as at least that long [ended/cells:2 9] abc");
    expect(KB_HOLDS, "ended\ttime_s{slow n=64}\t>= 4\t-\t-", "asked: >= 4");
    expect(KB_CANNOT_SAY, "ended\t" SLOW "\t> 4\t-\t-", "leaves it open");
    expect(KB_HOLDS, "ended|second\t" SLOW " || 3 * us{a n=64} / us{b n=64}\t> 4\t4..9\t-",
           "second in place of ended");
    expect(KB_DIRECTION_HOLDS, "ended\t" SLOW "\t> 3\t1..100\t-", "asked: > 3, in 1..100");
    expect(KB_DOES_NOT_HOLD, "ended\tus{quick n=64} / us{slow n=64}\t> 0.3\t-\t-", "asked");
    expect(KB_CANNOT_SAY, "ended\tus{quick n=64} / us{slow n=64}\t> 0.2\t-\t-", "leaves it open");
    /* more ODEs, of which those are some */
    expect(KB_HOLDS, "ended\ttime_s{held n=64}\t>= 4\t-\t-", "asked: >= 4");
    expect(KB_CANNOT_SAY, "ended\ttime_s{held n=64}\t>= 4.1\t-\t-", "leaves it open");
    expect(KB_HOLDS, "ended\ttime_s{slow n=128}\t>= 4\t-\t-", "asked: >= 4");
    expect(KB_HOLDS, "ended\ttime_s{slow n=256}\t>= 4\t-\t-", "asked: >= 4");
    expect(KB_HOLDS, "ended\tmin(time_s{slow n>=64 n<=256} / time_s{quick})\t> 3\t-\t-", "asked");
    /* fewer, a row that is not there, another reason, a part of the time: no bound */
    expect(KB_CANNOT_SAY, "ended\tus{slow n=32}\t> 0\t-\t-", "skipped: one run of 64");
    expect(KB_CANNOT_SAY, "ended\tus{slow n=512}\t> 0\t-\t-", "as with rtol 1e-06 and n 50");
    expect(KB_CANNOT_SAY, "ended\tus{left n=64}\t> 0\t-\t-", "skipped: beyond the budget");
    expect(KB_CANNOT_SAY, "ended\tkernel_s{slow n=64}\t> 0\t-\t-", "skipped: one run of 64");
    /* a curve of a bound and of what nobody knows */
    expect(KB_CANNOT_SAY, "ended\tmin(us{slow} / us{quick})\t> 3\t-\t-", "ended:6 is skipped");
    expect(KB_HOLDS, "ended\tmin(us{slow n>=64 n<100} / us{quick})\t> 3\t-\t-", "asked");
    /* what nobody knows of an alternative that comes later does not matter */
    expect(KB_HOLDS, "ended\ttime_s{solver=slow|left n=64}\t>= 4\t-\t-", "asked: >= 4");
    expect(KB_CANNOT_SAY, "ended\ttime_s{solver=left|slow n=64}\t>= 4\t-\t-", "ended:12 is skip");
}

TEST(sources_of_rows_come_in_turn)
{
    expect(KB_HOLDS, "first|second\t" AB "\t> 1\t1..4\t-", "; second in place of first");
    expect(KB_DIRECTION_HOLDS, "first|~second\t" AB "\t> 1\t1..4\t-",
           "; second stands in for first");
    expect(KB_HOLDS, "first|~second\t" AB "\t> 1\t-\t-", "stands in");
    expect(KB_HOLDS, "first|second\tus{own n=64} / us{b n=64} || " AB "\t> 1\t-\t-",
           "second in place of first");
    expect(KB_HOLDS, "first+second\tus{own n=64} / us{b n=64}\t> 1\t-\t-",
           "[first/cells:2 second/cells:3]");
    expect(KB_HOLDS, "second\tus{z|a n=64} / us{b n=64}\t> 1\t-\t-", "solver a in place of z");
    /* a guard that fails does not make the next source a better one */
    expect(KB_CANNOT_SAY, "second|first\t" AB "\t> 1\t-\terr", "guard err=100");
}

TEST(the_claims_of_the_papers_parse)
{
    kb_ledger l;
    int queries = 0, beyond = 0;
    assert_works(kb_ledger_read(&l, "datasets/claims.tsv", &err));
    assert_int_equal(l.count, 274);
    for (int i = 0; i < l.count; i++) {
        const kb_claim *c = &l.of[i];
        queries += c->nqueries > 0;
        beyond += kb_claim_beyond(c);
        /* a claim that is asked says when it holds, unless it is reported only */
        if (c->nqueries && strcmp(c->field[KB_PORTABLE], "no"))
            assert_true(*c->direction || c->least.root);
    }
    assert_true(queries >= 200 && queries + beyond <= 274);
    kb_ledger_free(&l);
}

/* e3-gri30-ignition, e10-sizes-usc2: a run of datasets/experiments.tsv, or such a run of another
 * mechanism */
static bool is_experiment(const char *table, const char *name)
{
    for (size_t n = strlen(name); n > 0; n--) {
        kb_owned char *line = kb_format("\n%.*s\t", (int)n, name);
        bool there = strstr(table, line) && (!name[n] || name[n] == '-');
        if (there)
            return true;
    }
    return false;
}

TEST(sources_are_experiments)
{
    static char table[200000];
    kb_ledger l;
    FILE *f = fopen("datasets/experiments.tsv", "r");
    assert_non_null(f);
    assert_true(fread(table, 1, sizeof table - 1, f) > 0 && feof(f));
    fclose(f);
    assert_works(kb_ledger_read(&l, "datasets/claims.tsv", &err));
    for (int i = 0; i < l.count; i++) {
        const char *p = l.of[i].field[KB_EXPERIMENT];
        for (size_t n; *p; p += n + strspn(p + n, "|+~")) {
            n = strcspn(p, "|+~");
            kb_owned char *name = kb_format("%.*s", (int)n, p);
            if (name[0] == 'e' && name[1] >= '0' && name[1] <= '9' && !is_experiment(table, name))
                fail_msg("%s: no experiment %s", l.of[i].field[KB_ID], name);
        }
    }
    kb_ledger_free(&l);
}

TEST(a_choice_of_claims)
{
    kb_ledger l;
    kb_words papers = {0}, ids = {0}, none = {0};
    assert_works(kb_ledger_read(&l, "datasets/claims.tsv", &err));
    kb_words_split(&papers, "nobody2020");
    assert_fails(kb_ledger_choose(&l, &papers, &none, &err), KB_INVALID,
                 "there are niemeyer2014, lecambier2013, stone2014, ");
    kb_words_free(&papers);
    kb_words_split(&papers, "curtis2017");
    kb_words_split(&ids, "stone2014-c001");
    assert_works(kb_ledger_choose(&l, &papers, &none, &err));
    assert_int_equal(l.count, 47);
    assert_fails(kb_ledger_choose(&l, &none, &ids, &err), KB_INVALID,
                 "no claim 'stone2014-c001': there are curtis2017-c001 to ");
    kb_words_free(&papers);
    kb_words_free(&ids);
    kb_ledger_free(&l);
}

TESTS(make, delete)
