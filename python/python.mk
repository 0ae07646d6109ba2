# What the wheel of Python holds beside the module (pyproject.toml, python/build_hook.py), installed
# in build/python, of LEVELS= as by make install, with compiled solvers of MECHS=.

FILES := $(BUILD)/python
python-files: $(LIBRARY_SO) $(or $(filter $(ANY)/%,$(LEVELS_SO)),$(ANY_ALL_SO)) tools
	@rm -rf $(FILES)
	@library/install $(FILES) $(VERSION) $(LIBRARY_SO) any $(ANY) $(LEVEL_LIST)
	@$(foreach m,$(call blanks,$(MECHS)),$(MAKE) --no-print-directory install PREFIX=$(FILES) \
	    MECH=$m &&) :
	@cd $(FILES)/lib && find . -maxdepth 1 -type l -delete && rm -rf kinbench/manifest cmake \
	    pkgconfig && mv $(notdir $(LIBRARY_SO)) $(LIBRARY_SONAME)
	@install -D -s -t $(FILES)/bin $(PROGRAMS:%=$(BUILD)/%) $(BUILD)/mechc
	@install -D -m 644 -t $(FILES)/datasets/mechanisms datasets/mechanisms/*.yaml
	@install -D -m 644 -t $(FILES)/datasets/cases datasets/cases/*.json
