/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf_date.h - PDF files that do not depend on when they were made. */
#ifndef MS_PDF_DATE_H
#define MS_PDF_DATE_H

#include <macrostep/status.h>

/* Puts spaces over "/CreationDate (..)" in the file, so that no byte moves. Errors: MS_IO, MS_NO_MEMORY. */
int ms_pdf_drop_date(const char *path, ms_error *error);

#endif
