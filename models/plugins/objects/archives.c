/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archives.c - macrostep-archives.so: ZIP archives by libzip, XML by Expat. */
#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <string.h>
#include <zip.h>

#include "plugin_archives.h"

static void explain(char why[MS_PLUGIN_WHY], const char *text)
{
    snprintf(why, MS_PLUGIN_WHY, "%.*s", MS_PLUGIN_WHY - 1, text);
}

/* Explains errors from errno, zero at the start. Without memory libzip may also report that a file is not an
 * archive. */
static void explain_zip(char why[MS_PLUGIN_WHY], const zip_error_t *error, const char *text)
{
    const bool no_memory = errno == ENOMEM || (error != NULL && zip_error_code_zip(error) == ZIP_ER_MEMORY);
    explain(why, no_memory ? MS_PLUGIN_NO_MEMORY : text);
}

/* The upper half of the attributes of a Unix file: its type and permissions. */
enum { UNIX_TYPE = 0170000, UNIX_FILE = 0100000, UNIX_FOLDER = 0040000, UNIX_READABLE = 0644 };

/* ZIP: reading ------------------------------------------------------------------------------------------- */

static void explain_code(char why[MS_PLUGIN_WHY], int code)
{
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    explain_zip(why, &error, zip_error_strerror(&error));
    zip_error_fini(&error);
}

static void *open_archive(const char *path, char why[MS_PLUGIN_WHY])
{
    int code = 0;
    errno = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
    if (archive == NULL)
        explain_code(why, code);
    return archive;
}

static void close_archive(void *archive)
{
    if (archive != NULL)
        zip_discard(archive);
}

static long long count(void *archive)
{
    return zip_get_num_entries(archive, 0);
}

/* Systems other than Unix say no more than whether it is a folder, which the name says as well. */
static ms_plugin_entry_type type_of(zip_t *archive, zip_uint64_t k, const char *name)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    const size_t length = strlen(name);
    if (zip_file_get_external_attributes(archive, k, 0, &system, &attributes) == 0 &&
        system == ZIP_OPSYS_UNIX) {
        const zip_uint32_t type = (attributes >> 16) & UNIX_TYPE;
        if (type != 0 && type != UNIX_FILE && type != UNIX_FOLDER)
            return MS_PLUGIN_ENTRY_OTHER;
    }
    return length > 0 && name[length - 1] == '/' ? MS_PLUGIN_ENTRY_FOLDER : MS_PLUGIN_ENTRY_FILE;
}

static bool entry(void *archive, long long k, ms_plugin_entry *out, char why[MS_PLUGIN_WHY])
{
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    zip_stat_t stat;
    errno = 0;
    if (zip_stat_index(archive, (zip_uint64_t)k, ZIP_FL_ENC_RAW, &stat) != 0 ||
        (stat.valid & needed) != needed) {
        explain_zip(why, zip_get_error(archive), zip_strerror(archive));
        return false;
    }
    *out = (ms_plugin_entry){
        .name = stat.name,
        .size = stat.size,
        .packed = stat.comp_size,
        .type = type_of(archive, (zip_uint64_t)k, stat.name),
        .encrypted = (stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE,
    };
    return true;
}

static bool extract(void *archive, long long k, ms_plugin_take *take, void *self, char why[MS_PLUGIN_WHY])
{
    char piece[1 << 14];
    zip_int64_t size = 0;
    bool taken = true;
    errno = 0;
    zip_file_t *file = zip_fopen_index(archive, (zip_uint64_t)k, 0);
    explain(why, "");
    if (file == NULL) {
        explain_zip(why, zip_get_error(archive), zip_strerror(archive));
        return false;
    }
    while (taken && (size = zip_fread(file, piece, sizeof piece)) > 0)
        taken = take(self, piece, (size_t)size);
    if (size < 0)
        explain_zip(why, zip_file_get_error(file), zip_file_strerror(file));
    zip_fclose(file);
    return taken && size == 0;
}

/* ZIP: writing ------------------------------------------------------------------------------------------- */

/* 1980-01-01 00:00, the earliest date possible. */
enum { DATE = (0 << 9) | (1 << 5) | 1, TIME = 0, LEVEL = 6 };

/* Adds a file: readable by all, as deflate packs it. */
static bool add(zip_t *archive, const char *name, const char *file)
{
    const zip_uint32_t mode = (zip_uint32_t)(UNIX_FILE | UNIX_READABLE) << 16;
    zip_source_t *source = zip_source_file(archive, file, 0, -1);
    const zip_int64_t k = source != NULL ? zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (k < 0) {
        zip_source_free(source);
        return false;
    }
    return zip_set_file_compression(archive, (zip_uint64_t)k, ZIP_CM_DEFLATE, LEVEL) == 0 &&
           zip_file_set_dostime(archive, (zip_uint64_t)k, TIME, DATE, 0) == 0 &&
           zip_file_set_external_attributes(archive, (zip_uint64_t)k, 0, ZIP_OPSYS_UNIX, mode) == 0;
}

static bool write_archive(const char *path, int n, const char *const *name, const char *const *file,
                          char why[MS_PLUGIN_WHY])
{
    int code = 0;
    errno = 0;
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive == NULL) {
        explain_code(why, code);
        return false;
    }
    bool written = true;
    for (int k = 0; k < n && written; k++)
        written = add(archive, name[k], file[k]);
    written = written && zip_close(archive) == 0;
    if (!written) {
        explain_zip(why, zip_get_error(archive), zip_strerror(archive));
        zip_discard(archive);
    }
    return written;
}

