/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_log_text.c - the text that an FMU of FMI 2.0 logs: a format of printf and its arguments, of which the format may tell of others
 * than there are. Texts are therefore read only where there is memory, and %n writes nothing. */
#define _GNU_SOURCE /* process_vm_readv */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fmu_parts.h"

enum { PAGE = 4096, CONVERSION = 64 };

/* A text as it grows. */
typedef struct text {
    char *to;
    size_t size, n; /* n < size */
} text;

static void append(text *t, const char *what, size_t length)
{
    const size_t room = t->size - 1 - t->n, n = length < room ? length : room;
    memcpy(t->to + t->n, what, n);
    t->to[t->n += n] = '\0';
}

/* Without const, which a vector of places has none of. */
static void *place_of(const char *from)
{
    void *place;
    memcpy(&place, &from, sizeof place);
    return place;
}

/* Copies up to n bytes, and stops where no memory is mapped; returns their number. If the system does not tell, all bytes are copied. */
static size_t copy(const char *from, size_t n, char *to)
{
    size_t done = 0;
    while (done < n) {
        const size_t rest = PAGE - ((uintptr_t)(from + done) & (PAGE - 1)),
                     part = rest < n - done ? rest : n - done;
        struct iovec own = {to + done, part}, other = {place_of(from + done), part};
        const ssize_t got = process_vm_readv(getpid(), &own, 1, &other, 1, 0);
        if (got != (ssize_t)part)
            break;
        done += part;
        if (memchr(to + done - part, '\0', part) != NULL)
            break;
    }
    return done;
}

/* One of at most `most` characters, to to[size]; where there is none that is said. */
static const char *text_at(const char *from, size_t most, char *to, size_t size)
{
    const size_t n = from != NULL ? copy(from, most < size - 1 ? most : size - 1, to) : 0;
    to[n] = '\0';
    return n > 0 || most == 0 ? to : "(no text)";
}

/* One conversion, "%-5.2ld", as it is read. */
typedef struct conversion {
    char spec[CONVERSION]; /* up to its length */
    size_t n;
    int precision; /* -1: none */
    char length, kind;
    bool too_long;
} conversion;

/* Too long a one has no kind. */
static void add(conversion *c, const char *what, size_t n)
{
    c->too_long = c->too_long || c->n + n >= sizeof c->spec;
    if (!c->too_long)
        memcpy(c->spec + c->n, what, n);
    c->n += c->too_long ? 0 : n;
    c->spec[c->n] = '\0';
}

/* Takes arguments that may not be there: then any bytes of our own stack are read as one, which sanitizers must not refuse. */
#define TAKES_ARGUMENTS __attribute__((no_sanitize_address))

/* Reads digits, or takes the next argument for '*'. */
TAKES_ARGUMENTS static const char *read_number(const char *f, conversion *c, int *number, va_list *arguments)
{
    char digits[16];
    if (*f == '*') {
        *number = va_arg(*arguments, int);
        f++;
    } else {
        for (*number = 0; *f >= '0' && *f <= '9'; f++)
            *number = *number < CONVERSION * PAGE ? 10 * *number + (*f - '0') : *number;
    }
    const int n = snprintf(digits, sizeof digits, "%d", *number);
    add(c, digits, *number != 0 ? (size_t)n : 0);
    return f;
}

/* hh and ll are H and q. */
static const char *read_length(const char *f, conversion *c)
{
    const size_t n = strspn(f, "hlLqjzt");
    c->length = n == 2 && f[0] == 'h' ? 'H' : n == 2 && f[0] == 'l' ? 'q' : n == 1 ? f[0] : '\0';
    add(c, f, n);
    return f + n;
}

/* The conversion behind a '%'. Returns the place behind it. */
static const char *read_conversion(const char *f, conversion *c, va_list *arguments)
{
    const size_t flags = strspn(f, "-+ #0'");
    int width;
    *c = (conversion){.spec = "%", .n = 1, .precision = -1};
    add(c, f, flags);
    f = read_number(f + flags, c, &width, arguments);
    if (*f == '.') {
        const size_t before = c->n;
        add(c, ".", 1);
        f = read_number(f + 1, c, &c->precision, arguments);
        c->n = c->precision < 0 ? before : c->n;
    }
    f = read_length(f, c);
    add(c, f, *f != '\0');
    c->kind = c->too_long ? '\0' : *f;
    return *f != '\0' ? f + 1 : f;
}

#define PRINT(type) snprintf(line, size, c->spec, va_arg(*arguments, type))

TAKES_ARGUMENTS static int print_integer(const conversion *c, char *line, size_t size, va_list *arguments)
{
    switch (c->length) {
    /* NOLINTNEXTLINE(bugprone-branch-clone): the types differ */
    case 'l':
        return PRINT(long);
    case 'q':
        return PRINT(long long);
    case 'j':
        return PRINT(intmax_t);
    case 'z':
        return PRINT(size_t);
    case 't':
        return PRINT(ptrdiff_t);
    default:
        return PRINT(int);
    }
}

TAKES_ARGUMENTS static int print_real(const conversion *c, char *line, size_t size, va_list *arguments)
{
    if (c->length == 'L')
        return PRINT(long double);
    return PRINT(double);
}

/* Returns whether it is a conversion: what is behind one that is not known cannot be. */
TAKES_ARGUMENTS static bool convert(const conversion *c, text *to, va_list *arguments)
{
    char line[sizeof((ms_fmu_voice *)0)->said], own[sizeof line];
    const size_t size = sizeof line, most = c->precision >= 0 ? (size_t)c->precision : SIZE_MAX;
    line[0] = '\0';
    if (c->kind == '\0')
        return false;
    if (strchr("diouxXc", c->kind) != NULL)
        (void)print_integer(c, line, size, arguments);
    else if (strchr("aAeEfFgG", c->kind) != NULL)
        (void)print_real(c, line, size, arguments);
    else if (c->kind == 's' && c->length == '\0')
        (void)snprintf(line, size, c->spec, text_at(va_arg(*arguments, const char *), most, own, sizeof own));
    else if (c->kind == 'p')
        (void)PRINT(void *);
    else if (c->kind == 'n' || c->kind == 's')
        (void)va_arg(*arguments, void *);
    else if (c->kind == '%')
        line[0] = '%', line[1] = '\0';
    else
        return false;
    append(to, line, strlen(line));
    return true;
}

void ms_fmu_log_text(const char *format, va_list *arguments, char *line, size_t size)
{
    text to = {line, size, 0};
    char own[sizeof((ms_fmu_voice *)0)->said];
    const char *f = text_at(format, SIZE_MAX, own, sizeof own);
    line[0] = '\0';
    while (*f != '\0') {
        const size_t plain = strcspn(f, "%");
        conversion c;
        append(&to, f, plain);
        f += plain;
        if (*f == '\0')
            return;
        const char *behind = read_conversion(f + 1, &c, arguments);
        if (!convert(&c, &to, arguments)) {
            append(&to, f, strlen(f));
            return;
        }
        f = behind;
    }
}
