# make validate: compares rates, thermodynamics, Jacobian, equilibrium and ignition with Cantera, in
# a Python environment of its own. PYTHON=python uses one that has Cantera and numpy already.

VENV := $(BUILD)/venv
ifdef PYTHON
VALIDATE_PYTHON := $(PYTHON)
else
VALIDATE_PYTHON := $(VENV)/bin/python
$(VENV)/done: tests/validate/requirements.txt
	$(call say,venv,$(VENV))
	@rm -rf $(VENV); mkdir -p $(BUILD)
	@{ python3 -m venv $(VENV) && $(VENV)/bin/pip install -q -r $<; } >$(BUILD)/venv.log 2>&1 || \
	    { rm -rf $(VENV); tail -3 $(BUILD)/venv.log; \
	    echo "make validate: no Python environment with Cantera: python3-venv or the package" \
	    "index is missing ($(BUILD)/venv.log has all of it)." \
	    "With Cantera at hand: make validate PYTHON=python3"; exit 2; } >&2
	@touch $@
VALIDATE_READY := $(VENV)/done
endif

$(BUILD)/tests/validate/reference: tests/validate/reference.c $(BUILD)/libkb.a
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libkb.a $(LDLIBS)

validate: $(VALIDATE_READY) $(BUILD)/tests/validate/reference \
    $(BUILD)/evaluate $(BUILD)/ignite $(BUILD)/flamelet $(BUILD)/pasr \
    $(TEST_SOLVERS)
	@PYTHON=$(VALIDATE_PYTHON) KB_BUILD=$(BUILD) tests/validate/run
# its reactors as a plug-in of bench
$(M)/cantera.so: $(VALIDATE_READY)
ifneq ($(and $(filter h2,$(NAME)),$(wildcard $(VENV)/done)),)
test: $(M)/cantera.so
endif
