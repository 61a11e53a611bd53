/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_picture.c - the picture of a figure on a page. */
#include <string.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"

/* The text as a part of an address: what could end it, or is no ASCII, by its number. */
static void write_encoded(const char *text, FILE *file)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || strchr("\"'<>#%&?", *c) != NULL)
            fprintf(file, "%%%02X", (unsigned)(unsigned char)*c);
        else
            fputc(*c, file);
}

/* What is at most so wide is shown whole on a screen of 390 points, and what is at least so large at its own size, to scroll
 * in, as its letters would be too small otherwise. */
enum { NARROW = 560, LARGE = 1400 };

static const char *picture_class(int width)
{
    return width <= NARROW ? " narrow" : width >= LARGE ? " large" : "";
}

void ms_html_picture(const ms_report *report, const ms_report_entry *entry, FILE *file)
{
    if (entry->width == 0)
        return;
    fprintf(file,
            "<figure class=\"picture%s\" tabindex=\"0\"><img loading=\"lazy\" decoding=\"async\" src=\"",
            picture_class(entry->width));
    if (report->single_file && entry->svg != NULL) {
        fputs("data:image/svg+xml,", file);
        write_encoded(entry->svg, file);
    } else {
        fprintf(file, "figures/%s.svg", entry->name);
    }
    fprintf(file, "\" width=\"%d\" height=\"%d\" alt=\"", entry->width, entry->height);
    ms_html_text(entry->alt, file);
    fputs("\"></figure>\n", file);
    if (entry->width > NARROW)
        fprintf(file, "<p class=\"hint%s\">Wide picture: it scrolls sideways.</p>\n",
                picture_class(entry->width));
}
