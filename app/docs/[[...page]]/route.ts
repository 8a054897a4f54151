import { handleDocs } from "#server/docs/handle.ts";

export const GET = handleDocs;
