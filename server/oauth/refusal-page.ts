import { type HttpResponse, reply } from "#server/http-message.ts";

const STYLE =
  ":root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:25rem;margin:20vh auto;padding:0 1rem}h1{font-size:20px}";
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Returns the page for a person whose browser cannot be sent back to the app. It contains no text of the app. */
export function refusalPage(why: string): HttpResponse {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The app could not be connected</title><style>${STYLE}</style></head><body><main><h1>The app could not be connected</h1><p>${why}</p><p>Nothing was allowed. Go back to the app and begin again; if it happens again, tell its makers.</p></main></body></html>`;
  return reply(page, {
    status: 400,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    },
  });
}
