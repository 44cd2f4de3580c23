//! The formulas against figures that others have published.

use super::*;

/// A GB, as most of them count it, in GiB.
fn gb_as_gib(gb: f64) -> f64 {
    gb * 1e9 / GIB
}

/// Whether a range holds a published figure, which is rounded to two digits or so.
#[track_caller]
fn holds(span: Span, published_gib: f64, what: &str) {
    let slack = 0.015;
    assert!(
        span.low * (1.0 - slack) <= published_gib && published_gib <= span.high * (1.0 + slack),
        "{what}: {published_gib:.1} GiB is not within {:.1}–{:.1}",
        span.low,
        span.high
    );
}

/// "How much memory does Llama 3.1 need?", the table of inference: what the weights alone take
/// (huggingface.co/blog/llama31).
#[test]
fn weights_of_llama_3_1_are_as_hugging_face_lists_them() {
    for (model, fp16, fp8, int4) in [
        ("Llama 3.1 8B", 16.0, 8.0, 4.0),
        ("Llama 3.1 70B", 140.0, 70.0, 35.0),
        ("Llama 3.1 405B", 810.0, 405.0, 203.0),
    ] {
        for (precision, gb) in [(Precision::Bf16, fp16), (Precision::Fp8, fp8), (Precision::Int4, int4)] {
            let weights = part(&serve(known(model), precision, 1, 1), "weights");
            holds(weights, gb_as_gib(gb), &format!("{model} {precision}"));
        }
    }
}

/// The same page's table of the cache; its tokens are 1,024, 16,000 and 128,000. Its row of 405B counts 16 heads where
/// config.json has 8, and is left out.
#[test]
fn caches_of_llama_3_1_are_exact() {
    for (model, tokens, gib) in [
        ("Llama 3.1 8B", 1024, 0.125),
        ("Llama 3.1 8B", 16_000, 1.953_125),
        ("Llama 3.1 8B", 128_000, 15.625),
        ("Llama 3.1 70B", 1024, 0.312_5),
        ("Llama 3.1 70B", 16_000, 4.882_812_5),
        ("Llama 3.1 70B", 128_000, 39.062_5),
    ] {
        let kv = part(&serve(known(model), Precision::Bf16, tokens, 1), "kv_cache");
        assert_eq!(kv, Span::exact(gib), "{model}, {tokens} tokens");
    }
}

/// 16 sequences of 8,192 tokens at 80 layers, 8 heads of 128: 40 GiB to the byte.
#[test]
fn a_cache_by_hand_is_exact() {
    let shape = Shape { layers: Some(80), kv_heads: Some(8), head_dim: Some(128), ..Shape::of_params(70e9) };
    let work = serve(shape, Precision::Bf16, 8192, 16);
    assert_eq!(part(&work, "kv_cache"), Span::exact(40.0));
    assert!((part(&work, "weights").low - 130.385).abs() < 0.001);
}

/// Bytes of one token: "Insights into DeepSeek-V3" (arXiv:2505.09343), table 1; the vLLM paper (arXiv:2309.06180) has
/// 800 KB for OPT-13B.
#[test]
fn a_token_is_kept_in_as_many_bytes_as_papers_say() {
    for (model, bytes) in
        [("DeepSeek V3", 70_272.0), ("Qwen2.5 72B", 327_680.0), ("Llama 3.1 405B", 516_096.0)]
    {
        assert_eq!(known(model).kept_values(1), Some(bytes / 2.0), "{model}");
    }
    let opt = Shape { layers: Some(40), kv_heads: Some(40), head_dim: Some(128), ..Shape::of_params(13e9) };
    assert_eq!(opt.kept_values(1), Some(800.0 * 1024.0 / 2.0));
}

/// Gemma 3 27B keeps the whole context in 10 of 62 layers and 1,024 tokens in the others (its config.json): at 32,768
/// tokens 2 · 16 · 128 · (10 · 32768 + 52 · 1024) values of 2 bytes.
#[test]
fn layers_with_a_window_keep_no_more_than_it() {
    let kv = part(&serve(known("Gemma 3 27B"), Precision::Bf16, 32_768, 1), "kv_cache");
    assert_eq!(kv, Span::exact(4096.0 * (10.0 * 32_768.0 + 52.0 * 1024.0) * 2.0 / GIB));
}

/// ZeRO (arXiv:1910.02054): 16 bytes for each parameter with mixed-precision Adam; 120 GB for 7.5 billion, 24 GB for the
/// 1.5 billion of GPT-2.
#[test]
fn model_states_are_those_of_zero() {
    for (params, gb) in [(7.5e9, 120.0), (1.5e9, 24.0)] {
        let work = train(Shape::of_params(params), Method::Full, 1);
        let states = part(&work, "weights").low + part(&work, "gradients").low + part(&work, "optimizer").low;
        assert!((states - gb_as_gib(gb)).abs() < 1e-6, "{params}");
    }
}

/// QLoRA (arXiv:2305.14314), abstract and introduction: 65 billion parameters are tuned on one GPU of 48 GB; in 16 bits
/// it takes more than 780 GB.
#[test]
fn a_65b_model_is_tuned_in_48_gb_and_in_full_it_is_not() {
    let llama =
        || Shape { layers: Some(80), hidden: Some(8192), vocab: Some(32_000), ..Shape::of_params(65.2e9) };
    let assumed = Assumptions::default();
    let qlora = Memory::of(&train(llama(), Method::Qlora, 512), &assumed).total();
    holds(qlora, gb_as_gib(48.0), "QLoRA of 65B");
    let full = Memory::of(&train(llama(), Method::Full, 512), &assumed).total();
    assert!(full.low > gb_as_gib(780.0));
}

