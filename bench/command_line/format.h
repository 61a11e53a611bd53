/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - formats of answers, for code that needs no other option of the command. */
#pragma once

typedef enum ms_format { MS_FORMAT_TABLE, MS_FORMAT_CSV, MS_FORMAT_JSON, MS_FORMAT_JSONL } ms_format;

/* How a table is written: further choices of --format, in this order behind those of ms_format. */
typedef enum ms_markup { MS_MARKUP_NONE, MS_MARKUP_LATEX, MS_MARKUP_SIUNITX, MS_MARKUP_MARKDOWN } ms_markup;

typedef struct ms_arguments ms_arguments;
