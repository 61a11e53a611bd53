/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "csv_cell.h"

#include <stdlib.h>
#include <string.h>

/* The quote that closes the cell at `text`, or the end; a doubled quote belongs to the cell. */
static const char *find_quote(const char *text)
{
    for (; *text != '\0' && (text[0] != '"' || text[1] == '"'); text++)
        text += text[0] == '"';
    return text;
}

/* The comma behind the cell at `text`, or the end; *open: its quote is not closed. */
static const char *find_comma(const char *text, bool *open)
{
    text += strspn(text, " \t");
    if (*text == '"') {
        text = find_quote(text + 1);
        *open = *text == '\0';
    }
    return text + strcspn(text, ",");
}

bool ms_csv_is_open(const char *text)
{
    bool open = false;
    for (text = find_comma(text, &open); *text == ','; text = find_comma(text + 1, &open))
        continue;
    return open;
}

int ms_csv_count(const char *text)
{
    bool open;
    int n = 1;
    for (text = find_comma(text, &open); *text == ','; text = find_comma(text + 1, &open))
        n++;
    return n;
}

/* The text up to `end`, without blanks at its end. */
static void trim(const char *cell, char *end)
{
    while (end > cell && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
}

char *ms_csv_cut(char **next, bool *quoted)
{
    bool open;
    char *cell = *next + strspn(*next, " \t"), *comma = *next + (find_comma(*next, &open) - *next),
         *to = cell;
    const bool in_quotes = *cell == '"';
    *next = *comma == ',' ? comma + 1 : NULL;
    if (quoted != NULL)
        *quoted = in_quotes;
    if (!in_quotes) {
        trim(cell, comma);
        return cell;
    }
    const char *closing = find_quote(cell + 1);
    for (const char *from = cell + 1; from < closing; from++) {
        from += *from == '"';
        *to++ = *from;
    }
    *to = '\0';
    return cell;
}

ssize_t ms_csv_record(FILE *file, char **text, size_t *size, long *lines)
{
    ssize_t length = getline(text, size, file);
    *lines = length >= 0;
    while (length > 0 && (*text)[0] != '#' && ms_csv_is_open(*text)) {
        char *line = NULL;
        size_t room = 0;
        const ssize_t more = getline(&line, &room, file);
        char *longer = more > 0 ? realloc(*text, (size_t)(length + more) + 1) : NULL;
        if (longer != NULL) {
            memcpy(longer + length, line, (size_t)more + 1);
            *text = longer;
            *size = (size_t)(length + more) + 1;
            length += more;
            ++*lines;
        }
        free(line);
        if (longer == NULL && more > 0)
            return -1;
        if (longer == NULL) /* the end of the file */
            break;
    }
    if (length > 0 && (*text)[length - 1] == '\n')
        (*text)[--length] = '\0';
    if (length > 0 && (*text)[length - 1] == '\r')
        (*text)[--length] = '\0';
    return length;
}
