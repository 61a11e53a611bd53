# SPDX-License-Identifier: GPL-3.0-or-later
# The only entry. `make help` lists the targets; a file that is added to a folder needs no line here.
#
# Output goes to $(B): build for CONFIG=release, else build/asan, build/coverage, build/debug. Nothing asks pkg-config before
# `deps` has run, so that a bare Debian 12 with git and make is enough.

VERSION := 0.1.0
PREFIX  ?= /usr/local
CONFIG  ?= release
B       ?= build$(if $(filter-out release,$(CONFIG)),/$(CONFIG))
O       := $(B)/obj
JOBS    ?= $(shell nproc 2>/dev/null || echo 1)

# A|B: either will do, and A is installed where both are missing.
PACKAGES := gcc libc6-dev make pkg-config|pkgconf libgsl-dev liblapacke-dev libopenblas-dev libsundials-dev \
            libjansson-dev libzip-dev libexpat1-dev libcmocka-dev gnuplot-nox|gnuplot-qt|gnuplot-x11 \
            graphviz fonts-dejavu-core
PACKAGES_EXPLORER := clang lld wasi-libc libclang-rt-14-dev-wasm32|libclang-rt-dev-wasm32
PACKAGES_BROWSER := chromium python3 $(PACKAGES_EXPLORER)
PACKAGES_DEB := dpkg-dev binutils xz-utils
PACKAGES_TEST := g++ locales python3 python3-jsonschema poppler-utils libflint-arb-dev|libflint-dev $(PACKAGES_DEB)
PACKAGES_TRUTH := python3 python3-gmpy2
PACKAGES_FUZZ := clang libclang-rt-14-dev|libclang-rt-dev libomp-dev
PACKAGES_LINT := clang-tidy clang-format libomp-dev cppcheck valgrind g++

ifeq ($(MAKELEVEL),0) # a -j of the caller's goes before
MAKEFLAGS += -j$(JOBS)
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(origin CC),default)
CC := gcc
endif

# V=1 shows whole command lines.
say = $(if $(V),,@$(info $()  $1 $(2:$(B)/%=%)))

# Flags. -ffp-contract=off: results do not depend on whether the machine has fused multiply-add.
# -fno-tree-loop-distribute-patterns: loops over the few entries of a subsystem stay loops, not calls of memcpy.
CFLAGS      ?= -O2 -g1
CFLAGS_asan := -O1 -g -fno-pie -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_tsan := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread
CFLAGS_coverage := -O0 -g --coverage -include tests/support/counted.h
CFLAGS_debug := -O0 -g
CFLAGS_fuzz := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
LOOPS    := $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)
STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# gcc has two of these in another sense: it knows that enumerations are not negative, and what is designated as initialised.
WARNINGS_OF_CLANG := -Wno-sign-conversion -Wno-missing-field-initializers
WARNINGS += $(if $(findstring clang,$(CC)),$(WARNINGS_OF_CLANG))
ifeq ($(CONFIG),fuzz)
WARNINGS := -w
endif
# What an error of ours could be made of is narrowed (README.md of bench). Buffers are watched where there is optimisation. With sanitizers
# a program stands at a fixed place: tests start thousands, each in three quarters of the time.
HARDEN_release := $(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) -fstack-protector-strong -fPIE
RELRO_release  := -pie -Wl,-z,relro,-z,now
RELRO_asan     := -no-pie
FLAGS     = $(STANDARD) $(or $(CFLAGS_$(CONFIG)),$(CFLAGS)) $(HARDEN_$(CONFIG)) -ffp-contract=off $(LOOPS) \
            -fopenmp $(WARNINGS)

# Rooms -----------------------------------------------------------------------------------------------------------

# $(call room,FOLDER,ROOMS THAT IT USES,ATTRIBUTES): a room sees its own headers, those of the rooms it uses, and what these see.
# The order is that in which they may use each other. FOLDER/inside is seen by its own files and their tests only. Attributes:
#     exported    in the binaries of exported FMUs too: compiled for any place in memory
#     reads       reads files and options: compiled with -O1, which is faster; the engine's loops want -O2
#     aligned     its models are aligned by hand, as matrices and tables read better so: not formatted
room = $(eval ROOMS += $1)$(eval INCLUDE_$1 := $(sort -I$1 $(foreach r,$2,$(or $(INCLUDE_$r),$(error room $1 uses $r, \
    which does not stand above it)))))$(foreach a,$3,$(eval ROOMS_$a += $1))
$(call room,models/base/texts,,exported)
$(call room,models/base,models/base/texts,exported)
$(call room,models/base/system,models/base,exported)
$(call room,models/chains,models/base,exported aligned)
$(call room,models/examples,models/base,exported aligned)
$(call room,models/vehicles,models/base,exported aligned)
$(call room,models/expressions,models/base,exported)
$(call room,models/plugins,models/base,exported reads)
$(call room,models/plugins/objects,models/plugins)
$(call room,models/plugins/objects/balls,models/plugins)
$(call room,models,models/base,exported aligned)
$(call room,models/archives,models/plugins,exported reads)
$(call room,models/fmu/description,models/archives,exported reads)
$(call room,models/fmu/rules,models/fmu/description,reads)
$(call room,models/fmu/headers)
$(call room,models/fmu,models/fmu/description models/fmu/headers,exported reads)
$(call room,models/fmu/objects,models/fmu)
$(call room,models/fmu/subsystem,models/fmu,exported reads)
$(call room,models/ssp,models/fmu/description,exported reads)
$(call room,models/files,models/base/system models/expressions models models/fmu/subsystem models/ssp,exported reads)
$(call room,algorithms/numerics/matrices,models/base,exported)
$(call room,algorithms/numerics,algorithms/numerics/matrices,exported)
$(call room,algorithms/nonlinear,algorithms/numerics models/plugins)
$(call room,algorithms/options,algorithms/nonlinear,reads)
$(call room,algorithms/subsystem,models/base/system algorithms/numerics,exported)
$(call room,algorithms/subsystem/solvers,algorithms/subsystem,exported)
$(call room,algorithms/dependency_graph,models/base/system,exported)
$(call room,algorithms/algebraic_loops,algorithms/dependency_graph algorithms/subsystem/solvers,exported)
$(call room,algorithms/export,models/files algorithms/algebraic_loops,exported reads)
$(call room,algorithms/export/objects,algorithms/export)
$(call room,algorithms/export/sources,algorithms/export)
$(call room,algorithms/coupling/variant,algorithms/subsystem/solvers algorithms/options)
$(call room,algorithms/coupling,algorithms/algebraic_loops algorithms/coupling/variant)
$(call room,algorithms/coupling/ranks,algorithms/coupling)
$(call room,algorithms/schemes/explicit,algorithms/coupling)
$(call room,algorithms/schemes/f3ornits,algorithms/coupling)
$(call room,algorithms/schemes/iterative,algorithms/coupling algorithms/nonlinear)
$(call room,algorithms/schemes/interface_jacobian,algorithms/schemes/iterative)
$(call room,algorithms/schemes/multirate,algorithms/coupling)
$(call room,algorithms/schemes/waveform,algorithms/schemes/iterative)
$(call room,algorithms/schemes/lines,algorithms/schemes/iterative)
$(call room,algorithms/schemes,algorithms/coupling/ranks algorithms/schemes/explicit algorithms/schemes/f3ornits algorithms/schemes/iterative \
    algorithms/schemes/interface_jacobian algorithms/schemes/waveform algorithms/schemes/multirate algorithms/schemes/lines)
