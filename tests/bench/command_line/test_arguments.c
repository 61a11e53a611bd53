/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of commands: their table, and what a command line is read to. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "commands.h"
#include "scheme_variants.h"
#include "text_stream.h"
#include "unit_test.h"
#include "value_form.h"

enum { WORDS_MAX = 32 };

/* Reads the call; its words stay where they are as long as the arguments live. */
static int read_call(char *call, ms_arguments *arguments, ms_error *error)
{
    char *words[WORDS_MAX + 1] = {NULL}, *rest = NULL;
    int n = 0;
    for (char *word = strtok_r(call, " ", &rest); word != NULL && n < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[n++] = word;
    return ms_arguments_read(n, words, arguments, error);
}

/* The table says of each option what help and refusals need, and nothing twice. */
static void the_table_is_whole(void **state)
{
    (void)state;
    for (int k = 0; k < MS_ARGUMENTS; k++) {
        const ms_argument_row *row = &ms_argument_table[k];
        const ms_option *option = &row->option;
        assert_non_null(option->name);
        char form[MS_VALUE_FORM_MAX];
        assert_true((ms_value_form(option, form)[0] == '\0') == (option->kind == MS_KIND_FLAG));
        assert_true((option->choices != NULL) == (option->kind == MS_KIND_CHOICE));
        assert_true(option->size > 0 || option->kind == MS_KIND_TEXT || option->kind == MS_KIND_LIST);
        assert_int_equal(ms_option_find(option->name), -1);
        for (int j = 0; j < k; j++)
            assert_string_not_equal(ms_argument_table[j].option.name, option->name);
    }
}

/* Every option is taken by some command; what a command takes of a run are options that there are. */
static void commands_take_every_option(void **state)
{
    bool taken[MS_ARGUMENTS] = {false};
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        for (const int *k = command->takes; *k != MS_NO_OPTION; k++) {
            assert_true(*k >= 0 && *k < MS_ARGUMENTS);
            taken[*k] = true;
        }
        for (int k = 0; command->options != NULL && command->options[k] != MS_NO_OPTION; k++)
            assert_true(command->options[k] == MS_EVERY_OPTION
                            ? k == 0
                            : command->options[k] >= 0 && command->options[k] < MS_OPTIONS);
        if (ms_command_takes_option(command, MS_OPTION_EXECUTION))
            assert_true(ms_argument_taken(command, MS_ARGUMENT_NUM_THREADS));
    }
    for (int k = 0; k < MS_ARGUMENTS; k++)
        assert_true(taken[k]);
}

/* A comma begins another setting where NAME= follows it, and is else one of a list, of a distribution or of a name. */
static void settings_may_stand_behind_each_other(void **state)
{
    char call[] =
        "sweep --sample 2 --set a=1,b=normal(4,1),c=2,3,4,e[1,2]=5 --set f=1:2:lin:3,g=uniform(0,1)";
    static const char *const names[] = {"a", "b", "c", "e[1,2]", "f", "g"};
    static const double values[] = {1.0, 4.0, 2.0, 5.0, 1.0, 0.5};
    ms_arguments a;
    ms_error error;
    (void)state;
    assert_int_equal(read_call(call, &a, &error), MS_OK);
    assert_int_equal(a.n_settings, 6);
    for (int k = 0; k < 6; k++) {
        assert_string_equal(a.settings[k].parameter, names[k]);
        assert_true(a.settings[k].value == values[k]);
        assert_true((a.distributions[k].kind != MS_DISTRIBUTION_NONE) == (k == 1 || k == 5));
    }
    assert_true(a.n_axes == 2 && a.axes[0].n == 3 && a.axes[0].setting == 2 && a.axes[1].n == 3 &&
                a.axes[1].setting == 4);
    ms_arguments_destroy(&a);
}

/* Forty-one random parameters. */
static void sobol_has_points_of_forty_parameters(void **state)
{
    char settings[1024] = "p=uniform(0,1)";
    char *words[] = {"sweep", "--sample", "4", "--set", settings, "--sampling", "latin-hypercube"};
    (void)state;
    for (int k = 0; k < 40; k++)
        snprintf(settings + strlen(settings), 32, ",p%d=uniform(0,1)", k);
    for (int n = 5; n <= 7; n += 2) {
        ms_arguments a;
        ms_error error = {0};
        assert_int_equal(ms_arguments_read(n, words, &a, &error), n == 7 ? MS_OK : MS_INVALID);
        assert_true(n == 7 || strstr(error.text, "at most 40 random parameters") != NULL);
        ms_arguments_destroy(&a);
    }
}

