import { tick } from "svelte";

let rowsPainted = false;

/**
 * Says, after the frame in which it was painted, what is on the screen: the first rows, or the reason why there are
 * none. The first rows are also marked in the performance timeline.
 */
export async function markPainted(what: "rows" | "error"): Promise<void> {
  if (rowsPainted) return;
  rowsPainted = what === "rows";
  await tick();
  requestAnimationFrame(() =>
    // The task after a frame's callbacks runs when that frame has been painted.
    setTimeout(() => {
      if (what === "rows") performance.mark("rows-painted");
      document.documentElement.dataset.painted = what;
    }),
  );
}
