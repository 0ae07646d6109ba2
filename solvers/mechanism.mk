# One mechanism: MECH is a name under datasets/mechanisms or datasets/downloads (make fetch), or a
# path; with -oneway behind it, its one-way form by the exact fit (docs/mechanisms.md). NAME is what
# its build is called: mech.inp, chem.inp and the like are named after their folder.

ONEWAY := $(if $(filter %-oneway,$(MECH)),-oneway)
WRITTEN := $(MECH:%-oneway=%)
$(if $(filter-out $(wildcard $(QSS)),$(QSS)),$(error QSS: there is no file '$(QSS)' of species in \
    steady state (docs/mechanisms.md)))
ifneq ($(findstring /,$(WRITTEN))$(filter %.yaml %.yml %.inp %.dat %.txt %.mech,$(WRITTEN)),)
MECHFILE := $(WRITTEN)
STEM := $(basename $(notdir $(WRITTEN)))
NAME ?= $(if $(filter mech chem mechanism,$(STEM)),$(notdir $(patsubst %/,%,$(dir \
    $(abspath $(WRITTEN))))),$(STEM))$(ONEWAY)$(QSS:%=-qss)
else
MECHFILE := $(firstword $(wildcard datasets/mechanisms/$(WRITTEN).yaml \
    datasets/downloads/$(WRITTEN)/mech.inp) datasets/mechanisms/$(WRITTEN).yaml)
