/* SPDX-License-Identifier: GPL-3.0-or-later */
/* canvas_style.c - texts, sizes and the head of the script of a canvas. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "arguments.h"
#include "canvas.h"
#include "drawing_parts.h"
#include "enhanced.h"
#include "letters.h"
#include "printable.h"
#include "provenance.h"

/* Text --------------------------------------------------------------------------------------------------- */

/* Letters of one line: the end of a line is not a letter. */
static bool is_letter(const char *text, size_t *length)
{
    return ms_printable(text, length) && *text != '\n' && *text != '\t';
}

/* In double quotes, in which gnuplot interprets backslashes and executes text between backquotes. */
static const char *quote_twice(ms_drawing *drawing, const char *text, const char *special)
{
    char *quoted = malloc(2 * strlen(text) + 3), *to = quoted;
    if (quoted == NULL) {
        ms_drawing_no_memory(drawing);
        return "''";
    }
    *to++ = '"';
    for (size_t length; *text != '\0'; text += length) {
        const bool letter = is_letter(text, &length);
        if (strchr(special, *text) != NULL)
            *to++ = '\\';
        memcpy(to, letter ? text : " ", letter ? length : 1);
        to += letter ? length : 1;
    }
    memcpy(to, "\"", 2);
    const char *kept = ms_drawing_text(drawing, "%s", quoted);
    free(quoted);
    return kept;
}

const char *ms_drawing_quoted_lines(ms_drawing *drawing, const char *text)
{
    return quote_twice(drawing, text, "\"`");
}

static bool has_pairs(const char *text, char of)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == of;
    return n % 2 == 0;
}

/* A text without quotes, in the caller's memory; NULL: unchanged. typed: by the user, possibly for LaTeX. */
static char *spelled_out(const ms_drawing *drawing, const char *text, bool typed)
{
    const bool tex = drawing->canvas != NULL && drawing->canvas->format == MS_CANVAS_TEX,
               dollars = typed && has_pairs(text, '$');
    char *letters = malloc(20 * strlen(text) + 1), *to = letters;
    for (size_t length; letters != NULL && *text != '\0'; text += length) {
        const size_t whole = dollars && *text == '$' ? ms_mathematics(text) : 0;
        const char *as = whole > 0 || is_letter(text, &length) ? NULL : " ";
        if (whole > 0)
            length = whole;
        else if (as == NULL && tex)
            as = ms_tex_letter(text, &length);
        const size_t bare = whole > 0 && !tex, n = as != NULL ? strlen(as) : length - 2 * bare;
        memcpy(to, as != NULL ? as : text + bare, n);
        to += n;
    }
    if (letters != NULL)
        *to = '\0';
    return letters;
}

/* gnuplot takes two single quotes as the end of a text, or as one quote, depending on the preceding text. */
static const char *quote(ms_drawing *drawing, const char *text, bool typed)
{
    char *letters = spelled_out(drawing, text, typed);
    if (letters == NULL)
        ms_drawing_no_memory(drawing);
    const char *kept = letters == NULL                 ? "''"
                       : strchr(letters, '\'') == NULL ? ms_drawing_text(drawing, "'%s'", letters)
                                                       : quote_twice(drawing, letters, "\\\"`");
    free(letters);
    return kept;
}

const char *ms_drawing_quoted(ms_drawing *drawing, const char *text)
{
    return quote(drawing, text, false);
}

const char *ms_drawing_typed(ms_drawing *drawing, const char *text)
{
    const ms_canvas_format format = drawing->canvas->format;
    const bool letters = format == MS_CANVAS_TEX || format == MS_CANVAS_TERMINAL;
    char *enhanced = letters ? NULL : ms_enhanced(text);
    const char *quoted = quote(drawing, enhanced != NULL ? enhanced : text, enhanced == NULL);
    quoted = ms_drawing_text(drawing, "%s %s", quoted, enhanced != NULL ? "enhanced" : "noenhanced");
    free(enhanced);
    return quoted;
}

/* Sizes -------------------------------------------------------------------------------------------------- */

double ms_drawing_width(const ms_drawing *drawing)
{
    return drawing->canvas->width;
}

void ms_drawing_height(ms_drawing *drawing, double height)
{
    drawing->centimetres = height;
}

const ms_canvas *ms_drawing_canvas(const ms_drawing *drawing)
{
    return drawing->canvas;
}

