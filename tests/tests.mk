# make test: unit and property tests, then end-to-end scripts. KB_MECH_PATH names a folder of
# mechanisms for the tests that need large ones; without it they say that they were skipped.

TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c tests/gpu/test_*.c))
CXX := $(shell command -v g++)
link_test = $(TO) $(1) $(filter %.o %.a,$^) -lcmocka $(LDLIBS) $(MVEC) $(CXX:%=-lstdc++)
# for lanes, and for code of a GPU on the host
LANES_CC := $(CC) $(CFLAGS) -O0 -march=$(MARCH) -Wno-psabi -fopenmp-simd
CXX_FLAGS := -std=c++20 -march=$(MARCH) $(WARN) -Wno-psabi -Wno-deprecated-enum-enum-conversion \
    -Wno-deprecated-enum-float-conversion -Wno-missing-field-initializers -Wno-unused-function \
    -Drestrict=__restrict__ -fopenmp-simd -pthread -I.
# fortified as Ubuntu's gcc makes what is optimised
HOST_CXX := $(CXX) -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(CXX_FLAGS)

# --- solvers of mechanisms, each by a make of its own with these variables: MECH decides the rules,
# and METHODS= holds for the tests of a method alone. Of all but h2, which is as users have it, the
# objects that a test asks for: $(1) methods, for vectors, and rodas4 for one lane; with -O0 or -Og,
# by which tests run as long and compiling takes a third
QUICKLY := $(if $(testing),OPTIMISE=-Og)
asked_for = $(QUICKLY) VARIANTS= $(if $(GPU),COMPILED='$(sort $(1))',CUDA=0 \
    BUILT='rodas4_scalar $(patsubst %,%_simd,$(sort $(1)))')
as_gri30/solvers = MECH=gri30 $(call asked_for,$(if $(GPU),$(FLOAT_METHODS),rodas4 radau2a))
as_h2/solvers = MECH=h2 VARIANTS=$(TEST_VARIANTS) VARIANT_METHODS=$(TEST_VARIANT_METHODS) \
    $(TEST_GPU_METHODS:%=GPU_METHODS=%)
# of other methods engines of any mechanism have h2co (tests/unit/solver_problem.h); test_growth
# asks for ros3 and rodas5p
as_h2co/solvers = MECH=h2co $(if $(testing),$(call asked_for,rodas4 rodas5p ros3 \
    $(FLOAT_METHODS)),VARIANTS= $(if $(GPU),,CUDA=0))
# mechanisms of tests alone. Every rate type on made-up reactions; all but the shortest of its
# tables stand apart from the header
engines_of = $(foreach m,$(1),$(addprefix $m_,$(2)))
as_rate_types/solvers = MECH=tests/data/rate_types.yaml CUDA=0 OPTIMISE=-O0 LARGE=16 \
    BUILT='$(call engines_of,rodas4 rkck rkc,scalar simd scalar_unsorted simd_unsorted) \
    $(call engines_of,radau2a vode,scalar simd) $(call engines_of,rodas4 radau2a vode,scalar_dense \
    simd_dense) point_implicit_scalar_global'
# thermo models and rate types that rate_types has not, and species in steady state
as_models/solvers = MECH=tests/data/cantera_types.yaml QSS=tests/data/models.qss CUDA=0 \
    OPTIMISE=-O0 COMPILED='rodas4 rkc'
as_h2/kernels = MECH=h2
as_h2/roofline = MECH=h2
as_h2co/flow = MECH=h2co $(QUICKLY) CUDA=0
# what is behind solvers.so shares objects with it
BY_MAKE := $(patsubst %,$(BUILD)/mech/%.so,$(addsuffix /solvers,gri30 h2 h2co rate_types models) \
    h2/kernels $(if $(CXX),h2/roofline) h2co/flow)
OTHERS := $(filter-out $(M)/%,$(BY_MAKE))
$(OTHERS): $(BUILD)/mech/%.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory NAME=$(*D) EXTRA='$(EXTRA)' $(as_$*) \
	    $(if $(filter %/solvers,$*),solvers $(if $(testing),METHODS=),$@)
