//! Sellers of tokens: each with its own unit.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::meter::Meter;
use gpudesk_core::offer::Form;
use gpudesk_providers::deepinfra::DeepInfra;
use gpudesk_providers::openrouter::OpenRouter;
use gpudesk_providers::{OfferSource, SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch, kit, offer};

async fn read(make: fn(&SourceConfig) -> Box<dyn OfferSource>, say: Say) -> Result<Fetched, SourceError> {
    let server = RawServer::start(vec![say]).await;
    let mut config = SourceConfig::default();
    for service in ["openrouter", "deepinfra"] {
        config.set_address(service, server.url.as_str());
    }
    let (http, _) = kit();
    let fetched = fetch(make(&config).as_ref(), &http).await;
    assert!(!server.requests()[0].to_ascii_lowercase().contains("authorization"), "asked without a key");
    fetched
}

fn openrouter(config: &SourceConfig) -> Box<dyn OfferSource> {
    Box::new(OpenRouter::new(config))
}

fn deepinfra(config: &SourceConfig) -> Box<dyn OfferSource> {
    Box::new(DeepInfra::new(config))
}

fn tokens(input: &str, output: &str) -> Option<Meter> {
    Some(Meter::Tokens { input: decimal(input), output: decimal(output) })
}

#[tokio::test]
async fn openrouter_s_texts_are_dollars_for_one_token() {
    let model = |id: &str, prompt: &Value, completion: &Value| {
        json!({"id": id, "name": "x", "context_length": 131_072,
               "pricing": {"prompt": prompt, "completion": completion, "image": "0", "request": "0"}})
    };
    let fetched = read(
        openrouter,
        ok(&json!({"data": [
            model("meta-llama/llama-3.3-70b-instruct", &json!("0.00000013"), &json!("0.0000004")),
            model("vendor/dear", &json!("0.000015"), &json!("0.000075")),
            model("vendor/scientific", &json!("1e-7"), &json!(2e-7)),
            model("vendor/embed", &json!("0.00000002"), &json!("0")),
            model("meta-llama/llama-3.3-70b-instruct:free", &json!("0"), &json!("0")),
            model("openrouter/auto", &json!("-1"), &json!("-1")),
            model("vendor/odd", &json!("cheap"), &json!("0")),
            {"id": "vendor/silent"}, {"pricing": {}}, 7]})),
    )
    .await
    .unwrap();
    let llama = offer(&fetched, "openrouter:meta-llama/llama-3.3-70b-instruct");
    assert_eq!(llama.price.meter, tokens("0.13", "0.4"));
    assert_eq!(llama.price.per_hour, decimal("2.817954"), "16.5762 × 0.13 + 1.65762 × 0.4");
    assert_eq!((llama.form, llama.gpu.count, llama.gpu.model.as_deref()), (Form::Serverless, 0, None));
    assert_eq!(llama.price.page.as_deref(), Some("https://openrouter.ai/meta-llama/llama-3.3-70b-instruct"));
    assert_eq!((llama.place.country.as_deref(), llama.place.seller.as_deref()), (None, Some("US")));
    assert!(fetched.offers.iter().any(|offer| offer.name == "vendor/dear"), "dearer than any card, and true");
    assert_eq!(offer(&fetched, "openrouter:vendor/scientific").price.meter, tokens("0.1", "0.2"));
    assert_eq!(offer(&fetched, "openrouter:vendor/embed").price.meter, tokens("0.02", "0"));
    let codes: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    use ReasonCode::{PriceImpossible, PriceMissing, Unreadable};
    assert_eq!(codes, [PriceImpossible, PriceMissing, PriceMissing, PriceMissing, Unreadable, Unreadable]);
}

#[tokio::test]
async fn deepinfra_s_numbers_are_dollars_for_a_million() {
    let fetched = read(
        deepinfra,
        ok(&json!({"object": "list", "data": [
            {"id": "meta-llama/Llama-3.3-70B-Instruct", "owned_by": "deepinfra",
             "metadata": {"context_length": 131_072, "pricing": {"input_tokens": 0.23, "output_tokens": 0.4}}},
            {"id": "vendor/image", "metadata": {"pricing": {"per_image_unit": 0.02}}},
            {"id": "vendor/none", "metadata": null}, {"id": "vendor/odd", "metadata": "none"},
            {"id": "vendor/odder", "metadata": {"pricing": "free"}}]})),
    )
    .await
    .unwrap();
    let llama = offer(&fetched, "deepinfra:meta-llama/Llama-3.3-70B-Instruct");
    assert_eq!(llama.price.meter, tokens("0.23", "0.4"));
    assert_eq!(llama.price.page.as_deref(), Some("https://deepinfra.com/meta-llama/Llama-3.3-70B-Instruct"));
    let codes: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(codes, [ReasonCode::PriceMissing; 4], "a model whose price is not told, each");
}

#[tokio::test]
async fn a_list_without_models_replaces_nothing() {
    for make in [openrouter, deepinfra] {
        for say in [ok(&json!({"data": []})), ok(&json!({"error": {"message": "no", "code": 500}}))] {
            assert_eq!(read(make, say).await.unwrap_err().code, SourceErrorCode::BadAnswer);
        }
        let error = read(make, ok(&json!({"error": {"message": "asleep", "code": 500}}))).await.unwrap_err();
        assert_eq!(error.detail, "JSON without `data`: asleep");
    }
}
