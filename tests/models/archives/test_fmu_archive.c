/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_archive.c - archives unpacked and packed; archives that are broken, too large, or that would leave their folder, and
 * that nothing of them is left behind. The ZIPs are written byte by byte (PKWARE's APPNOTE, 4.3), as no library writes such. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fmu_archive.h"
#include "folder.h"
#include "part_file.h"
#include "support.h"
#include "unit_test.h"

/* ZIPs --------------------------------------------------------------------------------------------------- */

enum { ZIP_ROOM = 1 << 23, LINK = 0120777, ENCRYPTED = 1, TRUE_SUM = 0 };

/* An entry that is stored, not deflated. */
typedef struct entry {
    const char *name, *content;
    unsigned mode; /* of Unix; 0: not said */
    unsigned flags;
    unsigned sum;           /* another CRC-32 than the true one; 0: that */
    unsigned declared_size; /* another size in the directory; 0: the true one */
} entry;

typedef struct zip {
    unsigned char *bytes;
    size_t size, directory;
    unsigned n;
    unsigned char *central;
    size_t central_size;
} zip;

static void put(unsigned char **to, size_t *size, unsigned value, int bytes)
{
    for (int k = 0; k < bytes; k++)
        (*to)[(*size)++] = (unsigned char)(value >> (8 * k));
}

static void put_text(unsigned char *to, size_t *size, const char *text, size_t length)
{
    assert_true(*size + length < ZIP_ROOM);
    memcpy(to + *size, text, length);
    *size += length;
}

static unsigned crc(const char *text, size_t length)
{
    unsigned sum = ~0u;
    for (size_t k = 0; k < length; k++) {
        sum ^= (unsigned char)text[k];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? (sum >> 1) ^ 0xEDB88320u : sum >> 1;
    }
    return ~sum;
}

static void begin(zip *z)
{
    *z = (zip){.bytes = malloc(ZIP_ROOM), .central = malloc(ZIP_ROOM)};
    assert_non_null(z->bytes);
    assert_non_null(z->central);
}

/* What local header and directory have in common. */
static void put_common(unsigned char **to, size_t *size, const entry *e)
{
    const unsigned length = (unsigned)strlen(e->content);
    put(to, size, 20, 2);
    put(to, size, e->flags, 2);
    put(to, size, 0, 2);
    put(to, size, 0x00210000, 4);
    put(to, size, e->sum != TRUE_SUM ? e->sum : crc(e->content, length), 4);
    put(to, size, length, 4);
    put(to, size, e->declared_size != 0 ? e->declared_size : length, 4);
    put(to, size, (unsigned)strlen(e->name), 2);
    put(to, size, 0, 2);
}

static void add(zip *z, const entry *e)
{
    const unsigned at = (unsigned)z->size;
    put(&z->bytes, &z->size, 0x04034b50, 4);
    put_common(&z->bytes, &z->size, e);
    put_text(z->bytes, &z->size, e->name, strlen(e->name));
    put_text(z->bytes, &z->size, e->content, strlen(e->content));
    put(&z->central, &z->central_size, 0x02014b50, 4);
    put(&z->central, &z->central_size, e->mode != 0 ? 0x0314 : 20, 2);
    put_common(&z->central, &z->central_size, e);
    put(&z->central, &z->central_size, 0, 6 - 4);
    put(&z->central, &z->central_size, 0, 4);
    put(&z->central, &z->central_size, e->mode << 16, 4);
    put(&z->central, &z->central_size, at, 4);
    put_text(z->central, &z->central_size, e->name, strlen(e->name));
    z->n++;
}

/* Writes the first `size` bytes of it, or all of them, into a new file. */
static void finish(zip *z, size_t size, char *path, size_t room)
{
    const unsigned at = (unsigned)z->size;
    put_text(z->bytes, &z->size, (const char *)z->central, z->central_size);
    put(&z->bytes, &z->size, 0x06054b50, 4);
    put(&z->bytes, &z->size, 0, 4);
    put(&z->bytes, &z->size, z->n, 2);
    put(&z->bytes, &z->size, z->n, 2);
    put(&z->bytes, &z->size, (unsigned)z->central_size, 4);
    put(&z->bytes, &z->size, at, 4);
    put(&z->bytes, &z->size, 0, 2);
    support_temporary(path, room);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const size_t length = size > 0 && size < z->size ? size : z->size;
    assert_int_equal(write(file, z->bytes, length), (ssize_t)length);
    close(file);
    free(z->bytes);
    free(z->central);
}

static void make(int n, const entry *entries, char *path, size_t room)
{
    zip z;
    begin(&z);
    for (int k = 0; k < n; k++)
        add(&z, &entries[k]);
    finish(&z, 0, path, room);
}

/* Places ------------------------------------------------------------------------------------------------- */

static int count_entries(const char *folder)
{
    int n = -2; /* . and .. */
    DIR *list = opendir(folder);
    assert_non_null(list);
    while (readdir(list) != NULL)
        n++;
    closedir(list);
    return n;
}

static bool is_there(const char *folder, const char *name)
{
    char path[1024];
    struct stat there;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &there) == 0;
}

