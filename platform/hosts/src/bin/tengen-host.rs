//! The host of child processes by itself, for the tests and benchmarks of this crate: what
//! `tengen host-engine` is in the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|command| command == tengen_hosts::HOST_COMMAND) {
        return tengen_hosts::host_main(args);
    }
    eprintln!("tengen-host is for the tests of this crate; use `tengen`");
    ExitCode::from(2)
}
