import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withSealedStdio } from "../../src/exec/index.js";
import { openTerminal } from "../../src/exec/pty.js";
import { quireCommand } from "../support/bin.js";

test.runIf(process.platform === "linux")(
  "[security H12] a program whose terminal is closed ends by the hangup, not by a crash",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "quire-closed-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const folder of ["home", "workspace"]) mkdirSync(join(root, folder));
    const terminal = await openTerminal({ columns: 100, rows: 40 });
    if (terminal === undefined) throw new Error("A terminal cannot be opened");
    let screen = "";
    terminal.outer.on("data", (chunk: Buffer) => {
      screen += chunk;
    });
    // A session leader that opens a terminal by its name gets it as its own.
    const script = 'exec 0<>"$1" 1>&0 2>&0; shift; exec "$@"';
    // It must not hold the other end of its terminal itself.
    const child = withSealedStdio(["ignore", "ignore", "ignore"], (stdio) =>
      spawn("sh", ["-c", script, "sh", terminal.name, ...quireCommand([]).flat()], {
        cwd: join(root, "workspace"),
        env: {
          PATH: process.env.PATH ?? "",
          HOME: root,
          CODEX_HOME: join(root, "home"),
          TERM: "xterm-256color",
          OPENAI_API_KEY: "none",
        },
        detached: true,
        stdio,
      }),
    );
    const ended = once(child, "exit");
    await expect.poll(() => screen.length, { timeout: 20_000 }).toBeGreaterThan(500);

    terminal.close(() => {});

    expect(await ended).toEqual([null, "SIGHUP"]);
  },
);
