/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference_cache.c - references that are kept on disk: the bits of those that are not, whatever the files hold. */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/reference.h>
#include "folder.h"
#include "reference_cache.h"
#include "solution_file.h"
#include "support.h"
#include "unit_test.h"

enum { STEPS = 24, SAMPLES = 2, PATH = 600 };
enum { MAGIC = 16, HEADER = 56 }; /* bytes of a file before its digest, and before its text */

static const char *const models[] = {"quarter-car", "double-pendulum", "bell"};

/* What a run sees. */
typedef struct seen {
    double x[STEPS][1 + SAMPLES][16], z[STEPS][16], error[STEPS];
} seen;

static void read_reference(const ms_system *system, ms_reference *reference, int steps, seen *what)
{
    const size_t nx = sizeof(double) * (size_t)system->nx, nz = sizeof(double) * (size_t)system->nz;
    const double h = 2.0 * system->step_size;
    memset(what, 0, sizeof *what);
    assert_true(system->nx <= 16 && system->nz <= 16);
    for (int n = 0; n < steps; n++) {
        assert_int_equal(ms_reference_step(reference, n * h, h), MS_OK);
        memcpy(what->x[n][0], ms_reference_state(reference), nx);
        for (int k = 0; k < SAMPLES; k++)
            memcpy(what->x[n][1 + k], ms_reference_sample(reference, k), nx);
        if (ms_reference_discrete(reference) != NULL)
            memcpy(what->z[n], ms_reference_discrete(reference), nz);
        what->error[n] = ms_reference_error(reference);
    }
}

static void run(const ms_system *system, int steps, seen *what)
{
    static const double fractions[SAMPLES] = {0.25, 0.75};
    ms_reference *reference = NULL;
    assert_int_equal(ms_reference_create(system, SAMPLES, fractions, &reference, NULL), MS_OK);
    read_reference(system, reference, steps, what);
    ms_reference_destroy(&reference);
}

/* The same with the cache, in a call of its own. Returns whether there was a note. */
static bool run_cached(const ms_system *system, int steps, seen *what, ms_error *note)
{
    ms_error error = {""};
    if (ms_reference_cache_open(support_folder(), &error) != MS_OK)
        fail_msg("%s", error.text);
    run(system, steps, what);
    return ms_reference_cache_close(note);
}

/* Files ------------------------------------------------------------------------------------------------ */

/* The files of the folder; path: of one of them. */
static int count_files(const char *end, char path[PATH])
{
    DIR *directory = opendir(support_folder());
    int n = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *found = strstr(entry->d_name, end);
        if (found == NULL || strlen(found) != strlen(end))
            continue;
        snprintf(path, PATH, "%s/%s", support_folder(), entry->d_name);
        n++;
    }
    closedir(directory);
    return n;
}

static void empty_folder(void)
{
    char path[PATH];
    while (count_files(".reference", path) > 0)
        assert_int_equal(unlink(path), 0);
}

static void store(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* So that what was changed looks as it was written. */
static void sign(char *bytes, size_t size)
{
    ms_digest digest = ms_digest_empty;
    ms_digest_add(&digest, bytes + MAGIC + sizeof digest, size - MAGIC - sizeof digest);
    memcpy(bytes + MAGIC, &digest, sizeof digest);
}

/* Tests ------------------------------------------------------------------------------------------------ */

/* Not there, short, whole, longer than needed, and short again. A file that grew is that of a run of that length. */
static void bits_do_not_depend_on_the_cache(void **state)
{
    (void)state;
    static const int steps[] = {STEPS / 2, STEPS / 2, STEPS, STEPS, STEPS / 3};
    static seen wanted, got;
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        char path[PATH];
        size_t size, fresh;
        empty_folder();
        for (int k = 0; k < MS_COUNT(steps); k++) {
            run(system, steps[k], &wanted);
            assert_false(run_cached(system, steps[k], &got, NULL));
            assert_memory_equal(&wanted, &got, sizeof wanted);
            assert_int_equal(count_files(".reference", path), 1);
            assert_int_equal(count_files(".part", path), 0);
        }
        char *grown = support_read_file(path, &size);
        empty_folder();
        run_cached(system, STEPS, &got, NULL);
        char *at_once = support_read_file(path, &fresh);
        assert_int_equal(size, fresh);
        assert_memory_equal(grown, at_once, size);
        free(grown);
        free(at_once);
        ms_system_destroy(&system);
    }
}

