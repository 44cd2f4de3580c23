//! The total cost of a job as a range.
