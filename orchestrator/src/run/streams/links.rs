//! The ports of a run's services and of the links to them. A link listens before any process starts, and after its
//! faults are known, so that no connection escapes them.

use std::collections::BTreeMap;
use std::io;
use std::net::{self, Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use interlock_algorithm::NodeId;
use interlock_machine::wire::{self, ForeignProgram, Ready, ServiceStart};
use interlock_model::specification::{FOLDER, HERE, PORT, ReadyTest, ServiceProcess, Specification};
use tokio::net::{TcpListener, TcpSocket};

/// Maximum number of links to services in a run. Each link occupies a port.
const MOST_LINKS: usize = 1_000;

/// Maximum number of connections of a link that wait until they are accepted.
const MOST_WAITING: u32 = 1_024;

/// Ports of services. Linux takes the ports that nobody names from 32,768 on, unless it is configured otherwise.
const SERVICE_PORTS: Range<u16> = 20_000..32_768;

/// Distance between the first ports of two playgrounds whose process ids follow each other.
const PORTS_PER_PROCESS: usize = 41;

/// Reason why the links of a run cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LinksError {
    /// There are too many pairs of a process and a service's process.
    #[error("the run needs {0} links to processes of services; at most {MOST_LINKS} are possible")]
    TooMany(usize),
    /// The operating system provides no port.
    #[error("cannot open a port for a link to a service: {0}")]
    System(#[from] io::Error),
}

/// The ports of all links, and the ports of all services.
#[derive(Debug, Default)]
pub struct Links {
    pub(in crate::run) ports: Ports,
    pub(in crate::run) doors: Vec<((NodeId, NodeId), Door)>,
}

/// The port of a link. The port stays reserved while the link refuses connections, because nobody listens then.
#[derive(Debug)]
pub(in crate::run) struct Door {
    address: SocketAddr,
    _reservation: TcpSocket,
}

impl Door {
    /// Reserves a free port.
    fn open() -> io::Result<Self> {
        let reservation = TcpSocket::new_v4()?;
        reservation.set_reuseaddr(true)?;
        reservation.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self { address: reservation.local_addr()?, _reservation: reservation })
    }

    /// Begins to accept connections. Must be called within the runtime that accepts them.
    pub fn listen(&self) -> io::Result<TcpListener> {
        let socket = TcpSocket::new_v4()?;
        // Two sockets may have the same port if only one of them listens.
        socket.set_reuseaddr(true)?;
        socket.bind(self.address)?;
        socket.listen(MOST_WAITING)
    }
}

/// The ports of services and links.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Ports {
    /// For each process of a service, the port at which it listens.
    own: BTreeMap<NodeId, u16>,
    /// For each process, the ports at which it reaches the processes of services.
    links: BTreeMap<(NodeId, NodeId), u16>,
}

impl Links {
    /// Opens the links of a run.
    ///
    /// # Errors
    /// If there are too many links, or the operating system provides no port.
    pub fn open(specification: &Specification) -> Result<Self, LinksError> {
        let services: Vec<NodeId> = specification.service_processes().map(|(node, _)| node).collect();
        let processes = || NodeId::all(specification.nodes);
        let count = services.len() * processes().len().saturating_sub(1);
        if count > MOST_LINKS {
            return Err(LinksError::TooMany(count));
        }
        let mut links = Self::default();
        let mut reserved = Vec::new();
        for &service in &services {
            // The ports are reserved until all of them are known, so that they differ.
            let (port, listener) = service_port()?;
            links.ports.own.insert(service, port);
            reserved.push(listener);
            for process in processes().filter(|process| *process != service) {
                let door = Door::open()?;
                links.ports.links.insert((process, service), door.address.port());
                links.doors.push(((process, service), door));
            }
        }
        Ok(links)
    }
}

/// Returns a port for a service. The service binds it later, and until then another process could get it from the
/// system. The port is therefore outside of the range from which Linux takes the ports that nobody names.
fn service_port() -> io::Result<(u16, net::TcpListener)> {
    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    // Playgrounds that start at the same time begin at different ports, and so do their runs.
    let process = usize::try_from(std::process::id()).unwrap_or_default().wrapping_mul(PORTS_PER_PROCESS);
    let first = process.wrapping_add(TAKEN.fetch_add(1, Ordering::Relaxed)) % SERVICE_PORTS.len();
    let mut ports = SERVICE_PORTS.cycle().skip(first).take(SERVICE_PORTS.len());
    let bind = |port| net::TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(found) = ports.find_map(|port| Some((port, bind(port).ok()?))) {
        return Ok(found);
    }
    let listener = bind(0)?;
    Ok((listener.local_addr()?.port(), listener))
}

impl Ports {
    /// Returns the address at which a process of a service listens.
    pub fn address(&self, service: NodeId) -> Option<SocketAddr> {
        self.own.get(&service).map(|&port| (Ipv4Addr::LOCALHOST, port).into())
    }

    /// Adds to a program what it needs in order to reach the services, or to be one.
    pub fn equip(&self, program: &mut ForeignProgram, process: NodeId, specification: &Specification) {
        program.ports = self.of(process);
        program.services = self.services(process, specification);
        let Some(ServiceProcess { service, .. }) = specification.service(process) else { return };
        let own_folder = program.own_folder.as_ref().map(|folder| folder.path.clone()).unwrap_or_default();
        // The service starts in its own folder, so a relative path would lead elsewhere.
        let here = std::path::absolute(&program.folder).unwrap_or_else(|_| program.folder.clone());
        let folders = [(FOLDER, own_folder), (HERE, here)].map(|(name, path)| (name, path.display().to_string()));
        let fill = |text: &String| self.filled(text, process, &folders, specification);
        let port = self.own.get(&process).copied().unwrap_or_default();
        let ready = match &service.ready {
            ReadyTest::Tcp(_) => Ready::Tcp(port),
            ReadyTest::Http(http) => Ready::Http { port, path: fill(&http.path), answer: http.answer.clone() },
            ReadyTest::Bytes(bytes) => Ready::Bytes { port, send: bytes.send.clone(), answer: bytes.answer.clone() },
            ReadyTest::Command(words) => Ready::Command(words.iter().map(fill).collect()),
        };
        program.command = service.command.iter().map(fill).collect();
        program.service = Some(ServiceStart { ready, within_ms: service.within.0 / 1_000 });
    }

