/* SPDX-License-Identifier: MIT
 *
 * A table of made-up columns as it is read back: which fields are no values, and which heads are
 * other ones.
 */
#include <unistd.h>

#include "tests/test.h"
#include "rows/columns.h"

static const kb_column columns[] = {{"key", "", "TEXT(key)", ""},
                                    {"name", "", "TEXT(name)", ""},
                                    {"time_s", "s", "MEASURED(time, 6)", ""},
                                    {"steps", "", "EXACT(steps)", ""},
                                    {"err_max", "", "NUMBER(err, 3)", ""},
                                    {"err", "", "NUMBER(err, 3)", ""}};
static const kb_columns of = {"made-up.csv", columns, sizeof columns / sizeof *columns};

#define HEAD "key,name,time_s,steps,err_max,err\n"
#define KEY "0123456789abcdef"
static char path[] = "/tmp/kb_columns_XXXXXX";

FIXTURE(start)
{
    strcpy(path + sizeof path - 7, "XXXXXX");
    return close(mkstemp(path));
}

FIXTURE(end) { return unlink(path); }

/* How the reader answers to a file: "", or the first line of what it says behind the path */
static const char *answer(const char *text)
{
    static kb_error err;
    kb_csv t;
    FILE *f = fopen(path, "w");
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    kb_columns_start(&t, &of);
    err = (kb_error){0};
    int code = kb_columns_read(&t, &of, path, &err);
    assert_true(code == (*err.text ? KB_INVALID : KB_OK));
    kb_csv_free(&t);
    char *line = strstr(err.text, path);
    return line ? line + strlen(path) : err.text;
}

TEST_WITH(fields_that_are_no_values, start, end)
{
    static const struct {
        const char *row, *says; /* "": it is read */
    } all[] = {
        {KEY ",,0,0,,", ""},
        {KEY ",-1 nan,1.5e-3,-2,inf,-1", ""},
        {KEY ",x,1,1,-inf,0", ""},
        {KEY "0,x,1,1,0,0", ":3: key is not 16 hexadecimal digits:"},
        {"0123456789abcde,x,1,1,0,0", ":3: key is not 16 hexadecimal digits:"},
        {"0123456789abcdeg,x,1,1,0,0", ":3: key is not 16 hexadecimal digits:"},
        {",x,1,1,0,0", ":3: key is not 16 hexadecimal digits:"},
        {KEY ",x,,1,0,0", ":3: time_s is empty:"},
        {KEY ",x,1,,0,0", ":3: steps is empty:"},
        {KEY ",x,-1e-9,1,0,0", ":3: time_s is negative:"},
        {KEY ",x,1s,1,0,0", ":3: time_s is not a number:"},
        {KEY ",x,1,1,0,0 ", ":3: err is not a number:"},
        {KEY ",x,1,x,0,0", ":3: steps is not a number:"},
        {KEY ",x,nan,1,0,0", ":3: time_s is not a number:"},
        {KEY ",x,1,1,nan,0", ":3: err_max is not a number:"},
        {KEY ",x,inf,1,0,0", ":3: time_s is not a number:"},
        {KEY ",x,1,1,0,inf", ":3: err is not a number:"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD KEY ",x,1,1,0,0\n%s\n", all[i].row);
        const char *is = answer(text);
        if (strncmp(is, all[i].says, strlen(all[i].says)) || !*is != !*all[i].says)
            fail_msg("%s: '%s'", all[i].row, is);
    }
}

TEST_WITH(other_columns, start, end)
{
    assert_string_equal(answer(HEAD), "");
    assert_non_null(strstr(answer("key,name,time_s,steps,err_max\n"), "column 6 is not err"));
    assert_non_null(strstr(answer("key,name,time_s,steps,err_max,err,x\n"),
                           "column 7 is not one of them"));
    assert_non_null(strstr(answer("kay,name,time_s,steps,err_max,err\n"), "column 1 is not key"));
    unlink(path);
    kb_csv t;
    kb_columns_start(&t, &of); /* without a file it is as it was */
    assert_int_equal(kb_columns_read(&t, &of, path, NULL), KB_OK);
    assert_true(t.ncolumns == 6 && t.nrows == 0 && !strcmp(t.names[5], "err"));
    kb_csv_free(&t);
    start(NULL);
}

TESTS(NULL, NULL)
