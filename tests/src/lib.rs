//! Simulators, behaviour suites and benchmarks.
