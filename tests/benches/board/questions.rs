//! What people ask of a market.

use anyhow::Result;

use gpudesk_core::board::{Sort, View};
use gpudesk_core::job::Job;
use gpudesk_core::money::Currency;
use gpudesk_core::query::{Query, parse};

use crate::seed;

/// A query with its order.
pub struct Question {
    pub name: &'static str,
    pub query: Query,
    pub sort: Sort,
    pub job: Option<Job>,
    /// The same as a `WHERE` of the SQLite table; `None` where SQL has no counterpart.
    pub sql: Option<&'static str>,
}

/// A line with a term of most kinds.
pub const LONGEST: &str = "h100 x8 vram>=80 country:de,fi zone:eea seller:ru form:vm,bare-metal price<3 spot nvlink \
                           cuda>=12.8 cloud:vast,runpod instock";

const H100: &str = "gpu IN ('H100', 'H100 SXM', 'H100 PCIe', 'H100 NVL')";

/// Line, order, job, `WHERE`.
const QUESTIONS: [(&str, Sort, Option<&str>, Option<&str>); 6] = [
    ("", Sort::GpuHour, None, Some("TRUE")),
    ("h100 x8 zone:eea nvlink", Sort::Total, Some("48h,500GB,200GB"), None),
    ("h100", Sort::GpuHour, None, Some(H100)),
    (
        "vram>=80 price<3 on-demand",
        Sort::GpuHour,
        None,
        Some("vram >= 80 AND price < 3 AND kind = 'on-demand'"),
    ),
    (
        "zone:eea,us form:vm price<5 vram>=24",
        Sort::GpuHour,
        None,
        Some("zone IN ('EEA', 'US') AND form = 'vm' AND price < 5 AND vram >= 24"),
    ),
    ("-spot ram>=64 vcpu>=8 -cloud:runpod", Sort::PerVram, None, None),
];

pub fn all() -> Result<Vec<Question>> {
    QUESTIONS
        .iter()
        .map(|(line, sort, job, sql)| {
            Ok(Question {
                name: if line.is_empty() { "everything" } else { line },
                query: parse(line)?,
                sort: *sort,
                job: job.map(str::parse).transpose()?,
                sql: *sql,
            })
        })
        .collect()
}

impl Question {
    /// The first of them.
    pub fn everything() -> Result<Self> {
        Ok(Self { name: "everything", query: parse("")?, sort: Sort::GpuHour, job: None, sql: None })
    }

    /// What a filter bar in use looks like.
    pub fn typical() -> Result<Self> {
        let query = parse("zone:eea,us form:vm price<5 vram>=24")?;
        Ok(Self { name: "typical", query, sort: Sort::GpuHour, job: None, sql: None })
    }

    pub fn view(&self) -> View<'_> {
        View {
            query: &self.query,
            sort: self.sort,
            descending: false,
            job: self.job.as_ref(),
            currency: Currency::USD,
            include_unknown: false,
            include_quarantine: false,
            policies: &[],
            now: seed::now(),
        }
    }
}
