//! How fast a plan is made over the whole board.

use std::hint::black_box;

use anyhow::Result;

use gpudesk_core::board::{Ask, Board};
use gpudesk_core::plan::{
    Amount, Assumptions, Evidence, Judge, Memory, Method, Need, Precision, Task, Workload, model,
};

use crate::measure::{Report, time};

/// Options an answer shows.
const WINDOW: usize = 50;

/// Works whose every row is asked for memory, speed, interruptions and price.
fn works() -> Result<[(&'static str, Workload); 3]> {
    let plain = Workload {
        task: Task::Finetune,
        need: Need::Model(model("Llama 3.1 70B")?.clone()),
        precision: Precision::Int4,
        method: Some(Method::Qlora),
        context: 4096,
        concurrency: 1,
        amount: Amount::Tokens(1e8),
        tokens: None,
        deadline_h: Some(96.0),
        interruptible: true,
        checkpoint_h: 0.5,
        disk_gb: 100.0,
        egress_gb: 10.0,
    };
    let served = Workload {
        task: Task::Realtime,
        need: Need::Model(model("Llama 3.1 8B")?.clone()),
        precision: Precision::Bf16,
        method: None,
        concurrency: 200,
        amount: Amount::Hours(730.0),
        deadline_h: None,
        ..plain.clone()
    };
    let small = Workload {
        task: Task::Batch,
        need: Need::Model(model("bge-m3")?.clone()),
        context: 512,
        concurrency: 32,
        amount: Amount::Data(8.0),
        deadline_h: None,
        ..served.clone()
    };
    Ok([("QLoRA of 70B by a deadline", plain), ("a chat bot for 200", served), ("8 GB of embeddings", small)])
}

pub fn plan(report: &mut Report, board: &Board) -> Result<()> {
    report.heading("a plan over all offers");
    let (assumed, evidence) = (Assumptions::default(), Evidence::default());
    for (name, work) in works()? {
        let weigh = || {
            let memory = Memory::of(&work, &assumed);
            let judge = Judge { work: &work, memory: &memory, assumed: &assumed, evidence: &evidence };
            board.weigh(&Ask { judge, policy: None, most: WINDOW })
        };
        let ways = weigh().total;
        let times = time(|| black_box(weigh()));
        let what = format!("{WINDOW} of {ways:>6} ways · {name}");
        report.budget(&what, &times.to_string(), times.p99_own_ms <= 30.0, "p99 ≤ 30 ms");
    }
    Ok(())
}
