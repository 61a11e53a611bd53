/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_master.c - a master of its own, which knows nothing of macrostep: FMUs of FMI 2.0 or 3.0 in folders, opened by dlopen, by the types of the
 * standard written down here. Inputs are held over each step (Jacobi); for model exchange it takes steps of Euler's method.
 *
 *   plain_master FMI c|m H STEPS WIRES NAME=FOLDER ..
 *
 * A line of WIRES is "TO INPUT FROM OUTPUT GAIN", by places of FMUs and names of variables. It prints columns NAME.VARIABLE of all outputs (as
 * NAME.y.VARIABLE) and states, a row for each time. Exit status: 0, 1 something failed, which a line says, 3 the inputs at the start are an
 * algebraic loop, or outputs are not defined for inputs of zero. In model exchange it stops before the first event. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FMUS = 16, VARIABLES = 600, WIRES = 600, NAME = 120, TEXT = 1 << 20 };

static int failure = 1; /* the exit status */

static void fail(const char *who, const char *what)
{
    fprintf(stderr, "plain_master: %s: %s\n", who, what);
    exit(failure);
}

static void must(int status, const char *who, const char *what)
{
    if (status != 0)
        fail(who, what);
}

/* The description ---------------------------------------------------------------------------------------- */

typedef struct variable {
    char name[NAME];
    unsigned reference;
    bool input, output;
    int derivative; /* 2.0: of the variable of that index, from 1; 3.0: of that reference; -1 */
} variable;

typedef struct fmu {
    const char *name;
    char identifier[2][NAME], token[NAME]; /* of co-simulation, of model exchange */
    int n, nx;
    variable v[VARIABLES];
    int state[VARIABLES]; /* (nx) places of variables */
    void *binary, *c;
    double next_event;
    int n_indicators;
} fmu;

static fmu all[FMUS];
static int n_fmus, fmi;
static bool exchange;

/* The value of an attribute of the tag at `tag`; false: it has none. */
static bool attribute(const char *tag, const char *name, char *value)
{
    const char *end = strchr(tag, '>');
    char key[NAME];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(tag, key);
    if (at == NULL || at > end)
        return false;
    at += strlen(key);
    snprintf(value, NAME, "%.*s", (int)(strchr(at, '"') - at), at);
    return true;
}

static int number(const char *tag, const char *name)
{
    char value[NAME];
    return attribute(tag, name, value) ? (int)strtol(value, NULL, 10) : -1;
}

static void read_variables(fmu *f, const char *text)
{
    const char *tag = fmi == 2 ? "<ScalarVariable " : "<Float64 ";
    for (const char *at = strstr(text, tag); at != NULL; at = strstr(at + 1, tag)) {
        variable *v = &f->v[f->n++];
        char causality[NAME] = "";
        if (f->n == VARIABLES || !attribute(at, "name", v->name))
            fail(f->name, "its variables");
        v->reference = (unsigned)number(at, "valueReference");
        attribute(at, "causality", causality);
        v->input = strcmp(causality, "input") == 0;
        v->output = strcmp(causality, "output") == 0;
        v->derivative = number(fmi == 2 ? strchr(at, '>') + 1 : at, "derivative");
        if (fmi == 2) { /* the element within */
            const char *type = strchr(at + 1, '<');
            v->derivative = number(type, "derivative");
        }
    }
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < f->n && f->v[k].derivative >= 0; i++)
            if (f->v[k].derivative == (fmi == 2 ? i + 1 : (int)f->v[i].reference))
                f->state[f->nx++] = i;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        n++;
    return n;
}

