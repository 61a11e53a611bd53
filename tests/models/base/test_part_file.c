/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files written beside others: their names do not clash, and what dead processes left goes. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "part_file.h"
#include "support.h"
#include "unit_test.h"

enum { PATH = 256, WRITERS = 8, ROUNDS = 200, SIZE = 1000 };

static char path[PATH];

static int make_folder(void **state)
{
    const int status = support_folder_create(state);
    snprintf(path, sizeof path, "%s", support_folder_path("file"));
    return status;
}

static int exists(const char *ending)
{
    char name[PATH + 32];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return access(name, F_OK) == 0;
}

static void begin(ms_part_file *part)
{
    assert_int_equal(ms_part_file_create(path, part), 0);
    close(part->descriptor);
}

static void is_kept_or_dropped(void **state)
{
    (void)state;
    ms_part_file part;
    begin(&part);
    assert_true(exists(".1.part"));
    assert_int_equal(ms_part_file_keep(&part, path), 0);
    assert_true(exists("") && !exists(".1.part"));
    ms_part_file_drop(&part);
    assert_true(exists(""));
    begin(&part);
    ms_part_file_drop(&part);
    ms_part_file_drop(&part);
    assert_true(exists("") && !exists(".1.part"));
}

static void two_have_two_names(void **state)
{
    (void)state;
    ms_part_file first, second, third;
    begin(&first);
    begin(&second);
    assert_true(exists(".1.part") && exists(".2.part"));
    ms_part_file_drop(&first);
    begin(&third); /* beside the second, which is at work */
    assert_true(exists(".1.part") && exists(".2.part"));
    ms_part_file_drop(&second);
    ms_part_file_drop(&third);
    assert_true(!exists(".1.part") && !exists(".2.part"));
}

/* A process that is killed leaves three files; the next one that writes removes them all. */
static void what_the_dead_left_is_removed(void **state)
{
    (void)state;
    ms_part_file part;
    const pid_t child = fork();
    if (child == 0) {
        ms_part_file parts[3];
        for (int k = 0; k < 3; k++)
            if (ms_part_file_create(path, &parts[k]) != 0)
                _exit(1);
        _exit(0); /* as after SIGKILL nothing is removed */
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(exists(".1.part") && exists(".2.part") && exists(".3.part"));
    begin(&part);
    assert_true(exists(".1.part") && !exists(".2.part") && !exists(".3.part"));
    ms_part_file_drop(&part);
}

static void fill(const char *folder)
{
    support_shell("mkdir -p %s/a/b && touch %s/c %s/a/b/c && ln -s / %s/root", folder, folder, folder,
                  folder);
}

static void folders_go_with_all_that_is_in_them(void **state)
{
    (void)state;
    ms_part_file part, other;
    assert_int_equal(ms_part_folder_create(path, &part), 0);
    assert_int_equal(ms_part_folder_create(path, &other), 0);
    assert_true(exists(".1.part.d") && exists(".2.part.d"));
    fill(part.folder);
    ms_part_file_drop(&part);
    assert_true(!exists(".1.part") && !exists(".1.part.d") && exists(".2.part.d"));
    fill(other.folder);
    ms_part_files_remove();
    assert_true(!exists(".2.part") && !exists(".2.part.d"));
    ms_part_file_drop(&other);
}

/* A process that is killed leaves its folder, which goes with the next one that makes one; that of a process that lives stays, and
 * so does what has the name alone. */
static void folders_of_the_dead_are_removed(void **state)
{
    (void)state;
    ms_part_file mine, next;
    int status = -1, ready[2];
    assert_int_equal(ms_part_folder_create(path, &mine), 0);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        ms_part_file parts[3];
        for (int k = 0; k < 3; k++)
            if (ms_part_folder_create(path, &parts[k]) != 0)
                _exit(1);
        fill(parts[1].folder);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(ms_part_folder_create(path, &next), 0);
    assert_true(exists(".1.part.d") && exists(".2.part.d") && exists(".3.part.d") && exists(".4.part.d") &&
                exists(".5.part.d"));
    ms_part_file_drop(&next);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    support_shell("mkdir %s.6.part.d %s.7.part", path, path);
    assert_int_equal(ms_part_folder_create(path, &next), 0);
    assert_true(exists(".1.part.d") && exists(".2.part.d") && !exists(".3.part.d") && !exists(".4.part") &&
                exists(".6.part.d") && exists(".7.part"));
    assert_int_equal(access("/bin/sh", X_OK), 0); /* behind the link */
    ms_part_file_drop(&next);
    ms_part_file_drop(&mine);
    support_shell("rmdir %s.6.part.d %s.7.part; ! ls %s.* 2>/dev/null", path, path, path);
    close(ready[0]);
    close(ready[1]);
}

/* Something else of that name stays. */
/* An FMU may close all descriptors of its process, and so our locks. Another process then takes the same name. The first process must not
 * remove what the second one has. */
static void who_has_lost_its_lock_leaves_what_another_one_has(void **state)
{
    (void)state;
    ms_part_file first, second;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(ms_part_folder_create(path, &first), 0);
        close(first.lock);
        assert_int_equal(ms_part_folder_create(path, &second), 0);
        assert_string_equal(first.path, second.path);
        fill(second.folder);
        first.lock = k % 2 == 0 ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (k < 2)
            ms_part_file_drop(&first);
        else
            assert_int_equal(ms_part_file_keep(&first, support_folder_path("kept")), -1);
        assert_true(exists(".1.part") && exists(".1.part.d/c"));
        ms_part_file_drop(&second);
        assert_true(!exists(".1.part") && !exists(".1.part.d"));
    }
}

