# What this machine has. Included by the Makefile.

comma := ,
space := $(empty) $(empty)
commas = $(subst $(space),$(comma),$(strip $(1)))
blanks = $(subst $(comma), ,$(1))

GPU := $(shell nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)
GPU_ARCH := $(if $(GPU),$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader \
    2>/dev/null | head -1 | tr -d .))
# the tests build the GPU engines without a GPU, too
CUDA ?= $(if $(GPU)$(filter test,$(MAKECMDGOALS)),1,0)
NVCC_FOUND := $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
NVCC := $(if $(filter 1,$(CUDA)),$(NVCC_FOUND))
# HIP=1: the same engines for cards of AMD, by hipcc (solvers/hip)
ifneq ($(filter 1,$(HIP)),)
HIPCC ?= hipcc
NVCC := $(or $(shell command -v $(HIPCC)),$(error HIP=1: there is no '$(HIPCC)' (Debian: hipcc and \
    libomp-15-dev; or HIPCC=/opt/rocm/bin/hipcc)))
endif
NVCC_VERSION := $(if $(NVCC_FOUND),$(shell $(NVCC_FOUND) --version | \
    sed -n 's/.*release \([0-9.]*\).*/\1/p')$(if $(NVCC),, (not used: CUDA=1 builds the GPU \
    engines)))

# what the build needs is installed, but not by `make`, `make help` and `make clean`
NEEDED := yaml.h jansson.h sha2.h klu.h cvode/cvode.h cmocka.h
HEADER_DIRS := /usr/include /usr/include/suitesparse /usr/local/include \
    /usr/include/$(shell uname -m)-linux-gnu
MISSING := $(strip $(if $(shell command -v $(CC)),,$(CC)) $(if $(NVCC),$(if $(shell command -v \
    g++),,g++)) $(foreach h,$(NEEDED),$(if $(wildcard $(HEADER_DIRS:%=%/$(h))),,$(h))))
ifneq ($(and $(MISSING),$(filter-out help clean,$(or $(MAKECMDGOALS),help))),)
$(if $(filter done,$(shell ci/install-deps >&2 && echo done)),,$(error missing: $(MISSING)))
MISSING :=
endif

# scripts and compilers write there
NO_FOLDER := $(shell test -z "$$TMPDIR" -o -d "$$TMPDIR" -a -w "$$TMPDIR" || echo "$$TMPDIR")
$(if $(NO_FOLDER),$(if $(filter help clean env,$(or $(MAKECMDGOALS),help)),,$(error \
    TMPDIR=$(NO_FOLDER): this is no folder that can be written to: make one, or unset TMPDIR)))

# vector width: 8 lanes with AVX-512, 4 with AVX2, what the system gives with SVE, 2 otherwise
MACROS := $(shell echo | $(CC) -march=$(MARCH) -dM -E - 2>/dev/null | \
    grep -oE '__AVX(512F|2)__|__x86_64__|__ARM_FEATURE_SVE ')
SVE := $(if $(findstring SVE,$(MACROS)),$(file </proc/sys/abi/sve_default_vector_length))
LANES := $(if $(findstring __AVX512F__,$(MACROS)),8,$(if $(findstring __AVX2__,$(MACROS)),4,$(if \
    $(SVE),$(shell expr $(SVE) / 8),2)))
VECTORS := $(if $(findstring x86,$(MACROS)),-mprefer-vector-width=512,$(if \
    $(SVE),-msve-vector-bits=$(shell expr $(SVE) '*' 8)))
# glibc's exp and log of vectors: on x86-64, on ARM from 2.38 on
MVEC := $(if $(findstring /,$(shell $(CC) -print-file-name=libmvec.so 2>/dev/null)),-lmvec)