$(call room,algorithms,algorithms/schemes models)
$(call room,analysis/reference,algorithms)
$(call room,analysis/runs/time_series,algorithms)
$(call room,analysis/runs,analysis/runs/time_series analysis/reference)
$(call room,analysis/convergence,analysis/runs)
$(call room,analysis/linearisation,analysis/runs)
$(call room,analysis/stability/formula,analysis/linearisation)
$(call room,analysis/stability/certificate,analysis/stability/formula)
$(call room,analysis/stability,analysis/stability/formula)
$(call room,analysis/parameter_estimation,analysis/runs)
$(call room,analysis/single,analysis/runs)
$(call room,analysis,models/files analysis/convergence analysis/stability analysis/parameter_estimation analysis/single)
$(call room,bench/command_line,models/files analysis/runs)
$(call room,bench/output,bench/command_line)
$(call room,bench/answers/models,bench/output algorithms/export models/fmu/rules analysis/stability analysis/stability/certificate analysis/single)
$(call room,bench/answers,bench/output analysis/convergence analysis/stability analysis/parameter_estimation analysis/single)
$(call room,bench/rows,bench/output)
$(call room,bench/sweep,bench/answers bench/rows)
$(call room,bench/differences,bench/output)
$(call room,bench/drawing,bench/answers)
$(call room,bench/plots,bench/drawing)
$(call room,bench/step_sizes,bench/answers algorithms/schemes/iterative)
$(call room,bench/studies,bench/drawing)
$(call room,bench/studies/andersson2016,bench/studies bench/answers/models)
$(call room,bench/studies/eguillon2021,bench/studies algorithms/schemes/iterative)
$(call room,bench/studies/eguillon2022,bench/studies algorithms/schemes/f3ornits)
$(call room,bench/studies/moshagen2021,bench/studies)
$(call room,bench/studies/libraries,bench/studies)
$(call room,bench/studies/andersson2016/chapter7,bench/studies)
$(call room,bench/studies/own,bench/studies/andersson2016 bench/studies/moshagen2021)
$(call room,bench/studies/own/stability,bench/studies/moshagen2021 bench/sweep)
$(call room,bench/studies/own/work,bench/studies bench/sweep)
$(call room,bench/figures,bench/studies)
$(call room,bench/explorer,analysis/stability)
$(call room,bench/report,bench/figures bench/explorer)
$(call room,bench/call,bench/sweep bench/drawing)
$(call room,bench/conformance,bench/sweep)
$(call room,bench/commands/setup,bench/call bench/answers/models)
$(call room,bench/commands,bench/commands/setup bench/conformance bench/answers/models bench/differences bench/report bench/plots bench/step_sizes)
$(call room,bench/completion,bench/figures)
$(call room,bench,bench/commands bench/completion)
$(call room,bench/speed/shared,bench/output)
$(call room,bench/speed,bench/speed/shared models models/files algorithms/export analysis/stability analysis/single bench/sweep)
comma_sign := ,
space := $(subst x,,x x)
comma = $(subst $(space),$(comma_sign),$1)
INCLUDE_tests := -Itests/support -Itests/support/answers -Itests/support/events -Itests/support/fmu -Itests/support/problems $(addprefix -I,$(ROOMS))
inside_of  = $(addprefix -I,$(wildcard $1/inside))
room_of    = $(patsubst %/,%,$(dir $1))
include_of = $(if $(filter tests/%,$1),$(call inside_of,$(patsubst tests/%,%,$(room_of))) $(INCLUDE_tests),$(call \
    inside_of,$(room_of)) $(INCLUDE_$(room_of)))

# Libraries, asked for once, when a recipe first needs them. GSL takes its BLAS from OpenBLAS.
once = $(eval $1 := $(shell $2))$($1)
SUNDIALS := cvode arkode ida kinsol nvecserial sunmatrixdense sunlinsoldense sunlinsolspgmr \
            sunnonlinsolnewton sunnonlinsolfixedpoint generic
LIB_CFLAGS  = $(call once,LIB_CFLAGS,pkg-config --cflags openblas lapacke gsl jansson | sed 's/-I */-isystem /g')
LIB_LINK    = $(call once,LIB_LINK,pkg-config --libs openblas lapacke gsl jansson | sed 's/-lgslcblas//')
TEST_LINK   = $(call once,TEST_LINK,pkg-config --libs cmocka)
# Most of the start of a program is the look-up of OpenBLAS's own symbols, which is quickest where OpenBLAS stands first.
LIBS        = $(LIB_LINK) $(addprefix -lsundials_,$(SUNDIALS)) -ldl -lm

# Optional: present or not, never required; each is linked to a shared object of ours, which is opened when it is asked for.
MPI_PACKAGE   = $(call once,MPI_PACKAGE,for p in ompi-c mpich; do pkg-config --exists $$p && echo $$p && break; done)
PETSC_PACKAGE = $(call once,PETSC_PACKAGE,pkg-config --exists PETSc $(or $(MPI_PACKAGE),none) && echo PETSc)
MPI_CFLAGS    = $(call once,MPI_CFLAGS,[ -z '$(MPI_PACKAGE)' ] || echo -DMS_HAVE_MPI \
                    $$(pkg-config --cflags-only-I $(MPI_PACKAGE) | sed 's/-I */-isystem /g'))
MPI_LINK      = $(call once,MPI_LINK,[ -z '$(MPI_PACKAGE)' ] || pkg-config --libs $(MPI_PACKAGE))
PETSC_CFLAGS  = $(call once,PETSC_CFLAGS,[ -z '$(PETSC_PACKAGE)' ] || echo -DMS_HAVE_PETSC \
                    $$(pkg-config --cflags-only-I PETSc $(MPI_PACKAGE) | sed 's/-I */-isystem /g'))
ARB_LINK      = $(call once,ARB_LINK,for l in '-lflint-arb -lflint' '-larb -lflint' -lflint; do \
                    echo 'int main(void) { return !acb_mat_init; }' | $(CC) -DMS_HAVE_ARB $(INCLUDE_models/plugins/objects/balls) \
                    $(call inside_of,models/plugins/objects/balls) -include balls.h -w -x c - $$l -o /dev/null 2>/dev/null && echo "$$l -lm" && break; done)
ARB_CFLAGS    = $(if $(ARB_LINK),-DMS_HAVE_ARB)
ARCHIVES_LINK = $(call once,ARCHIVES_LINK,pkg-config --libs libzip expat)
PETSC_LINK    = $(call once,PETSC_LINK,[ -z '$(PETSC_PACKAGE)' ] || pkg-config --libs PETSc $(MPI_PACKAGE))

