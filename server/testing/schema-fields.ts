import { z } from "zod";

/**
 * Yields the fields of a schema at every depth with their places, such as `body.filter[].path`, and the elements of its
 * lists, such as `body.tags[]`.
 */
export function* fieldsOf(
  schema: unknown,
  place: string,
  seen = new Set<unknown>(),
): Generator<[place: string, field: z.ZodType]> {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) {
      yield [`${place}.${name}`, field as z.ZodType];
      yield* fieldsOf(field, `${place}.${name}`, seen);
    }
  else if (schema instanceof z.ZodUnion) for (const one of schema.options) yield* fieldsOf(one, place, seen);
  else if (schema instanceof z.ZodArray) {
    yield [`${place}[]`, schema.element as z.ZodType];
    yield* fieldsOf(schema.element, `${place}[]`, seen);
  } else if (schema instanceof z.ZodRecord) yield* fieldsOf(schema.valueType, `${place}[]`, seen);
  else if (schema instanceof z.ZodPipe) yield* fieldsOf(schema.in, place, seen);
  else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  )
    yield* fieldsOf(schema.unwrap(), place, seen);
}
