# SPDX-License-Identifier: Apache-2.0
"""Tests of runs that are stopped from outside: by signals, callbacks, and handlers that raise."""

import os
import signal
import threading
import unittest

import nestor

# A request for the front of large layers, which runs far longer than any of these tests waits.
LONG = {"network": "vgg16", "arch": "miredo-default", "objective": "pareto"}


def interrupt_later(_progress=None):
    """Sends a signal from another thread, so that it arrives during the solve and not in the callback."""
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()


class Stops(unittest.TestCase):
    def once(self, action):
        """A callback that acts at the first progress and lets later ones pass."""
        seen = []

        def callback(progress):
            seen.append(progress)
            if len(seen) == 1:
                action(progress)

        return callback, seen

    def test_ctrl_c_returns_the_best_so_far(self):
        callback, seen = self.once(interrupt_later)
        result = nestor.map(**LONG, progress=callback)
        self.assertEqual(result.status, "interrupted")
        self.assertEqual(len(result.layers), 16)
        self.assertIn("interrupted", result.remarks[0])
        self.assertTrue(seen)

    def test_ctrl_c_in_a_callback(self):
        callback, _ = self.once(lambda progress: signal.raise_signal(signal.SIGINT))
        self.assertEqual(nestor.map(**LONG, progress=callback).status, "interrupted")

    def test_other_verbs(self):
        for run in (lambda callback: nestor.compile("resnet101", "puma-fig18", objective="energy", progress=callback),
                    lambda callback: nestor.map("mobilenetv2", "pim-default", objective="energy", progress=callback)):
            callback, seen = self.once(interrupt_later)
            try:
                result = run(callback)
            except KeyboardInterrupt:
                continue  # no result yet
            self.assertEqual(result.status, "interrupted" if seen else "optimal")

    def test_stop_returns_and_other_exceptions_propagate(self):
        def stop(_progress):
            raise nestor.Stop

        self.assertEqual(nestor.map(**LONG, progress=stop).status, "interrupted")
        failure = ValueError("no more")

        def fail(_progress):
            raise failure

        with self.assertRaises(ValueError) as caught:
            nestor.map(**LONG, progress=fail)
        self.assertIs(caught.exception, failure)

    def test_a_handler_that_raises_ends_the_run(self):
        class Alarm(Exception):
            pass

        def ring(_number, _frame):
            raise Alarm

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, ring))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        self.assertRaises(Alarm, nestor.map, **LONG)

    def test_a_handler_that_does_not_raise_lets_the_run_go_on(self):
        heard = []
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, lambda *_: heard.append(1)))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        result = nestor.map(**LONG, layer_time_limit=0.05, threads=1)
        self.assertEqual(result.status, "time_limit")
        self.assertEqual(heard, [1])

    def test_progress_has_figures(self):
        seen = []

        def watch(progress):
            seen.append(progress)
            if progress.part and len(seen) >= 3:
                raise nestor.Stop

        nestor.map("mobilenetv2", "pim-default", objective="energy", progress=watch)
        last = seen[-1]
        self.assertEqual(last.all, 30)
        self.assertIn(last.part, last.text)
        if last.gap is not None:
            self.assertLessEqual(0, last.gap)


if __name__ == "__main__":
    unittest.main()
