import { access, constants, readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorText } from "../../lib/errors.js";
import { foldersSinceMarker } from "../../lib/files.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import {
  type SessionIo,
  type SessionRequest,
  type ThreadSettings,
  toSessionRequest,
} from "../options/session-request.js";
import type { ExecValues } from "./exec-options.js";

/** Request of `exec` on the command line, without the prompt. */
export interface ExecRequest extends SessionRequest {
  ephemeral: boolean;
  outputSchema: unknown;
  /** File for the final message, as an absolute path. */
  lastMessageFile: string | undefined;
  json: boolean;
  color: "always" | "never" | "auto";
  /** True if the user's config.toml is not read. */
  ignoresUserConfig: boolean;
  /** Cassette that answers in place of the model. */
  replay: { file: string; lenient: boolean } | undefined;
}

/** Resolves the options of `exec`; throws on invalid ones before anything starts. */
export async function toExecRequest(values: ExecValues, io: CommandIo): Promise<ExecRequest> {
  const limits = limitsOf(values);
  if (values["cyber-access-program"] !== undefined) {
    throw new UsageError(
      "--cyber-access-program is not supported: Quire requests no access program. " +
        "Omit it to use the provider's defaults",
    );
  }
  const session = await toSessionRequest(values, io);
  const replay = replayOf(values, session, io);
  if (session.remote !== undefined && values["ignore-user-config"]) {
    throw new UsageError(
      "`--ignore-user-config` and `--remote` cannot be used together: the server reads the config",
    );
  }
  Object.assign(session.thread.config, limits);
  if (values["ignore-rules"]) session.thread.config["features.exec_policy"] = false;
  const outputSchema = await readSchema(values["output-schema"], io.cwd);
  if (session.remote === undefined) await requireRepository(values, session.thread, io);
  const lastMessageFile = await writableFile(values["output-last-message"], io.cwd);
  return {
    ...session,
    thread: {
      ...session.thread,
      ...approvals(values, session),
      ...(values["thread-source"] === undefined ? {} : { threadSource: values["thread-source"] }),
    },
    ephemeral: values.ephemeral,
    outputSchema,
    lastMessageFile,
    json: values.json,
    color: values.color as ExecRequest["color"],
    ignoresUserConfig: values["ignore-user-config"],
    replay,
  };
}

function replayOf(
  { replay, lenient }: ExecValues,
  { remote }: SessionRequest,
  { cwd, record }: CommandIo,
): ExecRequest["replay"] {
  if (replay === undefined) {
    if (lenient) throw new UsageError("`--lenient` needs `--replay FILE`");
    if (record !== undefined && remote !== undefined)
      throw new UsageError(remoteCassette("record"));
    return undefined;
  }
  if (record !== undefined) {
    throw new UsageError("`quire record` and `--replay` cannot be used together");
  }
  if (remote !== undefined) throw new UsageError(remoteCassette("--replay"));
  return { file: resolve(cwd, replay), lenient };
}

function remoteCassette(what: string): string {
  return `\`${what}\` and \`--remote\` cannot be used together: the server talks to the model`;
}

/**
 * Approval policy of a run: `never` unless the command line sets another or chooses the automatic
 * reviewer, as there is no user to ask.
 *
 * The policy of the user's config is meant for the terminal and applies only with the reviewer.
 */
function approvals(values: ExecValues, { thread }: SessionRequest) {
  if (values["ask-for-approval"] !== undefined) return {};
  if (Object.hasOwn(thread.config, "approval_policy")) return {};
  const reviewer = thread.config.approvals_reviewer;
  const isReviewed = reviewer === "auto_review" || reviewer === "guardian_subagent";
  return isReviewed ? {} : ({ approvalPolicy: "never" } as const);
}

async function readSchema(file: string | undefined, cwd: string): Promise<unknown> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = errorText(error);
    throw new UsageError(`--output-schema: cannot read ${path} as JSON: ${reason}`);
  }
}

/** Checks before the run that the final message can be written. */
async function writableFile(file: string | undefined, cwd: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (isFolder) throw new UsageError(`--output-last-message: ${path} is a directory`);
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`--output-last-message: cannot write to directory ${folder}`);
  });
  return path;
}

/** Returns the limits of the command line as budgets of the session. */
function limitsOf(values: ExecValues): Record<string, number> {
  const limits = (["turns", "tokens", "seconds"] as const).flatMap((kind) => {
    const limit = limitOf(values, `max-${kind}`);
    return limit === undefined ? [] : [[`budget.session.${kind}`, limit] as const];
  });
  return Object.fromEntries(limits);
}

function limitOf(
  values: ExecValues,
  name: "max-turns" | "max-seconds" | "max-tokens",
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const limit = Number(text);
  const isSeconds = name === "max-seconds";
  if (text.trim() !== "" && limit > 0 && (isSeconds || Number.isInteger(limit))) return limit;
  throw new UsageError(`Expected --${name} to be a positive number (got ${JSON.stringify(text)})`);
}

/** Throws outside of a Git repository, where changes cannot be undone, unless the directory is trusted. */
async function requireRepository(
  values: ExecValues,
  { cwd }: ThreadSettings,
  io: SessionIo,
): Promise<void> {
  if (values["skip-git-repo-check"] || values["dangerously-bypass-approvals-and-sandbox"]) return;
  if (foldersSinceMarker(cwd, [".git"]) !== undefined) return;
  const { loadConfig } = await import("../../config/index.js");
  const { trust_level } = await loadConfig({ ...io, cwd });
  if (trust_level === "trusted") return;
  throw new UsageError(
    "Not inside a trusted directory and --skip-git-repo-check was not specified.",
  );
}
