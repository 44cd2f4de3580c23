/** The offer a `gpudesk://offer/…` link means; null for any other link. */
export function offerOfLink(link: string): string | null {
  const found = /^gpudesk:\/\/offer\/(.+)$/.exec(link);
  if (!found?.[1]) return null;
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return null;
  }
}
