//! What the catalogues put into their price columns, each case on a real line.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;

use crate::support::{AWS, GCP, PLAIN, PRIME, VAST, lines, model, only, read};

#[test]
fn a_row_with_two_prices_is_two_offers() {
    let fetched = read(
        "aws",
        lines(
            AWS,
            &[
                "p4d.24xlarge,A100,8.0,96.0,1152.0,\"{'Gpus': [{'Name': 'A100', 'Manufacturer': 'NVIDIA', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': 327680}\",44.92215,26.644700,ap-northeast-1,apne1-az4",
            ],
        ),
    );
    let told: Vec<_> = fetched
        .offers
        .iter()
        .map(|offer| (offer.id.as_str(), offer.price.kind, offer.price.per_hour.to_string()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "aws:p4d.24xlarge-x8-ap-northeast-1-apne1-az4-40g-on-demand",
                PriceKind::OnDemand,
                "44.92215".to_owned()
            ),
            ("aws:p4d.24xlarge-x8-ap-northeast-1-apne1-az4-40g-spot", PriceKind::Spot, "26.6447".to_owned()),
        ]
    );
    assert_eq!((fetched.rows_read, fetched.rows_used), (1, 1));
    let offer = &fetched.offers[0];
    assert_eq!(model(offer), "A100 40GB SXM");
    assert_eq!((offer.place.country.as_deref(), offer.place.seller.as_deref()), (Some("JP"), Some("US")));
    assert_eq!(offer.fabric.as_deref(), Some("EFA 400 Gb/s"));
}

#[test]
fn a_row_without_any_price_is_set_aside() {
    let fetched = read(
        "aws",
        lines(
            AWS,
            &[
                "p5e.48xlarge,H200,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H200', 'Manufacturer': 'NVIDIA', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 144384}}], 'TotalGpuMemoryInMiB': 1155072}\",,,us-east-2,use2-az3",
            ],
        ),
    );
    assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::PriceMissing);
    assert_eq!(fetched.quarantined[0].origin, "aws.csv line 2");
}

#[test]
fn yuan_are_not_dollars() {
    let fetched = read("aws", lines(AWS, &["g4dn.xlarge,T4,1.0,4.0,16.0,T4,5.223,,cn-north-1,cnn1-az1"]));
    assert_eq!(only(&fetched).price.currency, Currency::CNY);
    assert_eq!(only(&fetched).place.seller.as_deref(), Some("CN"));
}

#[test]
fn google_accelerators_are_priced_with_their_machine() {
    let fetched = read(
        "gcp",
        lines(
            GCP,
            &[
                ",,,H100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]},us-central1,us-central1-a,78.3724,31.35",
                "a3-highgpu-8g,208.0,1872.0,,,,us-central1,us-central1-a,9.46006,2.4",
                "a3-highgpu-8g,208.0,1872.0,,,,us-central1,us-central1-b,9.5,2.4",
                "a3-highgpu-4g,104.0,936.0,,,,us-central1,us-central1-a,4.73,1.2",
            ],
        ),
    );
    let told: Vec<_> = fetched.offers.iter().map(|o| (o.id.as_str(), o.price.per_hour.to_string())).collect();
    assert_eq!(
        told,
        [
            ("gcp:a3-highgpu-8g-x8-us-central1-a-80g-on-demand", "87.83246".to_owned()),
            ("gcp:a3-highgpu-8g-x8-us-central1-a-80g-spot", "33.75".to_owned()),
        ]
    );
    let offer = &fetched.offers[0];
    assert_eq!((offer.vcpu, offer.ram_gib, model(offer)), (Some(208.0), Some(1872.0), "H100 SXM"));
    assert_eq!((fetched.rows_used, fetched.rows_not_gpu), (1, 3));
}

#[test]
fn one_l4_goes_into_five_machines() {
    let mut all = vec![
        ",,,L4,1,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 24576}}]},europe-west4,europe-west4-a,0.58863,"
            .to_owned(),
    ];
    all.extend([4, 8, 12, 16, 24, 32, 48, 96].map(|vcpu| {
        format!("g2-standard-{vcpu},{vcpu}.0,{}.0,,,,europe-west4,europe-west4-a,0.15429,", vcpu * 4)
    }));
    let fetched = read("gcp", lines(GCP, &all.iter().map(String::as_str).collect::<Vec<_>>()));
    let names: Vec<_> = fetched.offers.iter().map(|offer| offer.name.as_str()).collect();
    assert_eq!(
        names,
        ["g2-standard-4", "g2-standard-8", "g2-standard-12", "g2-standard-16", "g2-standard-32"]
    );
    assert_eq!(fetched.offers[0].price.per_hour.to_string(), "0.74292");
    assert_eq!((fetched.rows_used, fetched.rows_not_gpu), (1, 8));
}

