# Engines that are compiled for no mechanism, with sizes and tables that are read at run time: one
# shared object for all (solvers/run_time.h)

ANY := $(BUILD)/any
ANY_SO := $(ANY)/solvers.so
ANY_ENGINES := $(foreach l,$(filter %$(comma)never,$(ENGINE_LINES)),$(firstword $(subst \
    $(comma), ,$l)))
ANY_SOLVERS := $(foreach m,$(ALL_METHODS),$(ANY_ENGINES:%=$m_%))
ANY_COMPILED := $(patsubst %,$(ANY)/%.o,$(ANY_SOLVERS) evaluate_scalar evaluate_simd cvode exported)
# what reads a mechanism
ANY_HOST := $(patsubst %.c,$(BUILD)/pic/%.o,$(filter-out mech/tables/mechc.c,$(call c_files,mech)) \
    $(wildcard base/*.c) solvers/run_time.c)

.PHONY: any
any: $(ANY_SO)
$(ANY_SO): $(ANY_COMPILED) $(ANY_HOST)
	$(call do,link,$@)$(CC) -shared -fopenmp -Wl,-z,defs -o $@ $^ -lsundials_cvode \
	    -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lklu -lmvec \
	    $(LDLIBS)

$(ANY)/constants.h: $(BUILD)/mechc
	@mkdir -p $(@D)
	@$(BUILD)/mechc --run-time -o $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
$(ANY)/solvers.def: FORCE
	@$(call keep,$(foreach s,$(ANY_SOLVERS),SOLVER(kb_$s)))
# remembers what it was built for
$(ANY)/source: FORCE
	@$(call keep,$(MARCH) $(OPTIMISE))

# $(1) what, $(2) lanes
any_cc = $(call do,cc,'any mechanism: $(1)')$(CC) -I$(ANY) $(SCALAR_FLAGS) -fvisibility=hidden \
    -I/usr/include/suitesparse -DKB_RUN_TIME -DKB_LANES=$(2) $(TO) -c $< \
    -DKB_FLAGS='"$(filter-out -W% -g -f% -I% -D%,$(SCALAR_FLAGS)) $(filter -f%,$(LANE_FLAGS))"'
define any_rule
$(ANY)/%_$(1).o: solvers/engines/cpu.c $(ANY)/source | $(ANY)/constants.h
	$$(call any_cc,$$* $(call engine_names,$(1)),$(call engine_width,$(1))) $$(call \
	    engine_defines,$(1)) $$(call method_defines,$$*,$(1))
endef
$(foreach e,$(ANY_ENGINES),$(eval $(call any_rule,$e)))
$(ANY)/evaluate_scalar.o $(ANY)/evaluate_simd.o: $(ANY)/evaluate_%.o: solvers/engines/evaluate.c \
    $(ANY)/source | $(ANY)/constants.h
	$(call any_cc,evaluate $*,$(if $(filter simd,$*),$(LANES),1)) \
	    -DKB_EVALUATE=kb_evaluate_$* -DKB_MICRO=kb_micro_$*
$(ANY)/cvode.o: solvers/cvode/cvode.c
$(ANY)/exported.o: solvers/exported.c $(ANY)/solvers.def
$(ANY)/cvode.o $(ANY)/exported.o:
	$(call any_cc,$(basename $(@F)),1)
$(ANY)/cvode.o $(ANY)/exported.o: $(ANY)/source | $(ANY)/constants.h
