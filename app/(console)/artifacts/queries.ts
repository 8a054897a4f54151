export const filterNames = ["runId"] as const;

/** What the list asks for. */
export function artifactsQuery({ runId }: { runId: string }, cursor?: string) {
  return { ...(runId && { runId }), ...(cursor && { cursor }) };
}
