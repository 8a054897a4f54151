"use client";

import type { ReactNode } from "react";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { authTypes } from "#app/(console)/connections/auth-types.ts";
import { routes } from "#components/routes.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { ExactTime, RelativeTime } from "#components/ui/time.tsx";
import type { Connection } from "#server/connections/schema.ts";

type Fact = { name: string; value: ReactNode };

const mono = (text: ReactNode) => <span className="break-all font-mono text-13">{text}</span>;
const fact = (name: string, value: ReactNode): Fact[] => (value === null ? [] : [{ name, value }]);

export function ConnectionFacts({ connection }: { connection: Connection }) {
  const { lastError, tokenScopes, expiresAt, rotatedAt } = connection;
  return (
    <Facts
      items={[
        ...fact(
          "Last error",
          lastError && (
            <span className="text-bad">
              {lastError.message} <RelativeTime at={lastError.at} />
            </span>
          ),
        ),
        { name: "Id", value: <Copyable value={connection.id} full /> },
        { name: "Provider", value: connection.provider },
        { name: "Sent as", value: authTypes.find(({ value }) => value === connection.authType)?.label },
        ...fact("Header", connection.headerName && mono(connection.headerName)),
        ...fact("User", connection.username && mono(connection.username)),
        ...fact("Client id", connection.clientId && mono(connection.clientId)),
        ...fact("Token address", connection.tokenUrl && mono(connection.tokenUrl)),
        ...fact("Scopes", tokenScopes && tokenScopes.length > 0 ? mono(tokenScopes.join(" ")) : null),
        {
          name: "Allowed hosts",
          value: (
            <ul>
              {connection.allowedHosts.map((host) => (
                <li key={host}>{mono(host)}</li>
              ))}
            </ul>
          ),
        },
        {
          name: "Secret",
          value: (
            <>
              Version {connection.secretVersion}
              {rotatedAt !== null && (
                <>
                  , rotated <RelativeTime at={rotatedAt} />
                </>
              )}
              {" · "}
              <span className="text-muted">fingerprint</span> {mono(connection.secretFingerprint)}
            </>
          ),
        },
        {
          name: "Last used",
          value: (
            <>
              <RelativeTime at={connection.lastUsedAt} />
              {" · "}
              <TextLink href={routes.audit({ operation: "connections.use" })}>Uses in the audit</TextLink>
            </>
          ),
        },
        ...fact("Expires", expiresAt && <ExactTime at={expiresAt} />),
        { name: "Created", value: <ExactTime at={connection.createdAt} /> },
        ...fact("End user", connection.endUser && <EndUserLink externalId={connection.endUser} />),
        ...Object.entries(connection.metadata).map(([name, value]) => ({
          name: `Metadata: ${name}`,
          value: typeof value === "string" ? value : JSON.stringify(value),
        })),
      ]}
    />
  );
}
