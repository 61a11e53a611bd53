/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options_set.h>
#include <macrostep/reference.h>
#include <macrostep/scheme_registry.h>
#include "unit_test.h"

enum { SETTINGS_MAX = 16, STEPS = 64 };

/* The next word of *text as "name" and, where it has one, "value"; both live in buffer. False: no word is
 * left. */
static bool next_word(const char **text, char *buffer, size_t size, const char **value)
{
    *text += strspn(*text, " ");
    const size_t length = strcspn(*text, " ");
    if (length == 0)
        return false;
    assert_true(length < size);
    memcpy(buffer, *text, length);
    buffer[length] = '\0';
    *text += length;
    char *equals = strchr(buffer, '=');
    if (equals != NULL)
        *equals++ = '\0';
    *value = equals;
    return true;
}

ms_system *support_system(const char *name, const char *settings)
{
    const ms_model *model = ms_catalogue_find(name);
    assert_non_null(model);
    char buffer[SETTINGS_MAX][64], case_name[64] = "";
    ms_setting setting[SETTINGS_MAX];
    const char *value, *text = settings != NULL ? settings : "";
    int n = 0;
    while (next_word(&text, buffer[n], sizeof buffer[n], &value)) {
        assert_true(n + 1 < SETTINGS_MAX && value != NULL);
        if (strcmp(buffer[n], "case") == 0)
            snprintf(case_name, sizeof case_name, "%s", value);
        else {
            setting[n] = (ms_setting){buffer[n], strtod(value, NULL)};
            n++;
        }
    }
    ms_system *system;
    ms_error error = {""};
    if (ms_system_create(model, case_name[0] != '\0' ? case_name : NULL, setting, n, &system, &error) !=
        MS_OK)
        fail_msg("%s", error.text);
    return system;
}

ms_system *support_system_with(const char *model, const ms_setting *settings, int n)
{
    const ms_model *found = ms_catalogue_find(model);
    assert_non_null(found);
    return support_system_set(found, settings, n);
}

void support_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

void support_near_all(int n, const double *values, const double *expected, double tolerance)
{
    for (int j = 0; j < n; j++)
        support_near(values[j], expected[j], tolerance);
}

void support_near_states(int n, const double *values, const double *expected, double tolerance)
{
    for (int j = 0; j < n; j++)
        support_near(values[j], expected[j], tolerance * (1.0 + fabs(expected[j])));
}

const ms_parameter *support_parameter(const ms_system *system, const char *name)
{
    const int k = ms_model_parameter(system->model, name);
    assert_true(k >= 0);
    return &system->model->parameters[k];
}

double support_value(const ms_system *system, const char *name)
{
    return system->p[support_parameter(system, name) - system->model->parameters];
}

ms_system *support_system_set(const ms_model *model, const ms_setting *settings, int n)
{
    ms_system *system = NULL;
    ms_error error = {""};
    if (ms_system_create(model, NULL, settings, n, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    return system;
}

ms_system *support_system_of(const ms_model *model)
{
    return support_system_set(model, NULL, 0);
}

/* A model's structure with its subsystems in another order, as a model builds it. */
typedef struct reordered {
    const ms_model *model;
    const int *order;
} reordered;

static int build_as_written(const double *p, ms_structure *s, ms_error *error)
{
    const ms_model *model = s->model;
    if (model->build != NULL)
        return model->build(p, s, error);
    s->n_wires = model->n_wires;
    s->wires = ms_structure_alloc(s, (size_t)s->n_wires + 1, sizeof *s->wires);
    s->n_subsystems = model->n_subsystems;
    s->subsystems = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *s->subsystems);
    for (int i = 0; i < s->n_wires; i++)
        s->wires[i] = model->wires[i];
    for (int i = 0; i < s->n_subsystems; i++)
        s->subsystems[i] = model->subsystems[i];
    return MS_OK;
}

static int build_reordered(const double *p, ms_structure *s, ms_error *error)
{
    const reordered *of = s->model->data;
    s->model = of->model;
    const int status = build_as_written(p, s, error);
    const ms_subsystem *old = s->subsystems;
    int *place = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *place); /* of the old subsystem */
    s->subsystems = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *s->subsystems);
    for (int i = 0; i < s->n_subsystems; i++) {
        place[of->order[i]] = i;
        s->subsystems[i] = old[of->order[i]];
    }
    for (int i = 0; i < s->n_wires; i++) {
        s->wires[i].to = place[s->wires[i].to];
        s->wires[i].from = place[s->wires[i].from];
    }
    for (int i = 0; i < s->n_lines; i++) {
        for (int k = 0; k < 2; k++)
            s->lines[i].subsystem[k] = place[s->lines[i].subsystem[k]];
        s->lines[i].element = place[s->lines[i].element];
    }
    return status;
}

