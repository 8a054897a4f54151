import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import type { Installation } from "../installation.ts";

/** Checks that the counted bytes of the accounts' runs and events are the stored ones. */
export const checkKeptBytes = ({ database }: Installation): Promise<string[]> => keptBytesFaults(database.db);
