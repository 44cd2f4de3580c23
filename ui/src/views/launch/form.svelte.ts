import type { LaunchRequest, LaunchSheet, LeaseDefaults } from "../../lib/host/bindings";
import type { LaunchPreset } from "../market/actions.svelte";

/** What a person chose on the launch sheet; what was left alone stays empty and is the desk's to choose. */
export class LaunchForm {
  account = $state("");
  name = $state("");
  sshKey = $state("");
  image = $state("");
  typedImage = $state("");
  disk = $state<number | null>(null);
  hours = $state<number | null>(null);
  idle = $state<number | null>(null);
  /** Empty until a person chose: the sheet says then what is usual there. */
  onExpiry = $state("");
  owner = $state("");
  project = $state("");
  /** The project as it was when its field was left: what the sheet is asked for. */
  settled = $state("");
  /** Why it may be rented although the policy forbids it. */
  override = $state("");
  /** The price a person agreed to; the one on the sheet until a higher one was asked about. */
  allowed = $state<string | null>(null);

  constructor(usual: LeaseDefaults, preset: LaunchPreset | null = null) {
    this.hours = usual.hours;
    this.idle = usual.idle_minutes;
    if (!preset) return;
    this.name = preset.name;
    this.disk = preset.diskGb;
    this.hours = preset.hours ?? this.hours;
    this.project = this.settled = preset.project;
  }

  /** What the desk is asked to do. */
  request(sheet: LaunchSheet): LaunchRequest {
    const typed = this.typedImage.trim();
    return {
      offer: sheet.offer.id,
      account: this.account || (sheet.accounts[0]?.name ?? ""),
      name: this.name.trim(),
      ssh_key: this.sshKey,
      image: this.image === "typed" ? typed : this.image,
      disk_gb: this.disk,
      hours: this.hours,
      max_spend: null,
      idle_minutes: this.idle,
      on_expiry: this.expiry(sheet),
      owner: this.owner.trim() || null,
      project: this.project.trim() || null,
      override_policy: sheet.policy?.verdict === "blocked" ? this.override.trim() : null,
      max_price: this.allowed ?? sheet.offer.price.per_hour,
    };
  }

  /** What happens when the lease is over. */
  expiry(sheet: LaunchSheet): string {
    return this.onExpiry || sheet.on_expiry;
  }
}
