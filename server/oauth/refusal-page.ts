import { type HttpResponse, reply } from "#server/base/http-message.ts";
import type { OAuthError } from "./oauth-error.ts";

const STYLE =
  ":root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:25rem;margin:20vh auto;padding:0 1rem}h1{font-size:20px}";
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const BEGIN_AGAIN = "Go back to the app and begin again; if it happens again, tell its makers.";
const TRY_LATER = "Go back to the app and begin again later.";

/** Returns the page for a person whose browser cannot be sent back to the app. It contains no text of the app. */
export function refusalPage(why: string): HttpResponse {
  return page(why, BEGIN_AGAIN);
}

/** Returns the page for a person whose request cannot be answered now, for a reason that is not the app's. */
export function unavailablePage({ status, message, headers }: OAuthError): HttpResponse {
  return page(message, TRY_LATER, { status, headers });
}

function page(
  why: string,
  advice: string,
  { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): HttpResponse {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The app could not be connected</title><style>${STYLE}</style></head><body><main><h1>The app could not be connected</h1><p>${why}</p><p>Nothing was allowed. ${advice}</p></main></body></html>`;
  return reply(body, {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    },
  });
}
