//! How to get what a machine does not give: a layer of the sandbox, or a smaller margin.

const NAMESPACES: &str = "as root, or sysctl -w user.max_user_namespaces=10000 \
    kernel.unprivileged_userns_clone=1; on Ubuntu also an AppArmor profile for this program with \
    `userns,`, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
const OWN_PROC: &str = "in a container, --security-opt systempaths=unconfined";
const OWN_USER: &str = "as root; a plain user has no other to give";
const GROUPS: &str = "as root, or systemd-run --user --scope -p Delegate=yes tengen …; for a \
    service, Delegate=yes in its unit";
const LANDLOCK: &str = "Linux 5.13 or newer, with landlock in the kernel's lsm= list";

/// The margin from which on a machine of Windows is worth a look, in seconds.
const SLOW: f64 = 0.02;

/// Layers that Windows gives a program only without the rights of an administrator.
const PLAIN_USER: &str = "start tengen from a console that does not run as administrator";

/// What people can do about a large margin on Windows.
pub(super) fn of_margin(margin: f64, is_windows: bool) -> Option<&'static str> {
    (is_windows && margin >= SLOW).then_some(
        "a smaller margin may come from the power plan \"High performance\" (powercfg /setactive \
         SCHEME_MIN), from an exclusion of the folders of tengen and of its engines in the virus \
         scanner, and from ending what else runs in the Task Manager",
    )
}

/// One line on how to get that layer; an empty one where nothing is known.
pub(super) fn of(layer: &str) -> &'static str {
    match layer {
        "own_proc" => OWN_PROC,
        "own_user" => OWN_USER,
        "no_capabilities" | "low_integrity" if cfg!(windows) => PLAIN_USER,
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
        assert_eq!(of("low_integrity").contains("administrator"), cfg!(windows));
    }

    #[test]
    fn advice_on_windows_is_of_windows() {
        assert!(of_margin(0.05, true).is_some_and(|told| told.contains("Task Manager")));
        assert!(of_margin(0.005, true).is_none() && of_margin(0.05, false).is_none());
    }
}
