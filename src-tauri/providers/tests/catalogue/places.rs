//! Where the catalogues say a machine is, and whose it is, each case on a real line.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::{Form, PriceKind};

use crate::support::{AWS, PLAIN, PRIME, RUNPOD, lines, model, only, read};

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