/* The line for an archive that is refused, with nothing left behind; removes it. */
static void refuse(char *path, int status, const char *what)
{
    ms_fmu_archive *archive = NULL;
    ms_error error = {{0}};
    const int before = count_entries(support_folder());
    assert_int_equal(ms_fmu_archive_open(path, &archive, &error), status);
    assert_null(archive);
    if (strstr(error.text, what) == NULL || strncmp(error.text, path, strlen(path)) != 0)
        fail_msg("'%s' does not name the file and say '%s'", error.text, what);
    assert_int_equal(count_entries(support_folder()), before);
    unlink(path);
}

static void refuse_entries(int n, const entry *entries, const char *what)
{
    char path[600];
    make(n, entries, path, sizeof path);
    refuse(path, MS_INVALID, what);
}

/* Tests -------------------------------------------------------------------------------------------------- */

static const entry good[] = {{.name = "modelDescription.xml", .content = "<a/>"},
                             {.name = "binaries/", .content = ""},
                             {.name = "binaries/linux64/a.so", .content = "ELF", .mode = 0100755},
                             {.name = "resources/d\303\266rte/x y.txt", .content = "", .mode = 0100644}};

static void what_is_in_it_is_unpacked(void **state)
{
    (void)state;
    char path[600];
    make(4, good, path, sizeof path);
    ms_fmu_archive *archive = NULL;
    ms_error error = {{0}};
    if (ms_fmu_archive_open(path, &archive, &error) != MS_OK)
        fail_msg("%s", error.text);
    char folder[600];
    snprintf(folder, sizeof folder, "%s", ms_fmu_archive_folder(archive));
    assert_int_equal(strncmp(folder, support_folder(), strlen(support_folder())), 0);
    assert_true(is_there(folder, "resources/d\303\266rte/x y.txt"));
    size_t size = 0;
    char *text = ms_fmu_archive_text(archive, "modelDescription.xml", &size);
    assert_string_equal(text, "<a/>");
    assert_int_equal(size, 4);
    free(text);
    text = ms_fmu_archive_text(archive, "binaries/linux64/a.so", &size);
    assert_string_equal(text, "ELF");
    free(text);
    assert_null(ms_fmu_archive_text(archive, "missing", &size));
    assert_null(ms_fmu_archive_text(archive, "binaries", &size));
    assert_null(ms_fmu_archive_text(archive, "../x", &size));
    ms_fmu_archive_close(&archive);
    assert_null(archive);
    ms_fmu_archive_close(&archive);
    assert_false(is_there(support_folder(), strrchr(folder, '/') + 1));
    unlink(path);
}

/* Some makers list a file alone, and once more with its folder. */
static void what_stands_there_twice_may_be_the_same(void **state)
{
    (void)state;
    const entry twice[] = {
        {.name = "a/b", .content = "xyz"}, {.name = "c", .content = "x"}, {.name = "a/b", .content = "xyz"}};
    char path[600];
    size_t size;
    make(3, twice, path, sizeof path);
    ms_fmu_archive *archive = NULL;
    ms_error error = {""};
    if (ms_fmu_archive_open(path, &archive, &error) != MS_OK)
        fail_msg("%s", error.text);
    char *text = ms_fmu_archive_text(archive, "a/b", &size);
    assert_string_equal(text, "xyz");
    free(text);
    ms_fmu_archive_close(&archive);
    assert_int_equal(count_entries(support_folder()), 1);
    unlink(path);
}