static void what_is_not_given_has_its_default(void **state)
{
    char call[] = "integrate spring-mass";
    ms_arguments a;
    ms_error error;
    (void)state;
    assert_int_equal(read_call(call, &a, &error), MS_OK);
    assert_true(a.output_points == 500 && a.segments == 20 && a.perturb_start == 0);
    assert_true(a.format == MS_FORMAT_TABLE && a.method == 0 && a.differences == -1 && a.compression == 0);
    assert_true(a.num_threads == 0 && ms_arguments_threads(&a) >= 1 && a.shard.of == 0 && a.width == 17.0);
    assert_true(!a.critical && a.state.n == 0 && a.range[0].n == 0);
    assert_string_equal(ms_arguments_directory(&a), "results");
    ms_arguments_destroy(&a);
}

static void values_are_read_to_their_types(void **state)
{
    char stability[] = "stability linear-pair --x d1=0:1:lin:3 --y d2=1,2 --boundary-only --num-threads 3 "
                       "--shard 2/5 --width 8.5cm";
    char estimate[] = "estimate quadruple-tank --parameters a1,a3=0.5 --sigma 2 --tolerance 1e-3 --method "
                      "nelder-mead --max-simulations 7";
    ms_arguments a;
    ms_error error;
    (void)state;
    assert_int_equal(read_call(stability, &a, &error), MS_OK);
    assert_string_equal(a.range[0].name, "d1");
    assert_true(a.range[0].n == 3 && a.range[0].value[1] == 0.5);
    assert_true(a.range[1].n == 2 && a.range[1].value[1] == 2.0);
    assert_true(a.boundary_only && !a.critical && ms_arguments_threads(&a) == 3);
    assert_true(a.shard.index == 2 && a.shard.of == 5 && a.width == 8.5);
    ms_arguments_destroy(&a);

    assert_int_equal(read_call(estimate, &a, &error), MS_OK);
    assert_int_equal(a.parameters.n, 2);
    assert_string_equal(a.parameters.pair[0].name, "a1");
    assert_null(a.parameters.pair[0].text);
    assert_true(isnan(a.parameters.pair[0].value));
    assert_string_equal(a.parameters.pair[1].text, "0.5");
    assert_true(a.parameters.pair[1].value == 0.5);
    assert_true(a.sigma.n == 1 && a.sigma.pair[0].text == NULL && a.sigma.pair[0].value == 2.0);
    assert_true(a.tolerance == 1e-3 && a.method == 1 && a.max_simulations == 7);
    ms_arguments_destroy(&a);
}

