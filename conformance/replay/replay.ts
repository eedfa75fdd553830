import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Observed } from "../compare/compare.js";
import type { ObservedEnd } from "../compare/end.js";
import type { Json, Trace, TraceMeta } from "../trace/trace.js";
import { CATCH_UP_MS, Client } from "./client.js";
import {
  type Folders,
  furnish,
  listFiles,
  makeFolders,
  readFiles,
  removeFolders,
} from "./folders.js";
import { chooseIds, LiveBindings } from "./live-bindings.js";
import { startModelServer } from "./model-server.js";
import { inPrivateEtc } from "./private-etc.js";
import { Program } from "./program.js";

/** Options for replaying a trace. */
export interface ReplayOptions {
  /** Replacement for `codex` in a trace's command. */
  program: string[];
  /** The bound of every single wait. */
  timeoutMs: number;
}

/** Plays the client and the model of a trace against a program and returns the program's output. */
export async function replay(trace: Trace, options: ReplayOptions): Promise<Observed> {
  const folders = await makeFolders();
  try {
    return await replayIn(folders, trace, options);
  } finally {
    await removeFolders(folders);
  }
}

async function replayIn(folders: Folders, trace: Trace, options: ReplayOptions): Promise<Observed> {
  const chosen = chooseIds(trace);
  const model = await startModelServer(trace);
  try {
    const places = { ...folders, port: model.port };
    const live = new LiveBindings(trace, chosen, places);
    await furnish(folders, trace.meta, (text) => live.fill(text).value as string);
    const program = new Program({
      command: withEtc(folders, trace.meta, [...options.program, ...trace.meta.command.slice(1)]),
      cwd: folders.workspace,
      env: neutralEnv(folders, trace.meta.version),
    });
    live.follow(program.out);
    model.fillWith(async (answer) => {
      // The server wrote the line it needs before the request, but it may be read after it.
      await program.until(() => live.fill(answer).missing.length === 0, CATCH_UP_MS);
      live.invent(live.fill(answer).missing);
      return live.fill(answer).value;
    });
    try {
      const timeoutMs = Math.max(options.timeoutMs, trace.timeoutMs ?? 0);
      const failure = await new Client(trace, program, live, timeoutMs).run();
      const end = await observeEnd(folders, program.exitCode);
      const { out } = program;
      const { requests } = model;
      return { out, requests, end, places, chosen, ...(failure === undefined ? {} : { failure }) };
    } finally {
      program.kill();
    }
  } finally {
    await model.close();
  }
}

function withEtc(folders: Folders, meta: TraceMeta, command: string[]): string[] {
  return meta.etc_codex === undefined ? command : inPrivateEtc(folders.etc, command);
}

async function observeEnd(folders: Folders, exitCode: number | null): Promise<ObservedEnd> {
  const config = join(folders.codexHome, "config.toml");
  return {
    exitCode,
    workspace: await readFiles(folders.workspace),
    codexHome: await listFiles(folders.codexHome),
    configToml: await readFile(config, "utf8").catch(() => undefined),
    hookStdin: await readJsonLines(join(folders.home, "hook.jsonl")),
  };
}

async function readJsonLines(path: string): Promise<Json[] | null> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return null;
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Json);
}

/** Nothing of the caller's surroundings may show in a trace. */
function neutralEnv(folders: Folders, version: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: folders.home,
    CODEX_HOME: folders.codexHome,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/bash",
    QUIRE_ERA: version.split(".").slice(0, 2).join("."),
  };
}
