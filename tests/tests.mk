# make test: unit and property tests, then end-to-end scripts. KB_MECH_PATH names a folder of
# mechanisms for the tests that need large ones; without it they say that they were skipped.

X := $(BUILD)/tests
TEST_SCRIPTS := $(wildcard tests/scripts/test_*.sh)
TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c tests/gpu/test_*.c))
CXX := $(shell command -v g++)
link_test = $(TO) $(1) $(filter %.o %.a,$^) -lcmocka $(LDLIBS) -lmvec $(CXX:%=-lstdc++)
# compilers of tests: for lanes, and of code for a GPU on the host
LANES_CC := $(CC) $(CFLAGS) -O1 -march=$(MARCH) -Wno-psabi -fopenmp-simd
CXX_FLAGS := -std=c++20 -g -march=$(MARCH) $(WARN) -Wno-psabi -Wno-deprecated-enum-enum-conversion \
    -Wno-deprecated-enum-float-conversion -Wno-missing-field-initializers -Wno-unused-function \
    -Drestrict=__restrict__ -fopenmp-simd -pthread -I.
HOST_CXX := $(CXX) -O1 $(CXX_FLAGS)
# $(call test,PROGRAM,SOURCES,COMPILER AND OPTIONS,WHAT ELSE IT NEEDS): a test of its own
define test
$X/$(1): $(2) $(4)
	$$(call do,cc,'$$< ($$(@F))')$(3) $$(call link_test,$(2))
TEST_EXTRA += $X/$(1)
endef
# the flag of a sanitizer, where its programs run
sanitizer = $(shell mkdir -p $(BUILD); echo 'int main(void) { return 0; }' | \
    $(CC) -fsanitize=$(1) -x c - -o $(BUILD)/sanitizer 2>/dev/null && $(BUILD)/sanitizer && \
    echo -fsanitize=$(1))
ifneq ($(filter test $X/%,$(MAKECMDGOALS)),)
TSAN := $(call sanitizer,thread)
ASAN := $(call sanitizer,address)
LIBRARY_SAN := $(addsuffix $(space)-Wno-format-truncation -Wno-format-overflow,$(call \
    sanitizer,address$(comma)undefined))
endif

# --- solvers of mechanisms, each by a make of its own: MECH decides the rules, and METHODS= holds
# for the tests of a method alone. $(1) name, $(2) variables, $(3) file
define other
ifneq ($(NAME),$(1))
$(BUILD)/mech/$(1)/$(or $(3),solvers.so): FORCE | \
    $(if $(3),$(BUILD)/mech/$(1)/solvers.so,$(BUILD)/mechc)
	@$$(MAKE) --no-print-directory NAME=$(1) $(2) $(or $(3:%=$$@),solvers \
	    $(if $(testing),METHODS=))
endif
TEST_SOLVERS += $(BUILD)/mech/$(1)/$(or $(3),solvers.so)
endef
# of large mechanisms what a test asks for
$(eval $(call other,gri30,MECH=gri30 $(if $(GPU),,CUDA=0) VARIANTS= \
    COMPILED='$(sort rodas4 $(FLOAT_METHODS))'))
ifneq ($(wildcard $(KB_MECH_PATH)/usc2/mech.inp),)
$(eval $(call other,usc2,MECH=$(KB_MECH_PATH)/usc2/mech.inp CUDA=0 COMPILED=rodas4 \
    THERMO=$(KB_MECH_PATH)/usc2/therm.dat))
endif
$(eval $(call other,h2,MECH=h2 VARIANTS=$(TEST_VARIANTS) VARIANT_METHODS=$(TEST_VARIANT_METHODS) \
    $(TEST_GPU_METHODS:%=GPU_METHODS=%)))
$(eval $(call other,h2co,MECH=h2co $(if $(GPU),,CUDA=0) VARIANTS=))
# mechanisms of tests alone: with -O1, the objects that a test asks for. Every rate type on made-up
# reactions; all but the shortest of its tables stand apart from the header
engines_of = $(foreach m,$(1),$(addprefix $m_,$(2)))
$(eval $(call other,rate_types,MECH=tests/data/rate_types.yaml CUDA=0 OPTIMISE=-O1 \
    LARGE=16 BUILT='$(call engines_of,rodas4 rkck rkc,scalar simd scalar_unsorted simd_unsorted) \
    $(call engines_of,radau2a vode,scalar simd) $(call engines_of,rodas4 radau2a vode,scalar_dense \
    simd_dense) point_implicit_scalar_global'))
