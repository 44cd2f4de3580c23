function named(link: string, kind: string): string | null {
  const found = new RegExp(`^gpudesk://${kind}/(.+)$`).exec(link);
  if (!found?.[1]) return null;
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return null;
  }
}

/** The offer a `gpudesk://offer/…` link means; null for any other link. */
export function offerOfLink(link: string): string | null {
  return named(link, "offer");
}

/** The id or name of the rental a `gpudesk://rental/…` link means; null for any other link. */
export function rentalOfLink(link: string): string | null {
  return named(link, "rental");
}
