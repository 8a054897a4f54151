import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NextConfig } from "next";

const COMPILE_AHEAD = "//# allFunctionsCalledOnLoad\n";

/**
 * Lets Chromium compile the framework's scripts, which every page begins with, beside its main thread while they come.
 * Compiled as they are called, they held up a page that was just coming for half of its longest task.
 */
async function compileAhead(distDir: string) {
  const manifest = await readFile(join(distDir, "build-manifest.json"), "utf8");
  const { rootMainFiles }: { rootMainFiles: string[] } = JSON.parse(manifest);
  await Promise.all(
    rootMainFiles.map(async (file) => {
      const path = join(distDir, file);
      await writeFile(path, COMPILE_AHEAD + (await readFile(path, "utf8")));
    }),
  );
}

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  experimental: {
    // An installation builds once; the cache takes longer to write than it saves, and three times the space of the build.
    turbopackFileSystemCacheForBuild: false,
    // Bytes of source. With the default of 50,000 a page loads three more files, which compress worse on their own.
    turbopackChunking: { minChunkSize: 100_000 },
  },
  // `npm test` type-checks the whole tree with TypeScript 7, which Next.js does not drive.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@node-rs/argon2", "graphile-worker", "postgres", "tiny-secp256k1"],
  compiler: { runAfterProductionCompile: ({ distDir }) => compileAhead(distDir) },
};

export default config;