# Files. bench/speed holds programs of their own, models/plugins/objects shared objects. The tests of a room stand in
# tests/ROOM; each test_*.c is a program.
FOLDERS   := models algorithms analysis bench
HEADERS   := $(sort $(wildcard $(ROOMS:%=%/*.h) $(ROOMS:%=%/macrostep/*.h) $(ROOMS:%=%/inside/*.h) $(addprefix tests/,support/*.h support/*/*.h faults/*.h fuzz/*.h truth/*.h)))
PUBLIC    := $(sort $(wildcard $(ROOMS:%=%/macrostep/*.h)))
LIBRARY   := $(sort $(wildcard $(patsubst %,%/*.c,$(filter-out bench% %/objects %/objects/balls %/sources,$(ROOMS)))))
FMI_HEADERS := $(sort $(wildcard models/fmu/headers/*.h))
ISOLATED  := models/fmu/objects/isolated.c
PLUGINS   := $(sort $(wildcard models/plugins/objects/*.c))
BALLS     := $(sort $(wildcard models/plugins/objects/balls/*.c))
EXPORTED  := $(sort $(wildcard algorithms/export/objects/*.c))
SPEED     := $(sort $(wildcard bench/speed/*.c))
BENCH     := $(sort $(wildcard $(patsubst %,%/*.c,$(filter-out bench/speed,$(filter bench/%,$(ROOMS))))))
TESTS     := $(sort $(wildcard $(ROOMS:%=tests/%/test_*.c) tests/conformance/test_*.c))
TEST_HELP := $(sort $(wildcard tests/support/*.c tests/support/*/*.c))
FAULTS    := $(sort $(wildcard tests/faults/*.c))
FUZZ      := $(sort $(wildcard tests/fuzz/*.c))
TRUTH     := $(sort $(wildcard tests/truth/*.c))
TEST_FMUS := $(sort $(wildcard tests/models/fmu/*_fmu.c))
TEST_SHELL := $(sort $(wildcard tests/command/test_*.sh tests/package/test_*.sh))
PUBLISHED := $(sort $(wildcard results/published/*.json results/published/*.csv))
TEMPLATES := $(sort bench/figures/inside/figure_list.txt bench/drawing/inside/style.gp $(wildcard bench/commands/inside/*.in bench/commands/inside/help/*.txt bench/completion/inside/*.in bench/report/inside/pages/*) $(addprefix bench/report/inside/,report.css report.js explorer.js errata.json) README.md)
FIGURE_TEXTS := $(sort $(wildcard bench/studies/*/*.json bench/studies/*/*.gp))
EXPORT_SOURCES := $(sort $(wildcard algorithms/export/objects/*.[ch] algorithms/export/sources/*.[ch])) algorithms/export/component.h \
             algorithms/export/input_fit.h models/base/macrostep/c_linkage.h models/base/macrostep/status.h models/base/status.c
SOURCES   := $(LIBRARY) $(ISOLATED) $(PLUGINS) $(BALLS) $(EXPORTED) $(filter algorithms/export/sources/%.c,$(EXPORT_SOURCES)) $(BENCH) bench/main.c bench/exits.c bench/refused.c bench/blas.c $(SPEED) $(TEST_HELP) $(FAULTS) $(FUZZ) $(TRUTH) $(TESTS)

# What the binaries of exported FMUs take from the library is compiled for any place in memory. Calls inside a file stay direct.
EXPORT_OBJECTS := $(patsubst %.c,$O/%.o,$(sort $(wildcard $(ROOMS_exported:%=%/*.c))) $(EXPORTED))
EXPORT_PLACE   := -fPIC -fno-semantic-interposition
EXPORT_LINKED  := $(B)/plugins/macrostep-fmi2.so $(B)/plugins/macrostep-fmi3.so

OBJECTS        := $(filter-out $O/algorithms/export/sources/%,$(SOURCES:%.c=$O/%.o)) $O/published.o $O/templates.o $O/figure_texts.o $O/export_sources.o
TEST_PROGRAMS  := $(addprefix $(B)/tests/,$(basename $(notdir $(TESTS))))
SPEED_PROGRAMS := $(SPEED:bench/%.c=$(B)/%)
BENCHMARKS     := $(filter-out %/collect,$(SPEED_PROGRAMS))
PLUGINS_LINKED := $(PLUGINS:models/plugins/objects/%.c=$O/plugins/%) $O/plugins/balls
ARCHIVES       := $(B)/libtests.a $(B)/libbench.a $(B)/libmacrostep.a

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY: $(OBJECTS)
.PHONY: help all deps deps-test deps-lint deps-fuzz deps-deb deps-browser deps-explorer deps-truth test check browser explorer faults audit fuzz harnesses soak foreign truth kernels figures bench \
    lint format format-check asan tsan programs asan-figures valgrind coverage mutants install deb config clean FORCE

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' Makefile
	@echo "Variables: PREFIX=$(PREFIX) DESTDIR= CC=$(CC) CFLAGS='$(CFLAGS)' JOBS=$(JOBS) V=1 (whole command lines)"
	@echo "           CONFIG=debug|asan|coverage (into build/CONFIG)  TEST=NAME (make TEST=sweep test: that one alone)"
	@echo "           EFFORT=short (random ensembles a tenth, no studies; for asan, valgrind, kernels; bench: one round of little)"
	@echo "           EFFORT=long (bench: sweeps and figures as well)  FORMAT=json BASE=FILE (bench: as JSON; against such a file)"

all: $(B)/libmacrostep.a $(B)/macrostep $(B)/plugins/macrostep-fmu $(FMI_HEADERS:models/fmu/headers/%=$(B)/plugins/%) $(B)/compile_commands.json ## the library, the command build/macrostep, and what it opens, build/plugins (default)

config: | deps ## what was found on this machine
	@echo "compiler  $$($(CC) --version | head -n 1)"
	@for p in gsl lapacke openblas jansson cmocka; do echo "$$p $$(pkg-config --modversion $$p)"; done | \
	    awk '{printf "%-9s %s\n", $$1, $$2}'
	@echo "MPI       $(if $(MPI_PACKAGE),$(MPI_PACKAGE) $(shell pkg-config --modversion $(MPI_PACKAGE)),none)"
	@echo "PETSc     $(if $(PETSC_PACKAGE),$(shell pkg-config --modversion PETSc),none)"
	@echo "Arb       $(or $(ARB_LINK),none)"

# Packages ---------------------------------------------------------------------------------------------------------

# Builds alone install nothing: they say what is missing.
ONLY_BUILDS := $(if $(filter-out all install config $(B)/%,$(MAKECMDGOALS)),,yes)

# Installs what is missing of the packages $1, one rule after the other; silent where nothing is. Systems without dpkg see to it themselves.
define install_packages
@command -v dpkg-query >/dev/null 2>&1 || exit 0; \
here=$$(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(subst |, ,$1) 2>/dev/null | \
    sed -n 's/^installed //p'); \
missing=; \
for choice in $(foreach p,$1,'$p'); do \
    found=; \
    for p in $$(echo "$$choice" | tr '|' ' '); do \
        case " $$(echo $$here) " in *" $$p "*) found=1;; esac; \
    done; \
    [ -n "$$found" ] || missing="$$missing $${choice%%|*}"; \
done; \
[ -n "$$missing" ] || exit 0; \
install="env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends$$missing"; \
if [ -n "$(ONLY_BUILDS)" ]; then \
    echo "Packages are missing:$$missing" >&2; \
    echo "\`make deps\` installs them, and so do \`make figures\` and \`make test\`." >&2; \
    exit 1; \
elif [ "$$(id -u)" = 0 ]; then sudo=; \
elif sudo -n true 2>/dev/null; then sudo='sudo -n '; \
else \
    echo "Packages are missing. As root:" >&2; \
    echo "    apt-get update && apt-get install -y --no-install-recommends$$missing" >&2; \
    exit 1; \
fi; \
echo "Installing$$missing"; \
{ flock 9; $${sudo}apt-get update && $${sudo}$$install; } 9<$(firstword $(MAKEFILE_LIST))
endef

deps: ## install the Debian packages that are missing
	$(call install_packages,$(PACKAGES))

deps-test: deps ## those of the tests as well
	$(call install_packages,$(PACKAGES_TEST))

deps-lint: deps ## those of lint and valgrind as well
	$(call install_packages,$(PACKAGES_LINT))

deps-fuzz: deps ## those of fuzz as well
	$(call install_packages,$(PACKAGES_FUZZ))

deps-truth: deps ## those that compute the values of truth as well
	$(call install_packages,$(PACKAGES_TRUTH))

deps-deb: deps ## those of deb as well
	$(call install_packages,$(PACKAGES_DEB))

deps-explorer: deps ## those of explorer as well
	$(call install_packages,$(PACKAGES_EXPLORER))

deps-browser: deps ## those of browser as well
	$(call install_packages,$(PACKAGES_BROWSER))

# Building ---------------------------------------------------------------------------------------------------------

compile = $(CC) $(FLAGS) $(ANY_PLACE) $(call include_of,$<) $(LIB_CFLAGS) $(PETSC_CFLAGS) $(MPI_CFLAGS) $(DEFINE) -MMD -MP -c $< -o $@
link    = $(CC) $(FLAGS) $(RELRO_$(CONFIG)) $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
# Three hundred programs of tests with sanitizers are linked in a third of the time by gold, where it is there.
QUICK_LINK = $(if $(filter asan,$(CONFIG)),$(call once,QUICK_LINK,command -v ld.gold >/dev/null && echo -fuse-ld=gold))

$(OBJECTS): Makefile | deps

# Without a shell: those of all objects are two seconds of the thirty that a build from nothing takes on two cores.
.SECONDEXPANSION:
$O/%.o: %.c | $$(@D)/.
	$(call say,CC,$<)$(compile)

.PRECIOUS: $O/%/.
$O/%/.:
	@mkdir -p $@

# One object knows version and commit, so that a new commit compiles one file.
$O/bench/output/version.o: DEFINE = -DMS_VERSION='"$(VERSION)"' -DMS_COMMIT='"$(shell cat $O/commit)"' \
    -DMS_FLAGS='"$(FLAGS)"' -DMS_OPENBLAS='"$(shell pkg-config --modversion openblas)"'
$O/bench/output/version.o: $O/commit
$O/algorithms/export/export_settings.o: DEFINE = -DMS_VERSION='"$(VERSION)"'

# This one defines _exit, which in the others counts first (tests/support/counted.h).
$O/bench/exits.o: DEFINE = $(if $(filter coverage,$(CONFIG)),-DSUPPORT_COUNTED_H)

# A program takes only those shared objects that know its tables: of its version, and made with the same headers.
PLUGIN_TABLES := models/base/macrostep/status.h models/base/runge_kutta.h $(wildcard models/plugins/*.h)
PLUGIN_BUILD   = $(VERSION)-$(call once,PLUGIN_SUM,cat $(PLUGIN_TABLES) | cksum | cut -d ' ' -f 1)
$O/models/plugins/plugin.o $(PLUGINS:%.c=$O/%.o): DEFINE = -DMS_PLUGIN_BUILD='"$(PLUGIN_BUILD)"'
# Certificates: what has been built without Arb is built again when it is there, and the tests install it.
$O/arb: | $(if $(filter test,$(MAKECMDGOALS)),deps-test,deps)
$(BALLS:%.c=$O/%.o) $O/analysis/stability/certificate/certificate.o: $O/arb
$(BALLS:%.c=$O/%.o): DEFINE = -DMS_PLUGIN_BUILD='"$(PLUGIN_BUILD)"' $(ARB_CFLAGS)
$O/analysis/stability/certificate/certificate.o: DEFINE = $(ARB_CFLAGS)
$O/models/plugins/plugin.o $(PLUGINS:%.c=$O/%.o) $(BALLS:%.c=$O/%.o): $(PLUGIN_TABLES)
$(PLUGINS:%.c=$O/%.o) $(BALLS:%.c=$O/%.o): ANY_PLACE = -fPIC
$(EXPORT_OBJECTS): ANY_PLACE = $(EXPORT_PLACE)

# The command and the tests are compiled as rooms that read.
SLOW := $(filter-out bench/output/version.c,$(BENCH)) $(sort $(wildcard $(ROOMS_reads:%=%/*.c))) $(TEST_HELP) $(TESTS)
$(SLOW:%.c=$O/%.o): CFLAGS := $(CFLAGS:-O2=-O1)

# Files that change only when what they hold does: the commit, and the list of files (one may have been removed).
commit = $(shell [ -z "$$(git rev-parse --show-cdup 2>&1)" ] && \
                 git rev-parse --verify --short=12 HEAD 2>/dev/null || echo unknown)
dirty  = $(shell git status --porcelain -- Makefile $(FOLDERS) results/published 2>/dev/null | head -n 1)
$O/commit: TEXT = $(commit)$(if $(filter-out unknown,$(commit)),$(if $(dirty),-dirty))
$O/files: TEXT = $(SOURCES) $(PUBLISHED) $(TEMPLATES) $(FIGURE_TEXTS)
$O/arb: TEXT = $(ARB_LINK)
$O/commit $O/files $O/arb: FORCE
	@mkdir -p $(@D)
	@echo '$(TEXT)' | cmp -s - $@ || echo '$(TEXT)' > $@

# The published values, figure files, and what `macrostep new` and `report` write, as C: one array a file, ended by a zero byte that does not count, and the table of all.
$O/published.c: EMBEDDED = ms_published_files
$O/templates.c: EMBEDDED = ms_templates
$O/figure_texts.c: EMBEDDED = ms_figure_texts
$O/export_sources.c: EMBEDDED = ms_export_sources
$O/published.c $O/templates.c $O/figure_texts.c: EMBEDDED_AS = published
# The sources in an FMU stand in one folder.
$O/export_sources.c: EMBEDDED_AS = export_source
$O/export_sources.c: EMBEDDED_SED = s|<macrostep/\(.*\)>|"\1"|
$O/published.c: $(PUBLISHED)
$O/templates.c: $(TEMPLATES) $O/equations.txt
# Which source names which equation of which paper; as long as that stays the same, so does what is compiled in.
$O/equations.txt: FORCE
	@mkdir -p $(@D)
	$(file >$O/equation_files,$(sort $(SOURCES) $(HEADERS) $(TEST_SHELL) $(filter %.json,$(FIGURE_TEXTS))))
	@xargs awk -f bench/report/inside/equations.awk <$O/equation_files | LC_ALL=C sort -u >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
$O/figure_texts.c: $(FIGURE_TEXTS)
$O/export_sources.c: $(EXPORT_SOURCES)
$O/published.c $O/templates.c $O/figure_texts.c $O/export_sources.c: $O/files Makefile
	@{ echo '#include "$(EMBEDDED_AS:%source=%sources).h"'; echo 'extern const ms_$(EMBEDDED_AS) $(EMBEDDED)[];'; \
	   n=0; for file in $(filter-out $O/files Makefile,$^); do n=$$((n + 1)); echo "static const unsigned char file_$$n[] = {"; \
	       sed '$(EMBEDDED_SED)' "$$file" | od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g'; echo "0};"; done; \
	   echo 'const ms_$(EMBEDDED_AS) $(EMBEDDED)[] = {'; \
	   n=0; for file in $(filter-out $O/files Makefile,$^); do n=$$((n + 1)); \
	       echo "    {\"$${file##*/}\", file_$$n, sizeof(file_$$n) - 1},"; done; \
	   echo '    {0, 0, 0}};'; } > $@

$O/published.o $O/templates.o $O/figure_texts.o: $O/%.o: $O/%.c
	$(call say,CC,$<)$(CC) $(FLAGS) $(INCLUDE_bench/drawing) -MMD -MP -c $< -o $@

$O/export_sources.o: $O/export_sources.c
	$(call say,CC,$<)$(CC) $(FLAGS) $(INCLUDE_algorithms/export) $(call inside_of,algorithms/export) -MMD -MP -c $< -o $@

$(B)/libmacrostep.a: $(LIBRARY:%.c=$O/%.o) $O/export_sources.o
$(B)/libbench.a: $(BENCH:%.c=$O/%.o) $O/published.o $O/templates.o $O/figure_texts.o
$(B)/libtests.a: $(TEST_HELP:%.c=$O/%.o)
$(ARCHIVES): $O/files
	@mkdir -p $(@D); rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

# Where the library of a shared object is missing there is nothing to link.
NO_UNDEFINED := $(if $(filter fuzz tsan,$(CONFIG)),,-Wl,-z,defs) # clang's sanitizers are in the program alone
PLUGIN_LINK_mpi   = $(MPI_LINK)
PLUGIN_LINK_petsc = $(PETSC_LINK)
PLUGIN_LINK_archives = $(ARCHIVES_LINK)
PLUGIN_LINK_balls = $(ARB_LINK)
$(PLUGINS:models/plugins/objects/%.c=$O/plugins/%): $O/plugins/%: $O/models/plugins/objects/%.o
$O/plugins/balls: $(BALLS:%.c=$O/%.o)
$(PLUGINS_LINKED): $O/plugins/%:
	@mkdir -p $(@D) $(B)/plugins; rm -f $(B)/plugins/macrostep-$*.so
	$(if $(PLUGIN_LINK_$*),$(call say,LD,$(B)/plugins/macrostep-$*.so)$(CC) $(FLAGS) -shared $^ $(NO_UNDEFINED) \
	    $(PLUGIN_LINK_$*) -o $(B)/plugins/macrostep-$*.so)
	@touch $@

# Sources of FMUs are compiled with them.
$(B)/plugins/%.h: models/fmu/headers/%.h
	@mkdir -p $(@D); cp $< $@

# Behind the functions of one version of FMI, whose names alone are seen.
EXPORT_NAMES := algorithms/export/objects/names.map
LINK_EXPORT = $(CC) $(FLAGS) $(filter-out -pie -no-pie,$(RELRO_$(CONFIG))) -shared
END_EXPORT = $(NO_UNDEFINED) -Wl,--version-script=$(EXPORT_NAMES) -Wl,-s -Wl,--as-needed -Wl,-rpath,'$$ORIGIN' $(LIBS)
$(EXPORT_LINKED): $(B)/plugins/macrostep-%.so: $O/algorithms/export/objects/%.o $O/algorithms/export/objects/fmi_instance.o $(B)/libmacrostep.a $(EXPORT_NAMES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(LINK_EXPORT) $(filter %.o %.a,$^) $(END_EXPORT) -o $@

# One FMU in a process of its own: as much of the library as it calls.
$(B)/plugins/macrostep-fmu: $(ISOLATED:%.c=$O/%.o) $(B)/libmacrostep.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(FLAGS) $(RELRO_$(CONFIG)) $^ -Wl,--as-needed $(LIBS) -o $@

$(B)/macrostep $(SPEED_PROGRAMS) $(TEST_PROGRAMS): | $(PLUGINS_LINKED) $(EXPORT_LINKED) $(B)/plugins/macrostep-fmu $(FMI_HEADERS:models/fmu/headers/%=$(B)/plugins/%)

# What extensions call (--load) has to be in the command, and to be seen there.
WHOLE = $(B)/libbench.a -Wl,--whole-archive $(B)/libmacrostep.a -Wl,--no-whole-archive $(LIBS)
link_all = $(CC) $(FLAGS) $(RELRO_$(CONFIG)) -Wl,--export-dynamic $(filter %.o,$^) $(WHOLE)

# A line about memory says how much was asked for.
NOTED := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
MAIN_OBJECTS := $(patsubst %,$O/bench/%.o,main exits refused blas)
$(B)/macrostep: $(MAIN_OBJECTS) $(B)/libbench.a $(B)/libmacrostep.a
	$(call say,LD,$@)$(link_all) $(NOTED) -o $@

$(B)/speed/%: $O/bench/speed/%.o $(B)/libbench.a $(B)/libmacrostep.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) -o $@

# This one is the empty program to which the start of the command is compared.
$(B)/speed/start: private LIBS = -Wl,--no-as-needed $(LIB_LINK) -lsundials_cvode -lm
$(B)/speed/start: | $(B)/macrostep

# The probe of this test can be made to answer for another scheme.
$(B)/tests/test_disagreement: WRAP = -Wl,--wrap=ms_propagation_probe

# This one runs the benchmarks.
$(B)/tests/test_benchmarks: | $(SPEED_PROGRAMS) $(B)/macrostep

$(foreach test,$(TESTS),$(eval $(B)/tests/$(basename $(notdir $(test))): $(test:%.c=$O/%.o)))
$(TEST_PROGRAMS): $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) $(TEST_LINK) $(WRAP) $(QUICK_LINK) -o $@

