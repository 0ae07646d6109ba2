/* SPDX-License-Identifier: MIT
 *
 * Two files beside the database: .kept has the kept rows in the order of time, and grows; .checkpoint
 * has the block of the state, replaced as a whole. Rows in .kept beyond the checkpoint's step are of
 * no account and are written over.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "database.h"
#include "pasr_parts.h"

typedef struct {
    char magic[8];
    char hash[72]; /* of recipe, mechanism and the build of the solvers */
    uint64_t size; /* of the block that follows */
} head;
static const char magic[8] = "kbpasr1";

static void make_head(const kb_pasr_work *w, head *h)
{
    char *build = kb_format("%s %s %s", w->s->sha256, w->s->compiler, w->s->flags);
    memset(h, 0, sizeof *h);
    memcpy(h->magic, magic, sizeof magic);
    kb_recipe_hash(&kb_pasr_form, w->r, build, h->hash);
    h->size = w->size;
    free(build);
}

static size_t rows_of_time(const kb_pasr_work *w)
{
    return (size_t)w->n * (size_t)w->columns;
}

/* the rows of condition c at kept time k */
static double *kept_at(const kb_pasr_work *w, long c, long k)
{
    return w->kept_rows + (size_t)(c * w->kept + k) * rows_of_time(w);
}

typedef size_t transfer(double *rows, size_t count, FILE *f);

static size_t put(double *rows, size_t count, FILE *f)
{
    return fwrite(rows, sizeof *rows, count, f);
}

static size_t get(double *rows, size_t count, FILE *f)
{
    return fread(rows, sizeof *rows, count, f);
}

/* kept times from .. to - 1 at their place in the file */
static int move_rows(const kb_pasr_work *w, FILE *f, long from, long to, transfer *move)
{
    size_t one = rows_of_time(w);
    if (fseeko(f, (off_t)((size_t)from * one * (size_t)w->conditions * sizeof(double)), SEEK_SET))
        return 0;
    for (long k = from; k < to; k++)
        for (long c = 0; c < w->conditions; c++)
            if (move(kept_at(w, c, k), one, f) != one)
                return 0;
    return 1;
}

/* appends what this run has not written yet */
static int write_kept(kb_pasr_work *w, kb_error *err)
{
    char *path = kb_beside(w->how->path, ".kept");
    FILE *f = fopen(path, w->written ? "r+b" : "wb");
    int good = f && move_rows(w, f, w->written, kb_pasr_kept_now(w), put);
    good = (f ? !fclose(f) : 0) && good;
    if (good)
        w->written = kb_pasr_kept_now(w);
    else
        kb_fail(err, KB_INVALID, "%s: cannot write: %s", path, strerror(errno));
    free(path);
    return good ? KB_OK : KB_INVALID;
}

int kb_pasr_checkpoint(kb_pasr_work *w, kb_error *err)
{
    head h;
    make_head(w, &h);
    int code = write_kept(w, err);
    char *path = kb_beside(w->how->path, ".checkpoint");
    if (!code)
        code = kb_file_write(path, &h, sizeof h, w->state, w->size, err);
    free(path);
    return code;
}

static int read_kept(kb_pasr_work *w, kb_error *err)
{
    char *path = kb_beside(w->how->path, ".kept");
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    if (!f || !move_rows(w, f, 0, kb_pasr_kept_now(w), get))
        code = kb_fail(err, KB_INVALID, "%s: missing or truncated: remove the .checkpoint beside it "
                       "to begin anew", path);
    w->written = kb_pasr_kept_now(w);
    if (f)
        fclose(f);
    free(path);
    return code;
}

static int read_state(kb_pasr_work *w, FILE *f, const char *path, kb_error *err)
{
    head found, expected;
    make_head(w, &expected);
    if (fread(&found, sizeof found, 1, f) != 1 || memcmp(found.magic, magic, sizeof magic))
        return kb_fail(err, KB_INVALID, "%s: not a checkpoint: remove it to begin anew", path);
    if (memcmp(&found, &expected, sizeof found))
        return kb_fail(err, KB_INVALID, "%s: belongs to another recipe, mechanism or build of the "
                       "solvers: remove it to begin anew", path);
    if (fread(w->state, 1, w->size, f) != w->size || fgetc(f) != EOF || w->clock->step < 0 ||
        w->clock->step > w->steps)
        return kb_fail(err, KB_INVALID, "%s: damaged: remove it to begin anew", path);
    return KB_OK;
}

int kb_pasr_resume(kb_pasr_work *w, kb_error *err)
{
    char *path = kb_beside(w->how->path, ".checkpoint");
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    if (f) {
        code = read_state(w, f, path, err);
        fclose(f);
        if (!code)
            code = read_kept(w, err);
    }
    free(path);
    return code;
}

void kb_pasr_drop_checkpoint(const char *path)
{
    char *state = kb_beside(path, ".checkpoint"), *kept = kb_beside(path, ".kept");
    remove(state);
    remove(kept);
    free(state);
    free(kept);
}