static void links_and_folders_are_left_alone(void **state)
{
    (void)state;
    char link_path[PATH + 16], folder_path[PATH + 16], target[PATH + 16], name[PATH + 16];
    ms_part_file part;
    snprintf(link_path, sizeof link_path, "%s.1.part", path);
    snprintf(folder_path, sizeof folder_path, "%s.2.part", path);
    snprintf(target, sizeof target, "%s.target", path);
    snprintf(name, sizeof name, "%s.3.part", path);
    FILE *file = fopen(target, "w");
    assert_non_null(file);
    fputs("precious", file);
    fclose(file);
    assert_int_equal(symlink(target, link_path), 0);
    assert_int_equal(mkdir(folder_path, 0777), 0);
    begin(&part);
    assert_string_equal(part.path, name);
    struct stat status;
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_size, 8);
    ms_part_file_drop(&part);
    assert_int_equal(unlink(link_path) | unlink(target) | rmdir(folder_path), 0);
}

/* Each writes its letter again and again and renames; whatever stands there is whole, and nothing stays beside. */
static void write_rounds(char letter)
{
    for (int k = 0; k < ROUNDS; k++) {
        ms_part_file part;
        char text[SIZE + 1] = "";
        memset(text, letter, SIZE);
        if (ms_part_file_create(path, &part) != 0 || write(part.descriptor, text, SIZE) != SIZE ||
            close(part.descriptor) != 0 || ms_part_file_keep(&part, path) != 0)
            _exit(1);
        FILE *file = fopen(path, "r");
        if (file == NULL || fread(text, 1, SIZE, file) != SIZE || fgetc(file) != EOF ||
            strspn(text, (const char[]){text[0], '\0'}) < SIZE)
            _exit(2);
        fclose(file);
    }
    _exit(0);
}

static void many_processes_do_not_clash(void **state)
{
    (void)state;
    pid_t child[WRITERS];
    for (int k = 0; k < WRITERS; k++) {
        child[k] = fork();
        if (child[k] == 0)
            write_rounds((char)('a' + k));
    }
    for (int k = 0; k < WRITERS; k++) {
        int status = -1;
        assert_int_equal(waitpid(child[k], &status, 0), child[k]);
        assert_int_equal(status, 0);
    }
    assert_true(!exists(".1.part") && !exists(".2.part"));
}

/* A child that exits leaves what its parent writes; the parent removes it. */
static void each_process_removes_its_own(void **state)
{
    (void)state;
    ms_part_file part;
    int status = -1;
    begin(&part);
    const pid_t child = fork();
    if (child == 0) {
        ms_part_files_remove();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(exists(".1.part"));
    ms_part_files_remove();
    assert_false(exists(".1.part"));
    ms_part_file_drop(&part);
}

/* A line about a file that is being made says the name that the user has asked for. */
static void lines_have_final_names(void **state)
{
    static const char *const pairs[][2] = {
        {"p/.new.1.part.d/a.csv: full", "p/a.csv: full"},
        {"p/x.fmu.12.part.d/binaries/x.so", "p/x.fmu/binaries/x.so"},
        {"rows.1.part: damaged", "rows.1.part: damaged"},
        {"p/.part.d/a and .1.part.d/b", "p/.part.d/a and /b"},
        {"p/.new.1.part.d/a, q/.new.2.part.d/b", "p/a, q/b"},
        {"my.new.1.part.d/a", "my.new/a"},
    };
    (void)state;
    for (int k = 0; k < MS_COUNT(pairs); k++) {
        char text[64];
        snprintf(text, sizeof text, "%s", pairs[k][0]);
        ms_part_files_final_names(text);
        assert_string_equal(text, pairs[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_kept_or_dropped),
        cmocka_unit_test(two_have_two_names),
        cmocka_unit_test(what_the_dead_left_is_removed),
        cmocka_unit_test(folders_go_with_all_that_is_in_them),
        cmocka_unit_test(folders_of_the_dead_are_removed),
        cmocka_unit_test(who_has_lost_its_lock_leaves_what_another_one_has),
        cmocka_unit_test(links_and_folders_are_left_alone),
        cmocka_unit_test(many_processes_do_not_clash),
        cmocka_unit_test(each_process_removes_its_own),
        cmocka_unit_test(lines_have_final_names),
    };
    return cmocka_run_group_tests(tests, make_folder, support_folder_remove);
}
