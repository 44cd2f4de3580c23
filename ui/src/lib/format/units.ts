import { m } from "../../paraglide/messages.js";
import { noBreak, number } from "./number";

/** Memory in GiB. */
export function gib(value: number): string {
  return `${number(value, 0, value < 10 ? 1 : 0)}${noBreak}GiB`;
}

/** Disk or traffic in GB; from ten thousand on in TB. */
export function gb(value: number): string {
  return value >= 10_000
    ? `${number(value / 1000, 0, 1)}${noBreak}TB`
    : `${number(value, 0, value < 10 ? 1 : 0)}${noBreak}GB`;
}

/** Memory bandwidth given in GB/s; from a thousand on in TB/s. */
export function bandwidth(gbPerSecond: number): string {
  return gbPerSecond >= 1000
    ? `${number(gbPerSecond / 1000, 2)}${noBreak}TB/s`
    : `${number(gbPerSecond)}${noBreak}GB/s`;
}

/** Speed of a link between cards, GB/s. */
export function linkSpeed(gbPerSecond: number): string {
  return `${number(gbPerSecond)}${noBreak}GB/s`;
}

/** Speed of a network given in Mbit/s; from a thousand on in Gbit/s. */
export function network(mbitPerSecond: number): string {
  return mbitPerSecond >= 1000
    ? `${number(mbitPerSecond / 1000, 0, 1)}${noBreak}Gbit/s`
    : `${number(mbitPerSecond)}${noBreak}Mbit/s`;
}

/** Dense arithmetic, TFLOPS. */
export function tflops(value: number): string {
  return `${number(value, 0, value < 100 ? 1 : 0)}${noBreak}TFLOPS`;
}

/** Power, W. */
export function watts(value: number): string {
  return `${number(value)}${noBreak}W`;
}

/** Hours of a job. */
export function hours(value: number): string {
  return m.unit_hours({ n: number(value, 0, 2) });
}

/** Size of a file or of memory, given in bytes. */
export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${number(size, 0, size < 10 && unit > 0 ? 1 : 0)}${noBreak}${units[unit]}`;
}
