import { AFTER_ROWS, type DumpObject } from "./objects.ts";

/** Objects need each other in a way that no order of statements serves. */
export class NoOrder extends Error {}

export interface Order {
  before: DumpObject[];
  after: DumpObject[];
}

const byRank = (a: DumpObject, b: DumpObject) =>
  a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Whether rows go into it, so that it must be there before them. */
const isTable = ({ key, name }: DumpObject) => key.startsWith("pg_class/") && name.startsWith("table ");

/**
 * Puts objects into an order in which each follows what it needs, by their ranks where that leaves a choice. A view or
 * function that is part of a circle is made twice: first by its stand-in.
 */
export function orderObjects(objects: readonly DumpObject[]): Order {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const all = [...objects];

  /** The object that stands in for another, which from now on replaces it. */
  function standInOf(object: DumpObject): DumpObject | null {
    if (object.standIn === null) return null;
    const key = `${object.key}/stand-in`;
    const known = byKey.get(key);
    if (known) return known;
    const made: DumpObject = {
      ...object,
      key,
      sql: [object.standIn],
      needs: object.standInNeeds,
      standIn: null,
      standInNeeds: [],
    };
    object.needs.push(key);
    byKey.set(key, made);
    all.push(made);
    return made;
  }

  function redirect(from: DumpObject, to: DumpObject): boolean {
    const standIn = from.key === `${to.key}/stand-in` ? null : standInOf(to);
    if (!standIn) return false;
    from.needs = from.needs.map((key) => (key === to.key ? standIn.key : key));
    return true;
  }

  const needed = (object: DumpObject) => object.needs.map((key) => byKey.get(key) as DumpObject);

  /** Objects that are themselves made after the rows, or need one that is. */
  function findLate(): Set<DumpObject> {
    const users = new Map<DumpObject, DumpObject[]>(all.map((object) => [object, []]));
    for (const object of all) for (const other of needed(object)) users.get(other)?.push(object);
    const late = new Set(all.filter(({ rank }) => rank >= AFTER_ROWS));
    for (const object of late) for (const user of users.get(object) ?? []) late.add(user);
    return late;
  }

  /** What tables need must not wait for the rows: a view that does so is stood in for. */
  function freeTables(): void {
    const late = findLate();
    const early = new Set(all.filter(isTable));
    for (const object of early) {
      for (const other of needed(object)) {
        if (other.rank >= AFTER_ROWS) throw new NoOrder(`${object.name}, which needs ${other.name}`);
        if (!late.has(other) || !redirect(object, other)) early.add(other);
      }
      for (const other of needed(object)) early.add(other);
    }
  }

  /** Takes one object of a circle, in which each needs the next, out of it; answers whose need it has changed. */
  function breakCircle(circle: readonly DumpObject[]): DumpObject {
    const steps = circle.map((object, place) => ({
      from: object,
      to: circle[(place + 1) % circle.length] as DumpObject,
    }));
    // A view is stood in for rather than a function.
    steps.sort((a, b) => b.to.rank - a.to.rank);
    const broken = steps.find(({ from, to }) => redirect(from, to));
    if (broken) return broken.from;
    throw new NoOrder(`${circle.map(({ name }) => name).join(", ")}, which need each other`);
  }

  /** Follows needs from each object in turn, with a list of what is still to be looked at instead of recursion. */
  function sort(): DumpObject[] {
    const sorted: DumpObject[] = [];
    const done = new Set<DumpObject>();
    const open = new Set<DumpObject>();
    const enter = (object: DumpObject) => {
      open.add(object);
      return { object, rest: needed(object).sort(byRank) };
    };
    for (const start of [...all].sort(byRank)) {
      if (done.has(start)) continue;
      const path = [enter(start)];
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const next = top.rest.shift();
        if (!next) {
          path.pop();
          open.delete(top.object);
          done.add(top.object);
          sorted.push(top.object);
        } else if (open.has(next)) {
          const circle = path.slice(path.findIndex(({ object }) => object === next));
          const from = breakCircle(circle.map(({ object }) => object));
          while (path.at(-1)?.object !== from) open.delete(path.pop()?.object as DumpObject);
          path[path.length - 1] = enter(from);
        } else if (!done.has(next)) path.push(enter(next));
      }
    }
    // Stand-ins that were made on the way were needed, and so visited, on the way.
    return sorted;
  }

  freeTables();
  const sorted = sort();
  const late = findLate();
  return {
    before: sorted.filter((object) => !late.has(object)),
    after: sorted.filter((object) => late.has(object)),
  };
}
