"use client";

import type { Capability } from "#app/(console)/services/capability.ts";
import { type CurlCall, curlOf, useOrigin } from "#components/curl.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Section } from "#components/ui/section.tsx";

/** For operations that are not invoked here: shows the call of their own endpoint, of a durable run, or with a key. */
export function CapabilityUse({ capability }: { capability: Capability }) {
  const origin = useOrigin();
  const [why, call] = callFor(capability);
  return (
    <Section title="Use it" description={why}>
      <CodeBlock label="curl" code={curlOf(origin, call)} />
    </Section>
  );
}

function callFor(capability: Capability): [string, CurlCall] {
  const { serviceId, operationId, endpoint, modes, readOnly, requiresApproval } = capability;
  if (endpoint) {
    const body = endpoint.method === "GET" ? {} : { body: {} };
    return [
      "It has an endpoint of its own and is not invoked.",
      { ...endpoint, idempotent: !readOnly, ...body },
    ];
  }
  const post = { method: "POST", idempotent: true };
  if (!modes.includes("invoke"))
    return [
      "It runs durably and is not invoked.",
      { ...post, path: "/runs", body: { serviceId, operationId, input: {} } },
    ];
  if (requiresApproval)
    return [
      "It needs an approval, and your role may not ask for one; a key with approvals:write may.",
      { ...post, path: "/approvals/service-actions", body: { serviceId, operationId, input: {} } },
    ];
  return [
    "Your role may not invoke it; a key with services:invoke may.",
    { ...post, path: `/services/${serviceId}/invoke`, body: { operationId, input: {} } },
  ];
}
