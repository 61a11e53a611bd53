/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check_schema.c - elements and attributes of a modelDescription.xml, as the schemas of FMI 2.0 and 3.0 have them. */
#include <stdio.h>
#include <string.h>

#include "fmu_check_parts.h"

/* An element: its attributes, required ones with '!', and its children, in that order: A any number, A? one or none, A! one, A+
 * at least one; A|B one of them. The contents of an element that is not listed are not checked. PARENT/NAME is that element only
 * within that parent. */
typedef struct form {
    const char *name, *attributes, *children;
} form;

#define TYPE_2 "Real|Integer|Boolean|String|Enumeration!"
#define FLAGS_2                                                                                              \
    "modelIdentifier! needsExecutionTool canBeInstantiatedOnlyOncePerProcess "                               \
    "canNotUseMemoryManagementFunctions canGetAndSetFMUstate canSerializeFMUstate "                          \
    "providesDirectionalDerivative "
#define REAL "quantity unit displayUnit relativeQuantity min max nominal unbounded"

static const form two[] = {
    {"fmiModelDescription",
     "fmiVersion! modelName! guid! description author version copyright license generationTool "
     "generationDateAndTime variableNamingConvention numberOfEventIndicators",
     "ModelExchange|CoSimulation+ UnitDefinitions? TypeDefinitions? LogCategories? DefaultExperiment? "
     "VendorAnnotations? ModelVariables! ModelStructure!"},
    {"ModelExchange", FLAGS_2 "completedIntegratorStepNotNeeded", "SourceFiles?"},
    {"CoSimulation",
     FLAGS_2 "canHandleVariableCommunicationStepSize canInterpolateInputs maxOutputDerivativeOrder "
             "canRunAsynchronuously",
     "SourceFiles?"},
    {"SourceFiles", "", "File+"},
    {"File", "name!", ""},
    {"UnitDefinitions", "", "Unit+"},
    {"Unit", "name!", "BaseUnit? DisplayUnit"},
    {"BaseUnit", "kg m s A K mol cd rad factor offset", ""},
    {"DisplayUnit", "name! factor offset", ""},
    {"TypeDefinitions", "", "SimpleType+"},
    {"SimpleType", "name! description", TYPE_2},
    {"SimpleType/Real", REAL, ""},
    {"SimpleType/Integer", "quantity min max", ""},
    {"SimpleType/Boolean", "", ""},
    {"SimpleType/String", "", ""},
    {"SimpleType/Enumeration", "quantity", "Item+"},
    {"Item", "name! value! description", ""},
    {"LogCategories", "", "Category+"},
    {"Category", "name! description", ""},
    {"DefaultExperiment", "startTime stopTime tolerance stepSize", ""},
    {"ModelVariables", "", "ScalarVariable+"},
    {"ScalarVariable",
     "name! valueReference! description causality variability initial canHandleMultipleSetPerTimeInstant",
     TYPE_2 " Annotations?"},
    {"ScalarVariable/Real", "declaredType start derivative reinit " REAL, ""},
    {"ScalarVariable/Integer", "declaredType start quantity min max", ""},
    {"ScalarVariable/Boolean", "declaredType start", ""},
    {"ScalarVariable/String", "declaredType start", ""},
    {"ScalarVariable/Enumeration", "declaredType! start quantity min max", ""},
    {"ModelStructure", "", "Outputs? Derivatives? InitialUnknowns?"},
    {"Outputs", "", "Unknown+"},
    {"Derivatives", "", "Unknown+"},
    {"InitialUnknowns", "", "Unknown+"},
    {"Unknown", "index! dependencies dependenciesKind", ""},
    {NULL, NULL, NULL},
};

#define FLAGS_3                                                                                              \
    "modelIdentifier! needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState "          \
    "canSerializeFMUState providesDirectionalDerivatives providesAdjointDerivatives "                        \
    "providesPerElementDependencies "
#define VARIABLE                                                                                             \
    "name! valueReference! description causality variability canHandleMultipleSetPerTimeInstant "            \
    "intermediateUpdate previous clocks "
#define VALUE VARIABLE "declaredType initial "
#define CLOCK                                                                                                \
    "canBeDeactivated priority intervalVariability intervalDecimal shiftDecimal supportsFraction "           \
    "resolution intervalCounter shiftCounter"
#define UNKNOWN "valueReference! dependencies dependenciesKind"

#define INTEGER_3(type)                                                                                      \
    {type "Type", "name! description quantity min max", "Annotations?"},                                     \
    {                                                                                                        \
        type, VALUE "quantity min max start", "Annotations? Dimension Alias"                                 \
    }
#define FLOAT_3(type)                                                                                        \
    {type "Type", "name! description " REAL, "Annotations?"},                                                \
    {                                                                                                        \
        type, VALUE "start derivative reinit " REAL, "Annotations? Dimension Alias"                          \
    }

