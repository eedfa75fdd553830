import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CheckContext } from "./check.js";
import { freePort, untilOpen } from "./http-server.js";
import type { Scene } from "./scene.js";

/** A fleet of one worker and one gateway, in place of an app-server. Dispose it. */
export interface SceneFleet extends AsyncDisposable {
  /** Address of the gateway. */
  url: string;
  /** A program that runs `exec` on the fleet, for clients that start it themselves. */
  codex: string;
}

/** Starts a fleet with the settings of the scene; its broker is a folder, so that no other server is needed. */
export async function startFleet(
  scene: Scene,
  codex: string,
  { signal }: CheckContext,
): Promise<SceneFleet> {
  const folder = join(dirname(scene.workspace), "fleet");
  await mkdir(folder);
  const broker = ["--nats", pathToFileURL(join(folder, "broker")).href, "--pool", "default"];
  const url = `ws://127.0.0.1:${await freePort()}`;
  const worker = scene.start([
    codex,
    "fleet",
    "worker",
    ...broker,
    "--workspace-root",
    scene.workspace,
  ]);
  const gateway = scene.start([codex, "fleet", "gateway", ...broker, "--listen", url]);
  await untilOpen(gateway, Number(new URL(url).port), signal);
  const program = join(folder, "codex");
  await writeFile(program, `#!/bin/sh\nexec "${codex}" "$@" --fleet "${broker[1]}"\n`);
  await chmod(program, 0o755);
  return {
    url,
    codex: program,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
    },
  };
}
