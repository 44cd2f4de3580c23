// What the kernel says about a running app and the web processes it started.

import { readdir, readFile } from "node:fs/promises";

/** Kernel ticks a second: fixed on every Linux that Node runs on. */
const TICKS = 100;

/** A process and all below it, as `{ pid, name }`. */
export async function family(pid) {
  const all = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    // The name stands in brackets and may itself hold brackets and blanks.
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (stat) all.push({ pid: Number(entry), name, parent: Number(rest[1]) });
  }
  const found = all.filter((process) => process.pid === pid);
  for (const process of found) found.push(...all.filter((other) => other.parent === process.pid));
  return found;
}

/** Whether a process runs: one that has ended and is still listed does not. */
export async function isRunning(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** Proportional set size in MB: shared pages count once over all who share them. */
export async function pss(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)[1]) / 1024;
}

/** Processor seconds used so far by all threads. */
export async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(rest[11]) + Number(rest[12])) / TICKS;
}
