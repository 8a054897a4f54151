import type { Operation } from "#server/operation/operation.ts";

const variable = (name: string) => name.replace(/([A-Z])/g, "_$1").toUpperCase();

/** The call of an operation by the TypeScript SDK; `body` is the example of its JSON body. */
export function sdkExample(operation: Operation, body: unknown, baseUrl: string): string {
  const { operationId, path, scope } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const args = [...named.map(variable), ...inputOf(operation, body)];
  const variables = [
    ...(scope === null ? [] : ["API_KEY"]),
    ...named.map((name) => `${variable(name)} = ""`),
  ];
  const key = scope === null ? "" : "apiKey: API_KEY, ";
  const call = `platform.${operationId}(${args.join(", ")})`;
  return [
    'import { Platform } from "@managed-services/sdk";',
    "",
    ...(variables.length > 0 ? [`const { ${variables.join(", ")} } = process.env;`] : []),
    `const platform = new Platform({ ${key}baseUrl: ${JSON.stringify(baseUrl)} });`,
    operation.stream
      ? `for await (const event of ${call}) console.log(event);`
      : operation.bytes?.when === "always"
        ? `console.log(await ${call}.toFile("FILE"));`
        : `console.log(await ${call});`,
  ].join("\n");
}

function inputOf({ query, body, raw, examples }: Operation, value: unknown): string[] {
  if (raw) {
    // X-File-Name is `name`, X-Service-File-Purpose is `purpose`.
    const fields = Object.entries(examples?.headers ?? {}).map(
      ([header, text]) => `${header.split("-").at(-1)?.toLowerCase()}: ${JSON.stringify(text)}`,
    );
    const type = raw.mediaTypes ? [] : ['contentType: "text/plain"'];
    const all = [...fields, ...type];
    return ['"FILE"', ...(all.length > 0 ? [`{ ${all.join(", ")} }`] : [])];
  }
  const needed = query?.safeParse({}).success === false;
  const sent = needed ? { ...examples?.query, ...(value as object) } : value;
  const text = JSON.stringify(sent, null, 2)?.replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
  return (body || needed) && text !== "{}" ? [text] : [];
}
