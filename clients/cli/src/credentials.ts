import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { environment } from "./environment.ts";
import { UsageError } from "./failure.ts";

/** One sign-in to one installation. */
export interface Profile {
  /** The platform's address, without `/v1`. */
  baseUrl: string;
  accessToken: string;
  refreshToken: string;
  /** The access token's expiry, ISO 8601. */
  expiresAt: string;
  scope: string;
  /** The secret that `webhooks listen` signs with. */
  webhookSecret?: string;
}

type Profiles = Record<string, Profile>;

const POLL_MS = 25;
/** A refresh gives up after 20 s, so the process of an older lock is gone. */
const STALE_MS = 30_000;

function folder(): string {
  const config = environment.configFolder;
  return join(config && isAbsolute(config) ? config : join(homedir(), ".config"), "managed-services");
}

/** Returns the file that stores the sign-ins. */
export const credentialsFile = () => join(folder(), "credentials.json");

async function readAll(): Promise<Profiles> {
  const file = credentialsFile();
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UsageError(`${file} can't be read: ${error.message}.`);
  });
  if (text === undefined) return {};
  try {
    return (JSON.parse(text) as { profiles: Profiles }).profiles ?? {};
  } catch {
    throw new UsageError(`${file} is damaged. Remove it, and sign in again.`);
  }
}

/** Returns a profile's sign-in; undefined if there is none. */
export async function readProfile(name: string): Promise<Profile | undefined> {
  const profiles = await readAll();
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Returns the names of all profiles. */
export async function profileNames(): Promise<string[]> {
  return Object.keys(await readAll());
}

/**
 * Changes a profile; undefined removes it. No other process of this person can write between reading and writing. The
 * file is readable by this person only, and always complete.
 */
export async function changeProfile(
  name: string,
  change: (profile: Profile | undefined) => Promise<Profile | undefined>,
): Promise<Profile | undefined> {
  const release = await lock();
  try {
    const { [name]: before, ...others } = await readAll();
    const after = await change(before);
    if (after !== before) await writeAll(after ? { ...others, [name]: after } : others);
    return after;
  } finally {
    await release();
  }
}

async function writeAll(profiles: Profiles): Promise<void> {
  const temporary = `${credentialsFile()}.${randomUUID()}`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ profiles }, null, 2)}\n`);
    await file.sync();
    await file.close();
    await rename(temporary, credentialsFile());
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Acquires the lock file and returns its release. A lock whose process is gone is taken over. */
async function lock(): Promise<() => Promise<void>> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = `${credentialsFile()}.lock`;
  for (;;) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) {
      // If several processes find it stale, only one can rename it.
      const gone = `${path}.${randomUUID()}`;
      const moved = await rename(path, gone).then(
        () => true,
        () => false,
      );
      if (moved) await rm(gone, { force: true });
    }
    await sleep(POLL_MS);
  }
}
