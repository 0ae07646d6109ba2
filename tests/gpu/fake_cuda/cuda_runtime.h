/* SPDX-License-Identifier: MIT
 *
 * A CUDA device in the host's memory, for tests of the host side of the GPU engines without a GPU:
 * what they use of the runtime and no more. A kernel is a loop over its threads, so it must not
 * make them meet.
 *
 * What is handed to a stream is done as late as is allowed: a query of an event carries out one
 * command of the event's stream. A buffer that is used too early or freed too soon thus gives wrong
 * results. Times come from a model: two copy engines and the multiprocessors each do one thing
 * after the other.
 */
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "tests/gpu/fake_cuda/fake.h"

#define __device__
#define __forceinline__ inline
#define __global__
#define __shared__
#define __launch_bounds__(n)

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorECCUncorrectable = 214,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804
};

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned n = 1) : x(n), y(1), z(1) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

/* the dynamic shared memory of gpu-thread-cached (solvers/portable/shared_vectors.h) and of
 * gpu-thread-algorithm1 */
enum { FAKE_SHARED = 227 << 10 };
extern double kin_cache[FAKE_SHARED / sizeof(double)];

template <class T, class U> static T atomicAdd(T *to, U x)
{
    T old = *to;
    *to += x;
    return old;
}

/* a warp in which each thread is alone */
static unsigned __activemask() { return 1u << threadIdx.x % 32; }
static unsigned __match_any_sync(unsigned warp, int) { return warp; }
static int __shfl_sync(unsigned, int value, int) { return value; }
static int __ffs(unsigned x) { return __builtin_ffs((int)x); }
static int __popc(unsigned x) { return __builtin_popcount(x); }

struct fake_stream {
    std::deque<std::function<void()>> commands;
    double until; /* when the last of them ends */
};
typedef fake_stream *cudaStream_t;

struct fake_event {
    cudaStream_t on;
    int waiting; /* records that the stream has not come to */
    double at;
};
typedef fake_event *cudaEvent_t;

enum { FAKE_IN, FAKE_OUT, FAKE_CORES, FAKE_PARTS };
inline double fake_busy_until[FAKE_PARTS];
inline fake_stream fake_default;
inline std::set<cudaStream_t> fake_streams;
inline std::map<void *, size_t> fake_blocks;
inline std::set<const void *> fake_device_blocks;
inline std::map<void *, size_t> fake_variables; /* of the device, that the host wrote */

/* counts the call and lets it fail when its turn has come */
static cudaError_t fake_call(const char *name)
{
    if (++fake.calls != fake.fail_at)
        return cudaSuccess;
    fake.failed_call = name;
    fake.last_error = fake.fail_with;
    return (cudaError_t)fake.fail_with;
}
#define FAKE_CALL                                                                                 \
    if (cudaError_t e = fake_call(__func__))                                                      \
    return e

static void fake_command(cudaStream_t s, int part, double seconds, std::function<void()> what)
{
    s = s ? s : &fake_default;
    s->until = std::max(s->until, fake.now);
    if (part < FAKE_PARTS)
        s->until = fake_busy_until[part] = std::max(s->until, fake_busy_until[part]) + seconds;
    s->commands.push_back(what);
}

static void fake_step(cudaStream_t s)
{
    auto what = s->commands.front();
    s->commands.pop_front();
    what();
}

static void fake_finish(cudaStream_t s)
{
    while (!s->commands.empty())
        fake_step(s);
    fake.now = std::max(fake.now, s->until);
}

/* ---- the device ---- */

struct cudaDeviceProp {
    int multiProcessorCount, maxThreadsPerMultiProcessor;
    size_t sharedMemPerBlockOptin, sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
};
struct cudaFuncAttributes {
    size_t localSizeBytes, sharedSizeBytes;
};
enum {
    cudaFuncAttributePreferredSharedMemoryCarveout,
    cudaFuncAttributeMaxDynamicSharedMemorySize
};

