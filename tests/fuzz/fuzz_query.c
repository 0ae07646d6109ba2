/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: queries of claims, over a folder with one run. What is read has an interval
 * around its value or a reason why there is none.
 */
#include "tests/fuzz/files.h"

#include "rows/evaluate.h"

static const char cells[] =
    "git,db_sha256,order,n,solver,engine,threads,rtol,time_s,time_lo_s,time_hi_s,err_p95,rhs_mean,"
    "failed,status\n"
    "abc,d,generated,64,a,cpu-scalar,1,1e-6,2,1.9,2.1,1e-6,10,0,ok\n"
    "abc,d,generated,128,a,cpu-scalar,1,1e-6,4,3.9,4.1,1e-6,12,0,ok\n"
    "abc,d,generated,64,b,gpu-thread,64,1e-6,1,0.9,1.1,1e-3,10,0,ok\n"
    "abc,d,generated,128,b,gpu-thread,64,1e-6,0,0,0,0,nan,0,ok\n"
    "abc,e,shuffled,64,c,gpu-thread,64,1e-6,1,0.5,2,1e-6,10,3,ok\n"
    "def,d,generated,64,late,gpu-thread,64,1e-6,,,,,,,skipped\n";

static void open_results(kb_results *r)
{
    char path[128];
    int file = 0;
    kb_error err;
    fuzz_folder_in("run");
    fuzz_file(&file, "run/cells.csv", cells, strlen(cells));
    fuzz_path("", path);
    if (kb_results_open(r, path, &err))
        abort();
}

static void evaluate(kb_results *r, const kb_query *q)
{
    kb_inquiry e = {.results = r};
    kb_value v;
    kb_error err = {0};
    kb_words_split(&e.runs, "run");
    int code = kb_evaluate(&e, q, &v, &err);
    if (code == KB_NOTHING ? !*e.why : code != KB_OK || v.n != 1)
        abort();
    if (!code)
        kb_value_free(&v);
    kb_words_free(&e.runs);
    kb_inquiry_clear(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kb_results results;
    kb_query q;
    kb_error err = {0};
    if (!results.folder)
        open_results(&results);
    char *text = kb_format("%.*s", (int)size, (const char *)data);
    int code = kb_query_parse(&q, text, "claims.tsv", 3, &err);
    fuzz_said(code, &err);
    if (!code)
        evaluate(&results, &q);
    kb_query_free(&q);
    free(text);
    return 0;
}
