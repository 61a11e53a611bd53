/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_new.c - writes a template of a model or a scheme: inside/new_*.c.in with the name filled in. */
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>
#include "call.h"
#include "output.h"
#include "templates.h"

static const char compile_line[] =
    "cc -std=c11 -O2 -shared -fPIC %s.c -o %s.so $(pkg-config --cflags macrostep)";

static int check_name(const char *name, ms_error *error)
{
    const char *allowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (name[0] >= 'a' && name[0] <= 'z' && name[strspn(name, allowed)] == '\0' && strlen(name) <= 64)
        return MS_OK;
    return ms_fail(error, MS_INVALID,
                   "name %s: a small letter, then at most 63 small letters, digits and '-' are expected",
                   name[0] != '\0' ? name : "''");
}

/* A plug-in of the name of a built-in one could not be loaded. */
static int check_free(const char *kind, const char *name, ms_error *error)
{
    const bool model = strcmp(kind, "model") == 0;
    if (model ? ms_catalogue_find(name) == NULL : ms_scheme_find(name) == NULL)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "name %s: there is a %s %s already; choose another name", name,
                   model ? "model" : "scheme", name);
}

static const char *find_template(const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "new_%.20s.c.in", kind);
    return ms_template(name);
}

/* Writes the template with NAME and FILE replaced by the name, and COMPILE by the compiler's command line. */
static void fill_in(FILE *file, const char *template, const char *name)
{
    static const char *const words[] = {"COMPILE", "NAME", "FILE"};
    const char *c = template;
    while (*c != '\0') {
        size_t k = 0;
        while (k < 3 && strncmp(c, words[k], strlen(words[k])) != 0)
            k++;
        if (k == 3) {
            fputc(*c++, file);
            continue;
        }
        if (k == 0)
            fprintf(file, compile_line, name, name);
        else
            fputs(name, file);
        c += strlen(words[k]);
    }
}

static int write_file(const char *template, const char *name, const char *path, ms_error *error)
{
    ms_output output;
    if (access(path, F_OK) == 0)
        return ms_fail(error, MS_INVALID, "%s exists already; choose another name", path);
    MS_TRY(ms_output_open(path, &output, error));
    fill_in(output.file, template, name);
    return ms_output_close(&output, error);
}

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    const ms_arguments *a = &call->arguments;
    const char *kind = a->n_operands > 0 ? a->operands[0] : "",
               *name = a->n_operands > 1 ? a->operands[1] : "";
    const char *template = find_template(kind);
    char path[96];
    if (template == NULL)
        return ms_fail(error, MS_INVALID, "new %s: model, scheme or iteration is expected, and its name",
                       kind);
    int status = check_name(name, error);
    MS_THEN(status, check_free(kind, name, error));
    snprintf(path, sizeof path, "%.64s.c", name);
    MS_THEN(status, write_file(template, name, path, error));
    if (status == MS_OK)
        call->answer.value =
            ms_json_object("kind:s file:s compile:o use:o", kind, path,
                           json_sprintf(compile_line, name, name), json_sprintf("--load %s.so", name));
    return status;
}

const ms_call_steps ms_command_new = {.size = sizeof(ms_call), .compute = compute};
