import {
  type CreateProject,
  type ErrorCode,
  type Project,
  type ProjectList,
  projectsCreate,
  projectsList,
  projectsRead,
} from "hey-api-types";
import { client } from "hey-api-types/client.gen";

/**
 * Calls the API with a customer's client by @hey-api/openapi-ts: it compiles only if names and fields match the
 * document.
 */
export async function useHeyApi(origin: string, key: string) {
  client.setConfig({ baseUrl: `${origin}/v1`, auth: key });
  const body: CreateProject = { name: "Generated", metadata: { from: "hey-api" } };

  const made = await projectsCreate({ body, headers: { "Idempotency-Key": "hey-api-1" } });
  const project: Project | undefined = made.data?.project;

  const list = await projectsList({ query: { limit: 1, status: "active" } });
  const page: ProjectList | undefined = list.data;

  const missing = await projectsRead({ path: { projectId: "proj_none" } });
  const code: ErrorCode | undefined = missing.error?.error.code;

  // @ts-expect-error The document requires an Idempotency-Key for every write.
  const refused = await projectsCreate({ body });
  return { made: project?.name, listed: page?.projects.length, code, refused: refused.response?.status };
}
