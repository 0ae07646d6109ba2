# One mechanism: MECH is a name under datasets/mechanisms or datasets/downloads (make fetch), or a
# path; with -oneway behind it, its one-way form by the exact fit (docs/mechanisms.md).
# NAME is what its build is called.

ONEWAY := $(if $(filter %-oneway,$(MECH)),-oneway)
STEADY := $(if $(QSS),-qss)
ifneq ($(QSS),$(wildcard $(QSS)))
$(error QSS: there is no file '$(QSS)' of species in steady state (docs/mechanisms.md))
endif
WRITTEN := $(MECH:%-oneway=%)
ifneq ($(findstring /,$(WRITTEN))$(filter %.yaml %.yml %.inp %.dat %.txt %.mech,$(WRITTEN)),)
MECHFILE := $(WRITTEN)
STEM := $(basename $(notdir $(WRITTEN)))
# mech.inp, chem.inp and the like are named after their folder
NAME ?= $(if $(filter mech chem mechanism,$(STEM)),$(notdir $(patsubst %/,%,$(dir \
    $(abspath $(WRITTEN))))),$(STEM))$(ONEWAY)$(STEADY)
else
FETCHED := $(wildcard datasets/downloads/$(WRITTEN)/mech.inp)
MECHFILE := $(firstword $(wildcard datasets/mechanisms/$(WRITTEN).yaml) $(FETCHED) \
    datasets/mechanisms/$(WRITTEN).yaml)
ifneq ($(and $(FETCHED),$(filter $(FETCHED),$(MECHFILE))),)
THERMO := $(or $(THERMO),$(dir $(FETCHED))therm.dat)
endif
NAME ?= $(MECH)$(STEADY)
endif

$(if $(call unsafe,$(NAME)),$(call refuse_name,NAME,$(NAME)))
M := $(BUILD)/mech/$(NAME)
# what make bench builds without a choice of its own lies in a folder below (drivers/bench/quick.mk)
SOLVERS_SO := $(M)/$(SET)solvers.so
# METHODS= of the user: what is built and measured, with cvode if it is among them
ALL_METHODS := $(shell sed -n 's/^METHOD(\(.*\))$$/\1/p' solvers/methods.def)
override METHODS := $(or $(subst $(comma), ,$(ONLY_METHODS)),$(ALL_METHODS))

# engines.def: object,name,width,tables,define,built of each engine
ENGINE_LINES := $(shell sed -n 's/^ENGINE(\(.*\))$$/\1/p' solvers/engines.def \
    solvers/papers/engines.def | tr -d ' ')
ENGINE_OBJECTS := $(foreach l,$(ENGINE_LINES),$(firstword $(subst $(comma), ,$l)))
# $(1) engine, $(2) number of the field
engine_field = $(word $(2),$(subst $(comma), ,$(filter $(1)$(comma)%,$(ENGINE_LINES))))
built_by = $(foreach e,$(ENGINE_OBJECTS),$(if $(filter $(1),$(call engine_field,$e,6)),$e))
# those that can be built here: a GPU's with nvcc alone
buildable = $(if $(NVCC),$(1),$(filter-out gpu_%,$(1)))
VARIANT_WORDS := $(filter-out always,$(sort \
    $(foreach e,$(ENGINE_OBJECTS),$(call engine_field,$e,6))))

# variants of the engines, to be measured beside them (docs/engines.md); make test has them for a
# few methods
TEST_VARIANTS := $(subst $(space),$(comma),$(filter-out dense,$(VARIANT_WORDS)))
TEST_VARIANT_METHODS := rodas4,rkck
# without a GPU few methods are compiled for all its engines: the others' code of teams is that of
# tests/team
TEST_GPU_METHODS := $(if $(GPU),,rodas4$(comma)radau2a)
testing := $(filter test,$(MAKECMDGOALS))
VARIANTS ?= $(if $(testing),$(TEST_VARIANTS))
VARIANT_METHODS ?= $(if $(testing),$(TEST_VARIANT_METHODS),$(METHODS))
# WIDTH=64,256: teams of so many threads in place of gpu-warp and gpu-block; but for these, 32 and
# 128, they are variants
TEAMS := $(filter gpu_warp gpu_block%,$(filter-out %_unsorted %_dense,$(ENGINE_OBJECTS)))
team_of = $(foreach e,$(TEAMS),$(if $(filter $(1),$(call engine_field,$e,3)),$e))
WIDTHS := $(sort $(subst $(comma), ,$(WIDTH)))
WIDTH_TEAMS := $(foreach w,$(WIDTHS),$(call team_of,$w))
widths_there := $(shell printf '%s\n' $(foreach e,$(TEAMS),$(call engine_field,$e,3)) | sort -n)
ifneq ($(filter-out $(widths_there),$(WIDTHS)),)
$(error WIDTH=$(WIDTH): a team has $(widths_there) threads (powers of 2: the dense tail lies on a \
    grid of threads); more than one with commas)
