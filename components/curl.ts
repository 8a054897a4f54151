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
  /** The secret to send; by default a variable of the shell stands for it. */
  secret?: string;
};

/** Where the API is reached: at API_ORIGIN if the page's server has one, else where the browser reached the page. */
export function useOrigin(): string {
  const hydrated = useHydrated();
  return hydrated ? (document.documentElement.dataset.apiOrigin ?? window.location.origin) : "$BASE_URL";
}

/** A call of the API for a terminal: `curlOf(origin, { method: "GET", path: "/projects" })`. */
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

/** A word that no shell takes apart. */
function quoted(text: string): string {
  return /^[\w:/.@%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
