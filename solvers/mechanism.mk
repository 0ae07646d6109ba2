# One mechanism: MECH is a name under datasets/mechanisms or a path; NAME is what its build is called.

ifneq ($(findstring /,$(MECH))$(filter %.yaml %.yml %.inp %.dat %.txt %.mech,$(MECH)),)
MECHFILE := $(MECH)
STEM := $(basename $(notdir $(MECH)))
# mech.inp, chem.inp and the like are named after their folder
NAME ?= $(if $(filter mech chem mechanism,$(STEM)),$(notdir $(patsubst %/,%,$(dir $(abspath $(MECH))))),$(STEM))
else
MECHFILE := datasets/mechanisms/$(MECH).yaml
NAME ?= $(MECH)
endif

M := $(BUILD)/mech/$(NAME)
SOLVERS_SO := $(M)/solvers.so
# a METHODS= of the user chooses what make verify runs, not what is built
override METHODS := $(shell sed -n 's/^METHOD(\(.*\))$$/\1/p' solvers/methods.def)
M_OBJECTS := $(METHODS:%=$(M)/%_scalar.o) $(METHODS:%=$(M)/%_simd.o) $(M)/evaluate_scalar.o \
    $(M)/evaluate_simd.o $(M)/cvode.o $(M)/plugin.o $(M)/error.o $(M)/status.o

# variants of the engines, to be measured beside them (docs/gpu.md); make test has them for a few methods
TEST_VARIANTS := unsorted,cached
TEST_VARIANT_METHODS := rodas4,rkck
testing := $(filter test,$(MAKECMDGOALS))
VARIANTS ?= $(if $(testing),$(TEST_VARIANTS))
VARIANT_METHODS ?= $(if $(testing),$(TEST_VARIANT_METHODS),$(METHODS))
VARIANT_LIST := $(subst $(comma), ,$(VARIANTS))
VARIED := $(subst $(comma), ,$(VARIANT_METHODS))
unknown := $(filter-out unsorted cached,$(VARIANT_LIST)) $(filter-out $(METHODS),$(VARIED))
ifneq ($(strip $(unknown)),)
$(error there is no $(firstword $(unknown)): VARIANTS= knows unsorted cached; VARIANT_METHODS= $(METHODS))
endif
unsorted_ENGINES := scalar simd $(if $(NVCC),gpu_thread gpu_warp gpu_block)
cached_ENGINES := $(if $(NVCC),gpu_thread)
VARIANT_SOLVERS := $(foreach v,$(VARIANT_LIST),$(foreach e,$($v_ENGINES),$(VARIED:%=%_$e_$v)))
M_OBJECTS += $(VARIANT_SOLVERS:%=$(M)/%.o)
ifneq ($(NVCC),)
M_OBJECTS += $(foreach e,gpu_thread gpu_warp gpu_block,$(METHODS:%=$(M)/%_$(e).o))
M_OBJECTS += $(M)/memory.o
# code for the GPU that is here, or else Hopper; later ones take the PTX
CUDA_ARCH ?= $(or $(GPU_ARCH),90)
NVCC_FLAGS := -O3 -std=c++20 -Xcompiler -fPIC,-Wall,-fopenmp \
    -gencode arch=compute_$(CUDA_ARCH),code=sm_$(CUDA_ARCH) \
    -gencode arch=compute_$(CUDA_ARCH),code=compute_$(CUDA_ARCH)
M_LINK := $(NVCC) -shared -Xcompiler -fopenmp
else
M_LINK := $(CC) -shared -fopenmp
endif
M_LIBS := -lsundials_cvode -lsundials_nvecserial -lklu -llapack -lmvec -lm
M_FLAGS = $(SCALAR_FLAGS) -I. -I$(M) -I/usr/include/suitesparse \
    -DKB_FLAGS='"$(filter-out -W% -g -f% -I% -D%,$(SCALAR_FLAGS)) $(filter -f%,$(LANE_FLAGS))"'

solvers: $(SOLVERS_SO)

# remembers what NAME was built from and for, so that another file of that name, another MARCH, or a build with
# CUDA and one without are not mixed
BUILT_FROM = $(abspath $(MECHFILE)) $(THERMO) $(MARCH) $(if $(NVCC),cuda $(CUDA_ARCH))
$(M)/source: FORCE
	@mkdir -p $(M)
	@echo '$(BUILT_FROM)' | cmp -s - $@ || echo '$(BUILT_FROM)' > $@

$(MECHFILE):
	@echo "make: no mechanism '$(MECH)': names are" \
	    "$(patsubst %.yaml,%,$(notdir $(wildcard datasets/mechanisms/*.yaml))), or give a path" >&2; exit 2

# the tables; of the teams, and of the variant unsorted, in folders of their own
layout = $(if $(findstring /unsorted/,$@),--reactions mechanism) $(if $(findstring /warp/,$@),--team 32) \
    $(if $(findstring /block/,$@),--team 128)
