/* SPDX-License-Identifier: MIT
 *
 * What drivers/ranks/mpi/shared.c uses of MPI; tests/ranks/memory.c says what comes of it.
 */
#pragma once

typedef int MPI_Comm;
enum { MPI_COMM_NULL, MPI_COMM_WORLD };
enum { MPI_INT, MPI_LONG };
enum { MPI_UNDEFINED = -1 };

int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *ranks);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Bcast(void *data, int n, int type, int root, MPI_Comm comm);
int MPI_Gather(const void *from, int n, int type, void *to, int each, int as, int root,
               MPI_Comm comm);