static void wrong_values_are_refused_with_name_value_and_range(void **state)
{
    static const struct {
        const char *call, *says;
    } wrong[] = {
        {"drive spring-mass --segments 0", "--segments 0: must be a whole number in [1, 1000000]"},
        {"drive spring-mass --segments 1.5", "--segments 1.5: must be a whole number"},
        {"drive spring-mass --input-shape round", "must be constant, linear or interpolated"},
        {"run spring-mass --perturb-start -1001", "must be a whole number in [-1000, 1000]"},
        {"stability --x d1", "--x d1: must be NAME=RANGE"},
        {"stability --x d1=1", "--x d1=1: a range is needed"},
        {"stability --x d1=1,b", "--x d1: b must be a finite number"},
        {"stability --critical=yes", "--critical: takes no value"},
        {"stability --num-threads 0x2", "--num-threads 0x2: must be a whole number in [1, 1024]"},
        {"estimate --tolerance 1", "--tolerance 1: must be a finite number in (0, 1)"},
        {"estimate --parameters a1=big", "--parameters a1=big: the value must be a finite number"},
        {"linearise --state a.x=", "--state a.x=: the value must be a finite number"},
        {"linearise --compression maybe", "--compression maybe: must be on or off"},
        {"sweep --shard 9/8", "--shard 9/8: I must be 1 to 8"},
        {"sweep --shard 1of8", "--shard 1of8: must be I/N, as 1/8 to 8/8"},
        {"sweep --sample 4", "--sample 4: no parameter is random"},
        {"sweep --sample 4 --set a=1", "--sample 4: no parameter is random"},
        {"sweep --sample 0 --set a=normal(1,2)", "--sample 0: must be a whole number in [1, 1000000]"},
        {"sweep --sample 1e9 --set a=normal(1,2)", "--sample 1e9: must be a whole number in [1, 1000000]"},
        {"sweep --seed 4", "--seed 4: requires --sample N"},
        {"sweep --sampling sobol", "--sampling sobol: requires --sample N"},
        {"sweep --set a=normal(1,2)", "--set a=normal(1,2): a distribution needs --sample N"},
        {"run --set a=1,b=normal(1,2)",
         "--set b=normal(1,2): a distribution needs macrostep sweep --sample N"},
        {"sweep --sample 4 --set a=normal(1,2),a=3", "--set a=3: a is set twice"},
        {"run --set a=1,=3", "--set =3: must be PARAMETER=VALUE"},
        {"run --set a=1,b=", "--set b=: must be PARAMETER=VALUE"},
        {"run --set a==1", "--set a==1: the value must be a finite number"},
        {"converge --width 3cm", "--width 3cm: must be a length in [4cm, 60cm], as 8cm or 17cm"},
        {"converge --width 8", "--width 8: must be a length in [4cm, 60cm]"},
        {"converge --width cm", "--width cm: must be a length in [4cm, 60cm]"},
        {"list --format xml",
         "--format xml: must be table, csv, json, jsonl, latex, latex-siunitx or markdown"},
        {"list --format", "--format: a value is missing: --format table|csv|json"},
        {"list --segments 3", "--segments: not an option of this command"},
        {"drive --scheme jacobi", "--scheme: not an option of this command"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char call[256];
        ms_arguments a;
        ms_error error = {0};
        snprintf(call, sizeof call, "%s", wrong[k].call);
        const int status = read_call(call, &a, &error);
        ms_arguments_destroy(&a);
        if (status != MS_INVALID || strstr(error.text, wrong[k].says) == NULL)
            fail_msg("%s: %s", wrong[k].call, error.text);
    }
}

/* What help says of the command; to be freed. */
static char *help_of(const ms_command *command)
{
    ms_text_stream text;
    FILE *file = ms_text_open(&text);
    assert_non_null(file);
    ms_error error;
    assert_int_equal(ms_help_command_all(command, NULL, file, &error), MS_OK);
    char *help = ms_text_close(&text);
    assert_non_null(help);
    return help;
}

/* Do words stand in the column of meanings, in the line of an option or in the one below it? */
static bool says_a_meaning(const char *line)
{
    enum { COLUMN = 34 };
    const size_t length = strcspn(line, "\n");
    const char *text =
        length > COLUMN && line[COLUMN - 1] == ' ' ? line : line + length + (line[length] != '\0');
    return strcspn(text, "\n") > COLUMN && text[COLUMN - 1] == ' ' && text[COLUMN] != ' ';
}

/* Is "COMMAND OPTION" read? */
static bool reads(const ms_command *command, const char *option, ms_error *error)
{
    char call[256];
    ms_arguments a;
    snprintf(call, sizeof call, "%s %s", command->name, option);
    const int status = read_call(call, &a, error);
    ms_arguments_destroy(&a);
    assert_true(status == MS_OK || status == MS_INVALID);
    return status == MS_OK;
}

static bool takes_lists(const ms_command *command)
{
    return command->lists;
}

static bool has_ranks(const ms_command *command)
{
    return command->ranks;
}

/* Does the line name the commands that have the property, and behind `begin` no other? */
static void names_those(const char *line, const char *begin, bool (*have)(const ms_command *))
{
    const char *at = strstr(line, begin);
    assert_non_null(at);
    at += strlen(begin);
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        const size_t length = strlen(command->name);
        bool named = false;
        for (const char *word = at; *word != '\0' && *word != ';'; word += strspn(word, ", ")) {
            const size_t letters = strcspn(word, ", ;");
            named = named || (letters == length && strncmp(word, command->name, length) == 0);
            word += letters;
        }
        if (named != have(command))
            fail_msg("%s, of %s", line, command->name);
    }
}