THERMO := $(or $(THERMO),$(patsubst %mech.inp,%therm.dat,$(filter %/mech.inp,$(MECHFILE))))
NAME ?= $(MECH)$(if $(QSS),-qss)
endif
$(if $(call unsafe,$(NAME)),$(call refuse_name,NAME,$(NAME)))
# make fetch brings one that is not there; these goals need none
$(if $(wildcard $(MECHFILE))$(filter fetch help clean env claims report figures papers stale \
    $(if $(COMMITS),,compare history),$(or $(MAKECMDGOALS),help)),,$(error no mechanism '$(MECH)': \
    names are $(sort $(basename $(notdir $(wildcard datasets/mechanisms/*.yaml))))$(comma) after \
    make fetch MECH=<name> also $(shell awk -F'\t' 'NR > 1 { print $$1 }' datasets/sources.tsv | \
    sort -u)$(comma) or give a path))
M := $(BUILD)/mech/$(NAME)
# its reactions, as far as lines with = show. Beyond 1000 make bench by itself compiles nothing for
# the mechanism: there is no straight-line code, and engines of any mechanism are nearly as fast
MANY := $(if $(QUICK),$(if $(NVCC),,$(shell test "$$(grep -c '^[^!$(hash)]*=' $(MECHFILE) \
    2>/dev/null)" -gt 1000 && echo -any)))
# what make bench builds without a choice of its own lies in a folder below (drivers/bench/quick.mk)
SOLVERS_SO := $(M)/$(SET)solvers.so
solvers: $(SOLVERS_SO)
# METHODS= of the user: what is built and measured, with cvode if it is among them
ALL_METHODS := $(shell sed -n 's/^METHOD(\(.*\))$$/\1/p' solvers/methods.def)
override METHODS := $(or $(call blanks,$(ONLY_METHODS)),$(ALL_METHODS))

# an engine of engines.def: $(1) object, $(2) name, $(3) width, $(4) tables, $(5) macros, $(6) what
# builds it (never: no mechanism has it). The tables of one thread, of teams and of unsorted
# reactions lie in folders of their own; those of teams follow the bytes of a number, and of one of
# their matrix, too, and mechc_many writes those of many ODEs side by side
define engine
engines += $(1)
built_$(6) += $(1)
name_$(1) := $(2)
width_$(1) := $(3:LANES=$(LANES))
macros_$(1) := $(filter-out -,$(subst +, ,$(5)))
defines_$(1) = -DKB_ENGINE='"$(2)"' $$(macros_$(1):%=-D%)
team_$(1) := $(if $(filter gpu_%,$(1)),$(filter-out 1,$(3)))
bytes_$(1) := $(if $(findstring _FLOAT,$(5)),16-8,$(if $(findstring LANES=2,$(5)),16-16,8-8))
many_$(1) := $(if $(findstring _MANY,$(5)),-many)
tables_$(1) := $(M)$(filter /unsorted,/$(4))$$(team_$(1):%=/team%-$$(bytes_$(1)))$$(many_$(1))
layout_$(1) := $(if $(filter unsorted,$(4)),--reactions mechanism) \
    $$(team_$(1):%=--team % --bytes $$(subst -,$$(comma),$$(bytes_$(1)))) \
    $$(many_$(1):%=--head factored)
$$(tables_$(1))/tables: private layout := $$(layout_$(1))
endef
$(foreach e,$(shell sed -n 's/^ENGINE(\(.*\))$$/\1/p' solvers/engines.def \
    solvers/papers/engines.def | tr -d ' '),$(eval $$(eval $$(call engine,$e))))
ENGINE_OBJECTS := $(filter-out $(built_never),$(engines))

# --- variants of the engines, to be measured beside them (docs/engines.md); make test has them for
# a few methods. Without a card it compiles few engines for one and nothing optimises them: for
# rodas4 those that differ in more than a macro, and the steps of other methods in one file
# (tests/gpu/methods.cu); the code of teams is that of tests/team
VARIANT_WORDS := $(filter-out always never,$(sort $(patsubst built_%,%,$(filter \
    built_%,$(.VARIABLES)))))
TEST_VARIANTS := $(call commas,$(filter-out dense $(if $(GPU),,block%),$(VARIANT_WORDS)))
TEST_VARIANT_METHODS := rodas4$(if $(GPU),$(comma)rkck)
TEST_GPU_METHODS := $(if $(GPU),,rodas4)
NO_CARD := $(if $(testing),$(if $(GPU)$(filter 1,$(HIP)),,1))
WITHOUT_CARD := $(addprefix gpu_,thread block pair pair_float many_float pair_forced thread_global \
    thread_rows)
# those that can be built here: a GPU's with nvcc alone
buildable = $(filter-out $(filter-out $(if $(NVCC),$(if $(NO_CARD),$(WITHOUT_CARD),gpu_%)), \
    $(filter gpu_%,$(1))),$(1))
ALWAYS := $(call buildable,$(built_always))
VARIANTS ?= $(if $(testing),$(TEST_VARIANTS))
VARIANT_METHODS ?= $(if $(testing),$(TEST_VARIANT_METHODS),$(filter $(ALL_METHODS),$(METHODS)))
VARIANT_LIST := $(sort $(call blanks,$(VARIANTS)))
VARIED := $(call blanks,$(VARIANT_METHODS))
# explicit methods have no Jacobian to make in another way; an elimination is for one right-hand
# side; many ODEs side by side: Rosenbrock methods with factors in floats
varied = $(if $(filter dense,$(1)),$(filter-out rkck rkf45 rkc,$(VARIED)),$(if $(filter \
    elimination,$(1)),$(filter point_implicit,$(VARIED)),$(if $(filter \
    gpu_pair_float_forced,$(2)),$(filter $(FLOAT_METHODS),$(VARIED)),$(if $(filter \
    many,$(1)),$(filter $(MANY_METHODS),$(VARIED)),$(if $(and \
    $(testing),$(filter forced,$(1))),rodas4 $(if $(filter gpu_%,$(2)),,radau2a rkck),$(VARIED))))))

# --- the solvers of this build, method_engine; rodas4, or the solver that a recipe names, makes
# states. Factors in floats: the methods that say so (solvers/methods/method.h). GPU_METHODS= are
# built for every engine of a GPU, the others for gpu-thread alone
COMPILED := $(filter $(if $(SET)$(if $(testing),,$(ONLY_METHODS)),rodas4 $(QUICK_METHODS) \
    $(RECIPE_SOLVER),%),$(ALL_METHODS))
FLOAT_METHODS := $(patsubst solvers/methods/%.h,%,$(shell grep -l 'define KB_FLOATS_SERVE' \
    solvers/methods/*.h))
GPU_METHODS ?= $(or $(if $(testing),$(TEST_GPU_METHODS)),$(METHODS))
MANY_METHODS := $(filter-out radau2a,$(FLOAT_METHODS))
lacking = $(if $(filter $(FLOAT_METHODS),$(1)),,gpu_pair_float) $(if $(filter $(1),$(call \
    blanks,$(GPU_METHODS))),,$(filter-out $(if $(NO_CARD),,gpu_thread),$(filter \
    gpu_%,$(ENGINE_OBJECTS))))
FORCED_CVODES := $(patsubst %,%_scalar_forced,cvode cvode_klu cvode_dense cvode_paper)
BUILT := $(foreach m,$(COMPILED),$(addprefix $m_,$(filter-out $(call lacking,$m),$(ALWAYS)))) \
    $(foreach v,$(VARIANT_LIST),$(foreach e,$(call buildable,$(built_$v)),$(patsubst \
    %,%_$e,$(call varied,$v,$e)))) $(if $(filter forced,$(VARIANT_LIST)),$(FORCED_CVODES))
LINES_OBJECTS := $(patsubst %,$(M)/lines_%.o,$(sort 1 $(LANES)) $(if $(filter-out \
    1,$(LANES)),float_jacobian float_factors))
# the longest first
M_OBJECTS := $(LINES_OBJECTS) $(patsubst %,$(M)/%.o,$(filter-out cvode_%_forced,$(BUILT)) \
    $(filter cvode_scalar_forced,$(BUILT)) evaluate_scalar evaluate_simd cvode $(SET)exported \
    plugin_ode $(if $(NVCC),memory device chain))
# how many objects of a host's file take as long to compile (ci/while)
STRAIGHT_WEIGHT := $(if $(COUNTER),$(shell expr 2 + $$(grep -c = $(MECHFILE) 2>/dev/null) / 8))
weight = $(if $(filter $(M)/lines_1.o $(M)/lines_$(LANES).o,$(1)),$(STRAIGHT_WEIGHT),$(if $(filter \
    $(M)/% $(ANY)/%,$(1)),$(if $(findstring _gpu_,$(1)),40,8)))
# code for the GPU that is here, or else Hopper; later ones take the PTX
CUDA_ARCH ?= $(or $(GPU_ARCH),90)
NVCC_CODE := -gencode arch=compute_$(CUDA_ARCH),code=sm_$(CUDA_ARCH)
NVCC_FLAGS := -O3 -std=c++20 --expt-relaxed-constexpr -Xcompiler -fPIC,-Wall,-fopenmp -I. \
    $(NVCC_CODE) -gencode arch=compute_$(CUDA_ARCH),code=compute_$(CUDA_ARCH)
# those flags, or without code for the card
nvcc_flags = $(if $(NO_CARD),-Xcicc -O0 $(subst -O3 ,,$(subst \
    $(NVCC_CODE),,$(NVCC_FLAGS))),$(NVCC_FLAGS))
M_LINK := $(if $(NVCC),$(NVCC) -shared -Xcompiler -fopenmp,$(CC) -shared -fopenmp)
# blocks of at most 256 threads: more would halve the registers of a thread
ifneq ($(filter 1,$(HIP)),)
HIP_ARCH ?= gfx90a
NVCC_FLAGS := -x hip $(HIP_ARCH:%=--offload-arch=%) --gpu-max-threads-per-block=256 -O3 -w \
    -std=c++20 -fPIC -fopenmp -Isolvers/hip -include solvers/hip/cuda_runtime.h -I.
M_LINK := $(NVCC) -shared -fopenmp
endif
M_FLAGS = $(SCALAR_FLAGS) -I$(M) -I/usr/include/suitesparse $(if $(NVCC),-DKB_CUDA) $(FLAGS_TOLD)
FLAGS_TOLD = -DKB_FLAGS='"$(filter-out -W% -g% -f% -I% -D%,$(SCALAR_FLAGS)) $(filter \
    -f%,$(LANE_FLAGS))"'
SOLVER_LIBS := -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense \
    -lsundials_sunlinsoldense -lklu $(MVEC)
$(SOLVERS_SO): $(M_OBJECTS) $(BUILD)/host/base/error.o $(BUILD)/host/solvers/status.o \
    $(M)/$(if $(NVCC),apart,large).o $(if $(filter %_unsorted,$(BUILT)),$(M)/unsorted/large.o) \
    $(if $(NVCC),$(BUILD)/libmech.a)
	$(call do,link,$@)$(M_LINK) -o $@ $^ $(SOLVER_LIBS) -lm

# --- its file and tables
# keeps TEXT in the file $@, which stays as old as it is if it does not change
keep = mkdir -p $(@D); echo $(call quoted,$(1)) | cmp -s - $@ || echo $(call quoted,$(1)) > $@
# remembers what NAME was built from and for, so that another file of that name, another MARCH, or a
# build with CUDA and one without are not mixed
BUILT_FROM = $(abspath $(MECHFILE)) $(THERMO) $(addprefix phase-,$(PHASE)) \
    $(addprefix qss-,$(QSS)) $(FIT) $(TFIT) $(addprefix large-,$(LARGE)) \
    $(addprefix apart-,$(APART)) $(MARCH) $(OPTIMISE) $(if $(NVCC),cuda $(or \
    $(HIP_ARCH),$(CUDA_ARCH)))
$(M)/source: FORCE ; @$(call keep,$(BUILT_FROM))
ifneq ($(ONEWAY),)
REVERSIBLE := $(MECHFILE) $(THERMO)
MECHFILE := $(M)/$(NAME).yaml
$(MECHFILE): $(REVERSIBLE) $(M)/source | $(BUILD)/mechinfo
	$(call say,oneway,$@)
	@summary=$$($(BUILD)/mechinfo $(firstword $(REVERSIBLE)) \
	    $(addprefix --thermo ,$(word 2,$(REVERSIBLE))) --oneway $(or $(FIT),exact) \
	    $(if $(TFIT),--temperatures $(TFIT)) --name $(NAME) --write $@) && \
	    echo "$$summary" | sed -n '/^one-way  /,/^$$/p'
override THERMO :=
endif

TABLE_FOLDERS := $(sort $(foreach e,$(ENGINE_OBJECTS),$(tables_$e)))
# mechc writes them into another folder, and those that do not change stay as old as they are, with
# all that is made of them, unless `source` is new; `tables` says when that was
$(TABLE_FOLDERS:%=%/tables): $(MECHFILE) $(THERMO) $(QSS) $(M)/source $(BUILD)/mechc
	$(call say,mechc,$(@D)/constants.h)
	@mkdir -p $(@D)/new; test ! $(M)/source -nt $(@D)/constants.h || rm -f $(@D)/constants.h
	$(Q)$(BUILD)/mechc$(if $(filter %-many,$(@D)),_many) $(MECH_ARGS) --name $(NAME) $(layout) \
	    $(if $(NVCC),--cuda) $(LARGE:%=--large %) -o $(@D)/new/constants.h
	@cd $(@D)/new && for f in *; do cmp -s $$f ../$$f || mv $$f ..; done && rm -rf ../new
	@$(if $(NVCC),mech/tables/apart $(@D) $(APART) && )touch $(@D)/tables
$(addsuffix /tables,$(filter %-many,$(TABLE_FOLDERS))): $(BUILD)/mechc_many
# where one was removed, all of the folder are written again; those of teams have no lines
tables_in = $(addprefix $(1)/,constants.h large.bin large.S $(if $(NVCC),large.h) \
    $(if $(findstring /team,$(1)),,lines.def likeness))
$(foreach d,$(TABLE_FOLDERS),$(if $(filter-out $(wildcard $d/*),$(call tables_in,$d)),$(eval \
    $d/tables: FORCE))$(eval $(call tables_in,$d): $d/tables ; @test -e $$@))
# tables that are too long for a compiler (mech/tables/large.h), of one thread
$(M)/large.o $(M)/unsorted/large.o: %/large.o: %/large.S %/large.bin
	$(Q)$(CC) -c -I$* $*/large.S -o $@
# and also of a GPU's teams, where they stand apart (mech/tables/apart): most layouts have the same
$(M)/apart.o: $(M)/tables $(patsubst %,%/tables,$(filter $M/team% $M/unsorted/team%,$(sort \
    $(foreach e,$(ENGINE_OBJECTS),$(if $(filter %_$e,$(BUILT)),$(tables_$e))))))
	$(Q)mech/tables/one_copy $(M)/large.S $$(ls $(patsubst %/tables,%/apart/large.S,$(filter-out \
	    $<,$^)) 2>/dev/null) | $(CC) -x assembler -c - -o $@
# such tables of an engine, unless it needs tables as constants of the compiler; once they are made
apart = $(if $(filter gpu_%,$(1)),$(if $(filter KB_STRAIGHT \
    KB_ALGORITHM1%,$(macros_$(1))),,$(shell ls $(tables_$(1))/apart/constants.h 2>/dev/null)))

# --- objects: of each method on each engine
# $(1) the tool, $(2) what it makes of the mechanism
made = $(call do,$(1),'$(NAME): $(2)',$(call weight,$@))
# $(1) method, $(2) engine or another name
method_defines = -DKB_METHOD=$(1) -DKB_METHOD_HEADER='"solvers/methods/$(1).h"' \
    -DKB_SOLVER=kb_$(1)_$(2) -DKB_METHOD_OPTIONS=$(call upper,$(1))_OPTIONS \
    -DKB_METHOD_INFO=$(call upper,$(1))_INFO
solver_defines = $(call method_defines,$(1),$(2)$(if $(call apart,$(2)),_batch \
    -DKB_LARGE_SOLVER=kb_$(1)_$(2)))
# the compiler with what it needs for an engine
engine_cc = $(call made,$(if $(filter gpu_%,$(1)),nvcc,cc),$(2) $(name_$(1)))$(if $(filter \
    gpu_%,$(1)),$(NVCC) $(nvcc_flags) -I$(tables_$(1)) -DKB_TEAM=,$(CC) -I$(tables_$(1)) \
    $(M_FLAGS) -DKB_LANES=)$(width_$(1)) $(defines_$(1))
define engine_rules
$(M)/%_$(1).o: solvers/engines/$(if $(filter gpu_%,$(1)),gpu.cu,cpu.c) $(tables_$(1))/constants.h
	$$(call engine_cc,$(1),$$*) $$(call solver_defines,$$*,$(1)) $$(TO) -c \
	    $$(if $$(call apart,$(1)),solvers/engines/gpu_large.cu,$$<)
$(M)/kernels_sparse_$(1).o: solvers/parts/kernels_sparse.$(if $(filter gpu_%,$(1)),cu,c) \
    $(tables_$(1))/constants.h
	$$(call engine_cc,$(1),sparse systems) -DKB_KERNEL=kb_kernel_sparse_$(1) $$(TO) -c $$<
$(M)/roofline_$(1).o: solvers/parts/parts.cu $(tables_$(1))/constants.h
	$$(call engine_cc,$(1),parts) $$(call method_defines,rodas4,$(1)) \
	    -DKB_PARTS_ENGINE=kb_parts_$(1) $$(TO) -c $$<
endef
$(foreach e,$(ENGINE_OBJECTS),$(eval $(call engine_rules,$e)))
$(M)/evaluate_scalar.o $(M)/evaluate_simd.o: $(M)/evaluate_%.o: solvers/engines/evaluate.c \
    $(M)/constants.h
	$(call engine_cc,$*,evaluate) $(evaluate_defines) $(TO) -c $<
evaluate_defines = -DKB_EVALUATE=kb_evaluate_$* -DKB_GAS=kb_gas_$* -DKB_MICRO=kb_micro_$*
# straight-line code, for all methods; terms of a sum that are 0 at first are left out
STRAIGHT := solvers/chemistry/straight/cpu
$(M)/lines_float_jacobian.o: lines_lanes := $(LANES)
$(M)/lines_float_factors.o: lines_lanes = $(shell expr 2 '*' $(LANES))
$(LINES_OBJECTS): $(M)/lines_%.o: $(M)/constants.h $(M)/lines.def $(wildcard $(STRAIGHT)/*.c)
	$(call made,cc,straight-line code ($*))$(CC) $(M_FLAGS) \
	    -fno-signed-zeros -fno-tree-slp-vectorize -DKB_LINES -DKB_LANES=$(or $(lines_lanes),$*) \
	    $(TO) -c $(STRAIGHT)/$(if $(lines_lanes),$*,lines).c
# what solvers.so has; the objects of others stay for another time
$(M)/$(SET)solvers.def: FORCE ; @$(call keep,$(foreach s,$(BUILT),SOLVER(kb_$s)))
$(M)/cvode.o $(M)/cvode_scalar_forced.o: solvers/cvode/cvode.c $(M)/constants.h
$(M)/plugin_ode.o: solvers/plugin_ode.c $(M)/constants.h
$(M)/$(SET)exported.o: solvers/exported.c $(M)/constants.h $(M)/$(SET)solvers.def
$(M)/cvode_scalar_forced.o: private FLAGS_TOLD += $(defines_scalar_forced)
$(M)/cvode.o $(M)/cvode_scalar_forced.o $(M)/plugin_ode.o $(M)/$(SET)exported.o: $(M)/%.o:
	$(call made,cc,$*)$(CC) -I$(@D) $(M_FLAGS) -DKB_LINES $(TO) -c $<
$(M)/memory.o $(M)/device.o $(M)/chain.o: $(M)/%.o: solvers/engines/%.cu $(M)/source
	$(call made,nvcc,$*)$(NVCC) $(NVCC_FLAGS) $(TO) -c $<

# --- what an attempt is made of, on its own. kernels.so (make kernels), linear systems: needs no
# method; the objects of dense systems do not depend on the mechanism and are small. Sparse systems:
# on the engines of one ODE a lane or team, but gpu-straight
KERNEL_ENGINES := $(foreach e,$(ALWAYS),$(if $(filter-out KB_LINES,$(macros_$e)),,$e))
$(M)/kernels.so: $(patsubst %,$(M)/%.o,kernels_cpu_double kernels_cpu_float kernels_exported \
    evaluate_scalar large $(KERNEL_ENGINES:%=kernels_sparse_%) $(if $(NVCC),kernels_gpu_double \
    kernels_gpu_float kernels_device)) $(LINES_OBJECTS) $(BUILD)/host/base/error.o
	$(call do,link,$@)$(M_LINK) -o $@ $^ $(MVEC) -lm
$(M)/kernels_cpu_%.o: solvers/parts/kernels_cpu.c $(M)/source
	$(call made,cc,dense systems ($*))$(CC) $(M_FLAGS) -DKB_REAL=$* \
	    $(if $(filter double,$*),-DKB_PIVOTED) $(defines_scalar) $(TO) -c $<
$(M)/kernels_gpu_%.o: solvers/parts/kernels_dense.cu $(M)/source
	$(call made,nvcc,dense systems ($*))$(NVCC) $(nvcc_flags) -DKB_REAL=$* \
	    -DKB_TABLE_NAME=kb_kernels_gpu_$* -DKB_THREAD_ENGINE='"$(name_gpu_thread)"' \
	    -DKB_BLOCK_ENGINE='"$(name_gpu_block)"' $(TO) -c $<
$(M)/kernels_device.o: solvers/parts/kernels_device.cu $(M)/source
$(M)/roofline_device.o: solvers/parts/limits.cu $(M)/source
$(M)/kernels_device.o $(M)/roofline_device.o:
	$(call made,nvcc,limits of the device)$(NVCC) $(nvcc_flags) $(TO) -c $<
PART_ENGINES := $(filter $(if $(NO_CARD),gpu_pair,gpu_%),$(ALWAYS))
$(M)/kernels_exported.o $(M)/roofline_exported.o: $(M)/%.o: solvers/parts/%.c $(M)/constants.h \
    solvers/engines.def
	$(call made,cc,$*)$(CC) $(M_FLAGS) \
	    -D'KB_SPARSE_KERNELS(KERNEL)=$(foreach e,$(KERNEL_ENGINES),KERNEL(kb_kernel_sparse_$e))' \
	    -D'KB_PART_ENGINES(PART)=$(foreach e,$(PART_ENGINES),PART(kb_parts_$e))' $(TO) -c $<
# roofline.so (make roofline), the parts of an attempt
$(M)/roofline.so: $(patsubst %,$(M)/%.o,$(patsubst %,roofline_%,exported count count_straight \
    limits $(PART_ENGINES) $(if $(NVCC),device)) large) $(BUILD)/host/base/error.o
	$(call do,link,$@)$(M_LINK) -o $@ $^ -lstdc++ $(MVEC) -lm
$(M)/roofline_count_straight.o: straight_count := _straight
$(M)/roofline_count.o $(M)/roofline_count_straight.o: solvers/parts/count.cc $(M)/constants.h
	$(call made,c++,counts of the parts)g++ -std=c++20 -O1 -fPIC \
	    -Wno-deprecated-enum-enum-conversion $(EXTRA) -I. -I$(M) -DKB_COUNTED \
	    $(if $(straight_count),-DKB_STRAIGHT) -DKB_COUNT=kb_roofline_count$(straight_count) $(TO) -c $<
$(M)/roofline_limits.o: solvers/parts/limits.c $(M)/source
	$(call made,cc,limits)$(CC) $(SCALAR_FLAGS) -DKB_LANES=$(LANES) $(TO) -c $<

# --- plug-ins that come along (solvers/plugin_api.h): build/plugins/NAME.so, and for one mechanism
# CVODE in lockstep, on the GPU with a SUNDIALS that has CUDA in SUNDIALS_DIR, and on a core, for
# the tests; Cantera's reactors, in the Python of `make validate` (PYTHON=python: one that has
# Cantera), from YAML, which mechinfo writes of a CHEMKIN file. SOLVERS= with their names builds
# them
bench verify plan: $(filter $(BUILD)/plugins/%.so $(M)/cvode-gpu.so $(M)/cvode-lockstep.so \
    $(M)/cantera.so,$(foreach s,$(call blanks,$(SOLVERS)),$(firstword $(subst :, ,$s))))
PLUGIN_LIBS_arkode := -lsundials_arkode -lsundials_nvecserial
$(BUILD)/plugins/%.so: solvers/plugins/%.c solvers/plugin_api.h
	$(call do,cc,$<)$(CC) -std=gnu11 -O2 -march=$(MARCH) $(WARN) -I. -shared -fPIC -o $@ $< \
	    $(PLUGIN_LIBS_$*) -lm
$(BUILD)/plugin_host $(BUILD)/host/drivers/plugin_host.o: private CFLAGS += -fopenmp
$(M)/cvode-lockstep.so: solvers/plugins/cvode_gpu.cu solvers/plugins/batched.h $(M)/constants.h \
    $(M)/large.o
	$(call made,c++,$@)$(CXX) -O2 $(CXX_FLAGS) -fPIC -shared -fno-math-errno -I$(M) -DKB_TEAM=1 \
	    -DKB_LANES=1 -DKB_ON_HOST -o $@ -x c++ $< -x none $(M)/large.o -lsundials_cvode \
	    -lsundials_nvecserial -lsundials_sunlinsolspgmr -lsundials_sunlinsolspbcgs $(MVEC) -lm
# with cuDSS, Ginkgo and MAGMA from folders that have include/ and lib/ of each
# $(call has,folder,file,text in it,what)
has = test -z "$(1)" || grep -qs "$(3)" "$(1)/$(2)" || { echo "make: cvode-gpu: $(1) has no" \
    "$(2)$(4) (docs/adding.md)" >&2; exit 2; }
$(M)/cvode-gpu-folders: FORCE
	@$(call keep,$(SUNDIALS_DIR) $(CUDSS_DIR) $(GINKGO_DIR) $(MAGMA_DIR))
	@$(call has,$(CUDSS_DIR),include/cudss.h,offsetType, of version 1)
	@$(call has,$(GINKGO_DIR),include/ginkgo/ginkgo.hpp,batch_bicgstab, with batched solvers)
	@$(call has,$(MAGMA_DIR),include/magma_v2.h,.)
$(M)/cvode-gpu.so: solvers/plugins/cvode_gpu.cu $(if $(SUNDIALS_DIR),solvers/plugins/batched.h \
    $(M)/constants.h $(M)/large.o $(M)/cvode-gpu-folders)
	$(if $(and $(NVCC),$(SUNDIALS_DIR)),,@echo "make: cvode-gpu needs nvcc (CUDA=1) and" \
	    "SUNDIALS_DIR=, a SUNDIALS with CUDA (docs/adding.md)" >&2; exit 2)
	$(call made,nvcc,$@)$(NVCC) $(NVCC_FLAGS) -shared -I$(M) -I$(SUNDIALS_DIR)/include $(foreach \
	    l,CUDSS GINKGO MAGMA,$(if $($l_DIR),-I$($l_DIR)/include -DKB_$l='"$(abspath $($l_DIR))"')) \
	    -DKB_TEAM=1 -o $@ $< $(M)/large.o -L$(SUNDIALS_DIR)/lib -Xlinker --exclude-libs=ALL \
	    -lsundials_cvode -lsundials_nveccuda -lsundials_sunlinsolspgmr -lsundials_sunlinsolspbcgs \
	    -lsundials_core $(if $(GINKGO_DIR),-L$(GINKGO_DIR)/lib -lginkgo -Xlinker -rpath=$(abspath \
	    $(GINKGO_DIR)/lib))
# another PYTHON is another object
CANTERA_PYTHON = $(or $(if $(PYTHON),$(shell command -v $(PYTHON))),$(PYTHON),$(abspath \
    $(VALIDATE_PYTHON)))
$(M)/cantera-python: FORCE ; @$(call keep,$(CANTERA_PYTHON))
CANTERA_FILE := $(if $(filter %.yaml,$(MECHFILE)),$(MECHFILE),$(M)/cantera.yaml)
$(M)/cantera.yaml: $(MECHFILE) $(THERMO) | $(BUILD)/mechinfo
	$(call say,yaml,$@)
	$(Q)$(BUILD)/mechinfo $(MECH_ARGS) --name $(NAME) --write $@ >/dev/null
$(M)/cantera.so: solvers/plugins/cantera.c solvers/plugin_api.h $(CANTERA_FILE) $(M)/cantera-python
	$(call made,cc,$@)$(CC) $(CFLAGS) -shared -fPIC \
	    -DKB_MECH_FILE='"$(abspath $(CANTERA_FILE))"' -DKB_CANTERA_PYTHON='"$(CANTERA_PYTHON)"' \
	    -DKB_CANTERA_SCRIPT='"$(abspath solvers/plugins/cantera_reactor.py)"' -o $@ $<