# thermo models and rate types that rate_types has not, and species in steady state
$(eval $(call other,models,MECH=tests/data/cantera_types.yaml QSS=tests/data/models.qss CUDA=0 \
    OPTIMISE=-O1 COMPILED='rodas4 rkc'))
# engines of any mechanism, as the tree of a library that has them and the mechanisms above
READ_TREE := $X/read/build
ifneq ($(ANY),$(READ_TREE)/any)
$(READ_TREE)/any/solvers.so: FORCE | $(BUILD)/mechc $(ANY_HOST)
	@mkdir -p $(@D) && ln -sfn $(abspath $(BUILD)/mech) $(READ_TREE)/mech
	@$(MAKE) --no-print-directory any ANY=$(READ_TREE)/any OPTIMISE=-O1
endif
TEST_SOLVERS += $(READ_TREE)/any/solvers.so
# after solvers.so, with which they share objects
$(eval $(call other,h2,MECH=h2,kernels.so))
$(eval $(if $(CXX),$(call other,h2,MECH=h2,roofline.so)))
$(eval $(call other,h2co,MECH=h2co CUDA=0,flow.so))

# --- unit tests, and programs that other tests call
TEST_TOOLS := $(patsubst %,$X/%,random/mechanism random/features reliability/reliability \
    validate/reference)
$(TEST_PROGRAMS) $(TEST_TOOLS): $(BUILD)/%: %.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) $(call link_test,$<)
# the test's clock_gettime is the one that shared objects find
$X/unit/test_waiting: private LDLIBS += -Wl,--export-dynamic-symbol=clock_gettime

