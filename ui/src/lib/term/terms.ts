import { m } from "../../paraglide/messages.js";

/** Each term with its three depths: in plain words, for business, for engineers. */
export const terms = {
  gpuHour: {
    title: m.term_gpu_hour,
    plain: m.term_gpu_hour_plain,
    business: m.term_gpu_hour_business,
    engineer: m.term_gpu_hour_engineer,
  },
  jobTotal: {
    title: m.term_job_total,
    plain: m.term_job_total_plain,
    business: m.term_job_total_business,
    engineer: m.term_job_total_engineer,
  },
  vram: {
    title: m.term_vram,
    plain: m.term_vram_plain,
    business: m.term_vram_business,
    engineer: m.term_vram_engineer,
  },
  bandwidth: {
    title: m.term_bandwidth,
    plain: m.term_bandwidth_plain,
    business: m.term_bandwidth_business,
    engineer: m.term_bandwidth_engineer,
  },
  nvlink: {
    title: m.term_nvlink,
    plain: m.term_nvlink_plain,
    business: m.term_nvlink_business,
    engineer: m.term_nvlink_engineer,
  },
  infiniband: {
    title: m.term_infiniband,
    plain: m.term_infiniband_plain,
    business: m.term_infiniband_business,
    engineer: m.term_infiniband_engineer,
  },
  spot: {
    title: m.term_spot,
    plain: m.term_spot_plain,
    business: m.term_spot_business,
    engineer: m.term_spot_engineer,
  },
  bid: {
    title: m.term_bid,
    plain: m.term_bid_plain,
    business: m.term_bid_business,
    engineer: m.term_bid_engineer,
  },
  reserved: {
    title: m.term_reserved,
    plain: m.term_reserved_plain,
    business: m.term_reserved_business,
    engineer: m.term_reserved_engineer,
  },
  residency: {
    title: m.term_residency,
    plain: m.term_residency_plain,
    business: m.term_residency_business,
    engineer: m.term_residency_engineer,
  },
  seller: {
    title: m.term_seller,
    plain: m.term_seller_plain,
    business: m.term_seller_business,
    engineer: m.term_seller_engineer,
  },
  policy: {
    title: m.term_policy,
    plain: m.term_policy_plain,
    business: m.term_policy_business,
    engineer: m.term_policy_engineer,
  },
  form: {
    title: m.term_form,
    plain: m.term_form_plain,
    business: m.term_form_business,
    engineer: m.term_form_engineer,
  },
  fraction: {
    title: m.term_fraction,
    plain: m.term_fraction_plain,
    business: m.term_fraction_business,
    engineer: m.term_fraction_engineer,
  },
  egress: {
    title: m.term_egress,
    plain: m.term_egress_plain,
    business: m.term_egress_business,
    engineer: m.term_egress_engineer,
  },
  quarantine: {
    title: m.term_quarantine,
    plain: m.term_quarantine_plain,
    business: m.term_quarantine_business,
    engineer: m.term_quarantine_engineer,
  },
  bf16: {
    title: m.term_bf16,
    plain: m.term_bf16_plain,
    business: m.term_bf16_business,
    engineer: m.term_bf16_engineer,
  },
} as const;

/** A term that can explain itself. */
export type TermName = keyof typeof terms;
