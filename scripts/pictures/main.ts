// Takes the screenshots of the docs: runs the built program in tmux and saves the screen. `node
// scripts/run.mjs scripts/pictures/main.ts`; needs tmux and a build.
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startTerminal } from "../../test/support/terminal.js";
import { scenes } from "./scenes.js";
import { screenSvg } from "./svg.js";

const folder = resolve("docs/pictures");
const program = resolve("bin/quire.js");
const columns = 84;

await mkdir(folder, { recursive: true });
for (const { name, alt, options, play } of scenes) {
  await using terminal = await startTerminal({ columns, program, ...options });
  await play(terminal);
  const screen = await terminal.tmux("capture-pane", "-p", "-e");
  await writeFile(join(folder, `${name}.svg`), screenSvg(screen, columns, alt));
  console.log(`docs/pictures/${name}.svg`);
}
