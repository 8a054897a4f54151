import createClient from "openapi-fetch";
import type { components, paths } from "openapi-types";

type Schemas = components["schemas"];

/** Handles an event as a receiver of webhooks does: the event's type determines the type of its data. */
export function nameOf(event: Schemas["WebhookEvent"]): string {
  switch (event.type) {
    case "project.created":
      return event.data.project.name;
    case "run.failed":
      return event.data.run.serviceId;
    default:
      return event.id;
  }
}

/**
 * Calls the API with a customer's typed client, which compiles only if the document describes the calls truly. Each
 * call sends the fields that the document requires, and reads those that it promises.
 */
export async function useTypedClient(origin: string, key: string) {
  const client = createClient<paths>({
    baseUrl: `${origin}/v1`,
    headers: { authorization: `Bearer ${key}` },
  });

  const made = await client.POST("/projects", {
    params: { header: { "Idempotency-Key": "typed-client-1" } },
    body: { name: "Typed", metadata: { from: "openapi-fetch" } } satisfies Schemas["CreateProject"],
  });
  if (!made.data) throw new Error(made.error.error.message);
  const projectId: string = made.data.project.id;

  const read = await client.GET("/projects/{projectId}", { params: { path: { projectId } } });
  const status: "active" | "archived" | undefined = read.data?.project.status;

  const list = await client.GET("/projects", { params: { query: { limit: 1, status: "active" } } });
  const names: string[] = list.data?.projects.map((project) => project.name) ?? [];
  const next: string | null | undefined = list.data?.nextCursor;

  const missing = await client.GET("/projects/{projectId}", { params: { path: { projectId: "proj_none" } } });
  const code: Schemas["ErrorCode"] | undefined = missing.error?.error.code;
  const ok: false | undefined = missing.error?.ok;

  // @ts-expect-error The document requires an Idempotency-Key for every write.
  const refused = await client.POST("/projects", { body: { name: "Typed" } });

  const health = await client.GET("/health");
  return {
    status,
    names,
    next,
    code,
    ok,
    refused: refused.response.status,
    apiVersion: health.data?.apiVersion satisfies "v1" | undefined,
  };
}
