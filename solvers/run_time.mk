# Engines that are compiled for no mechanism, with sizes and tables that are read at run time: one
# shared object for all (solvers/run_time.h), and one of fewer methods in a folder of their names

ANY := $(BUILD)/any
ANY_ALL_SO := $(ANY)/solvers.so
any_so = $(ANY)/$(if $(filter-out $(1),$(ALL_METHODS)),$(subst $(space),-,$(strip $(1)))/)solvers.so
ANY_SO := $(call any_so,$(COMPILED))
# that of a first look (drivers/bench/first_look) has one solver
FIRST_SO := $(call any_so,rodas4_simd_any)
# that of its first ODEs nothing else (solvers/cvode/absent.c)
ODES_SO := $(ANY)/odes/solvers.so
# what reads a mechanism
ANY_HOST := $(MECH_OBJECTS) $(BUILD)/host/solvers/run_time.o

any: $(ANY_ALL_SO)
# method_engine of each solver: $(1) methods, or such a solver itself
any_solvers = $(foreach m,$(1),$(if $(filter $m,$(ALL_METHODS)),$(patsubst \
    %,$m_%,$(filter-out $(if $(filter $m,$(any_forced)),,%_forced_any),$(built_never))),$m))
# methods that have them with forcing, too
any_forced = $(if $(filter forced,$(VARIANT_LIST)),$(VARIED))
# the longest first
any_objects = $(patsubst %,$(ANY)/%.o,evaluate_scalar cvode $(if \
    $(any_forced),cvode_scalar_forced) $(call any_solvers,$(1)) evaluate_simd)
ODES_OBJECTS := $(ANY)/rodas4_simd_any.o $(BUILD)/host/solvers/cvode/absent.o
# $(1) methods, $(2) their folder, $(3) objects
define any_set
$(2)solvers.so: $(3) $(2)exported.o $(ANY_HOST)
	$$(call do,link,$$@)$(CC) -shared -fopenmp -Wl,-z,defs -o $$@ $$^ $(SOLVER_LIBS) $(LDLIBS)
$(2)solvers.def: FORCE
	@$$(call keep,$(patsubst %,SOLVER(kb_%),$(call any_solvers,$(1)) $(if $(filter \
	    %/cvode_scalar_forced.o,$(3)),$(FORCED_CVODES))))
$(2)exported.o: solvers/exported.c $(2)solvers.def $(ANY)/source | $(ANY)/constants.h
	$$(call any_cc,exported,1)
endef

$(ANY)/constants.h: $(BUILD)/mechc
	@mkdir -p $(@D)
	@$(BUILD)/mechc --run-time -o $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
# remembers what it was built for
$(ANY)/source: FORCE ; @$(call keep,$(MARCH) $(OPTIMISE))

# $(1) what, $(2) lanes
any_cc = $(call do,cc,'any mechanism: $(1)',$(call weight,$@))$(CC) -I$(@D) -I$(ANY) \
    $(SCALAR_FLAGS) -fvisibility=hidden -I/usr/include/suitesparse -DKB_RUN_TIME -DKB_LANES=$(2) \
    $(TO) -c $< $(FLAGS_TOLD)
# those that may be asked for: of all methods, of this build, of a first look
any_folder = $(eval $(call any_set,$(1),$(2),$(or $(3),$(call any_objects,$(1)))))
$(call any_folder,$(ALL_METHODS),$(ANY)/)
$(if $(filter $(ANY_ALL_SO),$(ANY_SO)),,$(call any_folder,$(COMPILED),$(dir $(ANY_SO))))
$(call any_folder,rodas4_simd_any,$(dir $(FIRST_SO)))
$(call any_folder,rodas4_simd_any,$(dir $(ODES_SO)),$(ODES_OBJECTS))
define any_rule
$(ANY)/%_$(1).o: solvers/engines/cpu.c $(ANY)/source | $(ANY)/constants.h
	$$(call any_cc,$$* $(name_$(1)),$(width_$(1))) $(defines_$(1)) $$(call method_defines,$$*,$(1))
endef
$(foreach e,$(built_never),$(eval $(call any_rule,$e)))
$(ANY)/evaluate_scalar.o $(ANY)/evaluate_simd.o: $(ANY)/evaluate_%.o: solvers/engines/evaluate.c \
    $(ANY)/source | $(ANY)/constants.h
	$(call any_cc,evaluate $*,$(if $(filter simd,$*),$(LANES),1)) $(evaluate_defines)
$(ANY)/cvode.o $(ANY)/cvode_scalar_forced.o: solvers/cvode/cvode.c $(ANY)/source | \
    $(ANY)/constants.h
	$(call any_cc,cvode,1) $(if $(findstring forced,$@),$(defines_scalar_forced_any))
