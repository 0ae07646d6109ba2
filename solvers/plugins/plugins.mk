# Plug-ins that come along (solvers/plugin_api.h): build/plugins/NAME.so

PLUGIN_LIBS_arkode := -lsundials_arkode -lsundials_nvecserial
$(BUILD)/plugins/%.so: solvers/plugins/%.c solvers/plugin_api.h
	$(call say,cc,'$<')
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -march=$(MARCH) $(WARN) -I. -shared -fPIC -o $@ $< $(PLUGIN_LIBS_$*) -lm

$(BUILD)/plugin_host: private CFLAGS += -fopenmp
$(BUILD)/host/drivers/plugin_host.o: private CFLAGS += -fopenmp
# SOLVERS=build/plugins/arkode.so builds it
bench verify plan: $(filter $(BUILD)/plugins/%.so,$(foreach s,$(subst $(comma), ,$(SOLVERS)),\
    $(firstword $(subst :, ,$s))))

# the tests measure those that can be built here
ifneq ($(wildcard $(HEADER_DIRS:%=%/arkode/arkode.h)),)
test: $(BUILD)/plugins/arkode.so
endif

# CVODE in lockstep, for one mechanism: on the GPU with a SUNDIALS that has CUDA in SUNDIALS_DIR,
# and on a core, for the tests
$(M)/cvode-lockstep.so: solvers/plugins/cvode_gpu.cu $(M)/constants.h $(M)/large.o
	$(call say,c++,'$(NAME): $@')
	$(Q)$(CXX) -O2 $(CXX_FLAGS) -fPIC -shared -fno-math-errno -I$(M) -DKB_TEAM=1 -DKB_LANES=1 \
	    -DKB_ON_HOST -o $@ -x c++ $< -x none $(M)/large.o -lsundials_cvode \
	    -lsundials_nvecserial -lsundials_sunlinsolspgmr -lmvec -lm
ifneq ($(and $(NVCC),$(SUNDIALS_DIR)),)
$(M)/cvode-gpu.so: solvers/plugins/cvode_gpu.cu $(M)/constants.h $(M)/large.o
	$(call say,nvcc,'$(NAME): $@')
	$(Q)$(NVCC) $(NVCC_FLAGS) -shared -I. -I$(M) -I$(SUNDIALS_DIR)/include -DKB_TEAM=1 -o $@ $< \
	    $(M)/large.o -L$(SUNDIALS_DIR)/lib -Xlinker --exclude-libs=ALL -lsundials_cvode \
	    -lsundials_nveccuda -lsundials_sunlinsolspgmr -lsundials_core
else
$(M)/cvode-gpu.so:
	@echo "make: cvode-gpu needs nvcc (CUDA=1) and SUNDIALS_DIR=, a SUNDIALS with CUDA" \
	    "(docs/adding.md)" >&2; exit 2
endif
# Cantera's reactors, in the Python of `make validate` (PYTHON=python: one that has Cantera); the
# mechanism's file is one that Cantera reads. Another PYTHON is another object
CANTERA_PYTHON = $(if $(PYTHON),$(or $(shell command -v $(PYTHON)),$(PYTHON)),$(abspath \
    $(VALIDATE_PYTHON)))
$(M)/cantera-python: FORCE
	@mkdir -p $(@D)
	@echo $(call quoted,$(CANTERA_PYTHON)) | cmp -s - $@ || \
	    echo $(call quoted,$(CANTERA_PYTHON)) > $@
$(M)/cantera.so: solvers/plugins/cantera.c solvers/plugin_api.h $(MECHFILE) $(M)/cantera-python
	$(call say,cc,'$(NAME): $@')
	@test $(suffix $(MECHFILE)) = .yaml || { echo "make: Cantera reads YAML, not $(MECHFILE):" \
	    "build/mechinfo $(MECHFILE) --write $(NAME).yaml makes one" >&2; exit 2; }
	$(Q)$(CC) $(CFLAGS) -shared -fPIC -DKB_MECH_FILE='"$(abspath $(MECHFILE))"' \
	    -DKB_CANTERA_PYTHON='"$(CANTERA_PYTHON)"' \
	    -DKB_CANTERA_SCRIPT='"$(abspath solvers/plugins/cantera_reactor.py)"' -o $@ $<
bench verify plan: $(filter $(M)/cvode-gpu.so $(M)/cvode-lockstep.so $(M)/cantera.so,\
    $(foreach s,$(subst $(comma), ,$(SOLVERS)),$(firstword $(subst :, ,$s))))
ifneq ($(shell command -v g++),)
ifeq ($(NAME),h2)
test: $(M)/cvode-lockstep.so
endif
endif