static const form three[] = {
    {"fmiModelDescription",
     "fmiVersion! modelName! instantiationToken! description author version copyright license "
     "generationTool generationDateAndTime variableNamingConvention",
     "ModelExchange? CoSimulation? ScheduledExecution? UnitDefinitions? TypeDefinitions? LogCategories? "
     "DefaultExperiment? ModelVariables! ModelStructure! Annotations?"},
    {"ModelExchange", FLAGS_3 "needsCompletedIntegratorStep providesEvaluateDiscreteStates", "Annotations?"},
    {"CoSimulation",
     FLAGS_3 "canHandleVariableCommunicationStepSize fixedInternalStepSize maxOutputDerivativeOrder "
             "recommendedIntermediateInputSmoothness providesIntermediateUpdate mightReturnEarlyFromDoStep "
             "canReturnEarlyAfterIntermediateUpdate hasEventMode providesEvaluateDiscreteStates",
     "Annotations?"},
    {"ScheduledExecution", FLAGS_3, "Annotations?"},
    {"UnitDefinitions", "", "Unit+"},
    {"Unit", "name!", "BaseUnit? DisplayUnit Annotations?"},
    {"BaseUnit", "kg m s A K mol cd rad factor offset", ""},
    {"DisplayUnit", "name! factor offset inverse", "Annotations?"},
    {"TypeDefinitions", "",
     "Float64Type|Float32Type|Int8Type|UInt8Type|Int16Type|UInt16Type|Int32Type|UInt32Type|Int64Type|"
     "UInt64Type|BooleanType|StringType|BinaryType|EnumerationType|ClockType+"},
    FLOAT_3("Float32"),
    FLOAT_3("Float64"),
    INTEGER_3("Int8"),
    INTEGER_3("UInt8"),
    INTEGER_3("Int16"),
    INTEGER_3("UInt16"),
    INTEGER_3("Int32"),
    INTEGER_3("UInt32"),
    INTEGER_3("Int64"),
    INTEGER_3("UInt64"),
    {"BooleanType", "name! description", "Annotations?"},
    {"Boolean", VALUE "start", "Annotations? Dimension Alias"},
    {"StringType", "name! description", "Annotations?"},
    {"String", VALUE, "Annotations? Dimension Start Alias"},
    {"BinaryType", "name! description mimeType maxSize", "Annotations?"},
    {"Binary", VALUE "mimeType maxSize", "Annotations? Dimension Start Alias"},
    {"EnumerationType", "name! description quantity", "Item+ Annotations?"},
    {"Enumeration", VARIABLE "initial declaredType! quantity min max start", "Annotations? Dimension Alias"},
    {"ClockType", "name! description " CLOCK, "Annotations?"},
    {"Clock", VARIABLE "declaredType " CLOCK, "Annotations? Alias"},
    {"Item", "name! value! description", "Annotations?"},
    {"Dimension", "start valueReference", ""},
    {"Start", "value", ""},
    {"Alias", "name! description displayUnit", "Annotations?"},
    {"LogCategories", "", "Category+"},
    {"Category", "name! description", "Annotations?"},
    {"DefaultExperiment", "startTime stopTime tolerance stepSize", "Annotations?"},
    {"ModelVariables", "",
     "Float64|Float32|Int8|UInt8|Int16|UInt16|Int32|UInt32|Int64|UInt64|Boolean|String|Binary|Enumeration|"
     "Clock+"},
    {"ModelStructure", "", "Output ContinuousStateDerivative ClockedState InitialUnknown EventIndicator"},
    {"Output", UNKNOWN, "Annotations?"},
    {"ContinuousStateDerivative", UNKNOWN, "Annotations?"},
    {"ClockedState", UNKNOWN, "Annotations?"},
    {"InitialUnknown", UNKNOWN, "Annotations?"},
    {"EventIndicator", UNKNOWN, "Annotations?"},
    {NULL, NULL, NULL},
};

enum { FORMS = (sizeof three > sizeof two ? sizeof three : sizeof two) / sizeof(form) };

/* Words -------------------------------------------------------------------------------------------------- */

/* A word of a list of words, with its mark behind it: '\0', '!', '?' or '+'. */
typedef struct item {
    const char *text;
    size_t length;
    char mark;
} item;

/* The word at *at, which moves behind it; false: none. */
static bool next_item(const char **at, item *next)
{
    const char *text = *at + strspn(*at, " ");
    const size_t length = strcspn(text, " ");
    *at = text + length;
    if (length == 0)
        return false;
    const char last = text[length - 1];
    const bool marked = strchr("!?+", last) != NULL;
    *next = (item){text, length - marked, (char)(marked ? last : '\0')};
    return true;
}

