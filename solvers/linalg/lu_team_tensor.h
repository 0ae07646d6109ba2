/* SPDX-License-Identifier: MIT
 *
 * The tail of lu_team.h on the FP64 tensor cores, for a team of two ODEs and four warps, two of
 * them for each ODE: A_tt - A_th (B A_ht) and its inverse. The tail is cut into tiles of 8 x 8; a
 * warp has half of their columns in registers, as results of the instruction m8n8k4: thread (g, q)
 * of it has row g, columns 2 q and 2 q + 1 of each. Block Gauss-Jordan elimination: tile K is
 * inverted, its row of tiles multiplied by the inverse, and the other tiles updated. As operands,
 * tiles go through shared memory: the tail's own place, which is free meanwhile.
 */
#pragma once

enum {
    TILE = 8,
    TILE_STRIDE = 12, /* of its rows in shared memory: no two threads of a half warp in one bank */
    TILE_ROOM = TILE * TILE_STRIDE,
    TILES = NTAIL_PADDED / TILE,
    TILE_COLUMNS = (TILES + 1) / 2,
    /* of an ODE: the inverse of tile K, the tiles of its column, and of its row */
    TENSOR_ROOM = (2 * TILES - 1) * TILE_ROOM,
    TENSOR_FITS = HEAD_INVERTED && KB_TEAM == 128 && TILES >= 2 && TILES <= 6 &&
                  (int)TENSOR_ROOM <= (int)(NTAIL * TAIL_STRIDE)
};

/* those of the matrix */
#ifdef KB_PAIR_FLOAT
typedef float tensor_number;
#else
typedef double tensor_number;
#endif

/* what a thread has */
typedef struct {
    int ode, half, g, q;
    double c[TILES][TILE_COLUMNS][2];
} tensor_tail;

/* c += a b for tiles 8 x 4 and 4 x 8 */
kb_fn void tensor_multiply(double c[2], double a, double b)
{
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
}

