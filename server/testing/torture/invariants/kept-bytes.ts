import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import type { Installation } from "../installation.ts";

/** What accounts keep as runs and as events is what is counted of it. */
export const checkKeptBytes = ({ database }: Installation): Promise<string[]> => keptBytesFaults(database.db);
