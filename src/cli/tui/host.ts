import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codexHome, loadConfig } from "../../config/index.js";
import { systemClock } from "../../lib/clock.js";
import { createNew, readFileHead } from "../../lib/files.js";
import { toImageDataUrl } from "../../lib/image.js";
import { programName } from "../../lib/program-name.js";
import type { TuiHost } from "../../tui/index.js";
import type { CommandIo } from "../command.js";
import { demoModel, demoProvider } from "../demo/script.js";

/** Larger images are not shown in the terminal. */
const mostImageBytes = 8 * 1024 * 1024;

/** Maximum number of history messages to load. */
const mostHistory = 500;

/** Options for {@link createTuiHost}. */
export interface TuiHostOptions {
  title: string;
  cwd: string;
  /** Address of `--remote`, which the resume command repeats. */
  remoteUrl: string | undefined;
  /** Settings of the command line, by their dotted names. */
  config: Readonly<Record<string, unknown>>;
}

/** Creates the host services of the terminal UI; `close` ends the ones that were started. */
export function createTuiHost(
  { title, cwd, remoteUrl, config }: TuiHostOptions,
  { env, stderr }: Pick<CommandIo, "env" | "stderr">,
): TuiHost & { close(): Promise<void> } {
  const opened: (() => Promise<void>)[] = [];
  const home = () => codexHome(env);
  let overrides = config;
  return {
    title,
    env,
    resumeCommand(threadId) {
      const remote = remoteUrl === undefined ? "" : ` --remote ${remoteUrl}`;
      return `${programName()} resume ${threadId}${remote}`;
    },
    async readHistory() {
      const { readRecentHistory } = await import("../../history/index.js");
      return readRecentHistory(home(), mostHistory);
    },
    async addHistory(text, threadId) {
      const { appendHistory } = await import("../../history/index.js");
      const { history } = await loadConfig({ env, cwd });
      const settings = { persistence: history.persistence, maxBytes: history.max_bytes };
      const entry = { conversation_id: threadId, text };
      await appendHistory({ home: home(), settings, entry, clock: systemClock });
    },
    async readPrompts() {
      const prompts = await customPrompts(home());
      return prompts.map(({ name, description, argument_hint }) => ({
        name,
        description: description ?? undefined,
        argumentHint: argument_hint ?? undefined,
      }));
    },
    async savePrompt(name, text) {
      const folder = join(home(), "prompts");
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${name}.md`);
      return createNew(file, `${text}\n`) === "made" ? undefined : `${file} exists already`;
    },
    async fillPrompt(line) {
      const { expandPrompt } = await import("../../project/index.js");
      const expanded = expandPrompt(line, await customPrompts(home()));
      if (expanded === undefined) return undefined;
      if (expanded.problem !== undefined) return { problem: expanded.problem };
      return { text: expanded.text };
    },
    async findLocalModel() {
      const { findLocalModel } = await import("../options/local-model.js");
      const { thread, config } = await findLocalModel(
        { provider: undefined, model: undefined },
        { env, cwd },
      );
      overrides = { ...overrides, ...config };
      return { ...thread, config };
    },
    // A remote server has the folders and models of its own machine.
    ...(remoteUrl === undefined
      ? {
          instructionsFile: () => join(home(), "AGENTS.md"),
          readImage(path) {
            const head = readFileHead(path, mostImageBytes);
            return head.problem === undefined && head.whole
              ? toImageDataUrl(head.bytes)
              : undefined;
          },
          async createWorktree(folder, name) {
            const { openWorktree } = await import("../options/in-worktree.js");
            const worktree = await openWorktree(folder, name, { env, overrides });
            opened.push(async () => {
              const kept = await worktree.close();
              if (kept !== undefined) stderr.write(`${kept}\n`);
            });
            return worktree;
          },
          async readBranch(folder) {
            const { readGitInfo } = await import("../../project/index.js");
            return readGitInfo(folder)?.branch ?? undefined;
          },
          async localModels(provider) {
            if (provider === demoProvider)
              return { list: async () => [demoModel], settings: undefined };
            const { localModels } = await import("../options/local-model.js");
            return localModels(provider, overrides, { env, cwd });
          },
        }
      : {}),
    async startDemo() {
      const { startTuiDemo } = await import("./demo.js");
      const demo = await startTuiDemo();
      opened.push(() => demo.close());
      return demo.request;
    },
    async close() {
      await Promise.all(opened.map((close) => close()));
    },
  };
}

async function customPrompts(home: string) {
  const { readCustomPrompts } = await import("../../project/index.js");
  return readCustomPrompts({ home });
}
