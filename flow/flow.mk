# The flow solver for an ideal gas: an object for each scheme, number of species and engine, in
# libflow.a. It is apart from libkb.a since it depends on whether the GPU engines are built: a make
# for another mechanism, without them, must not touch what mechc is linked from.

flow_column = $(shell sed -n \
    's/^[A-Z_]*($(1)\(, *[a-z0-9_]*\)\{$(2)\}, *\([a-z0-9_]*\),.*)$$/\2/p' \
    flow/scheme/schemes.def)
flow_header = $(call flow_column,$(1),0)
flow_stages = $(call flow_column,$(1),1)
FLOW_SCHEMES := $(shell sed -n 's/^SCHEME(\([a-z0-9_]*\),.*)$$/\1/p' flow/scheme/schemes.def)
FLOW_ONE_GAS := $(shell sed -n 's/^ONE_GAS(\([a-z0-9_]*\),.*)$$/\1/p' flow/scheme/schemes.def)
F := $(BUILD)/flow-ideal
# numbers of species that a scheme is built for
flow_species = $(if $(filter $(1),$(FLOW_ONE_GAS)),1,1 2)
FLOW_OBJECTS := $(foreach s,$(FLOW_SCHEMES) $(FLOW_ONE_GAS),$(foreach n,$(call flow_species,$s),\
    $(F)/$s_$n_scalar.o $(F)/$s_$n_simd.o))
