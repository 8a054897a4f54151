/** The page shown while the server cannot be reached; it retries by itself. */
const UNREACHABLE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>The server can't be reached · Managed Services</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 14px/1.5 ui-sans-serif, system-ui, sans-serif;
  background: light-dark(oklch(1 0 0), oklch(0.178 0.007 265)); color: light-dark(oklch(0.225 0.014 265), oklch(0.945 0.005 265)); }
main { max-width: 26rem; padding: 24px; }
h1 { margin: 0 0 8px; font-size: 20px; }
p { margin: 0 0 16px; color: light-dark(oklch(0.465 0.018 265), oklch(0.745 0.013 265)); }
a { color: light-dark(oklch(0.475 0.185 276), oklch(0.782 0.108 281)); }
</style>
</head>
<body>
<main>
<h1>The server can't be reached</h1>
<p role="status">Nothing was changed by opening this page. It is tried again every three seconds and opens by itself.</p>
<a href="">Try now</a>
</main>
</body>
</html>`;

const SCRIPT = `
const page = ${JSON.stringify(UNREACHABLE)};
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
};
const unreachable = () => new Response(page, { status: 503, headers });

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()])),
);
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  const answer = async () => (await event.preloadResponse) ?? fetch(event.request);
  event.respondWith(answer().catch(unreachable));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});
async function show(path) {
  const windows = await self.clients.matchAll({ type: "window" });
  const shown = windows.find(({ url }) => new URL(url).pathname === path);
  return shown ? shown.focus() : self.clients.openWindow(path);
}
`;

/**
 * Caches nothing: it only responds if a page was opened and the server did not. A click on a notification shows the page
 * that it is about, in a window of its own if none shows it, because others may hold typed text.
 */
export function GET(): Response {
  return new Response(SCRIPT, {
    headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" },
  });
}
