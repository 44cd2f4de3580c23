import { symbol } from "../../lib/format/money";
import type { GridColumn } from "../../lib/ui/grid/columns";
import { m } from "../../paraglide/messages.js";

/** The columns of the market by card. */
export function groupColumns(currency: string): GridColumn[] {
  const money = symbol(currency);
  return [
    {
      key: "gpu",
      title: m.column_gpu(),
      align: "start",
      width: 200,
      minimum: 170,
      yields: 0,
      sort: "model",
      grows: true,
      pinned: true,
    },
    {
      key: "from",
      title: m.column_from({ currency: money }),
      align: "end",
      width: 92,
      minimum: 72,
      yields: 0,
      sort: "gpu-hour",
    },
    {
      key: "median",
      title: m.column_median(),
      align: "end",
      width: 76,
      minimum: 60,
      yields: 0,
      sort: "median",
    },
    {
      key: "spot",
      title: m.column_spot_from(),
      align: "end",
      width: 84,
      minimum: 60,
      yields: 3,
      sort: "spot",
    },
    {
      key: "offers",
      title: m.column_offers(),
      align: "end",
      width: 132,
      minimum: 80,
      yields: 2,
      sort: "offers",
      largestFirst: true,
      hint: m.column_offers_hint(),
    },
    {
      key: "clouds",
      title: m.column_clouds(),
      align: "start",
      width: 160,
      minimum: 60,
      yields: 5,
      sort: "clouds",
      largestFirst: true,
    },
    {
      key: "vram",
      title: m.column_vram_each(),
      align: "end",
      width: 112,
      minimum: 76,
      yields: 1,
      sort: "vram-size",
      largestFirst: true,
    },
    {
      key: "bandwidth",
      title: m.column_bandwidth(),
      align: "end",
      width: 96,
      minimum: 80,
      yields: 4,
      sort: "bandwidth-size",
      largestFirst: true,
    },
    { key: "days", title: m.column_days(), align: "end", width: 104, minimum: 96, yields: 6 },
  ];
}
