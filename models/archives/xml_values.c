/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml_values.c - attributes of XML by their types: xs:boolean, xs:int, xs:double, words. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "number.h"
#include "xml.h"

static const char blanks[] = " \t\r\n";

/* Is the text that word, with blanks around it or not? */
static bool is_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    text += strspn(text, blanks);
    return strncmp(text, word, length) == 0 && text[length + strspn(text + length, blanks)] == '\0';
}

int ms_xml_text(const ms_xml *xml, const ms_xml_element *e, const char *name, const char **value,
                ms_error *error)
{
    *value = ms_xml_attribute(e, name);
    if (*value == NULL)
        return ms_xml_fail(xml, e, error, "<%.60s> has no %s", e->name, name);
    if ((*value)[0] == '\0')
        return ms_xml_fail(xml, e, error, "%s of <%.60s> is empty", name, e->name);
    return MS_OK;
}

int ms_xml_bool(const ms_xml *xml, const ms_xml_element *e, const char *name, bool *value, ms_error *error)
{
    const char *text = ms_xml_attribute(e, name);
    if (text == NULL)
        return MS_OK;
    *value = is_word(text, "true") || is_word(text, "1");
    if (!*value && !is_word(text, "false") && !is_word(text, "0"))
        return ms_xml_fail(xml, e, error, "%s of <%.60s> is %.60s, but true or false is expected", name,
                           e->name, text);
    return MS_OK;
}

int ms_xml_int(const ms_xml *xml, const ms_xml_element *e, const char *name, int *value, ms_error *error)
{
    const char *text = ms_xml_attribute(e, name);
    if (text == NULL)
        return MS_OK;
    char *end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || end[strspn(end, blanks)] != '\0' || errno != 0 || number < INT_MIN || number > INT_MAX)
        return ms_xml_fail(xml, e, error, "%s of <%.60s> is %.60s, but a whole number is expected", name,
                           e->name, text);
    *value = (int)number;
    return MS_OK;
}

int ms_xml_double(const ms_xml *xml, const ms_xml_element *e, const char *name, double *value,
                  ms_error *error)
{
    const char *text = ms_xml_attribute(e, name);
    if (text != NULL && !ms_xml_number(text, value))
        return ms_xml_fail(xml, e, error, "%s of <%.60s> is %.60s, but a number is expected", name, e->name,
                           text);
    return MS_OK;
}

int ms_xml_word(const ms_xml *xml, const ms_xml_element *e, const char *name, const char *const *words, int n,
                int *value, ms_error *error)
{
    const char *text = ms_xml_attribute(e, name), *known[32];
    int n_known = 0;
    if (text == NULL)
        return MS_OK;
    for (int k = 0; k < n; k++) {
        if (words[k] == NULL)
            continue;
        known[n_known++] = words[k];
        if (strcmp(words[k], text) == 0) {
            *value = k;
            return MS_OK;
        }
    }
    return ms_xml_fail(xml, e, error, "%s of <%.60s> is %.60s; the nearest is %s", name, e->name, text,
                       ms_nearest(text, known, n_known));
}

/* Numbers ------------------------------------------------------------------------------------------------ */

bool ms_xml_number(const char *text, double *value)
{
    text += strspn(text, blanks);
    if (is_word(text, "INF") || is_word(text, "-INF") || is_word(text, "NaN")) {
        *value = text[0] == 'N' ? NAN : text[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    const size_t length = strspn(text, "+-.0123456789eE");
    if (length == 0 || text[length + strspn(text + length, blanks)] != '\0')
        return false;
    char *end = NULL;
    const double number = ms_number_read(text, &end);
    if (end != text + length || !isfinite(number))
        return false;
    *value = number;
    return true;
}

/* By characters: strspn() and the like measure the whole text under sanitizers, so that a list of a million
 * numbers would take hours. */
bool ms_xml_unsigned(const char **at, unsigned *value)
{
    const char *c = *at;
    unsigned long long number = 0;
    while (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n')
        c++;
    const char *first = c;
    for (; *c >= '0' && *c <= '9'; c++)
        if (number <= UINT_MAX)
            number = 10 * number + (unsigned)(*c - '0');
    if (c == first)
        return false;
    *at = c;
    *value = (unsigned)number;
    return number <= UINT_MAX;
}

int ms_xml_base_unit(const ms_xml *xml, const ms_xml_element *base, ms_unit *unit, ms_error *error)
{
    int status = MS_OK;
    *unit = (ms_unit){.factor = 1.0};
    for (int k = 0; k < MS_UNIT_BASES && status == MS_OK; k++)
        status = ms_xml_int(xml, base, ms_unit_bases[k], &unit->power[k], error);
    MS_THEN(status, ms_xml_double(xml, base, "factor", &unit->factor, error));
    return status == MS_OK ? ms_xml_double(xml, base, "offset", &unit->offset, error) : status;
}
