# What an attempt is made of, on its own, for one mechanism: kernels.so and roofline.so.

# --- linear systems: kernels.so (make kernels). Needs no method; the objects of dense systems do
# not depend on the mechanism and are small

KERNELS_SO := $(M)/kernels.so
# sparse systems: on the engines of one ODE a lane or team, but gpu-straight
KERNEL_ENGINES := $(call buildable,$(foreach e,$(call built_by,always),$(if $(filter \
    - KB_LINES,$(call engine_field,$e,5)),$e)))
GPU_KERNEL_ENGINES := $(filter gpu_%,$(KERNEL_ENGINES))
CPU_KERNEL_ENGINES := $(filter-out gpu_%,$(KERNEL_ENGINES))
K_OBJECTS := $(M)/kernels_cpu_double.o $(M)/kernels_cpu_float.o $(M)/kernels_exported.o \
    $(M)/evaluate_scalar.o $(M)/error.o $(KERNEL_ENGINES:%=$(M)/kernels_sparse_%.o)
ifneq ($(NVCC),)
K_OBJECTS += $(M)/kernels_gpu_double.o $(M)/kernels_gpu_float.o $(M)/kernels_device.o
endif

$(M)/kernels_cpu_%.o: solvers/parts/kernels_cpu.c $(M)/source
	$(call say,cc,'$(NAME): dense systems ($*)')
	$(Q)$(CC) $(M_FLAGS) -DKB_REAL=$* $(if $(filter double,$*),-DKB_PIVOTED) \
	    $(call engine_defines,scalar) -MMD -MP -c $< -o $@

$(CPU_KERNEL_ENGINES:%=$(M)/kernels_sparse_%.o): \
    $(M)/kernels_sparse_%.o: solvers/parts/kernels_sparse.c $(M)/constants.h
	$(call say,cc,'$(NAME): sparse systems $(call engine_field,$*,2)')
	$(Q)$(CC) $(M_FLAGS) -DKB_LANES=$(call engine_width,$*) $(call engine_defines,$*) \
	    -DKB_KERNEL=kb_kernel_sparse_$* -MMD -MP -c $< -o $@

$(M)/kernels_exported.o: solvers/parts/kernels_exported.c solvers/engines.def $(M)/constants.h
	$(Q)$(CC) $(M_FLAGS) $(if $(NVCC),-DKB_CUDA) \
	    -D'KB_SPARSE_KERNELS(KERNEL)=$(foreach e,$(KERNEL_ENGINES),KERNEL(kb_kernel_sparse_$e))' \
	    -MMD -MP -c $< -o $@

$(M)/kernels_gpu_%.o: solvers/parts/kernels_dense.cu $(M)/source
	$(call say,nvcc,'$(NAME): dense systems ($*)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -DKB_REAL=$* -DKB_TABLE_NAME=kb_kernels_gpu_$* \
	    -DKB_THREAD_ENGINE='"$(call engine_field,gpu_thread,2)"' \
	    -DKB_BLOCK_ENGINE='"$(call engine_field,gpu_block,2)"' -MMD -MP -c $< -o $@

define sparse_rule
$(M)/kernels_sparse_$(1).o: solvers/parts/kernels_sparse.cu $(call tables_of,$(1))/constants.h
	$$(call say,nvcc,'$(NAME): sparse systems $(call engine_field,$(1),2)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -I$(call tables_of,$(1)) -DKB_TEAM=$(call engine_width,$(1)) \
	    $$(call engine_defines,$(1)) -DKB_KERNEL=kb_kernel_sparse_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach e,$(GPU_KERNEL_ENGINES),$(eval $(call sparse_rule,$e)))

$(M)/kernels_device.o: solvers/parts/kernels_device.cu $(M)/source
	$(call say,nvcc,'$(NAME): bandwidth of the device')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -MMD -MP -c $< -o $@

$(KERNELS_SO): $(K_OBJECTS) $(LINES_OBJECTS) $(M)/large.o
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ -lmvec -lm

# --- the parts of an attempt on their own: roofline.so of a mechanism (make roofline)

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
$(M)/roofline_$(1).o: solvers/parts/parts.cu $(call tables_of,$(1))/constants.h
	$$(call say,nvcc,'$(NAME): parts on $(call engine_field,$(1),2)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I$(call tables_of,$(1)) -DKB_TEAM=$(call engine_width,$(1)) -I. \
	    $$(call engine_defines,$(1)) $$(call method_defines,rodas4,$(1)) \
	    -DKB_PARTS_ENGINE=kb_parts_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach e,$(filter gpu_%,$(ENGINE_OBJECTS)),$(eval $(call part_rule,$e)))

$(M)/roofline_count_straight.o: count_straight := _straight
$(M)/roofline_count.o $(M)/roofline_count_straight.o: solvers/parts/count.cc $(M)/constants.h
	$(call say,c++,'$(NAME): counts of the parts')
	$(Q)g++ -std=c++20 -O1 -fPIC -Wno-deprecated-enum-enum-conversion $(EXTRA) -I. -I$(M) \
	    -DKB_COUNTED $(if $(count_straight),-DKB_STRAIGHT) \
	    -DKB_COUNT=kb_roofline_count$(count_straight) -MMD -MP -c $< -o $@

$(M)/roofline_limits.o: solvers/parts/limits.c $(M)/source
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -DKB_LANES=$(LANES) -MMD -MP -c $< -o $@

$(M)/roofline_device.o: solvers/parts/limits.cu $(M)/source
	$(call say,nvcc,'$(NAME): limits of the device')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -MMD -MP -c $< -o $@

$(M)/roofline_exported.o: solvers/parts/roofline_exported.c solvers/engines.def $(M)/constants.h
	$(Q)$(CC) $(SCALAR_FLAGS) -I. -I$(M) $(if $(NVCC),-DKB_CUDA) \
	    -D'KB_PART_ENGINES(PART)=$(foreach e,$(PART_ENGINES),PART(kb_parts_$e))' -MMD -MP -c $< -o $@

$(ROOFLINE_SO): $(R_OBJECTS) $(M)/large.o
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ -lstdc++ -lmvec -lm
