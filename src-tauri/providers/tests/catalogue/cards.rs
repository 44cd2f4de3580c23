//! How the catalogues name, count and measure cards, each case on a real line.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::Form;

use crate::support::{AWS, AZURE, PLAIN, RUNPOD, VAST, VERDA, lines, model, only, read};

#[test]
fn totals_under_the_name_of_one_card_are_divided() {
    let l4 = read(
        "aws",
        lines(
            AWS,
            &[
                "g6.12xlarge,L4,4.0,48.0,192.0,\"{'Gpus': [{'Name': 'L4', 'Manufacturer': 'NVIDIA', 'Count': 4, 'MemoryInfo': {'SizeInMiB': 91553}}], 'TotalGpuMemoryInMiB': 366212}\",6.67369,,ap-northeast-1,apne1-az1",
            ],
        ),
    );
    assert_eq!(only(&l4).gpu.vram_gib, Some(24.0));
    // Two A100 of 40 GB: 81,920 MiB are the machine's, not a card of 80 GB.
    let vast = read(
        "vast",
        lines(
            VAST,
            &[
                "2x-A100_SXM4-32-65536,A100,2,32,64.0,\"{'Gpus': [{'Name': 'A100', 'Count': 2, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 81920}\",1.52,0.00,\"Georgia, US, NA\"",
            ],
        ),
    );
    assert_eq!((model(only(&vast)), only(&vast).gpu.vram_gib), ("A100 40GB SXM", Some(40.0)));
}

#[test]
fn gigabytes_in_a_field_of_mebibytes_are_read_as_gigabytes() {
    let fetched = read(
        "runpod",
        lines(
            RUNPOD,
            &[
                "8x_H100-SXM_SECURE,H100-SXM,8.0,160.0,1000.0,US,14.0,21.52,US-TX-3,\"{'Gpus': [{'Name': 'H100 SXM', 'Manufacturer': 'Nvidia', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}\"",
            ],
        ),
    );
    assert_eq!((model(&fetched.offers[0]), fetched.offers[0].gpu.vram_gib), ("H100 SXM", Some(80.0)));
    assert_eq!(fetched.offers[0].form, Form::Container);
}

#[test]
fn a_total_glued_to_the_name_changes_no_card() {
    let fetched = read(
        "verda",
        lines(
            VERDA,
            &[
                "2A100.44V,2A100.44V,44.0,240.0,A100-80GB-160GB,2.0,\"{\"\"Gpus\"\": [{\"\"Name\"\": \"\"A100-80GB-160GB\"\", \"\"Count\"\": 2, \"\"MemoryInfo\"\": {\"\"SizeInMiB\"\": 163840}}], \"\"TotalGpuMemoryInMiB\"\": 327680}\",FIN-01,2.32,1.16\r",
            ],
        ),
    );
    let offer = &fetched.offers[0];
    assert_eq!((model(offer), offer.gpu.count, offer.gpu.vram_gib), ("A100 80GB SXM", 2, Some(80.0)));
    assert_eq!(offer.gpu.raw_name, "A100-80GB-160GB");
}

#[test]
fn one_name_of_three_cards_is_told_by_memory() {
    let lambda = read(
        "lambda",
        lines(
            PLAIN,
            &[
                "gpu_1x_rtx6000,RTX6000,1.0,14.0,46.0,0.69,europe-central-1,\"{'Gpus': [{'Name': 'RTX6000', 'Manufacturer': 'NVIDIA', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 24576}}], 'TotalGpuMemoryInMiB': 24576}\",",
            ],
        ),
    );
    assert_eq!((model(only(&lambda)), only(&lambda).gpu.vram_gib), ("Quadro RTX 6000", Some(24.0)));
}

#[test]
fn the_generation_of_inferentia_follows_from_the_machine() {
    let fetched = read(
        "aws",
        lines(
            AWS,
            &[
                "inf1.24xlarge,Inferentia,16.0,96.0,192.0,,6.249,1.977500,af-south-1,afs1-az1",
                "inf2.48xlarge,Inferentia,12.0,192.0,768.0,,19.4719,,ap-northeast-1,apne1-az1",
            ],
        ),
    );
    assert_eq!((model(&fetched.offers[0]), fetched.offers[0].gpu.count), ("Inferentia", 16));
    assert_eq!((model(&fetched.offers[2]), fetched.offers[2].gpu.count), ("Inferentia 2", 12));
}

#[test]
fn an_fpga_and_a_machine_without_cards_are_no_gpus() {
    let fetched = read(
        "aws",
        lines(
            AWS,
            &[
                "f1.2xlarge,Virtex UltraScale (VU9P),1.0,8.0,122.0,,1.981,0.771900,ap-southeast-2,apse2-az1",
                "m5.large,,,2.0,8.0,,0.096,0.04,us-east-1,use1-az1",
            ],
        ),
    );
    assert_eq!((fetched.rows_not_gpu, fetched.offers.len()), (2, 0));
}

#[test]
fn azure_has_eight_cards_where_the_list_says_twelve() {
    let fetched = read(
        "azure",
        lines(
            AZURE,
            &[
                "Standard_ND96isr_H100_v5,H100,12,96.0,1900,H100,98.32,98.32,eastus,V2",
                "Standard_NV8as_v4,Radeon MI25,1,8.0,28,Radeon MI25,0.466,0.05126,eastus,V1",
                "Standard_NV16as_v4,Radeon MI25,1,16.0,56,Radeon MI25,,,westus,V1",
            ],
        ),
    );
    let h100 = &fetched.offers[0];
    assert_eq!((h100.gpu.count, model(h100)), (8, "H100 SXM"));
    assert_eq!(h100.per_gpu_hour().to_string(), "12.29");
    let quarter = &fetched.offers[2];
    assert_eq!((quarter.form, quarter.gpu.count, quarter.gpu.fraction), (Form::Fraction, 1, Some(0.25)));
    assert_eq!(quarter.gpu.vram_gib, Some(4.0));
    assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::PriceMissing);
    let said = fetched
        .notes
        .iter()
        .any(|note| note.contains("no lower than the price on demand") && note.ends_with('1'));
    assert!(said, "{:?}", fetched.notes);
}

#[test]
fn parts_of_a_card_are_fractions() {
    let fetched = read("aws", lines(AWS, &["g6f.xlarge,L4,0.0,4.0,16.0,,0.2375,,us-east-1,use1-az1"]));
    let offer = only(&fetched);
    assert_eq!((offer.form, offer.gpu.count), (Form::Fraction, 1));
    assert_eq!((offer.gpu.fraction, offer.gpu.vram_gib), (Some(0.125), Some(3.0)));
}
