"use client";

import { useRef } from "react";
import { Button } from "#components/ui/button.tsx";

/** Asks for files to upload. */
export function UploadButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file may be chosen again.
          target.value = "";
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        Upload files
      </Button>
    </>
  );
}
