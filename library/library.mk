# libkinbench (docs/library.md): the host side of the solvers as a shared library. What it has from
# base/ and solvers/ is compiled again, position independent, and hidden.

PREFIX ?= /usr/local
LIBRARY_VERSION := $(VERSION)
LIBRARY_SONAME := libkinbench.so.$(firstword $(subst ., ,$(LIBRARY_VERSION)))
LIBRARY_SO := $(BUILD)/libkinbench.so.$(LIBRARY_VERSION)
LIBRARY_SOURCES := $(wildcard library/*.c) base/error.c base/shared_object.c base/arguments.c \
    solvers/auto.c solvers/load.c solvers/options.c solvers/status.c
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/pic/%.o)
INSTALLED_MECHANISMS := $(abspath $(PREFIX))/lib/kinbench
LIBRARY_DEFINES = -DKB_SOURCE_TREE='"$(CURDIR)"' \
    -DKB_INSTALLED_MECHANISMS='"$(INSTALLED_MECHANISMS)"'

.PHONY: library install library-mechanism

library: $(LIBRARY_SO)

# another PREFIX is another object
$(BUILD)/pic/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(INSTALLED_MECHANISMS)' | cmp -s - $@ || echo '$(INSTALLED_MECHANISMS)' > $@
$(BUILD)/pic/library/mechanism.o: $(BUILD)/pic/prefix
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

# DESTDIR= for packages; MECH= is installed with it
INSTALL_TO = $(DESTDIR)$(abspath $(PREFIX))
filled = sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@VERSION@|$(LIBRARY_VERSION)|' \
    -e 's|@SONAME@|$(LIBRARY_SONAME)|'
install: $(LIBRARY_SO) $(SOLVERS_SO)
	@install -d $(INSTALL_TO)/include $(INSTALL_TO)/lib/pkgconfig $(INSTALL_TO)/lib/cmake/kinbench \
	    $(INSTALL_TO)/share/man/man3 $(INSTALL_TO)/lib/kinbench/$(NAME)
	@install -m 644 library/kinbench.h $(INSTALL_TO)/include
	@install -m 755 $(LIBRARY_SO) $(INSTALL_TO)/lib
	@ln -sf $(notdir $(LIBRARY_SO)) $(INSTALL_TO)/lib/$(LIBRARY_SONAME)
	@ln -sf $(LIBRARY_SONAME) $(INSTALL_TO)/lib/libkinbench.so
	@install -m 755 $(SOLVERS_SO) $(INSTALL_TO)/lib/kinbench/$(NAME)/solvers.so
	@$(filled) library/kinbench.pc.in > $(INSTALL_TO)/lib/pkgconfig/kinbench.pc
	@$(filled) library/kinbench-config.cmake.in > \
	    $(INSTALL_TO)/lib/cmake/kinbench/kinbench-config.cmake
	@install -m 644 library/kinbench.3 $(INSTALL_TO)/share/man/man3
	@echo "installed libkinbench $(LIBRARY_VERSION) and mechanism $(NAME) in $(INSTALL_TO)"

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
