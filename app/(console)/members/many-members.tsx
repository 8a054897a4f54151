"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { roleName, roles } from "#app/(console)/members/queries.ts";
import { RoleField } from "#app/(console)/members/role-field.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import type { Member } from "#server/members/schema.ts";

/** Changes the role of the selected members, or removes them. */
export function ManyMembers({ selection }: { selection: Selection<Member> }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [role, setRole] = useState<Member["role"]>("viewer");
  const choose = (value: string) => {
    const found = roles.find((known) => known.value === value);
    if (found) setRole(found.value);
  };
  return (
    <Many
      selection={selection}
      counted={countedBy("member")}
      noteOf={({ email, role }) => `${email}, ${roleName(role)}`}
      actions={[
        {
          verb: "Change role",
          label: "Change role of",
          text: (
            <div className="flex flex-col gap-3">
              <RoleField name="role" value={role} onChange={choose} error={undefined} />
              <p>
                It applies from each member’s next request on. Keys that a member made and that may do more
                than the new role are revoked, with everything below them. Invitations that a former owner
                sent and nobody has accepted end too.
              </p>
            </div>
          ),
          act: ({ id }) => client.members.update.mutate({ memberId: id, role }),
        },
        {
          verb: "Remove",
          danger: true,
          text: "From this moment each can do nothing here. Every key that they made is revoked with everything below it, and invitations that they sent and nobody has accepted end too.",
          act: ({ id }) => client.members.delete.mutate({ memberId: id }),
        },
      ]}
      refresh={() =>
        Promise.all([
          queries.invalidateQueries(trpc.members.pathFilter()),
          queries.invalidateQueries(trpc.invitations.pathFilter()),
        ])
      }
    />
  );
}
