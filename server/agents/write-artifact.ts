import { z } from "zod";
import type { Artifact } from "#server/artifacts/schema.ts";
import { plainName } from "#server/files/schema.ts";
import { invalidRequest, issuesOf } from "#server/operation/input.ts";
import { issueText } from "#server/operation/issue-text.ts";
import { unstorable } from "#server/operation/storable.ts";
import { isMediaType } from "#server/operation/upload.ts";
import type { OfferedTool } from "#server/providers/model/model.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import { AGENT_LIMITS } from "./schema.ts";

/** The selector and name of the agent's own tool, which only affects its run. */
export const WRITE_ARTIFACT = "write_artifact";

const most = AGENT_LIMITS.maximumArtifactBytes;

const ArtifactFile = z.strictObject({
  name: plainName.describe("The file's name, with its ending; no path."),
  mediaType: z
    .string()
    .refine(isMediaType, "Send a media type like text/markdown.")
    .describe("The content's media type, like text/markdown, text/csv or application/json."),
  content: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= most, `At most ${most} bytes.`)
    .describe(`The whole content as text, at most ${most} bytes.`),
});

/** True if these selectors include it; it is included by default, since it changes no existing data. */
export function mayWriteArtifacts(selectors: readonly string[] | undefined): boolean {
  return selectors?.some((selector) => selector === "*" || selector === WRITE_ARTIFACT) ?? true;
}

/** Returns the tool's description for the model. */
export function offerArtifacts(): OfferedTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(ArtifactFile, { io: "input" });
  const description =
    "Leaves a file for the customer, as an artifact of this run. For a result that is longer than an answer, or that is to be kept as a file. Each call leaves another one.";
  return { name: WRITE_ARTIFACT, description, inputSchema };
}

/** Writes the file that a model sent, once; faults are reported like those of any call. */
export function writeArtifact(
  run: RunContext,
  step: string,
  sent: unknown,
): Promise<z.output<typeof Artifact>> {
  const faults = unstorable(sent);
  const file = ArtifactFile.safeParse(sent, { error: issueText });
  if (faults.length > 0) throw invalidRequest(faults);
  if (!file.success) throw invalidRequest(issuesOf(file.error, "body"));
  return run.artifact(step, { ...file.data, content: Buffer.from(file.data.content) });
}
