/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lines_read.c - lines of a system file: the spring that each makes, what schemes that know no lines make of it, and what is refused
 * by name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "unit_test.h"

#define PORT(gain)                                                                                           \
    "\"ports\": [{\"name\": \"end\", \"input\": \"u1\", \"output\": \"y1\", \"gain\": " gain "}]"
#define BODY(name, gain)                                                                                     \
    "{\"name\": \"" name "\", \"A\": [[0, 1], [-4, 0]], \"B\": [[0], [" gain                                 \
    "]], \"C\": [[0, 1]], \"x0\": [1, 2], "                                                                  \
    "\"energy\": \"2*x1^2 + x2^2/2\", " PORT(gain) "}"
#define FILE_OF(more) "{" more "\"subsystems\": [" BODY("a", "2") ", " BODY("b", "-3") "], \"lines\": ["
#define LINE          "{\"a\": \"a.end\", \"b\": \"b.end\", \"stiffness\": "

/* Bodies of mass 1 at x' = v, v' = -4 x + F, F = 7 s on a and -7 s on b, s' = v_b - v_a, s(0) = 1/4. */
static void a_line_is_a_spring(void **state)
{
    (void)state;
    ms_model *model =
        support_model_read(FILE_OF("\"parameters\": {\"k\": 7}, ") LINE "\"k\", \"elongation\": \"k/28\"}]}");
    ms_system *s = support_system_of(model);
    assert_int_equal(s->n, 3);
    assert_string_equal(s->sub[2].name, "line1");
    assert_int_equal(s->n_bonds, 2);
    assert_int_equal(s->n_lines, 1);
    support_near(s->line[0].stiffness, 7.0, 0.0);
    double x[5], exact[5];
    ms_system_start(s, x);
    const double start[] = {1.0, 2.0, 1.0, 2.0, 0.25};
    support_near_all(5, x, start, 0.0);
    /* sum and difference of the bodies: (x_a + x_b)'' = -4 (..); (x_b - x_a)'' = -4 (..) - 14 s */
    support_reference(s, 0.3, exact);
    const double w = sqrt(18.0), d = 0.25 * 14.0 / 18.0; /* s - s(0) = x_b - x_a = -d (1 - cos w t) */
    support_near(exact[4], 0.25 - d * (1.0 - cos(w * 0.3)), 1e-12);
    support_near(exact[0] + exact[2], 2.0 * cos(0.6) + 2.0 * sin(0.6), 1e-12);
    support_near(ms_system_energy(s, exact), 2.0 * (2.0 + 2.0) + 0.5 * 7.0 / 16.0, 1e-12);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

static void parameters_move_its_stiffness(void **state)
{
    (void)state;
    ms_model *model = support_model_read(FILE_OF("\"parameters\": {\"k\": 7}, ") LINE "\"2*k\"}]}");
    const ms_setting setting = {"k", 3.0};
    ms_system *s = support_system_set(model, &setting, 1);
    support_near(s->line[0].stiffness, 6.0, 0.0);
    support_near(s->blocks[2].C[0], 6.0, 0.0);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

/* Schemes that know no lines step the spring as any other subsystem. */
static void other_schemes_run_it_as_a_spring(void **state)
{
    (void)state;
    ms_model *model = support_model_read(FILE_OF("") LINE "5, \"elongation\": 0.5}]}");
    ms_system *s = support_system_of(model);
    double x[5], exact[5];
    const ms_options options = support_options("scheme=strang step-size=0.001 stop-time=1");
    support_reference(s, 1.0, exact);
    support_finish(s, &options, x, NULL);
    assert_true(support_distance(5, x, exact) < 1e-5);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

static void refuse(const char *json, const char *what)
{
    char path[512];
    ms_model *model = NULL;
    ms_system *s = NULL;
    ms_error error = {""};
    support_temporary_file(json, path, sizeof path);
    int status = ms_model_read(path, &model, &error);
    remove(path);
    if (status == MS_OK)
        status = ms_system_create(model, NULL, NULL, 0, &s, &error);
    assert_int_equal(status, MS_INVALID);
    support_says(error.text, what);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    refuse("{\"subsystems\": [" BODY("a", "1") "], \"lines\": 3}", "lines is not a list");
    refuse("{\"subsystems\": [" BODY("a", "1") "], \"lines\": [3]}", "lines[0] is not an object");
    refuse(FILE_OF("") "{\"a\": \"a.end\", \"b\": \"b.end\"}]}", "lines[0]: stiffness is not a number");
    refuse(FILE_OF("") "{\"a\": \"aend\", \"b\": \"b.end\", \"stiffness\": 1}]}",
           "lines[0]: a is not of the form");
    refuse(FILE_OF("") "{\"a\": \"a.end\", \"b\": \"c.end\", \"stiffness\": 1}]}",
           "c.end belongs to no subsystem");
    refuse(FILE_OF("") "{\"a\": \"a.end\", \"b\": \"b.ende\", \"stiffness\": 1}]}",
           "no port ende; the nearest is end");
    refuse(FILE_OF("") LINE "\"t\"}]}", "does not depend on t");
    refuse(FILE_OF("") LINE "1, \"damping\": 2}]}", "damping");
    refuse(FILE_OF("") LINE "0}]}", "its stiffness is 0");
    refuse(FILE_OF("\"parameters\": {\"k\": 0}, ") LINE "\"1/k\"}]}", "stiffness is not finite");
    refuse(FILE_OF("") LINE "1}, " LINE "2}]}", "another line does");
    refuse("{\"subsystems\": [" BODY("a", "1") ", " BODY(
               "line1", "1") "], \"lines\": [{\"a\": \"a.end\", \"b\": \"line1.end\", "
                             "\"stiffness\": 1}]}",
           "rename the existing line1");
    refuse("{\"subsystems\": [" BODY("a", "0") ", " BODY("b", "1") "], \"lines\": [" LINE "1}]}",
           "the gain of port end of subsystem a is 0");
    refuse("{\"subsystems\": [{\"name\": \"a\", \"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}, " BODY(
               "b", "1") "], \"lines\": [" LINE "1}]}",
           "subsystem a has no ports");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_spring),
        cmocka_unit_test(parameters_move_its_stiffness),
        cmocka_unit_test(other_schemes_run_it_as_a_spring),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
