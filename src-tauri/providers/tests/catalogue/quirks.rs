//! What the catalogues get wrong or write in their own way, each on a real line.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Form, PriceKind};

use crate::support::{model, only, read};

const AWS: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n";
const GCP: &str = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n";
const AZURE: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation\n";
const PRIME: &str = "InstanceType,UpstreamCloudId,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\r\n";
const VERDA: &str = "InstanceType,UpstreamCloudId,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice\r\n";
const VAST: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\r\n";
const PLAIN: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
const RUNPOD: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo\n";

fn lines(header: &str, lines: &[&str]) -> String {
    format!("{header}{}\n", lines.join("\n"))
}

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
fn resellers_keep_seller_and_iron_apart() {
    let shadeform = read(
        "shadeform",
        lines(
            PLAIN,
            &[
                "hyperstack_H100x8-NVLINK,H100,8.0,252.0,1440,15.6,montreal-canada-2,\"{'Gpus': [{'Name': 'H100', 'Manufacturer': 'NVIDIA', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 80}, 'TotalGpuMemoryInMiB': 640}]}\",",
            ],
        ),
    );
    let offer = only(&shadeform);
    assert_eq!((offer.provider.as_str(), offer.cloud.as_str()), ("shadeform", "hyperstack"));
    assert_eq!(offer.place.country.as_deref(), Some("CA"));
    assert_eq!(offer.place.seller.as_deref(), Some("US"), "who bills, not whose iron it is");
    assert_eq!(offer.gpu.link.as_deref(), Some("NVLink"));
}

#[test]
fn a_spot_type_and_a_wrong_country_at_prime() {
    let json = |name: &str, count: u32, total: u64| {
        format!(
            "\"{{\"\"Gpus\"\":[{{\"\"Name\"\":\"\"{name}\"\",\"\"Count\"\":{count},\"\"MemoryInfo\"\":{{\"\"SizeInMiB\"\":{total}}}}}],\"\"TotalGpuMemoryInMiB\"\":{}}}\"",
            total * 8
        )
    };
    let fetched = read(
        "primeintellect",
        lines(
            PRIME,
            &[
                &format!(
                    "lambdalabs__8xA100_40GB__124__1800,gpu_8x_a100,124.0,1800,A100,8.0,{},IS,me-west-1,10.32,\r",
                    json("A100", 8, 327_680)
                ),
                &format!(
                    "datacrunch__1xA100_80GB__22__120__SPOT,1A100.22V_SPOT,22.0,120,A100-80GB,1.0,{},FI,FIN-01,,0.53\r",
                    json("A100-80GB", 1, 81_920)
                ),
                &format!(
                    "dc_roan__8xH100_80GB__104__1024,x,104.0,1024,H100,8.0,{},US,a3111bd4-550a-47d0-838a-0a52bff2ae3f,15.92,\r",
                    json("H100", 8, 655_360)
                ),
            ],
        ),
    );
    let [lambda, spot, masked] = fetched.offers.as_slice() else { panic!("{fetched:#?}") };
    assert_eq!((lambda.provider.as_str(), lambda.cloud.as_str()), ("prime", "lambda"));
    assert_eq!(lambda.place.country.as_deref(), Some("IL"), "not Iceland");
    assert_eq!((spot.price.kind, spot.cloud.as_str()), (PriceKind::Spot, "verda"));
    assert_eq!((masked.place.country.as_deref(), masked.place.region.as_deref()), (Some("US"), Some("US")));
}

#[test]
fn one_data_centre_under_two_countries_is_one_offer() {
    let cell = "\"{'Gpus': [{'Name': 'A100 PCIe', 'Manufacturer': 'Nvidia', 'Count': 1, 'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}\"";
    let fetched = read(
        "runpod",
        lines(
            RUNPOD,
            &[
                &format!("1x_A100-80GB_SECURE,A100-80GB,1.0,8.0,117.0,NO,0.82,1.64,EU-SE-1,{cell}"),
                &format!("1x_A100-80GB_SECURE,A100-80GB,1.0,8.0,117.0,SE,0.82,1.64,EU-SE-1,{cell}"),
            ],
        ),
    );
    assert!(fetched.offers.iter().all(|offer| offer.place.country.as_deref() == Some("SE")));
    assert_eq!((fetched.offers.len(), fetched.quarantined[0].reason.code), (2, ReasonCode::Duplicate));
}

#[test]
fn zones_in_either_case_are_the_same() {
    let fetched = read(
        "oci",
        lines(
            AWS,
            &[
                "BM.GPU4.8,A100,8,256,2048,A100,24.4,,eu-stockholm-1,EU-STOCKHOLM-1-AD-1",
                "BM.GPU4.8,A100,8,256,2048,A100,24.4,,eu-stockholm-1,eu-stockholm-1-ad-1",
            ],
        ),
    );
    assert_eq!(only(&fetched).id, "oci:bm.gpu4.8-x8-eu-stockholm-1-ad-1-40g-on-demand");
    assert_eq!((only(&fetched).form, model(only(&fetched))), (Form::BareMetal, "A100 40GB SXM"));
}

#[test]
fn parts_of_a_card_are_fractions() {
    let fetched = read("aws", lines(AWS, &["g6f.xlarge,L4,0.0,4.0,16.0,,0.2375,,us-east-1,use1-az1"]));
    let offer = only(&fetched);
    assert_eq!((offer.form, offer.gpu.count), (Form::Fraction, 1));
    assert_eq!((offer.gpu.fraction, offer.gpu.vram_gib), (Some(0.125), Some(3.0)));
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
