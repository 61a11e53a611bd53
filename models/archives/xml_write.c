/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xml_write.h"

#include <math.h>

#include "number.h"

const char *ms_xml_number_text(double value, char text[MS_XML_NUMBER])
{
    if (isfinite(value))
        ms_number_text(value, text);
    else
        snprintf(text, MS_XML_NUMBER, "%s", isnan(value) ? "NaN" : value > 0.0 ? "INF" : "-INF");
    return text;
}

static void write_escaped(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", file);
        else if (c == '<')
            fputs("&lt;", file);
        else if (c == '"')
            fputs("&quot;", file);
        else if (c < ' ') /* tabulators and ends of lines would be read back as blanks */
            fprintf(file, "&#%d;", c);
        else
            fputc(c, file);
    }
}

void ms_xml_write_attribute(FILE *file, const char *name, const char *value)
{
    fprintf(file, " %s=\"", name);
    write_escaped(file, value);
    fputc('"', file);
}

void ms_xml_write_number(FILE *file, const char *name, double value)
{
    char text[MS_XML_NUMBER];
    ms_xml_write_attribute(file, name, ms_xml_number_text(value, text));
}