/* An FMU may write into its resources; the folder goes with that, and links are not followed. */
static void what_was_added_goes_too(void **state)
{
    (void)state;
    char path[600], more[1200], outside[600];
    make(4, good, path, sizeof path);
    ms_fmu_archive *archive = NULL;
    assert_int_equal(ms_fmu_archive_open(path, &archive, NULL), MS_OK);
    support_temporary_file("stays", outside, sizeof outside);
    snprintf(more, sizeof more, "%s/resources/new", ms_fmu_archive_folder(archive));
    assert_int_equal(mkdir(more, 0700), 0);
    snprintf(more, sizeof more, "%s/resources/new/link", ms_fmu_archive_folder(archive));
    assert_int_equal(symlink(outside, more), 0);
    ms_fmu_archive_close(&archive);
    assert_int_equal(access(outside, R_OK), 0);
    unlink(outside);
    assert_int_equal(count_entries(support_folder()), 1); /* the archive */
    unlink(path);
}

/* What a handler of signals calls; but not in a process that was forked. */
static void all_is_removed_at_once(void **state)
{
    (void)state;
    char path[600];
    ms_fmu_archive *one = NULL, *two = NULL;
    make(4, good, path, sizeof path);
    assert_int_equal(ms_fmu_archive_open(path, &one, NULL), MS_OK);
    assert_int_equal(ms_fmu_archive_open(path, &two, NULL), MS_OK);
    assert_int_equal(count_entries(support_folder()), 3);
    const pid_t child = fork();
    if (child == 0) {
        ms_part_files_remove();
        _exit(0);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(count_entries(support_folder()), 3);
    ms_part_files_remove();
    assert_int_equal(count_entries(support_folder()), 1);
    ms_fmu_archive_close(&one);
    ms_fmu_archive_close(&two);
    ms_part_files_remove();
    unlink(path);
}

static void names_that_leave_the_folder_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *what;
    } bad[] = {
        {"../x", "entry 2, ../x, leaves the folder"},
        {"a/../../x", "leaves the folder"},
        {"/etc/x", "is absolute"},
        {"C:/x", "is absolute"},
        {"..\\x", "entry 2, ../x, leaves the folder"},
        {"a\\..\\..\\x", "leaves the folder"},
        {"\\etc\\x", "is absolute"},
        {"./../x", "leaves the folder"},
        {".//etc/x", "is absolute"},
        {"././a", "single point"},
        {"a//b", "empty part"},
        {"b/./a", "single point"},
        {"..", "leaves the folder"},
        {"\xff", "UTF-8"},
        {"\xc0\xaf", "UTF-8"},
        {"\xed\xa0\x80", "UTF-8"},
        {"a\nb", "UTF-8"},
        {"a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/a/b/c/d/e/f/g/h", "32 folders"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const entry entries[] = {good[0], {.name = bad[k].name, .content = "x"}};
        refuse_entries(2, entries, bad[k].what);
    }
    char *name = calloc(1, 2001);
    assert_non_null(name);
    memset(name, 'a', 256);
    refuse_entries(1, &(entry){.name = name, .content = ""}, "255 bytes");
    for (int k = 0; k < 2000; k++)
        name[k] = "a/"[k % 2];
    refuse_entries(1, &(entry){.name = name, .content = ""}, "1000 bytes");
    free(name);
}

