/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a call: nothing is written over another file of the same call. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"

/* In each pair the one that stands later is complained of. */
static const struct {
    ms_argument argument;
    bool written;
    const char *what;
} files[] = {{MS_ARGUMENT_SYSTEM, false, "the system is read from there"},
             {MS_ARGUMENT_INPUTS, false, "the inputs are read from there"},
             {MS_ARGUMENT_REFERENCE, false, "the reference is read from there"},
             {MS_ARGUMENT_MEASUREMENTS, false, "the measurements are read from there"},
             {MS_ARGUMENT_OUTPUT, true, "the answer goes there"},
             {MS_ARGUMENT_TRAJECTORY, true, "the trajectory goes there"},
             {MS_ARGUMENT_ENERGY, true, "the energies go there"},
             {MS_ARGUMENT_HISTORY, true, "the history goes there"},
             {MS_ARGUMENT_EVENTS, true, "the events go there"},
             {MS_ARGUMENT_DRAW, true, "the picture goes there"},
             {MS_ARGUMENT_PLOT, true, "the picture goes there"}};

/* The folder that the path is in, resolved; *name is what comes after it. NULL: there is none. */
static char *folder_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = malloc(length + 2);
    *name = path + length;
    if (folder == NULL)
        return NULL;
    memcpy(folder, path, length);
    memcpy(folder + length, ".", 2);
    char *resolved = realpath(folder, NULL);
    free(folder);
    return resolved;
}

/* Do both paths, to which there is no file yet, name the same? */
static bool name_same(const char *a, const char *b)
{
    const char *name_a, *name_b;
    char *folder_a = folder_of(a, &name_a), *folder_b = folder_of(b, &name_b);
    const bool same = folder_a != NULL && folder_b != NULL && strcmp(folder_a, folder_b) == 0 &&
                      strcmp(name_a, name_b) == 0;
    free(folder_a);
    free(folder_b);
    return same;
}

static bool are_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (strcmp(a, b) == 0)
        return true;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) /* standard output, not a file of that name */
        return false;
    const bool is_a = stat(a, &of_a) == 0, is_b = stat(b, &of_b) == 0;
    if (is_a && is_b)
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    return !is_a && !is_b && name_same(a, b);
}

/* The path of files[k], or NULL: without --output the answer goes to standard output, where a picture of letters may follow. */
static const char *path_of(const ms_arguments *arguments, int k)
{
    const ms_argument argument = files[k].argument;
    const char *path = arguments->text[argument];
    if (argument == MS_ARGUMENT_PLOT && path != NULL && strcmp(path, "-") == 0)
        return NULL;
    return path == NULL && argument == MS_ARGUMENT_OUTPUT ? "-" : path;
}

/* Several operands are files that are read. */
static int check_operands(const ms_arguments *arguments, ms_error *error)
{
    const char *output = arguments->text[MS_ARGUMENT_OUTPUT];
    for (int k = 0; k < arguments->n_operands && output != NULL; k++)
        if (strstr(arguments->command->operand, "..") != NULL && are_same(output, arguments->operands[k]))
            return ms_fail(error, MS_INVALID, "--output %s: %s is read from there; name another file", output,
                           ms_argument_taken(arguments->command, MS_ARGUMENT_SYSTEM) ? "a result" : "a part");
    return MS_OK;
}

int ms_arguments_check_files(const ms_arguments *arguments, ms_error *error)
{
    for (int k = 0; k < MS_COUNT(files); k++)
        for (int j = 0; j < k; j++) {
            const char *path = path_of(arguments, k), *other = path_of(arguments, j);
            if (path != NULL && other != NULL && files[k].written && are_same(path, other))
                return ms_fail(error, MS_INVALID, "--%s %s: %s; name another file",
                               ms_argument_table[files[k].argument].option.name, path, files[j].what);
        }
    return check_operands(arguments, error);
}
