/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"

#include <string.h>

#include "json.h"
#include "templates.h"
#include "value_line.h"

enum { NAME_LENGTH = 64 };

/* Where a template is being written. */
struct page {
    const json_t *root;
    ms_value_writer *escape; /* of the page's language */
    const char *begin;       /* of the template */
    FILE *file;
};

static void write_template(const struct page *page, const char *name, const json_t *value, bool alone);

/* Texts -------------------------------------------------------------------------------------------------- */

static void write_plain(const char *text, FILE *file)
{
    fputs(text, file);
}

/* In an element or between quotes; control characters become spaces. */
static void write_html(const char *text, FILE *file)
{
    static const char *const names[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;", [255] = NULL};
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (names[*c] != NULL)
            fputs(names[*c], file);
        else
            fputc(*c < ' ' && *c != '\n' ? ' ' : *c, file);
}

/* On one line, with a backslash before what is one of the signs. */
static void write_line(const char *text, const char *signs, FILE *file)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr(signs, *c) != NULL)
            fputc('\\', file);
        fputc(*c == '\n' || *c == '\r' ? ' ' : *c, file);
    }
}

static void write_markdown(const char *text, FILE *file)
{
    write_line(text, "\\`*_<[]", file);
}

static void write_markdown_cell(const char *text, FILE *file)
{
    write_line(text, "\\`*_<[]|", file);
}

/* As a part of an address: delimiters and non-ASCII characters are escaped. */
static void write_address(const char *text, FILE *file)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c <= ' ' || *c >= 0x7f || strchr("\"'<>#%&?", *c) != NULL)
            fprintf(file, "%%%02X", (unsigned)*c);
        else
            fputc(*c, file);
}

/* Tags --------------------------------------------------------------------------------------------------- */

struct tag {
    const char *begin, *end; /* of all of it */
    char kind;               /* one of "#^/>&%|", or 0: a name alone */
    bool alone;              /* on its line, which goes with it */
    char name[NAME_LENGTH];
};

/* The first tag in the text before its end. */
static bool find_tag(const struct page *page, const char *text, const char *end, struct tag *tag)
{
    tag->begin = strstr(text, "{{");
    const char *close = tag->begin != NULL ? strstr(tag->begin, "}}") : NULL;
    if (close == NULL || close >= end)
        return false;
    const char *name = tag->begin + 2;
    tag->kind = strchr("#^/>&%|", *name) != NULL ? *name++ : '\0';
    snprintf(tag->name, sizeof tag->name, "%.*s", (int)(close - name), name);
    tag->alone = tag->kind != '\0' && strchr("#^/>", tag->kind) != NULL && close[2] == '\n' &&
                 (tag->begin == page->begin || tag->begin[-1] == '\n');
    tag->end = close + 2 + tag->alone;
    return true;
}

/* The tag that ends the section whose contents begin here. */
static bool find_end(const struct page *page, const char *text, const char *end, struct tag *tag)
{
    for (int depth = 1; find_tag(page, text, end, tag); text = tag->end) {
        depth += tag->kind == '#' || tag->kind == '^';
        depth -= tag->kind == '/';
        if (depth == 0)
            return true;
    }
    return false;
}

/* Values ------------------------------------------------------------------------------------------------- */

/* Of the value itself, else of the page; NULL: neither has it. */
static const json_t *find_value(const struct page *page, const char *name, const json_t *value)
{
    if (strcmp(name, ".") == 0)
        return value;
    const json_t *found = ms_json_at(value, name);
    return found != NULL ? found : ms_json_at(page->root, name);
}

/* Is there something in it? */
static bool holds(const json_t *value)
{
    const char *text = json_string_value(value);
    return json_is_true(value) || json_is_real(value) || json_integer_value(value) != 0 ||
           (text != NULL && *text != '\0') || json_array_size(value) > 0 || json_object_size(value) > 0;
}

static void write_value(const struct page *page, const struct tag *tag, const json_t *value)
{
    const json_t *found = find_value(page, tag->name, value);
    if (found != NULL)
        ms_value_line((json_t *)found,
                      tag->kind == '&'   ? write_plain
                      : tag->kind == '%' ? write_address
                      : tag->kind == '|' ? write_markdown_cell
                                         : page->escape,
                      page->file);
}

/* Sections ----------------------------------------------------------------------------------------------- */

static void write_part(const struct page *page, const char *text, const char *end, const json_t *value);

static void write_section(const struct page *page, const struct tag *open, const char *end,
                          const json_t *value)
{
    const json_t *found = find_value(page, open->name, value);
    size_t k;
    json_t *element;
    if (holds(found) != (open->kind == '#'))
        return;
    if (open->kind == '^' || !(json_is_array(found) || json_is_object(found)))
        write_part(page, open->end, end, value);
    else if (json_is_object(found))
        write_part(page, open->end, end, found);
    json_array_foreach (open->kind == '#' ? found : NULL, k, element) {
        write_part(page, open->end, end, element);
    }
}

static void write_part(const struct page *page, const char *text, const char *end, const json_t *value)
{
    struct tag tag, close;
    while (find_tag(page, text, end, &tag)) {
        fwrite(text, 1, (size_t)(tag.begin - text), page->file);
        text = tag.end;
        if (tag.kind == '>') {
            write_template(page, tag.name, value, tag.alone);
        } else if (tag.kind != '#' && tag.kind != '^') {
            write_value(page, &tag, value);
        } else if (find_end(page, text, end, &close)) {
            write_section(page, &tag, close.begin, value);
            text = close.end;
        }
    }
    fwrite(text, 1, (size_t)(end - text), page->file);
}

/* The end of its last line counts where the tag that names it is alone on a line. */
static void write_template(const struct page *page, const char *name, const json_t *value, bool alone)
{
    struct page inner = *page;
    inner.begin = ms_template(name);
    if (inner.begin != NULL)
        write_part(&inner, inner.begin, inner.begin + strlen(inner.begin) - !alone, value);
}

void ms_page_write_text(const char *text, bool markdown, const json_t *value, FILE *file)
{
    const struct page page = {
        .root = value, .escape = markdown ? write_markdown : write_html, .begin = text, .file = file};
    write_part(&page, text, text + strlen(text), value);
}

void ms_page_write(const char *name, const json_t *value, FILE *file)
{
    const char *ending = strrchr(name, '.');
    ms_page_write_text(ms_template(name), ending != NULL && strcmp(ending, ".md") == 0, value, file);
}
