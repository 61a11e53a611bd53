/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "version.h"

static const char *const verdicts[] = {
    [MS_VERDICT_MET] = "met", [MS_VERDICT_MISSED] = "missed", [MS_VERDICT_UNDECIDED] = "undecided"};
static const char *const changes[] = {
    [MS_CHANGE_SAME] = "same", [MS_CHANGE_BETTER] = "better", [MS_CHANGE_WORSE] = "worse"};

/* Rows --------------------------------------------------------------------------------------------------- */

/* By unit. */
static json_t *timing_json(const ms_timing *timing, int rounds)
{
    if (timing == NULL)
        return json_null();
    const double per = timing->per > 0.0 ? timing->per : 1.0;
    return json_pack("{s:s, s:s, s:o}", "name", timing->name, "unit",
                     timing->unit != NULL ? timing->unit : "call", timing->bytes ? "bytes" : "seconds",
                     ms_json_real(ms_rounds_median(rounds, timing->taken) / per));
}

static json_t *wanted_json(const ms_ratio *ratio)
{
    if (ratio->wanted == MS_WANTED_NOTHING)
        return json_null();
    return json_pack("{s:f}", ratio->wanted == MS_WANTED_AT_MOST ? "at_most" : "at_least", ratio->bound);
}

json_t *ms_record_row(const char *program, const char *subject, int rounds, const ms_ratio *ratio)
{
    double values[MS_ROUNDS_MAX];
    for (int r = 0; r < rounds; r++)
        values[r] = ms_ratio_of_round(ratio, r);
    const double median = ms_rounds_median(rounds, values), scatter = ms_rounds_scatter(rounds, values);
    const ms_verdict verdict = ms_ratio_verdict(median, scatter, ratio->wanted, ratio->bound);
    return ms_json_object(
        "program:s name:o ratio:r scatter:r rounds:i wanted:o verdict:o scatters:b work:o peer:o base:n",
        program, json_sprintf("%s: %s", subject, ratio->name), median, scatter, rounds, wanted_json(ratio),
        verdict == MS_VERDICT_NONE ? json_null() : json_string(verdicts[verdict]), scatter > MS_SCATTER_MAX,
        timing_json(ratio->work, rounds), timing_json(ratio->peer, rounds));
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

static ms_wanted wanted_of(const json_t *row, double *bound)
{
    const json_t *wanted = json_object_get(row, "wanted");
    const bool least = json_object_get(wanted, "at_least") != NULL;
    *bound = number_of(wanted, least ? "at_least" : "at_most");
    if (!json_is_object(wanted))
        return MS_WANTED_NOTHING;
    return least ? MS_WANTED_AT_LEAST : MS_WANTED_AT_MOST;
}

static ms_verdict verdict_of(const json_t *row)
{
    double bound;
    const ms_wanted wanted = wanted_of(row, &bound);
    return ms_ratio_verdict(number_of(row, "ratio"), number_of(row, "scatter"), wanted, bound);
}

ms_exit ms_record_exit(const json_t *row)
{
    return ms_ratio_exit(verdict_of(row), number_of(row, "scatter"));
}

/* Stored runs -------------------------------------------------------------------------------------------- */

static bool row_is_sound(const json_t *row)
{
    double bound;
    const ms_wanted wanted = wanted_of(row, &bound);
    return text_of(row, "program")[0] != '\0' && text_of(row, "name")[0] != '\0' &&
           json_object_get(row, "ratio") != NULL && json_object_get(row, "scatter") != NULL &&
           (wanted == MS_WANTED_NOTHING || isfinite(bound));
}

int ms_record_check(const json_t *document, const char *of, ms_error *error)
{
    const json_t *rows = json_object_get(document, "rows");
    size_t k;
    json_t *row;
    if (!json_is_array(rows))
        return ms_fail(error, MS_IO, "%s: no array 'rows', as make bench FORMAT=json has it", of);
    json_array_foreach (rows, k, row)
        if (!row_is_sound(row))
            return ms_fail(error, MS_IO, "%s: row %zu lacks program, name, ratio, scatter or a bound", of, k);
    return MS_OK;
}

int ms_record_read(const char *path, json_t **document, ms_error *error)
{
    json_error_t why;
    *document = json_load_file(path, 0, &why);
    if (*document == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, why.text);
    const int status = ms_record_check(*document, path, error);
    if (status != MS_OK) {
        json_decref(*document);
        *document = NULL;
    }
    return status;
}

static json_t *find(const json_t *rows, const json_t *row)
{
    size_t k;
    json_t *other;
    json_array_foreach (rows, k, other)
        if (strcmp(text_of(other, "program"), text_of(row, "program")) == 0 &&
            strcmp(text_of(other, "name"), text_of(row, "name")) == 0)
            return other;
    return NULL;
}

int ms_record_compare(json_t *row, const json_t *stored)
{
    const json_t *before = find(json_object_get(stored, "rows"), row);
    if (before == NULL)
        return json_object_set_new(row, "base", json_null()) == 0 ? MS_OK : MS_NO_MEMORY;
    double bound;
    const double ratio = number_of(row, "ratio"), old = number_of(before, "ratio");
    const ms_change change = ms_ratio_change(ratio, number_of(row, "scatter"), old,
                                             number_of(before, "scatter"), wanted_of(row, &bound));
    json_t *base = ms_json_object("ratio:r scatter:r change:r verdict:s", old, number_of(before, "scatter"),
                                  ratio / old - 1.0, changes[change]);
    return json_object_set_new(row, "base", base) == 0 ? MS_OK : MS_NO_MEMORY;
}

/* Documents ---------------------------------------------------------------------------------------------- */

/* Programs and names of the stored run that were not measured now. */
static json_t *not_measured(const json_t *rows, const json_t *stored)
{
    json_t *list = json_array(), *row;
    size_t k;
    json_array_foreach (json_object_get(stored, "rows"), k, row)
        if (find(rows, row) == NULL)
            ms_json_append(&list,
                           ms_json_object("program:s name:s", text_of(row, "program"), text_of(row, "name")));
    return list;
}

/* What the kernel calls the processor. */
static json_t *processor_name(void)
{
    char line[256] = "", *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && name == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0)
            name = strchr(line, ':');
    if (file != NULL)
        fclose(file);
    if (name == NULL)
        return json_null();
    name[strcspn(name, "\n")] = '\0';
    return ms_json_text(name + 2);
}

