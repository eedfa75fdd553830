import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** Returns the elements that make the page scroll sideways. */
export function wideElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const scrolling = "main, .scroller, .dock, nav, .empty, .approval, .table-scroller";
    const all = [root, document.body, ...document.querySelectorAll(scrolling)];
    return all
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .map((one) => `${one.tagName} ${one.className} ${one.scrollWidth}`);
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the findings of axe for WCAG 2.2 A and AA. */
export async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await axe.run(document, { runOnly: rules });
    return violations.map(({ impact, id, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
  });
}