/* As some archivers write them. */
static void names_of_other_tools_are_taken(void **state)
{
    (void)state;
    const entry entries[] = {{.name = "./", .content = ""},
                             {.name = "./a", .content = "1"},
                             {.name = "b\\", .content = ""},
                             {.name = "b\\c\\d", .content = "2"}};
    size_t size = 0;
    char path[600], *text;
    make(4, entries, path, sizeof path);
    ms_fmu_archive *archive = NULL;
    ms_error error;
    assert_int_equal(ms_fmu_archive_open(path, &archive, &error), MS_OK);
    text = ms_fmu_archive_text(archive, "b/c/d", &size);
    assert_string_equal(text, "2");
    free(text);
    assert_int_equal(ms_fmu_archive_peek(path, "a", &text, &size, &error), MS_OK);
    assert_string_equal(text, "1");
    free(text);
    ms_fmu_archive_close(&archive);
    unlink(path);
}

static void entries_that_are_no_plain_files_are_refused(void **state)
{
    (void)state;
    refuse_entries(1, &(entry){.name = "a", .content = "/etc/passwd", .mode = LINK},
                   "entry a is neither a file");
    refuse_entries(1, &(entry){.name = "a", .content = "x", .flags = ENCRYPTED}, "entry a is encrypted");
    const entry twice[] = {{.name = "a", .content = "x"}, {.name = "a", .content = "y"}},
                longer[] = {{.name = "a", .content = "x"}, {.name = "a", .content = "xy"}};
    refuse_entries(2, twice, "entry a occurs twice, with different contents");
    refuse_entries(2, longer, "entry a occurs twice, with different contents");
    const entry within[] = {{.name = "a", .content = "x"}, {.name = "a/b", .content = "y"}};
    refuse_entries(2, within, "entry a/b is inside a file");
    const entry over[] = {{.name = "a/b", .content = "x"}, {.name = "a", .content = "y"}};
    refuse_entries(2, over, "entry a occurs twice");
}

static void broken_data_is_refused(void **state)
{
    (void)state;
    char path[600];
    refuse_entries(1, &(entry){.name = "a", .content = "x", .sum = 12345},
                   "entry a cannot be unpacked: CRC error");
    for (size_t size = 1; size < 200; size += 13) {
        zip z;
        begin(&z);
        add(&z, &(entry){.name = "modelDescription.xml",
                         .content =
                             "a text of a hundred and fifty bytes or so, so that the archive can be cut at "
                             "many places, of which each leaves it without its end, ......"});
        finish(&z, size, path, sizeof path);
        refuse(path, MS_INVALID, "cannot be read as a ZIP archive");
    }
    support_temporary_file("no archive at all", path, sizeof path);
    refuse(path, MS_INVALID, "cannot be read as a ZIP archive");
    support_temporary_file("", path, sizeof path);
    refuse(path, MS_INVALID, "cannot be read as a ZIP archive");
    snprintf(path, sizeof path, "%s/missing.fmu", support_folder());
    refuse(path, MS_IO, "No such file");
    snprintf(path, sizeof path, "%s", support_folder());
    refuse(path, MS_IO, "is not a file");
    assert_int_equal(mkdir(support_folder(), 0700), -1); /* still there */
}

static void bombs_are_refused(void **state)
{
    (void)state;
    char path[600];
    refuse_entries(1, &(entry){.name = "a", .content = "x", .declared_size = 4000000001u},
                   "more than 4000000000");
    const entry half = {.name = "a", .content = "x", .declared_size = 2500000000u};
    const entry both[] = {half, {.name = "b", .content = "x", .declared_size = 2500000000u}};
    refuse_entries(2, both, "more than 4000000000");
    refuse_entries(1, &half, "more than 200 times its size");
    refuse_entries(1, &(entry){.name = "a", .content = "x", .declared_size = 60000000u}, "entry a");
    zip z;
    begin(&z);
    for (int k = 0; k <= MS_FMU_ARCHIVE_ENTRIES; k++) {
        char name[16];
        snprintf(name, sizeof name, "%d", k);
        add(&z, &(entry){.name = name, .content = ""});
    }
    finish(&z, 0, path, sizeof path);
    refuse(path, MS_INVALID, "50001 entries; at most 50000");
}

