/** Returns an object's field names with their type, for objects that the code itself writes out in full. */
export function keysOf<Fields extends object>(fields: Fields): Extract<keyof Fields, string>[] {
  const keys: Extract<keyof Fields, string>[] = [];
  for (const key in fields) keys.push(key);
  return keys;
}