endif
ifneq ($(and $(WIDTHS),$(if $(NVCC),,none)),)
$(error WIDTH=$(WIDTH): teams of threads are on a GPU, and none is built for (no nvcc, no GPU or \
    CUDA=0))
endif
# $(1) names of engines, a list as --engines takes it: with teams of these widths
of_teams = all gpu-warp gpu-block
not_teams = $(filter-out $(of_teams),$(1)) $(if $(filter all,$(1)),$(foreach e,$(filter-out \
    $(TEAMS),$(call built_by,always $(VARIANT_LIST))),$(call engine_field,$e,2)))
with_teams = $(if $(filter $(of_teams),$(1)),$(call not_teams,$(1)) $(foreach \
    e,$(WIDTH_TEAMS),$(call engine_field,$e,2)),$(error WIDTH= is of the engines gpu-warp and \
    gpu-block; ENGINES=$(1) has neither))
wide_engines = $(if $(WIDTHS),$(subst $(space),$(comma),$(strip $(call with_teams,$(subst \
    $(comma), ,$(1))))),$(1))
VARIANT_LIST := $(sort $(subst $(comma), ,$(VARIANTS)) $(filter-out always,$(foreach \
    e,$(WIDTH_TEAMS),$(call engine_field,$e,6))))
VARIED := $(subst $(comma), ,$(VARIANT_METHODS))
unknown := $(filter-out $(VARIANT_WORDS),$(VARIANT_LIST)) $(filter-out $(ALL_METHODS),$(VARIED))
ifneq ($(strip $(unknown)),)
$(error there is no $(firstword $(unknown)): VARIANTS= knows $(VARIANT_WORDS); \
    VARIANT_METHODS= $(ALL_METHODS))
endif
# explicit methods have no Jacobian to make in another way; an elimination is for one right-hand
# side
varied = $(if $(filter dense,$(1)),$(filter-out rkck rkf45 rkc,$(VARIED)),$(if $(filter \
    elimination,$(1)),$(filter point_implicit,$(VARIED)),$(VARIED)))
# the solvers of this build, method_engine; rodas4, or the solver that a recipe names, makes states
COMPILED := $(filter $(if $(SET)$(if $(testing),,$(ONLY_METHODS)),rodas4 $(QUICK_METHODS) \
    $(RECIPE_SOLVER),%),$(ALL_METHODS))
