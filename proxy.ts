import { type NextRequest, NextResponse } from "next/server";

/** Answers every page with a Content-Security-Policy of its own, whose nonce Next.js puts on its scripts. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = crypto.randomUUID();
  const policy = contentSecurityPolicy(nonce);

  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  // Where a visitor who is not signed in yet wants to go; layouts are not told.
  headers.set("x-wanted", request.nextUrl.pathname + request.nextUrl.search);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set("X-Frame-Options", "DENY");
  response.headers.set("X-Content-Type-Options", "nosniff");
  const forApp = isOnTheWayOfAnApp(request.nextUrl);
  response.headers.set("Referrer-Policy", forApp ? "no-referrer" : "same-origin");
  // An app that has opened a popup waits for its own page there, which a severed opener would never reach.
  response.headers.set("Cross-Origin-Opener-Policy", forApp ? "unsafe-none" : "same-origin");
  response.headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  return response;
}

/** The consent page and that for codes, and signing in on the way there. */
function isOnTheWayOfAnApp({ pathname, searchParams }: URL): boolean {
  const isOnIt = (path: string) => /^\/(oauth|device)(?:[/?]|$)/.test(path);
  const signsIn = pathname === "/sign-in" || pathname === "/sign-up";
  return isOnIt(pathname) || (signsIn && isOnIt(searchParams.get("next") ?? ""));
}

function contentSecurityPolicy(nonce: string): string {
  // In development React rebuilds server stacks with eval, and the overlay brings style elements of its own.
  const development = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Positions of menus and sizes of charts are style attributes; they run nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Pages only: the API, MCP, health, the reference (static, with a policy of its own) and assets pass untouched. */
export const config = {
  matcher: [
    {
      source:
        "/((?!(?:v1|mcp|health|openapi\\.json|downloads|receipts|watch|resume|in|inspect|oauth/(?:authorize|device|register|revoke|token)|\\.well-known|api|docs|llms\\.txt|service-worker\\.js|_next)(?:/|$)|icon\\.svg$|favicon\\.ico$).*)",
      missing: [{ type: "header", key: "next-router-prefetch" }],
    },
  ],
};
