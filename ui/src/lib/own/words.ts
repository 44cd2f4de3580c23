import { money } from "../format/money";
import { number } from "../format/number";
import { gib } from "../format/units";
import type { OwnHostDto } from "../host/bindings";
import { m } from "../../paraglide/messages.js";

const healths: Record<string, () => string> = {
  ok: m.host_ok,
  unreachable: m.host_unreachable,
  denied: m.host_denied,
  "host-key-unknown": m.host_key_unknown,
  "host-key-changed": m.host_other_key,
  "no-driver": m.host_no_driver,
  "driver-mismatch": m.host_driver_mismatch,
  "card-lost": m.host_card_lost,
  "no-cards": m.host_no_cards,
  "not-told": m.host_not_told,
};

/** How a server fares. */
export function health(word: string | null): string {
  if (word === null) return m.host_never();
  return healths[word]?.() ?? word;
}

/** `8× H100 SXM`, and others behind it. */
export function cards(host: OwnHostDto): string {
  const counted = new Map<string, number>();
  for (const card of host.cards) {
    const name = card.model ?? card.name;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  return [...counted].map(([name, count]) => `${count}× ${name}`).join(", ");
}

/** Cards and slices that nobody has, of all there are. */
export function free(host: OwnHostDto): { free: number; of: number } {
  const units = host.cards.flatMap((card): { booked_by: string | null }[] =>
    card.divided ? card.slices : [card],
  );
  return { free: units.filter((unit) => unit.booked_by === null).length, of: units.length };
}

/** What a server costs by the hour, and by the hour in which it was used. */
export function costs(host: OwnHostDto): string {
  const { per_hour, per_used_hour, currency } = host.cost;
  if (per_hour === null) return m.host_cost_unknown();
  const hour = m.host_per_hour({ price: money(per_hour, currency) });
  return per_used_hour === null
    ? hour
    : `${hour}, ${m.host_per_used_hour({ price: money(per_used_hour, currency) })}`;
}

/** The slices of divided cards, each kind with its share of a card. */
export function slices(host: OwnHostDto): string[] {
  const kinds = new Map<string, { count: number; text: string }>();
  for (const slice of host.cards.flatMap((card) => card.slices)) {
    const known = kinds.get(slice.profile);
    if (known) known.count += 1;
    else {
      const percent = (share: number | null) => (share === null ? "–" : `${number(share * 100, 0, 1)} %`);
      const text = m.host_slice({
        profile: slice.profile,
        compute: percent(slice.compute_share),
        memory: slice.memory_gib === null ? "–" : gib(slice.memory_gib),
        bandwidth: percent(slice.bandwidth_share),
      });
      kinds.set(slice.profile, { count: 1, text });
    }
  }
  return [...kinds.values()].map(({ count, text }) => `${count}× ${text}`);
}
