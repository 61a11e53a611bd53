/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_texts.h - pieces of system structures, of which tests make whole ones, and what is read from them. */
#ifndef MS_SSP_TEXTS_H
#define MS_SSP_TEXTS_H

#include "ssp.h"

#define HEAD                                                                                                 \
    "<ssd:SystemStructureDescription version='1.0' name='a'"                                                 \
    " xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription'"                                   \
    " xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon'"                                        \
    " xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues'"                               \
    " xmlns:ssm='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' xmlns:x='urn:other'>\n"
#define TAIL             "</ssd:SystemStructureDescription>\n"
#define REAL(name, kind) "<ssd:Connector name='" name "' kind='" kind "'><ssc:Real/></ssd:Connector>"
#define REAL_IN(name, kind, unit)                                                                            \
    "<ssd:Connector name='" name "' kind='" kind "'><ssc:Real unit='" unit "'/></ssd:Connector>"

/* A set of one parameter, a binding of it, and a system of one component a with bindings of it and of the system. */
#define SET(name, value)                                                                                     \
    "<ssv:ParameterSet xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues' "             \
    "version='1.0' name='p'>"                                                                                \
    "<ssv:Parameters><ssv:Parameter name='" name "'><ssv:Real value='" value                                 \
    "'/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"
#define INLINE(name, value)                                                                                  \
    "<ssd:ParameterBinding><ssd:ParameterValues>" SET(name,                                                  \
                                                      value) "</ssd:ParameterValues></ssd:ParameterBinding>"
#define BOUND(inner, outer)                                                                                  \
    HEAD "<ssd:System name='s'><ssd:Elements>\n<ssd:Component name='a' "                                     \
         "source='a.fmu'><ssd:ParameterBindings>" inner                                                      \
         "</ssd:ParameterBindings></ssd:Component>\n</ssd:Elements>\n<ssd:ParameterBindings>" outer          \
         "</ssd:ParameterBindings>\n</ssd:System>" TAIL

/* Two components, and systems with connections between them. */
#define COMPONENT_A                                                                                          \
    "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>" REAL("y", "output") REAL(                      \
        "p", "parameter") "<ssd:Connector name='n' "                                                         \
                          "kind='output'><ssc:Integer/></ssd:Connector></ssd:Connectors></ssd:Component>\n"
#define COMPONENT_B                                                                                          \
    "<ssd:Component name='b' source='b.fmu'><ssd:Connectors>" REAL("u", "input") REAL_IN(                    \
        "v", "input", "m") "<ssd:Connector name='n' "                                                        \
                           "kind='input'><ssc:Integer/></ssd:Connector></ssd:Connectors></ssd:Component>\n"
#define SYSTEM(elements, connections)                                                                        \
    HEAD "<ssd:System name='s'><ssd:Elements>" elements "</ssd:Elements><ssd:Connections>\n" connections     \
         "</ssd:Connections></ssd:System>" TAIL
#define CONNECT(from, output, to, input, more)                                                               \
    "<ssd:Connection startElement='" from "' startConnector='" output "' endElement='" to                    \
    "' endConnector='" input "'" more

/* A system structure of that text, without files beside it. The test fails where it is refused. */
ms_ssp support_ssp_read(const char *text);
/* What a component sets the variable of that name to; the test fails where it does not. */
const ms_ssp_setting *support_ssp_setting(const ms_ssp_component *component, const char *name);

#endif
