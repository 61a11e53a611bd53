/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fmu_description_read.h"
#include "plugin.h"
#include "structure.h"
#include "xml.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): POSIX has no header for it */

/* In the folder of the FMU. */
#define BUILD_DESCRIPTION "%s/sources/buildDescription.xml"

/* A call of the compiler on its way. */
typedef struct compiling {
    const ms_fmu *fmu;
    const char *folder;
    const char **word; /* (n); NULL after the last one */
    int n, room;
    int n_files;
    ms_structure memory; /* owns the words */
    ms_error *error;
} compiling;

/* Words -------------------------------------------------------------------------------------------------- */

static int no_memory(const compiling *c)
{
    return ms_fail(c->error, MS_NO_MEMORY, "%s: not enough memory to compile its sources", c->fmu->path);
}

static int add(compiling *c, const char *word)
{
    if (c->n + 1 >= c->room) {
        const char **more =
            ms_structure_alloc(&c->memory, (size_t)(c->room = 2 * c->room + 64), sizeof *more);
        MS_TRY_MEMORY_OR(more != NULL, no_memory(c));
        if (c->n > 0)
            memcpy(more, c->word, sizeof *more * (size_t)c->n);
        c->word = more;
    }
    c->word[c->n++] = word;
    return word != NULL ? MS_OK : no_memory(c);
}

#define ADD(c, ...) add(c, ms_structure_name(&(c)->memory, __VA_ARGS__))

/* The names come from the FMU: they must stay inside it. */
static bool stays_within(const char *name)
{
    const char *at = name;
    while (at != NULL && strncmp(at, "../", 3) != 0 && strcmp(at, "..") != 0) {
        at = strchr(at, '/');
        at = at != NULL ? at + 1 : NULL;
    }
    return at == NULL && name[0] != '/' && name[0] != '\0';
}

static int add_within(compiling *c, const char *option, const char *name)
{
    if (name == NULL || !stays_within(name))
        return ms_fail(c->error, MS_INVALID, "%s: its sources need %s, which is outside of it", c->fmu->path,
                       name != NULL ? name : "a file without a name");
    return ADD(c, "%s%s/sources/%s", option, c->folder, name);
}

static int add_file(compiling *c, const char *name)
{
    const int status = add_within(c, "", name);
    c->n_files++;
    if (status == MS_OK && access(c->word[c->n - 1], R_OK) != 0)
        return ms_fail(c->error, MS_INVALID, "%s: sources/%.200s must be compiled, but does not exist",
                       c->fmu->path, name);
    return status;
}

/* What is to be compiled --------------------------------------------------------------------------------- */

static int list_files_2(compiling *c)
{
    const char *name;
    int status = MS_OK;
    for (int k = 0;
         status == MS_OK && (name = ms_fmu_source_file(c->fmu->description, c->fmu->kind, k)) != NULL; k++)
        status = add_file(c, name);
    return status;
}

static int add_definition(compiling *c, const ms_xml_element *e)
{
    const char *name = ms_xml_attribute(e, "name"), *value = ms_xml_attribute(e, "value"),
               *optional = ms_xml_attribute(e, "optional");
    if (name == NULL || (optional != NULL && strcmp(optional, "false") != 0))
        return MS_OK;
    return value != NULL ? ADD(c, "-D%s=%s", name, value) : ADD(c, "-D%s", name);
}

static int add_set(compiling *c, const ms_xml_element *set)
{
    const char *language = ms_xml_attribute(set, "language");
    int status = MS_OK;
    if (language != NULL && (language[0] != 'C' || language[1] == '+'))
        return ms_fail(c->error, MS_UNSUPPORTED, "%s: its sources are in %.60s; only C is compiled",
                       c->fmu->path, language);
    for (const ms_xml_element *e = set->first; e != NULL && status == MS_OK; e = e->next) {
        const char *name = ms_xml_attribute(e, "name");
        if (strcmp(e->name, "SourceFile") == 0)
            status = add_file(c, name);
        else if (strcmp(e->name, "IncludeDirectory") == 0)
            status = add_within(c, "-I", name);
        else if (strcmp(e->name, "PreprocessorDefinition") == 0)
            status = add_definition(c, e);
    }
    return status;
}

static int add_configuration(compiling *c, const ms_xml_element *configuration)
{
    int status = MS_OK;
    for (const ms_xml_element *e = configuration->first; e != NULL && status == MS_OK; e = e->next)
        if (strcmp(e->name, "SourceFileSet") == 0)
            status = add_set(c, e);
    for (const ms_xml_element *e = ms_xml_child(configuration, "Library"); e != NULL && status == MS_OK;
         e = ms_xml_again(e))
        if (ms_xml_attribute(e, "name") != NULL)
            status = ADD(c, "-l%s", ms_xml_attribute(e, "name"));
    return status;
}

/* Is it for this kind, and for this platform? */
static bool fits(const compiling *c, const ms_xml_element *configuration)
{
    const char *identifier = ms_xml_attribute(configuration, "modelIdentifier"),
               *platform = ms_xml_attribute(configuration, "platform");
    return identifier != NULL && strcmp(identifier, ms_fmu_flags_of(c->fmu)->model_identifier) == 0 &&
           (platform == NULL || strcmp(platform, ms_fmu_platform(c->fmu->description->fmi)) == 0);
}

static int list_files_3(compiling *c)
{
    char path[PATH_MAX];
    ms_xml xml = {0};
    snprintf(path, sizeof path, BUILD_DESCRIPTION, c->folder);
    int status = ms_xml_read_file(path, c->fmu->path, &xml, c->error);
    if (status == MS_OK) {
        const ms_xml_element *e = ms_xml_child(xml.root, "BuildConfiguration");
        while (e != NULL && !fits(c, e))
            e = ms_xml_again(e);
        status = e != NULL ? add_configuration(c, e) : MS_OK;
    }
    ms_xml_free(&xml);
    return status;
}

