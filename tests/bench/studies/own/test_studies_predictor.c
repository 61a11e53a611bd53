/* test_studies_predictor.c - verdicts of Andersson's chapter 7, and the statistics over many starts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "figure_registry.h"
#include "macrostep_predictor.h"
#include "support.h"

/* The figure's answer. */
static json_t *draw(const char *id)
{
    ms_drawing *drawing;
    ms_error error = {""};
    const ms_figure *figure = ms_figure_find(id);
    assert_non_null(figure);
    if (ms_drawing_create(figure, NULL, &drawing, &error) != MS_OK)
        fail_msg("%s", error.text);
    json_t *answer = ms_drawing_answer(drawing);
    ms_drawing_destroy(&drawing);
    assert_non_null(answer);
    return answer;
}

static const json_t *find_check(const json_t *answer, const char *what)
{
    size_t k;
    const json_t *check;
    json_array_foreach(json_object_get(answer, "checks"), k,
                       check) if (strcmp(json_string_value(json_object_get(check, "what")), what) ==
                                  0) return check;
    fail_msg("no check \"%s\"", what);
    return NULL;
}

static void has_verdict(const json_t *answer, const char *what, const char *verdict)
{
    const json_t *check = find_check(answer, what);
    if (strcmp(json_string_value(json_object_get(check, "verdict")), verdict) != 0)
        fail_msg("%s: %s", what, json_string_value(json_object_get(check, "verdict")));
}

/* Number k of an array in a check. */
static double number(const json_t *check, const char *member, const char *key, size_t k)
{
    const json_t *of = json_object_get(check, member);
    if (key != NULL)
        of = json_object_get(of, key);
    assert_true(json_is_number(json_array_get(of, k)));
    return json_number_value(json_array_get(of, k));
}

/* The chosen reading is within 10 % of the print, and so is the pattern with the printed tolerances. */
static void test_table_7_2(void **state)
{
    (void)state;
    static const char *const counts[] = {"steps", "evaluations of f", "Jacobians"};
    json_t *answer = draw("andersson2016:table7.2");
    for (int c = 0; c < 3; c++) {
        const json_t *check = find_check(answer, counts[c]);
        has_verdict(answer, counts[c], "not-determined");
        for (size_t m = 0; m < MS_MODES; m++)
            support_near(number(check, "measured", "first reading", m) / number(check, "published", NULL, m),
                         1.0, 0.1);
    }
    const json_t *pattern = find_check(answer, "steps relative to restarting, with the printed tolerances");
    assert_string_equal(json_string_value(json_object_get(pattern, "verdict")), "reproduced");
    for (size_t m = 0; m < MS_MODES - 1; m++) {
        static const double printed[] = {876.0 / 598.0, 584.0 / 598.0, 343.0 / 598.0};
        support_near(number(pattern, "published", NULL, m), printed[m], 1e-12);
        support_near(number(pattern, "measured", "19 linear segments, atol 1e-6", m) / printed[m], 1.0, 0.1);
        support_near(number(pattern, "measured", "20 linear segments, atol 1e-6", m) / printed[m], 1.0, 0.1);
    }
    has_verdict(answer, "corrected in x' and x'' takes the fewest steps and evaluations", "reproduced");
    has_verdict(answer, "to proceed takes the most steps and evaluations", "reproduced");
    has_verdict(answer, "errors against the coupled model are nearly equal in all four cases", "reproduced");
    json_decref(answer);
}

static void test_table_7_3(void **state)
{
    (void)state;
    json_t *answer = draw("andersson2016:table7.3");
    has_verdict(answer, "corrected in x' and x'' takes the fewest steps and evaluations", "reproduced");
    has_verdict(answer, "to proceed takes the most steps and evaluations", "reproduced");
    json_decref(answer);
}

static void test_histories(void **state)
{
    (void)state;
    static const char *const figures[] = {"andersson2016:fig7.1", "andersson2016:fig7.4",
                                          "andersson2016:fig7.5", "andersson2016:fig7.7",
                                          "andersson2016:fig7.8", "andersson2016:fig7.9"};
    for (int k = 0; k < MS_COUNT(figures); k++) {
        json_t *answer = draw(figures[k]);
        assert_string_equal(json_string_value(json_object_get(answer, "status")), "reproduced");
        json_decref(answer);
    }
}

/* Of a mode that takes 1 + s / 10 times the steps of restarting at start s; two starts did not end. */
static void test_distributions(void **state)
{
    (void)state;
    results *all = calloc(1, sizeof *all);
    assert_non_null(all);
    for (int s = 0; s < STARTS; s++)
        for (int m = 0; m < MS_MODES; m++)
            all->of[1][s][2][m] = (outcome){.steps = m == 2 ? 200.0 * (1.0 + 0.1 * (STARTS - 1 - s)) : 200.0,
                                            .error = pow(10.0, -s)};
    all->of[1][0][2][2].steps = NAN;
    all->of[1][STARTS - 1][2][0].steps = NAN;
    const distribution d = ms_start_ratios(all, 1, 2, 2, BY_STEPS);
    assert_int_equal(d.n, STARTS - 2);
    support_near(d.sorted[0], 1.1, 1e-14);
    support_near(d.sorted[d.n - 1], 1.0 + 0.1 * (STARTS - 2), 1e-13);
    support_near(ms_start_quantile(&d, 0.0), 1.1, 1e-14);
    support_near(ms_start_quantile(&d, 0.5), 1.0 + 0.05 * (STARTS - 1), 1e-13);
    support_near(ms_start_quantile(&d, 1.0), d.sorted[d.n - 1], 0.0);
    support_near(ms_start_share_above(&d, 1.25), (d.n - 2.0) / d.n, 1e-14);
    const distribution logs = ms_start_logs(all, 1, 2, 3, BY_ERROR);
    support_near(ms_start_quantile(&logs, 0.25), -0.75 * (STARTS - 1), 1e-9);
    const distribution none = {0};
    assert_true(isnan(ms_start_quantile(&none, 0.5)) && isnan(ms_start_share_above(&none, 1.0)));
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_7_2), cmocka_unit_test(test_table_7_3),
                                       cmocka_unit_test(test_histories),
                                       cmocka_unit_test(test_distributions)};
    return cmocka_run_group_tests_name("studies of the predictor", tests, NULL, NULL);
}
