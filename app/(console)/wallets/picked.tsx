import { Mark } from "#components/ui/mark.tsx";

/** Something that was picked, by its name, with what tells it from others of that name. */
export function Picked({ name, about }: { name: string; about: string }) {
  return (
    <>
      <Mark name={name} />
      {name} {about !== name && <span className="break-all font-mono text-12 text-muted">{about}</span>}
    </>
  );
}

/** An address that was picked, after its name where it has one. */
export function PickedAddress({ name, address }: { name: string | undefined; address: string }) {
  return (
    <div className="min-w-0">
      {name && name !== address && <bdi className="block break-words">{name}</bdi>}
      <span className="break-all font-mono text-12 text-muted">{address}</span>
    </div>
  );
}
