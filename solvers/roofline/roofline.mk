# The parts of an attempt on their own: roofline.so of a mechanism (make roofline).

ROOFLINE_SO := $(M)/roofline.so
PART_ENGINES := $(filter gpu_%,$(call buildable,$(call built_by,always)))
R_OBJECTS := $(M)/roofline_exported.o $(M)/roofline_count.o $(M)/roofline_count_straight.o \
    $(M)/roofline_limits.o $(M)/error.o \
    $(PART_ENGINES:%=$(M)/roofline_%.o)
ifneq ($(NVCC),)
R_OBJECTS += $(M)/roofline_device.o
endif

# $(1) engine
define part_rule
$(M)/roofline_$(1).o: solvers/roofline/parts.cu $(call tables_of,$(1))/constants.h
	$$(call say,nvcc,'$(NAME): parts on $(call engine_field,$(1),2)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I$(call tables_of,$(1)) -DKB_TEAM=$(call engine_width,$(1)) -I. \
	    $$(call engine_defines,$(1)) $$(call method_defines,rodas4,$(1)) \
	    -DKB_PARTS_ENGINE=kb_parts_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach e,$(filter gpu_%,$(ENGINE_OBJECTS)),$(eval $(call part_rule,$e)))

$(M)/roofline_count_straight.o: count_straight := _straight
$(M)/roofline_count.o $(M)/roofline_count_straight.o: solvers/roofline/count.cc $(M)/constants.h
	$(call say,c++,'$(NAME): counts of the parts')
	$(Q)g++ -std=c++20 -O1 -fPIC -Wno-deprecated-enum-enum-conversion $(EXTRA) -I. -I$(M) \
	    -DKB_COUNTED $(if $(count_straight),-DKB_STRAIGHT) \
	    -DKB_COUNT=kb_roofline_count$(count_straight) -MMD -MP -c $< -o $@

$(M)/roofline_limits.o: solvers/roofline/limits.c $(M)/source
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -DKB_LANES=$(LANES) -MMD -MP -c $< -o $@

$(M)/roofline_device.o: solvers/roofline/limits.cu $(M)/source
	$(call say,nvcc,'$(NAME): limits of the device')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -MMD -MP -c $< -o $@

$(M)/roofline_exported.o: solvers/roofline/exported.c solvers/engines.def $(M)/constants.h
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -I$(M) $(if $(NVCC),-DKB_CUDA) \
	    -D'KB_PART_ENGINES(PART)=$(foreach e,$(PART_ENGINES),PART(kb_parts_$e))' -MMD -MP -c $< -o $@

$(ROOFLINE_SO): $(R_OBJECTS) $(M)/large.o
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ -lstdc++ -lmvec -lm