ms_system *support_permuted(const ms_system *system, const int *order)
{
    const reordered of = {system->model, order};
    ms_model model = *system->model;
    model.build = build_reordered;
    model.data = &of;
    ms_setting *settings = calloc((size_t)model.n_parameters + 1, sizeof *settings);
    for (int i = 0; i < model.n_parameters; i++)
        settings[i] = (ms_setting){model.parameters[i].name, system->p[i]};
    ms_system *permuted;
    assert_int_equal(
        ms_system_create(&model, system->case_name, settings, model.n_parameters, &permuted, NULL), MS_OK);
    free(settings);
    permuted->model = system->model;
    permuted->start_eps = system->start_eps;
    if (system->inputs != NULL)
        assert_int_equal(ms_system_bind_inputs(permuted, system->inputs, NULL), MS_OK);
    return permuted;
}

void support_temporary(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    const int length = snprintf(path, size, "%s/macrostep-XXXXXX", folder != NULL ? folder : "/tmp");
    assert_true(length > 0 && (size_t)length < size);
}

void support_temporary_file(const char *text, char *path, size_t size)
{
    support_temporary(path, size);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const size_t length = strlen(text);
    assert_int_equal(write(file, text, length), (ssize_t)length);
    close(file);
}

ms_model *support_model_read(const char *json)
{
    return support_model_read_with(json, &(ms_fmu_reading){0});
}

ms_model *support_model_read_with(const char *json, const ms_fmu_reading *reading)
{
    char path[512];
    ms_model *model;
    ms_error error = {""};
    support_temporary_file(json, path, sizeof path);
    const int status = ms_model_read_with(path, reading, &model, &error);
    remove(path);
    if (status != MS_OK)
        fail_msg("%s", error.text);
    return model;
}

char *support_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s is missing", path);
    fseek(file, 0, SEEK_END);
    const size_t length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, length, file), length);
    fclose(file);
    if (size != NULL)
        *size = length;
    return bytes;
}

void support_build_like(const ms_system *system, ms_structure *s)
{
    s->n_subsystems = system->n;
    s->n_wires = system->structure.n_wires;
    s->subsystems = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *s->subsystems);
    s->wires = ms_structure_alloc(s, (size_t)s->n_wires + 1, sizeof *s->wires);
    assert_non_null(s->subsystems);
    assert_non_null(s->wires);
    if (s->n_wires > 0)
        memcpy(s->wires, system->structure.wires, sizeof *s->wires * (size_t)s->n_wires);
}

void support_options_add(ms_options *options, const char *text)
{
    char buffer[256];
    const char *value;
    ms_error error = {""};
    while (next_word(&text, buffer, sizeof buffer, &value))
        if (ms_options_set(options, buffer, value, &error) != MS_OK)
            fail_msg("%s", error.text);
}

ms_options support_options(const char *text)
{
    ms_options options;
    ms_options_default(&options);
    support_options_add(&options, text);
    return options;
}

ms_options support_options_of(const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return support_options(text);
}

ms_cosim *support_cosim(const ms_system *system, const ms_options *options)
{
    ms_cosim *cosim;
    ms_error error = {""};
    if (ms_cosim_of_options(system, options, &cosim, &error) != MS_OK)
        fail_msg("%s", error.text);
    return cosim;
}

void support_steps(ms_cosim *cosim, int first, int end, double h)
{
    for (int n = first; n < end; n++)
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
}

double *support_state(const ms_cosim *cosim)
{
    double *state = calloc(ms_cosim_state_size(cosim) + 1, sizeof *state);
    assert_non_null(state);
    ms_cosim_save(cosim, state);
    return state;
}

void support_has_state(const ms_cosim *cosim, const double *state, const char *what)
{
    double *now = support_state(cosim);
    if (memcmp(now, state, sizeof *now * ms_cosim_state_size(cosim)) != 0)
        fail_msg("%s %s: the state has other bits", cosim->system->model->name, what);
    free(now);
}

