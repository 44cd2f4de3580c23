//! What is known of the clouds in the public catalogues beyond what the catalogues themselves say: what form a
//! machine has, which network ties machines together, and where a catalogue's own figure is known to be wrong.

use gpudesk_core::offer::{Form, Isolation};
use gpudesk_core::place;

/// Clouds that rent out containers on hosts shared with others. Vast, RunPod: their API documentation; Salad, Akash:
/// container platforms by design; Lium, Yotta, Novita, GPUhub: pods by their own word.
const CONTAINERS: [&str; 8] = ["akash", "gpuhub", "lium", "novita", "runpod", "salad", "vast", "yotta"];

/// Clouds that bill calls, not machines.
const SERVERLESS: [&str; 1] = ["modal"];

/// The form of a machine; a virtual machine wherever neither the cloud nor the name of the type says otherwise.
pub(super) fn form(cloud: &str, machine: &str) -> Form {
    if SERVERLESS.contains(&cloud) {
        Form::Serverless
    } else if CONTAINERS.contains(&cloud) {
        Form::Container
    } else if is_bare_metal(cloud, machine) {
        Form::BareMetal
    } else {
        Form::Vm
    }
}

fn is_bare_metal(cloud: &str, machine: &str) -> bool {
    match cloud {
        "aws" => machine.ends_with(".metal"),
        "oci" => machine.starts_with("BM."),
        // Resellers of several clouds put `-bm` at the end, or before a place (`cudo_L40Sx8-bm-no`).
        _ => machine.split('-').skip(1).any(|part| part.eq_ignore_ascii_case("bm")),
    }
}

/// How far other tenants are, as far as it follows from the form.
pub(super) fn isolation(form: Form) -> Isolation {
    match form {
        Form::Vm | Form::Cluster | Form::Fraction => Isolation::Vm,
        Form::BareMetal | Form::Own => Isolation::DedicatedHost,
        Form::Container => Isolation::SharedHost,
        Form::Serverless => Isolation::Unknown,
    }
}

/// Whose law the seller is under. Amazon's regions in China are run and billed by Sinnet (Beijing) and NWCD (Ningxia)
/// under accounts of their own (amazonaws.cn).
pub(super) fn seller(provider: &str, region: &str) -> Option<&'static str> {
    if is_amazon_china(provider, region) { Some("CN") } else { place::seller(provider) }
}

/// Whether a region is one of Amazon's in China.
pub(super) fn is_amazon_china(provider: &str, region: &str) -> bool {
    provider == "aws" && region.starts_with("cn-")
}

/// The network between machines of a type. AWS: `NetworkInfo` of EC2's DescribeInstanceTypes and the Trainium and
/// Gaudi pages of the EC2 user guide; Azure: the pages of the ND series (the letter `r` in a size means RDMA).
pub(super) fn fabric(cloud: &str, machine: &str) -> Option<&'static str> {
    let text = match (cloud, machine) {
        ("aws", "p3dn.24xlarge") => "EFA 100 Gb/s",
        ("aws", "p4d.24xlarge" | "p4de.24xlarge" | "dl1.24xlarge" | "g7e.12xlarge") => "EFA 400 Gb/s",
        ("aws", "trn1.32xlarge" | "g7e.24xlarge") => "EFA 800 Gb/s",
        ("aws", "trn1n.32xlarge" | "g7e.48xlarge") => "EFA 1600 Gb/s",
        ("aws", "p5.48xlarge" | "p5e.48xlarge" | "p5en.48xlarge" | "p6-b200.48xlarge") => "EFA 3200 Gb/s",
        ("aws", "p6-b300.48xlarge") => "EFA 6400 Gb/s",
        ("azure", "Standard_ND40rs_v2") => "InfiniBand 100 Gb/s",
        (
            "azure",
            "Standard_ND96asr_v4"
            | "Standard_ND96asr_A100_v4"
            | "Standard_ND96amsr_A100_v4"
            | "Standard_ND128isr_NDR_GB200_v6",
        ) => "InfiniBand 1600 Gb/s",
        (
            "azure",
            "Standard_ND96isr_H100_v5"
            | "Standard_ND96isrf_H100_v5"
            | "Standard_ND96isr_H200_v5"
            | "Standard_ND96isr_MI300X_v5",
        ) => "InfiniBand 3200 Gb/s",
        _ => return None,
    };
    Some(text)
}

/// The number of cards (a share of one below 1) where catalogues are known to say it wrongly.
///
/// - `Standard_ND96isr_H100_v5` is listed with 12 cards and has 8 (page of Azure's ND H100 v5 series).
/// - `NV…as_v4` are eighths, quarters and halves of one Radeon MI25, listed as 1 (page of Azure's NVv4 series).
/// - `g6f` and `gr6f` are parts of one L4, listed as 0 (`GpuPartitionSize` of EC2's DescribeInstanceTypes).
pub(super) fn known_cards(cloud: &str, machine: &str) -> Option<f64> {
    let cards = match (cloud, machine) {
        ("azure", "Standard_ND96isr_H100_v5") => 8.0,
        ("azure", "Standard_NV4as_v4") | ("aws", "g6f.large" | "g6f.xlarge") => 0.125,
        ("azure", "Standard_NV8as_v4") | ("aws", "g6f.2xlarge") => 0.25,
        ("azure", "Standard_NV16as_v4") | ("aws", "g6f.4xlarge" | "gr6f.4xlarge") => 0.5,
        _ => return None,
    };
    Some(cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_follows_from_the_cloud_and_the_name_of_the_type() {
        assert_eq!(form("aws", "p5.48xlarge"), Form::Vm);
        assert_eq!(form("aws", "g4dn.metal"), Form::BareMetal);
        assert_eq!(form("oci", "BM.GPU4.8"), Form::BareMetal);
        assert_eq!(form("oci", "VM.GPU.A10.1"), Form::Vm);
        assert_eq!(form("runpod", "1x_H100_SECURE"), Form::Container);
        assert_eq!(form("voltagepark", "voltagepark_H100-sxm5x8-bm"), Form::BareMetal);
        assert_eq!(form("cudo", "cudo_L40Sx8-bm-no"), Form::BareMetal);
        assert_eq!(form("cudo", "cudo_H100"), Form::Vm);
        assert_eq!(form("modal", "NVIDIA H100 on-demand"), Form::Serverless);
    }

    #[test]
    fn rdma_is_told_apart_by_the_letter_r() {
        assert_eq!(fabric("azure", "Standard_ND96isr_H100_v5"), Some("InfiniBand 3200 Gb/s"));
        assert_eq!(fabric("azure", "Standard_ND96is_H100_v5"), None);
        assert_eq!(fabric("aws", "p5.48xlarge"), Some("EFA 3200 Gb/s"));
        assert_eq!(fabric("aws", "p5.4xlarge"), None);
    }
}