/* Numbers that were changed, with their digest, are seen: so they are read. */
static void what_is_kept_is_read(void **state)
{
    (void)state;
    static seen wanted, got;
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        char path[PATH];
        size_t size;
        empty_folder();
        run_cached(system, STEPS, &wanted, NULL);
        assert_int_equal(count_files(".reference", path), 1);
        char *bytes = support_read_file(path, &size);
        double last;
        memcpy(&last, bytes + size - sizeof last, sizeof last);
        last += 1.0;
        memcpy(bytes + size - sizeof last, &last, sizeof last);
        sign(bytes, size);
        store(path, bytes, size);
        assert_false(run_cached(system, STEPS, &got, NULL));
        assert_memory_not_equal(&wanted, &got, sizeof wanted);
        free(bytes);
        ms_system_destroy(&system);
    }
}

/* Any bit of it, any length. One note tells, and the file is whole again. */
static void damaged_files_are_made_anew(void **state)
{
    (void)state;
    static seen wanted, got;
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        char path[PATH];
        size_t size, again;
        empty_folder();
        run_cached(system, STEPS, &wanted, NULL);
        assert_int_equal(count_files(".reference", path), 1);
        char *bytes = support_read_file(path, &size);
        for (size_t k = 0; k < 80;
             k++) { /* flipped and cut in turn, everywhere in the head and then in all */
            const size_t at = k < 60 ? k : (k - 59) * (size - 1) / 21;
            ms_error note = {""};
            bytes[at] = (char)(bytes[at] ^ 1 << k % 8);
            store(path, bytes, k % 2 == 0 ? size : at);
            bytes[at] = (char)(bytes[at] ^ 1 << k % 8);
            assert_true(run_cached(system, STEPS, &got, &note));
            assert_memory_equal(&wanted, &got, sizeof wanted);
            assert_non_null(strstr(note.text, path));
            char *repaired = support_read_file(path, &again);
            assert_int_equal(size, again);
            assert_memory_equal(bytes, repaired, size);
            free(repaired);
        }
        free(bytes);
        ms_system_destroy(&system);
    }
}

/* A whole file, with its digest, that another program has written, or that is of another system. */
static void foreign_files_are_made_anew(void **state)
{
    (void)state;
    static seen wanted, got;
    ms_system *system = support_system("quarter-car", ""), *other = support_system("quarter-car", "kc=15001");
    char path[PATH], others[PATH];
    size_t size;
    empty_folder();
    run_cached(other, STEPS, &got, NULL);
    assert_int_equal(count_files(".reference", others), 1);
    char *of_other = support_read_file(others, &size);
    empty_folder();
    run_cached(system, STEPS, &wanted, NULL);
    assert_memory_not_equal(&wanted, &got, sizeof wanted);
    assert_int_equal(count_files(".reference", path), 1);
    assert_string_not_equal(path, others);
    store(path, of_other, size);
    assert_true(run_cached(system, STEPS, &got, NULL));
    assert_memory_equal(&wanted, &got, sizeof wanted);
    free(of_other);
    char *older = support_read_file(path, &size);
    older[HEADER + strlen("macrostep ")] = 'x'; /* a digit of the program's digest */
    sign(older, size);
    store(path, older, size);
    assert_true(run_cached(system, STEPS, &got, NULL));
    assert_memory_equal(&wanted, &got, sizeof wanted);
    assert_false(run_cached(system, STEPS, &got, NULL));
    free(older);
    ms_system_destroy(&other);
    ms_system_destroy(&system);
}

