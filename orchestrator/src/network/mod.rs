//! The network between the nodes: links with faults, messages that wait, deadlines that are kept.
