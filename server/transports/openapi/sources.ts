import type { NamedSchemas } from "./nested.ts";
import type { collectSchemas, Json } from "./schemas.ts";

/** The sources of the document's entries. */
export interface Sources {
  schemas: ReturnType<typeof collectSchemas>;
  /** Components as declared; examples are built from them. */
  components: Record<string, Json>;
  /** The document's components. */
  named: NamedSchemas;
  baseUrl: string;
}