/* An archive with a few bytes changed is refused, or what is unpacked goes again; never does anything stay. */
static void archives_changed_at_random_leave_nothing(void **state)
{
    (void)state;
    char path[600];
    unsigned long long seed = 20260201;
    int refused = 0;
    for (int k = 0; k < support_ensemble(500); k++) {
        ms_fmu_archive *archive = NULL;
        make(4, good, path, sizeof path);
        const int file = open(path, O_RDWR);
        assert_true(file >= 0);
        const int size = (int)lseek(file, 0, SEEK_END);
        for (int change = support_random_below(&seed, 4); change >= 0; change--) {
            const unsigned char byte = (unsigned char)support_random_below(&seed, 256);
            assert_int_equal(pwrite(file, &byte, 1, support_random_below(&seed, size)), 1);
        }
        close(file);
        refused += ms_fmu_archive_open(path, &archive, NULL) != MS_OK;
        ms_fmu_archive_close(&archive);
        assert_int_equal(count_entries(support_folder()), 1);
        unlink(path);
    }
    assert_true(refused > 10);
}

/* Writing ------------------------------------------------------------------------------------------------ */

/* Unpacked, packed, unpacked, packed: the same bytes, whatever order the folder hands its files out in and whatever their dates. */
static void packing_gives_the_same_bytes(void **state)
{
    (void)state;
    char path[600], first[600], second[600];
    static const entry turned[] = {{.name = "b/z", .content = "3"},
                                   {.name = "modelDescription.xml", .content = "1"},
                                   {.name = "b/a", .content = "2"}};
    make(3, turned, path, sizeof path);
    snprintf(first, sizeof first, "%s/first", support_folder());
    snprintf(second, sizeof second, "%s/second", support_folder());
    ms_error error = {{0}};
    ms_fmu_archive *archive = NULL;
    assert_int_equal(ms_fmu_archive_open(path, &archive, &error), MS_OK);
    if (ms_fmu_archive_write(ms_fmu_archive_folder(archive), first, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_fmu_archive_close(&archive);
    assert_int_equal(ms_fmu_archive_open(first, &archive, &error), MS_OK);
    assert_int_equal(ms_fmu_archive_write(ms_fmu_archive_folder(archive), path, &error), MS_OK);
    size_t size = 0, again = 0;
    char *text = ms_fmu_archive_text(archive, "b/z", &size);
    assert_string_equal(text, "3");
    free(text);
    ms_fmu_archive_close(&archive);
    char *one = support_read_file(first, &size), *two = support_read_file(path, &again);
    assert_int_equal(size, again);
    assert_memory_equal(one, two, size);
    static const char sorted[] = "b/ab/zmodelDescription.xml";
    char found[64] = "";
    for (size_t k = 0; k + 46 < size; k++)
        if (memcmp(one + k, "PK\001\002", 4) == 0)
            strncat(found, one + k + 46, (size_t)(unsigned char)one[k + 28]);
    assert_string_equal(found, sorted);
    free(one);
    free(two);
    unlink(first);
    unlink(path);
}

static void what_cannot_be_packed_is_named(void **state)
{
    (void)state;
    char folder[512], path[600], link[600];
    ms_error error = {{0}};
    support_folder_new(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/a.fmu", support_folder());
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(ms_fmu_archive_write(folder, path, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "nothing in"));
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(ms_fmu_archive_write(folder, path, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "neither a file nor a folder"));
    unlink(link);
    rmdir(folder);
    assert_int_equal(ms_fmu_archive_write(folder, path, &error), MS_IO);
    assert_int_equal(access(path, F_OK), -1);
}

static void nothing_is_left(void **state)
{
    assert_int_equal(count_entries(support_folder()), 0);
    support_folder_goes_empty(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_it_is_unpacked),
        cmocka_unit_test(what_stands_there_twice_may_be_the_same),
        cmocka_unit_test(what_was_added_goes_too),
        cmocka_unit_test(all_is_removed_at_once),
        cmocka_unit_test(names_of_other_tools_are_taken),
        cmocka_unit_test(names_that_leave_the_folder_are_refused),
        cmocka_unit_test(entries_that_are_no_plain_files_are_refused),
        cmocka_unit_test(broken_data_is_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(archives_changed_at_random_leave_nothing),
        cmocka_unit_test(packing_gives_the_same_bytes),
        cmocka_unit_test(what_cannot_be_packed_is_named),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
