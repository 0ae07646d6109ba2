/* SPDX-License-Identifier: MIT */
#include "flow/run/checkpoint.h"

#include <sha2.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

typedef struct {
    char magic[8], what[1016];
    uint64_t more, body; /* bytes that follow */
    int32_t now[3];      /* which third of the conserved fields is q[0], q[1], q[2] */
    int32_t second;      /* 1: W is the second of two; only where the engine is fused */
    int64_t step, retried, faces, odes, attempts, redone, skipped;
    double t, owed, seconds;
    kb_flow_health health;
    kb_flow_nets nets;
    char hash[72]; /* sha256 of the head with this empty, of more and of the body; 0 behind it */
} head;
static const char magic[8] = "kbflow2";

static size_t conserved_size(const kb_flow *f)
{
    return (size_t)((f->stage.grid.nsp + 3) * f->stage.grid.plane);
}

static size_t primitive_size(const kb_flow *f)
{
    return (size_t)((f->stage.grid.nsp + 5) * f->stage.grid.plane);
}

/* the first of the fields W, which are behind the conserved ones */
static double *first_w(const kb_flow *f) { return (double *)f->block + 3 * conserved_size(f); }

/* all conserved fields, W, of a fused engine both, and the foil and the blended faces if they are
 * kept, lie one after the other in the run's block */
static size_t body_size(const kb_flow *f)
{
    long planes = (f->foil != NULL) + (f->blended != NULL);
    size_t more = (size_t)(planes * f->stage.grid.plane);
    return (3 * conserved_size(f) + (f->engine->fused ? 2 : 1) * primitive_size(f) + more) *
           sizeof(double);
}

static head make_head(const kb_flow *f, const char *what, size_t more)
{
    head h = {.more = more, .body = body_size(f)};
    memcpy(h.magic, magic, sizeof magic);
    snprintf(h.what, sizeof h.what, "%s", what);
    return h;
}

static void hash_all(head *h, const void *more, const void *body, char hash[72])
{
    SHA2_CTX c;
    memset(hash, 0, 72);
    memset(h->hash, 0, sizeof h->hash);
    SHA256Init(&c);
    SHA256Update(&c, (const uint8_t *)h, sizeof *h);
    SHA256Update(&c, more, h->more);
    SHA256Update(&c, body, h->body);
    SHA256End(&c, hash);
}

int kb_flow_checkpoint_write(const kb_flow *f, const char *path, const char *what, const void *more,
                             size_t size, kb_error *err)
{
    const kb_flow_chemistry *c = f->chemistry;
    head h = make_head(f, what, size);
    for (int k = 0; k < 3; k++)
        h.now[k] = (int32_t)((size_t)(f->q[k] - (double *)f->block) / conserved_size(f));
    h.second = f->w != first_w(f);
    h.step = f->step;
    h.retried = f->retried;
    h.faces = f->faces;
    h.t = f->t;
    h.owed = f->owed;
    h.health = f->health;
    h.nets = f->nets;
    if (c) {
        h.odes = c->odes;
        h.attempts = c->attempts;
        h.redone = c->redone;
        h.skipped = c->skipped;
        h.seconds = c->seconds;
    }
    char *start = kb_alloc(sizeof h + size, 1), hash[72];
    kb_flow_collect(f);
    hash_all(&h, more, f->block, hash);
    memcpy(h.hash, hash, sizeof hash);
    memcpy(start, &h, sizeof h);
    memcpy(start + sizeof h, more, size);
    int code = kb_flow_writes(f->options.world)
                   ? kb_file_write(path, start, sizeof h + size, f->block, h.body, err)
                   : KB_OK;
    free(start);
    return kb_flow_agree(f->options.world, code, err);
}

/* 0, 1 and 2 in any order */
static bool is_order(const int32_t now[3])
{
    for (int k = 0; k < 3; k++)
        if (now[k] < 0 || now[k] > 2 || now[k] == now[(k + 1) % 3])
            return false;
    return true;
}

/* false: damaged; f is then of no use */
static bool read_body(kb_flow *f, FILE *from, head *h, void *more, size_t size)
{
    char found[72], hash[72];
    memcpy(found, h->hash, sizeof found);
    if (fread(more, 1, size, from) != size || fread(f->block, 1, h->body, from) != h->body ||
        fgetc(from) != EOF)
        return false;
    hash_all(h, more, f->block, hash);
    if (memcmp(hash, found, sizeof hash) || !is_order(h->now) || h->step < 0)
        return false;
    for (int k = 0; k < 3; k++)
        f->q[k] = (double *)f->block + (size_t)h->now[k] * conserved_size(f);
    if (f->engine->fused) {
        double *first = first_w(f), *second = first + primitive_size(f);
        f->w = h->second ? second : first;
        f->next = h->second ? first : second;
    }
    return true;
}

static void take_over(kb_flow *f, const head *h)
{
    kb_flow_chemistry *c = f->chemistry;
    f->step = h->step;
    f->retried = h->retried;
    f->faces = h->faces;
    f->t = h->t;
    f->owed = h->owed;
    f->health = h->health;
    f->nets = h->nets;
    if (c) {
        c->odes = h->odes;
        c->attempts = h->attempts;
        c->redone = h->redone;
        c->skipped = h->skipped;
        c->seconds = h->seconds;
    }
}

int kb_flow_checkpoint_read(kb_flow *f, const char *path, const char *what, void *more, size_t size,
                            bool *found, kb_error *err)
{
    head h, expected = make_head(f, what, size);
    FILE *from = fopen(path, "rb");
    int code = KB_OK;
    *found = kb_flow_told(f->options.world, from != NULL);
    if (!*found && from)
        fclose(from);
    if (!*found)
        return KB_OK;
    if (!from)
        code = kb_fail(err, KB_INVALID, "%s: rank 0 sees it, another rank does not", path);
    else if (fread(&h, sizeof h, 1, from) != 1 || memcmp(h.magic, magic, sizeof magic))
        code = kb_fail(err, KB_INVALID, "%s: not a checkpoint: remove it to begin again", path);
    else if (strcmp(h.what, expected.what) || h.more != expected.more || h.body != expected.body)
        code = kb_fail(err, KB_INVALID, "%s: belongs to another run: remove it to begin again",
                       path);
    else if (!read_body(f, from, &h, more, size))
        code = kb_fail(err, KB_INVALID, "%s: damaged: remove it to begin again", path);
    else
        take_over(f, &h);
    if (from)
        fclose(from);
    return kb_flow_agree(f->options.world, code, err);
}