static void describe(fmu *f, const char *folder)
{
    static char text[TEXT];
    char path[1000];
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail(path, "cannot be read");
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    const char *kinds[] = {strstr(text, "<CoSimulation "), strstr(text, "<ModelExchange ")};
    for (int k = 0; k < 2; k++)
        if (kinds[k] != NULL)
            attribute(kinds[k], "modelIdentifier", f->identifier[k]);
    attribute(strstr(text, "<fmiModelDescription"), fmi == 2 ? "guid" : "instantiationToken", f->token);
    f->n_indicators = fmi == 2 ? number(strstr(text, "<fmiModelDescription"), "numberOfEventIndicators")
                               : count(text, "<EventIndicator ");
    read_variables(f, text);
}

/* The functions ------------------------------------------------------------------------------------------ */

typedef void function(void);

static function *find(const fmu *f, const char *name)
{
    char whole[NAME];
    function *found;
    snprintf(whole, sizeof whole, "fmi%d%s", fmi, name);
    *(void **)&found = dlsym(f->binary, whole);
    if (found == NULL)
        fail(f->name, whole);
    return found;
}

#define CALL(f, of, type, ...) must(((int(*) type)find(f, of))(__VA_ARGS__), (f)->name, of)

static void log_2(void *environment, const char *instance, int status, const char *category, const char *text,
                  ...)
{
    (void)environment;
    fprintf(stderr, "%s, %d, %s: %s\n", instance, status, category, text);
}

static void log_3(void *environment, int status, const char *category, const char *text)
{
    (void)environment;
    fprintf(stderr, "%d, %s: %s\n", status, category, text);
}

typedef struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} callbacks;

static void instantiate(fmu *f, const char *folder)
{
    static const callbacks ours = {log_2, calloc, free, NULL, NULL};
    char resources[1100];
    snprintf(resources, sizeof resources, fmi == 2 ? "file://%s/resources" : "%s/resources/", folder);
    if (fmi == 2)
        f->c = ((void *(*)(const char *, int, const char *, const char *, const callbacks *, int, int))find(
            f, "Instantiate"))(f->name, !exchange, f->token, resources, &ours, 0, 0);
    else if (exchange)
        f->c = ((
            void *(*)(const char *, const char *, const char *, bool, bool, void *,
                      void (*)(void *, int, const char *, const char *)))find(f, "InstantiateModelExchange"))(
            f->name, f->token, resources, false, false, NULL, log_3);
    else
        f->c = ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool, const unsigned *,
                           size_t, void *, void (*)(void *, int, const char *, const char *),
                           void *))find(f, "InstantiateCoSimulation"))(
            f->name, f->token, resources, false, false, false, false, NULL, 0, NULL, log_3, NULL);
    if (f->c == NULL)
        fail(f->name, "it is not instantiated");
    if (fmi == 2) {
        CALL(f, "SetupExperiment", (void *, int, double, double, int, double), f->c, 0, 0.0, 0.0, 0, 0.0);
        CALL(f, "EnterInitializationMode", (void *), f->c);
    } else {
        CALL(f, "EnterInitializationMode", (void *, bool, double, double, bool, double), f->c, false, 0.0,
             0.0, false, 0.0);
    }
}

static double get(const fmu *f, unsigned reference)
{
    double value;
    if (fmi == 2)
        CALL(f, "GetReal", (void *, const unsigned *, size_t, double *), f->c, &reference, 1, &value);
    else
        CALL(f, "GetFloat64", (void *, const unsigned *, size_t, double *, size_t), f->c, &reference, 1,
             &value, 1);
    return value;
}

static void set(const fmu *f, unsigned reference, double value)
{
    if (fmi == 2)
        CALL(f, "SetReal", (void *, const unsigned *, size_t, const double *), f->c, &reference, 1, &value);
    else
        CALL(f, "SetFloat64", (void *, const unsigned *, size_t, const double *, size_t), f->c, &reference, 1,
             &value, 1);
}

typedef struct events {
    int again, terminate, nominals, states, next_defined;
    double next;
} events;

