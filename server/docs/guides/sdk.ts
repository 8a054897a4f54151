/** How a guide's TypeScript begins: `platform` is what its samples call. */
export const connect = (baseUrl: string) => `import { Platform } from "@managed-services/sdk";

const platform = new Platform({ apiKey: process.env.API_KEY, baseUrl: "${baseUrl}" });
`;