    /// Returns the ports that a process may use.
    pub fn of(&self, process: NodeId) -> wire::Ports {
        let connect = self.links.iter().filter(|((from, _), _)| *from == process).map(|(_, port)| *port);
        wire::Ports { listen: self.own.get(&process).copied().into_iter().collect(), connect: connect.collect() }
    }

    /// Returns the addresses of all services, as a process reaches them.
    pub fn services(&self, process: NodeId, specification: &Specification) -> wire::Services {
        let mut services = wire::Services::new();
        for (node, ServiceProcess { service, .. }) in specification.service_processes() {
            if let Some(port) = self.links.get(&(process, node)) {
                services.entry(service.name.clone()).or_default().push(format!("{}:{port}", Ipv4Addr::LOCALHOST));
            }
        }
        services
    }

    /// Returns a text of a service in which each placeholder is replaced: `{port}`, those of `folders`, and the
    /// addresses of other processes of services, such as `{redis.0}`.
    fn filled(&self, text: &str, process: NodeId, folders: &[(&str, String)], specification: &Specification) -> String {
        let own = self.own.get(&process).map(ToString::to_string).unwrap_or_default();
        let mut filled = text.replace(PORT, &own);
        for (name, path) in folders {
            filled = filled.replace(name, path);
        }
        for (node, ServiceProcess { service, index }) in specification.service_processes() {
            if let Some(port) = self.links.get(&(process, node)) {
                let address = format!("{}:{port}", Ipv4Addr::LOCALHOST);
                filled = filled.replace(&format!("{{{}.{index}}}", service.name), &address);
                filled = filled.replace(&format!("{{{}.{index}.port}}", service.name), &port.to_string());
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use interlock_model::specification::{Draft, count, read_groups, read_services};
    use serde_json::json;

    use super::*;

    fn specification(services: &serde_json::Value) -> Specification {
        let services = read_services(services).expect("services");
        let programs = read_groups(&json!([{ "command": ["a"], "count": 2 }])).expect("groups");
        let nodes = Some(count(&programs));
        Draft { algorithm: "own".to_owned(), nodes, programs, services, ..Draft::default() }.complete().expect("a run")
    }

    #[test]
    fn each_pair_has_a_port_of_its_own() {
        let two = json!([{ "name": "redis", "command": ["r"], "count": 2 }]);
        let specification = specification(&two);
        let Links { ports, doors } = Links::open(&specification).expect("links");
        assert_eq!(doors.len(), 6, "two nodes and the other process, for each of two processes");
        let of = |node: u32| ports.of(NodeId(node));
        assert_eq!([0, 1, 2, 3].map(|node| of(node).listen.len()), [0, 0, 1, 1]);
        assert_eq!([0, 1, 2, 3].map(|node| of(node).connect.len()), [2, 2, 1, 1]);
        let mut all: Vec<u16> = (0..4).flat_map(|node| [of(node).listen, of(node).connect].concat()).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 8);
        let services = ports.services(NodeId(1), &specification);
        let expected: Vec<String> = of(1).connect.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        assert_eq!(services["redis"], expected);
    }

    #[test]
    fn the_system_gives_the_port_of_a_service_to_nobody_else() {
        let specification = specification(&json!([{ "name": "redis", "command": ["r"], "count": 3 }]));
        let runs = [(); 2].map(|()| Links::open(&specification).expect("links"));
        let own = |links: &Links| (2..5).flat_map(|node| links.ports.of(NodeId(node)).listen).collect::<Vec<_>>();
        let [one, other] = [&runs[0], &runs[1]].map(own);
        assert!(one.iter().chain(&other).all(|port| SERVICE_PORTS.contains(port)), "{one:?} {other:?}");
        assert!(one.iter().all(|port| !other.contains(port)), "{one:?} {other:?}");
    }

    #[test]
    fn placeholders_are_filled_in() {
        let services = json!([{ "name": "primary", "command": ["r"] }, { "name": "replica", "command": ["r"] }]);
        let specification = specification(&services);
        let Links { ports, .. } = Links::open(&specification).expect("links");
        let replica = NodeId(3);
        let folders = [(FOLDER, "/own".to_owned()), (HERE, "/lab".to_owned())];
        let filled = |text| ports.filled(text, replica, &folders, &specification);
        let (own, link) = (ports.of(replica).listen[0], ports.of(replica).connect[0]);
        assert_eq!(filled("--port={port}"), format!("--port={own}"));
        assert_eq!(filled("{dir}/data {here}/server.py"), "/own/data /lab/server.py");
        assert_eq!(filled("{primary.0}"), format!("127.0.0.1:{link}"));
        assert_eq!(filled("{primary.0.port}"), link.to_string());
        assert_eq!(filled("{replica.0} {other}"), "{replica.0} {other}", "a process has no link to itself");
    }

    #[test]
    fn too_many_links_are_refused() {
        let many = json!([{ "name": "redis", "command": ["r"], "count": 40 }]);
        let error = Links::open(&specification(&many)).expect_err("refused").to_string();
        assert!(error.contains("1640 links"), "{error}");
    }
}
