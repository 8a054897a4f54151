import type { useTRPCClient } from "#components/trpc.tsx";
import type { Project } from "#server/projects/schema.ts";

type Client = ReturnType<typeof useTRPCClient>;

/** The price of the sample's run, in credits. */
const RUN_CREDITS = 2;

/** The query that finds the sample projects, also the archived ones of samples that were removed. */
export const samplesQuery = { search: "Sample", limit: 100 };

/** True if `addSample` created the project; its metadata lists the created resources. */
export const isSample = ({ metadata }: Pick<Project, "metadata">) => metadata.sample === true;

/** Creates a project with a delivered webhook, an approval to decide and, if the account has credits, a run. */
export async function addSample(client: Client, origin: string): Promise<void> {
  const { project } = await client.projects.create.mutate({
    name: "Sample",
    description: "Created on the overview for a first look, and removed there.",
    metadata: { sample: true },
  });
  const within = { context: { projectId: project.id } };
  const note = (made: object) =>
    client.projects.update.mutate({ projectId: project.id, metadata: { sample: true, ...made } });

  const { webhook } = await client.webhooks.create.mutate(
    { url: `${origin}/inspect`, events: ["*"], description: "Sample: delivered to this platform itself." },
    within,
  );
  // Each id is recorded at once, so that the sample can be removed even if a later step fails.
  await note({ webhookId: webhook.id });
  await client.webhooks.test.mutate({ webhookId: webhook.id }, within);
  const { approval } = await client.approvals.create.mutate(
    {
      serviceId: "managed-memory",
      operationId: "delete",
      input: { name: "sample" },
      reason: "A sample: approve or reject it; neither deletes anything.",
    },
    within,
  );
  await note({ webhookId: webhook.id, approvalId: approval.id });
  const { balance } = await client.credits.balance.read.query();
  if (balance.availableCredits < RUN_CREDITS) return;
  const steps = [
    { id: "rest", type: "wait", seconds: 1 },
    { id: "look", type: "operation", operation: "projects.list", query: { limit: 1 } },
  ];
  const { run } = await client.runs.create.mutate(
    {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow: { name: "Sample", steps } },
    },
    within,
  );
  await note({ webhookId: webhook.id, approvalId: approval.id, runId: run.id });
}

/**
 * Disables the sample's webhook, which cannot be deleted, rejects its pending approval, cancels or forgets its run, and archives its project.
 */
export async function removeSample(client: Client, { id: projectId, metadata }: Project): Promise<void> {
  const within = { context: { projectId } };
  const { webhookId, approvalId, runId } = metadata;
  if (typeof webhookId === "string") {
    await client.webhooks.disable.mutate({ webhookId }, within);
    const description = "Sample: disabled when the sample data was removed.";
    await client.webhooks.update.mutate({ webhookId, description }, within);
  }
  if (typeof approvalId === "string") {
    const { approval } = await client.approvals.read.query({ approvalId });
    const { status, payloadHash } = approval;
    if (status === "pending")
      await client.approvals.decide.mutate({ approvalId, payloadHash, decision: "reject" }, within);
  }
  if (typeof runId === "string") {
    const { run } = await client.runs.read.query({ runId });
    if (run.finishedAt === null) await client.runs.cancel.mutate({ runId }, within);
    else if (run.forgottenAt === null) await client.runs.forget.mutate({ runId }, within);
  }
  await client.projects.archive.mutate({ projectId });
}
