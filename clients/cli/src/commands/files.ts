import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Arguments, formatOf, textOf } from "../arguments.ts";
import { UsageError } from "../failure.ts";
import { plainText, printBytes, printRows, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { progressOf, shownFile } from "../progress.ts";
import { openSession } from "../session.ts";

/** Uploads files one after the other. */
export const uploadFiles: OwnCommand = {
  words: [["files", "up"]],
  usage: "PATH … [--purpose TEXT] [--content-type TYPE]",
  summary: "Upload files; their hashes are compared",
  about: { "--purpose TEXT": "what they are for", "--content-type TYPE": "their media type" },
  options: () => ({ purpose: { type: "string" }, "content-type": { type: "string" } }),
  async run(given) {
    const paths = given.positionals;
    if (paths.length === 0) throw new UsageError("Name a file: msp files up PATH …");
    const sizes = new Map<string, number>();
    for (const path of paths) {
      const found = await stat(path).catch((cause) => {
        throw new UsageError(`${path} can't be read: ${cause.message}.`);
      });
      if (!found.isFile()) throw new UsageError(`${path} is no file.`);
      sizes.set(path, found.size);
    }
    const { platform } = await openSession(given);
    const files = [];
    for (const path of paths) {
      const progress = progressOf(basename(path), sizes.get(path) ?? 0);
      const file = await platform.files
        .create(progress ? await shownFile(path, progress) : path, {
          name: basename(path),
          purpose: textOf(given, "purpose"),
          contentType: textOf(given, "content-type"),
        })
        .finally(() => progress?.end());
      say(`${path}: ${file.sizeBytes} bytes, SHA-256 ${file.sha256}`);
      files.push(file);
    }
    printRows(files as unknown as Record<string, unknown>[], formatOf(given), [
      "id",
      "name",
      "sizeBytes",
      "sha256",
    ]);
  },
};

/** Downloads a file; the target appears once it is complete and its hash is verified. */
export const downloadFile: OwnCommand = {
  words: [["files", "down"]],
  usage: "FILE-ID [PATH|-]",
  summary: "Download a file, by default under its own name; its hash is compared",
  about: { "--force": "replaces a file that is there" },
  options: () => ({ force: { type: "boolean" } }),
  async run(given: Arguments) {
    const [id, target, ...more] = given.positionals;
    if (id === undefined || more.length > 0)
      throw new UsageError("Name one file: msp files down FILE-ID [PATH].");
    const { platform } = await openSession(given);
    if (target === "-") return printBytes(platform.files.download(id));
    const file = await platform.files.read(id);
    const isFolder = await stat(target ?? ".").then(
      (found) => found.isDirectory(),
      () => false,
    );
    // The uploader chose the file's name, so it must not be used as a path.
    const name = plainText(file.name)
      .replace(/[\\/:]/g, "_")
      .replace(/^\.+/, "_");
    const path = isFolder ? join(target ?? ".", name || id) : (target as string);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere && !given.values.force) throw new UsageError(`${path} is there. --force replaces it.`);
    const progress = progressOf(basename(path), file.sizeBytes);
    const onProgress = (bytes: number) => progress?.show("Downloading", bytes);
    const { size, sha256 } = await platform.files
      .download(id)
      .toFile(path, { onProgress })
      .finally(() => progress?.end());
    say(`${path}: ${size} bytes, SHA-256 ${sha256}`);
  },
};