$(foreach s,$(filter-out %/solvers.so,$(OTHERS)),$(eval $s: | $(dir $s)solvers.so))
# engines of any mechanism, as the tree of a library that has them and the mechanisms above
READ_TREE := $X/read/build
ifneq ($(ANY),$(READ_TREE)/any)
$(READ_TREE)/any/solvers.so: FORCE | $(BUILD)/mechc $(ANY_HOST)
	@mkdir -p $(@D) && ln -sfn $(abspath $(BUILD)/mech) $(READ_TREE)/mech
	@$(MAKE) --no-print-directory any $(@D)/odes/solvers.so ANY=$(@D) OPTIMISE=-Og \
	    EXTRA='$(EXTRA)' VARIANTS=forced VARIANT_METHODS=rodas4
endif
TEST_SOLVERS := $(filter %/solvers.so,$(BY_MAKE)) $(READ_TREE)/any/solvers.so \
    $(filter-out %/solvers.so,$(BY_MAKE))
# but for the steps of the flow that tests take; counts of operations do not depend on the compiler
ifeq ($(OPTIMISE),-Og)
$(foreach s,mp5 ader_weno,$(M)/flow_$s_scalar.o $(M)/flow_$s_simd.o): private SCALAR_FLAGS := \
    $(subst -Og,-O3,$(SCALAR_FLAGS))
endif
ifneq ($(testing),)
$(M)/roofline_count.o $(M)/roofline_count_straight.o: private EXTRA += -O0
endif

# --- unit tests, and programs that other tests call
$(TEST_PROGRAMS) $(patsubst %,$X/%,random/mechanism random/features reliability/reliability \
    validate/reference): $(BUILD)/%: %.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) -O0 $(call link_test,$<)
# it drives SUNDIALS by itself
$X/unit/test_forcing: private LDLIBS += -lsundials_cvode -lsundials_nvecserial \
    -lsundials_sunmatrixdense -lsundials_sunlinsoldense
$X/linalg/vectors: private LDLIBS += -lsundials_cvode -lsundials_nvecserial
# the test's clock_gettime is the one that shared objects find
$X/unit/test_waiting: private LDLIBS += -Wl,--export-dynamic-symbol=clock_gettime

# --- tables for a test's mechanism, MECH.1 or MECH.THREADS of a team, -unsorted or -factored; as an
# engine's
.SECONDEXPANSION:
.PRECIOUS: $X/tables/%/constants.h
mech_file = $(firstword $(filter $X/many.yaml,$X/$(1).yaml) $(wildcard \
    datasets/mechanisms/$(1).yaml tests/data/$(1).yaml) tests/data/cantera_types.yaml)
# more species than two words have bits
$X/many.yaml: tests/scripts/large_mechanism.awk
	$(call do,awk,$@)awk -v n=131 -v hubs=13 -f $< >$@
tables_options = $(if $(filter gpu%,$(1)),$(layout_$(1)),--team $(firstword \
    $(subst -, ,$(1))) $(if $(findstring unsorted,$(1)),--reactions mechanism) $(if $(findstring \
    factored,$(1)),--head factored))
$X/tables/%/constants.h: $$(call mech_file,$$(basename $$*)) $(BUILD)/mechc $(BUILD)/mechc_many
	$(call do,mechc,$@)KB_QSS=$(abspath $(wildcard tests/data/$(basename $*).qss)) \
	    $(BUILD)/mechc$(if $(filter %.gpu_many_float,$*),_many) $< --name $(basename $*) \
	    $(call tables_options,$(subst .,,$(suffix $*))) -o $@

# --- each method by a team of 4 threads, under the thread sanitizer where it runs, against the same
# method by one thread: a missing team_sync is a data race. GCC does not see that a gather has at
# most GATHERS sums
TEAM_CC = $(TURNS_CC) $(TSAN)
TURNS_CC := $(CC) -std=gnu11 -O0 -march=$(MARCH) $(WARN) -Wno-psabi -Wno-array-bounds \
    -Wno-maybe-uninitialized -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd \
    -pthread -I.
