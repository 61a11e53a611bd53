/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_index.c - the table of all figures, deviations first, and the form that chooses among them; report.js reads the
 * data-* of its rows. */
#include <stdlib.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"

/* Deviations first, what has not been drawn last. */
static const ms_verdict order[] = {MS_DEVIATES, MS_EXPECTATION_MISSED, MS_NOT_DETERMINED,
                                   MS_DRAWN,    MS_REPRODUCED,         MS_VERDICTS};
enum { ORDERS = sizeof order / sizeof order[0] };

/* Of a known verdict its name, as on its badge. */
static const char *verdict_name(ms_verdict verdict)
{
    return verdict < MS_VERDICTS ? ms_verdict_name(verdict) : "missing";
}

static void write_data(const char *name, const char *value, FILE *file)
{
    fprintf(file, " data-%s=\"", name);
    ms_html_text(value, file);
    fputc('"', file);
}

/* "5 of 6", and the number that did not hold to sort by. */
static void write_held(const ms_report_entry *entry, FILE *file)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    fputs("<td>", file);
    if (json_array_size(held) == 2)
        fprintf(file, "%d of %d", (int)json_integer_value(json_array_get(held, 0)),
                (int)json_integer_value(json_array_get(held, 1)));
    fputs("</td>", file);
}

static int checks_missed(const ms_report_entry *entry)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    return (int)(json_integer_value(json_array_get(held, 1)) - json_integer_value(json_array_get(held, 0)));
}

static void write_subjects(const char *what, const char *names, FILE *file)
{
    if (names == NULL)
        return;
    fprintf(file, "<span class=\"of\">%s: ", what);
    ms_html_text(names, file);
    fputs("</span>", file);
}

static void write_row(const ms_report_entry *entry, int place, int rank, FILE *file)
{
    char label[64];
    ms_report_label(entry->figure->id, label, sizeof label);
    fprintf(file, "<tr data-place=\"%d\" data-rank=\"%d\" data-missed=\"%d\"", place, rank,
            checks_missed(entry));
    write_data("id", entry->name, file);
    write_data("paper", entry->paper_short, file);
    write_data("verdict", verdict_name(ms_report_status(entry)), file);
    write_data("title", entry->figure->title, file);
    write_data("models", entry->models, file);
    write_data("schemes", entry->schemes, file);
    fputs("><td>", file);
    ms_html_badge(ms_report_status(entry) < MS_VERDICTS ? verdict_name(ms_report_status(entry)) : NULL, file);
    fprintf(file, "</td><td>%s</td><td><a href=\"#%s\">%s</a></td><td>", entry->paper_short, entry->name,
            label);
    ms_html_text(entry->figure->title, file);
    write_subjects("models", entry->models, file);
    write_subjects("schemes", entry->schemes, file);
    fputs("</td>", file);
    write_held(entry, file);
    fputs("</tr>\n", file);
}

static const char filters[] =
    "<form class=\"filters\" hidden aria-label=\"Choose figures\">\n"
    "<label>search<input type=\"search\" name=\"search\" autocomplete=\"off\"></label>\n"
    "<label>paper<select name=\"paper\"><option value=\"\">all</option></select></label>\n"
    "<label>verdict<select name=\"verdict\"><option value=\"\">all</option></select></label>\n"
    "<label>model<select name=\"models\" data-list=\"yes\"><option value=\"\">all</option></select></label>\n"
    "<label>scheme<select name=\"schemes\" data-list=\"yes\"><option "
    "value=\"\">all</option></select></label>\n"
    "<button type=\"reset\">all</button>\n"
    "<output aria-live=\"polite\"></output>\n"
    "</form>\n";

static const char head[] =
    "<thead><tr><th scope=\"col\" data-key=\"rank\" aria-sort=\"ascending\"><button "
    "type=\"button\">Verdict</button></th>"
    "<th scope=\"col\" data-key=\"paper\"><button type=\"button\">Paper</button></th>"
    "<th scope=\"col\" data-key=\"place\"><button type=\"button\">Figure</button></th>"
    "<th scope=\"col\" data-key=\"title\"><button type=\"button\">Shows</button></th>"
    "<th scope=\"col\" data-key=\"missed\"><button type=\"button\">Checks held</button></th></tr></thead>\n";

void ms_html_index(const ms_report *report, FILE *file)
{
    fputs(filters, file);
    fprintf(
        file,
        "<table class=\"index\">\n<caption>All figures and tables, deviations first</caption>\n%s<tbody>\n",
        head);
    for (int rank = 0; rank < ORDERS; rank++)
        for (int k = 0; k < report->n; k++)
            if (ms_report_status(&report->entries[k]) == order[rank])
                write_row(&report->entries[k], k, rank, file);
    fputs("</tbody></table>\n", file);
}