/* FMI headers, which sources must not contain: ours are used unless there are others. */
static int add_headers(compiling *c)
{
    char path[PATH_MAX];
    ms_error why = {""};
    const char *header = c->fmu->description->fmi == 3 ? "fmi3Functions.h" : "fmi2Functions.h";
    if (ms_plugin_find(header, path, &why) != MS_OK)
        return MS_OK;
    *strrchr(path, '/') = '\0';
    const int status = add(c, "-idirafter");
    return status == MS_OK ? ADD(c, "%s", path) : status;
}

/* Libraries come last; the standard's functions have no prefix. Symbols defined by the sources take precedence over
 * those of the program (-Bsymbolic). */
static int make_words(compiling *c, const char *binary)
{
    static const char *const first[] = {"env", "LC_ALL=C", "cc",   "-shared", "-fPIC", "-Wl,-Bsymbolic",
                                        "-O2", "-w",       "-pipe"};
    const int fmi = c->fmu->description->fmi;
    int status = MS_OK;
    for (size_t k = 0; k < sizeof first / sizeof *first && status == MS_OK; k++)
        status = add(c, first[k]);
    MS_THEN(status, ADD(c, "-DFMI%d_OVERRIDE_FUNCTION_PREFIX", fmi));
    MS_THEN(status, ADD(c, "-I%s/sources", c->folder));
    MS_THEN(status, add_headers(c));
    MS_THEN(status, add(c, "-o"));
    MS_THEN(status, add(c, binary));
    MS_THEN(status, fmi == 3 ? list_files_3(c) : list_files_2(c));
    if (status == MS_OK && c->n_files == 0)
        return ms_fail(
            c->error, MS_UNSUPPORTED,
            "%s: it has no binary for this platform, and none of its sources are for it (sources/buildDescription.xml)",
            c->fmu->path);
    MS_THEN(status, add(c, "-lm"));
    if (status == MS_OK)
        (void)add(c, NULL);
    return status;
}

/* The compiler ------------------------------------------------------------------------------------------- */

static int spawn(char *const *word, int output, pid_t *id)
{
    posix_spawn_file_actions_t files;
    int status = posix_spawn_file_actions_init(&files);
    if (status != 0)
        return status;
    status = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    if (status == 0)
        status = posix_spawnp(id, word[0], &files, NULL, word, environ);
    posix_spawn_file_actions_destroy(&files);
    return status;
}

/* Reads the whole output and keeps its beginning. */
static void read_words(int from, char *text, size_t size)
{
    size_t n = 0;
    ssize_t got;
    char rest[4096];
    while ((got = n + 1 < size ? read(from, text + n, size - 1 - n) : read(from, rest, sizeof rest)) != 0)
        if (got > 0 && n + 1 < size)
            n += (size_t)got;
        else if (got < 0 && errno != EINTR)
            break;
    text[n] = '\0';
}

/* The line of its first error, or otherwise its first line. */
static char *find_line(char *text)
{
    char *error = strstr(text, "error: "), *line = text;
    for (char *end; error != NULL && (end = strchr(line, '\n')) != NULL && end < error;)
        line = end + 1;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static int wait_for(const compiling *c, pid_t id, char *text)
{
    const size_t length = strlen(c->folder);
    int how = 0;
    while (waitpid(id, &how, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return MS_OK;
    const char *line = find_line(text);
    if (strncmp(line, c->folder, length) == 0 && line[length] == '/')
        line += length + 1;
    return ms_fail(c->error, MS_INVALID, "%s: its sources do not compile: %.300s", c->fmu->path,
                   line[0] != '\0' ? line : "the compiler does not say why");
}

static int compile(const compiling *c)
{
    char text[16384];
    int ends[2];
    pid_t id;
    if (pipe(ends) != 0)
        return ms_fail(c->error, MS_IO, "%s: the output of cc cannot be read: %s", c->fmu->path,
                       strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int failure = spawn((char *const *)c->word, ends[1], &id);
    close(ends[1]);
    if (failure == 0)
        read_words(ends[0], text, sizeof text);
    close(ends[0]);
    return failure == 0
               ? wait_for(c, id, text)
               : ms_fail(c->error, MS_IO, "%s: cc does not start: %s", c->fmu->path, strerror(failure));
}

bool ms_fmu_lists_sources(const ms_fmu *fmu)
{
    char path[PATH_MAX];
    if (fmu->description->fmi != 3)
        return ms_fmu_source_file(fmu->description, fmu->kind, 0) != NULL;
    const int length = snprintf(path, sizeof path, BUILD_DESCRIPTION, ms_fmu_archive_folder(fmu->archive));
    return length > 0 && length < PATH_MAX && access(path, R_OK) == 0;
}

int ms_fmu_compile(const ms_fmu *fmu, const char *name, ms_error *error)
{
    compiling c = {.fmu = fmu, .folder = ms_fmu_archive_folder(fmu->archive), .error = error};
    const char *binary = ms_fmu_archive_add(fmu->archive, name);
    int status = binary != NULL ? MS_OK
                                : ms_fail(error, MS_IO, "%s: there is no place for its binary, %s/%s: %s",
                                          fmu->path, c.folder, name, strerror(errno));
    MS_THEN(status, make_words(&c, binary));
    MS_THEN(status, compile(&c));
    ms_structure_free(&c.memory);
    return status;
}
