/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.c - the tree of an XML text, by Expat behind a plug-in. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fmu_archive_parts.h"
#include "input_file.h"
#include "structure.h"
#include "xml_encoding.h"

/* A text on its way into a tree. */
typedef struct reading {
    ms_xml *xml;
    ms_xml_element *open[MS_XML_DEPTH]; /* (depth) the elements that are not at their end */
    ms_xml_element *last[MS_XML_DEPTH]; /* (depth) the last element within each of them, or NULL */
    int depth, elements;
    const char *space; /* the last one, as most are the same */
    int status;        /* why it was ended */
    ms_error *error;
} reading;

/* Error lines -------------------------------------------------------------------------------------------- */

int ms_xml_fail(const ms_xml *xml, const ms_xml_element *e, ms_error *error, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return ms_fail(error, MS_INVALID, "%s: line %ld: %s", xml->path, e->line, what);
}

int ms_xml_no_memory(const ms_xml *xml, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", xml->path);
}

/* Tree --------------------------------------------------------------------------------------------------- */

/* The namespace of "NAMESPACE NAME", "" where there is no blank; NULL: there is no memory. */
static const char *space_of(reading *r, const char *name)
{
    const char *blank = strrchr(name, ' ');
    const size_t length = blank != NULL ? (size_t)(blank - name) : 0;
    if (r->space == NULL || strncmp(r->space, name, length) != 0 || r->space[length] != '\0')
        r->space = ms_structure_name(&r->xml->memory, "%.*s", (int)length, name);
    return r->space;
}

static char *copy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

/* An element in one piece: itself, the addresses of its attributes, then all texts. NULL: there is no memory. */
static ms_xml_element *create_element(reading *r, const char *full_name, const char *const *attribute)
{
    const char *blank = strrchr(full_name, ' '), *name = blank != NULL ? blank + 1 : full_name;
    size_t n = 0, size = strlen(name) + 1;
    for (; attribute[n] != NULL; n++)
        size += strlen(attribute[n]) + 1;
    ms_xml_element *e = ms_structure_alloc(&r->xml->memory, sizeof *e + (n + 1) * sizeof(char *) + size, 1);
    const char *space = space_of(r, full_name);
    if (e == NULL || space == NULL)
        return NULL;
    const char **to = (const char **)(void *)(e + 1);
    char *text = (char *)(to + n + 1);
    e->space = space;
    e->name = copy(text, name);
    e->attribute = to;
    for (size_t k = 0; k < n; k++) {
        text += strlen(text) + 1;
        to[k] = copy(text, attribute[k]);
    }
    return e;
}

static void hang(reading *r, ms_xml_element *e)
{
    if (r->depth == 0)
        r->xml->root = e;
    else if (r->last[r->depth - 1] != NULL)
        r->last[r->depth - 1]->next = e;
    else
        r->open[r->depth - 1]->first = e;
    if (r->depth > 0)
        r->last[r->depth - 1] = e;
    r->open[r->depth] = e;
    r->last[r->depth++] = NULL;
}

static bool begin_element(void *self, const char *name, const char *const *attribute, long line)
{
    reading *r = self;
    ms_xml_element *e = create_element(r, name, attribute);
    if (e == NULL) {
        r->status = ms_xml_no_memory(r->xml, r->error);
        return false;
    }
    e->line = line;
    if (r->depth == MS_XML_DEPTH)
        r->status = ms_xml_fail(r->xml, e, r->error, "<%.60s> is nested in more than %d elements", e->name,
                                MS_XML_DEPTH);
    else if (++r->elements > MS_XML_ELEMENTS)
        r->status = ms_xml_fail(r->xml, e, r->error, "more than %d elements", MS_XML_ELEMENTS);
    else
        hang(r, e);
    return r->status == MS_OK;
}

static bool end_element(void *self)
{
    reading *r = self;
    r->depth--;
    return true;
}

/* A text in UTF-8. */
static int read_text(const char *text, size_t size, ms_xml *xml, ms_error *error)
{
    const ms_plugin_archives *library;
    char why[MS_PLUGIN_WHY];
    long line;
    MS_TRY(ms_archives_open(xml->path, &library, error));
    reading *r = calloc(1, sizeof *r);
    MS_TRY_MEMORY_OR(r != NULL, ms_xml_no_memory(xml, error));
    *r = (reading){.xml = xml, .error = error};
    const ms_plugin_xml reader = {.self = r, .begin = begin_element, .end = end_element};
    const bool read = library->read_xml(text, size, &reader, &line, why);
    if (!read && r->status == MS_OK && strcmp(why, MS_PLUGIN_NO_MEMORY) == 0)
        r->status = ms_xml_no_memory(xml, error);
    if ((!read || xml->root == NULL) && r->status == MS_OK)
        r->status = ms_fail(error, MS_INVALID, "%s: line %ld: %s", xml->path, line, why);
    const int ended = r->status;
    free(r);
    return ended;
}

int ms_xml_read(const char *path, const char *text, size_t size, ms_xml *xml, ms_error *error)
{
    *xml = (ms_xml){.path = path};
    int status = MS_OK;
    ms_xml_encoding_find(text, size, xml->encoding);
    if (strcasecmp(xml->encoding, "UTF-8") == 0)
        return read_text(text, size, xml, error);
    char *converted = ms_xml_convert(path, xml->encoding, text, &size, &status, error);
    if (converted != NULL)
        status = read_text(converted, size, xml, error);
    free(converted);
    return status;
}

int ms_xml_read_file(const char *path, const char *shown, ms_xml *xml, ms_error *error)
{
    size_t size;
    *xml = (ms_xml){.path = shown};
    if (ms_input_check(path, MS_INPUT_TEXT_BYTES, error) != MS_OK)
        return MS_INVALID;
    FILE *stream = fopen(path, "rbe");
    if (stream == NULL)
        return ms_fail(error, MS_IO, "%s: %s", shown, strerror(errno));
    char *text = ms_input_stream(stream, &size);
    const int failed = errno != 0 ? errno : ENOMEM;
    fclose(stream);
    const int status = text != NULL
                           ? ms_xml_read(shown, text, size, xml, error)
                           : ms_fail(error, MS_IO, "%s: cannot be read: %s", shown, strerror(failed));
    free(text);
    return status;
}

void ms_xml_free(ms_xml *xml)
{
    ms_structure_free(&xml->memory);
    xml->root = NULL;
}

/* Looking up --------------------------------------------------------------------------------------------- */

const ms_xml_element *ms_xml_child(const ms_xml_element *e, const char *name)
{
    const ms_xml_element *c = e != NULL ? e->first : NULL;
    while (c != NULL && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

const ms_xml_element *ms_xml_again(const ms_xml_element *e)
{
    const ms_xml_element *c = e->next;
    while (c != NULL && (strcmp(c->name, e->name) != 0 || strcmp(c->space, e->space) != 0))
        c = c->next;
    return c;
}

int ms_xml_children(const ms_xml_element *e)
{
    int n = 0;
    for (const ms_xml_element *c = e != NULL ? e->first : NULL; c != NULL; c = c->next)
        n++;
    return n;
}

const char *ms_xml_attribute(const ms_xml_element *e, const char *name)
{
    for (const char *const *a = e != NULL ? e->attribute : NULL; a != NULL && *a != NULL; a += 2)
        if (strcmp(a[0], name) == 0)
            return a[1];
    return NULL;
}
