import { Mark } from "#components/ui/mark.tsx";
import { plainName } from "#components/ui/plain-name.ts";

/** Shows a picked item by its name, with details that distinguish it from others of that name. */
export function Picked({ name, about }: { name: string; about: string }) {
  return (
    <>
      <Mark name={name} />
      {name} {about !== name && <span className="break-all font-mono text-12 text-muted">{about}</span>}
    </>
  );
}

/** Shows a picked address, after its name if it has one. */
export function PickedAddress({ name, address }: { name: string | undefined; address: string }) {
  return (
    <div className="min-w-0">
      {name && name !== address && <bdi className="block break-words">{plainName(name)}</bdi>}
      <span className="break-all font-mono text-12 text-muted">{address}</span>
    </div>
  );
}