/* Tasks that were running or waiting over the last minute: how busy the machine was. */
static json_t *load_average(void)
{
    double load = NAN;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file != NULL && fscanf(file, "%lf", &load) != 1)
        load = NAN;
    if (file != NULL)
        fclose(file);
    return ms_json_real(load);
}

static json_t *provenance(void)
{
    return ms_json_object(
        "version:s commit:s compiler:s compiler_flags:s libraries:s blas_core:s processor:o processors:i "
        "load_average:o",
        ms_version(), ms_commit(), ms_compiler(), ms_compiler_flags(), ms_library_versions(), ms_blas_core(),
        processor_name(), (int)sysconf(_SC_NPROCESSORS_ONLN), load_average());
}

json_t *ms_record_document(const char *effort, json_t *rows, const json_t *stored)
{
    int count[MS_VERDICT_UNDECIDED + 1] = {0}, scattering = 0;
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        const ms_verdict verdict = verdict_of(row);
        count[verdict]++;
        scattering += verdict != MS_VERDICT_NONE && number_of(row, "scatter") > MS_SCATTER_MAX;
    }
    json_t *absent = not_measured(rows, stored);
    return ms_json_object(
        "effort:s met:i missed:i undecided:i scattering:i nothing_wanted:i rows:o not_measured:o "
        "provenance:o",
        effort, count[MS_VERDICT_MET], count[MS_VERDICT_MISSED], count[MS_VERDICT_UNDECIDED], scattering,
        count[MS_VERDICT_NONE], rows, absent, provenance());
}

