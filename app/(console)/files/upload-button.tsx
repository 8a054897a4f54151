"use client";

import { useRef } from "react";
import { Button } from "#components/ui/button.tsx";

/** Opens the file picker for uploads. */
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
          // Reset, so that the same file can be chosen again.
          target.value = "";
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        Upload files
      </Button>
    </>
  );
}