-include $(OBJECTS:.o=.d)

# Running ----------------------------------------------------------------------------------------------------------

THREADS := OPENBLAS_NUM_THREADS=1
OPEN_MPI := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# intercept_tls_get_addr=0: the leak check of gcc before 14 and clang before 17 else ends, for some layouts of memory, in a signal 11 of
# its own, as it takes a thread's dynamic storage for that of glibc before 2.25 (github.com/google/sanitizers, issue 1322).
SANITIZERS := ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1
run_tests = MACROSTEP='$(abspath $(B)/macrostep)' JOBS=$(JOBS) $(SANITIZERS) sh tests/run

# TEST=NAME ..: these programs and scripts alone, with or without test_ before and .sh behind; a room: its tests, and those of rooms in it.
in_room = $(patsubst %.c,$(B)/tests/%,$(notdir $(filter tests/$(1:tests/%=%)/%,$(TESTS)))) $(filter tests/$(1:tests/%=%)/%,$(TEST_SHELL))
chosen = $(if $(TEST),$(filter $(foreach t,$(TEST:%.sh=%),%/test_$(t:test_%=%) %/test_$(t:test_%=%).sh $(call in_room,$t)),$1),$1)

# EFFORT=short: random ensembles are a tenth (support_ensemble), no test draws whole studies, none looks at packages, and kernels are tried
# where matrices are.
ifeq ($(EFFORT),short)
TEST_SHORT := $(filter-out $(addprefix $(B)/tests/,$(basename $(notdir $(filter-out %_shared.c %_study_work.c %_quarter_car.c,$(filter tests/bench/studies/%,$(TESTS)))))),$(TEST_PROGRAMS))
export TEST_EFFORT := short
TEST_SHELL := $(filter-out tests/package/%,$(TEST_SHELL))
KERNEL_RUN := $(filter $(patsubst %.c,$(B)/tests/%,$(notdir $(filter tests/algorithms/% tests/analysis/% tests/conformance/%,$(TESTS)))),$(TEST_SHORT))
endif
TEST_RUN := $(or $(TEST_SHORT),$(TEST_PROGRAMS))
# Scripts begin: some of them wait for processes for minutes.
TEST_CHOSEN := $(call chosen,$(TEST_SHELL) $(TEST_RUN))

