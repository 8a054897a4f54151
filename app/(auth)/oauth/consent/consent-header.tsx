import { TriangleAlert } from "lucide-react";
import { AskingProgram } from "#app/(auth)/asking-program.tsx";
import type { AppRequest } from "#server/oauth/schema.ts";

/** Shows the app's own name and, larger, the host that vouches for it. */
export function ConsentHeader({ request: { app, returnsTo, program } }: { request: AppRequest }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h1 className="break-words font-semibold text-20">Connect {app.name}?</h1>
      <AppIdentity app={app} waits={returnsTo === null} />
      {program && <AskingProgram {...program} />}
      {returnsTo ? <RedirectTarget {...returnsTo} /> : <DeviceCodeWarning />}
    </div>
  );
}

/** Shows which host vouches for the app's identity. */
function AppIdentity({ app, waits }: { app: AppRequest["app"]; waits: boolean }) {
  // Unproved: any program can ask for a code.
  if (waits)
    return (
      <p className="text-muted">The command line of this platform, or a program that claims to be it.</p>
    );
  if (app.verified) return <p className="break-all font-semibold text-24">{app.host}</p>;
  return (
    <div>
      <p className="flex items-center gap-2 font-semibold text-24 text-warn">
        <TriangleAlert aria-hidden className="size-5 shrink-0" />
        Unverified app
      </p>
      <p className="text-13 text-muted">It chose its name itself; nobody vouches for it.</p>
    </div>
  );
}

function DeviceCodeWarning() {
  return (
    <div className="flex min-w-0 gap-2 rounded-md border border-warn/40 bg-warn-soft p-3 text-13">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <p className="min-w-0 break-words">
        <strong>The program that shows the code</strong> gets this access, wherever it runs. Go on only if you
        started it yourself, just now.
      </p>
    </div>
  );
}

function RedirectTarget({ kind, address }: NonNullable<AppRequest["returnsTo"]>) {
  if (kind === "web")
    return (
      <p className="break-words">
        Afterwards your browser goes to <span className="break-all font-medium">{address}</span>.
      </p>
    );
  return (
    <div className="flex min-w-0 gap-2 rounded-md border border-warn/40 bg-warn-soft p-3 text-13">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <p className="min-w-0 break-words">
        Afterwards your browser goes to <strong>an app on this computer</strong> ({address}). Any program here
        could be asking: go on only if you have just started this yourself.
      </p>
    </div>
  );
}
