# make test: unit and property tests, then end-to-end scripts. KB_MECH_PATH names a folder of
# mechanisms for the tests that need large ones; without it they say that they were skipped.

TEST_SOURCES := $(wildcard tests/unit/test_*.c tests/gpu/test_*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
TEST_SCRIPTS := $(wildcard tests/scripts/test_*.sh)
TEST_MECHS := h2 h2co gri30

$(TEST_PROGRAMS): $(BUILD)/%: %.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libdrivers.a $(BUILD)/libkb.a -lcmocka $(LDLIBS)

# the test's clock_gettime is the one that shared objects find
$(BUILD)/tests/unit/test_waiting: private LDLIBS += -Wl,--export-dynamic-symbol=clock_gettime

EVERY := solvers $(if $(testing),METHODS=)
TEST_SOLVERS := $(TEST_MECHS:%=$(BUILD)/mech/%/solvers.so) $(BUILD)/mech/rate_types/solvers.so
# a second make for each mechanism: MECH decides the rules, and METHODS= holds for the tests of a
# method alone; of the large mechanisms what a test asks for
$(filter-out $(SOLVERS_SO),$(TEST_MECHS:%=$(BUILD)/mech/%/solvers.so)): \
    $(BUILD)/mech/%/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory $(EVERY) MECH=$* NAME=$* $(if $(filter h2,$*)$(GPU),,CUDA=0) \
	    $(if $(filter gri30,$*),COMPILED='$(sort rodas4 $(FLOAT_METHODS))') \
	    $(if $(filter h2,$*),VARIANTS=$(TEST_VARIANTS) \
	        VARIANT_METHODS=$(TEST_VARIANT_METHODS) $(TEST_GPU_METHODS:%=GPU_METHODS=%),\
	    VARIANTS=)
TEST_SOLVERS += $(BUILD)/mech/h2/kernels.so
ifneq ($(NAME),h2)
# after solvers.so, with which it shares objects
$(BUILD)/mech/h2/kernels.so: FORCE | $(BUILD)/mech/h2/solvers.so
	@$(MAKE) --no-print-directory $@ MECH=h2 NAME=h2
endif
ifneq ($(shell command -v g++),)
TEST_SOLVERS += $(BUILD)/mech/h2/roofline.so
ifneq ($(NAME),h2)
$(BUILD)/mech/h2/roofline.so: FORCE | $(BUILD)/mech/h2/solvers.so
	@$(MAKE) --no-print-directory $@ MECH=h2 NAME=h2
endif
endif
# every rate type on made-up reactions; all but the shortest of its tables stand apart from the
# header
ifneq ($(NAME),rate_types)
$(BUILD)/mech/rate_types/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory $(EVERY) MECH=tests/data/rate_types.yaml NAME=rate_types CUDA=0 \
	    LARGE=16 VARIANTS=unsorted,dense,elimination \
	    VARIANT_METHODS=rodas4,rkck,rkc,radau2a,vode,point_implicit
endif

# thermo models and rate types that rate_types has not, and species in steady state
ifneq ($(NAME),models)
TEST_SOLVERS += $(BUILD)/mech/models/solvers.so
$(BUILD)/mech/models/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory $(EVERY) MECH=tests/data/cantera_types.yaml NAME=models \
	    QSS=tests/data/models.qss CUDA=0 VARIANTS=
endif

ifneq ($(wildcard $(KB_MECH_PATH)/usc2/mech.inp),)
ifneq ($(NAME),usc2)
TEST_SOLVERS += $(BUILD)/mech/usc2/solvers.so
$(BUILD)/mech/usc2/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory $(EVERY) NAME=usc2 CUDA=0 MECH=$(KB_MECH_PATH)/usc2/mech.inp \
	    THERMO=$(KB_MECH_PATH)/usc2/therm.dat COMPILED=rodas4
endif
endif

# order of convergence: a method's file on problems with known solutions, for one lane and for many
TEST_ORDERS := $(foreach f,$(wildcard tests/order/order_*.c),$(f:%.c=$(BUILD)/%_1) \
    $(f:%.c=$(BUILD)/%_$(LANES)))
ORDER_FLAGS = $(CFLAGS) -march=$(MARCH) -Wno-psabi -fopenmp-simd
define order_rules
$(BUILD)/tests/order/order_%_$(1): tests/order/order_%.c
	$$(call say,cc,'$$< ($(1) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -DKB_LANES=$(1) -MMD -MP -o $$@ $$< -lcmocka -lmvec -lm
endef
$(foreach l,1 $(LANES),$(eval $(call order_rules,$l)))
# what each method promises: $(1) method, $(2) problem, $(3) lanes; stiff where it promises that
# too, and at rest
define promise_rules
$(BUILD)/tests/order/$(1)_$(2)_$(3): tests/order/$(if $(filter rest,$(2)),rest,order).c
	$$(call say,cc,'$$< ($(1), $(2), $(3) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -DKB_LANES=$(3) -DKB_PROBLEM='"tests/order/problem_$(2).h"' \
	    $$(call method_defines,$(1),order) -MMD -MP -o $$@ $$< -lcmocka -lmvec -lm
TEST_ORDERS += $(BUILD)/tests/order/$(1)_$(2)_$(3)
endef
STIFF_METHODS := $(basename $(notdir $(shell grep -l '\.stiff = ' solvers/methods/*.h)))
$(foreach l,1 $(LANES),$(foreach m,$(METHODS),$(foreach p,smooth rest,\
        $(eval $(call promise_rules,$m,$p,$l)))) \
    $(foreach m,$(filter $(METHODS),$(STIFF_METHODS)),$(eval $(call promise_rules,$m,kaps,$l))))
TEST_EXTRA += $(TEST_ORDERS)

# phi functions of small matrices
define phi_rules
$(BUILD)/tests/linalg/phi_$(1): tests/linalg/phi.c
	$$(call say,cc,'$$< ($(1) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -DKB_LANES=$(1) -MMD -MP -o $$@ $$< -lcmocka -lmvec -lm
TEST_EXTRA += $(BUILD)/tests/linalg/phi_$(1)
endef
$(foreach l,1 $(LANES),$(eval $(call phi_rules,$l)))

# complex LU of a mechanism's Newton matrix, and products with its Jacobian
define matrix_rules
$(BUILD)/tests/linalg/$(3)_$(1)_$(2): tests/linalg/$(3).c $(BUILD)/mech/$(1)/solvers.so
	$$(call say,cc,'$$< ($(1), $(2) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -I$(BUILD)/mech/$(1) -DKB_LANES=$(2) -MMD -MP -o $$@ $$< -lcmocka \
	    -lmvec -lm
TEST_EXTRA += $(BUILD)/tests/linalg/$(3)_$(1)_$(2)
endef
$(foreach t,complex_lu multiply dense,$(foreach m,h2 gri30,$(foreach l,1 $(LANES),\
    $(eval $(call matrix_rules,$m,$l,$t)))))

# the flag of a sanitizer, where its programs run
sanitizer = $(shell mkdir -p $(BUILD); echo 'int main(void) { return 0; }' | \
    $(CC) -fsanitize=$(1) -x c - -o $(BUILD)/sanitizer_$(1) 2>/dev/null && \
    $(BUILD)/sanitizer_$(1) && echo -fsanitize=$(1))

# each method by a team of 4 threads, under the thread sanitizer where it runs: a missing team_sync
# is a data race
ifneq ($(filter test $(BUILD)/tests/team/% $(BUILD)/tests/linalg/%,$(MAKECMDGOALS)),)
TSAN := $(call sanitizer,thread)
endif
# $(3) unsorted: the tables of the team are in the order of the mechanism; global: all long
# arrays of the team lie in global memory, as those of a large mechanism; dense: both by
# problem_dense.h; pair: a team has two ODEs; wide: and 16 threads, each of which holds a few rows
# of the Jacobian, as on a GPU; float: two ODEs with the matrix in floats, in C++
team_threads = $(if $(filter wide,$(1)),16,4)
team_tables = $(BUILD)/mech/$(1)/$(if $(filter unsorted,$(2)),unsorted/)team$(call \
    team_threads,$(2))
team_global = -DKB_SHARED_ARRAY_MOST=0
team_dense = -DKB_DENSE
team_pair = -DKB_LANES=2
team_wide = -DKB_LANES=2
team_float = -DKB_PAIR_FLOAT -include tests/team/pair_host.h -x c++
team_compiler = $(if $(filter float,$(1)),$(CXX) -O2 $(CXX_FLAGS) -pthread $(TSAN),$(CC) \
    $(TEAM_FLAGS))
one_dense = -DKB_DENSE
TEAM_MECH = $(firstword $(wildcard datasets/mechanisms/$(1).yaml) tests/data/cantera_types.yaml)
define team_tables_rule
$(call team_tables,$(1),$(2))/constants.h: $(call TEAM_MECH,$(1)) $(BUILD)/mechc
	@mkdir -p $$(@D)
	$(Q)KB_QSS=$(abspath $(wildcard tests/data/$(1).qss)) $(BUILD)/mechc $$< --name $(1) \
	    --team $(call team_threads,$(2)) \
	    $(if $(filter unsorted,$(2)),--reactions mechanism) -o $$@
endef
$(foreach m,h2 gri30 models,$(eval $(call team_tables_rule,$m)))
$(eval $(call team_tables_rule,h2,unsorted))
$(eval $(call team_tables_rule,h2co,wide))
define team_rules
$(BUILD)/tests/team/team_$(1)_$(2)$(3:%=_%): tests/team/team.c tests/team/team_run.c \
    $(call team_tables,$(1),$(3))/constants.h $(BUILD)/mech/$(1)/solvers.so
	$$(call say,cc,'$$< ($(2), $(1)$(3:%=, %))')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(TEAM_FLAGS) $(one_$(3)) -I$(BUILD)/mech/$(1) $$(call method_defines,$(2),team) \
	    -DKB_TEAM=1 -DKB_TEAM_RUN=run_one -c tests/team/team_run.c -o $$@_one.o
	$(Q)$$(call team_compiler,$(3)) $(team_$(3)) -I$(call team_tables,$(1),$(3)) \
	    $$(call method_defines,$(2),team) \
	    -DKB_TEAM=$(call team_threads,$(3)) -DKB_TEAM_RUN=run_team -MMD -MP -MT $$@ \
	    -c tests/team/team_run.c -o $$@_team.o
	$(Q)$(CC) $$(TEAM_FLAGS) -I$(BUILD)/mech/$(1) -DTEST_NAME='"team_$(1)_$(2)$(3:%=_%)"' -o $$@ $$< \
	    $$@_one.o $$@_team.o -lcmocka -lmvec -lm $(if $(filter float,$(3)),-lstdc++)
TEST_EXTRA += $(BUILD)/tests/team/team_$(1)_$(2)$(3:%=_%)
endef
# GCC does not see that a gather has at most GATHERS sums
TEAM_FLAGS = -std=gnu11 -g -O2 -march=$(MARCH) $(WARN) -Wno-psabi -Wno-array-bounds \
    -Wno-maybe-uninitialized -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd \
    -pthread $(TSAN) -I.
$(foreach m,$(METHODS),$(eval $(call team_rules,h2,$m)))
$(foreach m,rodas4 radau2a,$(eval $(call team_rules,gri30,$m)))
$(eval $(call team_rules,models,rodas4))
$(foreach m,$(subst $(comma), ,$(TEST_VARIANT_METHODS)),$(eval $(call team_rules,h2,$m,unsorted)))
$(foreach m,radau2a exp4 rkc,$(eval $(call team_rules,h2,$m,global)))
$(foreach m,radau2a rodas4,$(eval $(call team_rules,h2,$m,dense)))
$(foreach m,rodas4 radau2a vode rkc,$(eval $(call team_rules,h2,$m,pair)))
$(eval $(call team_rules,h2co,rodas4,wide))
$(eval $(call team_rules,models,rodas4,pair))
$(eval $(call team_rules,gri30,rodas4,pair))

# f, J and LU by teams as large as those of a GPU, whose threads take turns; $(1) mechanism,
# $(2) threads
define schedule_rules
$(BUILD)/mech/$(1)/turns$(2)/constants.h: $(call TEAM_MECH,$(1)) $(BUILD)/mechc
	@mkdir -p $$(@D)
	$(Q)KB_QSS=$(abspath $(wildcard tests/data/$(1).qss)) $(BUILD)/mechc $$< --name $(1) \
	    --team $(2) -o $$@
$(BUILD)/tests/team/turns_$(1)_$(2): tests/team/schedule.c tests/random/kernel.c \
    $(BUILD)/mech/$(1)/turns$(2)/constants.h $(BUILD)/mech/$(1)/solvers.so
	$$(call say,cc,'$$< ($(1), $(2) threads)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(SCHEDULE_FLAGS) -I$(BUILD)/mech/$(1) -DKERNEL=kernel_one $(turns_$(2)) \
	    -c tests/random/kernel.c -o $$@_one.o
	$(Q)$(CC) $$(SCHEDULE_FLAGS) -I$(BUILD)/mech/$(1)/turns$(2) -DKERNEL=kernel_team \
	    -DKB_TEAM=$(2) $(turns_$(2)) -MMD -MP -MT $$@ -c tests/random/kernel.c -o $$@_team.o
	$(Q)$(CC) $$(SCHEDULE_FLAGS) -I$(BUILD)/mech/$(1) -DTEST_NAME='"turns_$(1)_$(2)"' -o $$@ $$< \
	    $$@_one.o $$@_team.o -lcmocka -lmvec -lm
TEST_EXTRA += $(BUILD)/tests/team/turns_$(1)_$(2)
endef
SCHEDULE_FLAGS = $(filter-out -O2 $(TSAN),$(TEAM_FLAGS)) -O1
turns_32 = -DKERNEL_SOLVE
TEAM_TURNS := h2,32 h2co,64 models,32 gri30,64 gri30,128
$(foreach t,$(TEAM_TURNS),$(eval $(call schedule_rules,$(firstword $(subst $(comma), \
    ,$t)),$(lastword $(subst $(comma), ,$t)))))

# exp, log and 1/x of lanes
$(BUILD)/tests/lanes/number: tests/lanes/number.c
	$(call say,cc,'$< ($(LANES) lanes)')
	@mkdir -p $(@D)
	$(Q)$(CC) $(ORDER_FLAGS) -ffp-contract=fast -DKB_LANES=$(LANES) -MMD -MP -o $@ $< -lcmocka \
	    -lmvec -lm
TEST_EXTRA += $(BUILD)/tests/lanes/number

# straight-line code on the CPU against the tables, by the test of teams; exp, log and 1/x of it
CXX := $(shell command -v g++)
CXX_FLAGS = -std=c++20 -g -march=$(MARCH) $(WARN) -Wno-psabi -Wno-deprecated-enum-enum-conversion \
    -Wno-deprecated-enum-float-conversion -Wno-missing-field-initializers -Drestrict=__restrict__ \
    -fopenmp-simd -I.
$(BUILD)/mech/straight_rates/constants.h: tests/data/straight_rates.yaml $(BUILD)/mechc
	@mkdir -p $(@D)
	$(Q)$(BUILD)/mechc $< --name straight_rates -o $@
define straight_rules
$(BUILD)/tests/straight/$(1)_$(2): tests/team/team.c tests/team/team_run.c \
    $(if $(filter straight_rates,$(1)),$(BUILD)/mech/$(1)/constants.h,$(BUILD)/mech/$(1)/solvers.so)
	$$(call say,c++,'straight-line code ($(2), $(1))')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(TEAM_FLAGS) -I$(BUILD)/mech/$(1) $$(call method_defines,$(2),one) \
	    -DKB_TEAM=1 -DKB_TEAM_RUN=run_one -c tests/team/team_run.c -o $$@_one.o
	$(Q)$(CXX) -O1 $$(CXX_FLAGS) -I$(BUILD)/mech/$(1) $$(call method_defines,$(2),straight) \
	    -DKB_STRAIGHT -DKB_TEAM=1 -DKB_TEAM_RUN=run_team -MMD -MP -MT $$@ \
	    -x c++ -c tests/team/team_run.c -o $$@_team.o
	$(Q)$(CC) $$(TEAM_FLAGS) -I$(BUILD)/mech/$(1) -DTEST_NAME='"straight_$(1)_$(2)"' -o $$@ $$< \
	    $$@_one.o $$@_team.o -lcmocka -lmvec -lm -lstdc++
TEST_EXTRA += $(BUILD)/tests/straight/$(1)_$(2)
endef
$(BUILD)/tests/straight/number: tests/straight/number.cpp
	$(call say,c++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O2 $(CXX_FLAGS) -MMD -MP -o $@ $< -lcmocka
# the two lanes of gpu-pair
$(BUILD)/tests/lanes/pair: tests/lanes/pair.cpp
	$(call say,c++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O1 $(CXX_FLAGS) -Wno-unused-function -MMD -MP -o $@ $< -lcmocka
$(BUILD)/tests/lanes/counted: tests/lanes/counted.cpp
	$(call say,c++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O1 $(CXX_FLAGS) -Wno-unused-function -DKB_COUNTED -DKB_STRAIGHT -MMD -MP -o $@ $< \
	    -lcmocka
# a team of a GPU: threads, lanes
define team_on_host
$(BUILD)/tests/lanes/team_$(1)_$(2): tests/lanes/team.cpp
	$$(call say,c++,'$$< ($(1) threads, $(2) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CXX) -O1 $(CXX_FLAGS) -Wno-unused-function -pthread -DKB_TEAM=$(1) -DKB_LANES=$(2) \
	    -DTEAM_NAME='"_$(1)_$(2)"' -MMD -MP -o $$@ $$< -lcmocka
endef
# the teams of gpu-pair and gpu-pair-float as the device compiles them, h2; $(1) engine, $(2) method
define pair_on_host
$(BUILD)/mech/h2/host_$(1)/constants.h: $(call TEAM_MECH,h2) $(BUILD)/mechc
	@mkdir -p $$(@D)
	$(Q)$(BUILD)/mechc $$< --name h2 $(call layout,$(call tables_of,$(1))) -o $$@
$(BUILD)/tests/team/$(1)_$(2): tests/team/team.c tests/team/team_run.c tests/team/team_pair.cpp \
    $(BUILD)/mech/h2/host_$(1)/constants.h $(BUILD)/mech/h2/solvers.so
	$$(call say,c++,'tests/team/team_pair.cpp ($(2), $(1))')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(TEAM_FLAGS) -I$(BUILD)/mech/h2 $$(call method_defines,$(2),team) \
	    -DKB_TEAM=1 -DKB_TEAM_RUN=run_one -c tests/team/team_run.c -o $$@_one.o
	$(Q)$(CXX) -O1 $(CXX_FLAGS) -Wno-unused-function -Wno-unknown-pragmas -Wno-array-bounds \
	    -pthread -I$(BUILD)/mech/h2/host_$(1) $$(call method_defines,$(2),team) \
	    -D$(call engine_field,$(1),5) -DKB_TEAM=$(call engine_width,$(1)) \
	    -DKB_TEAM_RUN=run_team -MMD -MP -MT $$@ -c tests/team/team_pair.cpp -o $$@_team.o
	$(Q)$(CC) $$(TEAM_FLAGS) -I$(BUILD)/mech/h2 -DTEST_NAME='"$(1)_$(2)"' -o $$@ $$< $$@_one.o \
	    $$@_team.o -lcmocka -lmvec -lm -lstdc++
endef
PAIRS_ON_HOST := gpu_pair,radau2a gpu_pair_float,rodas4
$(foreach t,$(PAIRS_ON_HOST),$(eval $(call pair_on_host,$(firstword $(subst $(comma), \
    ,$t)),$(lastword $(subst $(comma), ,$t)))))
TEAMS_ON_HOST := 32,1 128,1 128,2
$(foreach t,$(TEAMS_ON_HOST),$(eval $(call team_on_host,$(firstword $(subst $(comma), \
    ,$t)),$(lastword $(subst $(comma), ,$t)))))
# complex factors in floats, by a team of two ODEs
$(BUILD)/tests/linalg/complex_float: tests/linalg/complex_float.cpp \
    $(call team_tables,gri30)/constants.h
	$(call say,c++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O2 $(CXX_FLAGS) -pthread $(TSAN) -DKB_PAIR_FLOAT -DKB_TEAM=$(call team_threads) \
	    -include tests/team/pair_host.h -I$(call team_tables,gri30) -MMD -MP -o $@ $< -lcmocka
ifneq ($(CXX),)
TEST_EXTRA += $(BUILD)/tests/lanes/pair $(BUILD)/tests/lanes/counted \
    $(BUILD)/tests/linalg/complex_float \
    $(foreach t,$(PAIRS_ON_HOST),$(BUILD)/tests/team/$(subst $(comma),_,$t)) \
    $(foreach t,$(TEAMS_ON_HOST),$(BUILD)/tests/lanes/team_$(subst $(comma),_,$t))
$(foreach m,rodas4 radau2a,$(eval $(call team_rules,h2,$m,float)))
$(eval $(call team_rules,gri30,radau2a,float))
$(foreach m,$(METHODS),$(eval $(call straight_rules,h2,$m)))
$(foreach m,rodas4 radau2a,$(eval $(call straight_rules,h2co,$m)))
$(foreach m,rodas4 rkc,$(eval $(call straight_rules,straight_rates,$m)))
TEST_EXTRA += $(BUILD)/tests/straight/number
endif

# made-up mechanisms of every feature, by their seeds; those of odd seeds have species in steady
# state
R := $(BUILD)/tests/random
$R/mechanism: tests/random/mechanism.c
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $< -lm
# mech/'s rates in long double
$R/reference: tests/random/reference.c tests/random/long_double.h $(addprefix mech/thermo/,\
    rates.c progress.c thermo.c) $(filter-out %/load.c %/find.c %/oneway.c,$(wildcard mech/*.c)) \
    $(wildcard mech/yaml/*.c)
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -w -I. -include tests/random/long_double.h -o $@ \
	    $(filter %.c,$^) base/error.c base/number.c base/file.c -lyaml -lm
define random_rules
$R/$(1)/constants.h: $R/mechanism $(BUILD)/mechc
	@mkdir -p $$(@D)
	$(Q)$R/mechanism $(1) >$R/$(1)/cm.yaml && $R/mechanism $(1) si >$R/$(1)/si.yaml
	$(Q)$(BUILD)/mechc $R/$(1)/cm.yaml -o $$@ 2>$R/$(1)/log || { cat $R/$(1)/log; exit 1; }
$R/random_$(1): tests/random/random.c solvers/engines/evaluate.c flow/engines/cpu.c \
    solvers/lines/lines.c $R/$(1)/constants.h $R/reference $(BUILD)/libkb.a
	$$(call say,cc,'random mechanism $(1)')
	$(Q)for l in 1:scalar $(LANES):simd; do \
	    $(CC) $$(ORDER_FLAGS) -O1 -fno-signed-zeros -I$R/$(1) -DKB_LINES -DKB_LANES=$$$${l%:*} \
	    -MMD -MP -MT $$@ -c solvers/lines/lines.c -o $R/$(1)/lines_$$$${l#*:}.o && \
	    $(CC) $$(ORDER_FLAGS) -O1 -I$R/$(1) -DKB_LINES -DKB_LANES=$$$${l%:*} \
	    -DKB_EVALUATE=kb_evaluate_$$$${l#*:} -DKB_MICRO=kb_micro_$$$${l#*:} \
	    -MMD -MP -MT $$@ -c solvers/engines/evaluate.c -o $R/$(1)/$$$${l#*:}.o || exit 1; done
	$(Q)$(CC) $$(ORDER_FLAGS) -O1 -fopenmp -I$R/$(1) -DKB_LANES=1 $(call flow_scheme,muscl) \
	    -DKB_GAS_HEADER='"flow/gas/nasa.h"' -DKB_FLOW_NAME=kb_flow_random -MMD -MP -MT $$@ \
	    -c flow/engines/cpu.c -o $R/$(1)/flow.o
	$(Q)$(CC) $$(ORDER_FLAGS) -I$R/$(1) -DRANDOM_YAML='"$R/$(1)/cm.yaml"' \
	    -DRANDOM_SI='"$R/$(1)/si.yaml"' -DRANDOM_REFERENCE='"$R/reference"' -MMD -MP \
	    -o $$@ $$< $(foreach o,scalar simd lines_scalar lines_simd flow,$R/$(1)/$o.o) \
	    $(BUILD)/libkb.a -fopenmp -lcmocka -lmvec $(LDLIBS)
TEST_EXTRA += $R/random_$(1)
endef
$(foreach s,1 2 3 4,$(eval $(call random_rules,$s)))

# every feature alone, in every engine (tests/random/features.c): mechanisms of one to three kinds.
# make test has few of them, by the engines of a CPU and by teams, floats of a kind alone; make
# features all, by all
$R/features: tests/random/features.c $(BUILD)/libkb.a
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libkb.a $(LDLIBS)
FEATURE_SOURCES := tests/random/kernels tests/random/kernel.c $(wildcard solvers/*.h \
    solvers/chemistry/*.h solvers/linalg/*.h solvers/portable/*.h solvers/straight/*.h \
    solvers/lines/*) tests/team/pair_host.h tests/team/fibers.h
FEATURE_FLAGS = -march=$(MARCH) -Wno-psabi -fPIC -fopenmp-simd -ffp-contract=fast -fno-math-errno \
    -I.
feature_kernels = +$(Q)CC='$(CC)' C_FLAGS='-std=gnu11 $(FEATURE_FLAGS) $(1)' \
    ALONE_FLAGS='-O2 -Wall -Wextra -Werror' LANES=$(LANES) BUILD=$(BUILD) CXX='$(CXX)' \
    CXX_FLAGS='-std=c++20 -w -Drestrict=__restrict__ $(FEATURE_FLAGS) $(1)' \
    tests/random/kernels $* $(@D)
$R/few/%/kernels.so: $(FEATURE_SOURCES) $R/mechanism $(BUILD)/mechc
	$(call say,cc,'features: $*')
	$(call feature_kernels,-O0) $(if $(findstring steady,$*),scalar lanes,scalar_lines \
	    lanes_lines $(if $(findstring +,$*),,float)) team
$R/all/%/kernels.so: $(FEATURE_SOURCES) $R/mechanism $(BUILD)/mechc
	$(call say,cc,'features: $*')
	$(call feature_kernels,-O1) scalar lanes unsorted team scalar_lines $(if $(filter-out \
	    1,$(LANES)),lanes_lines float) $(if $(CXX),pair straight)
# $(1) few or all, $(2) a file of each, $(3) the folder if it is not called so
feature_folders = $$($R/mechanism $(1) | sed 's,.*,$R/$(or $(3),$(1))/&$(2),')
$R/few/made $R/all/made $R/gpu/made: $R/%/made: $R/features $R/reference $R/mechanism \
    $(BUILD)/mechc FORCE
	+$(Q)$(MAKE) --no-print-directory $(call feature_folders,$(patsubst gpu,few,$*),/kernels.so,$*)

# the few by the engines of a GPU
FEATURE_NVCC_FLAGS = -O1 -std=c++20 --expt-relaxed-constexpr -arch=sm_$(or $(GPU_ARCH),90) \
    -Xcompiler -fPIC -I.
$R/gpu/%/kernels.so: $(FEATURE_SOURCES) $R/mechanism $(BUILD)/mechc
	$(call say,nvcc,'features: $*')
	+$(Q)CC='$(CC)' BUILD=$(BUILD) NVCC='$(NVCC)' NVCC_FLAGS='$(FEATURE_NVCC_FLAGS)' \
	    tests/random/kernels $* $(@D) gpu_thread gpu_warp gpu_pair_float gpu_straight

# the table of all
.PHONY: features
features: $R/all/made $(if $(NVCC),$R/gpu/made)
	$(Q)$R/features $R/reference $(call feature_folders,all) $(if $(NVCC),$(call \
	    feature_folders,few,,gpu)) >$R/all/table; code=$$?; grep -v '^ok' $R/all/table; exit $$code

# memory that ranks share, with both sides in one process
$(BUILD)/tests/ranks/memory: tests/ranks/memory.c drivers/ranks/mpi/shared.c \
    drivers/ranks/mpi/shared.h tests/ranks/fake_mpi/mpi.h
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -Itests/ranks/fake_mpi -o $@ $(filter %.c,$^) base/error.c -lcmocka
TEST_EXTRA += $(BUILD)/tests/ranks/memory

# the host side of the GPU engines, with rodas4 on H2, on a device in the host's memory; where the
# compiler can tell, a copy may not reach memory of the host that is gone
GPU_ASAN = $(call sanitizer,address)
GPU_HOST := $(BUILD)/tests/gpu/gpu_host_engine.o $(BUILD)/tests/gpu/gpu_host_cached.o
$(BUILD)/tests/gpu/gpu_host_engine.o: DEFINES = $(call method_defines,rodas4,fake) \
    $(call engine_defines,gpu_thread)
$(BUILD)/tests/gpu/gpu_host_cached.o: DEFINES = $(call method_defines,rodas4,fake_cached) \
    $(call engine_defines,gpu_thread_cached)
$(GPU_HOST): solvers/engines/gpu.cu $(BUILD)/mech/h2/solvers.so
	$(call say,c++,'$< for a made-up device: $(@F)')
	@mkdir -p $(@D)
	$(Q)$(CXX) -O2 -fsanitize=signed-integer-overflow -fsanitize-undefined-trap-on-error \
	    $(CXX_FLAGS) -Itests/gpu/fake_cuda -I$(BUILD)/mech/h2 $(DEFINES) \
	    -MMD -MP -x c++ -c $< -o $@
GPU_DEVICE := $(addprefix $(BUILD)/tests/gpu/,device.o chain.o fake_memory.o)
$(BUILD)/tests/gpu/device.o: solvers/engines/device.cu
$(BUILD)/tests/gpu/chain.o: solvers/engines/chain.cu
$(BUILD)/tests/gpu/fake_memory.o: tests/gpu/fake_memory.cpp
$(GPU_DEVICE):
	$(call say,c++,'$< for a made-up device')
	@mkdir -p $(@D)
	$(Q)$(CXX) -O1 $(GPU_ASAN) $(CXX_FLAGS) -Wno-unused-function -Itests/gpu/fake_cuda \
	    -MMD -MP -x c++ -c $< -o $@
GPU_HOST_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/gpu/gpu_host*.c))
$(GPU_HOST_TESTS): $(BUILD)/%: %.c $(GPU_HOST) $(GPU_DEVICE) $(BUILD)/libdrivers.a \
    $(BUILD)/libkb.a
	$(call say,cc,$<)
	$(Q)$(CC) $(CFLAGS) $(GPU_ASAN) -fopenmp -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka \
	    $(LDLIBS) -lstdc++
ifneq ($(CXX),)
TEST_EXTRA += $(GPU_HOST_TESTS)
endif

include tests/fuzz/fuzz.mk

test: tools $(TEST_PROGRAMS) $(TEST_SOLVERS) $(TEST_EXTRA) $R/few/made \
    $(if $(NVCC),$R/gpu/sri/kernels.so)
	@CUDA=$(CUDA) tests/run $(TEST_PROGRAMS) $(TEST_EXTRA) $(TEST_SCRIPTS)

# ignitions that solvers miss with status ok, on thousands of states: make reliability
# [STATES=20000]
$(BUILD)/tests/reliability/reliability: tests/reliability/reliability.c $(BUILD)/libkb.a
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libkb.a $(LDLIBS)

.PHONY: reliability
reliability: $(BUILD)/tests/reliability/reliability $(TEST_SOLVERS)
	$< --rtol 1e-3,1e-4 $(if $(STATES),--n $(STATES))

include tests/validate.mk

# faults planted in a copy of the tree: none may survive the tests; half an hour and more. AUTO=500:
# so many of one token, drawn over all folders, against what make test has built
.PHONY: mutate
mutate:
	@$(if $(AUTO),tests/mutate/auto $(AUTO),tests/mutate/run $(FAULT))
