/** Returns the first lines of TypeScript samples, which define `platform`. */
export const connect = (baseUrl: string) => `import { Platform } from "@managed-services/sdk";

const platform = new Platform({ apiKey: process.env.API_KEY, baseUrl: "${baseUrl}" });
`;
