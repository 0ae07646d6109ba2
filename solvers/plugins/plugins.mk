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