/* Everything that changes a solution has a key of its own. */
static void keys_tell_solutions_apart(void **state)
{
    (void)state;
    static const double fractions[] = {0.25, 0.75}, others[] = {0.25, 0.5};
    enum { KEYS = 12 };
    ms_system *system = support_system("quarter-car", ""), *changed[KEYS];
    ms_reference_key key[KEYS];
    char *text[KEYS];
    for (int k = 0; k < KEYS; k++) {
        changed[k] = support_system("quarter-car", k == 1 ? "road=0.2" : "");
        key[k] = (ms_reference_key){changed[k], 0.0, 2, fractions, 0.1};
    }
    key[2].start_time = 1.0;
    key[3].n = -1;
    key[4].fractions = others;
    key[5].h = 0.2;
    key[6].n = 1;
    changed[7]->start_eps = 1;
    changed[8]->homogeneous = true;
    changed[9]->step_size *= 2.0;
    changed[10]->wire_gain[0] *= 2.0;
    changed[11]->blocks[1].A[1] += 1e-9;
    for (int k = 0; k < KEYS; k++) {
        text[k] = ms_reference_key_text(&key[k]);
        assert_non_null(text[k]);
        assert_null(strchr(text[k], '\n'));
        for (int j = 0; j < k; j++)
            assert_string_not_equal(text[j], text[k]);
    }
    key[0].system = system; /* the same elsewhere in memory */
    char *same = ms_reference_key_text(&key[0]);
    assert_string_equal(same, text[0]);
    free(same);
    for (int k = 0; k < KEYS; k++) {
        free(text[k]);
        ms_system_destroy(&changed[k]);
    }
    ms_system_destroy(&system);
}

/* Recorded inputs count by their numbers. */
static void keys_have_the_numbers_of_recorded_inputs(void **state)
{
    (void)state;
    static const char *const names[] = {"*.w.road"};
    char *text[3];
    for (int k = 0; k < 3; k++) {
        ms_series *series = NULL;
        assert_int_equal(ms_series_create(1, names, 3, &series, NULL), MS_OK);
        for (int r = 0; r < 3; r++) {
            series->time[r] = r;
            series->value[r] = k == 2 && r == 1 ? 0.5 : 0.25;
        }
        ms_system *system = support_system("quarter-car", "");
        ms_error error = {""};
        if (ms_system_bind_inputs(system, series, &error) != MS_OK)
            fail_msg("%s", error.text);
        const ms_reference_key key = {.system = system, .n = -1};
        text[k] = ms_reference_key_text(&key);
        ms_system_destroy(&system);
        ms_series_destroy(&series);
    }
    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(text[0], text[2]);
    for (int k = 0; k < 3; k++)
        free(text[k]);
}

typedef struct reader {
    const ms_system *system;
    int steps;
    seen what;
} reader;

static void *read_once(void *self)
{
    reader *r = self;
    for (int k = 0; k < 4; k++)
        run(r->system, r->steps, &r->what);
    return NULL;
}

static void threads_share_the_folder(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static reader readers[THREADS];
    static seen wanted;
    pthread_t thread[THREADS];
    char path[PATH];
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        ms_error note = {""};
        empty_folder();
        assert_int_equal(ms_reference_cache_open(support_folder(), NULL), MS_OK);
        for (int k = 0; k < THREADS; k++) {
            readers[k] = (reader){.system = system, .steps = STEPS - 4 * k};
            assert_int_equal(pthread_create(&thread[k], NULL, read_once, &readers[k]), 0);
        }
        for (int k = 0; k < THREADS; k++)
            pthread_join(thread[k], NULL);
        assert_false(ms_reference_cache_close(&note));
        for (int k = 0; k < THREADS; k++) {
            run(system, readers[k].steps, &wanted);
            assert_memory_equal(&wanted, &readers[k].what, sizeof wanted);
        }
        assert_int_equal(count_files(".part", path), 0);
        ms_system_destroy(&system);
    }
}

static void folders_that_cannot_be_written_are_refused(void **state)
{
    (void)state;
    char path[PATH];
    ms_error error = {""};
    snprintf(path, sizeof path, "%s", support_folder_path("file"));
    store(path, "", 0);
    assert_int_equal(ms_reference_cache_open(path, &error), MS_IO);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ms_reference_cache_open("/nowhere/at/all", &error), MS_IO);
    assert_int_equal(ms_reference_cache_open("", &error), MS_INVALID);
    assert_false(ms_reference_cache_is_open());
    assert_false(ms_reference_cache_close(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_do_not_depend_on_the_cache),
                                       cmocka_unit_test(what_is_kept_is_read),
                                       cmocka_unit_test(damaged_files_are_made_anew),
                                       cmocka_unit_test(foreign_files_are_made_anew),
                                       cmocka_unit_test(keys_tell_solutions_apart),
                                       cmocka_unit_test(keys_have_the_numbers_of_recorded_inputs),
                                       cmocka_unit_test(threads_share_the_folder),
                                       cmocka_unit_test(folders_that_cannot_be_written_are_refused)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