# -O0: optimised, the sanitizer's calls take seconds to compile
TEAM_CXX = $(CXX) -O0 $(CXX_FLAGS) $(TSAN) -x c++
FLOAT_TEAM := -DKB_PAIR_FLOAT -include tests/team/pair_host.h
$X/team/of_%.o: tests/team/team.c $X/tables/%.1/constants.h
	$(call do,cc,'$< ($*)')$(TURNS_CC) -I$X/tables/$*.1 $(TO) -c $<
# one thread, METHOD[-dense] of MECH: one/MECH/METHOD.o
$X/team/one/%.o: tests/team/team_run.c $X/tables/$$(*D).1/constants.h
	$(call do,cc,'$< ($*)')$(TURNS_CC) -I$X/tables/$(*D).1 $(if $(filter %-dense,$*),-DKB_DENSE) \
	    $(call method_defines,$(*F:%-dense=%),team) -DKB_TEAM=1 -DKB_TEAM_RUN=run_one $(TO) -c $<

# the bits of any number of ranks; it loads ranks.so of its folder
$(BUILD)/ranks_bits: tests/ranks/bits.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) $(call link_test,$<)

# --- readers of files by clang's libFuzzer (tests/fuzz/run)
FUZZED := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_READERS ?= $(FUZZED)
RUNS ?= 100000
CLANG ?= clang
FUZZ_CC := $(CLANG) -g -O1 -std=gnu11 -I. -fsanitize=address,undefined -DKB_RESAMPLES=20
# of flow what reads a checkpoint, with what that needs
FUZZ_FLOW := $(addprefix flow/run/,checkpoint.c chemistry.c fill.c halo.c results.c view.c)
$(BUILD)/fuzz/%.o: %.c
	$(call do,clang,$<)$(FUZZ_CC) -fsanitize=fuzzer-no-link $(TO) -c $<
# an archive: the parts of programs that a target does not use need more libraries
$(BUILD)/libfuzzed.a: $(patsubst %.c,$(BUILD)/fuzz/%.o,$(LIB_SOURCES) $(FUZZ_FLOW) \
    $(filter-out drivers/flow/%,$(DRIVER_PARTS)))
