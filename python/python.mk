# What the wheel of Python holds beside the module (pyproject.toml, python/build_hook.py): the
# library, the engines of any mechanism, compiled solvers of MECHS=, the programs, mechanism files.
# Installed in build/python, of LEVELS= as by make install.

FILES := $(BUILD)/python
PYTHON_MECHS := $(subst $(comma), ,$(MECHS))
SHIPPED := $(wildcard datasets/mechanisms/*.yaml)

python-files: $(LIBRARY_SO) $(or $(filter $(ANY)/%,$(LEVELS_SO)),$(ANY_ALL_SO)) tools
	@rm -rf $(FILES)
	@library/install $(FILES) $(VERSION) $(LIBRARY_SO) any $(ANY) $(LEVEL_LIST)
	@$(foreach m,$(PYTHON_MECHS),$(MAKE) --no-print-directory install PREFIX=$(FILES) MECH=$m &&) :
	@find $(FILES)/lib -maxdepth 1 -type l -delete
	@mv $(FILES)/lib/libkinbench.so.$(VERSION) $(FILES)/lib/$(LIBRARY_SONAME)
	@rm -rf $(FILES)/lib/kinbench/manifest $(FILES)/lib/cmake $(FILES)/lib/pkgconfig
	@install -D -s -t $(FILES)/bin $(PROGRAMS:%=$(BUILD)/%) $(BUILD)/mechc
	@install -D -m 644 -t $(FILES)/datasets/mechanisms $(SHIPPED)