/* An option of which each command that has it may be given a list, or NULL. */
static const char *list_for(const ms_command *command)
{
    return ms_command_takes_option(command, MS_OPTION_STEP_SIZE)     ? "--step-size 0.1,0.2"
           : ms_command_takes_option(command, MS_OPTION_SOLVER_RTOL) ? "--solver-rtol 1e-6:1e-4:log:3"
           : ms_argument_taken(command, MS_ARGUMENT_SET)             ? "--set k=1,2"
                                                                     : NULL;
}

static void lists_are_taken_and_refused_as_the_table_says(void **state)
{
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        const char *list = list_for(command);
        char *help = help_of(command);
        ms_error error;
        assert_true(command->lists == (strstr(help, "A list a,b,c") != NULL));
        free(help);
        if (list == NULL) {
            assert_false(command->lists);
            continue;
        }
        const bool read = reads(command, list, &error);
        if (read != command->lists)
            fail_msg("%s %s: %s", command->name, list, read ? "is read" : error.text);
        if (!read)
            names_those(error.text, "lists are for ", takes_lists);
    }
}

static void ranks_take_subsystems_where_the_table_says(void **state)
{
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        ms_error error;
        const bool knows = ms_command_takes_option(command, MS_OPTION_EXECUTION);
        const bool read = reads(command, "--execution mpi", &error);
        assert_true(read == command->ranks);
        if (!read && knows)
            names_those(error.text, "mpi applies only to ", has_ranks);
    }
}

/* Every option that a command takes stands in its help, and nothing else does. */
static void help_has_the_options_that_a_command_takes(void **state)
{
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        char *help = help_of(command);
        for (int k = 0; k < MS_ARGUMENTS + MS_OPTIONS; k++) {
            const ms_option *option =
                k < MS_ARGUMENTS ? &ms_argument_table[k].option : &ms_option_table[k - MS_ARGUMENTS];
            const bool taken = k < MS_ARGUMENTS ? ms_argument_taken(command, k)
                                                : ms_command_takes_option(command, k - MS_ARGUMENTS);
            char line[80];
            snprintf(line, sizeof line, "\n  --%s", option->name);
            const char *at = strstr(help, line);
            while (at != NULL && strchr(" [\n", at[strlen(line)]) == NULL)
                at = strstr(at + 1, line);
            if (taken != (at != NULL))
                fail_msg("%s --help=all, of --%s", command->name, option->name);
            if (at != NULL && !says_a_meaning(at + 1))
                fail_msg("%s --help=all does not say what --%s means", command->name, option->name);
        }
        free(help);
    }
}

/* Every choice of every option stands for its value, however many there are. */
static void help_has_all_choices(void **state)
{
    (void)state;
    for (int k = 0; k < MS_ARGUMENTS + MS_OPTIONS; k++) {
        const ms_option *option =
            k < MS_ARGUMENTS ? &ms_argument_table[k].option : &ms_option_table[k - MS_ARGUMENTS];
        char form[MS_VALUE_FORM_MAX], choices[2048] = "";
        if (!ms_option_has_choices(option))
            continue;
        for (int j = 0; ms_option_choice_at(option, j) != NULL; j++) {
            strcat(choices, j > 0 ? "|" : option->bare >= 0 ? "[=" : " ");
            strcat(choices, ms_option_choice_at(option, j));
        }
        strcat(choices, option->bare >= 0 ? "]" : "");
        assert_string_equal(ms_value_form(option, form), choices);
    }
}

/* An alias is an option wherever that is one for which it stands, and takes no value. */
static void aliases_go_with_their_options(void **state)
{
    int aliases = 0;
    (void)state;
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option *option = &ms_option_table[k];
        char alias[80], with_value[90];
        if (option->alias == NULL)
            continue;
        aliases++;
        assert_int_equal(ms_option_find(option->alias), -1);
        assert_int_equal(ms_option_find_alias(option->alias), k);
        snprintf(alias, sizeof alias, "--%s", option->alias);
        snprintf(with_value, sizeof with_value, "%s=yes", alias);
        for (const ms_command *command = ms_commands; command->name != NULL; command++) {
            const bool taken = ms_command_takes_option(command, k);
            char *help = help_of(command);
            ms_error error = {0};
            assert_true((strstr(help, alias) != NULL) == taken);
            free(help);
            assert_true(reads(command, alias, &error) == taken);
            assert_false(reads(command, with_value, &error));
        }
    }
    assert_true(aliases > 0);
}

