/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_linearise_answer_units.c - an FMU without directional derivatives in units from 1e-9 to 1e9, in the answers of linearise,
 * spectral and stability:
 *
 *     x' = -x - x^3/s^2 + u,  y = x    at x = s, with u = w k, k a gain
 *
 * A = -4, B = 1 whatever s is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_answer.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

/* What the command says of a ring of the FMU and a gain -1/2. nominal: x and u have nominal values. */
static json_t *answer_of(int fmi, const char *s, bool nominal, const char *command, const char *options)
{
    char path[256], file[256], define[64], text[1000], x[300], u[300];
    snprintf(define, sizeof define, "-DCUBIC=%s", s);
    snprintf(x, sizeof x, "start=\"%s\" %s%s%s", s, nominal ? "nominal=\"" : "", nominal ? s : "",
             nominal ? "\"" : "");
    snprintf(u, sizeof u, "start=\"0\" %s%s%s", nominal ? "nominal=\"" : "", nominal ? s : "",
             nominal ? "\"" : "");
    support_decay decay = {.fmi = fmi, .define = define};
    char from[2][200], to[2][600];
    snprintf(from[0], sizeof from[0],
             fmi == 2 ? "initial=\"exact\"><Real start=\"1\"" : "initial=\"exact\" start=\"1\"");
    snprintf(to[0], sizeof to[0], fmi == 2 ? "initial=\"exact\"><Real %s" : "initial=\"exact\" %s", x);
    snprintf(from[1], sizeof from[1],
             fmi == 2 ? "causality=\"input\"><Real start=\"0\"" : "causality=\"input\" start=\"0\"");
    snprintf(to[1], sizeof to[1], fmi == 2 ? "causality=\"input\"><Real %s" : "causality=\"input\" %s", u);
    decay.edit[0] = from[0];
    decay.edit[1] = to[0];
    decay.edit[2] = from[1];
    decay.edit[3] = to[1];
    support_decay_fmu(&decay, path, sizeof path);
    snprintf(
        text, sizeof text,
        "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"model-exchange\"}, {\"name\": "
        "\"gain\", \"inputs\": [\"x\"], \"outputs\": {\"f\": \"-x/2\"}}], \"wires\": [{\"from\": "
        "\"fmu.y\", \"to\": \"gain.x\"}, {\"from\": \"gain.f\", \"to\": \"fmu.u\"}], \"end\": 1, "
        "\"step_size\": 0.1}",
        path);
    support_temporary_file(text, file, sizeof file);
    json_t *answer = support_answer_of("%s --system %s %s", command, file, options);
    remove(file);
    remove(path);
    return answer;
}

static double entry(const json_t *of, const char *matrix)
{
    return json_number_value(json_array_get(json_array_get(json_object_get(of, matrix), 0), 0));
}

static void good_error(const json_t *of)
{
    assert_string_equal(json_string_value(json_object_get(of, "partials")), "central");
    const double error = json_number_value(json_object_get(of, "partials_error"));
    assert_true(json_is_number(json_object_get(of, "partials_error")) && error > 0.0 && error < 1e-8);
    assert_null(json_object_get(of, "message"));
}

static const char *const units[] = {"1e-9", "1e-6", "1.0", "1e6", "1e9"};

static void matrices_are_those_of_any_unit(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * MS_COUNT(units); k++)
        for (int nominal = 0; nominal < 2; nominal++) {
            json_t *answer = answer_of(2 + k % 2, units[k / 2], nominal, "linearise", "");
            const json_t *fmu = json_array_get(json_object_get(answer, "subsystems"), 0),
                         *whole = json_object_get(answer, "whole");
            support_near(entry(fmu, "A"), -4.0, 1e-8);
            support_near(entry(fmu, "B"), 1.0, 1e-8);
            support_near(entry(whole, "A"), -4.5, 1e-8);
            assert_null(json_object_get(answer, "message"));
            good_error(fmu);
            good_error(whole);
            json_decref(answer);
        }
}

/* The gain has no state: under Gauss-Seidel, the FMU first, u of the next step is -x/2, and u is held:
 * Psi = exp(-4 H) - (1 - exp(-4 H)) / 8 for x alone. */
static void radii_are_those_of_any_unit(void **state)
{
    (void)state;
    const double e = exp(-0.4), expected = fabs(e - (1.0 - e) / 8.0);
    for (int k = 0; k < MS_COUNT(units); k++) {
        json_t *answer = answer_of(3, units[k], true, "spectral", "--scheme gauss-seidel --step-size 0.1");
        support_near(json_number_value(json_object_get(answer, "spectral_radius")), expected, 1e-8);
        good_error(answer);
        json_decref(answer);
        answer =
            answer_of(3, units[k], false, "stability", "--scheme gauss-seidel --x step-size=0.1:0.2:lin:2");
        support_near(entry(answer, "spectral_radius"), expected, 1e-8);
        good_error(answer);
        json_decref(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_those_of_any_unit),
        cmocka_unit_test(radii_are_those_of_any_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
