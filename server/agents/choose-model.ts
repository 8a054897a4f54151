import { connections } from "#db/schema/connections.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { oneVisible } from "#server/connections/queries.ts";
import { useConnection as openConnection } from "#server/connections/use-connection.ts";
import { ApiError, type Issue, invalid, notFound } from "#server/operation/errors.ts";
import { parseAnswered } from "#server/operation/json-text.ts";
import { platform } from "#server/platform.ts";
import {
  MAX_ANSWER_BYTES,
  openAiCompatible,
  trustedFetch,
} from "#server/providers/model/openai-compatible.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import { priceOf } from "#server/services/prices.ts";
import type { ChosenModel } from "./call-model.ts";
import type { Respond } from "./schema.ts";

/** Returns why no model can be called, or null; a connection provides one. */
export function modelUnavailability(connectionId?: string | null): string | null {
  return platform().settings.model || connectionId
    ? null
    : "No model is configured: set MODEL_BASE_URL and MODEL_NAME, or send a connectionId that leads to a model endpoint.";
}

/** Returns the model of a run: its account's connection, else the platform's. */
export function chooseModel(run: RunContext<Respond>): Promise<ChosenModel> | ChosenModel {
  return run.connectionId === null ? operatorsModel(run.input) : connectionsModel(run, run.connectionId);
}

/** Returns faults of a model's name; a connection may provide any model. */
export function modelIssues(name: string | undefined, connectionId: string | null | undefined): Issue[] {
  const names = platform().settings.model?.names ?? [];
  if (connectionId || name === undefined || names.includes(name)) return [];
  return [{ path: "model", message: `${name} is none of the platform's models: ${names.join(", ")}.` }];
}

function operatorsModel({ model }: Respond): ChosenModel {
  const { model: settings, modelTimeoutSeconds } = platform().settings;
  if (!settings) throw new ApiError("service_unavailable", defined(modelUnavailability()));
  const { baseUrl, names, apiKey } = settings;
  const [issue] = modelIssues(model, null);
  if (issue) throw invalid(`body.input.${issue.path}`, issue.message);
  return {
    model: openAiCompatible({
      baseUrl,
      apiKey,
      model: model ?? defined(names[0]),
      fetch: trustedFetch(modelTimeoutSeconds),
      parse: parseAnswered,
    }),
    creditsPerThousandTokens: priceOf("managed-agents", "respond").credits,
    endpoint: "MODEL_BASE_URL",
    credential: "MODEL_API_KEY",
  };
}

/**
 * Returns the connection's model, whose provider bills the tokens. Its address is in the connection's metadata, else
 * its first host's.
 */
async function connectionsModel(run: RunContext<Respond>, connectionId: string): Promise<ChosenModel> {
  const { caller } = run;
  const [row] = await platform()
    .database.db.select({ allowedHosts: connections.allowedHosts, metadata: connections.metadata })
    .from(connections)
    .where(oneVisible(caller, connectionId));
  if (!row) throw notFound("connection", connectionId);
  const { baseUrl = `https://${row.allowedHosts[0]}/v1`, model = run.input.model } = row.metadata;
  const name = run.input.model ?? model;
  if (typeof name !== "string")
    throw invalid(
      "body.input.model",
      `Say which model, here or as metadata.model of connection ${connectionId}.`,
    );
  const used = await openConnection({ caller, connectionId, requestId: newId("request"), purpose: "agent" });
  return {
    model: openAiCompatible({
      baseUrl: String(baseUrl),
      model: name,
      fetch: (url, { headers, body, signal }) =>
        used.fetch(url, {
          method: "POST",
          headers: Object.fromEntries(new Headers(headers)),
          body: String(body),
          ...(signal && { signal }),
          timeoutMs: platform().settings.modelTimeoutSeconds * 1000,
          maximumBytes: MAX_ANSWER_BYTES,
        }),
      parse: parseAnswered,
    }),
    creditsPerThousandTokens: 0,
    endpoint: `connection ${connectionId}`,
    credential: "its secret",
  };
}
