// Takes the screenshots of the docs: runs the built program in tmux and saves the screen. `node
// scripts/run.mjs scripts/pictures/main.ts`; needs tmux and a build.
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startTerminal } from "../../test/support/terminal.js";
import { writeFirstHour } from "./first-hour.js";
import { scenes } from "./scenes.js";
import { screenColors, screenSvg } from "./svg.js";

const folder = resolve("docs/pictures");
const program = resolve("bin/quire.js");
const columns = 84;

await mkdir(folder, { recursive: true });
await writeFile(resolve("docs/first-hour.md"), await writeFirstHour(program));
console.log("docs/first-hour.md");
for (const { name, alt, options, isLight, play } of scenes) {
  await using terminal = await startTerminal({ columns, program, ...options });
  await play(terminal);
  const screen = await terminal.tmux("capture-pane", "-p", "-e", "-N");
  const colors = isLight ? screenColors.light : screenColors.dark;
  await writeFile(join(folder, `${name}.svg`), screenSvg(screen, columns, alt, colors));
  console.log(`docs/pictures/${name}.svg`);
}
