//! Plans for people.

use std::fmt;

use super::{Action, Home, Plan, Step};
use crate::kernels::fused::{Access, Loop};

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan for {}, {} bytes of working memory", self.isa, self.arena)?;
        self.steps(f, &self.steps, 1)
    }
}

impl Plan<'_> {
    fn steps(&self, f: &mut fmt::Formatter<'_>, steps: &[Step], depth: usize) -> fmt::Result {
        for step in steps {
            write!(f, "{:1$}", "", depth * 2)?;
            let slots = |slots: &[crate::kernels::memory::SlotId]| {
                slots.iter().map(|slot| self.slot(slot.0 as usize)).collect::<Vec<_>>().join(" ")
            };
            let (reads, writes) = (slots(&step.reads), slots(&step.writes));
            match &step.action {
                Action::Loop(fused) => writeln!(f, "{writes} = loop {} of ({reads})", Code(fused))?,
                Action::Kernel(kernel) => writeln!(f, "{writes} = {} of ({reads})", kernel.describe())?,
                Action::Reference(_) => {
                    writeln!(f, "{writes} = interpreter {} of ({reads})", self.module.module().op_name(step.op))?;
                }
                Action::Branch { branches, .. } => {
                    writeln!(f, "{writes} = branch of ({reads})")?;
                    for (index, branch) in branches.iter().enumerate() {
                        writeln!(f, "{:1$}case {index}:", "", depth * 2 + 2)?;
                        self.steps(f, branch, depth + 2)?;
                    }
                }
                Action::While { cond, body, .. } => {
                    writeln!(f, "{writes} = while of ({reads})")?;
                    writeln!(f, "{:1$}condition:", "", depth * 2 + 2)?;
                    self.steps(f, cond, depth + 2)?;
                    writeln!(f, "{:1$}body:", "", depth * 2 + 2)?;
                    self.steps(f, body, depth + 2)?;
                }
            }
        }
        Ok(())
    }

    fn slot(&self, index: usize) -> String {
        match self.slots[index].home {
            Home::Input(input) => format!("input{input}"),
            Home::Output(output) => format!("output{output}"),
            Home::Constant(..) => format!("constant{index}"),
            Home::Arena(at) => format!("s{index}@{at}"),
        }
    }

    /// Ops that are left to the interpreter, each name once.
    pub fn left_to_interpreter(&self) -> Vec<&str> {
        fn visit<'p>(plan: &'p Plan<'_>, steps: &'p [Step], names: &mut Vec<&'p str>) {
            for step in steps {
                match &step.action {
                    Action::Reference(_) => names.push(plan.module.module().op_name(step.op)),
                    Action::Branch { branches, .. } => branches.iter().for_each(|branch| visit(plan, branch, names)),
                    Action::While { cond, body, .. } => {
                        visit(plan, cond, names);
                        visit(plan, body, names);
                    }
                    Action::Loop(_) | Action::Kernel(_) => {}
                }
            }
        }
        let mut names = Vec::new();
        visit(self, &self.steps, &mut names);
        names.sort_unstable();
        names.dedup();
        names
    }
}

struct Code<'l>(&'l Loop);

impl fmt::Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.0.n)?;
        for instr in &self.0.code {
            write!(f, " {}", instr.name)?;
        }
        let kinds = self.0.inputs.iter().map(|input| match input.access {
            Access::Linear { .. } => "linear",
            Access::Splat { .. } => "splat",
            Access::Strided(_) => "strided",
            Access::Iota { .. } => "iota",
        });
        write!(f, " [{}]", kinds.collect::<Vec<_>>().join(" "))
    }
}
