import { heading, json, list, type Page, paragraph } from "../page.ts";

/** Returns the guide for makers of apps that people sign in to. */
export function connectAnAppPage(baseUrl: string): Page {
  return {
    path: "/docs/connect-an-app",
    title: "Connect an app",
    lead: "An app gets access to an account by OAuth 2.1: a person chooses the access, and the app never sees a key.",
    blocks: [
      heading("With an MCP client"),
      paragraph(
        `Enter \`${baseUrl}/mcp\` as the URL of a remote server. The client discovers everything else and opens the browser, where the person decides. Clients without OAuth use [an API key](/docs/mcp).`,
      ),
      heading("With an app of your own"),
      list([
        `Discover: \`${baseUrl}/.well-known/oauth-protected-resource/v1\` (or \`/mcp\`) names the authorization server, \`${baseUrl}/.well-known/oauth-authorization-server\` its addresses (RFC 9728, RFC 8414).`,
        "Let your `client_id` be the https URL of a document on a host of yours (Client ID Metadata Document) with `client_id`, `client_name` and `redirect_uris`: its host vouches for the app. It is read when a person is asked, must respond 200 with at most 5 KB of JSON, and may be cached for a day.",
        "Or register once with your redirect URIs (RFC 7591): https, http on this computer with any port, or a private scheme with a dot in its name.",
        "Send the browser to `/oauth/authorize` with `response_type=code`, PKCE (`S256`), `state`, and `resource` for the API you call. Check `iss` and `state` in the response.",
        "Exchange the code at `/oauth/token` within a minute, once. An access token is valid for an hour, below its `resource`. A refresh token can be used once; it is valid for 30 days, at most until the access ends.",
        "`scope` in the response lists the granted scopes, which may be more or fewer than you requested.",
      ]),
      paragraph(
        "The [command line](/docs/command-line) has no browser of its own: `/oauth/device` gives it a code that its person enters at `/device` (RFC 8628). Only `client_id=cli` can use it; it may get every scope of the role, and spend without a daily limit.",
      ),
      paragraph("A registration:"),
      json({
        client_name: "Notes",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none",
      }),
      heading("What a person allows"),
      list([
        "Scopes within their role, never `api_keys:manage` or `approvals:write`; a project or all; services; a limit in credits a day; requests a minute; an end within a year.",
        "Access with spending scopes has a daily limit. Spending and limits work [like those of a key](/docs/delegation); idempotency keys, runs and webhooks outlive a refresh.",
        "The person is asked each time. To get more access, request it again; earlier access stays until it is revoked or expires.",
        'A call without the required scope gets 403 `scope_missing`, and `WWW-Authenticate` has `error="insufficient_scope"` with the scopes to request. `/mcp` responds to a tool call in the same way if the person can give the scope and has not declined it; otherwise the tool returns the error. A refresh never adds access.',
      ]),
      heading("The end of access"),
      list([
        "The access is an API key of the person with the field `app`: in the console, a person sees and revokes the apps they have connected under [Security](/security), and admins see all of them under [API keys](/api-keys).",
        "Owners decide under [Members](/members) who may connect apps: everyone, admins, or nobody.",
        "Webhooks are sent `app.connected` and `app.ended`, whose `reason` is `revoked`, `expired`, `token_reused` or `membership_ended`.",
        "`/oauth/revoke` with the refresh token ends the access; with an access token, it ends only that token.",
        "It ends when the person who allowed it is no longer a member, and when their role no longer covers it.",
        "A code or a refresh token that is used twice ends it, because somebody else has it, too. A refresh may be repeated within two minutes.",
      ]),
    ],
  };
}
