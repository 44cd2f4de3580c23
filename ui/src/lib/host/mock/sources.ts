import type { FeedStatus, SourceStatus } from "../bindings";

function feed(
  name: string,
  title: string,
  age: number,
  offers: number,
  more: Partial<FeedStatus> = {},
): FeedStatus {
  return {
    name,
    title,
    state: "ok",
    source: "live",
    origin: title,
    as_of: "2026-11-30T08:58:00Z",
    age_s: age,
    tried_at: "2026-11-30T08:58:00Z",
    failing_since: null,
    offers,
    rows_read: offers + 40,
    rows_not_gpu: 31,
    quarantined: 9,
    seconds: 1.4,
    price_changes: 38,
    error: null,
    ...more,
  };
}

/** A feed that does not answer; its offers stay. */
export function failingFeed(): FeedStatus {
  return feed("runpod", "RunPod", 7200, 402, {
    state: "failed",
    failing_since: "2026-11-30T07:00:00Z",
    error: {
      code: "network",
      what: "prices of RunPod",
      detail: "connection refused",
      hint: "Check the proxy in Settings.",
      line: null,
    },
  });
}

/** Sources that all fare well. */
export function mockSources(): SourceStatus[] {
  return [
    {
      name: "vast",
      title: "Vast.ai",
      busy: false,
      needs_account: false,
      feeds: [feed("vast", "Vast.ai", 120, 5210)],
    },
    {
      name: "runpod",
      title: "RunPod",
      busy: false,
      needs_account: false,
      feeds: [feed("runpod", "RunPod", 150, 402)],
    },
    {
      name: "catalogue",
      title: "Price lists",
      busy: false,
      needs_account: false,
      feeds: [
        feed("catalogue/aws", "AWS", 14_256_000, 3120, {
          state: "stale",
          source: "catalogue",
          origin: "AWS price list, 2026-06-18",
        }),
        feed("catalogue/verda", "Verda", 259_200, 310, { source: "catalogue" }),
      ],
    },
    {
      name: "rates",
      title: "Rates",
      busy: false,
      needs_account: false,
      feeds: [
        feed("rates/ecb", "ECB", 259_200, 0, {
          rows_read: 0,
          rows_not_gpu: 0,
          quarantined: 0,
          price_changes: 0,
        }),
      ],
    },
  ];
}
