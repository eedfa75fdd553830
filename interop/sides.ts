import { resolve } from "node:path";
import { eraOf } from "../src/compat/index.js";
import { type Opening, startAppServerPartner } from "./app-server-partner.js";
import type { CheckContext } from "./check.js";
import { execPartner } from "./exec-partner.js";
import type { CopyingWriter, Reader, Writer } from "./partner.js";
import { startQueuePartner } from "./queue-partner.js";
import type { Scene } from "./scene.js";

const CODEX = "@openai/codex";

/** Ours, as it is built, over the queues and in an era. */
export function quire(era: string): Writer {
  const command = quireProto;
  const env = { QUIRE_ERA: era };
  return {
    name: `quire proto (era ${era})`,
    runs: runsShell,
    marksInterruption: eraOf(era).engine.contextForm !== "2025",
    start: (scene) => startQueuePartner(scene, { command: command(), env }),
    resume(scene, { path }) {
      const configure = { type: "configure_session", resume_path: path };
      return startQueuePartner(scene, { command: command("--no-session"), env, configure });
    },
  };
}

/** The command of our program over the queues. */
export function quireProto(...args: string[]): string[] {
  return [process.execPath, resolve("bin/quire.js"), "proto", ...args];
}

/** The reference when it still spoke the queues; these take up no recorded conversation. */
export function codexProto(version: string): Writer {
  return {
    ...codexExec(version, "--experimental-json"),
    name: `codex proto ${version}`,
    runs: runsShell,
    marksInterruption: false,
    async start(scene, { packages }) {
      const codex = await packages.program(CODEX, version);
      return startQueuePartner(scene, { command: [...codex, "proto"] });
    },
  };
}

/** The reference as a server; it finds a conversation by its id. */
export function codexAppServer(version: string): CopyingWriter {
  const open = async (scene: Scene, { packages }: CheckContext, opening: Opening) => {
    const codex = await packages.program(CODEX, version);
    return startAppServerPartner(scene, [...codex, "app-server"], opening);
  };
  return {
    name: `codex app-server ${version}`,
    runs: (line, call_id) => ({ call: "exec_command", args: { cmd: line }, call_id }),
    marksInterruption: true,
    start: (scene, context) => open(scene, context, { method: "thread/start" }),
    resume: (scene, recorded, context) =>
      open(scene, context, { method: "thread/resume", recorded }),
    copy: (scene, recorded, context) => open(scene, context, { method: "thread/fork", recorded }),
  };
}

/** The reference for one turn at a time; it finds a conversation by its id. */
export function codexExec(version: string, json = "--json"): Reader {
  return {
    name: `codex exec ${version}`,
    async resume(scene, recorded, { packages }) {
      const codex = await packages.program(CODEX, version);
      return execPartner(scene, [...codex, "exec", json], recorded);
    },
  };
}

const runsShell: Writer["runs"] = (line, call_id) => ({
  call: "shell",
  args: { command: ["bash", "-lc", line] },
  call_id,
});
