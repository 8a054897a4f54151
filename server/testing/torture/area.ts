import type { Random } from "#server/testing/random.ts";
import type { Call, Client } from "./client.ts";
import type { Installation } from "./installation.ts";

/** The tools of an area. */
export interface AreaContext {
  client: Client;
  installation: Installation;
  /** Reports a broken promise as soon as it is seen. */
  report(fault: string): void;
  /** Returns a value that no other call has. */
  marker(name: string): string;
  /** Creates an account for the area with these credits; returns its first key, which has every scope. */
  createAccount(credits?: number): Promise<{ accountId: string; key: string; keyId: string }>;
}

/** A part of the product as its callers use it. */
export interface Area {
  name: string;
  /** How often it is called, relative to other areas. */
  weight: number;
  /** Creates the resources that its calls need, before any fault. */
  start(context: AreaContext): Promise<StartedArea>;
}

export interface StartedArea {
  /** Makes one call or a few related ones; remembers the responses. */
  call(random: Random): Promise<unknown>;
  /** Stops starting work by itself, once no more calls are made. */
  calm?(): Promise<unknown>;
  /** Returns the work that still runs once no more calls are made; null if none does. */
  pending?(): Promise<string | null>;
  /** Returns the broken promises, when everything is quiet. */
  check(): Promise<string[]>;
}

/** A row in the database that a call has created. */
export interface Made {
  marker: string;
  id: string;
}

/**
 * Checks that each successful call has created exactly the resource it returned, each refused one none, and each
 * unknown one at most one.
 */
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
