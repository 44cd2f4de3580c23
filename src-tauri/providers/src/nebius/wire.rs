//! The messages of the calls that are made here, with the fields that are used: names and numbers as in the public
//! definitions (<https://github.com/nebius/api>, MIT) and, for how a preemptible machine is priced, in the vendor's SDK
//! of autumn 2026. Fields that are not listed are passed over, and words of an enumeration stay numbers.

use std::collections::HashMap;

use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Time {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RpcStatus {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Metadata {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub parent_id: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(message, optional, tag = "5")]
    pub created_at: Option<Time>,
    #[prost(map = "string, string", tag = "7")]
    pub labels: HashMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Operation {
    #[prost(string, tag = "7")]
    pub resource_id: String,
    /// Set once it is over.
    #[prost(message, optional, tag = "10")]
    pub status: Option<RpcStatus>,
}

/// What went wrong, in detail; of its parts one is there.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ServiceError {
    #[prost(string, tag = "2")]
    pub code: String,
    #[prost(message, optional, tag = "110")]
    pub bad_resource_state: Option<Empty>,
    #[prost(message, optional, tag = "111")]
    pub resource_not_found: Option<Empty>,
    #[prost(message, optional, tag = "120")]
    pub permission_denied: Option<Empty>,
    #[prost(message, optional, tag = "130")]
    pub resource_conflict: Option<Empty>,
    #[prost(message, optional, tag = "131")]
    pub operation_aborted: Option<Empty>,
    #[prost(message, optional, tag = "132")]
    pub operation_conflict: Option<Empty>,
    #[prost(message, optional, tag = "140")]
    pub too_many_requests: Option<Empty>,
    #[prost(message, optional, tag = "141")]
    pub quota_failure: Option<Violations>,
    #[prost(message, optional, tag = "142")]
    pub not_enough_resources: Option<Violations>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Violations {
    #[prost(message, repeated, tag = "1")]
    pub violations: Vec<Violation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Violation {
    /// The quota, or the kind of resource.
    #[prost(string, tag = "1")]
    pub what: String,
    #[prost(string, tag = "2")]
    pub message: String,
}

/// The question of every list but that of platforms.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ListRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Id {
    #[prost(string, tag = "1")]
    pub id: String,
}

/// The answer of every list: rows, each as it stands on the wire, so that one that cannot be read costs no other.
#[derive(Clone, PartialEq, Message)]
pub(super) struct List {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub items: Vec<Vec<u8>>,
    /// Empty on the last page.
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Project {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<ProjectStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProjectStatus {
    #[prost(string, tag = "4")]
    pub region: String,
}

/// A subnet, of which only the name is used here.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Named {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
}
