/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a call: nothing is written over another file of the same call. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "standard_output.h"

/* In each pair the second one is reported. */
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

enum { PATH_LENGTH = 4096, LINKS = 40 };

/* Where a link to no file leads, which is where a file will be: the same path for what is no link. */
static void follow_links(const char *path, char end[PATH_LENGTH])
{
    char to[PATH_LENGTH], joined[2 * PATH_LENGTH];
    snprintf(end, PATH_LENGTH, "%s", path);
    for (int k = 0; k < LINKS; k++) {
        const ssize_t length = readlink(end, to, sizeof to - 1);
        if (length < 0)
            return;
        to[length] = '\0';
        const char *slash = strrchr(end, '/');
        const int folder = to[0] == '/' || slash == NULL ? 0 : (int)(slash - end) + 1;
        if (snprintf(joined, sizeof joined, "%.*s%s", folder, end, to) >= PATH_LENGTH)
            return;
        memcpy(end, joined, strlen(joined) + 1);
    }
}

/* The resolved folder of the path; *name is the rest of the path. NULL: none. */
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
    char end_a[PATH_LENGTH], end_b[PATH_LENGTH];
    follow_links(a, end_a);
    follow_links(b, end_b);
    char *folder_a = folder_of(end_a, &name_a), *folder_b = folder_of(end_b, &name_b);
    const bool same = folder_a != NULL && folder_b != NULL && strcmp(folder_a, folder_b) == 0 &&
                      strcmp(name_a, name_b) == 0;
    MS_FREE(folder_a, folder_b);
    return same;
}

/* What is there; "-" is standard output, not a file of that name. */
static bool look_at(const char *path, struct stat *found)
{
    return (strcmp(path, "-") == 0 ? fstat(fileno(ms_standard_output()), found) : stat(path, found)) == 0;
}

static bool are_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    a = ms_standard_output_is(a) ? "-" : a;
    b = ms_standard_output_is(b) ? "-" : b;
    const bool is_a = look_at(a, &of_a), is_b = look_at(b, &of_b);
    if (strcmp(a, b) == 0)
        return !is_a || strcmp(a, "-") == 0 ||
               !S_ISCHR(of_a.st_mode); /* /dev/null takes any number of files */
    if (is_a && is_b)
        return (S_ISREG(of_a.st_mode) || S_ISFIFO(of_a.st_mode)) && of_a.st_dev == of_b.st_dev &&
               of_a.st_ino == of_b.st_ino;
    return !is_a && !is_b && name_same(a, b);
}

/* The path of files[k], or NULL: without --output the answer goes to standard output. */
static const char *path_of(const ms_arguments *arguments, int k)
{
    const ms_argument argument = files[k].argument;
    const char *path = arguments->text[argument];
    return path == NULL && argument == MS_ARGUMENT_OUTPUT ? "-" : path;
}

/* A picture of letters may follow the answer, and nothing else. */
static bool may_share(int k, int j, const char *path)
{
    return files[k].argument == MS_ARGUMENT_PLOT && strcmp(path, "-") == 0 &&
           (files[j].argument == MS_ARGUMENT_OUTPUT || !files[j].written);
}

/* Several files from one option ------------------------------------------------------------------------------ */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Is `path` the file of that name in the folder of another one, or in a folder below it? */
static bool is_beside(const char *other, const char *below, const char *name, const char *path)
{
    char joined[PATH_LENGTH];
    const int folder = (int)(name_of(other) - other);
    return snprintf(joined, sizeof joined, "%.*s%s%s", folder, other, below, name) < PATH_LENGTH &&
           are_same(joined, path);
}

/* Does --plot STEM.ENDING write the same file? STEM-tex.pdf next to a .tex, and with --keep STEM.gp and STEM-PART.csv. */
static bool comes_with_plot(const ms_arguments *arguments, const char *path)
{
    const char *plot = arguments->text[MS_ARGUMENT_PLOT], *base = name_of(plot), *name = name_of(path);
    const char *dot = strrchr(base, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - base) : strlen(base);
    char script[PATH_LENGTH], page[PATH_LENGTH];
    snprintf(script, sizeof script, "%.*s.gp", (int)stem, base);
    snprintf(page, sizeof page, "%.*s-tex.pdf", (int)stem, base);
    const bool is_part =
        strncmp(name, base, stem) == 0 && name[stem] == '-' && ms_arguments_ends_with(name, ".csv");
    return (ms_arguments_ends_with(plot, ".tex") && is_beside(plot, "", page, path)) ||
           (arguments->keep && is_beside(plot, "", is_part ? name : script, path));
}