test: deps-test all $(filter-out %.sh,$(TEST_CHOSEN)) $(if $(TEST),,$(SPEED_PROGRAMS)) ## build and run all tests, or TEST=NAME
	$(if $(TEST_CHOSEN),,$(error no test or room is called $(TEST); they are tests/ROOM/test_NAME.c and tests/command or tests/package/test_NAME.sh))
	@$(run_tests) $(TEST_CHOSEN)

# Most of the tests of rooms: none of studies, of FMUs that are compiled, or of certificates; random ensembles are a tenth.
CHECKED := $(filter-out $(B)/tests/test_exported_% $(B)/tests/test_fmu% %_balls,$(addprefix $(B)/tests/,$(basename $(notdir $(filter-out \
    tests/conformance/% tests/bench/studies/%,$(TESTS))))))

check: deps-test all $(CHECKED) ## most tests of rooms, within a minute when they are built
	@TEST_EFFORT=short $(run_tests) $(CHECKED)

REFUSING := $(patsubst %,$O/tests/faults/%.o,refuse calls numerics)
$(REFUSING): DEFINE = -fPIC

$(B)/faults/refuse.so: $(REFUSING)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(FLAGS) -shared $^ -ldl -o $@

$(B)/faults/faults: $(patsubst %,$O/tests/faults/%.o,faults runs judge)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(FLAGS) $^ -lm -o $@

faults: all $(B)/faults/refuse.so $(B)/faults/faults ## allocations, files, processes, libraries of each command refused in turn (EFFORT=short|middle, SEED=, TEST=WORD, KIND=write)
	@JOBS=$(JOBS) EFFORT=$(EFFORT) SEED=$(SEED) TEST='$(TEST)' KIND=$(KIND) nice sh tests/faults/run $(B)

# Readers under libFuzzer: clang's, in a folder of its own. The program of a harness is linked as the command is.
FUZZ_CC   ?= clang
HARNESSES := $(patsubst tests/fuzz/fuzz_%.c,%,$(filter tests/fuzz/fuzz_%,$(FUZZ)))

fuzz: deps-fuzz ## the readers of files and options with random input, each SECONDS=10 (SEED=, TEST=NAME)
	@$(MAKE) CONFIG=fuzz B=$(B)/fuzz CC='$(FUZZ_CC)' harnesses
	@JOBS=$(JOBS) SEED=$(SEED) nice sh tests/fuzz/run $(B)/fuzz $(or $(SECONDS),10) $(or $(TEST),$(HARNESSES))

harnesses: $(addprefix $(B)/harnesses/fuzz_,$(or $(TEST),$(HARNESSES))) $(O)/plugins/archives

