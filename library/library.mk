# libkinbench (docs/library.md): the host side of the solvers as a shared library. What it has from
# base/ and solvers/ is compiled again, position independent, and hidden.

PREFIX ?= /usr/local
LIBRARY_SONAME := libkinbench.so.$(firstword $(subst ., ,$(VERSION)))
LIBRARY_SO := $(BUILD)/libkinbench.so.$(VERSION)
LIBRARY_SOURCES := $(wildcard library/*.c) base/error.c base/shared_object.c base/arguments.c \
    solvers/auto.c solvers/load.c solvers/options.c solvers/status.c
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/pic/%.o)
LIBRARY_DEFINES = -DKB_SOURCE_TREE='"$(CURDIR)"'

.PHONY: library install uninstall library-mechanism

library: $(LIBRARY_SO)

$(BUILD)/pic/library/mechanism.o: private CFLAGS += $(LIBRARY_DEFINES)
$(LIBRARY_OBJECTS): $(BUILD)/pic/%.o: %.c
	$(call say,cc,'$< (library)')
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -fopenmp -MMD -MP -c $< -o $@

$(LIBRARY_SO): $(LIBRARY_OBJECTS)
	$(call say,link,$@)
	$(Q)$(CC) -shared -fopenmp -Wl,-soname,$(LIBRARY_SONAME) -Wl,-z,defs -o $@ $^ -lm -ldl -lpthread
	@ln -sf $(notdir $@) $(BUILD)/$(LIBRARY_SONAME)
	@ln -sf $(LIBRARY_SONAME) $(BUILD)/libkinbench.so

# what kb_mechanism_open runs: builds, and says where the solvers are
library-mechanism: $(SOLVERS_SO)
	@echo $(abspath $(SOLVERS_SO))

# DESTDIR= for packages; MECH= is installed with it, for each of LEVELS= from a build of its own
INSTALL_TO = $(DESTDIR)$(abspath $(PREFIX))
LEVEL_LIST := $(subst $(comma), ,$(LEVELS))
LEVELS_SO := $(LEVEL_LIST:%=$(M)/%/solvers.so)
$(LEVELS_SO): $(M)/%/solvers.so: FORCE | $(BUILD)/mechc $(BUILD)/mechinfo
	@$(MAKE) --no-print-directory solvers MARCH=x86-64-$* M=$(M)/$*
install: $(LIBRARY_SO) $(or $(LEVELS_SO),$(SOLVERS_SO))
	@library/install $(INSTALL_TO) $(VERSION) $(LIBRARY_SO) $(NAME) $(M) $(LEVEL_LIST)
uninstall:
	@library/install --remove $(INSTALL_TO)

# --- tests: the library's sources in one program, under the address sanitizer where it runs
LIBRARY_TEST := $(BUILD)/tests/library/library $(BUILD)/tests/library/calls
LIBRARY_COST := $(BUILD)/tests/library/cost
ASAN = $(shell echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address,undefined -x c - \
    -o $(BUILD)/sanitizer_both 2>/dev/null && $(BUILD)/sanitizer_both && \
    echo -fsanitize=address,undefined -Wno-format-truncation -Wno-format-overflow) # false ones
$(LIBRARY_TEST): SANITIZE = $(ASAN)
$(LIBRARY_COST): SANITIZE = -O2
$(LIBRARY_TEST) $(LIBRARY_COST): $(BUILD)/tests/library/%: tests/library/%.c $(LIBRARY_SOURCES) \
    library/inside.h library/kinbench.h solvers/solver.h
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) -fopenmp $(LIBRARY_DEFINES) -o $@ $< $(LIBRARY_SOURCES) \
	    -lcmocka -lm -ldl -lpthread
TEST_EXTRA += $(LIBRARY_TEST)
test: $(LIBRARY_SO) $(LIBRARY_COST)
# programs of users
LIBRARY_USERS := $(BUILD)/tests/library/traps
$(LIBRARY_USERS): $(BUILD)/tests/library/%: tests/library/%.c $(LIBRARY_SO) library/kinbench.h
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -fopenmp -o $@ $< -L$(BUILD) -lkinbench -Wl,-rpath,$(abspath $(BUILD)) -lm
test: $(LIBRARY_USERS)
# on states of a GPU: compiled where nvcc is, run where a GPU is
ifneq ($(NVCC),)
LIBRARY_DEVICE := $(BUILD)/tests/library/device
$(LIBRARY_DEVICE): tests/library/device.cu $(LIBRARY_SO) library/kinbench.h
	$(call say,nvcc,$<)
	@mkdir -p $(@D)
	$(Q)$(NVCC) -std=c++17 -I. -o $@ $< -L$(BUILD) -lkinbench -Xlinker -rpath,$(abspath $(BUILD))
test: $(LIBRARY_DEVICE)
endif
