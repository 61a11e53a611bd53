/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component_parts.h"
#include "export_files.h"

const char *const *ms_export_sources_compiled(int fmi)
{
    static const char *const two[] = {"fmi2.c",   "front.c", "component_linear.c", "linear_model_data.c",
                                      "status.c", NULL},
                             *const three[] = {
                                 "fmi3.c",   "front.c", "component_linear.c", "linear_model_data.c",
                                 "status.c", NULL};
    return fmi == 2 ? two : three;
}

const char *ms_export_sources_lack(const ms_component *component)
{
    const ms_subsystem *sub = component->exported.sub;
    return sub->matrices == NULL                    ? "it is nonlinear"
           : ms_subsystem_has_events(sub)           ? "it has events or breakpoints"
           : sub->nw > 0 && !sub->external_constant ? "its external inputs vary"
                                                    : NULL;
}

/* The model as data -------------------------------------------------------------------------------------- */

static void write_array(FILE *file, const char *name, int n, const double *value)
{
    fprintf(file, "static const double %s[] = {", name);
    for (int k = 0; k < n; k++)
        fprintf(file, "%s%.17g", k == 0 ? "" : k % 4 == 0 ? ",\n    " : ", ", value[k]);
    fprintf(file, "%s};\n", n == 0 ? "0" : "");
}

/* f = E w, g = F w. */
static void write_constants(FILE *file, const ms_component *c, double *w, double *f)
{
    const ms_subsystem *sub = c->exported.sub;
    const ms_blocks *m = c->instance->blocks;
    const int nw = sub->nw, n = sub->nx > sub->ny ? sub->nx : sub->ny;
    if (nw > 0)
        ms_subsystem_external(c->exported.system, sub, 0.0, w);
    for (int part = 0; part < 2; part++) {
        const double *M = part == 0 ? m->E : m->F;
        const int rows = part == 0 ? sub->nx : sub->ny;
        for (int i = 0; i < n; i++)
            f[i] = 0.0;
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < nw; k++)
                f[i] += M[i * nw + k] * w[k];
        write_array(file, part == 0 ? "f" : "g", rows, f);
    }
}

static void write_model(FILE *file, const ms_component *c, double *work)
{
    const ms_subsystem *sub = c->exported.sub;
    const ms_blocks *m = c->instance->blocks;
    const ms_capabilities *can = &c->instance->can;
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny, np = c->settings.model->n_parameters;
    fprintf(file, "/* The data of %s, subsystem %s. */\n#include \"linear_model.h\"\n\n",
            c->settings.model->name, sub->name);
    write_array(file, "A", nx * nx, m->A);
    write_array(file, "B", nx * nu, m->B);
    write_array(file, "C", ny * nx, m->C);
    write_array(file, "D", ny * nu, m->D);
    write_constants(file, c, work, work + sub->nw);
    write_array(file, "x0", nx, c->instance->x);
    write_array(file, "u0", nu, c->u);
    write_array(file, "p", np, c->p);
    fprintf(file,
            "\nconst ms_linear_model ms_linear_model_data = {\n    \"%s\", %d, %d, %d, %d, %d, %d, %.17g,\n  "
            "  A, B, C, "
            "D, f, g, x0, u0, p};\n",
            c->settings.token, nx, nu, ny, np, can->input_degree, can->output_derivatives, can->step);
}

static int write_data(const ms_component *component, const char *folder, ms_error *error)
{
    const ms_subsystem *sub = component->exported.sub;
    const int n = sub->nx > sub->ny ? sub->nx : sub->ny;
    double *work = calloc((size_t)(sub->nw + n) + 1, sizeof *work);
    ms_export_file file = {0};
    if (work == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the sources");
    int status = ms_export_file_open(folder, "linear_model_data.c", &file, error);
    if (status == MS_OK) {
        write_model(file.stream, component, work);
        status = ms_export_file_close(&file, error);
    }
    free(work);
    return status;
}

/* Files -------------------------------------------------------------------------------------------------- */

/* Of both versions of FMI each has its own alone. */
static bool is_other(const char *name, int fmi)
{
    return strcmp(name, fmi == 2 ? "fmi3.c" : "fmi2.c") == 0;
}

/* FMI 3.0 says in a file of its own what is to be compiled. */
static int write_build_description(const char *folder, const char *identifier, ms_error *error)
{
    ms_export_file file = {0};
    const int status = ms_export_file_open(folder, "buildDescription.xml", &file, error);
    if (status != MS_OK)
        return status;
    fprintf(file.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
            "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C11\">\n",
            identifier);
    for (const char *const *name = ms_export_sources_compiled(3); *name != NULL; name++)
        fprintf(file.stream, "      <SourceFile name=\"%s\"/>\n", *name);
    fputs(
        "    </SourceFileSet>\n    <Library name=\"m\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
        file.stream);
    return ms_export_file_close(&file, error);
}

int ms_export_sources_write(const ms_component *component, int fmi, const char *folder, ms_error *error)
{
    char name[MS_EXPORTED_NAME];
    int status = write_data(component, folder, error);
    for (const ms_export_source *s = ms_export_sources; s->name != NULL && status == MS_OK; s++)
        if (!is_other(s->name, fmi))
            status = ms_export_file_text(folder, s->name, (const char *)s->data, error);
    if (status == MS_OK && fmi == 3)
        status = write_build_description(folder, ms_exported_identifier(&component->exported, name), error);
    return status;
}
