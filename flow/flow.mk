# The flow solver: an object for each scheme, gas and engine. Those for an ideal gas are in
# libflow.a, which depends on whether GPU engines are built, and not in libkb.a, of which mechc is

# SCHEME(name, header, stages, ...); ONE_GAS: for one species alone
flow_table = $(shell sed -n 's/^$(1)(\([a-z0-9_]*\), *\([a-z0-9_]*\), *\([0-9]*\),.*)$$/\1$(2)/p' \
    flow/scheme/schemes.def)
FLOW_SCHEMES := $(call flow_table,SCHEME)
FLOW_ALL := $(FLOW_SCHEMES) $(call flow_table,ONE_GAS)
FLOW_FIELDS := $(call flow_table,[A-Z_]*,$(comma)\2$(comma)\3)
flow_field = $(word $(2),$(call blanks,$(filter $(1)$(comma)%,$(FLOW_FIELDS))))
flow_species = $(if $(filter $(1),$(FLOW_SCHEMES)),1 2,1)
# $(1) scheme, $(2) gas, $(3) name
flow_defines = -DKB_SCHEME=$(1) -DKB_STAGES=$(call flow_field,$(1),3) \
    -DKB_SCHEME_HEADER='"flow/scheme/$(call flow_field,$(1),2).h"' \
    -DKB_GAS_HEADER='"flow/gas/$(2).h"' -DKB_FLOW_NAME=kb_flow_$(3)
# $(1) objects without their engine, $(2) scheme, $(3) gas, $(4) name, $(5) options, $(6) needs
define flow_rules
$(1)_scalar.o $(1)_simd.o: $(1)_%.o: flow/engines/cpu.c flow/scheme/schemes.def $(6)
	$$(call do,cc,'flow: $(4) cpu-$$* ($(3))')$$(CC) $$(SCALAR_FLAGS) $(5) -DKB_LANES=$$(if \
	    $$(filter simd,$$*),$(LANES),1) $(call flow_defines,$(2),$(3),$(4)_$$*) $$(TO) -c $$<
$(1)_gpu.o: flow/engines/gpu.cu flow/scheme/schemes.def $(6)
	$$(call do,nvcc,'flow: $(4) gpu ($(3))')$$(NVCC) $$(nvcc_flags) $(5) \
	    $(call flow_defines,$(2),$(3),$(4)_gpu) -DKB_FLOW_HOST=kb_flow_$(4)_scalar $$(TO) -c $$<
endef
# the list of schemes with an engine gpu
%/gpu.def: FORCE ; @$(call keep,$(patsubst %,GPU(%),$(schemes)))

# --- ideal gases; where no card runs them, two schemes by nvcc: all are loops on the host in tests
F := $(BUILD)/flow-ideal
FLOW_GPU := $(if $(NVCC),$(if $(NO_CARD),mp5 ader_weno,$(FLOW_ALL)))
$(foreach s,$(FLOW_ALL),$(foreach n,$(call flow_species,$s),\
    $(eval $(call flow_rules,$(F)/$s_$n,$s,ideal,$s_$n,-DNSP=$n))))