ms_run_result support_run(const ms_system *system, const ms_options *options, double *x, double *y)
{
    ms_cosim *cosim = support_cosim(system, options);
    ms_run_result result;
    ms_error error = {""};
    if (ms_run(cosim, NULL, 0, NULL, NULL, &result, &error) != MS_OK)
        fail_msg("%s", error.text);
    if (x != NULL)
        memcpy(x, cosim->x, sizeof(double) * (size_t)system->nx);
    if (y != NULL)
        memcpy(y, cosim->y, sizeof(double) * (size_t)system->ny);
    ms_cosim_destroy(&cosim);
    return result;
}

void support_finish(const ms_system *system, const ms_options *options, double *x, double *y)
{
    const ms_run_result result = support_run(system, options, x, y);
    if (result.reason != MS_REASON_END_TIME)
        fail_msg("%s: %s", ms_reason_name(result.reason), result.message);
}

int support_refusal(const ms_system *system, const ms_options *options, char *line, size_t size)
{
    ms_cosim *cosim;
    ms_error error = {""};
    const int status = ms_cosim_of_options(system, options, &cosim, &error);
    assert_int_equal(cosim != NULL, status == MS_OK);
    ms_cosim_destroy(&cosim);
    snprintf(line, size, "%s", error.text);
    return status;
}

void support_says(const char *line, const char *part)
{
    if (strstr(line, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", line, part);
}

void support_system_refuses(const ms_system *system, const char *text, int expected, const char *part)
{
    char line[MS_TEXT_MAX];
    const ms_options options = support_options(text);
    const int status = support_refusal(system, &options, line, sizeof line);
    if (status != expected)
        fail_msg("%s: status %d, not %d: %s", text, status, expected, line);
    support_says(line, part);
}

void support_refuses(const char *model, const char *text, const char *part)
{
    char line[MS_TEXT_MAX];
    ms_system *system = support_system(model, "");
    const ms_options options = support_options(text);
    if (support_refusal(system, &options, line, sizeof line) == MS_OK)
        fail_msg("%s, %s: is not refused", model, text);
    support_says(line, part);
    ms_system_destroy(&system);
}

void support_reference(const ms_system *system, double t, double *x)
{
    ms_reference *reference;
    ms_error error = {""};
    if (ms_reference_create(system, 0, NULL, &reference, &error) != MS_OK)
        fail_msg("%s", error.text);
    for (int n = 0; n < STEPS; n++)
        assert_int_equal(ms_reference_step(reference, n * t / STEPS, t / STEPS), MS_OK);
    memcpy(x, ms_reference_state(reference), sizeof(double) * (size_t)system->nx);
    ms_reference_destroy(&reference);
}

double support_distance(int n, const double *a, const double *b)
{
    double most = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[i] - b[i]);
        most = d <= most ? most : d;
        size = fmax(size, fabs(b[i]));
    }
    return isnan(most) ? INFINITY : most / (1.0 + size);
}

bool support_variant_at(int k, support_variant *variant)
{
    static const struct {
        int order;
        const char *derivatives;
    } input[] = {
        {0, "differences"}, {1, "differences"}, {2, "differences"}, {1, "analytic"}, {2, "analytic"}};
    static const char *const scheme[] = {"jacobi", "gauss-seidel"};
    static const char *const outputs[] = {"inconsistent", "consistent", "corrected"};
    static const char *const smoothing[] = {"none", "c0", "c1"};
    const int i = k % 5, o = k / 5 % 3, s = k / 15 % 3, g = k / 45;
    if (g > 1)
        return false;
    *variant = (support_variant){.gauss_seidel = g == 1,
                                 .analytic = i > 2,
                                 .order = input[i].order,
                                 .outputs = (ms_outputs)o,
                                 .smoothing = (ms_smoothing)s};
    snprintf(variant->text, sizeof variant->text,
             "scheme=%s extrapolation-order=%d derivatives=%s outputs=%s smooth-coupling=%s", scheme[g],
             input[i].order, input[i].derivatives, outputs[o], smoothing[s]);
    return true;
}

double support_random(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX */
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

int support_random_below(unsigned long long *seed, int n)
{
    return (int)((support_random(seed) + 1.0) * 0.5 * n);
}

int support_ensemble(int n)
{
    const char *effort = getenv("TEST_EFFORT");
    const bool whole = effort == NULL || strcmp(effort, "short") != 0 || n <= 2;
    return whole ? n : n < 20 ? 2 : n / 10;
}

int support_models(void)
{
    int n = 0;
    while (ms_catalogue[n] != NULL)
        n++;
    return n;
}

bool support_in_ensemble(int k, int n)
{
    const int taken = support_ensemble(n);
    return k * taken % n < taken;
}
