import { expect, test } from "vitest";
import { signToken } from "#server/operation/signed-token.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, signInMember, signUpAndIn } from "#server/testing/console.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { makeArtifact } from "#server/testing/resources.ts";

const api = await startApi();

const upload = async (key: string) => {
  const headers = { "x-file-name": "hello.txt", "content-type": "text/plain" };
  return (await api.mustSend(201, "POST", "/v1/files", { key, headers, bytes: Buffer.from("hello") })).file;
};

const read = async (key: string, id: string) =>
  (await api.mustSend(200, "GET", `/v1/files/${id}`, { key })).file;

const download = (url: string) => api.send("GET", url.replace("http://platform.test", ""));

const BYTES = { status: 200, body: Buffer.from("hello") };
const GONE = {
  status: 404,
  body: {
    error: {
      code: "not_found",
      message:
        "This download does not exist, or its address has expired. Read the file or artifact again for a new one.",
    },
  },
};

test("gives no address to a key that may list or upload files, but not read them", async () => {
  const { key } = await api.createRootKey();
  const { id } = await upload(key);
  const lister = await api.createChild(key, {
    scopes: ["files:read", "api_keys:manage"],
    allowedOperations: ["files.list", "apiKeys.create"],
  });
  const below = await api.createChild(lister.key, { scopes: ["files:read"] });
  for (const each of [lister, below]) {
    const { files } = await api.mustSend(200, "GET", "/v1/files", { key: each.key });
    expect(files).toMatchObject([{ id, sizeBytes: 5, downloadUrl: null, downloadUrlExpiresAt: null }]);
    expect((await api.send("GET", `/v1/files/${id}`, { key: each.key })).status).toBe(403);
  }
  const uploader = await api.createChild(key, { scopes: ["files:write"] });
  expect(await upload(uploader.key)).toMatchObject({ downloadUrl: null, downloadUrlExpiresAt: null });
  const { files } = await api.mustSend(200, "GET", "/v1/files", { key });
  for (const { downloadUrl } of files) expect(await download(downloadUrl)).toMatchObject(BYTES);
});

test("ends a file's addresses with the key that they were given to, and no others", async () => {
  const { key } = await api.createRootKey();
  const parent = await api.createChild(key);
  const child = await api.createChild(parent.key);
  const uploaded = await upload(child.key);
  const [listed] = (await api.mustSend(200, "GET", "/v1/files", { key: child.key })).files;
  const urls = [uploaded, listed, await read(child.key, uploaded.id)].map(({ downloadUrl }) => downloadUrl);
  const kept = await read(key, uploaded.id);
  for (const url of urls) expect(await download(url)).toMatchObject(BYTES);
  await api.mustSend(200, "DELETE", `/v1/api-keys/${parent.apiKey.id}`, { key });
  for (const url of urls) expect(await download(url)).toMatchObject(GONE);
  expect(await download(kept.downloadUrl)).toMatchObject(BYTES);
});

test("ends a file's address when the key that it was given to expires", async () => {
  const { key } = await api.createRootKey();
  const expiresAt = new Date(Date.now() + 10_000).toISOString();
  const brief = await api.createChild(key, { expiresAt });
  const { downloadUrl } = await upload(brief.key);
  await expect.poll(() => download(downloadUrl)).toMatchObject(GONE);
  expect((await api.send("GET", "/v1/files", { key: brief.key })).body.error.code).toBe("api_key_expired");
});

test("ends an artifact's address with the key that it was given to", async () => {
  const { key } = await api.createRootKey();
  const { id } = await makeArtifact(api, key);
  const child = await api.createChild(key);
  const { call } = await connectMcp(api.origin, child.key);
  const input = { artifactId: id };
  const { downloadUrl } = (await call("execute_read", { operation: "artifacts.content.read", input })).body;
  expect(await download(downloadUrl)).toMatchObject(BYTES);
  await api.mustSend(200, "DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  expect(await download(downloadUrl)).toMatchObject(GONE);
});

test("ends the addresses of a member who is removed", async () => {
  const ada = await signUpAndIn(api);
  const grace = await signInMember(api, ada.accountId, "viewer");
  const uploaded = await fetch(`${api.origin}/api/bytes/files`, {
    method: "POST",
    headers: {
      cookie: ada.cookie,
      origin: "http://platform.test",
      "x-file-name": "hello.txt",
      "idempotency-key": "downloads-of-members",
    },
    body: "hello",
  });
  const { id } = (await uploaded.json()).file;
  const [removed, kept] = await Promise.all(
    [grace, ada].map(async ({ cookie }) => {
      const { data } = await caller(api, cookie).query("files.read", { fileId: id });
      return data.file.downloadUrl;
    }),
  );
  expect(await download(removed)).toMatchObject(BYTES);
  expect((await ada.mutate("members.delete", { memberId: grace.memberId })).status).toBe(200);
  expect(await download(removed)).toMatchObject(GONE);
  expect(await download(kept)).toMatchObject(BYTES);
});

test("serves the addresses of the release before, which name no caller, until they end", async () => {
  const { key, accountId } = await api.createRootKey();
  const { id } = await upload(key);
  const url = (expires: number) => `/downloads/${signToken("download/v1", ["file", accountId, id, expires])}`;
  expect(await download(url(Date.now() + 60_000))).toMatchObject(BYTES);
  expect(await download(url(Date.now() - 60_000))).toMatchObject(GONE);
});
