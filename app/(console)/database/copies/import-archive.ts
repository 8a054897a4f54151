import { sendBytes } from "#components/send-bytes.ts";
import type { useTRPCClient } from "#components/trpc.tsx";

const PART_BYTES = 16 * 1_048_576;

/**
 * Uploads an archive in parts and imports it; returns the transfer's id. `onProgress` gets the uploaded fraction, from
 * 0 to 1.
 */
export async function importArchive(
  client: ReturnType<typeof useTRPCClient>,
  archive: File,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (progress: number) => void },
): Promise<string> {
  const { transfer } = await client.databases.transfers.create.mutate({ direction: "import", dryRun });
  const { signal } = new AbortController();
  const parts: { partNumber: number; sha256: string }[] = [];
  const count = Math.max(1, Math.ceil(archive.size / PART_BYTES));
  for (let partNumber = 1; partNumber <= count; partNumber++) {
    const { part } = await sendBytes<{ part: { partNumber: number; sha256: string } }>({
      method: "PUT",
      path: `/databases/transfers/${transfer.id}/parts/${partNumber}`,
      body: archive.slice((partNumber - 1) * PART_BYTES, partNumber * PART_BYTES),
      headers: { "content-type": "application/zip" },
      onProgress: (progress) => onProgress((partNumber - 1 + progress) / count),
      signal,
    });
    parts.push({ partNumber, sha256: part.sha256 });
  }
  await client.databases.transfers.complete.mutate({ transferId: transfer.id, parts });
  return transfer.id;
}
