import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./globals.css", import.meta.url), "utf8");

const surfaces = ["canvas", "sunken", "raised", "hover"];
const pairs = [
  ...["ink", "muted", "faint", "accent-text", "bad"].flatMap((text) => surfaces.map((on) => [text, on])),
  ...["ok", "warn", "bad", "info", "ink", "muted"].flatMap((text) =>
    ["ok", "warn", "bad", "info"].map((on) => [text, `${on}-soft`]),
  ),
  ["accent-text", "accent-soft"],
  ["ink", "accent-soft"],
  ["muted", "accent-soft"],
  ["accent-ink", "accent"],
  ["accent-ink", "accent-hover"],
  ["accent-ink", "bad-fill"],
  ["accent-ink", "bad-fill-hover"],
] as [string, string][];

describe.each([":root", ".dark"])("the tokens of %s", (selector) => {
  const block = css.slice(css.indexOf(`${selector} {`));
  const luminance = (token: string) => {
    const [, l, c, h] = block.match(new RegExp(`--${token}: oklch\\((\\S+) (\\S+) ([^ )]+)\\)`)) ?? [];
    return relativeLuminance(Number(l), Number(c), Number(h));
  };
  const contrast = (a: string, b: string) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  it.each(pairs)("keep %s readable on %s", (text, surface) => {
    expect(contrast(text, surface)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["accent", "mark-warn", "mark-bad"])("keep %s visible in a chart", (mark) => {
    expect(contrast(mark, "canvas")).toBeGreaterThanOrEqual(3);
  });

  it.each(["canvas", "sunken", "raised"])("keep the border of a field visible on %s", (surface) => {
    expect(contrast("line-strong", surface)).toBeGreaterThanOrEqual(3);
  });
});

/** Converts OKLCH to WCAG relative luminance, clipped to sRGB as browsers do. */
function relativeLuminance(l: number, c: number, h: number): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
