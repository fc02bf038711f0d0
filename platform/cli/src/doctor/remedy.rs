//! How to get a layer of the sandbox that a machine does not give.

const NAMESPACES: &str = "as root, or sysctl -w user.max_user_namespaces=10000 \
    kernel.unprivileged_userns_clone=1; on Ubuntu also an AppArmor profile for this program with \
    `userns,`, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
const OWN_PROC: &str = "in a container, --security-opt systempaths=unconfined";
const OWN_USER: &str = "as root; a plain user has no other to give";
const GROUPS: &str = "as root, or systemd-run --user --scope -p Delegate=yes tengen …; for a \
    service, Delegate=yes in its unit";
const LANDLOCK: &str = "Linux 5.13 or newer, with landlock in the kernel's lsm= list";

/// One line on how to get that layer; an empty one where nothing is known.
pub(super) fn of(layer: &str) -> &'static str {
    match layer {
        "own_proc" => OWN_PROC,
        "own_user" => OWN_USER,
        _ if layer.ends_with("_ns") => NAMESPACES,
        _ if layer.starts_with("cgroup_") => GROUPS,
        _ if layer.starts_with("landlock") => LANDLOCK,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_and_groups_are_told_apart() {
        assert!(of("cgroup_ns").contains("sysctl") && of("cgroup_memory").contains("Delegate"));
        assert!(of("pid_ns").contains("userns") && of("open_files").is_empty());
    }
}
