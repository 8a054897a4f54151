"use client";

import type { inferRouterOutputs } from "@trpc/server";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { useProjectName } from "#app/(console)/api-keys/key-columns.tsx";
import { routes } from "#components/routes.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { ExactTime, RelativeTime } from "#components/ui/time.tsx";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

type Read = inferRouterOutputs<ConsoleRouter>["apiKeys"]["read"];

export function KeyFacts({ apiKey, ancestors, createdBy }: Read) {
  const projectName = useProjectName(apiKey.projectId);
  const { invalidBecause, projectId, endUser, revokedAt } = apiKey;
  const culprit = ancestors.find((key) => key.status !== "active");
  return (
    <Facts
      items={[
        ...(invalidBecause && culprit
          ? [
              {
                name: "Refused",
                value: (
                  <>
                    Each request with it answers 401, because{" "}
                    <TextLink href={routes.apiKeys.read(culprit.id)}>{culprit.label}</TextLink> above it{" "}
                    {culprit.status === "revoked" ? "was revoked" : "has expired"}.
                  </>
                ),
              },
            ]
          : []),
        { name: "Id", value: <Copyable value={apiKey.id} full /> },
        { name: "Secret", value: <span className="font-mono text-13">{apiKey.prefix}…</span> },
        {
          name: "Project",
          value: projectId ? (
            <TextLink href={routes.projects.read(projectId)}>{projectName}</TextLink>
          ) : (
            "None: the whole account"
          ),
        },
        ...(endUser === null ? [] : [{ name: "End user", value: <EndUserLink externalId={endUser} /> }]),
        { name: "Privacy tier", value: tiers[apiKey.privacyTier] },
        {
          name: "Created",
          value: (
            <>
              <ExactTime at={apiKey.createdAt} />
              {createdBy && `, by ${createdBy.name}`}
            </>
          ),
        },
        {
          name: "Last used",
          value: (
            <>
              <RelativeTime at={apiKey.lastUsedAt} />
              {" · "}
              <TextLink href={routes.audit({ keyId: apiKey.id })}>Its requests</TextLink>
            </>
          ),
        },
        revokedAt
          ? { name: "Revoked", value: <ExactTime at={revokedAt} /> }
          : { name: "Expires", value: <Expiry apiKey={apiKey} /> },
      ]}
    />
  );
}

const tiers = {
  standard: "Standard: request summaries are kept 30 days",
  private: "Private: no bodies are kept beyond the idempotency window",
  strict: "Strict: stored data is sealed, and purged on completion",
};

function Expiry({ apiKey: { expiresAt, expiryMode } }: Pick<Read, "apiKey">) {
  return (
    <>
      <RelativeTime at={expiresAt} />
      <span className="text-muted">
        {" · "}
        <ExactTime at={expiresAt} />
        {expiryMode === "renewed_by_use" && " · each request moves it to 30 days from then"}
      </span>
    </>
  );
}
