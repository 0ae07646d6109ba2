# make fuzz: RUNS= inputs for each reader of files, one after another, with clang's libFuzzer; what
# it finds stays under build/fuzz. make test replays the seeds of tests/corpus alone.

FUZZED := npy json csv results recipe order checkpoint chemkin yaml query ledger compare report \
    options flow
FUZZ_READERS ?= $(FUZZED)
RUNS ?= 100000
CLANG ?= clang
FUZZ_CFLAGS := -g -O1 -std=gnu11 -I. -fsanitize=address,undefined
# of flow what reads a checkpoint
FUZZ_FLOW := flow/run/checkpoint.c flow/run/halo.c flow/run/view.c
FUZZ_SOURCES := $(LIB_SOURCES) $(DRIVER_PARTS) $(FUZZ_FLOW)
FUZZ_OBJECTS := $(FUZZ_SOURCES:%.c=$(BUILD)/fuzz/%.o)
fuzz_dict = $(addprefix -dict=,$(wildcard $(if $(filter json recipe order,$(1)),\
    tests/corpus/json.dict,tests/corpus/$(1).dict)))

$(BUILD)/fuzz/%.o: %.c
	$(call say,clang,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

# an archive: the parts of programs that a target does not use need more libraries
$(BUILD)/fuzz/libfuzzed.a: $(FUZZ_OBJECTS)
	$(call say,ar,$@)
	@rm -f $@
	$(Q)ar qcs $@ $^

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/files.h $(BUILD)/fuzz/libfuzzed.a
	$(call say,clang,$<)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $< $(BUILD)/fuzz/libfuzzed.a $(LDLIBS)

.PHONY: fuzz $(FUZZED:%=fuzz-%)
fuzz: $(patsubst %,fuzz-%,$(subst $(comma), ,$(FUZZ_READERS)))
$(FUZZED:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/fuzz_%
	@mkdir -p $(BUILD)/fuzz/found/$*
	@$< -runs=$(RUNS) -max_len=2048 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/$*- \
	    $(call fuzz_dict,$*) $(BUILD)/fuzz/found/$* tests/corpus/$* >$(BUILD)/fuzz/$*.log 2>&1 || \
	    { tail -40 $(BUILD)/fuzz/$*.log; exit 1; }
	@echo "$*: $$(sed -n 's/^stat::number_of_executed_units: //p' $(BUILD)/fuzz/$*.log) inputs"

FUZZ_REPLAYED := $(filter-out chemkin yaml,$(FUZZED))
$(BUILD)/tests/fuzz/replay_flow: $(FUZZ_FLOW)
$(FUZZ_REPLAYED:%=$(BUILD)/tests/fuzz/replay_%): $(BUILD)/tests/fuzz/replay_%: \
    tests/fuzz/replay.c tests/fuzz/fuzz_%.c tests/fuzz/files.h $(BUILD)/libdrivers.a \
    $(BUILD)/libkb.a
	$(call say,cc,'$< ($*)')
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -DKB_CORPUS='"tests/corpus/$*"' -o $@ $(filter %.c,$^) $(filter %.a,$^) \
	    $(LDLIBS)
TEST_EXTRA += $(FUZZ_REPLAYED:%=$(BUILD)/tests/fuzz/replay_%)
