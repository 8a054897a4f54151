/** The stored workflow whose next version is edited, with the values that the next version keeps. */
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

/** Returns the values that the next version keeps of this one, besides its steps. */
export function earlierOf({ workflow, inputSchema }: Content): Earlier {
  const { name, version, description } = workflow;
  return { name, version, inputSchema: inputSchema ?? null, description };
}

/** Returns the input of `put`, which resets every field that it leaves out. */
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
