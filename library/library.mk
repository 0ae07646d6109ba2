# libkinbench (docs/library.md): the host side of the solvers as a shared library.

PREFIX ?= /usr/local
LIBRARY_SONAME := libkinbench.so.$(firstword $(subst ., ,$(VERSION)))
LIBRARY_SO := $(BUILD)/libkinbench.so.$(VERSION)
LIBRARY_SOURCES := $(wildcard library/*.c) base/error.c base/shared_object.c base/arguments.c \
    solvers/auto.c solvers/load.c solvers/options.c solvers/status.c
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/host/%.o)
LIBRARY_DEFINES = -DKB_SOURCE_TREE=$(call c_string,$(CURDIR))

library: $(LIBRARY_SO)
$(BUILD)/host/library/%.o: private CFLAGS += -fopenmp
$(BUILD)/host/library/places.o: private CFLAGS += $(LIBRARY_DEFINES)
$(LIBRARY_SO): $(LIBRARY_OBJECTS)
	$(call do,link,$@)$(CC) -shared -fopenmp -Wl,-soname,$(LIBRARY_SONAME) -Wl,-z,defs -o $@ $^ \
	    -lm -ldl -lpthread
	@ln -sf $(notdir $@) $(BUILD)/$(LIBRARY_SONAME)
	@ln -sf $(LIBRARY_SONAME) $(BUILD)/libkinbench.so

# what kb_mechanism_open runs: builds, and says where the solvers are
library-mechanism: $(SOLVERS_SO)
library-any: $(ANY_ALL_SO)
library-mechanism library-any: ; @printf '%s\n' $(call quoted,$(abspath $<))

# with MECH= and the engines of any mechanism, for each of LEVELS= from a build of its own
INSTALL_TO = $(call quoted,$(DESTDIR)$(abspath $(PREFIX)))
LEVEL_LIST := $(call blanks,$(LEVELS))
LEVELS_SO := $(LEVEL_LIST:%=$(M)/%/solvers.so) $(LEVEL_LIST:%=$(ANY)/%/solvers.so)
$(LEVELS_SO): FORCE | $(BUILD)/mechc $(BUILD)/mechinfo $(ANY_HOST)
	@$(MAKE) --no-print-directory MARCH=x86-64-$(notdir $(@D)) \
	    $(if $(filter $(M)/%,$@),solvers M,any ANY)=$(@D)
install: $(LIBRARY_SO) $(or $(strip $(LEVELS_SO)),$(SOLVERS_SO) $(ANY_ALL_SO))
	@library/install $(INSTALL_TO) $(VERSION) $(LIBRARY_SO) any $(ANY) $(LEVEL_LIST) >/dev/null
	@library/install $(INSTALL_TO) $(VERSION) $(LIBRARY_SO) $(NAME) $(M) $(LEVEL_LIST)
uninstall: ; @library/install --remove $(INSTALL_TO)