static void start(fmu *f)
{
    CALL(f, "ExitInitializationMode", (void *), f->c);
    f->next_event = 1e300;
    if (!exchange)
        return;
    for (events e = {1, 0, 0, 0, 0, 0.0}; e.again;) {
        if (fmi == 2) {
            CALL(f, "NewDiscreteStates", (void *, events *), f->c, &e);
        } else {
            bool flag[5];
            CALL(f, "UpdateDiscreteStates", (void *, bool *, bool *, bool *, bool *, bool *, double *), f->c,
                 &flag[0], &flag[1], &flag[2], &flag[3], &flag[4], &e.next);
            e.again = flag[0];
            e.next_defined = flag[4];
        }
        f->next_event = e.next_defined ? e.next : 1e300;
    }
    CALL(f, "EnterContinuousTimeMode", (void *), f->c);
}

/* Coupling ----------------------------------------------------------------------------------------------- */

static struct {
    int to, from;
    unsigned input, output;
    double gain;
} wire[WIRES];
static int n_wires;

/* Inputs and outputs of one name are "u.NAME" and "y.NAME". */
static const char *bare(const variable *v)
{
    return strncmp(v->name, "u.", 2) == 0 || strncmp(v->name, "y.", 2) == 0 ? v->name + 2 : v->name;
}

static unsigned named(const fmu *f, bool input, const char *name)
{
    for (int k = 0; k < f->n; k++)
        if ((input ? f->v[k].input : f->v[k].output) && strcmp(bare(&f->v[k]), name) == 0)
            return f->v[k].reference;
    fprintf(stderr, "%s\n", name);
    fail(f->name, "it has no such variable");
    return 0;
}

static void read_wires(const char *path)
{
    char to[NAME], from[NAME];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail(path, "cannot be read");
    while (n_wires < WIRES && fscanf(file, "%d %119s %d %119s %lf", &wire[n_wires].to, to,
                                     &wire[n_wires].from, from, &wire[n_wires].gain) == 5) {
        wire[n_wires].input = named(&all[wire[n_wires].to], true, to);
        wire[n_wires].output = named(&all[wire[n_wires].from], false, from);
        n_wires++;
    }
    fclose(file);
}

/* u = L y; whether any input is another one than in u before. Wires to one input stand one behind the other. */
static bool couple(double *u)
{
    double y[WIRES];
    bool moved = false;
    for (int k = 0; k < n_wires; k++)
        y[k] = get(&all[wire[k].from], wire[k].output);
    for (int k = 0, last; k < n_wires; k = last) {
        double sum = 0.0;
        for (last = k; last < n_wires && wire[last].to == wire[k].to && wire[last].input == wire[k].input;
             last++)
            sum += wire[last].gain * y[last];
        moved = moved || memcmp(&u[k], &sum, sizeof sum) != 0;
        u[k] = sum;
    }
    for (int k = 0; k < n_wires; k++)
        if (k == 0 || wire[k].to != wire[k - 1].to || wire[k].input != wire[k - 1].input)
            set(&all[wire[k].to], wire[k].input, u[k]);
    return moved;
}

/* Steps -------------------------------------------------------------------------------------------------- */

static bool same_signs(int n, const double *a, const double *b)
{
    for (int k = 0; k < n; k++)
        if ((a[k] > 0.0) != (b[k] > 0.0))
            return false;
    return true;
}

/* Euler's method; false: there is an event. */
static bool step_exchange(fmu *f, double t, double end)
{
    const double h = end - t; /* times are rounded */
    double x[VARIABLES], dx[VARIABLES], before[VARIABLES], after[VARIABLES];
    const int n = f->n_indicators > 0 ? f->n_indicators : 0;
    if (f->next_event <= end)
        return false;
    CALL(f, "SetTime", (void *, double), f->c, t);
    if (f->nx > 0) {
        CALL(f, "GetContinuousStates", (void *, double *, size_t), f->c, x, (size_t)f->nx);
        CALL(f, fmi == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives", (void *, double *, size_t),
             f->c, dx, (size_t)f->nx);
    }
    if (n > 0)
        CALL(f, "GetEventIndicators", (void *, double *, size_t), f->c, before, (size_t)n);
    for (int i = 0; i < f->nx; i++)
        x[i] += h * dx[i];
    CALL(f, "SetTime", (void *, double), f->c, end);
    if (f->nx > 0)
        CALL(f, "SetContinuousStates", (void *, const double *, size_t), f->c, x, (size_t)f->nx);
    if (n > 0)
        CALL(f, "GetEventIndicators", (void *, double *, size_t), f->c, after, (size_t)n);
    return same_signs(n, before, after);
}