/* Does --directory write there? Its names come with the work: all that end so count, in it and, but of one figure, in its folder of figures. */
static bool comes_with_directory(const ms_arguments *arguments, const char *path)
{
    static const char *const ends[] = {".fmu", ".ssp", ".csv", ".html", ".md", ".svg", ".pdf", ".gp"};
    char inside[PATH_LENGTH];
    bool ends_so = false;
    for (int k = 0; k < MS_COUNT(ends); k++)
        ends_so = ends_so || ms_arguments_ends_with(path, ends[k]);
    snprintf(inside, sizeof inside, "%s/", arguments->text[MS_ARGUMENT_DIRECTORY]);
    const bool one = strcmp(arguments->command->name, "figure") == 0;
    const bool of_figure = ends_so || ms_arguments_ends_with(path, ".json");
    return ((one ? of_figure : ends_so) && is_beside(inside, "", name_of(path), path)) ||
           (of_figure && !one && is_beside(inside, "figures/", name_of(path), path));
}

static int check_companions(const ms_arguments *arguments, ms_error *error)
{
    const char *plot = arguments->text[MS_ARGUMENT_PLOT], *to = arguments->text[MS_ARGUMENT_DIRECTORY];
    for (int k = 0; k < MS_COUNT(files); k++) {
        const char *path = path_of(arguments, k);
        if (path == NULL || files[k].argument == MS_ARGUMENT_PLOT)
            continue;
        const bool with_plot = plot != NULL && comes_with_plot(arguments, path);
        if (with_plot || (to != NULL && comes_with_directory(arguments, path)))
            return ms_fail(error, MS_INVALID, "--%s %s: --%s %s writes there as well; name another file",
                           ms_argument_table[files[k].argument].option.name, path,
                           with_plot ? "plot" : "directory", with_plot ? plot : to);
    }
    return MS_OK;
}

/* new NAME writes NAME.c, without an option. */
static int check_source(const ms_arguments *arguments, ms_error *error)
{
    const char *output = arguments->text[MS_ARGUMENT_OUTPUT];
    char source[PATH_LENGTH];
    if (output == NULL || arguments->n_operands < 2 || strcmp(arguments->command->name, "new") != 0 ||
        snprintf(source, sizeof source, "%s.c", arguments->operands[1]) >= PATH_LENGTH ||
        !are_same(output, source))
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--output %s: the source goes there; name another file", output);
}

/* Operands may be files that are read. */
static int check_operands(const ms_arguments *arguments, ms_error *error)
{
    static const struct {
        const char *operand, *what;
    } read[] = {{"RESULT", "a result"}, {"FILE..", "a part"}, {"A B", "a result"}, {"ID|FILE", "the figure"}};
    const char *output = arguments->text[MS_ARGUMENT_OUTPUT];
    for (int i = 0; i < MS_COUNT(read) && output != NULL; i++)
        for (int k = 0; k < arguments->n_operands &&
                        strncmp(arguments->command->operand, read[i].operand, strlen(read[i].operand)) == 0;
             k++)
            if (are_same(output, arguments->operands[k]))
                return ms_fail(error, MS_INVALID, "--output %s: %s is read from there; name another file",
                               output, read[i].what);
    return MS_OK;
}

int ms_arguments_check_files(const ms_arguments *arguments, ms_error *error)
{
    for (int k = 0; k < MS_COUNT(files); k++)
        for (int j = 0; j < k; j++) {
            const char *path = path_of(arguments, k), *other = path_of(arguments, j);
            if (path != NULL && other != NULL && files[k].written && !may_share(k, j, path) &&
                are_same(path, other))
                return ms_fail(error, MS_INVALID, "--%s %s: %s; name another file",
                               ms_argument_table[files[k].argument].option.name, path, files[j].what);
        }
    MS_TRY(check_companions(arguments, error));
    MS_TRY(check_source(arguments, error));
    return check_operands(arguments, error);
}
