//! Filters of system calls that take few steps to decide.
//!
//! When a filter is installed, the kernel runs it once for every call number, to know which calls
//! it always allows. The library that makes filters writes one comparison after the other, for each
//! call that has a rule; that took a quarter of a millisecond of each start. Here a call is first
//! led to the few rules near its number.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch, sock_filter};

use super::Rules;

/// How many calls with rules are compared one after the other.
const NEAR: usize = 8;

/// The filter that gives `answer` to the calls that the rules fit, and `otherwise` to all others.
pub(super) fn program(
    rules: Rules,
    otherwise: &SeccompAction,
    answer: &SeccompAction,
    arch: TargetArch,
) -> Result<BpfProgram, String> {
    let rules: Vec<_> = rules.into_iter().collect();
    let part = |near: &[(i64, Vec<SeccompRule>)]| {
        let (near_rules, first) = (near.iter().cloned().collect(), near.first());
        let filter = SeccompFilter::new(near_rules, otherwise.clone(), answer.clone(), arch);
        let part = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
        Ok((first.map_or(0, |(call, _)| *call), part))
    };
    // Without rules it still says what becomes of all calls.
    let none = rules.is_empty().then_some(rules.as_slice());
    let parts: Result<Vec<_>, String> = rules.chunks(NEAR).chain(none).map(part).collect();
    parts.map(joined)
}

/// The parts, each for the numbers from its own on, behind a head that leads to the right one.
fn joined(parts: Vec<(i64, BpfProgram)>) -> BpfProgram {
    let instruction = |code: u32, jf, k| sock_filter { code: code as u16, jt: 0, jf, k };
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    // The number of the call is the first word.
    let mut whole = vec![instruction(load, 0, 0)];
    // From the last part to the second; what is below that belongs to the first, which comes next.
    let lengths: Vec<usize> = parts.iter().map(|(_, part)| part.len()).collect();
    for (place, (first, _)) in parts.iter().enumerate().skip(1).rev() {
        let left = place - 1;
        let before: usize = lengths[..place].iter().sum();
        let beyond = instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, *first as u32);
        let there = instruction(libc::BPF_JMP | libc::BPF_JA, 0, (2 * left + before) as u32);
        whole.extend([beyond, there]);
    }
    whole.extend(parts.into_iter().flat_map(|(_, part)| part));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a filter gives to a call of that number: it looks at the number and at the
    /// architecture, where there are no rules for arguments.
    fn run(program: &[sock_filter], arch: u32, call: u32) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            let jump = |is_so: bool| usize::from(if is_so { jt } else { jf });
            match u32::from(code) {
                code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => {
                    word = match k {
                        0 => call,
                        4 => arch,
                        _ => 0,
                    };
                }
                code if code == libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K => {
                    at += jump(word >= k)
                }
                code if code == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => {
                    at += jump(word == k)
                }
                code if code == libc::BPF_JMP | libc::BPF_JA => at += k as usize,
                code if code == libc::BPF_RET | libc::BPF_K => return k,
                code => panic!("{code:#x}"),
            }
        }
    }

    #[test]
    fn every_call_is_led_to_its_rules() {
        let arch = TargetArch::try_from(std::env::consts::ARCH).unwrap();
        let number = match std::env::consts::ARCH {
            "x86_64" => 0xC000_003E,
            "aarch64" => 0xC000_00B7,
            "riscv64" => 0xC000_00F3,
            _ => return,
        };
        let (allow, errno) = (SeccompAction::Allow, SeccompAction::Errno(1));
        for step in [1, 2, 3, 7, 40, 100, 1000] {
            for count in [0, 1, 2, 8, 9, 16, 17, 100, 150] {
                let calls: Vec<i64> = (0..count).map(|call| 3 + call * step).collect();
                let rules = Rules::from_iter(calls.iter().map(|call| (*call, Vec::new())));
                let program = program(rules, &allow, &errno, arch).unwrap();
                let most = 3 + (count + 2) * step;
                for call in 0..most.min(4000) {
                    let wanted = if calls.contains(&call) { &errno } else { &allow };
                    let wanted = u32::from(wanted.clone());
                    assert_eq!(run(&program, number, call as u32), wanted, "{step} {count} {call}");
                }
                let other = run(&program, number ^ 1, 3);
                assert_eq!(other, libc::SECCOMP_RET_KILL_PROCESS, "of another architecture");
            }
        }
    }
}
