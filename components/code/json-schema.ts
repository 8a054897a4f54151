import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";

/** The keywords of JSON Schema (2020-12) that completion reads. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  enum?: unknown[];
  const?: unknown;
  type?: string;
  description?: string;
}

type Node = ReturnType<typeof syntaxTree>["topNode"];
type Member = { node: Node; name: string; value: unknown };

/** Returns a reader of the schemas that apply to a position in a JSON text, narrowed by the text around it. */
function reader(root: JsonSchema, state: EditorState) {
  function expand(schema: JsonSchema): JsonSchema[] {
    if (schema.$ref) return expand(root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
    const choices = schema.anyOf ?? schema.oneOf;
    return choices ? choices.flatMap(expand) : [schema];
  }

  function read(node: Node | null | undefined): unknown {
    if (!node) return undefined;
    try {
      return JSON.parse(state.sliceDoc(node.from, node.to));
    } catch {
      return undefined;
    }
  }

  const membersOf = (object: Node): Member[] =>
    object.getChildren("Property").map((node) => {
      const scalar = node.getChild("String") ?? node.getChild("Number");
      return { node, name: String(read(node.getChild("PropertyName"))), value: read(scalar) };
    });

  /** Returns an object's schemas that its other members do not rule out, as a step's `type` does. */
  function narrowed(object: Node, except?: Node): JsonSchema[] {
    const others = membersOf(object).filter(({ node }) => node.from !== except?.from);
    const rulesOut = ({ properties }: JsonSchema) =>
      others.some(({ name, value }) => {
        const fixed = properties?.[name]?.const;
        return fixed !== undefined && value !== undefined && fixed !== value;
      });
    return schemasOf(object).filter((schema) => !rulesOut(schema));
  }

  function ofMember(property: Node): JsonSchema[] {
    const name = String(read(property.getChild("PropertyName")));
    if (!property.parent) return [];
    return narrowed(property.parent, property).flatMap(({ properties, additionalProperties: any }) => {
      const schema = properties?.[name] ?? any;
      return typeof schema === "object" ? expand(schema) : [];
    });
  }

  /** Returns the schemas that apply to the value that this node is or belongs to. */
  function schemasOf(node: Node): JsonSchema[] {
    const { parent } = node;
    if (!parent || parent.name === "JsonText") return expand(root);
    if (parent.name === "Property") return ofMember(parent);
    if (parent.name === "Array")
      return schemasOf(parent).flatMap(({ items }) => (items ? expand(items) : []));
    return schemasOf(parent);
  }

  return { membersOf, narrowed, ofMember, schemasOf };
}

function nearest(node: Node, ...names: string[]): Node | null {
  for (let at: Node | null = node; at; at = at.parent) if (names.includes(at.name)) return at;
  return null;
}

/** Completes the names and values of a JSON text by its schema. */
export const completeBySchema =
  (root: JsonSchema) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    const token = node.name === "String" || node.name === "PropertyName" ? node : null;
    const from = token?.from ?? context.matchBefore(/[\w-]*/)?.from ?? pos;
    if (!token && from === pos && !explicit) return null;
    const place = nearest(node, "Property", "Object", "Array");
    const before = state.sliceDoc(0, from).trimEnd().at(-1);
    const schemas = reader(root, state);
    // Inside existing quotes only the quoted text is replaced; it also narrows the choice.
    const [begin, end] = token ? [token.from + 1, token.to - 1] : [from, pos];
    const found = (options: Completion[]) => ({ from: begin, to: end, options });
    if (before === ":" && place?.name === "Property")
      return found(values(schemas.ofMember(place), token === null));
    const object = nearest(node, "Object", "Array");
    if ((before === "{" || before === ",") && object?.name === "Object") {
      const taken = new Set(
        schemas.membersOf(object).map(({ node: member, name }) => member.from !== from && name),
      );
      return found(names(schemas.narrowed(object), token === null).filter(({ label }) => !taken.has(label)));
    }
    if (object?.name === "Array") return found(values(schemas.schemasOf(token ?? node), token === null));
    return null;
  };

function names(schemas: readonly JsonSchema[], alone: boolean): Completion[] {
  const byName = new Map<string, Completion>();
  for (const { properties = {}, required = [] } of schemas)
    for (const [name, { description, type }] of Object.entries(properties)) {
      if (byName.has(name)) continue;
      byName.set(name, {
        label: name,
        apply: alone ? `${JSON.stringify(name)}: ` : name,
        detail: required.includes(name) ? "required" : type,
        boost: required.includes(name) ? 1 : 0,
        ...(description && { info: description }),
      });
    }
  return [...byName.values()];
}

function values(schemas: readonly JsonSchema[], alone: boolean): Completion[] {
  const options = schemas.flatMap(({ enum: some = [], const: one, description, type }) =>
    [...some, ...(one === undefined ? [] : [one]), ...(type === "boolean" ? [true, false] : [])].map(
      (value) => ({
        label: String(value),
        apply: alone ? JSON.stringify(value) : String(value),
        ...(description && { info: description }),
      }),
    ),
  );
  return [...new Map(options.map((option) => [option.label, option])).values()];
}

/** Shows a member's description while the pointer rests on its name. */
export const hoverBySchema = (root: JsonSchema): Extension =>
  hoverTooltip(({ state }, pos, side) => {
    const node = syntaxTree(state).resolveInner(pos, side);
    if (node.name !== "PropertyName" || !node.parent) return null;
    const [{ description } = {}] = reader(root, state)
      .ofMember(node.parent)
      .filter((schema) => schema.description);
    if (!description) return null;
    const dom = document.createElement("p");
    dom.className = "max-w-80 px-2 py-1 text-13";
    dom.textContent = description;
    return { pos: node.from, end: node.to, above: true, create: () => ({ dom }) };
  });
