/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solution_file.h"

#include <cblas.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <macrostep/extension.h>
#include "number.h"
#include "part_file.h"
#include "reference_cache.h"
#include "solution_pair.h"
#include "system_digest.h"
#include "text_stream.h"

/* A file: this, then the text (the program's line, then that of the key, zeros up to a multiple of 8), then the items. */
typedef struct header {
    char magic[16];
    ms_digest digest;           /* of all that follows */
    uint64_t text, items, size; /* bytes, number, doubles of each */
} header;

static const char MAGIC[16] = "macrostep ref 1";

enum { PROGRAM_LENGTH = 256, PATH_LENGTH = 4096 };

/* NULL in folder: no cache. */
static struct {
    char *folder;
    char program[PROGRAM_LENGTH]; /* identifies the program that computes the references */
    pthread_mutex_t lock;         /* of what follows */
    int n_notes;
    char note[PATH_LENGTH + 200];
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The cache ---------------------------------------------------------------------------------------------- */

/* The first one is kept. */
static void take_note(const char *path, const char *what)
{
    pthread_mutex_lock(&cache.lock);
    if (cache.n_notes++ == 0)
        snprintf(cache.note, sizeof cache.note, "%s %s", path, what);
    pthread_mutex_unlock(&cache.lock);
}

/* Of the program that runs, and of the extensions that it has opened. */
static bool digest_program(ms_digest *digest)
{
    *digest = ms_digest_empty;
    bool whole = ms_digest_add_file(digest, "/proc/self/exe");
    for (int k = 0; ms_extension_path(k) != NULL && whole; k++)
        whole = ms_digest_add_file(digest, ms_extension_path(k));
    return whole;
}

static int find_program(ms_error *error)
{
    ms_digest digest;
    if (!digest_program(&digest))
        return ms_fail(error, MS_INVALID,
                       "`cache`: /proc/self/exe cannot be read, which identifies the program");
    snprintf(cache.program, sizeof cache.program,
             "macrostep %016" PRIx64 "%016" PRIx64 "; GSL %s; libc %s; processor %s", digest.first,
             digest.second, gsl_version, gnu_get_libc_version(), openblas_get_corename());
    return MS_OK;
}

/* A new file in the same folder, open for writing and reading; NULL: errno. */
static FILE *open_part(ms_part_file *part)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/new", cache.folder);
    FILE *file = ms_part_file_create(path, part) == 0 ? fdopen(part->descriptor, "w+b") : NULL;
    if (file == NULL && part->path != NULL) {
        close(part->descriptor);
        ms_part_file_drop(part);
    }
    return file;
}

/* Can a file be written there? */
static int try_folder(const char *folder, ms_error *error)
{
    ms_part_file part;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ms_fail(error, MS_IO, "`cache` %s: %s", folder, strerror(errno));
    FILE *file = open_part(&part);
    if (file == NULL)
        return ms_fail(error, MS_IO, "`cache` %s: no file can be written there: %s", folder, strerror(errno));
    fclose(file);
    ms_part_file_drop(&part);
    return MS_OK;
}

static void close_cache(void)
{
    free(cache.folder);
    cache.folder = NULL;
    cache.n_notes = 0;
}

int ms_reference_cache_open(const char *folder, ms_error *error)
{
    if (folder[0] == '\0' || strlen(folder) > PATH_LENGTH - 100)
        return ms_fail(error, MS_INVALID, "`cache`: a folder's name must have 1 to %d letters",
                       PATH_LENGTH - 100);
    close_cache();
    cache.folder = malloc(strlen(folder) + 1);
    MS_TRY_MEMORY_FOR(cache.folder != NULL, error, "the cache's name");
    memcpy(cache.folder, folder, strlen(folder) + 1);
    int status = find_program(error);
    MS_THEN(status, try_folder(folder, error));
    if (status != MS_OK)
        close_cache();
    return status;
}

bool ms_reference_cache_close(ms_error *note)
{
    const int notes = cache.n_notes;
    if (notes == 1)
        ms_fail(note, MS_OK, "%.400s", cache.note);
    else if (notes > 1)
        ms_fail(note, MS_OK, "%.400s, and %d more", cache.note, notes - 1);
    close_cache();
    return notes > 0;
}

bool ms_reference_cache_is_open(void)
{
    return cache.folder != NULL;
}

/* Files -------------------------------------------------------------------------------------------------- */

/* What is between header and items. */
typedef struct label {
    char *text; /* owned */
    size_t bytes;
    char path[PATH_LENGTH];
} label;

/* The name comes from the key alone: a reference that another program has made is replaced. */
static bool make_label(const ms_reference_key *key, label *of)
{
    char *text = ms_reference_key_text(key);
    const size_t length = text != NULL ? strlen(text) : 0;
    const size_t bytes = strlen(cache.program) + 1 + length + 1;
    ms_digest digest = ms_digest_empty;
    of->bytes = (bytes + 7) / 8 * 8;
    of->text = text != NULL ? calloc(of->bytes, 1) : NULL;
    if (of->text != NULL) {
        ms_digest_add(&digest, text, length);
        snprintf(of->text, of->bytes, "%s\n%s", cache.program, text);
        snprintf(of->path, sizeof of->path, "%s/%016" PRIx64 ".reference", cache.folder, digest.first);
    }
    free(text);
    return of->text != NULL;
}

