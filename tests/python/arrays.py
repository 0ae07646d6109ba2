# SPDX-License-Identifier: MIT
"""The module kinbench over numpy arrays: shapes, layouts, errors, threads.

usage: [PYTHONPATH=python KINBENCH_LIBRARY=libkinbench.so.1 KINBENCH_SOURCE=tree] arrays.py
"""
import gc
import os
import sys
import tempfile
import threading
import unittest

import numpy as np

import kinbench

DT = 1e-5
H2 = kinbench.Mechanism("h2")


def states(shape, mechanism=H2):
    """T, p and Y of mixtures of hydrogen and air, hot enough to react"""
    n = int(np.prod(shape))
    T = np.linspace(1100.0, 1700.0, n).reshape(shape)
    p = np.linspace(1e5, 3e5, n).reshape(shape)
    Y = np.zeros((*shape, len(mechanism.species)))
    for species, fraction in (("H2", 0.0285), ("O2", 0.2264), ("N2", 0.7451)):
        Y[..., mechanism.index(species)] = fraction
    return T, p, Y


class Arrays(unittest.TestCase):
    def setUp(self):
        self.it = kinbench.Integrator(H2, threads=1)
        self.T, self.p, self.Y = states((12,))
        self.begin = self.T.copy(), self.Y.copy()
        self.work = self.it.integrate(self.T, self.p, self.Y, DT)

    def same(self, T, Y):
        np.testing.assert_array_equal(T.reshape(-1), self.T)
        np.testing.assert_array_equal(Y.reshape(12, -1), self.Y)

    def test_mixtures_burn(self):
        self.assertGreater(self.T.max() - self.begin[0].max(), 100)
        np.testing.assert_allclose(self.Y.sum(axis=1), 1, atol=1e-8)
        self.assertEqual(self.work.dtype, kinbench.WORK)
        self.assertEqual(self.work["status"].tolist(), [0] * 12)
        np.testing.assert_array_equal(self.work["attempted"],
                                      self.work["accepted"] + self.work["rejected"])

    def test_an_accurate_solution_is_near(self):
        T, p, Y = states((12,))
        kinbench.Integrator(H2, "cvode", rtol=1e-11, atol=1e-15).integrate(T, p, Y, DT)
        np.testing.assert_allclose(self.T, T, rtol=1e-4)
        np.testing.assert_allclose(self.Y, Y, atol=1e-5)

    def test_forcing(self):
        """Cold air does not react: T and Y move by the forcing alone, in either layout."""
        it = kinbench.Integrator(H2, "rodas4", engine="cpu-simd-forced", threads=1)
        N2, O2 = H2.index("N2"), H2.index("O2")
        for by_species in (False, True):
            T, Y = np.full(5, 300.0), np.zeros((5, len(H2.species)))
            Y[:, N2] = 1
            if by_species:
                Y = np.moveaxis(np.moveaxis(Y, -1, 0).copy(), 0, -1)
            F_T, F_Y = np.arange(5) * 1e-2 / DT, np.zeros_like(Y)
            F_Y[:, O2] = np.arange(5) * 1e-8 / DT
            F_Y[:, N2] = -F_Y[:, O2]
            it.integrate(T, 101325, Y, DT, forcing=(F_T, F_Y))
            np.testing.assert_allclose(T, 300 + F_T * DT, rtol=1e-12)
            np.testing.assert_allclose(Y[:, O2], F_Y[:, O2] * DT, atol=1e-14)
        with self.assertRaises(kinbench.DeviceError):
            self.it.integrate(T, 101325, Y, DT, forcing=(F_T, F_Y))

    def test_any_shape(self):
        for shape in ((3, 4), (2, 1, 6), (12, 1)):
            T, p, Y = states(shape)
            work = self.it.integrate(T, p, Y, DT)
            self.assertEqual(work.shape, shape)
            self.same(T, Y)
        T, p, Y = states(())
        self.it.integrate(T, p, Y, DT)
        self.assertEqual(T.shape, ())
        T, p, Y = states((0,))
        self.assertEqual(self.it.integrate(T, p, Y, DT).shape, (0,))

    def test_by_species(self):
        for shape in ((12,), (3, 4)):
            T, p, Y = states(shape)
            mine = np.moveaxis(np.ascontiguousarray(np.moveaxis(Y, -1, 0)), 0, -1)
            dY = self.it.rates(T, p, mine)[1]
            self.assertEqual(dY.strides, mine.strides)
            np.testing.assert_allclose(dY, self.it.rates(T, p, Y)[1], rtol=1e-12)
            self.it.integrate(T, p, mine, DT)
            self.same(T, mine)

    def test_strides(self):
        T, p, Y = states((12,))
        rows = np.column_stack([T, p, Y])  # of a database
        work = self.it.integrate(rows[:, 0], rows[:, 1], rows[:, 2:], DT)
        self.same(rows[:, 0], np.ascontiguousarray(rows[:, 2:]))
        np.testing.assert_array_equal(rows[:, 1], p)
        self.assertEqual(work["status"].max(), 0)
        wide = np.zeros((24, 2 * Y.shape[1]))
        wide[::2, ::2], more = Y, np.repeat(states((12,))[0], 2)
        self.it.integrate(more[::2], p[:], wide[::2, ::2], DT)
        self.same(more[::2], np.ascontiguousarray(wide[::2, ::2]))
        self.assertEqual(wide[1::2].max(), 0)
        T, p, Y = (part[::-1] for part in states((12,)))
        self.it.integrate(T, p, Y, DT)
        self.same(np.ascontiguousarray(T[::-1]), np.ascontiguousarray(Y[::-1]))

    def test_one_pressure(self):
        T, p, Y = states((12,))
        U, q, Z = states((12,))
        self.it.integrate(T, 101325, Y, DT)
        self.it.integrate(U, np.full(12, 101325.0), Z, DT)
        np.testing.assert_array_equal(T, U)

    def test_a_dt_of_each(self):
        T, p, Y = states((12,))
        dt = np.linspace(1e-6, DT, 12)
        self.it.integrate(T, p, Y, dt)
        for i in (0, 5, 11):
            U, q, Z = (part[i:i + 1] for part in states((12,)))
            self.it.integrate(U, q, Z, dt[i])
            np.testing.assert_allclose(T[i], U[0], rtol=1e-12)
        dt[3] = -1
        with self.assertRaisesRegex(kinbench.ArgumentError, "dt"):
            self.it.integrate(T, p, Y, dt)

    def test_constant_volume(self):
        it = kinbench.Integrator(H2, reactor="volume", rtol=1e-8, atol=1e-13)
        T, p, Y = states((12,))

        def density():
            return p / (T * (Y / H2.weights).sum(axis=1))

        before, pressure = density(), p.copy()
        it.integrate(T, p, Y, DT)
        np.testing.assert_allclose(density(), before, rtol=1e-7)
        self.assertTrue((p != pressure).any())
        with self.assertRaisesRegex(TypeError, "p is int, expected a numpy array of float64"):
            it.integrate(T, 101325, Y, DT)

    def test_jacobian_is_that_of_the_rates(self):
        T, p, Y = self.T, self.p, self.Y
        J = self.it.jacobian(T, p, Y)
        self.assertEqual(J.shape, (12, 10, 10))
        h = 1e-3
        for column in (0, 1 + H2.index("H2O")):
            def shifted(by):
                U, Z = T.copy(), Y.copy()
                if column:
                    Z[:, column - 1] += by * 1e-3
                else:
                    U += by
                dT, dY, _ = self.it.rates(U, p, Z)
                return np.column_stack([dT, dY])

            slope = (shifted(h) - shifted(-h)) / (2 * h) / (1e-3 if column else 1)
            size = abs(J[:, :, column]).max(axis=1, keepdims=True)
            np.testing.assert_allclose(J[:, :, column] / size, slope / size, atol=1e-6)

    def test_properties(self):
        T, p, Y = states((12,))
        before = self.it.properties(T, p, Y)
        self.it.integrate(T, p, Y, DT)
        density, enthalpy, cp = self.it.properties(T, p, Y)
        np.testing.assert_allclose(enthalpy, before[1], atol=1e-5 * abs(before[1]).max())
        np.testing.assert_allclose(
            density, p / (8314.46261815324 * T * (Y / H2.weights).sum(axis=1)), rtol=1e-9)
        self.assertTrue((cp > 1000).all() and (cp < 4000).all())

    def test_rates(self):
        dT, dY, wdot = self.it.rates(self.T, self.p, self.Y)
        density = self.p / (8314.46261815324 * self.T * (self.Y / H2.weights).sum(axis=1))
        np.testing.assert_allclose(dY, wdot * H2.weights / density[:, None],
                                   atol=1e-9 * abs(dY).max())
        one = self.it.rates(self.T.tolist(), self.p.tolist(), self.Y.tolist())
        np.testing.assert_array_equal(one[0], dT)

    def test_a_state_that_cannot_be_keeps_the_others(self):
        T, p, Y = states((12,))
        T[3] = np.nan
        with self.assertRaisesRegex(kinbench.OdeError, "1 of 12 ODEs failed, the first is 3: "
                                                       "not finite") as caught:
            self.it.integrate(T, p, Y, DT)
        others = np.arange(12) != 3
        np.testing.assert_array_equal(T[others], self.T[others])
        np.testing.assert_array_equal(Y[3], states((12,))[2][3])
        self.assertEqual(np.flatnonzero(caught.exception.work["status"]).tolist(), [3])
        work = self.it.integrate(T, p, Y, DT, check_odes=False)
        self.assertEqual(kinbench.status_text(work["status"][3]), "not finite")

    def test_arguments(self):
        T, p, Y = states((12,))
        before = T.copy(), Y.copy()
        for why, kind, arguments in (
                ("dt = -1", kinbench.ArgumentError, (T, p, Y, -1)),
                ("dt = nan", kinbench.ArgumentError, (T, p, Y, float("nan"))),
                ("Y has the shape", ValueError, (T, p, Y[:, 1:], DT)),
                ("Y has the shape", ValueError, (T[1:], p[1:], Y, DT)),
                (r"p has the shape \(11,\), expected \(12,\) or one number", ValueError,
                 (T, p[1:], Y, DT)),
                ("dt has the shape", ValueError, (T, p, Y, [DT, DT])),
                ("T is a masked array", TypeError, (np.ma.masked_less(T, 0), p, Y, DT)),
                ("Y is a masked array", TypeError, (T, p, np.ma.masked_less(Y, 0), DT)),
                ("T is list", TypeError, (T.tolist(), p, Y, DT)),
                ("Y is float32", TypeError, (T, p, Y.astype(np.float32), DT))):
            with self.assertRaisesRegex(kind, why):
                self.it.integrate(*arguments)
        T.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "T is read-only"):
            self.it.integrate(T, p, Y, DT)
        np.testing.assert_array_equal(T, before[0])
        np.testing.assert_array_equal(Y, before[1])
        with self.assertRaisesRegex(kinbench.ArgumentError, "state 11 is impossible: T = 9000 K"):
            T = T.copy()
            T[11] = 9000
            self.it.rates(T, p, Y)

    def test_names(self):
        for why, kind, arguments, options in (
                ("there is no method 'rodas9'", kinbench.ArgumentError, ("rodas9",), {}),
                ("rodas4 is not on engine 'abacus'", kinbench.DeviceError, ("rodas4", "abacus"),
                 {}),
                ("no setting 'substeps'", kinbench.ArgumentError, (), {"substeps": 3}),
                ("layout is that of the arrays", TypeError, (), {"layout": 1}),
                ("the setting solver is 'rkc'", TypeError, (), {"solver": "rkc"}),
                ("atol = -1", kinbench.ArgumentError, (), {"atol": -1}),
                ("NUL", ValueError, ("rodas4\0", ), {}),
                ("NUL", ValueError, ("rodas4", "cpu-simd\0"), {}),
                ("NUL", ValueError, (), {"h0\0": 1}),
                ("expected str", TypeError, (None,), {}),
                ("reactor 'open'", ValueError, (), {"reactor": "open"})):
            with self.assertRaisesRegex(kind, why):
                kinbench.Integrator(H2, *arguments, **options)
        with self.assertRaisesRegex(ValueError, "h2 has no species 'CH4'"):
            H2.index("CH4")
        with self.assertRaisesRegex(kinbench.ArgumentError, "nowhere.yaml"):
            kinbench.Mechanism("nowhere.yaml")
        with self.assertRaisesRegex(ValueError, "NUL"):
            kinbench.Mechanism("h2\0")
        self.assertIn(("cvode", "cpu-scalar"),
                      [(m, e.removesuffix("-any")) for m, e in H2.solvers])

    def test_settings(self):
        T, p, Y = states((12,))
        it = kinbench.Integrator(H2, "rodas4:h0=1", max_substeps=2)
        work = it.integrate(T, p, Y, DT, check_odes=False)
        self.assertIn("too many substeps", [kinbench.status_text(s) for s in work["status"]])

    def test_threads_of_the_library(self):
        T, p, Y = states((240,))
        U, q, Z = states((240,))
        self.it.integrate(T, p, Y, DT)
        kinbench.Integrator(H2, threads=3).integrate(U, q, Z, DT)
        np.testing.assert_array_equal(T, U)
        np.testing.assert_array_equal(Y, Z)

    def test_threads_of_python_and_two_mechanisms(self):
        both = [self.it, kinbench.Integrator("h2co", threads=1)]
        expected = []
        for it in both:
            T, p, Y = states((24,), it.mechanism)
            it.integrate(T, p, Y, DT)
            expected.append(T)
        wrong = []

        def work(it, right):
            for _ in range(5):
                T, p, Y = states((24,), it.mechanism)
                it.integrate(T, p, Y, DT)
                if not np.array_equal(T, right):
                    wrong.append(it.mechanism.name)

        threads = [threading.Thread(target=work, args=pair)
                   for pair in 2 * list(zip(both, expected))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_mechanism_outlives_its_name(self):
        it = kinbench.Integrator("h2co", threads=1)
        gc.collect()
        T, p, Y = states((3,), it.mechanism)
        it.integrate(T, p, Y, DT)
        self.assertGreater(T.max(), 1800)
        circle = [it]
        circle.append(circle)
        del it, circle
        gc.collect()
        kinbench.Integrator("h2co").integrate(*states((3,), kinbench.Mechanism("h2co")), DT)

    def test_results(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "cells.csv"), "w", encoding="utf-8") as file:
                file.write("schema,git,solver,time_s,err_max\n2,12e4567,rodas4,0.5,\n"
                           "2,12e4567,\"rodas4:h0=1,x\",1e-3,inf\n")
            try:
                import pandas
            except ImportError:
                self.skipTest("no pandas")
            table = kinbench.read_results(folder)
            self.assertEqual(table["git"].tolist(), ["12e4567"] * 2)
            self.assertEqual(table["solver"][1], "rodas4:h0=1,x")
            self.assertEqual(table["time_s"].tolist(), [0.5, 1e-3])
            self.assertTrue(pandas.isna(table["err_max"][0]) and np.isinf(table["err_max"][1]))
            self.assertTrue(table.equals(kinbench.read_results(f"{folder}/cells.csv")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