FLOW_HOST := $(filter-out flow/engines/cpu.c flow/engines/exported.c,$(wildcard flow/*/*.c))
$(BUILD)/libflow.a: $(FLOW_HOST:%.c=$(BUILD)/host/%.o) $(foreach s,$(FLOW_ALL),$(foreach n,$(call \
    flow_species,$s),$(F)/$s_$n_scalar.o $(F)/$s_$n_simd.o)) $(FLOW_GPU:%=$(F)/%_1_gpu.o)
$(F)/gpu.def: private schemes := $(FLOW_GPU)
$(BUILD)/host/flow/engines/find.o: $(F)/gpu.def
$(BUILD)/host/flow/engines/find.o: private CFLAGS += -I$(F)

# --- the gas of a mechanism: flow.so beside its solvers.so
FLOW_SO := $(M)/flow.so
flow-gas: $(FLOW_SO)
$(foreach s,$(FLOW_SCHEMES),\
    $(eval $(call flow_rules,$(M)/flow_$s,$s,nasa,$s,-I$(M),$(M)/constants.h)))
$(M)/flow_gpu/gpu.def: private schemes := $(if $(NVCC),$(FLOW_SCHEMES))
$(M)/flow_exported.o: flow/engines/exported.c $(M)/constants.h $(M)/flow_gpu/gpu.def
	$(call do,cc,'$(NAME): flow')$(CC) $(SCALAR_FLAGS) -I$(M) -I$(M)/flow_gpu $(TO) -c $<
$(FLOW_SO): $(foreach e,scalar simd,$(FLOW_SCHEMES:%=$(M)/flow_%_$e.o)) $(M)/flow_exported.o \
    $(if $(NVCC),$(FLOW_SCHEMES:%=$(M)/flow_%_gpu.o))
	$(call do,link,$@)$(M_LINK) -o $@ $^ $(MVEC) -lm

# --- programs: HDF5 for fields over time, where it is there
HDF5 := $(firstword $(foreach p,hdf5-serial hdf5,\
    $(shell pkg-config --exists $p 2>/dev/null && echo $p)))
ifneq ($(HDF5),)
$(BUILD)/host/drivers/flow/frames.o $(BUILD)/host/pasr/generators/import_hdf5.o \
    $X/unit/test_flow_frames $X/unit/test_import_cells: private CFLAGS += -DKB_HDF5 \
    $(filter-out -O% -g -fstack% -W%,$(shell pkg-config --cflags $(HDF5)))
LDLIBS += -Wl,--as-needed $(shell pkg-config --libs $(HDF5))
endif
FLOW_USERS := $(BUILD)/flow $(BUILD)/detonation $(patsubst %.c,$(BUILD)/%,$(wildcard \
    tests/unit/test_flow*.c tests/gpu/test_flow*.c)) $X/gpu/flow_host $X/gpu/flow_gas_host
$(FLOW_USERS): $(BUILD)/libflow.a
$(FLOW_USERS): private LDLIBS := $(BUILD)/libflow.a $(BUILD)/libkb.a $(LDLIBS) -fopenmp $(MVEC) \
    -lsundials_cvode -lsundials_nvecserial $(if $(NVCC),-L$(dir $(NVCC))../lib64 -lcudart_static \
    -lstdc++ -lrt -lpthread -ldl)
$(BUILD)/host/drivers/flow.o $(BUILD)/host/drivers/flow/bench.o $(BUILD)/host/flow/run/fill.o: \
    private CFLAGS += -fopenmp

flow_options = --case $(or $(CASE),$(1)) $(call pass,flow,CASE LIST BENCH MECH THERMO) $(unburnt) \
    $(if $(flow_gas),--mech $(MECH_ARGS))
unburnt = $(P:%=--pressure %) $(T:%=--temperature %)
# threads that spin while they wait are slow on a busy machine
FLOW_RUN = OMP_WAIT_POLICY=$(or $(OMP_WAIT_POLICY),passive) $(LAUNCH) $(BUILD)/flow
# a case in the gas of a mechanism: its file has no "gas"
flow_gas := $(if $(CASE),$(shell grep -L '"gas"' $(call quoted,$(or $(filter \
    %.json,$(CASE)),datasets/cases/$(CASE).json)) 2>/dev/null))
flow flow-bench: $(BUILD)/flow $(if $(flow_gas),solvers $(FLOW_SO))
flow:
	@$(FLOW_RUN) $(call flow_options,sod)
	$(if $(filter list $(if $(HEIGHT),,detonation),$(CASE)),,@plots/flow \
	    $(or $(OUT),plots/out/flow-$(or $(basename $(notdir $(CASE))),sod)))
flow-bench: ; @$(FLOW_RUN) --bench $(call flow_options,vortex)
detonation: $(BUILD)/detonation solvers
	@$(BUILD)/detonation --mech $(MECH_ARGS) --solvers $(SOLVERS_SO) $(unburnt) \
	    $(call pass,detonation,MECH THERMO SOLVERS)
$(WHOLE): | $(if $(filter flow,$(GENERATOR)),$(FLOW_SO))
# a few cases in make smoke; the detonation has cells of 0.8 mm
smoke: flow-smoke
flow-smoke: $(BUILD)/flow | $(BUILD)/mech/h2co/flow.so
	@for run in "entropy --nx 20,40" "simple --nx 40,80" sod lax "123 --nx 100" \
	    "step --nx 60 --end 0.5" "contact --nx 50" "detonation --nx 246"; do \
	    echo "flow --case $$run"; \
	    $(FLOW_RUN) --quiet --out $(BUILD)/flow-smoke --case $$run || exit; done