static bool step(fmu *f, double t, double end, double h)
{
    if (exchange)
        return step_exchange(f, t, end);
    if (fmi == 2) {
        CALL(f, "DoStep", (void *, double, double, int), f->c, t, h, 1);
    } else {
        bool flag[3];
        double reached;
        CALL(f, "DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *), f->c, t, h, true,
             &flag[0], &flag[1], &flag[2], &reached);
    }
    return true;
}

static void print_names(void)
{
    printf("time");
    for (int i = 0; i < n_fmus; i++)
        for (int k = 0; k < all[i].n; k++)
            if (all[i].v[k].output)
                printf(",%s.y.%s", all[i].name, bare(&all[i].v[k]));
    for (int i = 0; i < n_fmus; i++)
        for (int k = 0; k < all[i].nx; k++)
            printf(",%s.%s", all[i].name, all[i].v[all[i].state[k]].name);
    printf("\n");
}

static void print_row(double t)
{
    printf("%.17g", t);
    for (int i = 0; i < n_fmus; i++)
        for (int k = 0; k < all[i].n; k++)
            if (all[i].v[k].output)
                printf(",%.17g", get(&all[i], all[i].v[k].reference));
    for (int i = 0; i < n_fmus; i++)
        for (int k = 0; k < all[i].nx; k++)
            printf(",%.17g", get(&all[i], all[i].v[all[i].state[k]].reference));
    printf("\n");
}

static void open_fmu(char *word)
{
    fmu *f = &all[n_fmus++];
    char *folder = strchr(word, '='), path[1200];
    if (n_fmus == FMUS || folder == NULL)
        fail(word, "NAME=FOLDER is expected");
    *folder++ = '\0';
    f->name = word;
    describe(f, folder);
    if (f->identifier[exchange][0] == '\0')
        fail(word, "it is not of this kind");
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", folder, fmi == 2 ? "linux64" : "x86_64-linux",
             f->identifier[exchange]);
    f->binary = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (f->binary == NULL)
        fail(word, dlerror());
    instantiate(f, folder);
}

int main(int argc, char **argv)
{
    static double u[WIRES];
    if (argc < 7)
        fail("call", "FMI c|m H STEPS WIRES NAME=FOLDER ..");
    fmi = argv[1][0] - '0';
    exchange = argv[2][0] == 'm';
    const double h = strtod(argv[3], NULL);
    const long steps = strtol(argv[4], NULL, 10);
    for (int k = 6; k < argc; k++)
        open_fmu(argv[k]);
    read_wires(argv[5]);
    failure = 3;
    for (int k = 0; couple(u); k++) /* what depends on nothing, then what depends on that, .. */
        if (k > 2000)
            return failure;
    failure = 1;
    for (int i = 0; i < n_fmus; i++)
        start(&all[i]);
    print_names();
    print_row(0.0);
    for (long k = 0; k < steps; k++) {
        bool whole = true;
        for (int i = 0; i < n_fmus; i++)
            whole = step(&all[i], (double)k * h, (double)k * h + h, h) && whole;
        if (!whole)
            break;
        print_row((double)(k + 1) * h);
        couple(u);
    }
    for (int i = 0; i < n_fmus; i++) {
        CALL(&all[i], "Terminate", (void *), all[i].c);
        ((void (*)(void *))find(&all[i], "FreeInstance"))(all[i].c);
    }
    return 0;
}
