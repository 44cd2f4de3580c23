//! Sellers of tokens: OpenRouter's texts for one token, DeepInfra's numbers for a million.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use super::moved;
use crate::sim::Shared;

/// Models with dollars for a million tokens in and out.
const MODELS: [(&str, f64, f64); 4] = [
    ("meta-llama/llama-3.3-70b-instruct", 0.13, 0.40),
    ("qwen/qwen3-235b-a22b", 0.18, 0.54),
    ("deepseek/deepseek-r1", 0.45, 2.15),
    ("vendor/frontier-max", 15.0, 75.0),
];

pub fn routes() -> Router<Shared> {
    Router::new().route("/api/v1/models", get(openrouter)).route("/v1/openai/models", get(deepinfra))
}

async fn openrouter(State(market): State<Shared>) -> axum::Json<Value> {
    let one = |price: f64| format!("{:.12}", moved(&market, price) / 1e6);
    let model = |id: &str, prompt: String, completion: String| {
        json!({"id": id, "name": id, "created": 1_735_000_000, "context_length": 131_072,
            "architecture": {"modality": "text->text"}, "top_provider": {"is_moderated": false},
            "pricing": {"prompt": prompt, "completion": completion, "request": "0", "image": "0"}})
    };
    let mut all: Vec<Value> =
        MODELS.iter().map(|(id, input, output)| model(id, one(*input), one(*output))).collect();
    all.push(model("meta-llama/llama-3.3-70b-instruct:free", "0".to_owned(), "0".to_owned()));
    all.push(model("openrouter/auto", "-1".to_owned(), "-1".to_owned()));
    axum::Json(json!({"data": all}))
}

async fn deepinfra(State(market): State<Shared>) -> axum::Json<Value> {
    let mut all: Vec<Value> = MODELS
        .iter()
        .map(|(id, input, output)| {
            json!({"id": id, "object": "model", "owned_by": "deepinfra", "root": id, "parent": null,
                "metadata": {"context_length": 131_072, "pricing": {
                    "input_tokens": moved(&market, input * 1.1), "output_tokens": moved(&market, output * 0.9)}}})
        })
        .collect();
    all.push(
        json!({"id": "vendor/images", "object": "model", "metadata": {"pricing": {"per_image_unit": 0.02}}}),
    );
    axum::Json(json!({"object": "list", "data": all}))
}