static void unknown_schemes_are_refused_where_they_are_read(void **state)
{
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        ms_error error = {0};
        if (!ms_command_takes_scheme(command))
            continue;
        assert_false(reads(command, "--scheme jacobbi", &error));
        assert_string_equal(error.text, "--scheme jacobbi: unknown; the nearest is jacobi");
        assert_true(reads(command, "--scheme strang", &error));
        if (!command->lists)
            continue;
        assert_false(reads(command, "--scheme balance,jacobbi", &error));
        assert_string_equal(error.text, "--scheme jacobbi: unknown; the nearest is jacobi");
        assert_true(reads(command, "--scheme balance,strang", &error));
    }
}

enum { MANY = 60 };

/* How many families the call goes through; the last one has that name. */
static int count_schemes(const char *call, const char *last)
{
    char words[64];
    ms_arguments a;
    ms_error error;
    ms_scheme_variants variants;
    snprintf(words, sizeof words, "%s", call);
    assert_int_equal(read_call(words, &a, &error), MS_OK);
    assert_int_equal(ms_scheme_variants_create(&a, &variants, &error), MS_OK);
    const int n = variants.schemes.n;
    assert_string_equal(ms_axis_value(&variants.schemes, n - 1), last);
    ms_scheme_variants_destroy(&variants);
    ms_arguments_destroy(&a);
    return n;
}

/* The last test: what it adds stays. */
static void however_many_families_there_are_all_are_taken(void **state)
{
    static ms_scheme more[MANY];
    static char name[MANY][48];
    ms_error error;
    int n = 0;
    (void)state;
    while (ms_schemes[n] != NULL)
        n++;
    for (int k = 0; k < MANY; k++) {
        snprintf(name[k], sizeof name[k], "a-family-with-a-rather-long-%d", k + 10);
        more[k] = *ms_schemes[0];
        more[k].name = name[k];
        assert_int_equal(ms_scheme_add(&more[k], &error), MS_OK);
    }
    assert_int_equal(count_schemes("compare spring-mass", name[MANY - 1]), n + MANY);
    assert_int_equal(count_schemes("compare spring-mass --scheme all", name[MANY - 1]), n + MANY);
}

/* Lines of the library, as those who call the command read them. */
static void names_in_backquotes_become_options(void **state)
{
    static const struct {
        const char *line, *respelled;
    } lines[] = {
        {"`step-size` -1: must be", "--step-size -1: must be"},
        {"take `outputs` consistent, or `linear-correction`",
         "take --outputs consistent, or --linear-correction"},
        {"`output_points` -1: `segments`", "--output-points -1: --segments"},
        {"`x` and `atol`", "--x and --atol"},
        {"`make` builds `step size` `step-siz` ` `` `norm",
         "`make` builds `step size` `step-siz` ` `` `norm"},
        {"`make`order` of", "`make--order of"},
        {"", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        ms_error error;
        ms_fail(&error, MS_INVALID, "%s", lines[k].line);
        assert_string_equal(error.text, lines[k].respelled);
    }
    for (int k = 0; k < MS_OPTIONS; k++) {
        ms_error error;
        char expected[80];
        ms_fail(&error, MS_INVALID, "no `%s` here", ms_option_table[k].name);
        snprintf(expected, sizeof expected, "no --%s here", ms_option_table[k].name);
        assert_string_equal(error.text, expected);
    }
}

int main(void)
{
    ms_fail_respelled(ms_arguments_respell);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(commands_take_every_option),
        cmocka_unit_test(settings_may_stand_behind_each_other),
        cmocka_unit_test(sobol_has_points_of_forty_parameters),
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(values_are_read_to_their_types),
        cmocka_unit_test(wrong_values_are_refused_with_name_value_and_range),
        cmocka_unit_test(lists_are_taken_and_refused_as_the_table_says),
        cmocka_unit_test(ranks_take_subsystems_where_the_table_says),
        cmocka_unit_test(help_has_the_options_that_a_command_takes),
        cmocka_unit_test(help_has_all_choices),
        cmocka_unit_test(aliases_go_with_their_options),
        cmocka_unit_test(unknown_schemes_are_refused_where_they_are_read),
        cmocka_unit_test(names_in_backquotes_become_options),
        cmocka_unit_test(however_many_families_there_are_all_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
