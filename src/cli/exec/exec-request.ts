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

/** What the command line asks `exec` for, besides what is said to the model. */
export interface ExecRequest extends SessionRequest {
  ephemeral: boolean;
  outputSchema: unknown;
  /** Where the last message is written, as an absolute path. */
  lastMessageFile: string | undefined;
  json: boolean;
  color: "always" | "never" | "auto";
  limits: ExecLimits;
  /** The user's config.toml is not read. */
  ignoresUserConfig: boolean;
}

/** Where a run ends that would go on. */
export interface ExecLimits {
  turns: number;
  seconds: number;
  tokens: number;
}

/** Reads the options of `exec`; what cannot be meant is refused before anything starts. */
export async function toExecRequest(values: ExecValues, io: CommandIo): Promise<ExecRequest> {
  const limits = {
    turns: limitOf(values, "max-turns"),
    seconds: limitOf(values, "max-seconds"),
    tokens: limitOf(values, "max-tokens"),
  };
  if (values["cyber-access-program"] !== undefined) {
    throw new UsageError(
      "--cyber-access-program is not supported: Quire requests no access program of the provider. " +
        "Omit it to use the provider's defaults",
    );
  }
  const session = await toSessionRequest(values, io);
  if (session.remote !== undefined && values["ignore-user-config"]) {
    throw new UsageError(
      "--ignore-user-config and --remote cannot be used together: the settings are the server's",
    );
  }
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
    limits,
    ignoresUserConfig: values["ignore-user-config"],
  };
}

/**
 * Nobody is there to be asked, so nothing is asked unless the command line says otherwise.
 *
 * The user's own settings are about working in a terminal and do not count here.
 */
function approvals(values: ExecValues, { thread }: SessionRequest) {
  if (values["ask-for-approval"] !== undefined) return {};
  if (Object.hasOwn(thread.config, "approval_policy")) return {};
  return { approvalPolicy: "never" } as const;
}

async function readSchema(file: string | undefined, cwd: string): Promise<unknown> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = errorText(error);
    throw new UsageError(`--output-schema: ${path} cannot be read as JSON: ${reason}`);
  }
}

/** What a long run came to must not be lost for want of a folder. */
async function writableFile(file: string | undefined, cwd: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (isFolder) throw new UsageError(`--output-last-message: ${path} is a folder, not a file`);
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`--output-last-message: there is no folder ${folder} to write to`);
  });
  return path;
}

function limitOf(values: ExecValues, name: "max-turns" | "max-seconds" | "max-tokens"): number {
  const text = values[name];
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  const isSeconds = name === "max-seconds";
  if (text.trim() !== "" && limit > 0 && (isSeconds || Number.isInteger(limit))) return limit;
  throw new UsageError(`--${name} is a number above 0, not ${JSON.stringify(text)}`);
}

/**
 * Refuses to work where a mistake of the model could not be undone.
 *
 * That is everywhere outside of a Git repository, unless the user trusts the folder.
 */
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
