//! Small values between the edge and the core.

use gpudesk_core::job::{Job, JobError};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::desk::ApiError;
use crate::market::JobDto;

/// Reads a job as typed: `48h,500GB,200GB` (hours, disk, traffic out).
///
/// # Errors
/// `request-invalid`, naming the part that is wrong.
pub fn parse_job(text: &str) -> Result<JobDto, ApiError> {
    let job: Job = text.parse().map_err(|error| wrong(&error))?;
    let number = |amount: Decimal| amount.to_f64().unwrap_or_default();
    Ok(JobDto {
        hours: number(job.hours()),
        disk_gb: number(job.disk_gb()),
        egress_gb: number(job.egress_gb()),
    })
}

/// The job of a request.
pub(crate) fn job(job: &JobDto) -> Result<Job, ApiError> {
    Job::from_f64(job.hours, job.disk_gb, job.egress_gb).map_err(|error| wrong(&error))
}

fn wrong(error: &JobError) -> ApiError {
    let JobError { part, text, problem } = error;
    ApiError::new("request-invalid", "the job", format!("{part} `{text}` {problem}"))
        .with_hint("Write hours, disk and traffic out, such as `48h,500GB,200GB`.")
}
