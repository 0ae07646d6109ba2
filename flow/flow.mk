# The flow solver for an ideal gas: an object for each scheme, number of species and engine, in libkb.a.

FLOW_SCHEMES := $(shell sed -n 's/^SCHEME(\([a-z0-9_]*\),.*)$$/\1/p' flow/schemes.def)
flow_header = $(shell sed -n 's/^SCHEME($(1), *\([a-z0-9_]*\),.*)$$/\1/p' flow/schemes.def)
flow_stages = $(shell sed -n 's/^SCHEME($(1), *[a-z0-9_]*, *\([0-9]\),.*)$$/\1/p' flow/schemes.def)
F := $(BUILD)/flow-ideal
flow_species = $(sort 1 $(shell sed -n 's/^SCHEME($(1), *[a-z0-9_]*, *[0-9], *\([0-9]\),.*)$$/\1/p' \
    flow/schemes.def))
FLOW_OBJECTS := $(foreach s,$(FLOW_SCHEMES),$(foreach n,$(call flow_species,$s),$(F)/$s_$n_scalar.o $(F)/$s_$n_simd.o))
FLOW_HOST := $(patsubst %.c,$(BUILD)/host/%.o,$(filter-out flow/engine_cpu.c,$(wildcard flow/*.c)))
$(BUILD)/libkb.a: $(FLOW_HOST) $(FLOW_OBJECTS)
FLOW_FLAGS = $(SCALAR_FLAGS) -I.

# $(1) scheme, $(2) species, $(3) engine, $(4) lanes
define flow_rule
$(F)/$(1)_$(2)_$(3).o: flow/engine_cpu.c flow/schemes.def
	$$(call say,cc,'flow: $(1) cpu-$(3) ($(2) species)')
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(FLOW_FLAGS) -DKB_LANES=$(4) -DNSP=$(2) -DKB_GAS_HEADER='"flow/gas_ideal.h"' \
	    -DKB_SCHEME=$(1) -DKB_STAGES=$(call flow_stages,$(1)) -DKB_SCHEME_HEADER='"flow/$(call flow_header,$(1)).h"' \
	    -DKB_FLOW_NAME=kb_flow_$(1)_$(2)_$(3) -MMD -c $$< -o $$@
endef
$(foreach s,$(FLOW_SCHEMES),$(foreach n,$(call flow_species,$s),$(eval $(call flow_rule,$s,$n,scalar,1)) \
    $(eval $(call flow_rule,$s,$n,simd,$(LANES)))))
