/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_model_exchange.c - subsystems that have been exported as FMUs and come back through a system file, for model exchange, give
 * the bits of the built-in ones: integration, events, rollback over them, Jacobians, parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/solver_registry.h>
#include "command_answer.h"
#include "fmu_export.h"
#include "json_schema.h"
#include "support.h"
#include "unit_test.h"

enum { SIZE = 64, TEXT = 16384 };

/* A system, and a file of its subsystems as FMUs. */
typedef struct twin {
    ms_system *inner, *of_fmus;
    ms_model *model;
    char folder[256];
    bool fits; /* the file has what the schema says */
} twin;

static void append(char *text, const char *format, ...)
{
    va_list arguments;
    const size_t at = strlen(text);
    va_start(arguments, format);
    const int length = vsnprintf(text + at, TEXT - at, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < TEXT - at);
}

static void export_all(const twin *t, int fmi)
{
    char path[320];
    ms_error error = {""};
    for (int i = 0; i < t->inner->n; i++) {
        ms_fmu_exported exported;
        const ms_fmu_export what = {
            .system = t->inner,
            .subsystem = t->inner->sub[i].name,
            .fmi = fmi,
            .solver = {.solver = ms_solver_find("rk4"), .rtol = 1e-10, .atol = 1e-10, .micro_steps = 1}};
        snprintf(path, sizeof path, "%s/%d.fmu", t->folder, i);
        if (ms_fmu_export_write(&what, path, &exported, &error) != MS_OK)
            fail_msg("%s", error.text);
        assert_true(exported.model_exchange);
    }
}

static bool fits_schema(const char *text)
{
    char why[256];
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const bool fits = support_schema_fits(SUPPORT_SCHEMAS, "system.json", root, why, sizeof why);
    json_decref(root);
    return fits;
}

