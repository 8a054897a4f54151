"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";

export type ImportFormProps = { onStarted: (transferId: string) => void };

/** Chooses an archive and uploads it in parts. */
export function ImportForm({ onStarted }: ImportFormProps) {
  const client = useTRPCClient();
  const [file, setFile] = useState<File>();
  const [dryRun, setDryRun] = useState(false);
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    async mutationFn(archive: File) {
      setProgress(0);
      const { importArchive } = await import("#app/(console)/database/copies/import-archive.ts");
      return importArchive(client, archive, { dryRun, onProgress: setProgress });
    },
  });

  return (
    <form
      className="flex flex-wrap items-center gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        // Not called if the person has left the page meanwhile.
        if (file) upload.mutate(file, { onSuccess: onStarted });
      }}
    >
      <input
        type="file"
        accept=".zip,application/zip"
        aria-label="Archive"
        className="min-w-0 max-w-full text-13 file:mr-3 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-canvas file:px-3 file:font-medium file:text-14 file:text-ink hover:file:bg-hover"
        onChange={(event) => setFile(event.target.files?.[0])}
      />
      <Checkbox label="Check only" checked={dryRun} onChange={(event) => setDryRun(event.target.checked)} />
      <Button type="submit" disabled={!file} pending={upload.isPending}>
        {dryRun ? "Check archive" : "Import archive"}
      </Button>
      {upload.isPending && <progress className="w-full" aria-label="Sent" value={progress} max={1} />}
      <ErrorNotice what="The archive was not imported." error={upload.error} />
    </form>
  );
}
