import { writeCliDocs } from "./cli-docs.js";
import { writeTuiDocs } from "./tui-docs.js";

/** Returns the docs of the program: they import it, so they need sources that compile. */
export async function generateProgramDocs(): Promise<Map<string, string>> {
  return new Map([
    ["docs/cli.md", await writeCliDocs()],
    ["docs/tui.md", writeTuiDocs()],
  ]);
}
