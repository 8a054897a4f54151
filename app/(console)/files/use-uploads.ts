"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sendBytes } from "#components/send-bytes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { toast } from "#components/ui/toast.tsx";

export type Upload = {
  id: string;
  name: string;
  /** From 0 to 1. */
  progress: number;
  error: unknown;
  cancel: () => void;
  again: () => void;
};

/** Returns the uploads that are running or have failed; completed ones leave the list. */
export function useUploads() {
  const projectId = useChosenProject();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);

  const drop = (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id));
  const change = (id: string, to: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...to } : upload)));

  async function start(file: File, id: string = crypto.randomUUID()) {
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
      drop(id);
    };
    const again = () => void start(file, id);
    const upload = { id, name: file.name, progress: 0, error: null, cancel, again };
    setUploads((all) => [...all.filter((other) => other.id !== id), upload]);
    try {
      await sendBytes({
        method: "POST",
        path: "/files",
        body: file,
        headers: {
          "x-file-name": `UTF-8''${encodeURIComponent(file.name)}`,
          "content-type": file.type || "application/octet-stream",
          ...(projectId && { "x-service-project": projectId }),
        },
        onProgress: (progress) => change(id, { progress }),
        signal: controller.signal,
        idempotencyKey: id,
      });
      drop(id);
      toast(`${file.name} is uploaded.`);
      await queries.invalidateQueries(trpc.files.list.pathFilter());
    } catch (error) {
      change(id, { error });
    }
  }

  return {
    uploads,
    dismiss: drop,
    add: (files: Iterable<File>) => [...files].forEach((file) => void start(file)),
  };
}
