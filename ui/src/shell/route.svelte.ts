/** The views, in the order of their keys. */
export const views = ["market", "rentals", "spend", "plan", "settings"] as const;

/** One of the views. */
export type ViewName = (typeof views)[number];

function read(hash: string): ViewName {
  const name = hash.replace(/^#\/?/, "").split("?")[0];
  return views.find((view) => view === name) ?? "market";
}

/** Which view is open: the address after `#`, so that back and forward work. */
export class Route {
  view = $state<ViewName>(read(location.hash));

  /** Follows the address; returns what stops it. */
  start(): () => void {
    const follow = () => (this.view = read(location.hash));
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }

  /** Opens a view. */
  go(view: ViewName): void {
    this.view = view;
    const hash = `#/${view}`;
    if (location.hash !== hash) location.hash = hash;
  }
}