$(foreach v,/ /unsorted/,$(foreach e,/ /warp/ /block/,$(M)$(v:/=)$econstants.h)): \
    $(MECHFILE) $(THERMO) $(M)/source $(BUILD)/mechc
	$(call say,mechc,$@)
	@mkdir -p $(@D)
	$(Q)$(BUILD)/mechc $(MECHFILE) $(if $(THERMO),--thermo $(THERMO)) --name $(NAME) $(layout) -o $@

# what solvers.so has of them; the objects of others stay for another time
VARIANT_DEFS = $(foreach s,$(VARIANT_SOLVERS),VARIANT(kb_$s))
$(M)/variants.def: FORCE
	@mkdir -p $(M)
	@echo '$(VARIANT_DEFS)' | cmp -s - $@ || echo '$(VARIANT_DEFS)' > $@

# $(1) method, $(2) variant or nothing, $(3) of a GPU the engine
tables_of = $(M)$(if $(filter unsorted,$(2)),/unsorted)$(addprefix /,$(filter warp block,$(3)))
variant_flags = -I$(tables_of) $(if $(2),-DKB_VARIANT='"-$(2)"') $(if $(filter cached,$(2)),-DKB_CACHED)
define method_rules
$(M)/$(1)_scalar$(2:%=_%).o: solvers/engines/cpu.c $(tables_of)/constants.h
	$$(call say,cc,'$(NAME): $(1) cpu-scalar$(2:%=-%)')
	$(Q)$(CC) $(variant_flags) $$(M_FLAGS) -DKB_LANES=1 $$(call method_defines,$(1),scalar$(2:%=_%)) \
	    -MMD -MP -c $$< -o $$@
$(M)/$(1)_simd$(2:%=_%).o: solvers/engines/cpu.c $(tables_of)/constants.h
	$$(call say,cc,'$(NAME): $(1) cpu-simd$(2:%=-%) ($(LANES) lanes)')
	$(Q)$(CC) $(variant_flags) $$(M_FLAGS) -DKB_LANES=$(LANES) $$(call method_defines,$(1),simd$(2:%=_%)) \
	    -MMD -MP -c $$< -o $$@
endef
# $(4) threads of the team
define gpu_rule
$(M)/$(1)_gpu_$(3)$(2:%=_%).o: solvers/engines/gpu.cu $(tables_of)/constants.h
	$$(call say,nvcc,'$(NAME): $(1) gpu-$(3)$(2:%=-%)')
	$(Q)$(NVCC) $(NVCC_FLAGS) $(variant_flags) -DKB_TEAM=$(4) -I. \
	    $$(call method_defines,$(1),gpu_$(3)$(2:%=_%)) -MMD -MP -c $$< -o $$@
endef
upper = $(shell echo $(1) | tr a-z A-Z)
method_defines = -DKB_METHOD=$(1) -DKB_METHOD_HEADER='"solvers/methods/$(1).h"' -DKB_SOLVER=kb_$(1)_$(2) \
    -DKB_METHOD_OPTIONS=$(call upper,$(1))_OPTIONS -DKB_METHOD_INFO=$(call upper,$(1))_INFO
define rules_of_method
$(foreach v,plain unsorted,$(eval $(call method_rules,$(1),$(v:plain=))) \
    $(eval $(call gpu_rule,$(1),$(v:plain=),thread,1)) $(eval $(call gpu_rule,$(1),$(v:plain=),warp,32)) \
    $(eval $(call gpu_rule,$(1),$(v:plain=),block,128)))
$(eval $(call gpu_rule,$(1),cached,thread,1))
endef
$(foreach m,$(METHODS),$(call rules_of_method,$m))

$(M)/evaluate_scalar.o $(M)/evaluate_simd.o: $(M)/evaluate_%.o: solvers/engines/evaluate.c $(M)/constants.h
	$(call say,cc,'$(NAME): evaluate $*')
	$(Q)$(CC) $(M_FLAGS) -DKB_LANES=$(if $(filter simd,$*),$(LANES),1) -DKB_EVALUATE=kb_evaluate_$* \
	    -DKB_MICRO=kb_micro_$* -MMD -MP -c $< -o $@

$(M)/cvode.o: solvers/cvode/cvode.c $(M)/constants.h
$(M)/plugin.o: solvers/plugin.c $(M)/constants.h
$(M)/cvode.o $(M)/plugin.o: $(M)/%.o:
	$(call say,cc,'$(NAME): $*')
	$(Q)$(CC) $(M_FLAGS) $(if $(NVCC),-DKB_CUDA) -MMD -MP -c $< -o $@

$(M)/plugin.o: $(M)/variants.def

$(M)/memory.o: solvers/engines/memory.cu
	$(Q)$(NVCC) $(NVCC_FLAGS) -MMD -MP -c $< -o $@

$(M)/error.o: base/error.c
$(M)/status.o: solvers/status.c
$(M)/error.o $(M)/status.o:
	@mkdir -p $(M)
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -MMD -MP -c $< -o $@

$(SOLVERS_SO): $(M_OBJECTS)
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ $(M_LIBS)
