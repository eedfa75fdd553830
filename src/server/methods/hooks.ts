import { checkHooks, hookEvents, type LoadedHook } from "../../hooks/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  HookMetadata,
  HooksListEntry,
  HooksListParams,
  HooksListResponse,
} from "../../protocol/rpc/v2/hook.js";
import type { Connection } from "../connection.js";

/** Handles `hooks/list`: reads the hooks of each directory, whether they may run or not. */
export async function listHooks(
  { cwds = [], threadId }: HooksListParams,
  connection: Connection,
): Promise<HooksListResponse> {
  const { parts } = connection.server;
  const own = threadId === undefined ? parts.cwd : connection.thread(threadId).settings.cwd;
  const folders = cwds.length === 0 || threadId !== undefined ? [own] : cwds;
  return { data: await Promise.all(folders.map((cwd) => entryOf(cwd, connection))) };
}

async function entryOf(cwd: string, { server }: Connection): Promise<HooksListEntry> {
  try {
    const config = await server.parts.loadConfig({ type: "configure_session", cwd });
    return toHooksEntry(cwd, checkHooks(config.hooks, config.hook_states));
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    return { cwd, hooks: [], warnings: [], errors: [{ path: cwd, message: error.message }] };
  }
}

/** Formats the hooks of a directory. */
export function toHooksEntry(
  cwd: string,
  { hooks, warnings, problems }: ReturnType<typeof checkHooks>,
): HooksListEntry {
  const errors = problems.map(({ path, message }) => ({ path, message }));
  return { cwd, hooks: hooks.map(toMetadata), warnings: [...warnings], errors };
}

function toMetadata(hook: LoadedHook): HookMetadata {
  const { key, source, currentHash, displayOrder, onFailure, timeoutSec, trustStatus } = hook;
  return {
    key,
    eventName: hookEvents[hook.event].key.replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
    ...handlerFields(hook),
    matcher: hook.matcher ?? null,
    timeoutSec,
    onFailure,
    statusMessage: hook.statusMessage ?? null,
    additionalContextLimit: hook.additionalContextLimit ?? null,
    sourcePath: source.path,
    source: source.kind,
    pluginId: null,
    environmentId: null,
    displayOrder,
    enabled: hook.isEnabled,
    isManaged: source.isManaged,
    currentHash,
    trustStatus,
  };
}

function handlerFields({ handler, isAsync }: LoadedHook) {
  if (handler.type === "command") {
    return { handlerType: "command", command: handler.command, async: isAsync } as const;
  }
  if (handler.type === "http") return { handlerType: "http", url: handler.url } as const;
  return { handlerType: "mcpTool", server: handler.server, tool: handler.tool } as const;
}