# factors in floats: the methods that say so (solvers/methods/method.h)
FLOAT_METHODS := $(patsubst solvers/methods/%.h,%,$(shell grep -l 'define KB_FLOATS_SERVE' \
    solvers/methods/*.h))
# GPU_METHODS= are built for every engine of a GPU, the others for gpu-thread alone
GPU_METHODS ?= $(or $(if $(testing),$(TEST_GPU_METHODS)),$(METHODS))
lacking = $(if $(filter $(FLOAT_METHODS),$(1)),,gpu_pair_float) $(if $(filter $(1),$(subst \
    $(comma), ,$(GPU_METHODS))),,$(filter-out gpu_thread,$(ENGINE_OBJECTS)))
BUILT := $(foreach m,$(COMPILED),$(addprefix $m_,$(filter-out gpu_%,$(call built_by,always)))) \
    $(foreach m,$(COMPILED),$(addprefix $m_,$(filter-out $(call lacking,$m),$(filter gpu_%,$(call \
        buildable,$(call built_by,always)))))) \
    $(foreach v,$(VARIANT_LIST),$(foreach e,$(call buildable,$(call built_by,$v)),$(patsubst \
        %,%_$e,$(call varied,$v))))
FLOAT_OBJECTS := $(if $(filter-out 1,$(LANES)),$(M)/lines_float_jacobian.o \
    $(M)/lines_float_factors.o)
LINES_OBJECTS := $(addprefix $(M)/lines_,$(addsuffix .o,$(sort 1 $(LANES)))) $(FLOAT_OBJECTS)
M_OBJECTS := $(BUILT:%=$(M)/%.o) $(M)/evaluate_scalar.o $(M)/evaluate_simd.o $(M)/cvode.o \
    $(M)/$(SET)exported.o $(M)/plugin_ode.o $(M)/error.o $(M)/status.o $(LINES_OBJECTS)
ifneq ($(NVCC),)
M_OBJECTS += $(M)/memory.o $(M)/device.o $(M)/chain.o
# code for the GPU that is here, or else Hopper; later ones take the PTX
CUDA_ARCH ?= $(or $(GPU_ARCH),90)
NVCC_FLAGS := -O3 -std=c++20 --expt-relaxed-constexpr -Xcompiler -fPIC,-Wall,-fopenmp \
    -gencode arch=compute_$(CUDA_ARCH),code=sm_$(CUDA_ARCH) \
    -gencode arch=compute_$(CUDA_ARCH),code=compute_$(CUDA_ARCH)
M_LINK := $(NVCC) -shared -Xcompiler -fopenmp
else
M_LINK := $(CC) -shared -fopenmp
endif
M_LIBS := -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense \
    -lsundials_sunlinsoldense -lklu -lmvec -lm
M_FLAGS = $(SCALAR_FLAGS) -I. -I$(M) -I/usr/include/suitesparse \
    -DKB_FLAGS='"$(filter-out -W% -g -f% -I% -D%,$(SCALAR_FLAGS)) $(filter -f%,$(LANE_FLAGS))"'

solvers: $(SOLVERS_SO)

# remembers what NAME was built from and for, so that another file of that name, another MARCH, or a
# build with CUDA and one without are not mixed
BUILT_FROM = $(abspath $(MECHFILE)) $(THERMO) $(addprefix phase-,$(PHASE)) \
    $(addprefix qss-,$(QSS)) $(FIT) $(TFIT) $(addprefix large-,$(LARGE)) $(MARCH) \
    $(if $(NVCC),cuda $(CUDA_ARCH))
$(M)/source: FORCE
	@mkdir -p $(M)
	@echo $(call quoted,$(BUILT_FROM)) | cmp -s - $@ || echo $(call quoted,$(BUILT_FROM)) > $@

$(MECHFILE):
	@printf '%s %s %s %s %s\n' "make: no mechanism '$(MECH)': names are" \
	    "$$(ls datasets/mechanisms | sed -n 's/\.yaml$$//p' | paste -sd ' ' -)," \
	    "after make fetch MECH=<name> also" \
	    "$$(awk -F'\t' 'NR > 1 { print $$1 }' datasets/sources.tsv | sort -u | paste -sd ' ' -)," \
	    "or give a path" >&2; exit 2

ifneq ($(ONEWAY),)
REVERSIBLE := $(MECHFILE) $(THERMO)
MECHFILE := $(M)/$(NAME).yaml
$(MECHFILE): $(REVERSIBLE) $(M)/source | $(BUILD)/mechinfo
	$(call say,oneway,$@)
	@summary=$$($(BUILD)/mechinfo $(firstword $(REVERSIBLE)) $(THERMO_OF_REVERSIBLE) \
	    --oneway $(or $(FIT),exact) \
	    $(if $(TFIT),--temperatures $(TFIT)) --name $(NAME) --write $@) && \
	    echo "$$summary" | sed -n '/^one-way  /,/^$$/p'
THERMO_OF_REVERSIBLE := $(if $(THERMO),--thermo $(THERMO))
override THERMO :=
endif

# the tables: of one thread, of teams and of unsorted reactions, each in a folder of its own.
# $(1) engine
gpu_team = $(if $(filter gpu_%,$(1)),$(filter-out 1,$(call engine_field,$(1),3)))
# bytes of a number of its teams, and of one of their matrix
gpu_bytes = $(if $(filter KB_PAIR_FLOAT,$(call engine_field,$(1),5)),16-8,$(if $(filter \
    KB_LANES=2,$(call engine_field,$(1),5)),16-16,8-8))
tables_of = $(M)$(if $(filter unsorted,$(call engine_field,$(1),4)),/unsorted)$(if $(call \
    gpu_team,$(1)),/team$(call gpu_team,$(1))-$(call gpu_bytes,$(1)))
TABLE_FOLDERS := $(sort $(foreach e,$(ENGINE_OBJECTS),$(call tables_of,$e)))
layout = $(if $(findstring /unsorted/,$(1)/),--reactions mechanism) \
    $(call team_layout,$(subst -, ,$(patsubst team%,%,$(filter team%,$(subst /, ,$(1:$(M)/%=%))))))
# of the words threads, bytes, bytes
team_layout = $(if $(1),--team $(word 1,$(1)) --bytes $(word 2,$(1))$(comma)$(word 3,$(1)))
# Files of folder $(1). mechc writes them into another one, and those that do not change stay as old
# as they are, with all that is made of them, unless `source` is new; `tables` says when that was.
define write_tables
@mkdir -p $(1)/new; test ! $(M)/source -nt $(1)/constants.h || rm -f $(1)/constants.h
$(Q)$(BUILD)/mechc $(MECHFILE) $(if $(THERMO),--thermo $(THERMO)) --name $(NAME) \
    $(call layout,$(1)) $(if $(NVCC),--cuda) $(if $(LARGE),--large $(LARGE)) -o $(1)/new/constants.h
@cd $(1)/new && for f in *; do cmp -s $$f ../$$f || mv $$f ..; done && rm -rf ../new
endef
$(TABLE_FOLDERS:%=%/tables): $(MECHFILE) $(THERMO) $(QSS) $(M)/source $(BUILD)/mechc
	$(call say,mechc,$(@D)/constants.h)
	$(call write_tables,$(@D))
	@touch $@
# where one was removed, all of the folder are written again; those of teams have no lines
tables_in = $(addprefix $(1)/,constants.h large.bin large.S $(if $(NVCC),large.h) \
    $(if $(findstring /team,$(1)),,lines.def))
$(foreach d,$(TABLE_FOLDERS),$(if $(filter-out $(wildcard $d/*),$(call tables_in,$d)),$(eval \
    $d/tables: FORCE)))
$(foreach d,$(TABLE_FOLDERS),$(eval $(call tables_in,$d): $d/tables ; @test -e $$@))

# tables that are too long for a compiler (mech/tables/large.h), of one thread; mechc writes them
# with the header
$(M)/large.o $(M)/unsorted/large.o: %/large.o: %/large.S %/large.bin
	$(Q)$(CC) -c -I$* $*/large.S -o $@

# what solvers.so has; the objects of others stay for another time
SOLVER_DEFS = $(foreach s,$(BUILT),SOLVER(kb_$s))
$(M)/$(SET)solvers.def: FORCE
	@mkdir -p $(@D)
	@echo '$(SOLVER_DEFS)' | cmp -s - $@ || echo '$(SOLVER_DEFS)' > $@

upper = $(shell echo $(1) | tr a-z A-Z)
# $(1) method, $(2) engine or another name
method_defines = -DKB_METHOD=$(1) -DKB_METHOD_HEADER='"solvers/methods/$(1).h"' \
    -DKB_SOLVER=kb_$(1)_$(2) -DKB_METHOD_OPTIONS=$(call upper,$(1))_OPTIONS \
    -DKB_METHOD_INFO=$(call upper,$(1))_INFO
engine_width = $(patsubst LANES,$(LANES),$(call engine_field,$(1),3))
engine_defines = -DKB_ENGINE='"$(call engine_field,$(1),2)"' \
    $(patsubst %,-D%,$(filter-out -,$(call engine_field,$(1),5)))
# $(1) method, $(2) engine
define cpu_rule
$(M)/$(1)_$(2).o: solvers/engines/cpu.c $(call tables_of,$(2))/constants.h
	$$(call say,cc,'$(NAME): $(1) $(call engine_field,$(2),2)$(patsubst %, (% lanes),$(filter-out \
	    1,$(call engine_width,$(2))))')
	$(Q)$(CC) -I$(call tables_of,$(2)) $$(M_FLAGS) -DKB_LANES=$(call engine_width,$(2)) \
	    $$(call engine_defines,$(2)) $$(call method_defines,$(1),$(2)) -MMD -MP -c $$< -o $$@
endef
define gpu_rule
$(M)/$(1)_$(2).o: solvers/engines/gpu.cu $(call tables_of,$(2))/constants.h
	$$(call say,nvcc,'$(NAME): $(1) $(call engine_field,$(2),2)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I$(call tables_of,$(2)) -DKB_TEAM=$(call engine_width,$(2)) -I. \
	    $$(call engine_defines,$(2)) $$(call method_defines,$(1),$(2)) -MMD -MP -c $$< -o $$@
endef
$(foreach m,$(ALL_METHODS),$(foreach e,$(ENGINE_OBJECTS),$(eval \
    $(call $(if $(filter gpu_%,$e),gpu,cpu)_rule,$m,$e))))

$(M)/evaluate_scalar.o $(M)/evaluate_simd.o: $(M)/evaluate_%.o: \
    solvers/engines/evaluate.c $(M)/constants.h
	$(call say,cc,'$(NAME): evaluate $*')
	$(Q)$(CC) $(M_FLAGS) -DKB_LINES -DKB_LANES=$(if $(filter simd,$*),$(LANES),1) \
	    -DKB_EVALUATE=kb_evaluate_$* -DKB_MICRO=kb_micro_$* -MMD -MP -c $< -o $@

# straight-line code, for all methods; terms of a sum that are 0 at first are left out
LINES_FLAGS := -fno-signed-zeros -DKB_LINES -MMD -MP
$(filter-out $(FLOAT_OBJECTS),$(LINES_OBJECTS)): $(M)/lines_%.o: solvers/lines/lines.c
	$(call say,cc,'$(NAME): straight-line code ($* lanes)')
	$(Q)$(CC) $(M_FLAGS) $(LINES_FLAGS) -DKB_LANES=$* -c $< -o $@
$(M)/lines_float_jacobian.o: LINES_FLAGS += -DKB_LANES=$(LANES)
$(M)/lines_float_factors.o: LINES_FLAGS += -DKB_LANES=$(shell expr 2 '*' $(LANES))
$(FLOAT_OBJECTS): $(M)/lines_%.o: solvers/lines/%.c
	$(call say,cc,'$(NAME): straight-line code ($*)')
	$(Q)$(CC) $(M_FLAGS) $(LINES_FLAGS) -c $< -o $@
$(LINES_OBJECTS): $(M)/constants.h $(M)/lines.def

$(M)/cvode.o: solvers/cvode/cvode.c $(M)/constants.h
$(M)/plugin_ode.o: solvers/plugin_ode.c $(M)/constants.h
$(M)/$(SET)exported.o: solvers/exported.c $(M)/constants.h
$(M)/cvode.o $(M)/plugin_ode.o $(M)/$(SET)exported.o: $(M)/%.o:
	$(call say,cc,'$(NAME): $*')
	$(Q)$(CC) -I$(@D) $(M_FLAGS) -DKB_LINES $(if $(NVCC),-DKB_CUDA) -MMD -MP -c $< -o $@

$(M)/$(SET)exported.o: $(M)/$(SET)solvers.def

$(M)/memory.o $(M)/device.o $(M)/chain.o: $(M)/%.o: solvers/engines/%.cu $(M)/source
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -MMD -MP -c $< -o $@

$(M)/error.o: base/error.c
$(M)/status.o: solvers/status.c
$(M)/error.o $(M)/status.o:
	@mkdir -p $(M)
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -MMD -MP -c $< -o $@

LARGE_OBJECTS := $(M)/large.o $(if $(filter %_unsorted,$(BUILT)),$(M)/unsorted/large.o)
$(SOLVERS_SO): $(M_OBJECTS) $(LARGE_OBJECTS)
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ $(M_LIBS)