void ms_drawing_refuse(ms_drawing *drawing, const char *format, ...)
{
    char line[sizeof drawing->error.text];
    va_list rest;
    va_start(rest, format);
    vsnprintf(line, sizeof line, format, rest);
    va_end(rest);
    ms_drawing_fail(drawing, MS_INVALID, "%s", line);
}

/* Of letters, as they are on paper [pt]. */
static double points(const ms_canvas *canvas)
{
    const double chosen = canvas->arguments != NULL ? canvas->arguments->font_size : 0.0;
    return chosen > 0.0 ? chosen : canvas->screen ? 11.0 : canvas->width < 12.0 ? 8.0 : 9.0;
}

/* Of curves [pt]. */
static double line_width(const ms_canvas *canvas)
{
    const double chosen = canvas->arguments != NULL ? canvas->arguments->lines : 0.0;
    return chosen > 0.0 ? chosen : canvas->screen ? 1.7 : canvas->width < 12.0 ? 0.9 : 1.1;
}

double ms_drawing_points(const ms_drawing *drawing)
{
    return points(drawing->canvas) * (drawing->canvas->format == MS_CANVAS_SVG ? 96.0 / 72.0 : 1.0);
}

double ms_drawing_line(const ms_drawing *drawing)
{
    return 1.25 * points(drawing->canvas) * 2.54 / 72.0;
}

/* Script ------------------------------------------------------------------------------------------------- */

/* gnuplot's unit of lines is 0.5 pt in PDF, 0.25 pt in that of LaTeX, in SVG a pixel of 0.75 pt, in PNG one of 0.25 pt, and linetypes are 1.6 of them wide. Its letters are for screens of
 * 96 dots an inch; fontscale makes them points. */
static void write_terminal(const ms_canvas *canvas, double height, const char *id, FILE *file)
{
    const double size = points(canvas), wide = line_width(canvas) / (1.6 * 0.25), pixels = 96.0 / 2.54;
    const char *font = "DejaVu Sans";
    switch (canvas->format) {
    case MS_CANVAS_SVG:
        fprintf(file,
                "set terminal svg name %s size %.0f,%.0f dynamic enhanced \\\n"
                "    font 'DejaVu Sans,Verdana,Arial,sans-serif,%g' linewidth %g background '#ffffff'\n",
                id, canvas->width * pixels, height * pixels, size * 96.0 / 72.0, wide / 3.0);
        break;
    case MS_CANVAS_PDF:
        fprintf(file,
                "set terminal pdfcairo size %gcm,%gcm enhanced font '%s,%g' fontscale 0.75 linewidth %g \\\n"
                "    background '#ffffff'\n",
                canvas->width, height, font, size, wide / 2.0);
        break;
    case MS_CANVAS_PNG: /* 288 dots an inch */
        fprintf(file,
                "set terminal pngcairo size %.0f,%.0f enhanced font '%s,%g' fontscale 3 linewidth %g "
                "pointscale 3 \\\n"
                "    background '#ffffff'\n",
                3.0 * canvas->width * pixels, 3.0 * height * pixels, font, size, wide);
        break;
    case MS_CANVAS_TEX: /* the header makes LaTeX's own letters of that size */
        fprintf(
            file,
            "set terminal cairolatex pdf input colortext size %gcm,%gcm font ',%g' fontscale 0.75 linewidth %g \\\n"
            "    header '\\fontsize{%g}{%g}\\selectfont\\def\\msten#1#2{#1^{\\mbox{\\fontsize{%g}{%g}\\selectfont$#2$}}}'\n",
            canvas->width, height, size, wide, size, 1.2 * size, fmax(7.0, 0.7 * size),
            fmax(7.0, 0.7 * size));
        break;
    case MS_CANVAS_TERMINAL:
        fprintf(file, "set terminal dumb noenhanced size 79,%d\n", 24 + (int)(8.0 * (height > 8.0)));
        break;
    }
    static const char *const endings[] = {".svg", ".pdf", ".png", "-tex.tex", ".txt"};
    fprintf(file, "set output name.'%s'\n", endings[canvas->format]);
}

/* Curves differ in colour and in dashes, so that prints without colours can be read, and what lies below shows. */
static const char dashes[] =
    "set linetype 2 dashtype 1\n"
    "set linetype 3 dashtype (12,4)\n"
    "set linetype 4 dashtype (4,3)\n"
    "set linetype 5 dashtype (14,4,2,4)\n"
    "set linetype 6 dashtype (2,3)\n"
    "set linetype 7 dashtype (8,3,2,3,2,3)\n"
    "set linetype 8 dashtype (20,5) linecolor rgb '#7a5195'\n"; /* yellow is too light */