/* the two warps of an ODE */
kb_fn void tensor_sync(const tensor_tail *t)
{
    if (t->ode == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
}

/* the numbers of one ODE, two apart */
kb_fn tensor_number *tensor_numbers(const tensor_tail *t, kb_stored *A)
{
    return (tensor_number *)A + t->ode;
}

/* the tail, less A_th times B A_ht */
kb_fn void tensor_schur(tensor_tail *t, kb_stored *A)
{
    const tensor_number *a = tensor_numbers(t, A);
KB_UNROLL
    for (int i = 0; i < TILES; i++)
KB_UNROLL
        for (int j = 0; j < TILE_COLUMNS; j++)
KB_UNROLL
            for (int z = 0; z < 2; z++) {
                int row = TILE * i + t->g;
                int column = TILE * (TILE_COLUMNS * t->half + j) + 2 * t->q + z;
                int inside = row < NTAIL && column < NTAIL;
                double one = row == column;
                t->c[i][j][z] = inside ? a[2 * (inside ? TAIL_AT(row, column) : 0)] : one;
            }
KB_NO_UNROLL
    for (int k = t->q; k < NHEAD_PADDED; k += 4) {
        const kb_index *left = kb_tail_left + k * NTAIL_PADDED + t->g,
                       *right = kb_tail_right + k * NTAIL_PADDED + t->g;
        double l[TILES], r[TILE_COLUMNS];
KB_UNROLL
        for (int i = 0; i < TILES; i++)
            l[i] = -(double)a[2 * left[TILE * i]];
KB_UNROLL
        for (int j = 0; j < TILE_COLUMNS; j++) {
            int column = TILE_COLUMNS * t->half + j;
            r[j] = a[2 * right[TILE * (column < TILES ? column : 0)]];
        }
KB_UNROLL
        for (int i = 0; i < TILES; i++)
KB_UNROLL
            for (int j = 0; j < TILE_COLUMNS; j++)
                tensor_multiply(t->c[i][j], l[i], r[j]);
    }
}

/* inverse of the tile d in place, by Gauss and Jordan; reach as in lu.h */
kb_fn void tensor_invert(const tensor_tail *t, int tile, double d[2], double *reach)
{
    int self = threadIdx.x % 32;
KB_NO_UNROLL
    for (int k = 0; k < TILE; k++) {
        int odd = k & 1, at = k >> 1, position = TILE * tile + k;
        double mine = odd ? d[1] : d[0];
        double r0 = __shfl_sync(~0u, d[0], 4 * k + t->q), r1 = __shfl_sync(~0u, d[1], 4 * k + t->q);
        double column = __shfl_sync(~0u, mine, (self & 28) | at);
        double pivot = inverse(__shfl_sync(~0u, mine, 4 * k + at));
        if (position < NTAIL) {
            double r = NHEAD + position == POS_S ? 0.0 : pivot;
            *reach = pivot > 0.0 ? fmax(*reach, r) : (double)INFINITY;
        }
        r0 = 2 * t->q == k ? pivot : r0 * pivot;
        r1 = 2 * t->q + 1 == k ? pivot : r1 * pivot;
        column = t->g == k ? -1.0 : column;
        d[0] = fma(-column, r0, t->g == k || 2 * t->q == k ? 0.0 : d[0]);
        d[1] = fma(-column, r1, t->g == k || 2 * t->q + 1 == k ? 0.0 : d[1]);
    }
}

/* a tile as it is computed, to its place in shared memory */
kb_fn void tensor_put(const tensor_tail *t, tensor_number *room, const double c[2])
{
    room[t->g * TILE_STRIDE + 2 * t->q] = (tensor_number)c[0];
    room[t->g * TILE_STRIDE + 2 * t->q + 1] = (tensor_number)c[1];
}

/* half h of a tile there as the left operand, and as the right one */
kb_fn double tensor_left(const tensor_tail *t, const tensor_number *room, int h)
{
    return room[t->g * TILE_STRIDE + t->q + 4 * h];
}
kb_fn double tensor_right(const tensor_tail *t, const tensor_number *room, int h)
{
    return room[(t->q + 4 * h) * TILE_STRIDE + t->g];
}

/* c += a b for whole tiles, their halves in turn */
kb_fn void tensor_tiles(double c[2], const double a[2], const double b[2])
{
    tensor_multiply(c, a[0], b[0]);
    tensor_multiply(c, a[1], b[1]);
}

/* one step of the inversion, with tile K of the diagonal */
kb_fn void tensor_step(tensor_tail *t, int K, tensor_number *room, double *reach)
{
    tensor_number *row = room + TILES * TILE_ROOM; /* behind the inverse and the column */
    const int owner = t->half == K / TILE_COLUMNS, own = K % TILE_COLUMNS;
    double left[2], right[TILE_COLUMNS][2];
KB_UNROLL
    for (int j = 0; j < TILE_COLUMNS; j++) {
        int column = TILE_COLUMNS * t->half + j;
        if (column != K && column < TILES)
            tensor_put(t, row + (column - (column > K)) * TILE_ROOM, t->c[K][j]);
    }
    if (owner) {
KB_UNROLL
        for (int i = 0; i < TILES; i++)
            if (i != K)
                tensor_put(t, room + (1 + i - (i > K)) * TILE_ROOM, t->c[i][own]);
        tensor_invert(t, K, t->c[K][own], reach);
        tensor_put(t, room, t->c[K][own]);
    }
    tensor_sync(t);
    left[0] = tensor_left(t, room, 0);
    left[1] = tensor_left(t, room, 1);
KB_UNROLL
    for (int j = 0; j < TILE_COLUMNS; j++) {
        int column = TILE_COLUMNS * t->half + j;
        if (column == K || column >= TILES)
            continue;
        const tensor_number *tile = row + (column - (column > K)) * TILE_ROOM;
        right[j][0] = tensor_right(t, tile, 0);
        right[j][1] = tensor_right(t, tile, 1);
        t->c[K][j][0] = t->c[K][j][1] = 0;
        tensor_tiles(t->c[K][j], left, right[j]);
    }
    __syncwarp();
KB_UNROLL
    for (int j = 0; j < TILE_COLUMNS; j++) {
        int column = TILE_COLUMNS * t->half + j;
        if (column != K && column < TILES)
            tensor_put(t, row + (column - (column > K)) * TILE_ROOM, t->c[K][j]);
    }
    __syncwarp();
KB_UNROLL
    for (int j = 0; j < TILE_COLUMNS; j++) {
        int column = TILE_COLUMNS * t->half + j, at = column < TILES ? column - (column > K) : 0;
        const tensor_number *tile = column == K ? room : row + at * TILE_ROOM;
        right[j][0] = tensor_right(t, tile, 0);
        right[j][1] = tensor_right(t, tile, 1);
    }
KB_UNROLL
    for (int i = 0; i < TILES; i++) {
        if (i == K)
            continue;
        const tensor_number *tile = room + (1 + i - (i > K)) * TILE_ROOM;
        left[0] = -tensor_left(t, tile, 0);
        left[1] = -tensor_left(t, tile, 1);
        if (owner)
            t->c[i][own][0] = t->c[i][own][1] = 0;
KB_UNROLL
        for (int j = 0; j < TILE_COLUMNS; j++)
            tensor_tiles(t->c[i][j], left, right[j]);
    }
    tensor_sync(t);
}

/* the inverse of the tail into its place, once all threads have read it; *reach: of both ODEs */
kb_fn void tensor_inverse(tensor_tail *t, kb_stored *A, lane *reach)
{
    tensor_number *room = (tensor_number *)(A + NNZ_HEAD) + t->ode * TENSOR_ROOM;
    tensor_number *a = tensor_numbers(t, A);
    double most = 0;
KB_UNROLL
    for (int K = 0; K < TILES; K++)
        tensor_step(t, K, room, &most);
    *reach = vmax(*reach, make_lane(t->ode == 0 ? most : 0.0, t->ode == 1 ? most : 0.0));
    team_sync();
KB_UNROLL
    for (int i = 0; i < TILES; i++)
KB_UNROLL
        for (int j = 0; j < TILE_COLUMNS; j++)
KB_UNROLL
            for (int z = 0; z < 2; z++) {
                int row = TILE * i + t->g;
                int column = TILE * (TILE_COLUMNS * t->half + j) + 2 * t->q + z;
                if (row < NTAIL && column < NTAIL)
                    a[2 * TAIL_AT(row, column)] = (tensor_number)t->c[i][j][z];
            }
    each(k, 1) A[TAIL_AT(0, NTAIL)] = splat(0); /* the padding that lists read */
    team_sync();
}

/* lu_eliminate, with the tail so */
kb_fn void tensor_eliminate(kb_stored *A, lane *reach)
{
    int warp = team_rank() / 32, self = team_rank() % 32;
    tensor_tail t;
    t.ode = warp / 2, t.half = warp % 2, t.g = self / 4, t.q = self % 4;
    lu_level_by_level(A, reach);
    lu_head_back(A);
    tensor_schur(&t, A);
    team_sync();
    tensor_inverse(&t, A, reach);
    lu_head_forward(A);
}
