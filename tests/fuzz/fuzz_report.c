/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the page of a run, with its environment.json and without claims. No text of a
 * file may open or close an element.
 */
#include "tests/fuzz/sides.h"

#include "base/json.h"
#include "drivers/report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kb_error err = {0};
    char path[128], *text;
    size_t length;
    json_t *environment;
    kb_report_of r = {.folder = fuzz_run(data, size, "environment.json"), .plots = "/nowhere",
                      .claims = "/nowhere/claims.tsv", .room = 1000};
    int code = kb_side_read(&r.side, r.folder, "time_s", &err);
    fuzz_said(code, &err);
    if (!code && r.side.runs[0].cells.nrows) {
        environment = kb_json_read(fuzz_path("environment.json", path), NULL, NULL);
        r.environment = &environment;
        FILE *f = kb_open_text(&text, &length);
        fuzz_said(kb_report_page(&r, f, &err), &err);
        kb_close_text(f);
        if (strstr(text, "<evil"))
            abort();
        free(text);
        json_decref(environment);
    }
    kb_side_free(&r.side);
    return 0;
}
