/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XML in other encodings than UTF-8 is read as it is meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "unit_test.h"
#include "xml.h"

static int read_bytes(const char *text, size_t size, ms_xml *xml, ms_error *error)
{
    return ms_xml_read("a.xml", text, size, xml, error);
}

#define DECLARED(name, bytes) "<?xml version=\"1.0\" encoding=\"" name "\"?>\n<a b='" bytes "'/>"

static void characters_are_converted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *encoding, *b;
    } good[] = {{DECLARED("ISO-8859-1", "h\xf6he"), "ISO-8859-1", "h\xc3\xb6he"},
                {DECLARED("iso-8859-15", "\xa4"), "iso-8859-15", "\xe2\x82\xac"}, /* the sign of the euro */
                {DECLARED("windows-1252", "\x80"), "windows-1252", "\xe2\x82\xac"},
                {DECLARED("US-ASCII", "x"), "US-ASCII", "x"},
                {DECLARED("us-ascii", "x"), "us-ascii", "x"},
                {DECLARED("utf-8", "h\xc3\xb6he"), "utf-8", "h\xc3\xb6he"},
                {DECLARED("UTF-16", "h\xc3\xb6he"), "UTF-8", "h\xc3\xb6he"}, /* it cannot be */
                {"\xef\xbb\xbf" DECLARED("UTF-8", "h\xc3\xb6he"), "UTF-8", "h\xc3\xb6he"},
                {"<a b='h\xc3\xb6he'/>", "UTF-8", "h\xc3\xb6he"},
                {"<?xml version='1.0'\n encoding = 'ISO-8859-1' ?><a b='\xe4\xf6\xfc\xdf'/>", "ISO-8859-1",
                 "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f"}};
    for (int k = 0; k < MS_COUNT(good); k++) {
        ms_xml xml;
        ms_error error = {""};
        if (read_bytes(good[k].text, strlen(good[k].text), &xml, &error) != MS_OK)
            fail_msg("%d: %s", k, error.text);
        assert_string_equal(ms_xml_attribute(xml.root, "b"), good[k].b);
        assert_string_equal(xml.encoding, good[k].encoding);
        ms_xml_free(&xml);
    }
}

/* Both orders of bytes, with a mark and without one. */
static void two_bytes_a_character(void **state)
{
    (void)state;
    static const char letters[] = "<?xml version='1.0' encoding='UTF-16'?><a b='h\xf6he'/>";
    for (int k = 0; k < 4; k++) {
        const int low = k % 2, mark = k / 2;
        char text[2 * sizeof letters];
        size_t size = 0;
        ms_xml xml;
        for (size_t j = mark == 0; j < sizeof letters; j++) {
            const unsigned character = j == 0 ? 0xfeffU : (unsigned char)letters[j - 1];
            text[size + (size_t)low] = (char)(character & 0xffU);
            text[size + (size_t)!low] = (char)(character >> 8U);
            size += 2;
        }
        assert_int_equal(read_bytes(text, size, &xml, NULL), MS_OK);
        assert_string_equal(ms_xml_attribute(xml.root, "b"), "h\xc3\xb6he");
        assert_memory_equal(xml.encoding, "UTF-16", 6);
        ms_xml_free(&xml);
        assert_int_equal(read_bytes(text, size - 1, &xml, NULL), MS_INVALID); /* half of a character */
        ms_xml_free(&xml);
    }
}

/* Texts that become longer than the room for them at first. */
static void long_texts_are_converted(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    char *text = malloc(LONG + 100);
    ms_xml xml;
    assert_non_null(text);
    const int head = sprintf(text, "<?xml version='1.0' encoding='windows-1252'?><a b='");
    memset(text + head, '\x80', LONG);
    strcpy(text + head + LONG, "'/>");
    assert_int_equal(read_bytes(text, strlen(text), &xml, NULL), MS_OK);
    assert_int_equal(strlen(ms_xml_attribute(xml.root, "b")), 3 * LONG);
    ms_xml_free(&xml);
    free(text);
}

static void what_is_not_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } bad[] = {{DECLARED("US-ASCII", "h\xf6he"),
                "a.xml: line 2: the text is not in its declared encoding, US-ASCII"},
               {DECLARED("windows-1252", "\n\x81"),
                "a.xml: line 3: the text is not in its declared encoding, windows-1252"},
               {DECLARED("of-mine", "x"), "a.xml: line 1: the encoding of-mine is not known; UTF-8,"},
               {DECLARED("ASCII//TRANSLIT", "x"), "the encoding ASCII//TRANSLIT is not known"},
               {DECLARED("", "x"), "the encoding  is not known"},
               {DECLARED("UTF-8", "\xff"), "a.xml: line 2: not well-formed"},
               {DECLARED("ISO-8859-1", "&e;"), "a.xml: line 2: undefined entity"}};
    for (int k = 0; k < MS_COUNT(bad); k++) {
        ms_xml xml;
        ms_error error = {""};
        assert_int_equal(read_bytes(bad[k].text, strlen(bad[k].text), &xml, &error), MS_INVALID);
        support_says(error.text, bad[k].what);
        ms_xml_free(&xml);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_converted), cmocka_unit_test(two_bytes_a_character),
        cmocka_unit_test(long_texts_are_converted), cmocka_unit_test(what_is_not_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