/* Tables ------------------------------------------------------------------------------------------------- */

/* "1.23 us", "928 B". */
static void amount_text(const json_t *timing, char *text, size_t size)
{
    static const char *const prefixes[] = {"ns", "us", "ms", "s"};
    double value = 1e9 * number_of(timing, "seconds");
    int k = 0;
    if (isnan(value)) {
        snprintf(text, size, "%.0f B", number_of(timing, "bytes"));
        return;
    }
    for (; k < 3 && value >= 1000.0; k++)
        value /= 1000.0;
    snprintf(text, size, "%.3g %s", value, prefixes[k]);
}

/* "engine 60 ns/macro-step, dense loop 40 ns". */
static void print_timings(const json_t *row, FILE *file)
{
    const json_t *work = json_object_get(row, "work"), *peer = json_object_get(row, "peer");
    char amount[64];
    amount_text(work, amount, sizeof amount);
    fprintf(file, "  %s %s/%s", text_of(work, "name"), amount, text_of(work, "unit"));
    if (!json_is_object(peer))
        return;
    amount_text(peer, amount, sizeof amount);
    fprintf(file, ", %s %s", text_of(peer, "name"), amount);
    if (strcmp(text_of(work, "unit"), text_of(peer, "unit")) != 0)
        fprintf(file, "/%s", text_of(peer, "unit"));
}

static void print_base(const json_t *base, FILE *file)
{
    if (json_is_object(base))
        fprintf(file, "  base %.3g (%+.1f %%, %s)", number_of(base, "ratio"),
                100.0 * number_of(base, "change"), text_of(base, "verdict"));
}

void ms_record_print_row(const json_t *row, FILE *file)
{
    double bound;
    const ms_wanted wanted = wanted_of(row, &bound);
    const ms_verdict verdict = verdict_of(row);
    const double scatter = number_of(row, "scatter");
    char judged[64] = "";
    if (wanted != MS_WANTED_NOTHING)
        snprintf(judged, sizeof judged, "%s %.4g: %s", wanted == MS_WANTED_AT_MOST ? "at most" : "at least",
                 bound, verdicts[verdict]);
    fprintf(file, "%-15s %-70s %8.4g +-%4.1f %%%s  %-24s", text_of(row, "program"), text_of(row, "name"),
            number_of(row, "ratio"), 100.0 * scatter, scatter > MS_SCATTER_MAX ? "!" : " ", judged);
    print_timings(row, file);
    print_base(json_object_get(row, "base"), file);
    fputc('\n', file);
    fflush(file);
}

static void print_again(const json_t *rows, ms_exit which, const char *title, FILE *file)
{
    size_t k;
    json_t *row;
    bool first = true;
    json_array_foreach (rows, k, row) {
        if (ms_record_exit(row) != which)
            continue;
        if (first)
            fprintf(file, "\n%s\n", title);
        first = false;
        ms_record_print_row(row, file);
    }
}

void ms_record_print_end(const json_t *document, FILE *file)
{
    const json_t *rows = json_object_get(document, "rows"),
                 *absent = json_object_get(document, "not_measured");
    print_again(rows, MS_EXIT_MISSED, "Missed", file);
    print_again(rows, MS_EXIT_SCATTERED, "Undecided, or rounds scatter by more than 20 %: to be repeated",
                file);
    for (size_t k = 0; k < json_array_size(absent); k++) {
        const json_t *row = json_array_get(absent, k);
        fprintf(file, "%snot measured, but in the stored run: %s, %s\n", k == 0 ? "\n" : "",
                text_of(row, "program"), text_of(row, "name"));
    }
    fprintf(file, "\nof wanted ratios %.0f met, %.0f missed, %.0f undecided, %.0f scatter\n",
            number_of(document, "met"), number_of(document, "missed"), number_of(document, "undecided"),
            number_of(document, "scattering"));
}