/* `set`: the same for all, as JSON; `head` what stands before the subsystems. */
static int read_twin(twin *t, const char *head, const char *set, ms_error *error)
{
    char text[TEXT] = "{", path[320];
    const ms_system *inner = t->inner;
    append(text, "%s \"end\": %.17g, \"step_size\": %.17g, \"subsystems\": [", head, inner->stop_time,
           inner->step_size);
    for (int i = 0; i < inner->n; i++)
        append(text, "%s{\"name\": \"%s\", \"fmu\": \"%d.fmu\", \"set\": %s}", i > 0 ? ", " : "",
               inner->sub[i].name, i, set);
    append(text, "], \"wires\": [");
    for (int k = 0; k < inner->structure.n_wires; k++) {
        const ms_wire *w = &inner->structure.wires[k];
        append(text, "%s[%d, %d, %.17g]", k > 0 ? ", " : "", inner->u_at[w->to] + w->input,
               inner->y_at[w->from] + w->output, w->gain);
    }
    append(text, "]}");
    t->fits = fits_schema(text);
    snprintf(path, sizeof path, "%s/system.json", t->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return ms_model_read(path, &t->model, error);
}

static void remove_files(const twin *t)
{
    char path[320];
    for (int i = 0; i < t->inner->n; i++) {
        snprintf(path, sizeof path, "%s/%d.fmu", t->folder, i);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/system.json", t->folder);
    remove(path);
    rmdir(t->folder);
}

static void open_twin(twin *t, const char *model, int fmi)
{
    ms_error error = {""};
    *t = (twin){.inner = support_system(model, "")};
    support_temporary(t->folder, sizeof t->folder);
    assert_non_null(mkdtemp(t->folder));
    export_all(t, fmi);
    if (read_twin(t, "", "{}", &error) != MS_OK ||
        ms_system_create(t->model, NULL, NULL, 0, &t->of_fmus, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_true(t->fits);
    remove_files(t);
}

static void close_twin(twin *t)
{
    ms_system_destroy(&t->of_fmus);
    ms_system_destroy(&t->inner);
    ms_model_destroy(&t->model);
}

/* Outputs may differ in round-off, as algebraic loops of linear subsystems are solved another way. */
static ms_reason ends_alike(const twin *t, const char *text, double allowed)
{
    double x[2][SIZE], y[2][SIZE];
    const ms_options options = support_options(text);
    const ms_run_result a = support_run(t->inner, &options, x[0], y[0]),
                        b = support_run(t->of_fmus, &options, x[1], y[1]);
    if (b.reason != a.reason || a.macro_steps != b.macro_steps)
        fail_msg("%s %s: %s after %ld against %s after %ld: %s", t->inner->model->name, text,
                 ms_reason_name(a.reason), a.macro_steps, ms_reason_name(b.reason), b.macro_steps, b.message);
    if (!(support_distance(t->inner->nx, x[0], x[1]) <= allowed) ||
        !(support_distance(t->inner->ny, y[0], y[1]) <= fmax(allowed, 1e-15)))
        fail_msg("%s %s: FMUs are %g off in states, %g in outputs", t->inner->model->name, text,
                 support_distance(t->inner->nx, x[0], x[1]), support_distance(t->inner->ny, y[0], y[1]));
    return a.reason;
}

static void compare(const twin *t, const char *text, double allowed)
{
    assert_int_equal(ends_alike(t, text, allowed), MS_REASON_END_TIME);
}

/* D of FMUs is a directional derivative, that of linear subsystems a matrix: loops are solved to round-off. */
static bool has_feed_through(const ms_system *system)
{
    for (int j = 0; j < system->ny; j++)
        if (system->feed_through[j])
            return true;
    return false;
}

/* Linear and not, with feed-through and without. */
static void runs_have_the_same_bits(void **state)
{
    static const char *const models[] = {"quarter-car", "linear-pair", "double-pendulum", "quadruple-tank",
                                         "spring-mass"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
            twin t;
            open_twin(&t, models[k], fmi);
            t.inner->stop_time = t.of_fmus->stop_time = 10.0 * t.inner->step_size;
            const double allowed = has_feed_through(t.inner) ? 1e-11 : 0.0;
            compare(&t, "solver=euler", allowed);
            compare(&t, "solver=rk4", allowed);
            compare(&t, "solver=rk4 scheme=gauss-seidel extrapolation-order=1", allowed);
            compare(&t, "solver=cvode-bdf", 1e-7); /* its Newton's Jacobians differ in round-off */
            if (k == 0)
                compare(&t, "solver=rk4 scheme=ifosmondi step-size=0.01", 1e-12);
            close_twin(&t);
        }
}

/* The bell's wall is disarmed by its impact and armed by a step event: a discrete variable within the FMU. Steps that are
 * rejected, and the halves that Richardson's estimate takes, go back over both. */
static void events_have_the_same_bits(void **state)
{
    static const char *const models[] = {"bell", "impact-oscillator"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
            twin t;
            open_twin(&t, models[k], fmi);
            compare(&t, "solver=rk4", 0.0);
            compare(&t, "solver=cvode-bdf", 1e-7);
            compare(&t, "solver=rk4 error-controlled=richardson rtol=1e-5 atol=1e-7", 1e-12);
            compare(&t, "solver=rk4", 0.0); /* from the start once more */
            close_twin(&t);
        }
}

/* Differential-algebraic subsystems and those that read u' are for co-simulation alone, test_exported_identity.c has them; that a
 * macro-step is imposed is nothing that FMUs for model exchange can say. */
static bool is_exchanged(const ms_model *model)
{
    ms_system *s = support_system_of(model);
    bool all = s->nx <= SIZE && s->ny <= SIZE && !ms_system_has_residual(s);
    for (int i = 0; i < s->n; i++)
        all = all && !s->sub[i].uses_du && s->sub[i].imposed_step == 0.0 && s->sub[i].nu + s->sub[i].ny > 0;
    ms_system_destroy(&s);
    return all;
}

/* What `exact` says of subsystems that it does not know the matrices of. */
static void exact_is_refused(const twin *t)
{
    char line[512] = "";
    const ms_options options = support_options("solver=exact");
    bool states = false;
    for (int i = 0; i < t->of_fmus->n; i++)
        states = states || t->of_fmus->sub[i].nx > 0;
    const int status = support_refusal(t->of_fmus, &options, line, sizeof line);
    if (states && (status != MS_UNSUPPORTED || strstr(line, "exact") == NULL))
        fail_msg("%s: exact: status %d, %s", t->inner->model->name, status, line);
}

static bool is_refused(const ms_system *system, const char *text)
{
    char line[512];
    const ms_options options = support_options(text);
    return support_refusal(system, &options, line, sizeof line) != MS_OK;
}

/* Every model with schemes of every family, held, linear and quadratic inputs, macro-steps that are taken back. */
static void all_models_have_the_same_bits(void **state)
{
    static const struct {
        const char *text;
        bool near; /* step sizes and iterations that follow from differences of outputs */
    } schemes[] = {{"solver=euler scheme=jacobi", false},
                   {"solver=rk4 scheme=jacobi", false},
                   {"solver=rk4 scheme=jacobi extrapolation-order=2 start=hold", false},
                   {"solver=rk4 scheme=jacobi outputs=consistent", true},
                   {"solver=rk4 scheme=jacobi outputs=corrected", true},
                   {"solver=rk4 scheme=gauss-seidel extrapolation-order=1", false},
                   {"solver=rk4 scheme=zoh-iterative", true},
                   {"solver=rk4 scheme=ifosmondi", true},
                   {"solver=rk4 error-controlled=richardson rtol=1e-4 atol=1e-6", true},
                   {"solver=rk4 scheme=f3ornits rtol=1e-4 atol=1e-6", true}};
    (void)state;
    int n = 0, tried = 0;
    for (int m = 0; ms_catalogue[m] != NULL; m++)
        for (int fmi = 2;
             fmi <= 3 && support_in_ensemble(m, support_models()) && is_exchanged(ms_catalogue[m]);
             fmi++, tried++) {
            twin t;
            open_twin(&t, ms_catalogue[m]->name, fmi);
            t.inner->stop_time = t.of_fmus->stop_time = fmin(t.inner->stop_time, 8.0 * t.inner->step_size);
            exact_is_refused(&t);
            for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
                if (!is_refused(t.inner, schemes[k].text))
                    n += ends_alike(&t, schemes[k].text,
                                    schemes[k].near || has_feed_through(t.inner) ? 1e-11 : 0.0) ==
                         MS_REASON_END_TIME;
            close_twin(&t);
        }
    print_message("%d pairs of runs\n", n);
    assert_true(tried > 0 && n >= 4 * tried);
}

static void jacobians_are_the_directional_derivatives(void **state)
{
    (void)state;
    twin t;
    open_twin(&t, "quarter-car", 3);
    for (int i = 0; i < t.inner->n; i++) {
        double A[4], B[4], C[4], D[4], zero[2] = {0.0}, scratch[16];
        const ms_blocks m = {.A = A, .B = B, .C = C, .D = D}, *exact = &t.inner->blocks[i];
        ms_point at = {.x = zero, .u = zero};
        assert_non_null(t.of_fmus->sub[i].jacobian);
        assert_int_equal(ms_subsystem_jacobian(t.of_fmus, i, &at, NULL, scratch, &m, NULL), 0);
        assert_true(support_distance(4, A, exact->A) == 0.0 && support_distance(4, B, exact->B) == 0.0);
        assert_true(support_distance(4, C, exact->C) == 0.0 && support_distance(4, D, exact->D) == 0.0);
        for (int k = 0; k < 4; k++)
            assert_int_equal(ms_subsystem_feeds_through(t.of_fmus, i, k / 2, k % 2),
                             ms_subsystem_feeds_through(t.inner, i, k / 2, k % 2));
    }
    close_twin(&t);
}

/* Expressions in the file's parameters. */
static void parameters_are_set(void **state)
{
    static const char parameters[] = "\"parameters\": {\"half\": {\"value\": 5000}},";
    (void)state;
    ms_error error = {""};
    double x[2][SIZE];
    twin t = {.inner = support_system("quarter-car", "")};
    support_temporary(t.folder, sizeof t.folder);
    assert_non_null(mkdtemp(t.folder));
    export_all(&t, 2);
    if (read_twin(&t, parameters, "{\"p.kc\": \"2*half\", \"p.mc\": 300}", &error) != MS_OK)
        fail_msg("%s", error.text);
    for (int k = 1; k <= 2; k++) {
        const double half = 5000.0 * k;
        char text[64];
        snprintf(text, sizeof text, "kc=%g mc=300", 2.0 * half);
        ms_system *expected = support_system("quarter-car", text), *found = NULL;
        assert_int_equal(ms_system_create(t.model, NULL, &(ms_setting){"half", half}, 1, &found, &error),
                         MS_OK);
        const ms_options options = support_options("solver=rk4 stop-time=0.1");
        support_finish(expected, &options, x[0], NULL);
        support_finish(found, &options, x[1], NULL);
        assert_true(support_distance(4, x[0], x[1]) == 0.0);
        ms_system_destroy(&found);
        ms_system_destroy(&expected);
    }
    ms_model_destroy(&t.model);
    remove_files(&t);
    ms_system_destroy(&t.inner);
}

/* What is wrong is said in one line. */
static void settings_are_refused(void **state)
{
    static const struct {
        bool fits;
        const char *set, *line;
    } wrong[] = {
        {true, "{\"p.kd\": 1}", "has no variable p.kd; the nearest is p.k"},
        {true, "{\"p.mc\": \"soft\"}", "p.mc: "},
        {true, "{\"p.mc\": -1}", "p.mc: -1 is outside of its range [0, "},
        {false, "{\"x\": {}}", "set: the value of x is neither a number, true, false, nor a string"},
        {true, "{\"x\": []}", "set: x is a list of 0, but it has 1 value"},
        {true, "{\"p.mc\": true}", "p.mc: 'true' is not a value of type Float64"},
        {true, "{\"der(x.x)\": 1}", "der(x.x) cannot be set: it is continuous local (Float64)"},
        {false, "{}, \"kind\": \"both\"", "kind is both; co-simulation or model-exchange is expected"},
        {false, "3", "set is not an object"},
        {false, "{}, \"fmi\": 2", "fmi"},
    };
    (void)state;
    twin t = {.inner = support_system("quarter-car", "")};
    support_temporary(t.folder, sizeof t.folder);
    assert_non_null(mkdtemp(t.folder));
    export_all(&t, 3);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ms_error error = {""};
        assert_int_equal(read_twin(&t, "", wrong[k].set, &error), MS_INVALID);
        assert_null(t.model);
        assert_int_equal(t.fits, wrong[k].fits);
        if (strstr(error.text, wrong[k].line) == NULL || strstr(error.text, "system.json: line 1: ") == NULL)
            fail_msg("%s: %s", wrong[k].set, error.text);
    }
    remove_files(&t);
    ms_system_destroy(&t.inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_the_same_bits),
        cmocka_unit_test(events_have_the_same_bits),
        cmocka_unit_test(all_models_have_the_same_bits),
        cmocka_unit_test(jacobians_are_the_directional_derivatives),
        cmocka_unit_test(parameters_are_set),
        cmocka_unit_test(settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
