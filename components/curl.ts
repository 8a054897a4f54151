"use client";

import { useHydrated } from "#components/ui/hydrated.ts";

export type CurlCall = {
  method: string;
  /** Relative to `/v1`. */
  path: string;
  idempotent: boolean;
  headers?: Record<string, string>;
  /** A JSON body. */
  body?: unknown;
  /** The secret to send; by default a shell variable takes its place. */
  secret?: string;
};

/** Returns the origin of the API: API_ORIGIN if the page's server has one, otherwise the origin of the page. */
export function useOrigin(): string {
  const hydrated = useHydrated();
  return hydrated ? (document.documentElement.dataset.apiOrigin ?? window.location.origin) : "$BASE_URL";
}

/** Returns the curl command of an API call: `curlOf(origin, { method: "GET", path: "/projects" })`. */
export function curlOf(
  origin: string,
  { method, path, idempotent, headers = {}, body, secret = "$API_KEY" }: CurlCall,
): string {
  const sent: Record<string, string> = {
    ...headers,
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${origin}/v1${path}`)}`,
    `-H "Authorization: Bearer ${secret}"`,
    ...(idempotent ? [`-H "Idempotency-Key: $(date +%s)-$RANDOM"`] : []),
    ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ");
}

/** Quotes a word for the shell. */
function quoted(text: string): string {
  return /^[\w:/.@%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
