import type { Issue } from "./errors.ts";

// Not in the standard library's types yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

/** Whether it is a number that `parseExactly` kept as it was written. */
export { isRawJSON as isWrittenNumber };

/** Whether JavaScript would write this number of a JSON text in other characters. */
export function hasOtherForm(number: string): boolean {
  return String(Number(number)) !== number;
}

/** Parses JSON; a number that JavaScript would write in other characters is written again with those that it had. */
export function parseExactly(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && source !== undefined && hasOtherForm(source) ? rawJSON(source) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/**
 * The value with JavaScript's numbers in place of written ones; what is in a list or an object is replaced there. A
 * number that changes by that is a fault. Fields of these names are left as they are, wherever they stand.
 */
export function toNumbers(
  root: unknown,
  rootPath: string,
  issues: Issue[],
  except: readonly string[] = [],
): unknown {
  const whole = { root };
  const open: { fields: Record<string, unknown>; path: string | null }[] = [{ fields: whole, path: null }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { fields, path } = next;
    for (const [name, child] of Object.entries(fields)) {
      if (typeof child !== "object" || child === null) continue;
      const here = path === null ? rootPath : `${path}.${name}`;
      if (isRawJSON(child)) fields[name] = toNumber(child.rawJSON, here, issues);
      else if (!except.includes(name)) open.push({ fields: child as Record<string, unknown>, path: here });
    }
  }
  return whole.root;
}

function toNumber(written: string, path: string, issues: Issue[]): number {
  const number = Number(written);
  if (!Number.isFinite(number)) issues.push({ path, message: "The number is beyond the range of a double." });
  else if (!isSame(written, String(number)))
    issues.push({
      path,
      message: `${shorten(written)} has more digits than a number keeps. Send it as a string where the field takes one.`,
    });
  return number;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)];
  return a.digits === b.digits && (a.digits === "" || a.power === b.power);
}

/** The digits from the first to the last that is not zero, and the power of ten that the last of them stands for. */
function digitsOf(number: string) {
  const [mantissa = "", exponent = "0"] = number.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  let end = all.length;
  while (all[end - 1] === "0") end -= 1;
  return { digits: all.slice(0, end), power: Number(exponent) - fraction.length + all.length - end };
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}
