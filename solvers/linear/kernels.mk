# Linear algebra kernels of one mechanism: kernels.so. Needs no method; the objects of dense systems
# do not depend on the mechanism and are small.

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

$(M)/kernels_cpu_%.o: solvers/linear/kernels_cpu.c $(M)/source
	$(call say,cc,'$(NAME): dense systems ($*)')
	$(Q)$(CC) $(M_FLAGS) -DKB_REAL=$* $(if $(filter double,$*),-DKB_PIVOTED) \
	    $(call engine_defines,scalar) -MMD -MP -c $< -o $@

$(CPU_KERNEL_ENGINES:%=$(M)/kernels_sparse_%.o): \
    $(M)/kernels_sparse_%.o: solvers/linear/kernels_sparse.c $(M)/constants.h
	$(call say,cc,'$(NAME): sparse systems $(call engine_field,$*,2)')
	$(Q)$(CC) $(M_FLAGS) -DKB_LANES=$(call engine_width,$*) $(call engine_defines,$*) \
	    -DKB_KERNEL=kb_kernel_sparse_$* -MMD -MP -c $< -o $@

$(M)/kernels_exported.o: solvers/linear/kernels_exported.c solvers/engines.def $(M)/constants.h
	$(Q)$(CC) $(M_FLAGS) $(if $(NVCC),-DKB_CUDA) \
	    -D'KB_SPARSE_KERNELS(KERNEL)=$(foreach e,$(KERNEL_ENGINES),KERNEL(kb_kernel_sparse_$e))' \
	    -MMD -MP -c $< -o $@

$(M)/kernels_gpu_%.o: solvers/linear/kernels_dense.cu $(M)/source
	$(call say,nvcc,'$(NAME): dense systems ($*)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -DKB_REAL=$* -DKB_TABLE_NAME=kb_kernels_gpu_$* \
	    -DKB_THREAD_ENGINE='"$(call engine_field,gpu_thread,2)"' \
	    -DKB_BLOCK_ENGINE='"$(call engine_field,gpu_block,2)"' -MMD -MP -c $< -o $@

define sparse_rule
$(M)/kernels_sparse_$(1).o: solvers/linear/kernels_sparse.cu $(call tables_of,$(1))/constants.h
	$$(call say,nvcc,'$(NAME): sparse systems $(call engine_field,$(1),2)')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -I$(call tables_of,$(1)) -DKB_TEAM=$(call engine_width,$(1)) \
	    $$(call engine_defines,$(1)) -DKB_KERNEL=kb_kernel_sparse_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach e,$(GPU_KERNEL_ENGINES),$(eval $(call sparse_rule,$e)))

$(M)/kernels_device.o: solvers/linear/kernels_device.cu $(M)/source
	$(call say,nvcc,'$(NAME): bandwidth of the device')
	$(Q)$(NVCC) $(NVCC_FLAGS) -I. -MMD -MP -c $< -o $@

$(KERNELS_SO): $(K_OBJECTS) $(LINES_OBJECTS) $(M)/large.o
	$(call say,link,$@)
	$(Q)$(M_LINK) -o $@ $^ -lmvec -lm