$(B)/harnesses/%: $O/tests/fuzz/%.o $O/tests/fuzz/harness.o $(B)/libbench.a $(B)/libmacrostep.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(FLAGS) -fsanitize=fuzzer -Wl,--export-dynamic $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

soak: all deps-test ## random systems, schemes, options, kills, threads, kernels for MINUTES=5 or SECONDS= (SEED=1; ONLY=TRIAL: that one again)
	@$(THREADS) PYTHONDONTWRITEBYTECODE=1 nice python3 tests/soak/soak.py $(B)/macrostep --seed $(or $(SEED),1) --jobs $(JOBS) \
	    --seconds $(or $(SECONDS),$(shell echo $$((60 * $(or $(MINUTES),5))))) $(if $(ONLY),--only $(ONLY))

foreign: all deps-test ## every FMU and system structure in FOLDER=: what loads, runs, agrees, into results/foreign.json and the report (LIMIT=60 seconds a call)
	$(if $(FOLDER),,$(error FOLDER=.. is missing: where the FMUs and system structures are))
	@mkdir -p results; MACROSTEP=$(B)/macrostep PYTHONDONTWRITEBYTECODE=1 nice python3 bench/python/foreign.py '$(FOLDER)' --jobs $(JOBS) \
	    --output results/foreign.json $(if $(LIMIT),--limit $(LIMIT)); ended=$$?; $(B)/macrostep report >/dev/null && exit $$ended

$(B)/truth/worker: $(TRUTH:%.c=$O/%.o) $(B)/libmacrostep.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(link) -o $@

# Values are computed by Debian's python3, for which its package of MPFR is made.
TRUTH_FILE := tests/truth/truth.csv
truth: all deps-test $(B)/truth/worker $(if $(GENERATE),deps-truth) ## references and stated errors held against true solutions (EFFORT=short SEED=, ONLY=WORD, SHOW=NAME; GENERATE=1: computes them anew, =check: and compares)
ifdef GENERATE
	@PYTHONDONTWRITEBYTECODE=1 nice /usr/bin/python3 tests/truth/generate.py $(TRUTH_FILE) --jobs $(JOBS) $(if $(filter check,$(GENERATE)),--check) $(if $(ONLY),--only $(ONLY))
else
	@PYTHONDONTWRITEBYTECODE=1 nice python3 tests/truth/judge.py $(B) --jobs $(JOBS) $(if $(filter short,$(EFFORT)),--short) \
	    $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY)) $(if $(SHOW),--show $(SHOW))
endif

audit: ## all campaigns for HOURS=8 (or SECONDS=), round after round with new seeds (SEED=1); what was tried and found, into results/audit.md (FOLDER=: of foreign models)
	@mkdir -p results; MAKE='$(MAKE)' SEED=$(SEED) FOLDER='$(FOLDER)' sh tests/audit results/audit.md $(or $(SECONDS),$(shell echo $$((3600 * $(or $(HOURS),8)))))

