mod figures;
mod market;
mod ranges;
mod slices;

use super::*;

/// A model at inference: so many tokens of so many sequences.
fn serve(shape: Shape, precision: Precision, context: u32, concurrency: u32) -> Workload {
    Workload {
        task: Task::Realtime,
        need: Need::Model(shape),
        precision,
        method: None,
        context,
        concurrency,
        amount: Amount::Hours(730.0),
        tokens: None,
        deadline_h: None,
        interruptible: false,
        checkpoint_h: 0.5,
        disk_gb: 0.0,
        egress_gb: 0.0,
    }
}

/// A model in training, one sequence on each card.
fn train(shape: Shape, method: Method, context: u32) -> Workload {
    let (method, precision) = Workload::agree(Task::Finetune, Some(method), None).unwrap();
    Workload {
        task: Task::Finetune,
        method,
        amount: Amount::Tokens(1e9),
        ..serve(shape, precision, context, 1)
    }
}

fn known(name: &str) -> Shape {
    model(name).unwrap().clone()
}

fn part(work: &Workload, name: &str) -> Span {
    let memory = Memory::of(work, &Assumptions::default());
    memory.parts().iter().find(|part| part.name == name).unwrap().gib.unwrap()
}
