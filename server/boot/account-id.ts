import { idOf, uuidOf } from "../base/ids.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the id of the account that an operator names by it, or by its UUID, which queries of the database show; null
 * for any other text.
 */
export function accountIdOf(text: string): string | null {
  if (UUID.test(text)) return idOf("account", text);
  return uuidOf("account", text) && text;
}
