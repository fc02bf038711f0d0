//! The number of a failure on the wire, and which failure an engine's status means.

use tengen_abi::status;
use tengen_arbiter::Failure;
use tengen_players::Fault;

pub(crate) fn to_number(failure: Failure) -> u32 {
    failure as u32
}

pub(crate) fn from_number(number: u32) -> Option<Failure> {
    Failure::ALL.into_iter().find(|&failure| to_number(failure) == number)
}

/// Whether a call went well; otherwise what its status means for the game.
pub(crate) fn judge(call: &str, code: i32) -> Result<(), Fault> {
    let (failure, why) = match code {
        status::OK => return Ok(()),
        status::INTERNAL => (Failure::Crash, "it failed within, as by a panic"),
        status::MEMORY => (Failure::ResourceLimit, "it is out of memory"),
        status::UNSUPPORTED => (Failure::ProtocolError, "it does not support this"),
        status::ARGUMENT => (Failure::ProtocolError, "it refuses what it was told"),
        status::STATE => (Failure::ProtocolError, "it was not ready for this"),
        _ => (Failure::ProtocolError, "a status that the ABI does not know"),
    };
    Err(Fault { failure, detail: format!("{call} answered with status {code}: {why}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_number_of_its_own() {
        for failure in Failure::ALL {
            assert_eq!(from_number(to_number(failure)), Some(failure));
        }
        assert_eq!(from_number(99), None);
    }
}
