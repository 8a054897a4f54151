import { RelativeTime } from "#components/ui/time.tsx";
import type { DeviceRequest } from "#server/oauth/schema.ts";

type Program = Pick<DeviceRequest, "ip" | "userAgent" | "askedAt">;

/** Shows where a program's request comes from, so that a person notices one that somebody else has sent. */
export function AskingProgram({ ip, userAgent, askedAt }: Program) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      <dt className="text-muted">Address</dt>
      <dd className="break-all">{ip ?? "unknown"}</dd>
      <dt className="text-muted">Program</dt>
      <dd className="break-words">{userAgent ?? "unknown"}</dd>
      <dt className="text-muted">Requested</dt>
      <dd>
        <RelativeTime at={askedAt} />
      </dd>
    </dl>
  );
}
