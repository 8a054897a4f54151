import { onTestFinished } from "vitest";
import { CLOCK } from "#server/base/clock.ts";

/**
 * Stops the clock of the platform in this process at a time in Unix milliseconds, whatever the database tells. Returns a
 * function that lets it run again, at the end of the test at the latest. The database's own clock stays right. A pause of
 * the machine while the clock is read makes it later, never earlier: `currentMs` asks for the start first.
 */
export function stopClock(atMs: number): () => void {
  const get = () => atMs + 0.5 - performance.now();
  Object.defineProperty(globalThis, CLOCK, { configurable: true, get, set: () => undefined });
  const resume = () => void Reflect.deleteProperty(globalThis, CLOCK);
  onTestFinished(resume);
  return resume;
}
