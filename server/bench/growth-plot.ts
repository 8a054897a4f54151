import type { Cost, Growth } from "./report.ts";

const KINDS = [
  ["request", "An authenticated list"],
  ["run", "A run of three steps"],
  ["delivery", "A webhook delivery"],
] as const satisfies readonly (readonly [keyof Cost, string])[];

const PANEL = { width: 250, height: 170, left: 52, top: 58, gapX: 40, gapY: 84 };
const COLOURS = { server: "#2f6f8f", database: "#c98a2b" };
const TEXT = "#222";

/** Returns a step of the axis that fits four or five times into `most`. */
function stepOf(most: number): number {
  const rough = most / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((times) => times * unit >= rough) ?? 10) * unit;
}

/** Returns one chart: a bar for each measure, with the processes' part below and the database's above. */
function panel(x: number, y: number, title: string, bars: { label: string; cost: Cost[keyof Cost] }[]) {
  const { width, height } = PANEL;
  const step = stepOf(Math.max(...bars.map(({ cost }) => cost.server + cost.database), 1));
  const most = step * Math.ceil(Math.max(...bars.map(({ cost }) => cost.server + cost.database), 1) / step);
  const heightOf = (value: number) => (value / most) * height;
  const parts = [`<text x="${x}" y="${y - 12}" font-weight="600">${title}</text>`];
  for (let value = 0; value <= most + step / 2; value += step) {
    const at = y + height - heightOf(value);
    parts.push(
      `<line x1="${x}" x2="${x + width}" y1="${at}" y2="${at}" stroke="#ddd"/>`,
      `<text x="${x - 6}" y="${at + 4}" text-anchor="end">${Math.round(value)}</text>`,
    );
  }
  const slot = width / bars.length;
  for (const [nth, { label, cost }] of bars.entries()) {
    const left = x + nth * slot + slot * 0.2;
    const server = heightOf(cost.server);
    const database = heightOf(cost.database);
    const bar = (top: number, size: number, colour: string) =>
      `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(slot * 0.6).toFixed(1)}" height="${size.toFixed(1)}" fill="${colour}"/>`;
    const middle = (left + slot * 0.3).toFixed(1);
    parts.push(
      bar(y + height - server, server, COLOURS.server),
      bar(y + height - server - database, database, COLOURS.database),
      `<text x="${middle}" y="${(y + height - server - database - 4).toFixed(1)}" text-anchor="middle">${Math.round(cost.server + cost.database)}</text>`,
      `<text x="${middle}" y="${y + height + 16}" text-anchor="middle">${label}</text>`,
    );
  }
  return parts.join("\n");
}

/** Returns a drawing of the cost of each kind of work as data and processes grow. */
export function plotGrowth({ sizes, processes }: Growth): string {
  const { width, height, left, top, gapX, gapY } = PANEL;
  const xOf = (column: number) => left + column * (width + gapX + 12);
  const yOf = (row: number) => top + 24 + row * (height + gapY);
  const rows = [
    { measures: sizes, label: (at: number) => `${at.toLocaleString("en")}×`, what: "data" },
    {
      measures: processes,
      label: (at: number) => `${at} process${at === 1 ? "" : "es"}`,
      what: "processes",
    },
  ];
  const charts = rows.flatMap(({ measures, label, what }, row) =>
    KINDS.map(([kind, title], column) =>
      panel(
        xOf(column),
        yOf(row),
        `${title}, by ${what}`,
        measures.map((measure) => ({ label: label(measure.at), cost: measure[kind] })),
      ),
    ),
  );
  const legend = Object.entries({ server: "the platform's processes", database: "the database" }).map(
    ([name, text], nth) =>
      `<rect x="${left + 440 + nth * 190}" y="17" width="12" height="12" fill="${COLOURS[name as keyof typeof COLOURS]}"/><text x="${left + 458 + nth * 190}" y="28">${text}</text>`,
  );
  const size = { width: xOf(2) + width + 20, height: yOf(1) + height + 36 };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="12" fill="${TEXT}">`,
    '<title id="title">What a list, a run and a delivery cost as data and processes grow</title>',
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    `<text x="${left - 32}" y="28" font-size="15" font-weight="600">Microseconds of CPU; processes beside 10× the data</text>`,
    ...legend,
    ...charts,
    "</svg>",
    "",
  ].join("\n");
}
