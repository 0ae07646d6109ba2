! SPDX-License-Identifier: MIT
!
! The mixtures of ignite.c in Fortran.
!
!     gfortran ignite.f90 $(pkg-config --libs kinbench) && ./a.out
module kinbench
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: KB_CONSTANT_PRESSURE = 0, KB_CONSTANT_VOLUME = 1
  integer(c_int), parameter :: KB_ODE_MAJOR = 0, KB_SPECIES_MAJOR = 1

  interface
    integer(c_int) function kb_mechanism_open(name, m) bind(c)
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: m
    end function
    integer(c_int) function kb_mechanism_species(m) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: m
    end function
    integer(c_int) function kb_mechanism_find_species(m, name) bind(c)
      import :: c_int, c_char, c_ptr
      type(c_ptr), value :: m
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function kb_integrator_create(m, method, engine, rtol, atol, reactor, it) bind(c)
      import :: c_int, c_char, c_ptr, c_double
      type(c_ptr), value :: m
      character(kind=c_char), intent(in) :: method(*), engine(*)
      real(c_double), value :: rtol, atol
      integer(c_int), value :: reactor
      type(c_ptr), intent(out) :: it
    end function
    ! Y(species, n) is KB_ODE_MAJOR, Y(n, species) KB_SPECIES_MAJOR
    integer(c_int) function kb_integrate(it, n, T, p, Y, dt, status, work) bind(c)
      import :: c_int, c_ptr, c_double, c_long
      type(c_ptr), value :: it
      integer(c_long), value :: n
      real(c_double), intent(inout) :: T(*), p(*), Y(*)
      real(c_double), value :: dt
      integer(c_int), intent(out) :: status(*)
      type(c_ptr), value :: work
    end function
    type(c_ptr) function kb_last_error() bind(c)
      import :: c_ptr
    end function
    subroutine kb_integrator_free(it) bind(c)
      import :: c_ptr
      type(c_ptr), value :: it
    end subroutine
    subroutine kb_mechanism_close(m) bind(c)
      import :: c_ptr
      type(c_ptr), value :: m
    end subroutine
  end interface

contains

  subroutine check(code)
    integer(c_int), intent(in) :: code
    character(kind=c_char), pointer :: text(:)
    integer :: n
    if (code == 0) return
    call c_f_pointer(kb_last_error(), text, [1024])
    n = 1
    do while (text(n) /= c_null_char)
      n = n + 1
    end do
    write (*, *) 'ignite: ', text(1:n - 1)
    stop 2
  end subroutine

end module

program ignite
  use kinbench
  implicit none
  integer, parameter :: cells = 8, steps = 20
  type(c_ptr) :: m, it
  real(c_double) :: T(cells), p(cells)
  real(c_double), allocatable :: Y(:, :)
  integer(c_int) :: status(cells)
  character(len=256) :: name
  integer :: i, k

  name = 'h2'
  if (command_argument_count() > 0) call get_command_argument(1, name)
  call check(kb_mechanism_open(trim(name)//c_null_char, m))
  call check(kb_integrator_create(m, 'rodas4'//c_null_char, 'cpu-simd'//c_null_char, &
                                  1e-6_c_double, 1e-12_c_double, KB_CONSTANT_PRESSURE, it))
  allocate (Y(kb_mechanism_species(m), cells))
  Y = 0
  T = [(1000 + 50*(i - 1), i=1, cells)]
  p = 101325
  Y(1 + kb_mechanism_find_species(m, 'H2'//c_null_char), :) = 0.0285_c_double
  Y(1 + kb_mechanism_find_species(m, 'O2'//c_null_char), :) = 0.2264_c_double
  Y(1 + kb_mechanism_find_species(m, 'N2'//c_null_char), :) = 0.7451_c_double
  do k = 1, steps
    call check(kb_integrate(it, int(cells, c_long), T, p, Y, 1e-5_c_double, status, c_null_ptr))
  end do
  do i = 1, cells
    write (*, '(f6.0, a, f0.6, a, f10.8)') 1000.0 + 50*(i - 1), ' K becomes ', T(i), &
      ' K, Y_H2O = ', Y(1 + kb_mechanism_find_species(m, 'H2O'//c_null_char), i)
  end do
  call kb_integrator_free(it)
  call kb_mechanism_close(m)
  deallocate (Y)
end program