$(FUZZED:%=$(BUILD)/fuzz/fuzz_%): $(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libfuzzed.a
	$(call do,clang,$<)$(FUZZ_CC) -fsanitize=fuzzer $(TO) $< $(BUILD)/libfuzzed.a $(LDLIBS)
fuzz: $(patsubst %,$(BUILD)/fuzz/fuzz_%,$(call blanks,$(FUZZ_READERS)))
	@tests/fuzz/run $(RUNS) $^

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

# every feature alone, in every engine (tests/random/features.c). make test has few; make features
# all, and the few by the engines of a GPU: each by itself, so that what was judged stays
FEATURE_SOURCES := tests/random/kernels tests/random/kernel.c $(wildcard solvers/*.h \
    solvers/chemistry/*.h solvers/chemistry/*/*.h solvers/chemistry/straight/*/* \
    solvers/linalg/*.h solvers/portable/*.h) tests/team/pair_host.h tests/team/fibers.h \
    tests/team/turns.h
$R/%/kernels.so: $(FEATURE_SOURCES) $R/mechanism $(BUILD)/mechc
	$(call do,cc,'features: $*')CC='$(CC) $(TEST_HEADERS)' CXX='$(CXX)' NVCC='$(NVCC)' MARCH=$(MARCH) \
	    NO_CARD=$(NO_CARD) CUDA_ARCH=$(or $(GPU_ARCH),90) LANES=$(LANES) BUILD=$(BUILD) \
	    tests/random/kernels $(*D) $(*F) $(@D)
$R/few/made: $R/features $R/reference $R/mechanism $(BUILD)/mechc FORCE
	+$(Q)$(MAKE) --no-print-directory TEST_HEADERS='$(TEST_HEADERS)' \
	    $(call feature_files,few,few/&/kernels.so)
# $(1) few or all, $(2) a file of each mechanism &
feature_files = $$($R/mechanism $(1) | sed 's,.*,$R/$(2),')
$R/%/judged: $R/%/kernels.so $R/features $R/reference $(READ_TREE)/any/solvers.so
	$(Q)KB_ANY=$(READ_TREE)/any/solvers.so $R/features $R/reference $(@D) >$@ || \
	    { grep '^not ok' $@; exit 1; }
features: $R/mechanism
	+$(Q)$(MAKE) --no-print-directory -k $(call feature_files,all,all/&/judged) \
	    $(if $(NVCC),$(call feature_files,few,gpu/&/judged)); code=$$?; \
	    awk -f tests/random/table.awk $R/all/*/judged $(if $(NVCC),$R/gpu/*/judged); exit $$code

# --- test programs of many forms (tests/rules), line by line: $(shell) makes blanks of line ends;
# and the flag of a sanitizer, if its programs run here
TEST_EXTRA :=
ifneq ($(filter test $X/%,$(MAKECMDGOALS)),)
sanitizer = $(shell CC='$(CC)' tests/sanitizers $(1) && echo -fsanitize=$(1))
TSAN := $(call sanitizer,thread)
ASAN := $(call sanitizer,address)
LIBRARY_SAN := $(addsuffix $(space)-fno-sanitize-recover=all -Wno-format-truncation \
    -Wno-format-overflow,$(call sanitizer,address$(comma)undefined))
$(eval $(subst @NL@,,$(subst @NL@ ,$(newline),$(shell { METHODS='$(METHODS)' LANES=$(LANES) \
    CXX='$(CXX)' FLOW_ALL='$(FLOW_ALL)' ALL_METHODS='$(ALL_METHODS)' tests/rules || \
    echo '$$(error tests/rules failed)'; } | sed 's/$$/@NL@/'))))
endif

# --- what make test needs, the longest first, and what it runs; the plug-ins that can be built here
test: $(TEST_SOLVERS) tools $(TEST_EXTRA) $(TEST_PROGRAMS) $R/few/made $(LIBRARY_SO) \
    $X/library/cost $X/library/traps $(if $(NVCC),$R/gpu/sri/kernels.so $X/library/device \
    $(if $(NO_CARD),$X/gpu/methods.o,$(filter $(BUILD)/mech/h2/%,$(FLOW_SO)))) \
    $(if $(MPICC),$(BUILD)/ranks.so $(BUILD)/ranks_bits) $(if $(wildcard \
    $(HEADER_DIRS:%=%/arkode/arkode.h)),$(BUILD)/plugins/arkode.so) $(if $(filter h2,$(NAME)),$(if \
    $(CXX),$(M)/cvode-lockstep.so) $(if $(wildcard $(VENV)/done),$(M)/cantera.so))
	@CUDA=$(CUDA) tests/run $(TEST_PROGRAMS) $(TEST_EXTRA) tests/scripts/test_*.sh

# ignitions that solvers miss with status ok, on thousands of states
reliability: $X/reliability/reliability $(TEST_SOLVERS)
	$< --rtol 1e-3,1e-4 $(if $(STATES),--n $(STATES))

# against Cantera, in a Python environment of its own or, PYTHON=, in one that has it and numpy
VENV := $(BUILD)/venv
VALIDATE_PYTHON := $(or $(PYTHON),$(VENV)/bin/python)
VALIDATE_READY := $(if $(PYTHON),,$(VENV)/done)
$(VENV)/done: tests/validate/requirements.txt
	$(call say,venv,$(VENV))
	@tests/validate/environment $(VENV)
validate: $(VALIDATE_READY) $X/validate/reference $(BUILD)/evaluate $(BUILD)/ignite \
    $(BUILD)/flamelet $(BUILD)/pasr $(LIBRARY_SO) $(TEST_SOLVERS)
	@PYTHON=$(VALIDATE_PYTHON) KB_BUILD=$(BUILD) tests/validate/run
# its reactors as a plug-in of bench
$(M)/cantera.so: $(VALIDATE_READY)

# faults planted in a copy of the tree; AUTO=500: so many drawn, of one token each
mutate:
	@$(if $(AUTO),JOBS=$(or $(JOBS),2) tests/mutate/auto $(AUTO),tests/mutate/run '$(FAULT)')