#[test]
fn a_google_accelerator_without_its_machine_has_no_total() {
    let fetched = read(
        "gcp",
        lines(
            GCP,
            &[
                ",,,T4,4,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 16384}}]},asia-east1,asia-east1-a,1.4,0.44",
                ",,,H100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]},asia-south1,asia-south1-c,81.50728,57.48696",
                "a3-highgpu-8g,208.0,1872.0,,,,asia-south1,asia-south1-b,9.46006,2.4",
            ],
        ),
    );
    assert_eq!(fetched.offers, []);
    let reasons: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(reasons, [ReasonCode::IncompletePrice; 2]);
    assert!(fetched.quarantined[1].reason.detail.contains("8 × H100"), "{:?}", fetched.quarantined[1]);
}

#[test]
fn tpu_slices_come_with_their_hosts_unless_they_cost_nothing_or_stand_twice() {
    let fetched = read(
        "gcp",
        lines(
            GCP,
            &[
                ",,,tpu-v2-8,1,tpu-v2-8,asia-east1,asia-east1-c,5.22,1.566",
                ",,,tpu-v6e-1,1,tpu-v6e-1,us-central1,us-central1-b,0.0,",
                ",,,tpu-v2-8,1,tpu-v2-8,asia-east1,asia-east1-c,5.22,1.566",
            ],
        ),
    );
    assert_eq!(fetched.offers[0].id, "gcp:tpu-v2-8-x4-asia-east1-c-16g-on-demand");
    assert_eq!(fetched.offers[0].price.per_hour.to_string(), "5.22");
    let mut reasons: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, [ReasonCode::PriceImpossible, ReasonCode::Duplicate]);
}

#[test]
fn an_auction_floor_is_a_bid() {
    let header =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,GpuInfo\r\n";
    let fetched = read(
        "mithril",
        lines(
            header,
            &[
                "h100-80gb.sxm.8x,H100,8,168,1814,8.0,8.0,us-central2-a,\"{'Gpus': [{'Name': 'H100', 'Manufacturer': 'NVIDIA', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}\"",
            ],
        ),
    );
    assert_eq!(
        (only(&fetched).price.kind, only(&fetched).price.per_hour.to_string()),
        (PriceKind::Bid, "8".to_owned())
    );
}

#[test]
fn a_spot_price_of_zero_is_none() {
    let fetched = read(
        "vast",
        lines(
            VAST,
            &[
                "4x-RTX_5090-32-65536,RTX5090,4,32,64.0,\"{'Gpus': [{'Name': 'RTX5090', 'Count': 4, 'MemoryInfo': {'SizeInMiB': 130428}}], 'TotalGpuMemoryInMiB': 130428}\",2.13,0.00,\"Hafnarfjarðarkaupstaður, IS, EU\"",
            ],
        ),
    );
    let offer = only(&fetched);
    assert_eq!(offer.price.kind, PriceKind::OnDemand);
    assert_eq!(offer.place.country.as_deref(), Some("IS"), "second from the right, not the continent");
    assert_eq!(offer.gpu.vram_gib, Some(32.0));
}

#[test]
fn the_noise_of_binary_fractions_is_rounded_off() {
    let fetched = read(
        "primeintellect",
        lines(
            PRIME,
            &[
                "oblivus__4xA100_80GB__124__480,x,124.0,480,A100-80GB,4.0,A100-80GB,CA,MON1,5.8854999999999995,\r",
            ],
        ),
    );
    assert_eq!(only(&fetched).price.per_hour.to_string(), "5.8855");
}

#[test]
fn a_price_everywhere_is_no_stock() {
    let fetched = read(
        "lambda",
        lines(
            PLAIN,
            &[
                "gpu_8x_b200_sxm6,B200,8.0,208.0,2900.0,53.52,me-west-1,B200,",
                "gpu_8x_b200_sxm6,B200,8.0,208.0,2900.0,53.52,asia-south-1,B200,",
            ],
        ),
    );
    let told: Vec<_> = fetched
        .offers
        .iter()
        .map(|offer| (offer.place.country.as_deref(), offer.supply.state.word(), offer.supply.count))
        .collect();
    assert_eq!(told, [(Some("IL"), "unknown", None), (Some("IN"), "unknown", None)]);
}
