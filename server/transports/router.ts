import type { Method } from "#server/operation/declaration.ts";
import type { Operation } from "#server/operation/operation.ts";

interface Node {
  fixed: Map<string, Node>;
  param?: { name: string; node: Node };
  methods: Map<string, Operation>;
}

export type Route =
  | { found: "operation"; operation: Operation; params: Record<string, string> }
  | { found: "path"; allow: Method[] }
  | { found: "nothing" };

const nodeOf = (): Node => ({ fixed: new Map(), methods: new Map() });

/** Finds operations by method and path; paths are relative to `/v1`. */
export function createRouter(operations: readonly Operation[]): (method: string, path: string) => Route {
  const root = nodeOf();
  for (const operation of operations) {
    let node = root;
    for (const segment of operation.path.split("/").slice(1)) {
      if (segment.startsWith("{")) {
        node.param ??= { name: segment.slice(1, -1), node: nodeOf() };
        node = node.param.node;
      } else {
        const next = node.fixed.get(segment) ?? nodeOf();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.methods.set(operation.method, operation);
  }

  return (method, path) => {
    const params: Record<string, string> = {};
    let node = root;
    for (const segment of path.split("/").slice(1)) {
      const next = node.fixed.get(segment);
      if (next) {
        node = next;
      } else if (node.param && segment !== "") {
        try {
          params[node.param.name] = decodeURIComponent(segment);
        } catch {
          return { found: "nothing" };
        }
        node = node.param.node;
      } else {
        return { found: "nothing" };
      }
    }
    if (node.methods.size === 0) return { found: "nothing" };
    const operation = node.methods.get(method === "HEAD" ? "GET" : method);
    return operation
      ? { found: "operation", operation, params }
      : { found: "path", allow: [...node.methods.keys()] as Method[] };
  };
}
