/* SPDX-License-Identifier: MIT
 *
 * All rows of a folder share sources, binary, mechanism, database, reactor, seed and limit of
 * substeps. Their text is the identity; its hash is part of the folder's default name and of each
 * cell's key.
 */
#define _GNU_SOURCE /* dladdr */
#include "drivers/bench/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "drivers/bench/population.h"
#include "drivers/bench/rows.h"
#include "rows/columns.h"

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* File name without folder and ending */
static char *stem(const char *path)
{
    const char *name = last_part(path), *dot = strrchr(name, '.');
    return kb_format("%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

/* "<mech>-<database>-<8 digits>"; the mechanism once when the database is named after it */
static char *default_name(const kb_record *r)
{
    char hash[17];
    bool named = !strncmp(r->database, r->solvers->mech, strlen(r->solvers->mech));
    kb_hash16(r->identity, hash);
    const char *label = r->set->label ? r->set->label : "";
    return kb_format("%s%s%s%s%s-%.8s", label, *label ? "-" : "", named ? "" : r->solvers->mech,
                     named ? "" : "-", r->database, hash);
}

/* of their file; hash [65] */
static int hash_solvers(const kb_solvers *s, char *hash, kb_error *err)
{
    Dl_info info;
    if (!dladdr(s->compiler, &info))
        return kb_fail(err, KB_INVALID, "the file of the solvers cannot be found");
    return kb_sha256_file(info.dli_fname, hash, err);
}

static int make_identity(kb_record *r, kb_error *err)
{
    const kb_settings *set = r->set;
    char any[65], forcing[65];
    size_t length;
    r->solvers_sha256 = kb_alloc(65, 1);
    if (hash_solvers(r->solvers, r->solvers_sha256, err) ||
        (r->any && hash_solvers(r->any, any, err)) ||
        (set->forcing && kb_sha256_file(set->forcing, forcing, err)))
        return KB_INVALID;
    FILE *to = kb_open_text(&r->identity, &length);
    fprintf(to, "git %s, solvers %s, mech %s, db %s, reactor %s, seed %llu, max %ld", r->env->git,
            r->solvers_sha256, r->solvers->sha256, r->db->sha256,
            set->reactor == KB_CONST_V ? "v" : "p", set->seed, set->max_substeps);
    if (r->any)
        fprintf(to, ", any mechanism %s", any);
    for (int i = 0; i < set->plugins.count; i++) {
        char hash[65] = "unknown";
        kb_sha256_file(set->plugins.word[i], hash, NULL);
        fprintf(to, ", plug-in %s", hash);
    }
    if (set->reference)
        fprintf(to, ", reference %s", set->reference);
    if (r->mix)
        fprintf(to, ", mixing %.17g s%s", r->mix->tau, r->mix->pair ? " in pairs" : "");
    if (set->forcing)
        fprintf(to, ", forcing %s", forcing);
    if (set->ranks > 1)
        fprintf(to, ", %d ranks %s", set->ranks, kb_deal_names[set->deal]);
    kb_close_text(to);
    return KB_OK;
}

/* The folder of the run and that of the references beside it */
static int name_folders(kb_record *r, kb_error *err)
{
    if (r->set->out)
        r->folder = kb_strdup(r->set->out);
    else {
        kb_owned char *name = r->set->run ? kb_strdup(r->set->run) : default_name(r);
        r->folder = kb_format("results/%s/%s", r->env->machine, name);
    }
    for (size_t n = strlen(r->folder); n > 1 && r->folder[n - 1] == '/'; n--)
        r->folder[n - 1] = 0;
    const char *name = last_part(r->folder);
    r->name = kb_strdup(name);
    r->references = r->set->references ? kb_strdup(r->set->references)
                                       : kb_format("%.*sreferences", (int)(name - r->folder),
                                                   r->folder);
    if (!strcmp(r->folder, r->references))
        return kb_fail(err, KB_INVALID, "%s is the folder of reference solutions (give the run "
                       "another name)", r->folder);
    return KB_OK;
}

int kb_record_name(kb_record *r, kb_error *err)
{
    if (make_identity(r, err))
        return KB_INVALID;
    r->database = stem(r->db->path);
    r->kind = kb_states_kind_read(r->db->path);
    if (name_folders(r, err))
        return KB_INVALID;
    r->cells_path = kb_format("%s/cells.csv", r->folder);
    r->samples_path = kb_format("%s/samples.csv", r->folder);
    r->divergence_path = kb_format("%s/divergence.csv", r->folder);
    r->timeline_path = kb_format("%s/timeline.csv", r->folder);
    r->environment_path = kb_format("%s/environment.json", r->folder);
    kb_columns_start(&r->cells, &kb_cells_columns);
    kb_columns_start(&r->samples, &kb_samples_columns);
    kb_columns_start(&r->divergence, &kb_divergence_columns);
    kb_columns_start(&r->timeline, &kb_timeline_columns);
    return KB_OK;
}

/* ---- reading what is there ---- */

static int read_environment(kb_record *r, kb_error *err)
{
    if (access(r->environment_path, F_OK))
        return KB_OK;
    r->json = kb_json_read(r->environment_path, "mend or delete the file", err);
    if (!r->json)
        return KB_INVALID;
    const char *identity = json_string_value(json_object_get(r->json, "identity"));
    if (!identity || strcmp(identity, r->identity))
        return kb_fail(err, KB_INVALID, "%s holds results of other sources or inputs (give another "
                       "--out or delete it)\n  there: %s\n  now:   %s", r->folder,
                       identity ? identity : "unknown", r->identity);
    return KB_OK;
}

int kb_record_read(kb_record *r, kb_error *err)
{
    int code = read_environment(r, err);
    if (!code && !r->json && !access(r->cells_path, F_OK))
        code = kb_fail(err, KB_INVALID, "%s has rows but no environment.json (give another --out)",
                       r->folder);
    code = code ? code : kb_columns_read(&r->cells, &kb_cells_columns, r->cells_path, err);
    code = code ? code : kb_columns_read(&r->samples, &kb_samples_columns, r->samples_path, err);
    code = code ? code : kb_columns_read(&r->divergence, &kb_divergence_columns,
                                         r->divergence_path, err);
    return code ? code
                : kb_columns_read(&r->timeline, &kb_timeline_columns, r->timeline_path, err);
}

static void recall_samples(const kb_record *r, kb_cell *c)
{
    for (long i = 0; i < r->samples.nrows; i++)
        if (!strcmp(kb_csv_get(&r->samples, i, "key"), c->key)) {
            kb_sample s = kb_sample_of_row(&r->samples, i);
            kb_cell_add_sample(c, &s);
            c->outcome.threads = (int)kb_csv_value(&r->samples, i, "threads");
        }
}

void kb_record_recall(const kb_record *r, kb_matrix *m)
{
    for (int i = 0; i < m->count; i++) {
        kb_cell *c = &m->cells[i];
        recall_samples(r, c);
        long row = kb_row_find(&r->cells, c);
        if (row >= 0 && !strcmp(kb_csv_get(&r->cells, row, "status"), "ok") &&
            !kb_cell_wants_more(c, r->set))
            c->state = KB_CELL_CACHED;
    }
}

/* ---- writing ---- */

/* until the program ends */
static int lock_folder(const kb_record *r, kb_error *err)
{
    int lock = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return kb_fail(err, KB_INVALID, "%s: %s", r->folder, strerror(errno));
    if (flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return kb_fail(err, KB_INVALID, "%s: another bench writes there (wait, or give another "
                       "--out)", r->folder);
    return KB_OK;
}

static int write_environment(kb_record *r, kb_error *err)
{
    return kb_json_write(r->environment_path, r->json, 6, err);
}

/* The fixed part, then one entry in sessions for each start of the program. JSON takes UTF-8 alone:
 * without the identity no later run could go on */
static int describe(kb_record *r, kb_error *err)
{
    json_t *sessions = r->json ? json_incref(json_object_get(r->json, "sessions")) : NULL;
    if (!json_is_array(sessions)) {
        json_decref(sessions);
        sessions = json_array();
    }
    json_decref(r->json);
    r->json = kb_environment_json(r->env, r->solvers);
    json_t *more = json_pack(
        "{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:I, s:i}", "schema", KB_RESULTS_SCHEMA,
        "run", r->name, "identity", r->identity, "mech", r->solvers->mech, "mech_sha256",
        r->solvers->sha256, "database", r->db->path, "db_sha256", r->db->sha256,
        "solvers_sha256", r->solvers_sha256, "repaired_states", (json_int_t)r->db->repaired,
        "reactor", r->set->reactor == KB_CONST_V ? "v" : "p",
        "order_seed", (json_int_t)r->set->seed, "bootstrap_seed", 1);
    json_object_update(r->json, more);
    json_decref(more);
    const char *make = getenv("KB_COMMAND"); /* by which a person started it */
    json_t *session = json_pack("{s:s, s:s*, s:o}", "command", r->set->command, "make", make,
                                "before", kb_environment_now());
    bool bad = !more || !session;
    json_array_append_new(sessions, session);
    json_object_set_new(r->json, "sessions", sessions);
    return bad ? kb_fail(err, KB_INVALID, "%s: not written: the name of a file, or another word of "
                         "the command, is not UTF-8", r->environment_path)
               : KB_OK;
}

/* A symbolic link results/latest to a folder under results/, for what reads the run next; at the
 * end, too, since another bench may have begun meanwhile */
static void point_latest(const kb_record *r)
{
    static const char *const temporary = "results/latest.tmp";
    if (strncmp(r->folder, "results/", 8))
        return;
    unlink(temporary);
    if (symlink(r->folder + strlen("results/"), temporary) || rename(temporary, "results/latest"))
        unlink(temporary);
}

int kb_record_begin(kb_record *r, kb_error *err)
{
    kb_owned char *reference = kb_format("%s/", r->references);
    int code = kb_make_folders(r->cells_path, err);
    code = code ? code : kb_make_folders(reference, err);
    code = code ? code : lock_folder(r, err);
    if (code)
        return code;
    code = describe(r, err);
    code = code ? code : write_environment(r, err);
    /* whole again if an earlier run was cut in the middle of a line */
    code = code ? code : kb_csv_write(&r->samples, r->samples_path, err);
    if (!code)
        point_latest(r);
    return code;
}

int kb_record_sample(kb_record *r, const kb_cell *c, kb_error *err)
{
    long row = kb_row_of_sample(&r->samples, c, c->nsamples - 1);
    return kb_csv_append_line(r->samples_path, r->samples.rows[row], r->samples.ncolumns, err);
}

int kb_record_cells(kb_record *r, const kb_matrix *m, kb_error *err)
{
    for (int i = 0; i < m->count; i++) {
        const kb_cell *c = &m->cells[i];
        if (c->state == KB_CELL_PENDING || c->state == KB_CELL_CACHED)
            continue;
        long row = kb_row_find(&r->cells, c);
        kb_row_fill(&r->cells, row < 0 ? kb_csv_add(&r->cells) : row, r, c);
    }
    kb_population_fill(&r->cells);
    kb_price_fill(&r->price, &r->cells);
    int code = r->cells.nrows ? kb_csv_write(&r->cells, r->cells_path, err) : KB_OK;
    if (!code && r->divergence.nrows)
        code = kb_csv_write(&r->divergence, r->divergence_path, err);
    if (!code && r->timeline.nrows)
        code = kb_csv_write(&r->timeline, r->timeline_path, err);
    return code;
}

int kb_record_end(kb_record *r, const kb_matrix *m, kb_error *err)
{
    for (int i = 0; i < m->count; i++)
        kb_rows_label(&r->samples, &m->cells[i]);
    json_t *sessions = json_object_get(r->json, "sessions");
    json_t *session = json_array_get(sessions, json_array_size(sessions) - 1);
    json_object_set_new(session, "after", kb_environment_now());
    int code = kb_csv_write(&r->samples, r->samples_path, err);
    code = code ? code : write_environment(r, err);
    if (!code)
        point_latest(r);
    return code;
}

void kb_record_free(kb_record *r)
{
    char *all[] = {r->database, r->solvers_sha256, r->identity, r->folder, r->name, r->references,
                   r->cells_path, r->samples_path, r->divergence_path, r->timeline_path,
                   r->environment_path};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    kb_csv_free(&r->cells);
    kb_csv_free(&r->samples);
    kb_csv_free(&r->divergence);
    kb_csv_free(&r->timeline);
    json_decref(r->json);
}
