# make test: unit and property tests, then end-to-end scripts. KB_MECH_PATH names a folder of mechanisms for
# the tests that need large ones; without it they say that they were skipped.

TEST_SOURCES := $(wildcard tests/test_*.c)
TEST_PROGRAMS := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
TEST_SCRIPTS := $(wildcard tests/test_*.sh)
TEST_MECHS := h2 h2co gri30

$(BUILD)/tests/test_%: tests/test_%.c $(BUILD)/libdrivers.a $(BUILD)/libkb.a
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -o $@ $< $(BUILD)/libdrivers.a $(BUILD)/libkb.a -lcmocka $(LDLIBS)

TEST_SOLVERS := $(TEST_MECHS:%=$(BUILD)/mech/%/solvers.so) $(BUILD)/mech/rate_types/solvers.so
# a second make for each mechanism: MECH decides the rules
$(filter-out $(SOLVERS_SO),$(TEST_MECHS:%=$(BUILD)/mech/%/solvers.so)): \
    $(BUILD)/mech/%/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory solvers MECH=$* NAME=$*
# every rate type on made-up reactions; the shipped mechanisms are enough for nvcc
ifneq ($(NAME),rate_types)
$(BUILD)/mech/rate_types/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory solvers MECH=tests/data/rate_types.yaml NAME=rate_types CUDA=0
endif

ifneq ($(wildcard $(KB_MECH_PATH)/usc2/mech.inp),)
ifneq ($(NAME),usc2)
TEST_SOLVERS += $(BUILD)/mech/usc2/solvers.so
$(BUILD)/mech/usc2/solvers.so: FORCE | $(BUILD)/mechc
	@$(MAKE) --no-print-directory solvers NAME=usc2 CUDA=0 MECH=$(KB_MECH_PATH)/usc2/mech.inp \
	    THERMO=$(KB_MECH_PATH)/usc2/therm.dat
endif
endif

# order of convergence: a method's file on problems with known solutions, for one lane and for many
TEST_ORDERS := $(foreach f,$(wildcard tests/order_*.c),$(patsubst tests/%.c,$(BUILD)/tests/%_1,$f) \
    $(patsubst tests/%.c,$(BUILD)/tests/%_$(LANES),$f))
ORDER_FLAGS = $(CFLAGS) -Isolvers -march=$(MARCH) -Wno-psabi -fopenmp-simd
define order_rules
$(BUILD)/tests/order_%_$(1): tests/order_%.c
	$$(call say,cc,'$$< ($(1) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -DKB_LANES=$(1) -MMD -o $$@ $$< -lcmocka -lmvec -lm
endef
$(foreach l,1 $(LANES),$(eval $(call order_rules,$l)))
TEST_EXTRA += $(TEST_ORDERS)

# complex LU of a mechanism's Newton matrix
define complex_lu_rules
$(BUILD)/tests/complex_lu_$(1)_$(2): tests/complex_lu.c $(BUILD)/mech/$(1)/solvers.so
	$$(call say,cc,'$$< ($(1), $(2) lanes)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ORDER_FLAGS) -I$(BUILD)/mech/$(1) -DKB_LANES=$(2) -MMD -o $$@ $$< -lcmocka -lmvec -lm
TEST_EXTRA += $(BUILD)/tests/complex_lu_$(1)_$(2)
endef
$(foreach m,h2 gri30,$(foreach l,1 $(LANES),$(eval $(call complex_lu_rules,$m,$l))))

test: tools $(TEST_PROGRAMS) $(TEST_SOLVERS) $(TEST_EXTRA)
	@tests/run $(TEST_PROGRAMS) $(TEST_EXTRA) $(TEST_SCRIPTS)

include tests/validate.mk
