/** A field that differs between two versions, with the value of each; null if it is absent. */
export type Difference = { what: string; first: string | null; second: string | null };

type Content = { definition: unknown; inputSchema: unknown; workflow: { description: string | null } };

/** Returns the differences between two versions of a workflow. Steps are matched by id, wherever they are. */
export function differencesOf(one: Content, other: Content): Difference[] {
  const [first, second] = [fieldsOf(one), fieldsOf(other)];
  const all = [...new Set([...first.keys(), ...second.keys()])];
  return all
    .map((what) => ({ what, first: first.get(what) ?? null, second: second.get(what) ?? null }))
    .filter(({ first, second }) => first !== second);
}

function fieldsOf({ definition, inputSchema, workflow }: Content): Map<string, string> {
  const found = new Map<string, string>();
  collect(definition, "", found);
  if (inputSchema !== null) collect(inputSchema, "inputSchema", found);
  if (workflow.description !== null) found.set("description", workflow.description);
  return found;
}

function collect(value: unknown, path: string, found: Map<string, string>): void {
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (isSteps(value)) {
    found.set(below("order"), value.map(({ id }) => id).join(", "));
    for (const { id, ...step } of value) collect(step, below(id), found);
  } else if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [name, child] of Object.entries(value)) collect(child, below(name), found);
  } else found.set(path, typeof value === "string" ? value : JSON.stringify(value));
}

type Named = { id: string };

/** True if it is a list of items with ids, such as steps. */
function isSteps(value: unknown): value is Named[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.id === "string");
}
