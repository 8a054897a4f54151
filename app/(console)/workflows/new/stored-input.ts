/** The stored workflow whose next version is written, with what that keeps of the one before. */
export interface Earlier {
  name: string;
  version: number;
  inputSchema: unknown;
  description: string | null;
}

interface Content {
  workflow: Pick<Earlier, "name" | "version" | "description">;
  inputSchema?: unknown;
}

/** What the next version keeps of this one, besides its steps. */
export function earlierOf({ workflow, inputSchema }: Content): Earlier {
  const { name, version, description } = workflow;
  return { name, version, inputSchema: inputSchema ?? null, description };
}

/** The input of `put`, which replaces what it leaves out. */
export function putInput({
  name,
  workflow,
  description,
  earlier,
}: {
  name: string;
  workflow: unknown;
  description: string;
  earlier: Earlier | null;
}) {
  return {
    name,
    workflow,
    ...(description !== "" && { description }),
    ...(earlier && { ifVersion: earlier.version }),
    ...(earlier?.inputSchema ? { inputSchema: earlier.inputSchema } : {}),
  };
}