static cudaError_t cudaGetDeviceCount(int *n)
{
    *n = fake.devices;
    cudaError_t e = !fake.driver ? cudaErrorInsufficientDriver : fake.driver < 13000
                    ? cudaErrorInsufficientDriver : fake.devices ? cudaSuccess : cudaErrorNoDevice;
    fake.last_error = e;
    return e;
}
static cudaError_t cudaDriverGetVersion(int *v) { return *v = fake.driver, cudaSuccess; }
static cudaError_t cudaRuntimeGetVersion(int *v) { return *v = 13000, cudaSuccess; }
static cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    FAKE_CALL;
    *p = {fake.multiprocessors, 1024, fake.shared, fake.shared + 1024, 1024};
    return cudaSuccess;
}
static cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    FAKE_CALL;
    *left = fake.told - fake.used;
    *all = fake.told;
    return cudaSuccess;
}
template <class F> static cudaError_t cudaFuncSetAttribute(F *, int what, int value)
{
    FAKE_CALL;
    if (what == cudaFuncAttributeMaxDynamicSharedMemorySize && (size_t)value > fake.shared)
        return cudaErrorInvalidValue;
    if (what == cudaFuncAttributeMaxDynamicSharedMemorySize)
        fake.asked = value;
    else
        fake.carve_out = value;
    return cudaSuccess;
}
template <class F> static cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *)
{
    FAKE_CALL;
    *a = {50000};
    return cudaSuccess;
}
template <class F>
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *, int block,
                                                                 size_t shared)
{
    FAKE_CALL;
    *n = (int)std::min((size_t)(128 / block), (fake.shared + 1024) / (shared + 1024));
    return cudaSuccess;
}
static cudaError_t cudaDeviceSynchronize()
{
    for (cudaStream_t s : fake_streams)
        fake_finish(s);
    fake_finish(&fake_default);
    FAKE_CALL;
    return cudaSuccess;
}
static cudaError_t cudaGetLastError()
{
    cudaError_t e = (cudaError_t)fake.last_error;
    fake.last_error = 0;
    return e;
}
static const char *cudaGetErrorName(cudaError_t) { return "cudaErrorFake"; }
static const char *cudaGetErrorString(cudaError_t) { return "an error of the test"; }

/* ---- memory: fresh bytes are those of a NaN ---- */

static cudaError_t fake_malloc(void **p, size_t size, size_t limit, size_t *used, size_t *most)
{
    if (*used + size > limit) {
        fake.last_error = cudaErrorMemoryAllocation;
        return cudaErrorMemoryAllocation;
    }
    *p = memset(malloc(size), 0xff, size);
    fake_blocks[*p] = size;
    *used += size;
    *most = std::max(*most, *used);
    return cudaSuccess;
}
static cudaError_t fake_free(void *p, size_t *used)
{
    if (!p)
        return cudaSuccess;
    if (!fake_blocks.count(p))
        abort();
    for (cudaStream_t s : fake_streams)
        fake.freed_early += !s->commands.empty();
    *used -= fake_blocks[p];
    memset(p, 0xff, fake_blocks[p]);
    fake_blocks.erase(p);
    free(p);
    return cudaSuccess;
}
template <class T> static cudaError_t cudaMalloc(T **p, size_t size)
{
    FAKE_CALL;
    cudaError_t e = fake_malloc((void **)p, size, fake.memory, &fake.used, &fake.most);
    if (!e)
        fake_device_blocks.insert(*p);
    return e;
}
template <class T> static cudaError_t cudaMallocHost(T **p, size_t size)
{
    FAKE_CALL;
    return fake_malloc((void **)p, size, (size_t)1 << 40, &fake.pinned, &fake.most_pinned);
}
/* memory of the test itself that counts as page-locked */
static cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
    FAKE_CALL;
    *a = {fake_device_blocks.count(p) ? cudaMemoryTypeDevice
          : fake.page_locked          ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered};
    return cudaSuccess;
}
/* waits for the default stream, as CUDA does; other streams have to be empty (freed_early) */
static cudaError_t cudaFree(void *p)
{
    fake_finish(&fake_default);
    fake_device_blocks.erase(p);
    return fake_free(p, &fake.used);
}
static cudaError_t cudaFreeHost(void *p) { return fake_free(p, &fake.pinned); }
static cudaError_t cudaMemset(void *p, int value, size_t size)
{
    FAKE_CALL;
    memset(p, value, size);
    return cudaSuccess;
}
static cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t s)
{
    FAKE_CALL;
    fake_command(s, FAKE_PARTS, 0, [=] { memset(p, value, size); });
    return cudaSuccess;
}
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
static cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                                   cudaStream_t s)
{
    FAKE_CALL;
    fake_command(s, kind == cudaMemcpyHostToDevice ? FAKE_IN : FAKE_OUT, size / fake.bandwidth,
                 [=] { memcpy(to, from, size); });
    return cudaSuccess;
}
template <class T> static cudaError_t cudaMemcpyToSymbol(T &to, const void *from, size_t size)
{
    FAKE_CALL;
    std::string bytes((const char *)from, size);
    fake_variables[&to] = sizeof to;
    fake.to_variables += size;
    fake_command(nullptr, FAKE_IN, size / fake.bandwidth,
                 [=, &to] { memcpy(&to, bytes.data(), bytes.size()); });
    return cudaSuccess;
}
template <class T> static cudaError_t cudaMemcpyFromSymbol(void *to, const T &from, size_t size)
{
    FAKE_CALL;
    fake_finish(&fake_default);
    memcpy(to, &from, size);
    return cudaSuccess;
}

