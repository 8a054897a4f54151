import { hintOf, roles } from "#app/(console)/members/queries.ts";
import { SelectField } from "#components/form/text-fields.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

/** Chooses a role, and shows its permissions. */
export function RoleField(field: FieldOf<string>) {
  return <SelectField label="Role" hint={hintOf(field.value)} options={roles} {...field} />;
}
