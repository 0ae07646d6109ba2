/* SPDX-License-Identifier: MIT
 *
 * Two files beside the database: .kept has the kept rows in the order of time, and grows;
 * .checkpoint has the generator's state, replaced as a whole, and the hashes of both. Rows in .kept
 * beyond the checkpoint's step are ignored and overwritten.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"
#include "pasr/database/database.h"
#include "pasr/generators/common/march.h"

typedef struct {
    char magic[8];
    char hash[72];
    uint64_t size;   /* of the state that follows */
    char state[72];  /* sha256 of the state, 0 behind it */
    char kept[72];   /* sha256 of .kept as far as it counts */
} head;
static const char magic[8] = "kbstep2";

/* sha256 of what has been hashed so far; more may follow */
static void digest(const SHA2_CTX *so_far, char *out)
{
    SHA2_CTX c = *so_far;
    SHA256End(&c, out);
}

static head make_head(const kb_march *m)
{
    head h = {.size = m->size};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.hash, m->hash, sizeof m->hash);
    SHA256Data((const uint8_t *)m->state, m->size, h.state);
    digest(&m->kept_hash, h.kept);
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
static int move_time(kb_march *m, FILE *f, long k, transfer *move)
{
    for (const kb_kept_rows *a = m->kept; a < m->kept + KB_KEPT_ARRAYS && a->at; a++) {
        size_t one = (size_t)m->rows * (size_t)a->columns;
        for (long g = 0; g < m->groups; g++) {
            double *rows = a->at + (size_t)(g * m->times + k) * one;
            if (move(rows, one, f) != one)
                return 0;
            SHA256Update(&m->kept_hash, (const uint8_t *)rows, one * sizeof *rows);
        }
    }
    return 1;
}

/* kept times from .. to - 1 at their place in the file; they go on in the hash */
static int move_rows(kb_march *m, FILE *f, long from, long to, transfer *move)
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
    kb_owned char *path = kb_beside(m->how->path, ".kept");
    FILE *f = fopen(path, m->written ? "r+b" : "wb");
    SHA2_CTX before = m->kept_hash;
    int good = f && move_rows(m, f, m->written, kb_march_kept(m), put);
    good = (f ? !fclose(f) : 0) && good;
    if (good)
        m->written = kb_march_kept(m);
    else
        kb_fail(err, KB_INVALID, "%s: cannot write: %s", path, strerror(errno));
    if (!good)
        m->kept_hash = before;
    return good ? KB_OK : KB_INVALID;
}

int kb_checkpoint_write(kb_march *m, kb_error *err)
{
    int code = write_kept(m, err);
    head h = make_head(m);
    kb_owned char *path = kb_beside(m->how->path, ".checkpoint");
    if (!code)
        code = kb_file_write(path, &h, sizeof h, m->state, m->size, err);
    return code;
}

static int read_kept(kb_march *m, const head *h, kb_error *err)
{
    kb_owned char *path = kb_beside(m->how->path, ".kept");
    char hash[65] = "";
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    if (!f || !move_rows(m, f, 0, kb_march_kept(m), get))
        code = kb_fail(err, KB_INVALID, "%s: missing or truncated: remove the .checkpoint beside "
                       "it to start again", path);
    digest(&m->kept_hash, hash);
    if (!code && memcmp(hash, h->kept, sizeof hash))
        code = kb_fail(err, KB_INVALID, "%s: damaged, its hash is not that in the .checkpoint "
                       "beside it: remove both to start again", path);
    m->written = kb_march_kept(m);
    if (f)
        fclose(f);
    return code;
}

static int read_state(kb_march *m, FILE *f, const char *path, head *found, kb_error *err)
{
    head expected = make_head(m);
    char hash[65];
    if (fread(found, sizeof *found, 1, f) != 1 || memcmp(found->magic, magic, sizeof magic))
        return kb_fail(err, KB_INVALID, "%s: not a checkpoint: remove it to start again", path);
    if (memcmp(found, &expected, offsetof(head, state)))
        return kb_fail(err, KB_INVALID, "%s: belongs to another recipe, mechanism or build of the "
                       "solvers: remove it to start again", path);
    bool whole = fread(m->state, 1, m->size, f) == m->size && fgetc(f) == EOF;
    SHA256Data((const uint8_t *)m->state, m->size, hash);
    if (!whole || memcmp(hash, found->state, sizeof hash) || m->clock->step < 0 ||
        m->clock->step > m->steps)
        return kb_fail(err, KB_INVALID, "%s: damaged: remove it to start again", path);
    return KB_OK;
}

int kb_checkpoint_read(kb_march *m, kb_error *err)
{
    kb_owned char *path = kb_beside(m->how->path, ".checkpoint");
    FILE *f = fopen(path, "rb");
    int code = KB_OK;
    head h;
    m->resumed = f != NULL;
    SHA256Init(&m->kept_hash);
    if (f) {
        code = read_state(m, f, path, &h, err);
        fclose(f);
        if (!code)
            code = read_kept(m, &h, err);
    }
    return code;
}

void kb_checkpoint_drop(const char *path)
{
    kb_owned char *state = kb_beside(path, ".checkpoint"), *kept = kb_beside(path, ".kept");
    remove(state);
    remove(kept);
}
