import type { Call, Client } from "./client.ts";
import type { Installation } from "./installation.ts";
import type { Random } from "./random.ts";

/** What an area is given to work with. */
export interface AreaContext {
  client: Client;
  installation: Installation;
  /** Tells of a broken promise as soon as it is seen. */
  report(fault: string): void;
  /** A value that no other call has. */
  marker(name: string): string;
  /** The first key of a new account of the area's own with these credits: every scope. */
  createAccount(credits?: number): Promise<{ accountId: string; key: string; keyId: string }>;
}

/** A part of the product as its callers use it. */
export interface Area {
  name: string;
  /** How often it is called, beside the others. */
  weight: number;
  /** Prepares what its calls stand on, while nothing is tortured yet. */
  start(context: AreaContext): Promise<StartedArea>;
}

export interface StartedArea {
  /** Makes one call, or a few that belong together; remembers what was answered. */
  call(random: Random): Promise<unknown>;
  /** Says what is still under way, once nobody calls any more; null: nothing. */
  pending?(): Promise<string | null>;
  /** Returns what is not as it must be, when all is quiet. */
  check(): Promise<string[]>;
}

/** A row in the database that a call has made. */
export interface Made {
  marker: string;
  id: string;
}

/** Each answered call has made one thing, the one that it answered; each refused one none; an unknown one at most one. */
export function checkMadeOnce(
  calls: readonly Call[],
  made: readonly Made[],
  idOf: (call: Call) => string,
): string[] {
  const byMarker = Map.groupBy(made, ({ marker }) => marker);
  const faults = calls.flatMap((call) => {
    const ids = (byMarker.get(call.marker) ?? []).map(({ id }) => id);
    const wanted = call.outcome === "answered" ? [idOf(call)] : [];
    if (call.outcome === "unknown" && ids.length <= 1) return [];
    if (ids.length === wanted.length && ids[0] === wanted[0]) return [];
    const { method, path, marker, outcome, attempts } = call;
    const about = `${method} ${path} (${marker}), ${outcome} (${attempts.join("; ")}),`;
    return [`${about} has made ${JSON.stringify(ids)}, not ${JSON.stringify(wanted)}.`];
  });
  const markers = new Set(calls.map(({ marker }) => marker));
  const foreign = made.filter(({ marker }) => !markers.has(marker));
  return [...faults, ...foreign.map(({ marker, id }) => `Nobody has asked for ${id} (${marker}).`)];
}
