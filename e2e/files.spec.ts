import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const hello = { name: "Grüße.txt", mimeType: "text/plain", buffer: Buffer.from("Hello from a file.\n") };
const pixel = {
  name: "pixel.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};
const page64 = {
  name: "page.html",
  mimeType: "text/html",
  buffer: Buffer.from("<script>document.title = 'run'</script>"),
};

test("files are uploaded, looked at, downloaded and deleted", async ({ page }) => {
  test.slow();
  await signUp(page, "/files");
  await expect(page.getByRole("heading", { name: "No files yet" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Files to upload").setInputFiles([hello, pixel, page64]);
  const table = page.getByRole("table", { name: "Files" });
  await expect(table.getByRole("link")).toHaveCount(3);
  await expect(page.getByText(/^\d+ bytes of 20 GB$/)).toBeVisible();
  await expectGoodLooks(page);

  await table.getByRole("link", { name: "Grüße.txt" }).click();
  await expect(page.getByText("Hello from a file.")).toBeVisible();
  await expectGoodLooks(page);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("Grüße.txt");
  expect(readFileSync(await (await download).path()).toString()).toBe("Hello from a file.\n");
  await page.getByRole("button", { name: "Close" }).click();

  await table.getByRole("link", { name: "pixel.png" }).click();
  const picture = page.getByRole("img", { name: "pixel.png" });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await page.getByRole("button", { name: "Close" }).click();

  // An HTML file is shown as text and never executed, even if its address is opened.
  await table.getByRole("link", { name: "page.html" }).click();
  await expect(page.getByText("document.title = 'run'")).toBeVisible();
  await expect(page).toHaveTitle(/Files/);

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete “page.html”?" });
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("page.html is deleted.")).toBeVisible();
  await expect(table.getByRole("link")).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search" }).fill("pixel");
  await expect(page).toHaveURL("/files?search=pixel");
  await expect(table.getByRole("link")).toHaveCount(1);

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("checkbox", { name: "Choose Grüße.txt" }).check();
  await page.getByRole("checkbox", { name: "Choose pixel.png" }).check();
  await page.getByRole("button", { name: "Delete 2 files" }).click();
  const many = page.getByRole("dialog", { name: "Delete 2 files?" });
  await expect(many).toContainText("Nothing has happened yet.");
  await expectGoodLooks(page);
  await many.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(many).toContainText("Done: 2 of 2.");
  await many.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("heading", { name: "No files yet" })).toBeVisible();
});

test("files are dropped on the page, and an upload that fails says why", async ({ page }) => {
  await signUp(page, "/files");
  const drop = (name: string) =>
    page.evaluateHandle((name) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["dropped"], name, { type: "text/plain" }));
      return transfer;
    }, name);
  const heading = page.getByRole("heading", { name: "Files", level: 1 });
  // Unlike a button, which is enabled once the page's scripts run, a drop does not wait for them.
  await expect(page.getByRole("button", { name: "Sign out" })).toBeEnabled();
  await heading.dispatchEvent("drop", { dataTransfer: await drop("dropped.txt") });
  await expect(page.getByRole("link", { name: "dropped.txt" })).toBeVisible();
  await heading.dispatchEvent("drop", { dataTransfer: await drop("a\u202Eb.txt") });
  await expect(page.getByRole("alert").first()).toContainText("text direction marks");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Dismiss" }).first().click();

  await page.route("**/api/bytes/files", (route) => route.abort(), { times: 1 });
  await page.getByLabel("Files to upload").setInputFiles([hello]);
  const failure = page.getByRole("alert").filter({ hasText: "The upload was cut off on its way." });
  await expect(failure).toContainText("Trying again does not do it twice.");
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: hello.name })).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test("the empty list of artifacts explains their purpose", async ({ page }) => {
  await signUp(page, "/artifacts");
  await expect(page.getByRole("heading", { name: "No artifacts yet" })).toBeVisible();
  await expectGoodLooks(page);
});
