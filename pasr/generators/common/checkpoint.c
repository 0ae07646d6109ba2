/* SPDX-License-Identifier: MIT
 *
 * Two files beside the database: .kept has the kept rows in the order of time, and grows;
 * .checkpoint has the generator's state, replaced as a whole. Rows in .kept beyond the checkpoint's
 * step are ignored and overwritten.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "pasr/database/database.h"
#include "pasr/generators/common/march.h"

typedef struct {
    char magic[8];
    char hash[72];
    uint64_t size; /* of the state that follows */
} head;
static const char magic[8] = "kbstep1";

static head make_head(const kb_march *m)
{
    head h = {.size = m->size};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.hash, m->hash, sizeof m->hash);
    return h;
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

/* all groups of kept time k */
static int move_time(const kb_march *m, FILE *f, long k, transfer *move)
{
    for (const kb_kept_rows *a = m->kept; a < m->kept + KB_KEPT_ARRAYS && a->at; a++) {
        size_t one = (size_t)m->rows * (size_t)a->columns;
        for (long g = 0; g < m->groups; g++)
            if (move(a->at + (size_t)(g * m->times + k) * one, one, f) != one)
                return 0;
    }
    return 1;
}

/* kept times from .. to - 1 at their place in the file */
static int move_rows(const kb_march *m, FILE *f, long from, long to, transfer *move)
{
    size_t time = 0;
    for (int i = 0; i < KB_KEPT_ARRAYS && m->kept[i].at; i++)
        time += (size_t)(m->groups * m->rows) * (size_t)m->kept[i].columns * sizeof(double);
    int good = !fseeko(f, (off_t)((size_t)from * time), SEEK_SET);
    for (long k = from; k < to && good; k++)
        good = move_time(m, f, k, move);
    return good;
}

/* appends what this run has not written yet */
static int write_kept(kb_march *m, kb_error *err)
{
    char *path = kb_beside(m->how->path, ".kept");
    FILE *f = fopen(path, m->written ? "r+b" : "wb");
    int good = f && move_rows(m, f, m->written, kb_march_kept(m), put);
    good = (f ? !fclose(f) : 0) && good;
    if (good)
        m->written = kb_march_kept(m);
    else
        kb_fail(err, KB_INVALID, "%s: cannot write: %s", path, strerror(errno));
    free(path);
    return good ? KB_OK : KB_INVALID;
}

int kb_checkpoint_write(kb_march *m, kb_error *err)
{
    head h = make_head(m);
    int code = write_kept(m, err);
    char *path = kb_beside(m->how->path, ".checkpoint");
    if (!code)
        code = kb_file_write(path, &h, sizeof h, m->state, m->size, err);
    free(path);
    return code;
}

static int read_kept(kb_march *m, kb_error *err)
{
    char *path = kb_beside(m->how->path, ".kept");
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    if (!f || !move_rows(m, f, 0, kb_march_kept(m), get))
        code = kb_fail(err, KB_INVALID, "%s: missing or truncated: remove the .checkpoint beside "
                       "it to start again", path);
    m->written = kb_march_kept(m);
    if (f)
        fclose(f);
    free(path);
    return code;
}

static int read_state(kb_march *m, FILE *f, const char *path, kb_error *err)
{
    head found, expected = make_head(m);
    if (fread(&found, sizeof found, 1, f) != 1 || memcmp(found.magic, magic, sizeof magic))
        return kb_fail(err, KB_INVALID, "%s: not a checkpoint: remove it to start again", path);
    if (memcmp(&found, &expected, sizeof found))
        return kb_fail(err, KB_INVALID, "%s: belongs to another recipe, mechanism or build of the "
                       "solvers: remove it to start again", path);
    if (fread(m->state, 1, m->size, f) != m->size || fgetc(f) != EOF || m->clock->step < 0 ||
        m->clock->step > m->steps)
        return kb_fail(err, KB_INVALID, "%s: damaged: remove it to start again", path);
    return KB_OK;
}

int kb_checkpoint_read(kb_march *m, kb_error *err)
{
    char *path = kb_beside(m->how->path, ".checkpoint");
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    m->resumed = f != NULL;
    if (f) {
        code = read_state(m, f, path, err);
        fclose(f);
        if (!code)
            code = read_kept(m, err);
    }
    free(path);
    return code;
}

void kb_checkpoint_drop(const char *path)
{
    char *state = kb_beside(path, ".checkpoint"), *kept = kb_beside(path, ".kept");
    remove(state);
    remove(kept);
    free(state);
    free(kept);
}