/// "How much memory does Llama 3.1 need?", the table of training (huggingface.co/blog/llama31). Its figures for full
/// fine-tuning count fewer than the 16 bytes of ZeRO, and its LoRA of 8B the weights alone: these are left out.
#[test]
fn training_of_llama_3_1_takes_what_hugging_face_estimates() {
    for (model, method, gb) in [
        ("Llama 3.1 8B", Method::Qlora, 6.0),
        ("Llama 3.1 70B", Method::Qlora, 48.0),
        ("Llama 3.1 405B", Method::Qlora, 250.0),
        ("Llama 3.1 70B", Method::Lora, 160.0),
        ("Llama 3.1 405B", Method::Lora, 950.0),
    ] {
        let total = Memory::of(&train(known(model), method, 2048), &Assumptions::default()).total();
        holds(total, gb_as_gib(gb), &format!("{model} {method}"));
    }
}

/// gpt-oss fits 16 GB and one H100 of 80 GB in 4 bits (docs.nvidia.com/nemo, GPT-OSS models; openai.com).
#[test]
fn gpt_oss_fits_where_it_is_said_to() {
    for (model, vram) in [("gpt-oss 20B", 16.0), ("gpt-oss 120B", 80.0)] {
        let work = serve(known(model), Precision::Int4, 4096, 1);
        let total = Memory::of(&work, &Assumptions::default()).total();
        assert!(total.high <= vram, "{model}: {total:?}");
    }
}

/// With layers kept whole but for attention, 34 bytes for each token, layer and unit of width (arXiv:2205.05198,
/// table 2): GPT-3 of 96 layers and width 12,288 at 2,048 tokens keeps 82.1e9 bytes, and one layer more at work.
#[test]
fn activations_are_those_of_megatron() {
    let shape = Shape { layers: Some(96), hidden: Some(12_288), ..Shape::of_params(175e9) };
    let work = train(shape, Method::Full, 2048);
    let mut assumed = Assumptions::default();
    assumed.edit("kept_activation_bytes", Span::exact(34.0)).unwrap();
    let memory = Memory::of(&work, &assumed);
    let activations = memory.parts().iter().find(|part| part.name == "activations").unwrap().gib.unwrap();
    let layer = 2048.0 * 12_288.0 * 34.0 / GIB;
    assert!((activations.low - layer * 97.0).abs() < 1e-6, "{activations:?}");
}

/// What is not known of a model leaves the total open, and what does not apply is nothing.
#[test]
fn a_part_that_is_not_known_is_none_and_opens_the_total() {
    let work = serve(Shape::of_params(70e9), Precision::Bf16, 8192, 16);
    let memory = Memory::of(&work, &Assumptions::default());
    let gib = |name: &str| memory.parts().iter().find(|part| part.name == name).unwrap().gib;
    assert_eq!((gib("kv_cache"), gib("overhead")), (None, None));
    assert_eq!((gib("optimizer"), gib("gradients")), (Some(Span::ZERO), Some(Span::ZERO)));
    assert_eq!(memory.total().bounded_high(), None);
    assert!(memory.total().low > 130.0);
    let embedding = serve(known("bge-m3"), Precision::Bf16, 512, 32);
    assert_eq!(part(&embedding, "kv_cache"), Span::ZERO);
}

/// Llama 3 405B: 400 TFLOPS a card on 16,384 H100 (arXiv:2407.21783, table 4) are, at 6 operations a parameter and
/// token, 164 tokens a second and card.
#[test]
fn training_is_as_fast_as_llama_3_was() {
    let machine = Machine {
        cards: 8,
        vram_gib: Some(80.0),
        tflops: Some(Span::exact(989.0)),
        fp8_tflops: None,
        bandwidth_gb_s: Some(Span::exact(3350.0)),
        is_linked: Some(true),
        is_cluster: false,
        has_fabric: false,
    };
    let work = train(known("Llama 3.1 405B"), Method::Full, 8192);
    let speed = tokens_per_s(&work, &machine, 1, &Assumptions::default()).unwrap() / 8.0;
    assert!(speed.contains(400e12 / (6.0 * 405.85e9)), "{speed:?}");
}

#[test]
fn what_was_seen_of_a_provider_goes_before_what_is_assumed() {
    let (work, assumed) = (serve(known("bge-m3"), Precision::Bf16, 512, 1), Assumptions::default());
    let memory = Memory::of(&work, &assumed);
    let evidence = Evidence {
        interruptions: [("vast".to_owned(), Span::new(0.04, 0.1))].into(),
        restart_h: [("vast".to_owned(), Span::new(0.5, 0.75))].into(),
    };
    let judge = Judge { work: &work, memory: &memory, assumed: &assumed, evidence: &evidence };
    let vast = judge.terms("vast");
    assert_eq!((vast.rate, vast.restart_h), (Span::new(0.04, 0.1), Span::new(0.5, 0.75)));
    // Five to twenty minutes where nothing was seen.
    let other = judge.terms("aws");
    assert_eq!(
        (other.rate, other.restart_h),
        (Name::Interruptions.basis().span, Span::new(5.0, 20.0) / 60.0)
    );
}
