/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_sources.h"

#include <stdlib.h>
#include <string.h>

#include "component_parts.h"
#include "equations_source.h"
#include "export_files.h"
#include "number.h"

/* Is it written as matrices? Equations of a file are kept as such, so that their parameters can be set. */
static bool is_linear(const ms_component *component)
{
    return !ms_equations_are(component->exported.sub);
}

const char *const *ms_export_sources_compiled(const ms_component *component, int fmi)
{
#define FILES(version, solver)                                                                               \
    {                                                                                                        \
        "fmi" #version ".c", "fmi_instance.c", "component_source.c", "solve_" #solver ".c",                  \
            "source_model_data.c", "status.c", NULL                                                          \
    }
    static const char *const names[2][2][7] = {{FILES(2, linear), FILES(2, equations)},
                                               {FILES(3, linear), FILES(3, equations)}};
#undef FILES
    return names[fmi == 3][!is_linear(component)];
}

const char *ms_export_sources_lack(const ms_component *component)
{
    const ms_subsystem *sub = component->exported.sub;
    if (sub->matrices == NULL && !ms_equations_are(sub))
        return "it is nonlinear, and not by equations of a file";
    if (ms_subsystem_jumps(sub) || sub->nz > 0)
        return "it has events or discrete variables";
    if (ms_equations_are(sub))
        return NULL;
    return sub->nw > 0 && !sub->external_constant ? "its external inputs vary" : NULL;
}

int ms_export_sources_output_derivatives(const ms_component *component)
{
    const int order = component->instance->can.output_derivatives;
    return is_linear(component) || order < 1 ? order : 1;
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

static void write_matrices(FILE *file, const ms_component *c, double *work)
{
    const ms_blocks *m = c->instance->blocks;
    const int nx = c->exported.sub->nx, nu = c->exported.sub->nu, ny = c->exported.sub->ny;
    write_array(file, "A", nx * nx, m->A);
    write_array(file, "B", nx * nu, m->B);
    write_array(file, "C", ny * nx, m->C);
    write_array(file, "D", ny * nu, m->D);
    write_constants(file, c, work, work + c->exported.sub->nw);
}

static void write_equations(FILE *file, const ms_component *c)
{
    fputs("#include <math.h>\n", file);
    ms_equations_write_source(c->exported.sub, file);
}

static void write_model(FILE *file, const ms_component *c, double *work)
{
    const ms_subsystem *sub = c->exported.sub;
    const ms_capabilities *can = &c->instance->can;
    const ms_export_solver *solver = &c->settings.solver;
    const int np = c->settings.model->n_parameters;
    fprintf(file, "/* The data of %s, subsystem %s. */\n#include \"source_model.h\"\n\n",
            c->settings.model->name, sub->name);
    if (is_linear(c))
        write_matrices(file, c, work);
    else
        write_equations(file, c);
    write_array(file, "x0", sub->nx, c->instance->x);
    write_array(file, "u0", sub->nu, c->u);
    write_array(file, "p0", np, c->p);
    fprintf(
        file,
        "\nconst ms_source_model ms_source_model_data = {\n    .token = \"%s\", .nx = %d, .nu = %d, .ny = "
        "%d, .np "
        "= %d,\n    .degree = %d, .output_derivatives = %d, .step = %.17g, .x0 = x0, .u0 = u0, .p = p0,\n",
        c->settings.token, sub->nx, sub->nu, sub->ny, np, can->input_degree,
        ms_export_sources_output_derivatives(c), can->step);
    if (is_linear(c))
        fputs("    .A = A, .B = B, .C = C, .D = D, .f = f, .g = g};\n", file);
    else
        fprintf(file, "    .derivatives = derivatives, .outputs = outputs, .rtol = %.17g, .atol = %.17g};\n",
                solver->rtol, solver->atol);
}

static int write_data(const ms_component *component, const char *folder, ms_error *error)
{
    const ms_subsystem *sub = component->exported.sub;
    const int n = sub->nx > sub->ny ? sub->nx : sub->ny;
    double *work = calloc((size_t)(sub->nw + n) + 1, sizeof *work);
    ms_export_file file = {0};
    MS_TRY_MEMORY_FOR(work != NULL, error, "the sources");
    int status = ms_export_file_open(folder, "source_model_data.c", &file, error);
    if (status == MS_OK) {
        const locale_t before = ms_number_locale();
        write_model(file.stream, component, work);
        uselocale(before);
        status = ms_export_file_close(&file, error);
    }
    free(work);
    return status;
}

/* Files -------------------------------------------------------------------------------------------------- */

/* Headers go with all; of the rest those that are to be compiled. */
static bool is_wanted(const char *name, const char *const *compiled)
{
    while (*compiled != NULL && strcmp(name, *compiled) != 0)
        compiled++;
    return *compiled != NULL || strchr(name, '.')[1] == 'h';
}

/* FMI 3.0 says in a file of its own what is to be compiled. */
static int write_build_description(const char *folder, const ms_component *component, ms_error *error)
{
    char name[MS_EXPORTED_NAME];
    ms_export_file file = {0};
    MS_TRY(ms_export_file_open(folder, "buildDescription.xml", &file, error));
    fprintf(file.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
            "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C11\">\n",
            ms_exported_identifier(&component->exported, name));
    for (const char *const *source = ms_export_sources_compiled(component, 3); *source != NULL; source++)
        fprintf(file.stream, "      <SourceFile name=\"%s\"/>\n", *source);
    fputs("    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n  "
          "</BuildConfiguration>\n</fmiBuildDescription>\n",
          file.stream);
    return ms_export_file_close(&file, error);
}

int ms_export_sources_write(const ms_component *component, int fmi, const char *folder, ms_error *error)
{
    const char *const *compiled = ms_export_sources_compiled(component, fmi);
    MS_TRY(write_data(component, folder, error));
    for (const ms_export_source *s = ms_export_sources; s->name != NULL; s++)
        if (is_wanted(s->name, compiled))
            MS_TRY(ms_export_file_text(folder, s->name, (const char *)s->data, error));
    if (fmi == 3)
        MS_TRY(write_build_description(folder, component, error));
    return MS_OK;
}
