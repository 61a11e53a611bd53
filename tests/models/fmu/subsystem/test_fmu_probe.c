/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_probe.c - each flaw of an FMU whose flags promise everything is found and taken away, and nothing else; what an FMU says when
 * it fails comes through; steps that are discarded become shorter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "fmu_co_simulation.h"
#include "fmu_probe.h"
#include "made_fmu.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* As in flawed_fmu.c. */
enum flaw {
    NONE,
    FORGETS,
    HIDDEN_STEP,
    NO_SLOPES,
    ONE_ORDER,
    NAN_SLOPES,
    TWICE_D,
    FRESH_OUTPUTS,
    RESTARTS,
    ODD,
    DISCARDS,
    BREAKS,
    CRASHES,
    NARROW,
    SQUARE_ROOT,
    BRIEF,
    REFUSES,
    EVEN,
    STOPS,
    LATE,
    EARLY
};

static const support_flawed plain = {.fmi = 2};

static ms_fmu *open_made(const support_flawed *how)
{
    char path[512];
    ms_fmu *fmu;
    ms_error error = {""};
    support_flawed_fmu(how, path, sizeof path);
    const int status = ms_fmu_open(path, MS_FMU_CO_SIMULATION, NULL, &fmu, &error);
    remove(path);
    if (status != MS_OK)
        fail_msg("%s", error.text);
    return fmu;
}

/* The parameter that chooses the flaw, and its value as a text. */
static const int parameter = 3;

static const char *text_of(int flaw)
{
    static const char *const texts[] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9", "10",
                                        "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"};
    return texts[flaw];
}