/* Is it the word, or one of its choices? */
static bool takes(const item *i, const char *name)
{
    const size_t length = strlen(name);
    for (const char *c = i->text; c < i->text + i->length;) {
        const size_t size = strcspn(c, "|!?+ ");
        if (size == length && strncmp(c, name, length) == 0)
            return true;
        c += size + 1;
    }
    return false;
}

bool ms_fmu_is_listed(const char *list, const char *word)
{
    item i;
    while (next_item(&list, &i))
        if (takes(&i, word))
            return true;
    return false;
}

/* Elements ----------------------------------------------------------------------------------------------- */

static void check_attributes(ms_fmu_checker *c, const ms_xml_element *e, const form *f)
{
    const char *list = f->attributes;
    item i;
    for (const char *const *a = e->attribute; *a != NULL; a += 2)
        if (strchr(*a, ' ') == NULL && !ms_fmu_is_listed(f->attributes, *a)) /* else of another namespace */
            ms_fmu_found(c, true, e->line, "<%.60s> has an attribute %.60s, which is unknown", e->name, *a);
    while (next_item(&list, &i)) {
        char name[64];
        if (i.mark != '!')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)i.length, i.text);
        if (ms_xml_attribute(e, name) == NULL)
            ms_fmu_found(c, true, e->line, "<%.60s> has no %s", e->name, name);
    }
}

/* The items of a form, and how often each has been taken. */
enum { ITEMS = 16 };

typedef struct taken {
    int n, at; /* at: the one that was taken last */
    item item[ITEMS];
    int count[ITEMS];
} taken;

static void take_child(ms_fmu_checker *c, const ms_xml_element *e, const ms_xml_element *child, taken *t)
{
    int k = 0;
    while (k < t->n && !takes(&t->item[k], child->name))
        k++;
    if (k == t->n) {
        ms_fmu_found(c, true, child->line, "<%.60s> within <%.60s> is unknown", child->name, e->name);
        return;
    }
    if (k < t->at)
        ms_fmu_found(c, true, child->line, "<%.60s> is after <%.*s>, but must be before it", child->name,
                     (int)strcspn(t->item[t->at].text, "|!?+ "), t->item[t->at].text);
    else
        t->at = k;
    t->count[k]++;
    if (t->count[k] == 2 && (t->item[k].mark == '?' || t->item[k].mark == '!'))
        ms_fmu_found(c, true, child->line, "<%.60s> occurs more than once within <%.60s>", child->name,
                     e->name);
}

static void check_children(ms_fmu_checker *c, const ms_xml_element *e, const form *f)
{
    taken t = {0};
    const char *list = f->children;
    while (t.n < ITEMS && next_item(&list, &t.item[t.n]))
        t.n++;
    for (const ms_xml_element *child = e->first; child != NULL; child = child->next)
        take_child(c, e, child, &t);
    for (int k = 0; k < t.n; k++)
        if (t.count[k] == 0 && (t.item[k].mark == '!' || t.item[k].mark == '+'))
            ms_fmu_found(c, true, e->line, "<%.60s> has no <%.*s>", e->name,
                         (int)strcspn(t.item[k].text, "|!?+ "), t.item[k].text);
}

static const form *find_form(const form *forms, const char *parent, const char *name)
{
    const size_t length = strlen(parent);
    for (const form *f = forms; f->name != NULL; f++) {
        const bool within = strncmp(f->name, parent, length) == 0 && f->name[length] == '/';
        if (strcmp(within ? f->name + length + 1 : f->name, name) == 0)
            return f;
    }
    return NULL;
}

/* Have both attributes of the same names in that order? */
static bool are_alike(const ms_xml_element *a, const ms_xml_element *b)
{
    const char *const *left = a->attribute, *const *right = b->attribute;
    bool same = true;
    for (; same && *left != NULL && *right != NULL; left += 2, right += 2)
        same = strcmp(*left, *right) == 0;
    return same && *left == NULL && *right == NULL;
}

/* The forms of a version, and of each the last element whose attributes are as they must be: most are like it. */
typedef struct schema {
    const form *forms;
    const ms_xml_element *right[FORMS];
} schema;

static void check_element(ms_fmu_checker *c, const ms_xml_element *e, const char *parent, schema *s)
{
    const form *f = find_form(s->forms, parent, e->name);
    if (f == NULL)
        return;
    const ms_xml_element **right = &s->right[f - s->forms];
    if (*right == NULL || !are_alike(e, *right)) {
        const int n = c->findings->n_errors;
        check_attributes(c, e, f);
        *right = c->findings->n_errors == n ? e : *right;
    }
    check_children(c, e, f);
    for (const ms_xml_element *child = e->first; child != NULL; child = child->next)
        check_element(c, child, e->name, s);
}

void ms_fmu_check_schema(ms_fmu_checker *c)
{
    schema s = {.forms = c->description->fmi == 2 ? two : three};
    check_element(c, c->d->xml.root, "", &s);
}
