import type { Project } from "#server/projects/schema.ts";

type Metadata = Project["metadata"];

/** Converts metadata to editable texts; values that are not strings become JSON. */
export function textsOf(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** Returns the metadata of an edited form: an unchanged value keeps its type, a changed one becomes a string. */
export function metadataOf(texts: Record<string, string>, before: Metadata): Metadata {
  const shown = textsOf(before);
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const was = before[key];
      return [key, was !== undefined && shown[key] === text ? was : text];
    }),
  );
}