static ms_fmu_abilities probe_within(int most, int flaw, const support_flawed *how)
{
    ms_fmu_abilities probe;
    ms_error error = {""};
    const char *text = text_of(flaw);
    const ms_fmu_setup settings = {.n_settings = 1, .setting = &parameter, .value = &text};
    ms_fmu *fmu = open_made(how);
    if (ms_fmu_probe_run(fmu, &settings, most, &probe, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_fmu_close(&fmu);
    return probe;
}

static ms_fmu_abilities probe_made(int flaw, const support_flawed *how)
{
    return probe_within(MS_FMU_PROBE_STEPS, flaw, how);
}

static ms_fmu_abilities probe_of(int flaw, bool variable_step)
{
    return probe_made(flaw, &(support_flawed){.fmi = 2, .fixed = !variable_step});
}

/* Exactly these bits of traits have something said about them. */
static void only(const ms_fmu_abilities *probe, int flaw, unsigned traits)
{
    for (unsigned k = 0; k < MS_FMU_TRAITS; k++)
        if ((probe->why[k][0] != '\0') != ((traits >> k & 1U) != 0))
            fail_msg("flaw %d: %s: '%s'", flaw, ms_fmu_trait_name[k], probe->why[k]);
}

static void true_flags_stay(void **state)
{
    (void)state;
    const ms_fmu_abilities probe = probe_of(NONE, true);
    only(&probe, NONE, 0);
    assert_true(probe.can.rollback && probe.can.directional_derivatives && probe.deterministic &&
                !probe.keep);
    assert_false(
        probe.can
            .reevaluate_outputs); /* y1 depends on u, and is not read anew: Restriction 2.1 of Andersson (2016) */
    assert_int_equal(probe.can.input_degree, 4);
    assert_int_equal(probe.can.output_derivatives, 1);
    assert_true(probe.can.step == 0.0 && isnan(probe.hidden_step));
}

static void each_flaw_is_found(void **state)
{
    (void)state;
    static const struct {
        int flaw;
        unsigned traits;
    } flaws[] = {{FORGETS, 1U << MS_FMU_ROLLBACK},
                 {HIDDEN_STEP, 1U << MS_FMU_VARIABLE_STEP | 1U << MS_FMU_HIDDEN_STEP},
                 {NO_SLOPES, 1U << MS_FMU_INPUT_DEGREE},
                 {ONE_ORDER, 1U << MS_FMU_INPUT_DEGREE},
                 {NAN_SLOPES, 1U << MS_FMU_OUTPUT_DERIVATIVES},
                 {TWICE_D, 1U << MS_FMU_DIRECTIONAL},
                 {FRESH_OUTPUTS, 1U << MS_FMU_REEVALUATE},
                 {RESTARTS, 1U << MS_FMU_ROLLBACK},
                 {ODD, 1U << MS_FMU_DETERMINISTIC}};
    for (int k = 0; k < MS_COUNT(flaws); k++) {
        const ms_fmu_abilities p = probe_of(flaws[k].flaw, true);
        only(&p, flaws[k].flaw, flaws[k].traits);
        assert_int_equal(p.can.rollback, flaws[k].flaw != FORGETS && flaws[k].flaw != RESTARTS);
        assert_int_equal(p.can.input_degree, flaws[k].flaw == NO_SLOPES   ? 0
                                             : flaws[k].flaw == ONE_ORDER ? 1
                                                                          : 4);
        assert_int_equal(p.can.output_derivatives, flaws[k].flaw != NAN_SLOPES);
        assert_int_equal(p.can.directional_derivatives, flaws[k].flaw != TWICE_D);
        assert_int_equal(p.can.reevaluate_outputs, flaws[k].flaw == FRESH_OUTPUTS);
        assert_int_equal(p.keep, !p.can.rollback); /* then none will be restored */
        if (flaws[k].flaw == HIDDEN_STEP) {
            support_near(p.hidden_step, 0.02, 1e-15);
            assert_true(p.can.step == p.hidden_step);
        }
    }
}

/* Whatever it is given it takes no more, and what they do not suffice for is as it is declared, in words. */
static void steps_are_bounded(void **state)
{
    (void)state;
    const support_flawed how = {.fmi = 2};
    assert_true(probe_made(NONE, &how).steps < 100);
    assert_true(probe_made(HIDDEN_STEP, &how).steps <= MS_FMU_PROBE_STEPS);
    static const int given[] = {0, 8, 20, 40, 80, MS_FMU_PROBE_STEPS};
    for (int g = 0; g < MS_COUNT(given); g++) {
        const int most = given[g];
        const ms_fmu_abilities p = probe_within(most, NO_SLOPES, &how);
        int untried = 0;
        assert_true(p.steps <= most);
        for (int k = 0; k < MS_FMU_TRAITS; k++)
            untried += strstr(p.why[k], "steps of the probe") != NULL;
        if (strstr(p.why[MS_FMU_INPUT_DEGREE], "not tried") != NULL)
            assert_int_equal(p.can.input_degree, 4); /* which is what it declares */
        assert_true(p.can.rollback && p.deterministic);
        assert_true(untried > 0 ? most < MS_FMU_PROBE_STEPS : p.can.input_degree == 0);
    }
}

/* What is discarded, or is no number, outside of where the equations hold says nothing about what the FMU can do. */
static void discards_are_no_flaws(void **state)
{
    (void)state;
    static const int flaws[] = {DISCARDS, NARROW, SQUARE_ROOT, BRIEF, EVEN, LATE};
    for (int k = 0; k < MS_COUNT(flaws); k++) {
        const ms_fmu_abilities p = probe_of(flaws[k], true);
        only(&p, flaws[k], flaws[k] == EVEN ? 1U << MS_FMU_REEVALUATE : 0);
        assert_true(p.can.rollback && p.can.directional_derivatives && p.deterministic && !p.keep);
        assert_int_equal(p.can.input_degree, 4);
        assert_int_equal(p.can.output_derivatives, 1);
        assert_true(p.can.step == 0.0 && isnan(p.hidden_step));
    }
    const ms_fmu_abilities p = probe_of(REFUSES, true);
    only(&p, REFUSES, 1U << MS_FMU_DETERMINISTIC);
    assert_non_null(strstr(p.why[MS_FMU_DETERMINISTIC], "no step from its start succeeds"));
    assert_true(p.can.rollback && p.can.input_degree == 4);
}

/* A system of one FMU, whose second output feeds its input. */
typedef struct alone {
    ms_fmu *fmu;
    ms_fmu_probing probing;
    const char *flaw;
    ms_system *system;
} alone;

static int build(const double *p, ms_structure *s, ms_error *error)
{
    (void)p;
    const alone *a = s->model->data;
    s->n_subsystems = 1;
    s->subsystems = ms_structure_alloc(s, 1, sizeof *s->subsystems);
    s->n_wires = 1;
    s->wires = ms_structure_alloc(s, 1, sizeof *s->wires);
    s->wires[0] = (ms_wire){.from = 0, .output = 1, .to = 0, .input = 0, .gain = -1.0};
    const ms_fmu_choice choice = {
        .name = "flawed", .n_settings = 1, .setting = &parameter, .value = &a->flaw, .probing = a->probing};
    return ms_fmu_co_simulation(a->fmu, &choice, s, s->subsystems, error);
}

static void open_alone(alone *a, int flaw, ms_fmu_probing probing, const support_flawed *how)
{
    *a = (alone){.fmu = open_made(how), .probing = probing, .flaw = text_of(flaw)};
    const ms_model model = {.name = "alone",
                            .cases = support_case,
                            .n_cases = 1,
                            .build = build,
                            .data = a,
                            .stop_time = 1.0,
                            .step_size = 0.1};
    ms_error error = {""};
    if (ms_system_create(&model, NULL, NULL, 0, &a->system, &error) != MS_OK)
        fail_msg("%s", error.text);
    static ms_model kept;
    kept = model;
    a->system->model = a->system->structure.model = &kept;
}

static void close_alone(alone *a)
{
    ms_system_destroy(&a->system);
    ms_fmu_close(&a->fmu);
}

/* However states are not restored: what else it can do is found with components that are new each time, as many as it takes, one after
 * the other, or in a process for each; and a run has it. */
static void what_cannot_be_restored_is_probed_all_the_same(void **state)
{
    (void)state;
    static const char *const states[][2] = {
        {"canGetAndSetFMUstate=\"true\" canBeInstantiatedOnlyOncePerProcess=\"true\"",
         "canGetAndSetFMUState=\"true\" canBeInstantiatedOnlyOncePerProcess=\"true\""},
        {NULL, NULL},
        {"", ""}};
    static const int flaws[] = {RESTARTS, STOPS, FORGETS};
    for (int k = 0; k < 2 * 3 * MS_COUNT(flaws); k++) {
        const int fmi = 2 + k % 2, kind = k / 2 % 3, flaw = flaws[k / 6];
        if (kind == 0 && flaw != STOPS)
            continue; /* processes take their time */
        const support_flawed how = {
            .fmi = fmi, .instead = states[kind][fmi - 2], .define = kind == 0 ? "-DONE" : NULL};
        const ms_fmu_abilities p = probe_made(flaw, &how);
        only(&p, flaw, kind < 2 ? 1U << MS_FMU_ROLLBACK : 0);
        assert_true(!p.can.rollback && p.keep && p.deterministic && p.can.directional_derivatives);
        assert_int_equal(p.can.input_degree, fmi == 2 ? 4 : 2);
        assert_int_equal(p.can.output_derivatives, 1);
        assert_true(p.once_per_process == (kind == 0));
        alone a;
        open_alone(&a, flaw, MS_FMU_PROBE_ON, &how);
        const ms_options options = support_options("extrapolation-order=1");
        assert_int_equal(support_run(a.system, &options, NULL, NULL).reason, MS_REASON_END_TIME);
        close_alone(&a);
    }
}

static void steps_that_end_early_are_seen(void **state)
{
    (void)state;
    for (int flaw = NONE; flaw <= EARLY; flaw += EARLY) {
        const ms_fmu_abilities p = probe_made(flaw, &(support_flawed){.fmi = 3});
        assert_int_equal(p.early_return, flaw == EARLY);
        assert_int_equal(strstr(p.why[MS_FMU_EARLY_RETURN], "which no flag announces") != NULL,
                         flaw == EARLY);
    }
}

static void what_is_not_declared_is_not_granted(void **state)
{
    (void)state;
    const ms_fmu_abilities fixed = probe_of(NONE, false);
    assert_true(fixed.can.step == 0.05); /* of DefaultExperiment */
    only(&fixed, NONE, 0);
    assert_false(fixed.serialisation);
}

/* It says that its states can be bytes, and has no functions for that. */
static void bytes_that_are_promised_are_tried(void **state)
{
    (void)state;
    const ms_fmu_abilities p = probe_made(
        NONE, &(support_flawed){.fmi = 3,
                                .instead = "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""});
    only(&p, NONE, 1U << MS_FMU_SERIALISATION);
    assert_true(p.can.rollback && !p.serialisation);
}

/* One ends the program where it makes a state of its bytes: that is not tried where no state can be restored. */
static void bytes_of_no_use_are_not_tried(void **state)
{
    (void)state;
    const ms_fmu_abilities p = probe_made(
        FORGETS, &(support_flawed){.fmi = 2,
                                   .define = "-DBYTES",
                                   .instead = "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""});
    assert_true(!p.can.rollback && !p.serialisation);
    support_says(p.why[MS_FMU_SERIALISATION], "states cannot be restored");
}

static void its_own_words_come_through(void **state)
{
    (void)state;
    alone a;
    open_alone(&a, BREAKS, MS_FMU_PROBE_OFF, &plain);
    const ms_options options = support_options("");
    const ms_run_result result = support_run(a.system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
    assert_non_null(strstr(result.message, "the spring broke at 0.5 s"));
    close_alone(&a);

    open_alone(&a, DISCARDS, MS_FMU_PROBE_OFF, &plain);
    const ms_run_result discarded = support_run(a.system, &options, NULL, NULL);
    assert_int_equal(discarded.reason, MS_REASON_SUBSYSTEM_FAILED);
    assert_int_equal(discarded.macro_steps, 5);
    assert_non_null(strstr(discarded.message, "discarded by the FMU"));
    close_alone(&a);

    open_alone(&a, SQUARE_ROOT, MS_FMU_PROBE_OFF, &plain);
    const ms_run_result no_number = support_run(a.system, &options, NULL, NULL);
    assert_int_equal(no_number.reason, MS_REASON_DIVERGED);
    assert_non_null(strstr(no_number.message, "its output y1 is not a number"));
    close_alone(&a);
}

/* A mask takes away, and trust does not. */
static void trust_says_and_believes(void **state)
{
    (void)state;
    alone a;
    char line[512];
    const ms_options options = support_options("scheme=zoh-iterative");
    open_alone(&a, FORGETS, MS_FMU_PROBE_ON, &plain);
    assert_int_equal(support_refusal(a.system, &options, line, sizeof line), MS_UNSUPPORTED);
    assert_non_null(strstr(line, "flawed"));
    close_alone(&a);
    open_alone(&a, FORGETS, MS_FMU_PROBE_TRUST, &plain);
    ms_cosim *cosim = support_cosim(a.system, &options);
    assert_int_equal(cosim->n_degraded, 1);
    assert_string_equal(cosim->degraded[0],
                        "flawed: a step that is repeated from a restored state does not give the same bits");
    ms_cosim_destroy(&cosim);
    close_alone(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_flags_stay),
        cmocka_unit_test(each_flaw_is_found),
        cmocka_unit_test(steps_are_bounded),
        cmocka_unit_test(discards_are_no_flaws),
        cmocka_unit_test(what_cannot_be_restored_is_probed_all_the_same),
        cmocka_unit_test(steps_that_end_early_are_seen),
        cmocka_unit_test(what_is_not_declared_is_not_granted),
        cmocka_unit_test(bytes_that_are_promised_are_tried),
        cmocka_unit_test(bytes_of_no_use_are_not_tried),
        cmocka_unit_test(its_own_words_come_through),
        cmocka_unit_test(trust_says_and_believes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