/* ---- streams, events, kernels ---- */

enum { cudaStreamNonBlocking };
static cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, int)
{
    FAKE_CALL;
    fake_streams.insert(*s = new fake_stream());
    fake.things++;
    return cudaSuccess;
}
static cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    fake.freed_early += !s->commands.empty();
    fake_streams.erase(s);
    delete s;
    fake.things--;
    return cudaSuccess;
}
static cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    FAKE_CALL;
    fake_finish(s ? s : &fake_default);
    return cudaSuccess;
}
static cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    FAKE_CALL;
    *e = new fake_event();
    fake.things++;
    return cudaSuccess;
}
static cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    delete e;
    fake.things--;
    return cudaSuccess;
}
static cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    FAKE_CALL;
    s = s ? s : &fake_default;
    e->on = s;
    e->waiting++;
    fake_command(s, FAKE_PARTS, 0, [=] { e->waiting--; });
    e->at = s->until;
    return cudaSuccess;
}
static cudaError_t cudaEventQuery(cudaEvent_t e)
{
    if (fake.on_query)
        fake.on_query(++fake.queries);
    FAKE_CALL;
    if (!e->waiting) {
        fake.now = std::max(fake.now, e->at);
        return cudaSuccess;
    }
    fake_step(e->on);
    return cudaErrorNotReady;
}
static cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    FAKE_CALL;
    *ms = (float)(1e3 * (to->at - from->at));
    return from->waiting || to->waiting ? cudaErrorNotReady : cudaSuccess;
}

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
};
template <class... E, class... A>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(E...),
                                      A &&...args)
{
    FAKE_CALL;
    if (!c->gridDim.x || c->dynamicSmemBytes > std::max(fake.asked, (size_t)48 << 10))
        return cudaErrorInvalidConfiguration;
    size_t shared = c->dynamicSmemBytes;
    std::tuple<E...> values(args...);
    unsigned blocks = c->gridDim.x, threads = c->blockDim.x;
    fake.kernels++;
    fake_command(c->stream, FAKE_CORES, fake.thread_s * blocks * threads, [=] {
        memset(kin_cache, 0, sizeof kin_cache);
        gridDim = dim3(blocks);
        blockDim = dim3(threads);
        for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
            memset(kin_cache, 0xff, shared);
            for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
                std::apply(kernel, values);
        }
        for (size_t i = shared / sizeof(double); i < sizeof kin_cache / sizeof(double); i++)
            fake.outside += kin_cache[i] != 0;
    });
    return cudaSuccess;
}
