# kinbench: every action a user takes. `make` explains them; V=1 shows the commands.

include ci/names.mk
$(if $(filter-out $(wildcard $(RECIPE)),$(RECIPE)),$(error no recipe '$(RECIPE)': there are \
    $(wildcard datasets/recipes/*.json)))
# a recipe, and the .json beside a database, name their mechanism, unless MECH= is given
NAMED_BY := $(if $(filter undefined,$(origin MECH)),$(firstword $(wildcard \
    $(RECIPE) $(DB:.npy=.json))))
ifneq ($(NAMED_BY),)
MECH := $(or $(call recipe_value,mech,$(NAMED_BY)),gri30)
$(foreach k,thermo qss phase ideal,$(eval $(call upper,$k) ?= $(call recipe_value,$k,$(NAMED_BY))))
endif
$(foreach v,THERMO SOURCE,$(if $(filter-out $(wildcard $($v)),$($v)),$(error $v=$($v): there is no \
    such file)))
$(foreach v,PHASE IDEAL,$(if $($v),$(eval export KB_$v := $$($v))))
$(if $(QSS),$(eval export KB_QSS := $$(abspath $$(QSS))))

# the tests compile CUDA for the smallest mechanism alone, unless there is a GPU to run it
testing := $(filter test,$(MAKECMDGOALS))
MECH ?= $(if $(testing),h2,gri30)
MARCH ?= native
CC := gcc
BUILD := build
$(if $(filter-out /,$(BUILD)),,$(error BUILD=$(BUILD): give it a folder of its own))
X := $(BUILD)/tests
VERSION := $(file <VERSION)
MAKEFLAGS += --no-builtin-rules
# awk and sort read 1.5 as 1 where people write 1,5
export LC_ALL := C
Q := $(if $(filter 1,$(V)),,@)
say = @$(if $(3),STEP='1 0') ci/say $(1) $(2)
# a mechanism as programs take it
MECH_ARGS = $(MECHFILE) $(addprefix --thermo ,$(THERMO))
# $(call do,TOOL,TEXT[,WEIGHT])COMMAND: a step of the build, and the line about it; one of a weight
# takes as long as so many others (ci/while)
define do
$(call say,$(1),$(2),$(3))
@mkdir -p $(@D)
$(Q)$(if $(and $(COUNTER),$(3)),ci/while $(3) $(1) $(2) )ci/whole $@ $(empty)
endef
# an object of an absolute BUILD here has the name that make has without it, too
TO = -MMD -MP $(addprefix -MT ,$(sort $@ $(@:$(CURDIR)/%=%))) -o $@
# text $(2) when the user gave the variable $(1)
given = $(if $(filter command environment,$(firstword $(origin $(1)))),$(2))
# options of programs, in capitals variables: words NAME:name:VALUE, with 0 for a switch
options_of = $(shell awk -f ci/options.awk $(wildcard drivers/$(1).c drivers/$(1)/settings.c) | \
    awk -F'\t' '{ print $$1 ":" $$2 ":" ($$3 == "0" ? 0 : "") }')
# $(call pass,PROGRAM,NAMES,any): its options but NAMES (and a shell's COLUMNS) that the user gave,
# or that have any value
pass = $(strip $(foreach o,$(call options_of,$(1)),$(call option,$(filter-out $(2) COLUMNS,$(word \
    1,$(subst :, ,$o))),$(word 2,$(subst :, ,$o)),$(word 3,$(subst :, ,$o)),$(3))))
# $(1) variable, $(2) option, $(3) 0 if it takes no value, $(4) any
option = $(if $(and $(1),$($(1)),$(or $(4),$(call given,$(1),x))),$(if $(3),$(if $(filter \
    1,$($(1))),--$(2)),--$(2) $(if $(call unsafe,$($(1))),$(call quoted,$($(1))),$($(1)))))

include ci/config.mk
# what a crash of the machine left empty is made again, and what a wrong clock made in the future;
# parts of files (ci/whole) go in a day; nothing in a folder that is not ours
$(if $(wildcard $(BUILD)/host),$(shell find $(BUILD) -path $(BUILD)/compared -prune -o -type f \
    \( -size 0 ! -path '*/new/*' ! -newermt '5 seconds ago' \( -name '*.[oa]' -o -name '*.so' \
    -o -name '*.h' ! -name large.h -o -perm -u+x \) -o -newermt '1 minute' \
    -o -name 'part-*' -mtime +0 \) -exec rm -f {} + 2>/dev/null))
# files of lanes read what they use of GCC's immintrin.h, so that they compile sooner
ifneq ($(testing),)
TEST_HEADERS := $(shell echo '#include <immintrin.h>' | $(CC) -march=$(MARCH) -Itests/lanes \
    -fsyntax-only -x c - 2>/dev/null && echo -Itests/lanes)
override EXTRA += $(TEST_HEADERS)
endif

# clang tells loops that it does not vectorize
WARN := -Wall -Wextra -Wno-missing-field-initializers $(if \
    $(findstring -fsanitize,$(EXTRA)),-Wno-format-overflow,-Werror) $(if \
    $(findstring clang,$(CC)),-Wno-pass-failed)
CFLAGS := -std=gnu11 -O2 $(WARN) -I. $(EXTRA)
# NaN and infinity keep their meaning
LANE_FLAGS := $(or $(OPTIMISE),-O3) -march=$(MARCH) $(VECTORS) -ffp-contract=fast \
    -fno-math-errno -fno-trapping-math -fopenmp
SCALAR_FLAGS := -std=gnu11 $(WARN) -I. -Wno-psabi -fPIC $(LANE_FLAGS) $(EXTRA)
LDLIBS := -lyaml -ljansson -lmd -lm -ldl

# --- host library and programs
GENERATORS := ignition pasr flamelet lem import flow
PROGRAMS := $(patsubst drivers/%.c,%,$(filter-out %/startup.c,$(wildcard drivers/*.c)))
LIB_SOURCES := $(filter-out mech/tables/mechc.c solvers/exported.c solvers/plugin_ode.c \
    solvers/run_time.c,$(wildcard $(foreach c,/*.c /*/*.c /*/*/*.c,$(addsuffix $c,base mech rows \
    pasr)) solvers/*.c))
STARTUP := $(BUILD)/host/drivers/startup.o
$(STARTUP): private CFLAGS += -DKB_VERSION='"$(VERSION)"'
$(STARTUP): VERSION
DRIVER_PARTS := $(wildcard drivers/*/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/host/%.o)
PART_OBJECTS := $(DRIVER_PARTS:%.c=$(BUILD)/host/%.o)
RANKS_OBJECTS := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard drivers/ranks/mpi/*.c))
# programs of a first run wait for few of these, all others for all parts
FIRST_PROGRAMS := bench plugin_host rows kinbench
GENERATING := pasr ignite
MECH_OBJECTS := $(filter $(BUILD)/host/mech/% $(BUILD)/host/base/%,$(LIB_OBJECTS))
GENERATE_PARTS := $(filter $(BUILD)/host/drivers/generate/%,$(PART_OBJECTS))
FIRST_OBJECTS := $(filter-out $(BUILD)/host/pasr/generators/%,$(LIB_OBJECTS)) \
    $(filter $(addprefix $(BUILD)/host/drivers/,bench/% env/% ranks/%),$(PART_OBJECTS))

# goals: what make help names, and others
.PHONY: FORCE $(shell grep -oE 'make [a-z-]+' ci/help | cut -c6-) help solvers any accelerint \
    first-look flow-gas flow-smoke library-mechanism library-any python-files features \
    reproduction pictures
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# a slip in a variable's name or value, before anything is built
GIVEN := $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v))
$(if $(GIVEN),$(if $(filter known,$(shell env GOALS='$(MAKECMDGOALS)' NVCC='$(NVCC)' ci/variables \
    $(foreach v,$(GIVEN),$(call quoted,$v=$(value $v))) >&2 && echo known)),,$(error nothing was \
    done)))

# $(call needs,GOAL,VARIABLES,TEXT): what a goal cannot do without
needs = $(if $(filter $(1),$(MAKECMDGOALS)),$(foreach v,$(2),$(if $($v),,$(error make $(firstword \
    $(filter $(1),$(MAKECMDGOALS))): $v= is not given ($(3))))))
$(call needs,import,SOURCE,docs/databases.md)
$(call needs,accelerint witness,ACCELERINT_DIR PYJAC_DIR,docs/peers.md)
# $(call no,GOALS,VARIABLE,TEXT): what a goal does not take
no = $(if $(and $(filter $(1),$(MAKECMDGOALS)),$(call given,$(2),$($(2)))),$(error $(3)))
$(call no,validate,MECH,MECH=$(MECH): make validate has mechanisms of its own (tests/validate/run))
$(call no,bench verify,PLAN,PLAN= is of make experiment and make reproduce: make plan has the \
    cells of make bench)

help:
	@cat ci/help; echo
	@echo "found: $(CC) $(shell $(CC) -dumpfullversion), lanes $(LANES) ($(MARCH))," \
	    "nvcc $(or $(NVCC_VERSION),none), GPU $(or $(GPU),none)," \
	    "gnuplot $(or $(shell gnuplot --version 2>/dev/null | cut -d' ' -f2),none)"
	@echo "missing: $(or $(MISSING),nothing)"
	@echo "engines: $(foreach e,$(built_always),$(name_$e));" \
	    "VARIANTS= adds $(call commas,$(VARIANT_WORDS))"

tools: $(PROGRAMS:%=$(BUILD)/%) $(BUILD)/mechc

$(BUILD)/host/%.o: %.c
	$(call do,cc,$<)$(CC) $(CFLAGS) -fPIC -fvisibility=hidden $(TO) -c $<
# what reads and writes text is fast enough, and compiles in two thirds of the time
$(foreach f,mech/chemkin mech/yaml rows drivers,$(BUILD)/host/$f/%.o): private CFLAGS += -O1
$(BUILD)/libkb.a: $(LIB_OBJECTS)
$(BUILD)/libdrivers.a: $(PART_OBJECTS)
$(BUILD)/libmech.a: $(MECH_OBJECTS)
$(BUILD)/libfirst.a: $(FIRST_OBJECTS)
$(BUILD)/libgenerate.a: $(GENERATE_PARTS)
$(BUILD)/lib%.a: ; $(call do,ar,$@)rm -f $(@D)/part-$$$$ && ar qcs $(@D)/part-$$$$ $^ && \
    mv $(@D)/part-$$$$ $@

$(PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/host/drivers/%.o
$(FIRST_PROGRAMS:%=$(BUILD)/%): $(BUILD)/libfirst.a
$(GENERATING:%=$(BUILD)/%): $(BUILD)/libgenerate.a $(BUILD)/libkb.a
$(patsubst %,$(BUILD)/%,$(filter-out $(FIRST_PROGRAMS) $(GENERATING),$(PROGRAMS))): \
    $(BUILD)/libdrivers.a $(BUILD)/libkb.a
$(BUILD)/mechc: $(BUILD)/host/mech/tables/mechc.o
# its tables for many ODEs side by side (solvers/portable/many.h)
MANY_TABLES := $(patsubst %,$(BUILD)/many/mech/tables/%.o,bundles sparse team)
$(MANY_TABLES): $(BUILD)/many/%.o: %.c
	$(call do,cc,'$< (many)')$(CC) $(CFLAGS) -DKB_MANY $(TO) -c $<
$(BUILD)/mechc_many: $(BUILD)/host/mech/tables/mechc.o $(MANY_TABLES)
$(BUILD)/mechc $(BUILD)/mechc_many: $(BUILD)/libmech.a
$(PROGRAMS:%=$(BUILD)/%) $(BUILD)/mechc $(BUILD)/mechc_many: $(STARTUP)
	$(call do,link,$@)$(CC) $(CFLAGS) -o $@ $(filter-out $(STARTUP) %.a,$^) $(STARTUP) \
	    $(filter %.a,$^) $(LDLIBS)

# --- one mechanism: constants.h, then an object for each method and engine, then solvers.so
# $(call defaults,GOAL): what the user leaves out, words VARIABLE?=value
defaults = $(if $(filter $(1),$(MAKECMDGOALS)),$(foreach d,$(DEFAULTS_$(1)),$(eval $d)))
# $(call fitting,N,N...): not more ODEs than states of the user
fitting = $(if $(RECIPE)$(if $(DB),,1),$(1),$(shell ci/fitting $(call quoted,$(DB)) $(1)))
DEFAULTS_peers := METHODS?=rodas4,rodas5p,seulex N?=$(call fitting,128) DT?=1e-4 REPEATS?=5 \
    BUDGET?=10 RTOL?=1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8
$(call defaults,peers)
# before anything is built
$(if $(filter-out %.npy,$(DB))$(if $(DB),$(wildcard $(DB)/.)),$(error DB=$(DB): a file of states \
    ends with .npy; make import SOURCE= makes it of others (docs/databases.md)))
ONLY_METHODS := $(METHODS)
include drivers/bench/quick.mk solvers/mechanism.mk solvers/run_time.mk
$(if $(COUNTER),$(shell mkdir -p $(BUILD) && date +'%s %s' >$(COUNTER)))
# make verify: many tolerances, on one thread, with states enough for a percentile. point_implicit
# has no tolerance but steps; the yardstick has half decades too, so that no ratio is a gap between
# its tolerances
swept = $(if $(filter point_implicit,$(1)),$(foreach k,1 4 16 64 256 1024,\
    $(1):steps=$k:rtol=1:atol=1),$(1)) $(if $(filter cvode,$(1)),$(foreach k,3:-9 4:-10 5:-11 \
    6:-12 7:-13 8:-14 9:-15 10:-16,$(1):rtol=3e-$(subst :,:atol=3e,$k)))
DEFAULTS_verify = N?=$(QUICK_N) DT?=1e-6,1e-4 SCHEDULE?=refill THREADS?=1 REPEATS?=3 \
    BUDGET?=$(if $(GPU),20,6) RTOL?=1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9,1e-10 LABEL:=verify \
    SOLVERS?=$(call commas,$(foreach m,$(if $(ONLY_METHODS),,cvode) $(METHODS),$(call swept,$m)))
DEFAULTS_orders = N?=$(call fitting,$(if $(GPU),65536,4096)) SCHEDULE?=static,refill ORDER?=all \
    THREADS?=1 SOLVERS?=$(or $(ONLY_METHODS),$(call commas,rodas4 radau2a rkc)) LABEL:=orders
$(call defaults,verify)$(call defaults,orders)
# CVODE at three tolerances: a loose method is compared with a CVODE that is as loose
DEFAULTS_ = N?=$(if $(COMMITS),$(QUICK_N),$(call fitting,$(call commas,64 256 1024))) DT?=1e-6 \
    ENGINES?=all SCHEDULES?=$(or $(SCHEDULE),$(call commas,static refill)) ORDER?=generated \
    THREADS?=1,all REPEATS?=5 BUDGET?=60 SOLVERS?=$(call commas,cvode \
    cvode:rtol=1e-6:atol=1e-12 cvode:rtol=1e-4:atol=1e-10 cvode-klu cvode-dense $(METHODS))
DEFAULTS_QUICK = N?=$(QUICK_N) DT?=1e-6,1e-4 SCHEDULES?=refill ORDER?=generated THREADS?=all \
    REPEATS?=10 BUDGET?=12 RTOL?=1e-2,1e-4,1e-6,1e-8 ENGINES?=$(call commas, \
    cpu-simd$(MANY) $(if $(NVCC),gpu-thread gpu-warp gpu-block gpu-pair gpu-pair-float)) \
    SOLVERS?=$(call commas,$(filter-out cvode%,$(QUICK_METHODS)))
$(foreach d,$(DEFAULTS_$(QUICK:1=QUICK)),$(eval $d))
ATOL ?= $(if $(QUICK)$(filter verify,$(MAKECMDGOALS)),$(call atol_of,$(RTOL)))
NMAX := $(lastword $(call blanks,$(N)))
# engines of any mechanism among them: without others nothing is compiled for this one
ANY_ASKED := $(filter %-any,$(call blanks,$(ENGINES)))
ANY_ALONE := $(if $(ANY_ASKED),$(if $(filter-out %-any,$(call blanks,$(ENGINES))),,1))
ANY_FILE := $(NAME)=$(MECHFILE)$(THERMO:%=$(comma)%)
OPENED := $(if $(ANY_ALONE),$(ANY_FILE),$(SOLVERS_SO))
OPENED_SO := $(if $(ANY_ALONE),,$(SOLVERS_SO)) $(if $(ANY_ASKED),$(ANY_SO) $(MECHFILE))
$(if $(ANY_ASKED),$(eval export KB_ANY := $(ANY_SO)))
# papers take their ignition states from the begin of the list, of flamelets n points all over
SAMPLE ?= $(if $(and $(TILE),$(filter ignition,$(GENERATOR))),first,even)
# at least NMAX states before a reaction, of a PaSR whose step is the first dt; of a mechanism
# without its recipe, and for TILE=1, NMAX states of its own ignition
DTS := $(call blanks,$(DT))
BEFORE := $(if $(RECIPE)$(TILE),,$(wildcard datasets/recipes/$(NAME:%-oneway=%)-before.json))
FROM := $(or $(RECIPE),$(BEFORE),$(wildcard datasets/recipes/$(NAME:%-oneway=%)-ignition.json))
MEANT := $(call recipe_value,mech,$(RECIPE))
STATES_OF := datasets/databases/$(if $(RECIPE),$(basename $(notdir $(RECIPE)))$(if $(filter \
    $(MEANT)-oneway,$(NAME)),-oneway,$(if $(filter-out $(MEANT),$(NAME)),-$(NAME))),$(NAME)-$(if \
    $(BEFORE),before-$(firstword $(DTS)),ignition))
# how many are made, where the recipe alone does not say it
MOST := $(if $(and $(RECIPE),$(if $(TILE),,1)),,$(NMAX))
MADE := $(or $(if $(RECIPE),$(DB)),$(STATES_OF)$(MOST:%=-%)$(if $(TILE),-tiled).npy)
MAKE_OPTIONS := $(MOST:%=--n %) $(if $(TILE),--tile $(call recipe_value,n,$(FROM))) \
    $(if $(BEFORE),--dt $(firstword $(DTS)))
# a run for each dt, since each has states of its own
EACH_DT := $(if $(DB),,$(if $(BEFORE),$(if $(word 2,$(DTS)),$(DTS))))
GENERATOR := $(or $(call recipe_value,generator,$(FROM)),ignition)
$(if $(filter-out $(GENERATORS),$(GENERATOR)),$(error $(FROM): no generator '$(GENERATOR)': there \
    are $(GENERATORS)))
GENERATOR_PROGRAM := $(BUILD)/$(patsubst import,dbimport,$(patsubst ignition,ignite,$(GENERATOR)))
DB ?= $(MADE)
WHOLE := $(MADE)
ifneq ($(and $(TILE),$(filter-out ignition,$(GENERATOR))),)
# ignite alone repeats its states by itself
WHOLE := $(STATES_OF).npy
MAKE_OPTIONS :=
$(MADE): $(WHOLE) | $(BUILD)/dbimport $(SOLVERS_SO)
	@$(BUILD)/dbimport --mech $(MECH_ARGS) --solvers $(SOLVERS_SO) --source $< --n $(NMAX) --out $@
endif
$(if $(filter-out $(MADE) $(wildcard $(DB)),$(DB)),$(error DB=$(DB): there is no such file of \
    states; without DB= they are made (docs/databases.md)))
$(if $(FROM)$(wildcard $(DB)),,$(if $(filter bench verify plan roofline databases dbinfo orders \
    $(WHOLE),$(MAKECMDGOALS)),$(error $(NAME): there is no datasets/recipes/$(NAME)-ignition.json \
    to make states by: give DB=file.npy, or RECIPE=file.json (docs/databases.md))))
$(if $(filter device,$(CHAIN)),$(if $(filter-out 1,$(STEPS)),,$(error CHAIN=device: one global \
    step has no states to keep (give STEPS=, 2 or more))))
BENCH_OPTIONS = --mech $(if $(QUICK)$(ANY_ALONE),$(OPENED),$(NAME)) \
    $(if $(ANY_ALONE),,$(ANY_ASKED:%=--mech-file $(ANY_FILE))) \
    --engines $(ENGINES) --orders $(ORDER) $(call pass,bench,MECH MECH_FILE ENGINES ORDERS OUT \
    PLAN LIST JSON $(if $(STEPS),,TAU_MIX),any) $(if $(QUICK),$(QUICK_ALSO))
JSON_WANTED = $(if $(filter json,$(FORMAT)),--json)
export KB_COMMAND = make $(firstword $(MAKECMDGOALS)) $(MAKEOVERRIDES)
ifneq ($(EACH_DT),)
bench verify plan:
	+@set -e; for dt in $(EACH_DT); do $(MAKE) --no-print-directory $@ DT=$$dt \
	    $(if $(RUN),RUN=$(RUN)-$$dt); done
else
# if nothing is compiled for this mechanism, first rows on states that are there, or of its ignition
FIRST_LOOK := $(if $(filter bench,$(MAKECMDGOALS)),$(if $(QUICK),$(if $(RANKS)$(wildcard \
    $(OPENED_SO:$(MECHFILE)=)),,$(or $(wildcard $(DB)),$(wildcard \
    datasets/recipes/$(NAME)-ignition.json)))))
# beyond 1000 reactions the time of rodas4 before that, if states are there
FIRST_ODES := $(if $(and $(MANY),$(filter %.npy,$(FIRST_LOOK))),first-odes)
# what is not there yet, for ci/say
COUNTED := $(LIB_OBJECTS) $(if $(filter verify,$(MAKECMDGOALS)),$(PART_OBJECTS), \
    $(FIRST_OBJECTS) $(GENERATE_PARTS)) \
    $(if $(ANY_ALONE),,$(M_OBJECTS)) $(if $(ANY_ASKED),$(call any_objects,$(COMPILED))) \
    $(if $(FIRST_LOOK),$(call any_objects,rodas4_simd_any))
STEPS_LEFT := $(if $(COUNTER),$(foreach o,$(sort $(COUNTED)),$(if $(wildcard $o),,$o)))
export TO_BUILD := $(if $(COUNTER),$(words $(STEPS_LEFT)))
export WORK := $(if $(COUNTER),$(shell echo $$((0 $(foreach o,$(STEPS_LEFT),+ $(or $(call \
    weight,$o),1))))))
ifneq ($(FIRST_LOOK),)
look = drivers/bench/first_look $(1) $(ANY_FILE) $(FIRST_LOOK) $(firstword $(call \
    blanks,$(DT))) $(firstword $(call blanks,$(N))) $(call option,SPECIES,species) $(call \
    option,REPAIR,repair,0)
first-look: | $(FIRST_ODES) $(FIRST_SO) $(MECHFILE) $(patsubst %,$(BUILD)/%,bench plugin_host \
    rows ignite) $(GENERATOR_PROGRAM)
	@KB_ANY=$(FIRST_SO) $(call look,$(if $(FIRST_ODES),look,all))
$(WHOLE) $(TABLE_FOLDERS:%=%/tables) $(M_OBJECTS) \
    $(filter-out $(call any_objects,rodas4_simd_any),$(call any_objects,$(COMPILED))): | first-look
endif
ifneq ($(FIRST_ODES),)
# nothing is compiled before that is not run, and its engine, which takes gcc longest, comes early
FIRST_HOST := $(patsubst %,$(BUILD)/host/drivers/%.o,bench rows)
first-odes: | $(ODES_SO) $(BUILD)/bench $(BUILD)/rows $(MECHFILE)
	@KB_ANY=$(ODES_SO) $(call look,odes)
$(filter-out $(ANY_HOST),$(FIRST_OBJECTS) $(FIRST_HOST)): | $(ANY)/constants.h
$(filter-out $(FIRST_OBJECTS) $(FIRST_HOST) $(ODES_OBJECTS),$(LIB_OBJECTS) $(PART_OBJECTS) \
    $(PROGRAMS:%=$(BUILD)/host/drivers/%.o) $(RANKS_OBJECTS) $(call \
    any_objects,rodas4_simd_any)): | first-odes
endif
bench: $(FIRST_ODES) $(BUILD)/bench $(BUILD)/plugin_host $(OPENED_SO) $(DB)
	$(MANY:%=@echo "note: $(NAME) has more than 1000 reactions: measured by engines of any mechanism" \
	    "(docs/engines.md); ENGINES=cpu-simd compiles its own")
	@$(LAUNCH) $(BUILD)/bench $(BENCH_OPTIONS)
	@$(DRAW_OR_SAY)
verify: $(BUILD)/bench $(BUILD)/verify $(OPENED_SO) $(DB)
	@$(BUILD)/bench $(BENCH_OPTIONS) --brief $(if $(JSON_WANTED),>&2)
	@$(BUILD)/verify results/latest $(JSON_WANTED)
	@plots/verify $(if $(JSON_WANTED),>&2)
plan: $(BUILD)/bench $(OPENED_SO) $(DB)
	@$(BUILD)/bench $(BENCH_OPTIONS) --plan $(JSON_WANTED)
endif

# where runs on this machine lie
run_name = $(or $(RUN),$(1)-$(NAME))
HERE = results/$$($(BUILD)/env | sed -n 's/^machine *//p')
# without states of its own a mechanism's kernels are measured on dense systems alone
KERNELS_DB = $(if $(wildcard $(DB))$(FROM),$(DB))
kernels: $(BUILD)/kernels $(BUILD)/env $(M)/kernels.so $(if $(wildcard $(DB)),,$(KERNELS_DB))
	@$(BUILD)/kernels --mech $(M)/kernels.so $(if $(KERNELS_DB),--db $(KERNELS_DB)) \
	    $(SYSTEMS:%=--n %) $(call pass,kernels,MECH DB N RUN OUT) --run $(call run_name,$@)
	@plots/kernels $(HERE)/$(call run_name,$@)
roofline: $(BUILD)/roofline $(BUILD)/env $(M)/roofline.so solvers $(DB)
	@$(BUILD)/roofline --mech $(M)/roofline.so --solvers $(SOLVERS_SO) --db $(DB) \
	    $(call pass,roofline,MECH SOLVERS DB N RUN OUT) --run $(call run_name,$@)
	@plots/roofline $(HERE)/$(call run_name,$@)

databases: $(DB)
import: $(BUILD)/dbimport solvers
	@$(BUILD)/dbimport --mech $(MECH_ARGS) --solvers $(SOLVERS_SO) $(SOURCE:%=--source %) \
	    $(OUT:%=--out %) $(NORMALIZE:%=--normalize %)

# a rebuilt program makes no new states: delete a database to have it made again
$(WHOLE): $(FROM) | $(GENERATOR_PROGRAM) $(OPENED_SO)
	@mkdir -p $(@D)
	@$(GENERATOR_PROGRAM) --recipe $(FROM) $(MAKE_OPTIONS) $(call given,MECH,--mech $(MECH_ARGS) \
	    --solvers $(OPENED)) --out $@

dbinfo: $(BUILD)/dbinfo solvers $(DB)
	@$(BUILD)/dbinfo $(DB) $(call given,MECH,--mech $(MECH) --solvers-file $(SOLVERS_SO)) \
	    $(call pass,dbinfo,MECH SOLVERS_FILE CSV) $(if $(COST),--write-cost) \
	    --csv plots/out/$(basename $(notdir $(DB)))
	@plots/dbinfo plots/out/$(basename $(notdir $(DB)))
mechinfo: $(BUILD)/mechinfo $(MECHFILE)
	@$(BUILD)/mechinfo $(MECH_ARGS) $(call pass,mechinfo,THERMO NAME)

docs: $(BUILD)/bench $(BUILD)/rows reproduction
	@$(BUILD)/bench --columns | docs/write_block docs/results-format.md columns
	@docs/update
WITH_OPTIONS = $(filter-out plugin_host,$(PROGRAMS)) mechc
manual: $(WITH_OPTIONS:%=$(BUILD)/%)
	@VERSION=$(VERSION) docs/manual $(BUILD) $(BUILD) $(WITH_OPTIONS)

bench verify kernels roofline figures $(if $(PLAN),,experiment reproduce) orders reproduction \
    pictures compare history report scaling flow: $(BUILD)/rows
# for plots and drivers
export KB_BUILD := $(BUILD)

claims: $(BUILD)/claims
	@$(BUILD)/claims --results $(RESULTS) $(call pass,claims,RESULTS)
tune: $(BUILD)/tune
	@$(BUILD)/tune --accuracy results/accuracy
	@$(BUILD)/tune --results $(or $(call given,RESULTS,$(RESULTS)),results/auto)
# + since it calls make
accuracy: $(BUILD)/bench
	+@METHODS='$(METHODS)' MAKE='$(MAKE)' drivers/tune/accuracy
fetch: ; @datasets/fetch $(MECH)
env: $(BUILD)/env ; @$(BUILD)/env
smoke:
	@$(MAKE) --no-print-directory bench FULL=1 N=64 BUDGET=10 REPEATS=3 ENGINES=cpu-scalar,cpu-simd
clean:
	$(if $(filter build,$(BUILD))$(wildcard $(BUILD)/host),rm -rf $(BUILD),$(error BUILD=$(BUILD): \
	    give it a folder of its own, which has a folder host when something is built))

include plots/papers.mk drivers/compare/compare.mk flow/flow.mk library/library.mk \
    drivers/which_integrator/which_integrator.mk python/python.mk drivers/ranks/ranks.mk \
    tests/tests.mk drivers/peers/peers.mk

# a source that has moved is still named there: its object is compiled from where it is now
%.c %.cc %.cpp %.cu: ;
# of what this make may build: a thousand files take half a second
-include $(shell find $(BUILD)/*.d $(BUILD)/host $(F) $(M) $(ANY) $(if $(filter fuzz% features \
    reliability test validate $X/%,$(MAKECMDGOALS)),$(BUILD)/fuzz $X) -name '*.d' \
    ! -name 'part-*' 2>/dev/null)