FLOW_HOST := $(filter-out flow/engines/cpu.c flow/engines/exported.c,$(wildcard flow/*/*.c))
FLOW_HOST := $(FLOW_HOST:%.c=$(BUILD)/host/%.o)
FLOW_FLAGS = $(SCALAR_FLAGS) -I.

flow_scheme = -DKB_SCHEME=$(1) -DKB_STAGES=$(call flow_stages,$(1)) \
    -DKB_SCHEME_HEADER='"flow/scheme/$(call flow_header,$(1)).h"'
# $(1) scheme, $(2) species, $(3) engine, $(4) lanes
define flow_rule
$(F)/$(1)_$(2)_$(3).o: flow/engines/cpu.c flow/scheme/schemes.def
	$$(call say,cc,'flow: $(1) cpu-$(3) ($(2) species)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(FLOW_FLAGS) -DKB_LANES=$(4) -DNSP=$(2) -DKB_GAS_HEADER='"flow/gas/ideal.h"' \
	    $(call flow_scheme,$(1)) -DKB_FLOW_NAME=kb_flow_$(1)_$(2)_$(3) -MMD -MP -c $$< -o $$@
endef
$(foreach s,$(FLOW_SCHEMES) $(FLOW_ONE_GAS),$(foreach n,$(call flow_species,$s),\
    $(eval $(call flow_rule,$s,$n,scalar,1)) $(eval $(call flow_rule,$s,$n,simd,$(LANES)))))

# the engine gpu, for one gas
FLOW_GPU := $(if $(NVCC),$(FLOW_SCHEMES) $(FLOW_ONE_GAS))
FLOW_OBJECTS += $(FLOW_GPU:%=$(F)/%_1_gpu.o)
$(BUILD)/libflow.a: $(FLOW_HOST) $(FLOW_OBJECTS)
	$(call say,ar,$@)
	@rm -f $@
	$(Q)ar qcs $@ $^
# $(1) scheme, $(2) name of the object without its end, $(3) gas, $(4) more options, $(5) what else
# it needs
define flow_gpu_rule
$(2)_gpu.o: flow/engines/gpu.cu flow/scheme/schemes.def $(5)
	$$(call say,nvcc,'flow: $(1) gpu ($(3))')
	@mkdir -p $$(@D)
	$(Q)$(NVCC) $$(NVCC_FLAGS) -I. $(4) -DKB_GAS_HEADER='"flow/gas/$(3).h"' \
	    $(call flow_scheme,$(1)) -DKB_FLOW_NAME=kb_flow_$(1)$(6)_gpu \
	    -DKB_FLOW_HOST=kb_flow_$(1)$(6)_scalar -MMD -MP -c $$< -o $$@
endef
$(foreach s,$(FLOW_GPU),$(eval $(call flow_gpu_rule,$s,$(F)/$s_1,ideal,-DNSP=1,,_1)))
# the list of schemes in $(1)/gpu.def
define flow_gpu_def
$(1)/gpu.def: FORCE
	@mkdir -p $$(@D)
	@echo '$(foreach s,$(2),GPU($s))' | cmp -s - $$@ || echo '$(foreach s,$(2),GPU($s))' > $$@
endef
$(eval $(call flow_gpu_def,$(F),$(FLOW_GPU)))
$(BUILD)/host/flow/engines/find.o: $(F)/gpu.def
$(BUILD)/host/flow/engines/find.o: private CFLAGS += -I$(F)

# --- the gas of a mechanism: flow.so beside its solvers.so
FLOW_SO := $(M)/flow.so
FLOW_GAS_GPU := $(if $(NVCC),$(FLOW_SCHEMES))
FLOW_SO_OBJECTS := $(FLOW_SCHEMES:%=$(M)/flow_%_scalar.o) $(FLOW_SCHEMES:%=$(M)/flow_%_simd.o) \
    $(M)/flow_exported.o $(FLOW_GAS_GPU:%=$(M)/flow_%_gpu.o)
define flow_gas_rule
$(M)/flow_$(1)_$(2).o: flow/engines/cpu.c flow/scheme/schemes.def $(M)/constants.h
	$$(call say,cc,'$(NAME): flow $(1) cpu-$(2)')
	$(Q)$(CC) $$(FLOW_FLAGS) -I$(M) -DKB_LANES=$(3) -DKB_GAS_HEADER='"flow/gas/nasa.h"' \
	    $(call flow_scheme,$(1)) -DKB_FLOW_NAME=kb_flow_$(1)_$(2) -MMD -MP -c $$< -o $$@
endef
$(foreach s,$(FLOW_SCHEMES),$(eval $(call flow_gas_rule,$s,scalar,1)) \
    $(eval $(call flow_gas_rule,$s,simd,$(LANES))))
$(foreach s,$(FLOW_GAS_GPU),\
    $(eval $(call flow_gpu_rule,$s,$(M)/flow_$s,nasa,-I$(M),$(M)/constants.h)))
$(eval $(call flow_gpu_def,$(M)/flow_gpu,$(FLOW_GAS_GPU)))
$(M)/flow_exported.o: flow/engines/exported.c flow/scheme/schemes.def $(M)/constants.h \
    $(M)/flow_gpu/gpu.def
	$(Q)$(CC) $(FLOW_FLAGS) -I$(M) -I$(M)/flow_gpu -MMD -MP -c $< -o $@
$(FLOW_SO): $(FLOW_SO_OBJECTS)
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ -lmvec -lm

# --- programs
# HDF5 for fields over time, where it is there
HDF5 := $(firstword $(foreach p,hdf5-serial hdf5,\
    $(shell pkg-config --exists $p 2>/dev/null && echo $p)))
ifneq ($(HDF5),)
$(BUILD)/host/drivers/flow/frames.o $(BUILD)/tests/unit/test_flow_frames: \
    private CFLAGS += -DKB_HDF5 \
    $(filter-out -O% -g -fstack% -W%,$(shell pkg-config --cflags $(HDF5)))
endif
FLOW_LIBS := -fopenmp -lmvec -lsundials_cvode -lsundials_nvecserial \
    $(if $(HDF5),$(shell pkg-config --libs $(HDF5))) $(if $(NVCC),\
    -L$(dir $(NVCC))../lib64 -lcudart_static -lstdc++ -lrt -lpthread -ldl)
FLOW_PROGRAMS := flow detonation
tools: $(FLOW_PROGRAMS:%=$(BUILD)/%)
$(FLOW_PROGRAMS:%=$(BUILD)/%): private LDLIBS += $(FLOW_LIBS)
$(FLOW_PROGRAMS:%=$(BUILD)/%): \
    $(BUILD)/%: $(BUILD)/host/drivers/%.o $(STARTUP) $(BUILD)/libdrivers.a \
    $(BUILD)/libflow.a $(BUILD)/libkb.a
	$(call say,link,$@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
# the only files of the host that ask OpenMP for threads
$(BUILD)/host/drivers/flow.o $(BUILD)/host/drivers/flow/bench.o $(BUILD)/host/flow/run/fill.o: \
    private CFLAGS += -fopenmp

.PHONY: flow flow-bench flow-gas
flow-gas: $(FLOW_SO)
# $(call flow_options,DEFAULT-CASE)
flow_options = --case $(or $(CASE),$(1)) \
    $(call take,SCHEME ENGINE NX NY END CFL VARIABLES RIEMANN POSITIVE TURN NOISE SEED OUT FRAMES) \
    $(call take_given,THREADS REPEATS) $(if $(flow_gas),--mech $(MECHFILE) \
    $(call take,THERMO CHEMISTRY SPLITTING T_REACT FIELDS)) \
    $(if $(flow_detonation),$(unburnt) $(call take,LENGTH HEIGHT))
unburnt = $(call take,MIXTURE) $(if $(P),--pressure $(P)) $(if $(T),--temperature $(T))
# threads that spin while they wait are slow on a busy machine
FLOW_ENV := OMP_WAIT_POLICY=$(or $(OMP_WAIT_POLICY),passive)
flow_detonation := $(filter detonation,$(CASE))
flow_gas := $(filter detonation %.json,$(CASE))
flow: $(BUILD)/flow $(if $(flow_gas),solvers $(FLOW_SO))
	@$(FLOW_ENV) $(LAUNCH) $(BUILD)/flow $(call flow_options,sod)
	$(if $(filter list $(if $(HEIGHT),,detonation),$(CASE)),,\
	    @plots/flow $(or $(OUT),plots/out/flow-$(or $(basename $(notdir $(CASE))),sod)))
flow-bench: $(BUILD)/flow $(if $(flow_gas),solvers $(FLOW_SO))
	@$(FLOW_ENV) $(LAUNCH) $(BUILD)/flow --bench $(call flow_options,vortex)

FLOW_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_flow*.c tests/gpu/test_flow*.c))
$(FLOW_TESTS): $(BUILD)/libflow.a
$(FLOW_TESTS): private LDLIBS := $(BUILD)/libflow.a $(BUILD)/libkb.a $(LDLIBS) $(FLOW_LIBS)

.PHONY: detonation
detonation: $(BUILD)/detonation solvers
	@$(BUILD)/detonation --mech $(MECHFILE) --solvers $(SOLVERS_SO) $(unburnt) \
	    $(call take,THERMO OVERDRIVE LENGTH OUT)

# the gas of the tests
ifneq ($(NAME),h2co)
$(BUILD)/mech/h2co/flow.so: FORCE | $(BUILD)/mech/h2co/solvers.so
	@$(MAKE) --no-print-directory flow-gas MECH=h2co NAME=h2co CUDA=0
endif
test: $(BUILD)/mech/h2co/flow.so

# the engine gpu without a GPU: its kernels as loops on the host
ifneq ($(shell command -v g++),)
FAKE_FLOW := $(FLOW_SCHEMES) $(FLOW_ONE_GAS)
FAKE_DIR := $(BUILD)/tests/gpu/fake_flow
FAKE_FLOW_OBJECTS := $(FAKE_FLOW:%=$(FAKE_DIR)/%.o)
# $(1) scheme, $(2) its name with the gas, $(3) gas, $(4) more options
fake_flow = g++ -std=c++20 -O2 -fPIC -fno-math-errno $(WARN) -fopenmp-simd \
    -Drestrict=__restrict__ -Itests/gpu/fake_flow -I. $(4) -DKB_GAS_HEADER='"flow/gas/$(3).h"' \
    $(call flow_scheme,$(1)) -DKB_FLOW_NAME=kb_flow_$(2)_gpu -DKB_FLOW_HOST=kb_flow_$(2)_scalar \
    -MMD -MP -x c++ -c $< -o $@
$(FAKE_FLOW_OBJECTS): $(FAKE_DIR)/%.o: flow/engines/gpu.cu flow/scheme/schemes.def
	$(call say,c++,'$< for a made-up device: $*')
	@mkdir -p $(@D)
	$(Q)$(call fake_flow,$*,$*_1,ideal,-DNSP=1)
$(eval $(call flow_gpu_def,$(FAKE_DIR),$(FAKE_FLOW)))
$(FAKE_DIR)/engines.o: flow/engines/find.c flow/scheme/schemes.def $(FAKE_DIR)/gpu.def
	$(Q)$(CC) $(CFLAGS) -I$(@D) -MMD -MP -c $< -o $@
$(BUILD)/tests/gpu/flow_host: tests/gpu/test_flow_gpu.c $(FAKE_DIR)/engines.o \
    $(FAKE_FLOW_OBJECTS) $(BUILD)/libflow.a $(BUILD)/libkb.a
	$(call say,cc,'$< on a made-up device')
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LDLIBS) $(FLOW_LIBS) \
	    -lstdc++

# the same for the gas of h2co: a flow.so whose engine gpu is a made-up one, for two schemes
FAKE_GAS := $(BUILD)/mech/h2co
FAKE_GAS_SCHEMES := mp5 ader_weno
FAKE_GAS_OBJECTS := $(FAKE_GAS_SCHEMES:%=$(FAKE_DIR)/gas_%.o)
$(FAKE_GAS_OBJECTS): $(FAKE_DIR)/gas_%.o: flow/engines/gpu.cu flow/scheme/schemes.def \
    $(FAKE_GAS)/flow.so
	$(call say,c++,'$< for a made-up device: $* of h2co')
	$(Q)$(call fake_flow,$*,$*,nasa,-I$(FAKE_GAS))
$(eval $(call flow_gpu_def,$(FAKE_DIR)/gas,$(FAKE_GAS_SCHEMES)))
$(FAKE_DIR)/gas_plugin.o: flow/engines/exported.c flow/scheme/schemes.def $(FAKE_GAS)/flow.so \
    $(FAKE_DIR)/gas/gpu.def
	$(Q)$(CC) $(FLOW_FLAGS) -I$(FAKE_GAS) -I$(FAKE_DIR)/gas -MMD -MP -c $< -o $@
$(FAKE_DIR)/flow.so: $(FAKE_DIR)/gas_plugin.o $(FAKE_GAS_OBJECTS)
	$(Q)$(CC) -shared -fopenmp -Wl,-Bsymbolic -o $@ $^ $(foreach s,$(FLOW_SCHEMES),\
	    $(FAKE_GAS)/flow_$s_scalar.o $(FAKE_GAS)/flow_$s_simd.o) -lmvec -lstdc++ -lm
$(BUILD)/tests/gpu/flow_gas_host: tests/gpu/test_flow_gas.c $(BUILD)/libflow.a $(BUILD)/libkb.a \
    $(FAKE_DIR)/flow.so
	$(call say,cc,'$< on a made-up device')
	$(Q)$(CC) $(CFLAGS) -DFLOW_MECH='"h2co"' -DFLOW_SO='"$(FAKE_DIR)/flow.so"' -MMD -MP -o $@ \
	    $(filter-out %.so,$^) -lcmocka $(LDLIBS) $(FLOW_LIBS)
TEST_EXTRA += $(BUILD)/tests/gpu/flow_gas_host
TEST_EXTRA += $(BUILD)/tests/gpu/flow_host
endif

ifeq ($(GENERATOR),flow)
$(WHOLE): | $(FLOW_SO)
endif

# a few cases in make smoke; the detonation has cells of 0.8 mm
.PHONY: flow-smoke
smoke: flow-smoke
flow-smoke: $(BUILD)/flow | $(BUILD)/mech/h2co/flow.so
	@for run in "entropy --nx 20,40" "simple --nx 40,80" sod lax "123 --nx 100" \
	    "step --nx 60 --end 0.5" "contact --nx 50" "detonation --nx 246"; do \
	    echo "flow --case $$run"; \
	    $(FLOW_ENV) $(BUILD)/flow --quiet --out $(BUILD)/flow-smoke --case $$run || exit; done
