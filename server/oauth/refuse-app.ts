import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { withParameters } from "./redirect-uris.ts";
import { decide } from "./requests.ts";
import { Decided, RequestParams } from "./schema.ts";

export const refuseApp = operation({
  id: "apps.refuse",
  method: "POST",
  path: "/app-requests/{requestId}/refuse",
  summary: "Cancel an app's request for access",
  scope: null,
  people: "members",
  idempotent: true,
  surfaces: ["console"],
  params: RequestParams,
  output: Decided,
  errors: ["not_found", "state_conflict"],

  async handler({ params, caller, db }) {
    const decision = { decision: "refused", accountId: caller.accountId, memberId: caller.id } as const;
    const { redirectUri, state } = await decide(db, params.requestId, decision);
    if (redirectUri === null) return { redirectTo: null };
    const refusal = { error: "access_denied", error_description: "The person has refused." };
    return {
      redirectTo: withParameters(redirectUri, { ...refusal, state, iss: platform().settings.baseUrl }),
    };
  },
});