void ms_canvas_write_head(const ms_drawing *drawing, FILE *file)
{
    const ms_canvas *canvas = drawing->canvas;
    fprintf(file,
            "# `gnuplot %s.gp` in this folder draws the picture.\nname = %s\nreset\nset encoding utf8\n",
            drawing->name, ms_drawing_quoted((ms_drawing *)drawing, drawing->name));
    write_terminal(canvas, drawing->centimetres, "'plot'", file);
}

/* Exponents of at least 7 pt: gnuplot's are 0.8 of the letters before them. LaTeX's powers are a macro of the header: without it
 * every label would be longer, and gnuplot reserves room by the letters of a label. */
static void write_powers(const ms_canvas *canvas, FILE *file)
{
    const double least = 7.05, scale = fmin(1.25, least / (0.8 * points(canvas)));
    if (canvas->format == MS_CANVAS_TERMINAL)
        fputs("powers = '1e%L'\n", file);
    else if (canvas->format == MS_CANVAS_TEX)
        fputs("powers = '$\\msten{10}{%L}$'\n", file);
    else if (scale > 1.0)
        fprintf(file, "powers = '10^{/*%.3f %%L}'\n", scale);
}

void ms_canvas_write_style(const ms_drawing *drawing, FILE *file)
{
    const ms_canvas_format format = drawing->canvas->format;
    fputs("unset datafile columnheaders\n",
          file); /* else the first row of each index of a file was taken for one */
    fputs(dashes, file);
    fprintf(file, "plain = '%s'\n", format == MS_CANVAS_TEX ? "$%.6g$" : "%.6g");
    write_powers(drawing->canvas, file);
    if (format == MS_CANVAS_TERMINAL)
        fputs("unset grid\nset border 15\n", file);
}

/* Pages -------------------------------------------------------------------------------------------------- */

static double page_width(const ms_drawing *drawing)
{
    return drawing->figure->width > 0.0 ? drawing->figure->width : MS_PAGE;
}

/* Run by itself, the script loads itself once for each format. */
static void write_loop(const ms_drawing *drawing, FILE *file)
{
    fprintf(file, "# `gnuplot %s.gp` in this folder draws %s.svg, .pdf and .png.\n", drawing->name,
            drawing->name);
    fprintf(file, "name = '%s'\nid = '", drawing->name);
    for (const char *c = drawing->name; *c != '\0'; c++)
        fputc(isalnum((unsigned char)*c) ? *c : '_', file);
    fputs("'\nif (!exists('format')) {\n"
          "    do for [format in 'svg pdf png'] { load name.'.gp' }\n"
          "    exit\n"
          "}\n"
          "reset\nset encoding utf8\n",
          file);
}

void ms_page_write_head(const ms_drawing *drawing, FILE *file)
{
    static const char *const formats[] = {
        [MS_CANVAS_SVG] = "svg", [MS_CANVAS_PDF] = "pdf", [MS_CANVAS_PNG] = "png"};
    write_loop(drawing, file);
    for (int format = MS_CANVAS_SVG; format <= MS_CANVAS_PNG; format++) {
        const ms_canvas page = {.format = (ms_canvas_format)format, .width = page_width(drawing)};
        fprintf(file, "if (format eq '%s') {\n", formats[format]);
        write_terminal(&page, page.width * drawing->height / drawing->width, "id", file);
        fputs("}\n", file);
    }
}

void ms_page_write_style(const ms_drawing *drawing, FILE *file)
{
    write_powers(&(ms_canvas){.format = MS_CANVAS_PDF, .width = page_width(drawing)}, file);
    fputs(dashes, file);
    fputs("plain = '%.6g'\n", file);
}

/* gnuplot names the PDF after the file that includes it. FILE.pdf may be another picture, so that the PDF is FILE-tex.pdf. */
void ms_canvas_write_tail(const ms_drawing *drawing, FILE *file)
{
    if (drawing->canvas->format == MS_CANVAS_TEX)
        fputs("system(\"mv './\".name.\"-tex.tex' './\".name.\".tex'\")\n", file);
}

json_t *ms_canvas_origin(const ms_drawing *drawing)
{
    return ms_provenance(drawing->canvas->arguments->line);
}
