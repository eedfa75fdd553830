import { test as anyTest, expect } from "vitest";
import { writeManyRollouts } from "../../../bench/rollout-files.js";
import { repeats } from "../../support/counts.js";
import { says } from "../../support/model.js";
import { closeBrowserAtEnd, hasBrowser } from "../support/browser.js";
import { send, startWeb } from "../support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const count = repeats(20_000, 2_000);

test("a home of very many threads is listed, searched and used", async () => {
  const server = await startWeb({
    model: [says("Hello.")],
    furnish: ({ home }) => writeManyRollouts(home, count),
  });
  const page = await server.openPage();
  const list = page.getByRole("navigation", { name: "Threads" });
  const search = list.getByRole("searchbox", { name: "Search threads" });
  const shows = (text: string) => list.getByText(text).first().waitFor({ timeout: 60_000 });
  await shows(`Question ${count - 1}:`);

  await search.fill("Question 77:");
  await shows("Question 77:");
  await search.fill(`Answer ${count / 2}:`);
  await send(page, "Hi");
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  await shows(`Answer ${count / 2}:`);

  await search.fill("");
  await list.getByRole("link", { name: "Hi" }).waitFor();
  expect(await list.getByRole("link").count()).toBeLessThan(400);
}, 180_000);