# --- a method's file on problems with known solutions, for one lane and for many: order of
# convergence and what it promises, stiff where it promises that too, and at rest. Phi functions,
# complex LU of a mechanism's Newton matrix, products with its Jacobian; exp, log and 1/x
STIFF_METHODS := $(basename $(notdir $(shell grep -l '\.stiff = ' solvers/methods/*.h)))
problems = smooth rest $(if $(filter $(1),$(STIFF_METHODS)),kaps)
$(foreach l,1 $(LANES),\
    $(foreach f,$(wildcard tests/order/order_*.c),\
        $(eval $(call test,order/$(basename $(notdir $f))_$l,$f,$(LANES_CC) -DKB_LANES=$l)))\
    $(foreach m,$(METHODS),$(foreach p,$(call problems,$m),$(eval $(call test,order/$m_$p_$l,\
        tests/order/$(if $(filter rest,$p),rest,order).c,$(LANES_CC) -DKB_LANES=$l \
        -DKB_PROBLEM='"tests/order/problem_$p.h"' $(call method_defines,$m,order)))))\
    $(eval $(call test,linalg/phi_$l,tests/linalg/phi.c,$(LANES_CC) -DKB_LANES=$l))\
    $(foreach t,complex_lu multiply dense,$(foreach m,h2 gri30,$(eval \
        $(call test,linalg/$t_$m_$l,tests/linalg/$t.c,$(LANES_CC) -DKB_LANES=$l \
        -I$X/tables/$m.1,$X/tables/$m.1/constants.h)))))
$(eval $(call test,lanes/number,tests/lanes/number.c,$(LANES_CC) -O2 -DKB_LANES=$(LANES)))

# --- tables for a test's mechanism, MECH.1 or MECH.THREADS of a team, -unsorted; as an engine's
.SECONDEXPANSION:
.PRECIOUS: $X/tables/%/constants.h
mech_file = $(firstword $(wildcard datasets/mechanisms/$(1).yaml tests/data/$(1).yaml) \
    tests/data/cantera_types.yaml)
tables_options = $(if $(filter gpu%,$(1)),$(call layout,$(call tables_of,$(1))),--team $(firstword \
    $(subst -, ,$(1))) $(if $(findstring unsorted,$(1)),--reactions mechanism))
$X/tables/%/constants.h: $$(call mech_file,$$(basename $$*)) $(BUILD)/mechc
	$(call do,mechc,$@)KB_QSS=$(abspath $(wildcard tests/data/$(basename $*).qss)) \
	    $(BUILD)/mechc $< --name $(basename $*) $(call tables_options,$(subst .,,$(suffix $*))) -o $@

# --- each method by a team of 4 threads, under the thread sanitizer where it runs, against the same
# method by one thread: a missing team_sync is a data race. GCC does not see that a gather has at
# most GATHERS sums
TEAM_CC := $(CC) -std=gnu11 -g -O1 -march=$(MARCH) $(WARN) -Wno-psabi -Wno-array-bounds \
    -Wno-maybe-uninitialized -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd \
    -pthread -I. $(TSAN)
TEAM_CXX := $(HOST_CXX) $(TSAN) -x c++
FLOAT_TEAM := -DKB_PAIR_FLOAT -include tests/team/pair_host.h
$X/team/of_%.o: tests/team/team.c $X/tables/%.1/constants.h
	$(call do,cc,'$< ($*)')$(TEAM_CC) -I$X/tables/$*.1 $(TO) -c $<
# one thread, METHOD[-dense] of MECH: one/MECH/METHOD.o
$X/team/one/%.o: tests/team/team_run.c $X/tables/$$(*D).1/constants.h
	$(call do,cc,'$< ($*)')$(TEAM_CC) -I$X/tables/$(*D).1 $(if $(filter %-dense,$*),-DKB_DENSE) \
	    $(call method_defines,$(*F:%-dense=%),team) -DKB_TEAM=1 -DKB_TEAM_RUN=run_one $(TO) -c $<
# $(1) test, $(2) mechanism, $(3) method, $(4) tables, $(5) compiler and options, $(6) -dense,
# $(7) another source
define team
$X/$(1)_team.o: $(or $(7),tests/team/team_run.c) $X/tables/$(2).$(4)/constants.h
	$$(call do,cc,'$$< ($(1))')$(5) -I$X/tables/$(2).$(4) $(call method_defines,$(3),team) \
	    -DKB_TEAM_RUN=run_team $$(TO) -c $$<
$X/$(1): $X/team/of_$(2).o $X/team/one/$(2)/$(3)$(6).o $X/$(1)_team.o
	$$(call do,link,$$@)$$(TEAM_CC) -o $$@ $$^ -lcmocka -lmvec -lm $(CXX:%=-lstdc++)
TEST_EXTRA += $X/$(1)
endef
# teams of each KIND. unsorted: reactions in the order of the mechanism; global: all long arrays of
# the team lie in global memory, as those of a large mechanism; dense: both by problem_dense.h;
# pair: a team has two ODEs; wide: and 16 threads, each of which holds a few rows of the Jacobian,
# as on a GPU; float: two ODEs, the matrix in floats
tables_unsorted := 4-unsorted
tables_wide := 16
of_global := -DKB_SHARED_ARRAY_MOST=0
of_dense := -DKB_DENSE
of_pair := -DKB_LANES=2
of_wide := -DKB_LANES=2
of_float := -DKB_PAIR_FLOAT -include tests/team/pair_host.h
# $(1) mechanism, $(2) method, $(3) kind
kind_of_team = $(eval $(call team,team/team_$(1)_$(2)$(3:%=_%),$(1),$(2),$(or $(tables_$(3)),4),\
    $(if $(filter float,$(3)),$(TEAM_CXX),$(TEAM_CC)) -DKB_TEAM=$(firstword $(subst -, ,$(or \
    $(tables_$(3)),4))) $(of_$(3)),$(if $(filter dense,$(3)),-dense)))
$(foreach m,$(METHODS),$(call kind_of_team,h2,$m))
$(foreach t,gri30/rodas4 gri30/radau2a models/rodas4 h2/rodas4/unsorted h2/rkck/unsorted \
    h2/radau2a/global h2/exp4/global h2/rkc/global h2/radau2a/dense h2/rodas4/dense h2/rodas4/pair \
    h2/radau2a/pair h2/vode/pair h2/rkc/pair h2co/rodas4/wide models/rodas4/pair \
    gri30/rodas4/pair $(if $(CXX),h2/rodas4/float h2/radau2a/float gri30/radau2a/float),\
    $(call kind_of_team,$(word 1,$(subst /, ,$t)),$(word 2,$(subst /, ,$t)),$(word \
    3,$(subst /, ,$t))))

# f, J and LU by teams as large as those of a GPU, whose threads take turns
TURNS_CC := $(filter-out $(TSAN),$(TEAM_CC))
turns_32 := -DKERNEL_SOLVE
# $(1) mechanism, $(2) threads, $(3) object, $(4) tables, $(5) options
define turns_object
$X/team/turns_$(1)_$(2)_$(3).o: tests/random/kernel.c $X/tables/$(1).$(4)/constants.h
	$$(call do,cc,'$$< ($(1) $(3))')$(TURNS_CC) -I$X/tables/$(1).$(4) -DKERNEL=kernel_$(3) $(5) \
	    $(turns_$(2)) $$(TO) -c $$<
endef
define turns
$(call turns_object,$(1),$(2),one,1)
$(call turns_object,$(1),$(2),team,$(2),-DKB_TEAM=$(2))
$(call test,team/turns_$(1)_$(2),tests/team/schedule.c,$(TURNS_CC) -I$X/tables/$(1).1,\
    $(patsubst %,$X/team/turns_$(1)_$(2)_%.o,one team))
endef
$(foreach t,h2.32 h2co.64 models.32 gri30.64 gri30.128,\
    $(eval $(call turns,$(basename $t),$(subst .,,$(suffix $t)))))

# --- code for a GPU, compiled by a C++ compiler of the host: straight-line code and teams against
# one thread, exp, log and 1/x of it, lanes of gpu-pair, teams of so many threads and lanes, complex
# factors in floats by a team of two ODEs
ifneq ($(CXX),)
straight = $(eval $(call team,straight/$(1)_$(2),$(1),$(2),1,$(HOST_CXX) -x c++ -DKB_STRAIGHT \
    -DKB_TEAM=1))
$(foreach m,$(METHODS),$(call straight,h2,$m))
$(foreach m,rodas4 radau2a,$(call straight,h2co,$m))
$(foreach m,rodas4 rkc,$(call straight,straight_rates,$m))
pair_on_host = $(eval $(call team,team/$(1)_$(2),h2,$(2),$(1),$(HOST_CXX) -Wno-unknown-pragmas \
    -Wno-array-bounds -D$(call engine_field,$(1),5) -DKB_TEAM=$(call \
    engine_width,$(1)),,tests/team/team_pair.cpp))
$(call pair_on_host,gpu_pair,radau2a) $(call pair_on_host,gpu_pair_float,rodas4)
$(eval $(call test,straight/number,tests/straight/number.cpp,$(HOST_CXX) -O2))
$(eval $(call test,lanes/pair,tests/lanes/pair.cpp,$(HOST_CXX)))
$(eval $(call test,lanes/counted,tests/lanes/counted.cpp,$(HOST_CXX) -DKB_COUNTED -DKB_STRAIGHT))
$(foreach t,32_1 128_1 128_2,$(eval $(call test,lanes/team_$t,tests/lanes/team.cpp,$(HOST_CXX) \
    -DKB_TEAM=$(subst _, -DKB_LANES=,$t) -DTEAM_NAME='"_$t"')))
$(eval $(call test,linalg/complex_float,tests/linalg/complex_float.cpp,$(HOST_CXX) $(TSAN) \
    -DKB_TEAM=4 $(of_float) -I$X/tables/gri30.4,$X/tables/gri30.4/constants.h))

# the host side of the GPU engines, with rodas4 on H2, on a device in the host's memory; where the
# compiler can tell, a copy may not reach memory of the host that is gone
$X/gpu/%.o: private CXX_FLAGS += -Itests/gpu/fake_cuda -x c++
$X/gpu/gpu_host_%.o: solvers/engines/gpu.cu $X/tables/h2.1/constants.h
	$(call do,c++,'$< on a made-up device: $*')$(CXX) -O2 -fsanitize=signed-integer-overflow \
	    -fsanitize-undefined-trap-on-error $(CXX_FLAGS) -I$X/tables/h2.1 $(call \
	    method_defines,rodas4,fake$(filter _cached,_$*)) $(call \
	    engine_defines,gpu_thread$(filter _cached,_$*)) $(TO) -c $<
$X/gpu/device.o: solvers/engines/device.cu
$X/gpu/chain.o: solvers/engines/chain.cu
$X/gpu/fake_memory.o: tests/gpu/fake_memory.cpp
$(addprefix $X/gpu/,device.o chain.o fake_memory.o):
	$(call do,c++,'$< on a made-up device')$(CXX) -O1 $(ASAN) $(CXX_FLAGS) $(TO) -c $<
$(foreach f,$(wildcard tests/gpu/gpu_host*.c),$(eval $(call test,gpu/$(basename $(notdir \
    $f)),$f,$(CC) $(CFLAGS) $(ASAN) -fopenmp,$(patsubst %,$X/gpu/%.o,gpu_host_engine \
    gpu_host_cached device chain fake_memory) $(BUILD)/libdrivers.a $(BUILD)/libkb.a)))

# the engine gpu of flow, its kernels as loops: for one ideal gas, and a flow.so of h2co's gas
FAKE := $X/gpu/fake_flow
FAKE_GAS := $(BUILD)/mech/h2co
FAKE_GAS_SCHEMES := mp5 ader_weno
# $(1) scheme, $(2) object, $(3) its name and gas's end, $(4) gas, $(5) options, $(6) needs
define fake_flow
$(FAKE)/$(2).o: flow/engines/gpu.cu flow/scheme/schemes.def $(6)
	$$(call do,c++,'$$< on a made-up device: $(2)')$(HOST_CXX) -O2 -fPIC -fno-math-errno \
	    -Itests/gpu/fake_flow $(5) $(call flow_defines,$(1),$(4),$(3)_gpu) \
	    -DKB_FLOW_HOST=kb_flow_$(3)_scalar $$(TO) -x c++ -c $$<
endef
$(foreach s,$(FLOW_ALL),$(eval $(call fake_flow,$s,$s,$s_1,ideal,-DNSP=1)))
$(foreach s,$(FAKE_GAS_SCHEMES),$(eval $(call fake_flow,$s,gas_$s,$s,nasa,-I$(FAKE_GAS),\
    $(FAKE_GAS)/flow.so)))
$(eval $(call flow_gpu_def,$(FAKE),$(FLOW_ALL)))
$(eval $(call flow_gpu_def,$(FAKE)/gas,$(FAKE_GAS_SCHEMES)))
$(FAKE)/engines.o: flow/engines/find.c $(FAKE)/gpu.def
	$(call do,cc,$<)$(CC) $(CFLAGS) -I$(@D) $(TO) -c $<
$(FAKE)/gas_plugin.o: flow/engines/exported.c $(FAKE_GAS)/flow.so $(FAKE)/gas/gpu.def
	$(call do,cc,$<)$(CC) $(SCALAR_FLAGS) -I. -I$(FAKE_GAS) -I$(FAKE)/gas $(TO) -c $<
$(FAKE)/flow.so: $(FAKE)/gas_plugin.o $(FAKE_GAS_SCHEMES:%=$(FAKE)/gas_%.o)
	$(call do,link,$@)$(CC) -shared -fopenmp -Wl,-Bsymbolic -o $@ $^ $(foreach s,$(FLOW_SCHEMES),\
	    $(FAKE_GAS)/flow_$s_scalar.o $(FAKE_GAS)/flow_$s_simd.o) -lmvec -lstdc++ -lm
$(eval $(call test,gpu/flow_host,tests/gpu/test_flow_gpu.c,$(CC) $(CFLAGS),$(FAKE)/engines.o \
    $(FLOW_ALL:%=$(FAKE)/%.o)))
$(eval $(call test,gpu/flow_gas_host,tests/gpu/test_flow_gas.c,$(CC) $(CFLAGS) \
    -DFLOW_MECH='"h2co"' -DFLOW_SO='"$(FAKE)/flow.so"',$(FAKE)/flow.so))
endif

# --- libkinbench: its sources in one program, under the address sanitizer where it runs; programs
# of users; states of a GPU, compiled where nvcc is and run where a GPU is
$X/library/library $X/library/calls: SANITIZE = $(LIBRARY_SAN)
$X/library/cost: SANITIZE = -O2
$(patsubst %,$X/library/%,library calls cost): $X/%: tests/%.c $(LIBRARY_SOURCES) library/inside.h
	$(call do,cc,$<)$(CC) $(CFLAGS) $(SANITIZE) -fopenmp $(LIBRARY_DEFINES) $(TO) $< \
	    $(LIBRARY_SOURCES) -lcmocka -lm -ldl -lpthread
$X/library/traps: tests/library/traps.c $(LIBRARY_SO)
	$(call do,cc,$<)$(CC) $(CFLAGS) -fopenmp $(TO) $< $(LIBRARY_USE) -Wl,-rpath,$(abspath $(BUILD))
$X/library/device: tests/library/device.cu $(LIBRARY_SO)
	$(call do,nvcc,$<)$(NVCC) -std=c++17 -I. -o $@ $< $(LIBRARY_USE) -Xlinker \
	    -rpath,$(abspath $(BUILD))
LIBRARY_USE := -L$(BUILD) -lkinbench -lm
TEST_EXTRA += $X/library/library $X/library/calls

# --- ranks: memory that they share, with both sides in one process; the bits of any number
$(eval $(call test,ranks/memory,tests/ranks/memory.c drivers/ranks/mpi/shared.c base/error.c,\
    $(CC) $(CFLAGS) -Itests/ranks/fake_mpi))
$(BUILD)/ranks_bits: tests/ranks/bits.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) $(call link_test,$<)

# --- readers of files: make fuzz gives each RUNS= inputs by clang's libFuzzer, one after another;
# what it finds stays under build/fuzz. make test replays the seeds of tests/corpus alone
FUZZED := npy json csv results recipe order checkpoint chemkin yaml query ledger compare report \
    options flow
FUZZ_READERS ?= $(FUZZED)
RUNS ?= 100000
CLANG ?= clang
FUZZ_CC := $(CLANG) -g -O1 -std=gnu11 -I. -fsanitize=address,undefined
# of flow what reads a checkpoint, with what that needs
FUZZ_FLOW := $(addprefix flow/run/,checkpoint.c chemistry.c fill.c halo.c results.c view.c)
FUZZ_OBJECTS := $(patsubst %.c,$(BUILD)/fuzz/%.o,$(LIB_SOURCES) $(FUZZ_FLOW) \
    $(filter-out drivers/flow/%,$(DRIVER_PARTS)))
fuzz_dict = $(addprefix -dict=,$(wildcard $(if $(filter json recipe order,$(1)),\
    tests/corpus/json.dict,tests/corpus/$(1).dict)))
$(BUILD)/fuzz/%.o: %.c
	$(call do,clang,$<)$(FUZZ_CC) -fsanitize=fuzzer-no-link $(TO) -c $<
# an archive: the parts of programs that a target does not use need more libraries
$(BUILD)/fuzz/libfuzzed.a: $(FUZZ_OBJECTS)
	$(archive)
$(FUZZED:%=$(BUILD)/fuzz/fuzz_%): $(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c \
    $(BUILD)/fuzz/libfuzzed.a
	$(call do,clang,$<)$(FUZZ_CC) -fsanitize=fuzzer $(TO) $< \
	    $(BUILD)/fuzz/libfuzzed.a $(LDLIBS)
fuzz: $(patsubst %,fuzz-%,$(subst $(comma), ,$(FUZZ_READERS)))
$(FUZZED:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/fuzz_%
	@mkdir -p $(BUILD)/fuzz/found/$*
	@$< -runs=$(RUNS) -max_len=2048 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/$*- \
	    $(call fuzz_dict,$*) $(BUILD)/fuzz/found/$* tests/corpus/$* >$(BUILD)/fuzz/$*.log 2>&1 || \
	    { tail -40 $(BUILD)/fuzz/$*.log; exit 1; }
	@echo "$*: $$(sed -n 's/^stat::number_of_executed_units: //p' $(BUILD)/fuzz/$*.log) inputs"
$(foreach r,$(filter-out chemkin yaml,$(FUZZED)),$(eval $(call test,fuzz/replay_$r,\
    tests/fuzz/replay.c tests/fuzz/fuzz_$r.c,$(CC) $(CFLAGS) -fopenmp \
    -DKB_CORPUS='"tests/corpus/$r"',\
    $(if $(filter flow,$r),$(FUZZ_FLOW:%.c=$(BUILD)/host/%.o)) $(BUILD)/libdrivers.a \
    $(BUILD)/libkb.a)))

# --- made-up mechanisms of every feature, by their seeds, odd ones with species in steady state,
# against mech/'s rates in long double
R := $X/random
$R/reference: tests/random/reference.c $(addprefix mech/thermo/,rates.c progress.c thermo.c) \
    $(filter-out %/load.c %/find.c %/oneway.c,$(wildcard mech/*.c)) $(wildcard mech/yaml/*.c) \
    base/error.c base/number.c base/file.c tests/random/long_double.h
	$(call do,cc,$<)$(CC) -std=gnu11 -O1 -w -I. -include tests/random/long_double.h -o $@ \
	    $(filter %.c,$^) -lyaml -lm
$R/%/constants.h: $R/mechanism $(BUILD)/mechc
	$(call do,mechc,$@)$R/mechanism $* >$R/$*/cm.yaml && $R/mechanism $* si >$R/$*/si.yaml
	$(Q)$(BUILD)/mechc $R/$*/cm.yaml -o $@ 2>$R/$*/log || { cat $R/$*/log; exit 1; }
# $(1) seed, $(2) object, $(3) source, $(4) lanes, $(5) options
define random_object
$R/$(1)/$(2).o: $(3) $R/$(1)/constants.h
	$$(call do,cc,'$$< (random mechanism $(1))')$(LANES_CC) -I$R/$(1) -DKB_LINES -DKB_LANES=$(4) \
	    $(5) $$(TO) -c $$<
endef
random_lanes = $(eval $(call random_object,$(1),lines_$(2),$(STRAIGHT)/lines.c,$(3),\
    -fno-signed-zeros)) $(eval $(call random_object,$(1),$(2),solvers/engines/evaluate.c,$(3),\
    -DKB_EVALUATE=kb_evaluate_$(2) -DKB_MICRO=kb_micro_$(2)))
random = $(call random_lanes,$(1),scalar,1) $(call random_lanes,$(1),simd,$(LANES)) \
    $(eval $(call random_object,$(1),flow,flow/engines/cpu.c,1,-fopenmp \
        $(call flow_defines,muscl,nasa,random))) \
    $(eval $(call test,random/random_$(1),tests/random/random.c,$(LANES_CC) -fopenmp -I$R/$(1) \
        -DRANDOM_YAML='"$R/$(1)/cm.yaml"' -DRANDOM_SI='"$R/$(1)/si.yaml"' \
        -DRANDOM_REFERENCE='"$R/reference"',$(patsubst %,$R/$(1)/%.o,scalar simd lines_scalar \
        lines_simd flow) $R/reference $(BUILD)/libkb.a))
$(foreach s,1 2 3 4,$(call random,$s))

# every feature alone, in every engine (tests/random/features.c): mechanisms of one to three kinds.
# make test has few of them, by the engines of a CPU and by teams, floats of a kind alone; make
# features all, by all, and the few by the engines of a GPU
FEATURE_SOURCES := tests/random/kernels tests/random/kernel.c $(wildcard solvers/*.h \
    solvers/chemistry/*.h solvers/chemistry/*/*.h solvers/chemistry/straight/*/* \
    solvers/linalg/*.h solvers/portable/*.h) tests/team/pair_host.h tests/team/fibers.h
FEATURE_FLAGS = -march=$(MARCH) -Wno-psabi -fPIC -fopenmp-simd -ffp-contract=fast -fno-math-errno \
    -I.
kernels_few = $(if $(findstring steady,$*),scalar lanes,scalar_lines lanes_lines $(if $(findstring \
    +,$*),,float)) team
kernels_all = scalar lanes unsorted team scalar_lines $(if $(filter-out 1,$(LANES)),lanes_lines \
    float) $(if $(CXX),pair straight)
kernels_gpu = gpu_thread gpu_warp gpu_pair_float gpu_straight
# $(1) few, all or gpu; $(2) level of the optimiser
define feature_rule
$R/$(1)/%/kernels.so: $(FEATURE_SOURCES) $R/mechanism $(BUILD)/mechc
	$$(call do,cc,'features: $$*')CC='$(CC)' C_FLAGS='-std=gnu11 $(FEATURE_FLAGS) $(2)' \
	    ALONE_FLAGS='-O2 -Wall -Wextra -Werror' LANES=$(LANES) BUILD=$(BUILD) CXX='$(CXX)' \
	    CXX_FLAGS='-std=c++20 -w -Drestrict=__restrict__ $(FEATURE_FLAGS) $(2)' NVCC='$(NVCC)' \
	    NVCC_FLAGS='-O1 -std=c++20 --expt-relaxed-constexpr -arch=sm_$(or $(GPU_ARCH),90) \
	    -Xcompiler -fPIC -I.' tests/random/kernels $$* $$(@D) $$(kernels_$(1))
$R/$(1)/made: $R/features $R/reference $R/mechanism $(BUILD)/mechc FORCE
	+$(Q)$$(MAKE) --no-print-directory $$(call feature_folders,$(1:gpu=few),/kernels.so,$(1))
endef
# $(1) few or all, $(2) a file of each, $(3) the folder if it is not called so
feature_folders = $$($R/mechanism $(1) | sed 's,.*,$R/$(or $(3),$(1))/&$(2),')
$(eval $(call feature_rule,few,-O0))
$(eval $(call feature_rule,all,-O1))
$(eval $(call feature_rule,gpu))
# the table of all
features: $R/all/made $(if $(NVCC),$R/gpu/made)
	$(Q)$R/features $R/reference $(call feature_folders,all) $(if $(NVCC),$(call \
	    feature_folders,few,,gpu)) >$R/all/table; code=$$?; grep -v '^ok' $R/all/table; exit $$code

# --- what make test needs, the longest first, and what it runs; the plug-ins that can be built here
test: $(TEST_SOLVERS) tools $(TEST_EXTRA) $(TEST_PROGRAMS) $R/few/made $(LIBRARY_SO) \
    $X/library/cost $X/library/traps $(if $(NVCC),$R/gpu/sri/kernels.so $X/library/device) \
    $(if $(MPICC),$(BUILD)/ranks.so $(BUILD)/ranks_bits) $(if $(wildcard \
    $(HEADER_DIRS:%=%/arkode/arkode.h)),$(BUILD)/plugins/arkode.so) $(if $(filter h2,$(NAME)),$(if \
    $(CXX),$(M)/cvode-lockstep.so) $(if $(wildcard $(VENV)/done),$(M)/cantera.so))
	@CUDA=$(CUDA) tests/run $(TEST_PROGRAMS) $(TEST_EXTRA) $(TEST_SCRIPTS)

# ignitions that solvers miss with status ok, on thousands of states: make reliability
# [STATES=20000]
reliability: $X/reliability/reliability $(TEST_SOLVERS)
	$< --rtol 1e-3,1e-4 $(if $(STATES),--n $(STATES))

# make validate: rates, thermodynamics, Jacobian, equilibrium and ignition against Cantera, in a
# Python environment of its own. PYTHON=python uses one that has Cantera and numpy already
VENV := $(BUILD)/venv
VALIDATE_PYTHON := $(or $(PYTHON),$(VENV)/bin/python)
VALIDATE_READY := $(if $(PYTHON),,$(VENV)/done)
$(VENV)/done: tests/validate/requirements.txt
	$(call say,venv,$(VENV))
	@rm -rf $(VENV); mkdir -p $(BUILD)
	@{ python3 -m venv $(VENV) && $(VENV)/bin/pip install -q -r $<; } >$(BUILD)/venv.log 2>&1 || \
	    { rm -rf $(VENV); tail -3 $(BUILD)/venv.log; \
	    echo "make validate: no Python environment with Cantera: python3-venv or the package" \
	    "index is missing ($(BUILD)/venv.log has all of it)." \
	    "With Cantera at hand: make validate PYTHON=python3"; exit 2; } >&2
	@touch $@
validate: $(VALIDATE_READY) $X/validate/reference $(BUILD)/evaluate $(BUILD)/ignite \
    $(BUILD)/flamelet $(BUILD)/pasr $(TEST_SOLVERS)
	@PYTHON=$(VALIDATE_PYTHON) KB_BUILD=$(BUILD) tests/validate/run
# its reactors as a plug-in of bench
$(M)/cantera.so: $(VALIDATE_READY)

# faults planted in a copy of the tree: none may survive the tests; half an hour and more. AUTO=500:
# so many of one token, drawn over all folders, against what make test has built
mutate:
	@$(if $(AUTO),tests/mutate/auto $(AUTO),tests/mutate/run $(FAULT))
.PHONY: fuzz $(FUZZED:%=fuzz-%) features reliability mutate
