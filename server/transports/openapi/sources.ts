import type { NamedSchemas } from "./nested.ts";
import type { collectSchemas, Json } from "./schemas.ts";

/** What the entries of the document are made of. */
export interface Sources {
  schemas: ReturnType<typeof collectSchemas>;
  /** Components as declared; examples are built from them. */
  components: Record<string, Json>;
  /** The document's components. */
  named: NamedSchemas;
  baseUrl: string;
}