# The numerical core: what mutants are made of. How a file of it is compiled, and a test and what scripts call linked, is told in a file, as nothing of it is made here.
MUTATED := $(sort $(filter-out %/sundials_memory.c %/long_call.c %/scheme_registry.c %/nonlinear_petsc.c %/analytic_propagation_balls.c %/analytic_propagation_balls_setup.c,$(wildcard \
    algorithms/numerics/*.c algorithms/numerics/matrices/*.c $(addsuffix /*.c,$(filter algorithms/nonlinear algorithms/schemes%,$(ROOMS))) \
    $(addprefix algorithms/algebraic_loops/,block_solver.c loop.c loop_derivative.c coupled_outputs.c) \
    $(addprefix algorithms/coupling/,cosim_segments.c inner_outputs.c time_events.c) analysis/stability/formula/*.c \
    $(addprefix analysis/stability/,growth.c map_powers.c propagation_map.c propagation_probe.c stability_limit.c))))
MUTANT_TESTS := $(filter tests/algorithms/% tests/analysis/% tests/conformance/%,$(TESTS))
ifdef ROOM # these and the rooms in them instead: what is drawn, and what their tests see
MUTATED_ROOM := $(sort $(patsubst %,%/*.c,$(filter-out %/objects,$(filter $(ROOM) $(ROOM:%=%/%),$(ROOMS)))))
MUTATED += $(filter-out $(MUTATED),$(wildcard $(MUTATED_ROOM)))
MUTANT_TESTS += $(filter-out $(MUTANT_TESTS) %/test_disagreement.c,$(filter $(ROOM:%=tests/%/%),$(TESTS))) # that one wraps a function
MUTANT_SCRIPTS := $(filter tests/command/%,$(TEST_SHELL))
endif
tab := $(shell printf '\t')

$(B)/mutants/commands: FORCE
	$(shell mkdir -p $(@D))$(file >$@,link$(tab)$(CC) $(FLAGS) $(RELRO_$(CONFIG))$(tab)$(B)/libtests.a $(B)/libbench.a $(B)/libmacrostep.a$(tab)$(LIBS) $(TEST_LINK))
	$(foreach f,$(MUTATED),$(file >>$@,compile$(tab)$f$(tab)$(CC) $(FLAGS) $(if $(filter $O/$(f:.c=.o),$(EXPORT_OBJECTS)),$(EXPORT_PLACE)) $(call include_of,$f) $(LIB_CFLAGS) $(PETSC_CFLAGS) $(MPI_CFLAGS)))
	$(foreach f,$(MUTANT_TESTS),$(file >>$@,test$(tab)$f$(tab)$(f:%.c=$O/%.o)))
	$(foreach f,$(MUTANT_SCRIPTS),$(file >>$@,script$(tab)$f))
	$(file >>$@,program$(tab)macrostep$(tab)$(CC) $(FLAGS) $(RELRO_$(CONFIG))$(tab)$(MAIN_OBJECTS) -Wl,--export-dynamic,-z,muldefs $(WHOLE) $(NOTED))
	$(file >>$@,program$(tab)plugins/macrostep-fmu$(tab)$(CC) $(FLAGS) $(RELRO_$(CONFIG))$(tab)$(ISOLATED:%.c=$O/%.o) $(B)/libmacrostep.a $(LIBS))
	$(foreach p,$(EXPORT_LINKED),$(file >>$@,program$(tab)$(p:$(B)/%=%)$(tab)$(LINK_EXPORT)$(tab)$(p:$(B)/plugins/macrostep-%.so=$O/algorithms/export/objects/%.o) $O/algorithms/export/objects/fmi_instance.o $(B)/libmacrostep.a $(END_EXPORT)))

mutants: all deps-test $(B)/mutants/commands $(MUTANT_TESTS:%.c=$O/%.o) $(ARCHIVES) ## small wrongs put into the numerical core, which the tests have to see (MUTANTS=200 SEED=1 FILES=WORD ROOM=models/files ONLY=K LIST=1 CHECK=1, EFFORT=short)
	@PYTHONDONTWRITEBYTECODE=1 nice python3 tests/mutants/mutants.py $(B) --seed $(or $(SEED),1) --jobs $(JOBS) --files '$(FILES)' --rooms '$(ROOM)' \
	    $(if $(MUTANTS),--count $(MUTANTS)) $(if $(ONLY),--only $(ONLY)) $(if $(LIST),--list) $(if $(CHECK),--check) $(if $(filter short,$(EFFORT)),--short)

# The page explorer.html computes in the browser by this much of the library, as WebAssembly. It has the schemes named here and the
# micro-solver exact; of other libraries it has nothing, and what it would ask them for (absent.txt) is larger than it takes.
EXPLORER_SCHEMES := jacobi gauss_seidel balance nepce strang
EXPLORER_CALLS   := open close text model values option radius run rows
EXPLORER_FILES   := $(sort bench/explorer/explorer.c algorithms/run.c $(wildcard $(addsuffix /*.c,algorithms/dependency_graph algorithms/schemes/explicit \
    algorithms/subsystem)) $(filter-out %_balls.c %_balls_setup.c,$(wildcard analysis/stability/formula/*.c)) \
    $(addprefix algorithms/algebraic_loops/,block_solver.c block_solver_setup.c loop.c loop_derivative.c) \
    $(filter-out %/executor_threads.c %/inner_outputs.c %/observation.c,$(wildcard algorithms/coupling/*.c)) \
    $(wildcard algorithms/coupling/variant/*.c) \
    $(addprefix algorithms/numerics/,newton_dense.c polynomial.c spline.c sundials_memory.c $(addprefix matrices/,dense.c dense_eigenvalues.c exponential.c \
    long_call.c matrix.c taylor.c)) $(addprefix algorithms/nonlinear/,nonlinear.c nonlinear_fixed_point.c nonlinear_shared.c) $(addprefix algorithms/options/,modelled.c option_read.c option_table.c options_set.c preset.c) \
    $(addprefix algorithms/schemes/,scheme_registry.c scheme_strang.c step_control.c step_ecco.c step_oms.c step_predictor_corrector.c step_richardson.c \
    interface_jacobian/interface_inputs.c) $(addprefix algorithms/subsystem/solvers/,exact_external.c exact_maps.c solver_exact.c solver_registry.c) \
    $(addprefix analysis/stability/,propagation.c propagation_map.c propagation_probe.c spectrum.c) \
    $(addprefix models/,linear_pair.c mass_spring_damper.c moshagen_2x2.c spring_mass.c stiff_damper.c test_equation.c two_mass_oscillator.c \
    vehicles/quarter_car.c) $(addprefix models/base/,common_step.c model.c series.c status.c structure.c) \
    $(filter-out %/system_digest.c %/system_part.c,$(wildcard models/base/system/*.c)) $(addprefix models/base/texts/,nearest.c number.c synonyms.c))
EXPLORER_CC      := clang --target=wasm32-wasi
EXPLORER_FLAGS    = -Os $(STANDARD) -D_WASI_EMULATED_SIGNAL -ffp-contract=off -fno-common -w -Dcpu_set_t=void -Dms_executor_threads=ms_executor_serial \
    -Dms_executor_ranks=ms_executor_serial -I$(B)/wasm/lists $(subst -isystem,-idirafter,$(LIB_CFLAGS))
WASM := $(B)/plugins/macrostep-explorer.wasm

# The shorter lists of schemes and micro-solvers.
$(B)/wasm/lists/scheme_list.h: Makefile | deps-explorer
	@mkdir -p $(@D)
	@{ $(foreach s,$(EXPLORER_SCHEMES),echo 'MS_SCHEME(ms_scheme_$s)'; )} >$@
	@echo 'MS_SOLVER(ms_solver_exact)' >$(@D)/solver_list.h; echo 'MS_NONLINEAR(ms_nonlinear_fixed_point)' >$(@D)/nonlinear_list.h

$(EXPLORER_FILES:%.c=$(B)/wasm/%.o): $(B)/wasm/%.o: %.c $(B)/wasm/lists/scheme_list.h
	@mkdir -p $(@D)
	$(call say,WASM,$<)$(EXPLORER_CC) $(EXPLORER_FLAGS) $(call include_of,$<) -MMD -MP -c $< -o $@

$(WASM): $(EXPLORER_FILES:%.c=$(B)/wasm/%.o) bench/explorer/inside/absent.txt
	@mkdir -p $(@D)
	$(call say,LD,$@)$(EXPLORER_CC) -mexec-model=reactor $(filter %.o,$^) -lm -lwasi-emulated-signal -Wl,-s -Wl,--gc-sections -Wl,--error-limit=0 -Wl,--stack-first -Wl,-z,stack-size=1048576 \
	    -Wl,--allow-undefined-file=bench/explorer/inside/absent.txt $(EXPLORER_CALLS:%=-Wl,--export=ms_explorer_%) -o $@

-include $(EXPLORER_FILES:%.c=$(B)/wasm/%.d)

explorer: all $(WASM) ## what explorer.html of the report computes with, as WebAssembly: clang, lld and wasi-libc make it

browser: all deps-browser $(WASM) ## the report in a headless Chromium, at 1400 px and in a frame of 390 px; size and load time of results/, if it is there
	@$(THREADS) MACROSTEP='$(abspath $(B)/macrostep)' PYTHONDONTWRITEBYTECODE=1 sh tests/browser/run '$(B)/browser' results

kernels: all $(or $(KERNEL_RUN),$(TEST_RUN)) ## the test programs and figures under each kernel type of OpenBLAS (KERNELS=, FIGURE_KERNELS=)
	@MACROSTEP='$(abspath $(B)/macrostep)' JOBS=$(JOBS) sh tests/run_kernels $(or $(KERNEL_RUN),$(TEST_RUN))

figures: all ## draw every figure and table of the papers, then the report, into results/
	$(THREADS) $(B)/macrostep figures
	$(THREADS) $(B)/macrostep report

# What is built first speaks on standard error, so that standard output is the answer.
BENCH_RANKS = 'mpirun -n 3 $(B)/speed/execution mpi 3'
bench: ## speed as ratios (FORMAT=json, BASE=FILE, EFFORT=short|long); error 1: one is missed, 3: rounds scatter
	@$(MAKE) -s all $(SPEED_PROGRAMS) >&2
	@env $(OPEN_MPI) $(THREADS) $(B)/speed/collect $(if $(FORMAT),--format $(FORMAT)) $(if $(BASE),--base '$(BASE)') \
	    $(if $(EFFORT),--effort $(EFFORT)) $(BENCHMARKS) \
	    $(if $(MPI_PACKAGE),$(if $(shell command -v mpirun),$(BENCH_RANKS)))

asan: ## the tests with address and undefined-behaviour sanitizers
	@$(MAKE) CONFIG=asan B=$(B)/asan test

valgrind: deps-lint all $(TEST_RUN) ## the test programs under valgrind
	@WRAPPER='valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' $(run_tests) $(TEST_RUN)

# Of what threads share. clang's, as its OpenMP says to the sanitizer who waits for whom; what is not compiled here (OpenBLAS, libzip) is left out.
SHARING := thread_pool execution cosim_steppers instance_shared reference_cache dense_solution
tsan: deps-fuzz ## the tests of what threads share with ThreadSanitizer, compiled by clang (TEST=NAME: others)
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1 $(MAKE) CONFIG=tsan B=$(B)/tsan CC='$(FUZZ_CC)' TEST='$(or $(TEST),$(SHARING))' programs

programs: $(filter-out %.sh,$(TEST_CHOSEN))
	@$(run_tests) $^

asan-figures: ## each figure once with address and undefined-behaviour sanitizers, into build/asan/figures (FIGURES="WORD ..": those whose names hold one)
	@$(MAKE) CONFIG=asan B=$(B)/asan all
	@MACROSTEP='$(abspath $(B)/asan/macrostep)' JOBS=$(JOBS) $(THREADS) $(SANITIZERS) nice sh tests/run_figures '$(B)/asan/figures' $(FIGURES)

coverage: ## lines and functions that the tests, and refusals, reach, by room, also where one fails (FILES=--files); error 1: less than wanted
	@find $(B)/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) CONFIG=coverage B=$(B)/coverage test; tested=$$?; \
	$(MAKE) CONFIG=coverage B=$(B)/coverage faults EFFORT=middle >$(B)/coverage/faults.log 2>&1 || \
	    { echo 'make coverage: refusals did not end well ($(B)/coverage/faults.log):' >&2; tail -n 3 $(B)/coverage/faults.log >&2; }; \
	python3 tests/coverage $(B)/coverage $(FILES) && exit $$tested

# libomp-dev has clang's omp.h; gcc's is not for clang. The analyser follows the paths of the program, not those of the tests.
reads_source = $(STANDARD) -fopenmp $(WARNINGS) $(call include_of,$1) $(LIB_CFLAGS) $(PETSC_CFLAGS) $(MPI_CFLAGS) $(ARB_CFLAGS) \
    $(foreach name,VERSION COMMIT FLAGS OPENBLAS PLUGIN_BUILD,-DMS_$(name)='""')
# A folder at a time, which is a fifth less than a file at a time: the files that changed, or all of them where a header did.
TIDY_FOLDERS := $(sort $(patsubst %/,%,$(dir $(SOURCES))))
TIDY_STAMPS := $(TIDY_FOLDERS:%=$(B)/lint/%.ok)
$(foreach f,$(TIDY_FOLDERS),$(eval $(B)/lint/$f.ok: $(filter $(wildcard $f/*.c),$(SOURCES))))
$(TIDY_STAMPS): $(B)/lint/%.ok: $(HEADERS) .clang-tidy | deps-lint
	@mkdir -p $(@D)
	$(call say,TIDY,$*)clang-tidy --quiet --warnings-as-errors='*' $(if $(filter tests/%,$*),--checks=-clang-analyzer-*) \
	    $(or $(if $(filter-out %.c,$?),,$?),$(filter %.c,$^)) -- \
	    $(call reads_source,$*/x.c) $(WARNINGS_OF_CLANG) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

FORMATTED = $(filter-out $(foreach r,$(ROOMS_aligned),$(wildcard $r/*.[ch])),$(SOURCES) $(HEADERS) $(TEST_FMUS))

format: | deps-lint ## clang-format over everything but the model files
	clang-format -i $(sort $(FORMATTED))

format-check: | deps-lint
	$(call say,FORMAT,$(FOLDERS) tests)clang-format --dry-run --Werror $(sort $(FORMATTED))

lint: $(TIDY_STAMPS) format-check $(B)/macrostep ## clang-tidy, cppcheck, clang-format, directions of includes, circles of calls, state, licence lines
	@files=$$(git ls-files '*.[ch]' '*.sh' '*.py' '*.js' '*.css' '*.yml' '*.1' 2>/dev/null) || files='$(SOURCES) $(HEADERS) $(TEST_FMUS)'; \
	bare=$$(grep -L 'SPDX-License-Identifier' $$files); [ -z "$$bare" ] || \
	    { echo "no line SPDX-License-Identifier: $$bare" >&2; exit 1; }
	$(call say,C++,ROOM/macrostep/*.h)for header in $(PUBLIC); do echo "#include \"$$header\"" | g++ -Wall -Wextra -fsyntax-only -I. $(INCLUDE_analysis) -x c++ - || exit 1; done
	$(call say,LINT,rooms)sh tests/lint_rooms $(foreach room,$(ROOMS),$(room):$(call comma,$(INCLUDE_$(room):-I%=%)))
	$(call say,LINT,calls)sh tests/lint_calls $O/ $(patsubst %.c,$O/%.o,$(LIBRARY) $(BENCH) bench/main.c bench/exits.c bench/refused.c)
	$(call say,LINT,returns)sh tests/lint_returns tests/faults/numerics.c $(LIBRARY) $(BENCH)
	$(call say,LINT,state)sh tests/lint_state $O/ $(patsubst %.c,$O/%.o,$(LIBRARY) $(ISOLATED))
	$(call say,CPPCHECK,$(FOLDERS) tests)cppcheck -q -j $(JOBS) --std=c11 --error-exitcode=1 --inline-suppr \
	    --enable=warning,performance,portability --suppress=missingIncludeSystem $(INCLUDE_tests) $(foreach room,$(ROOMS),$(call inside_of,$(room))) \
	    $(SOURCES)

# How each source is compiled, for the language servers of editors, which look for it in build/.
json_command = {"directory": "$(CURDIR)", "file": "$1", "command": "$(subst ",\",$(CC) $(call reads_source,$1) -c $1)"}
$(B)/compile_commands.json: $O/files Makefile
	$(file >$@,[$(call json_command,bench/main.c))
	$(foreach f,$(filter-out bench/main.c,$(SOURCES)),$(file >>$@,$(comma_sign)$(call json_command,$f)))
	$(file >>$@,])

# Installing -------------------------------------------------------------------------------------------------------

define pkg_config_file
prefix=$(PREFIX)
includedir=$${prefix}/include
libdir=$${prefix}/lib

Name: macrostep
Description: Co-simulation: models, coupling schemes and their numerical analysis
Version: $(VERSION)
Requires: openblas lapacke jansson
Cflags: "-I$${includedir}"
Libs: "-L$${libdir}" -rdynamic -Wl,-rpath,$(subst $(space),\$(space),$(PREFIX))/lib/macrostep -lmacrostep $(addprefix -lsundials_,$(SUNDIALS)) -lgsl -ldl -lm -fopenmp $(filter -fsanitize=% --coverage,$(FLAGS))
endef

# The manual, and what it refers to; its links hold where it is installed.
MANUAL := README.md bench/README.md bench/studies/README.md algorithms/schemes/README.md models/fmu/README.md

install: export PKG_CONFIG_FILE = $(pkg_config_file)
install: all ## the command, library, what both open, headers, pkg-config file, schemas, Python package, completion, manual and man page, under DESTDIR and PREFIX
	install -d $(addprefix '$(DESTDIR)$(PREFIX)'/,bin lib/macrostep lib/pkgconfig include/macrostep share/man/man1 share/macrostep/schemas share/macrostep/python/macrostep \
	    share/bash-completion/completions share/zsh/site-functions)
	install $(B)/macrostep '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 $(B)/libmacrostep.a '$(DESTDIR)$(PREFIX)/lib'
	for object in $(B)/plugins/*.so $(B)/plugins/*.h $(B)/plugins/*.wasm; do [ ! -e "$$object" ] || install -m 644 "$$object" '$(DESTDIR)$(PREFIX)/lib/macrostep'; done
	install $(B)/plugins/macrostep-fmu '$(DESTDIR)$(PREFIX)/lib/macrostep'
	install -m 644 $(PUBLIC) '$(DESTDIR)$(PREFIX)/include/macrostep'
	install -m 644 bench/macrostep.1 '$(DESTDIR)$(PREFIX)/share/man/man1'
	for text in $(MANUAL); do install -D -m 644 $$text '$(DESTDIR)$(PREFIX)/share/doc/macrostep/'$$text; done
	install -m 644 $(wildcard bench/schemas/*.json) '$(DESTDIR)$(PREFIX)/share/macrostep/schemas'
	install -m 644 $(wildcard bench/python/*.py bench/python/*.toml bench/python/*.ipynb) '$(DESTDIR)$(PREFIX)/share/macrostep/python'
	install -m 644 $(wildcard bench/python/macrostep/*.py bench/python/macrostep/*.typed) '$(DESTDIR)$(PREFIX)/share/macrostep/python/macrostep'
	! command -v python3 >/dev/null || MACROSTEP='$(abspath $(B)/macrostep)' PYTHONDONTWRITEBYTECODE=1 python3 bench/python/backend.py \
	    '$(DESTDIR)$(PREFIX)/share/macrostep/python/macrostep'
	$(B)/macrostep --completion bash >'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/macrostep'
	$(B)/macrostep --completion zsh >'$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_macrostep'
	printf '%s\n' "$$PKG_CONFIG_FILE" | install -m 644 /dev/stdin '$(DESTDIR)$(PREFIX)/lib/pkgconfig/macrostep.pc'

DEB = $(B)/macrostep_$(VERSION)_$(shell dpkg --print-architecture).deb
DEB_ROOT := $(B)/deb

deb: | deps-deb ## a Debian package of what install installs, as build/macrostep_VERSION_ARCHITECTURE.deb
	@rm -rf $(DEB_ROOT)
	@$(MAKE) --silent install DESTDIR='$(abspath $(DEB_ROOT))' PREFIX=/usr
	$(call say,DEB,$(DEB))SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || date +%s)} \
	    bench/package/make_deb $(VERSION) $(DEB_ROOT) $(DEB)
	@rm -rf $(DEB_ROOT)

clean: ## remove build/ and generated results; what was published stays
	rm -rf build results/figures results/report.* results/field.html results/errata.html results/ledger.html results/explorer.html results/foreign.*
