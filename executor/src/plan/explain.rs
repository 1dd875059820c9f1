//! Plans for people.

use std::collections::BTreeMap;
use std::fmt;

use super::{Action, Home, Plan, Step};
use crate::kernels::fused::{Access, Loop};
use crate::kernels::memory::SlotId;
use crate::kernels::rows::Part;

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan for {}, {} bytes of working memory", self.isa, self.arena)?;
        if !self.once.steps.is_empty() {
            writeln!(f, "  once, {} bytes that are kept:", self.once.bytes)?;
            self.write_steps(f, &self.once.steps, 2)?;
        }
        self.write_steps(f, &self.steps, 1)
    }
}

/// Ops of one name that are left to the interpreter for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// The op's name.
    pub name: String,
    /// Why there is no kernel for it.
    pub why: String,
    /// How many steps there are.
    pub count: usize,
}

impl Action {
    /// What kind of step it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Action::Loop(_) => "loop",
            Action::Kernel(_) => "kernel",
            Action::Rows(_) => "rows",
            Action::Reference(_) => "interpreter",
            Action::Branch { .. } => "branch",
            Action::While { .. } => "while",
        }
    }
}

impl Plan<'_> {
    /// What a step does, in one line.
    pub fn title(&self, step: &Step) -> String {
        match &step.action {
            Action::Loop(fused) => format!("loop {fused}"),
            Action::Kernel(kernel) => kernel.describe(),
            Action::Rows(rows) => {
                let parts = rows.parts().iter().map(|part| match part {
                    Part::Loop(fused, _) => format!("loop {fused}"),
                    Part::Kernel(kernel) => kernel.describe(),
                });
                format!("{} rows, each: {}", rows.n_rows(), parts.collect::<Vec<_>>().join("; "))
            }
            Action::Reference(_) => format!("interpreter {}", self.module.module().op_name(step.op)),
            Action::While { machine: Some(machine), .. } => {
                format!("while as {} bytes of machine code", machine.size())
            }
            Action::Branch { .. } | Action::While { .. } => step.action.kind().to_owned(),
        }
    }

    fn write_steps(&self, f: &mut fmt::Formatter<'_>, steps: &[Step], depth: usize) -> fmt::Result {
        for step in steps {
            let slots = |slots: &[SlotId]| slots.iter().map(|slot| self.slot(*slot)).collect::<Vec<_>>().join(" ");
            let (reads, writes) = (slots(&step.reads), slots(&step.writes));
            writeln!(f, "{:2$}{writes} = {} of ({reads})", "", self.title(step), depth * 2)?;
            match &step.action {
                Action::Branch { branches, .. } => {
                    for (index, branch) in branches.iter().enumerate() {
                        writeln!(f, "{:1$}case {index}:", "", depth * 2 + 2)?;
                        self.write_steps(f, branch, depth + 2)?;
                    }
                }
                Action::While { cond, body, .. } => {
                    writeln!(f, "{:1$}condition:", "", depth * 2 + 2)?;
                    self.write_steps(f, cond, depth + 2)?;
                    writeln!(f, "{:1$}body:", "", depth * 2 + 2)?;
                    self.write_steps(f, body, depth + 2)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn slot(&self, slot: SlotId) -> String {
        let index = slot.0 as usize;
        match self.slots[index].home {
            Home::Input(input) => format!("input{input}"),
            Home::Output(output) => format!("output{output}"),
            Home::Constant(..) => format!("constant{index}"),
            Home::Arena(at) => format!("s{index}@{at}"),
            Home::Kept(at) => format!("kept{index}@{at}"),
        }
    }

    /// Ops that are left to the interpreter, and why.
    pub fn left_to_interpreter(&self) -> Vec<Left> {
        fn visit(plan: &Plan<'_>, steps: &[Step], counts: &mut BTreeMap<(String, String), usize>) {
            for step in steps {
                match &step.action {
                    Action::Reference(reference) => {
                        let name = plan.module.module().op_name(step.op).to_owned();
                        *counts.entry((name, reference.why.to_string())).or_default() += 1;
                    }
                    Action::Branch { branches, .. } => branches.iter().for_each(|branch| visit(plan, branch, counts)),
                    Action::While { cond, body, .. } => {
                        visit(plan, cond, counts);
                        visit(plan, body, counts);
                    }
                    Action::Loop(_) | Action::Kernel(_) | Action::Rows(_) => {}
                }
            }
        }
        let mut counts = BTreeMap::new();
        visit(self, &self.steps, &mut counts);
        counts.into_iter().map(|((name, why), count)| Left { name, why, count }).collect()
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.n)?;
        for instr in &self.code {
            write!(f, " {}", instr.name)?;
        }
        let kinds = self.inputs.iter().map(|input| match input.access {
            Access::Linear { .. } => "linear",
            Access::Splat { .. } => "splat",
            Access::Strided(_) => "strided",
            Access::Iota { .. } => "iota",
        });
        write!(f, " [{}]", kinds.collect::<Vec<_>>().join(" "))?;
        match &self.machine {
            Some(machine) => write!(f, " as {} bytes of machine code", machine.size()),
            None => Ok(()),
        }
    }
}