/* XML ---------------------------------------------------------------------------------------------------- */

typedef struct reading {
    XML_Parser parser;
    const ms_plugin_xml *reader;
    const char *refused; /* what we end it for; NULL: nothing */
    bool ended;
} reading;

static void end_reading(reading *r, const char *refused)
{
    r->ended = true;
    r->refused = refused;
    XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL begin_element(void *self, const XML_Char *name, const XML_Char **attribute)
{
    reading *r = self;
    if (!r->ended && !r->reader->begin(r->reader->self, name, (const char *const *)attribute,
                                       (long)XML_GetCurrentLineNumber(r->parser)))
        end_reading(r, NULL);
}

static void XMLCALL end_element(void *self, const XML_Char *name)
{
    (void)name;
    reading *r = self;
    if (!r->ended && !r->reader->end(r->reader->self))
        end_reading(r, NULL);
}

static void XMLCALL refuse_type(void *self, const XML_Char *name, const XML_Char *system_id,
                                const XML_Char *public_id, int has_subset)
{
    (void)name, (void)system_id, (void)public_id, (void)has_subset;
    end_reading(self, "a document type (DOCTYPE), which may define entities, is not accepted");
}

/* Expat takes no more at once than an int counts. */
static enum XML_Status parse(XML_Parser parser, const char *text, size_t size)
{
    enum { AT_ONCE = 1 << 20 };
    for (; size > AT_ONCE; text += AT_ONCE, size -= AT_ONCE)
        if (XML_Parse(parser, text, AT_ONCE, XML_FALSE) != XML_STATUS_OK)
            return XML_STATUS_ERROR;
    return XML_Parse(parser, text, (int)size, XML_TRUE);
}

static bool read_xml(const char *text, size_t size, const ms_plugin_xml *reader, long *line,
                     char why[MS_PLUGIN_WHY])
{
    reading r = {.parser = XML_ParserCreateNS("UTF-8", ' '), .reader = reader};
    *line = 0;
    explain(why, MS_PLUGIN_NO_MEMORY);
    if (r.parser == NULL)
        return false;
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_type);
    const bool read = parse(r.parser, text, size) == XML_STATUS_OK;
    *line = (long)XML_GetCurrentLineNumber(r.parser);
    if (!read && r.ended)
        explain(why, r.refused != NULL ? r.refused : "");
    else if (!read && XML_GetErrorCode(r.parser) != XML_ERROR_NO_MEMORY)
        explain(why, XML_ErrorString(XML_GetErrorCode(r.parser)));
    XML_ParserFree(r.parser);
    return read;
}

const ms_plugin_archives ms_plugin_table_archives = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .open = open_archive,
    .close = close_archive,
    .count = count,
    .entry = entry,
    .extract = extract,
    .write = write_archive,
    .read_xml = read_xml,
};