/* The whole file, to be freed; NULL: none. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    struct stat about;
    char *bytes = NULL;
    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &about) == 0 && about.st_size >= 0 &&
        (bytes = malloc((size_t)about.st_size + 1)) != NULL)
        *size = fread(bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    return bytes;
}

/* Is it whole, with items of `size` doubles? */
static bool is_whole(const char *bytes, size_t length, size_t size)
{
    header head;
    ms_digest digest = ms_digest_empty;
    if (length < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    const size_t rest = length - sizeof head, item = sizeof(double) * size;
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.size != size || head.text > rest ||
        head.items > rest / item || head.text + head.items * item != rest)
        return false;
    ms_digest_add(&digest, &head.text, sizeof head - offsetof(header, text));
    ms_digest_add(&digest, bytes + sizeof head, rest);
    return memcmp(&digest, &head.digest, sizeof digest) == 0;
}

/* Is it of that reference, and of this program? */
static bool is_of(const char *bytes, const label *of)
{
    const header *head = (const header *)bytes;
    return head->text == of->bytes && memcmp(bytes + sizeof *head, of->text, of->bytes) == 0;
}

ms_reference_items ms_reference_file_read(const ms_reference_key *key, size_t size)
{
    ms_reference_items items = {0};
    label of;
    size_t length = 0;
    if (cache.folder == NULL || size == 0 || !make_label(key, &of))
        return items;
    char *bytes = read_file(of.path, &length);
    const char *why = bytes == NULL                    ? NULL
                      : !is_whole(bytes, length, size) ? "is damaged and is computed again"
                      : !is_of(bytes, &of) ? "belongs to another program or system and is computed again"
                                           : NULL;
    if (why != NULL)
        take_note(of.path, why);
    if (bytes != NULL && why == NULL)
        items =
            (ms_reference_items){.n = (long)((const header *)bytes)->items,
                                 .item = (const double *)(const void *)(bytes + sizeof(header) + of.bytes),
                                 .memory = bytes};
    else
        free(bytes);
    free(of.text);
    return items;
}

/* Items behind the header and the text, and the header once its digest is known. */
static bool write_items(FILE *file, const label *of, size_t size, long n, ms_fill_item *fill,
                        const void *from)
{
    header head = {.text = of->bytes, .items = (uint64_t)n, .size = size, .digest = {1, 2}};
    double *item = calloc(size, sizeof *item);
    bool good =
        item != NULL && fwrite(&head, sizeof head, 1, file) == 1 && fwrite(of->text, of->bytes, 1, file) == 1;
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    ms_digest_add(&head.digest, &head.text, sizeof head - offsetof(header, text));
    ms_digest_add(&head.digest, of->text, of->bytes);
    for (long k = 0; k < n && good; k++) {
        fill(from, k, item);
        ms_digest_add(&head.digest, item, sizeof *item * size);
        good = fwrite(item, sizeof *item, size, file) == size;
    }
    free(item);
    return good && fseek(file, 0, SEEK_SET) == 0 && fwrite(&head, sizeof head, 1, file) == 1;
}

void ms_reference_file_write(const ms_reference_key *key, size_t size, long n, ms_fill_item *fill,
                             const void *from)
{
    label of;
    ms_part_file part;
    if (cache.folder == NULL || size == 0 || !make_label(key, &of))
        return;
    errno = 0;
    FILE *file = open_part(&part);
    const bool good = file != NULL && write_items(file, &of, size, n, fill, from);
    const bool closed = file != NULL && fclose(file) == 0;
    if (!good || !closed || ms_part_file_keep(&part, of.path) != 0) {
        char what[128];
        snprintf(what, sizeof what, "could not be written: %s",
                 errno != 0 ? strerror(errno) : "unknown reason");
        take_note(of.path, what);
    }
    ms_part_file_drop(&part);
    free(of.text);
}

/* What tells one reference from another. */

static void write_kind(const ms_reference_key *key, FILE *out)
{
    if (key->n < 0) {
        fprintf(out, "; dense");
        return;
    }
    fprintf(out, "; steps from %.17g, samples", key->h);
    for (int k = 0; k < key->n; k++)
        fprintf(out, " %.17g", key->fractions[k]);
}

char *ms_reference_key_text(const ms_reference_key *key)
{
    const ms_system *system = key->system;
    ms_digest digest;
    ms_text_stream stream;
    FILE *out = ms_system_digest(system, &digest) == MS_OK ? ms_text_open(&stream) : NULL;
    if (out == NULL)
        return NULL;
    const locale_t before = ms_number_locale();
    fprintf(out, "%s; case %s; ", system->model->name, system->case_name);
    for (int k = 0; k < system->model->n_parameters; k++)
        fprintf(out, "%s=%.17g ", system->model->parameters[k].name, system->p[k]);
    fprintf(out, "; start %d, time %.17g; inputs %s; step size %.17g; tolerance %g; numbers %016jx%016jx",
            system->start_eps, key->start_time, system->homogeneous ? "zero" : "own", system->step_size,
            MS_SOLUTION_RTOL, (uintmax_t)digest.first, (uintmax_t)digest.second);
    write_kind(key, out);
    uselocale(before);
    return ms_text_close(&stream);
}
