//! Read-only mounts. They prevent a program from changing the mode or the times of files outside of its folder.
//! Landlock has no rule for such changes, and a filter of calls cannot distinguish files inside and outside of the
//! folder.
//!
//! A service also gets System V objects of its own, such as shared memory. These objects have numbers instead of
//! paths, so no other mechanism can distinguish them. They end with the service.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, MountPropagationFlags, mount_bind, mount_change, mount_remount};
use rustix::process::{getgid, getuid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities};

/// System setting that denies privileges in a user namespace to all users except root. If this setting is active,
/// a process that enters a user namespace loses even the identity of its user.
const RESTRICTED: &str = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/// The extent to which a process is separated from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separated {
    /// Whether all mounts except the own folder are read-only.
    pub read_only: bool,
    /// Whether the process has System V objects of its own.
    pub has_own_objects: bool,
}

/// Makes each mount except `folder` read-only, for the calling process and all its future children. If `objects`,
/// also gives them System V objects of their own. The process must have only one thread.
///
/// # Errors
/// If the process has lost the identity of its user.
pub fn separate(folder: Option<&Path>, objects: bool) -> io::Result<Separated> {
    if !enter_namespaces(objects)? {
        return Ok(Separated::default());
    }
    Ok(Separated { read_only: all_read_only_but(folder).is_ok(), has_own_objects: objects })
}

fn all_read_only_but(folder: Option<&Path>) -> io::Result<()> {
    let folder = folder.map(fs::canonicalize).transpose()?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    if let Some(folder) = &folder {
        mount_bind(folder, folder)?;
    }
    let mounts = fs::read("/proc/self/mountinfo")?;
    for (point, flags) in mounts.split(|byte| *byte == b'\n').filter_map(mount) {
        if Some(&point) != folder.as_ref() {
            make_read_only(&point, flags)?;
        }
    }
    Ok(())
}

/// Gives the calling process its own copy of the mounts and, if `objects`, its own System V objects. Returns false if the system does not allow its user a copy.
/// Users other than root may change mounts only in a user namespace. A process of such a user therefore also enters
/// a user namespace.
fn enter_namespaces(objects: bool) -> io::Result<bool> {
    let is_root = capabilities(None)?.effective.contains(CapabilitySet::SYS_ADMIN);
    if !is_root && fs::read_to_string(RESTRICTED).is_ok_and(|value| value.trim() != "0") {
        return Ok(false);
    }
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    let mut flags = UnshareFlags::NEWNS;
    flags.set(UnshareFlags::NEWUSER, !is_root);
    flags.set(UnshareFlags::NEWIPC, objects);
    #[expect(
        deprecated,
        reason = "the replacement is unsafe because of other flags, which take files from other threads"
    )]
    let separated = rustix::thread::unshare(flags).is_ok();
    if separated && !is_root {
        // In the new namespace, user and group keep their numbers.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    Ok(separated)
}

/// Parses a line of `mountinfo`. Returns the path of the mount, and the flags that it must keep. Returns `None`
/// for a mount of `autofs`, because an access to such a mount would trigger another mount.
fn mount(line: &[u8]) -> Option<(PathBuf, MountFlags)> {
    let mut fields = line.split(|byte| *byte == b' ');
    if fields.clone().skip_while(|field| *field != b"-").nth(1) == Some(b"autofs") {
        return None;
    }
    let point = unescaped(fields.nth(4)?);
    let kept = [("nosuid", MountFlags::NOSUID), ("nodev", MountFlags::NODEV), ("noexec", MountFlags::NOEXEC)];
    let options = fields.next()?.split(|byte| *byte == b',');
    let flag = |option: &[u8]| kept.iter().find(|(name, _)| name.as_bytes() == option).map(|(_, flag)| *flag);
    Some((OsString::from_vec(point).into(), options.filter_map(flag).collect()))
}

/// Decodes a path of `mountinfo`. In such a path, a backslash with three octal digits represents a byte.
fn unescaped(mut path: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some((first, rest)) = path.split_first() {
        let code = rest.get(..3).filter(|_| *first == b'\\').and_then(|digits| str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(byte.unwrap_or(*first));
        path = if byte.is_some() { &rest[3..] } else { rest };
    }
    bytes
}

/// Makes a mount read-only. A mount that no path reaches is left unchanged: another mount covers it, or its
/// directory no longer exists.
fn make_read_only(point: &Path, flags: MountFlags) -> io::Result<()> {
    match mount_remount(point, MountFlags::BIND | MountFlags::RDONLY | flags, "") {
        Err(error)
            if ![rustix::io::Errno::NOENT, rustix::io::Errno::ACCESS, rustix::io::Errno::INVAL].contains(&error) =>
        {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_mountinfo_names_its_point_and_the_flags_to_keep() {
        let line = br"36 35 98:0 /mnt1 /mnt\0402 rw,nosuid,noexec,relatime master:1 - ext3 /dev/root rw";
        let expected = (PathBuf::from("/mnt 2"), MountFlags::NOSUID | MountFlags::NOEXEC);
        assert_eq!(mount(line), Some(expected));
        assert_eq!(mount(b""), None);
        assert_eq!(mount(b"36 35 98:0 / /misc rw,relatime shared:1 - autofs systemd-1 rw"), None);
    }
}
