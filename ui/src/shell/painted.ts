import { tick } from "svelte";

let done = false;

/** Says once, after the frame in which the first rows were painted, that they are on the screen. */
export async function markPainted(): Promise<void> {
  if (done) return;
  done = true;
  await tick();
  requestAnimationFrame(() =>
    // The task after a frame's callbacks runs when that frame has been painted.
    setTimeout(() => {
      performance.mark("rows-painted");
      document.documentElement.dataset.painted = "rows";
    }),
  );
}
