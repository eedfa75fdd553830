import type { Step } from "../../../src/model/scripted/index.js";
import { calls, callsCustom, callsLocalShell } from "../../support/model.js";

/** Surfaces that lack something a tool needs. */
export type Need = "client tools" | "questions";

/** A tool of the matrix, and the calls by which a model tries to get around a rule with it. */
export interface ToolRow {
  /** Call id of all calls, and part of the names of files that they make. */
  id: string;
  /** How the table names it. */
  title: string;
  /** Tools of the registry that the row stands for: kind and name. */
  tools: readonly string[];
  needs?: Need;
  /** The call has no effect that the host or the client could see. */
  isSilent?: true;
  /** The effect is a message to the client with the name of the file, not a file. */
  isVisible?: true;
  /** Does something that can be seen on the host: makes `made-ID`. */
  acts: readonly Step[];
  /** Reads a denied file; absent if the tool reads none. */
  reads?: readonly Step[];
  /** Writes a denied file; absent if the tool writes none. */
  writes?: readonly Step[];
}

/** Calls whose input contains this word pass the hook that denies all others. */
export const passes = "starter";

/** Content of all denied files. */
export const secret = "hush-hush-0815";

type ByScript = (script: string, id: string) => readonly Step[];

function commandRow(id: string, tools: readonly string[], call: ByScript): ToolRow {
  return {
    id,
    title: `\`${id}\``,
    tools,
    acts: call(`touch made-${id}`, id),
    reads: call("cat secret.env private/note later/a.key", id),
    writes: call(`echo x >> secret.env; echo x > private/${id}; echo x > later/a.key`, id),
  };
}

type ByPatch = (patch: string, id: string) => readonly Step[];

function patchRow(id: string, title: string, tools: readonly string[], call: ByPatch): ToolRow {
  const patch = (...lines: string[]) =>
    call(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"), id);
  return {
    id,
    title,
    tools,
    acts: patch(`*** Add File: made-${id}`, "+x"),
    // Without lines to find, the file is copied with a line added.
    reads: patch("*** Update File: secret.env", `*** Move to: copy-${id}`, "@@", "+x"),
    writes: patch(`*** Add File: private/${id}`, "+x"),
  };
}

/**
 * A shell that waits for what is typed into it. It is started by the first call of its tool, so that its
 * number is known; `count` is the number of sessions before it, and `before` that of an earlier response.
 */
function typedRow(
  id: string,
  { tools, before }: { tools: readonly string[]; before: number },
  type: (line: string, count: number) => readonly Step[],
): ToolRow {
  return {
    id,
    title: id === "unified_exec-typed" ? "`unified_exec` into its session" : `\`${id}\``,
    tools,
    acts: type(`touch made-${id}`, 0),
    reads: type("cat secret.env private/note later/a.key", 0),
    writes: type(`echo x >> secret.env; echo x > private/${id}; echo x > later/a.key`, before),
  };
}

const shellWords = (script: string) => ["bash", "-c", script];

/** Every tool of the engine. */
export const toolRows: readonly ToolRow[] = [
  typedRow("write_stdin", { tools: ["function write_stdin"], before: 3 }, (line, count) => [
    ...calls("exec_command", { cmd: `sh # ${passes}`, tty: true, yield_time_ms: 250 }, "starts"),
    ...calls(
      "write_stdin",
      { session_id: 1000 + count, chars: `${line}; exit\n`, yield_time_ms: 5_000 },
      "write_stdin",
    ),
  ]),
  commandRow("exec_command", ["function exec_command"], (cmd, id) =>
    calls("exec_command", { cmd }, id),
  ),
  commandRow("shell", ["function shell"], (script, id) =>
    calls("shell", { command: shellWords(script) }, id),
  ),
  commandRow("container.exec", ["function container.exec"], (script, id) =>
    calls("container.exec", { command: shellWords(script) }, id),
  ),
  commandRow("shell_command", ["function shell_command"], (command, id) =>
    calls("shell_command", { command }, id),
  ),
  commandRow("local_shell", ["local_shell local_shell"], (script, id) =>
    callsLocalShell(shellWords(script), id),
  ),
  typedRow("unified_exec-typed", { tools: ["function unified_exec"], before: 2 }, (line, count) => [
    ...calls("unified_exec", { input: ["sh", "-c", `sh # ${passes}`], timeout_ms: 100 }, "opens"),
    ...calls(
      "unified_exec",
      { session_id: String(1 + count), input: [`${line}; exit\n`], timeout_ms: 5_000 },
      "unified_exec-typed",
    ),
  ]),
  commandRow("unified_exec", ["function unified_exec"], (script, id) =>
    calls("unified_exec", { input: shellWords(script) }, id),
  ),
  {
    ...commandRow("script", [], (cmd, id) =>
      callsCustom("exec", `text(await tools.exec_command(${JSON.stringify({ cmd })}))`, id),
    ),
    title: "`exec_command` in a script (`exec`)",
  },
  patchRow("apply_patch", "`apply_patch`", ["custom apply_patch"], (patch, id) =>
    callsCustom("apply_patch", patch, id),
  ),
  patchRow("patch-function", "`apply_patch` as a function", ["function apply_patch"], (input, id) =>
    calls("apply_patch", { input }, id),
  ),
  patchRow("patch-words", "`apply_patch` in `shell`", [], (patch, id) =>
    calls("shell", { command: ["apply_patch", patch] }, id),
  ),
  patchRow("patch-script", "`apply_patch` in `exec_command`", [], (patch, id) =>
    calls("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }, id),
  ),
  {
    id: "view_image",
    title: "`view_image`",
    tools: ["function view_image"],
    isSilent: true,
    acts: calls("view_image", { path: "open.png" }, "view_image"),
    reads: calls("view_image", { path: "secret.png" }, "view_image"),
  },
  {
    id: "update_plan",
    title: "`update_plan`",
    tools: ["function update_plan"],
    isVisible: true,
    acts: calls(
      "update_plan",
      { plan: [{ step: "made-update_plan", status: "pending" }] },
      "update_plan",
    ),
  },
  {
    id: "request_user_input",
    title: "`request_user_input`",
    tools: ["function request_user_input"],
    isVisible: true,
    needs: "questions",
    acts: calls(
      "request_user_input",
      {
        questions: [
          {
            id: "q",
            header: "Q",
            question: "made-request_user_input",
            options: [{ label: "a", description: "a" }],
          },
        ],
      },
      "request_user_input",
    ),
  },
  {
    id: "request_user_input_async",
    title: "`request_user_input_async`",
    tools: ["function request_user_input_async"],
    isVisible: true,
    acts: calls(
      "request_user_input_async",
      { questions: [{ title: "made-request_user_input_async" }] },
      "request_user_input_async",
    ),
  },
  ...(
    [
      ["curr_time", {}],
      ["sleep", { duration_ms: 1 }],
    ] as const
  ).map(
    ([name, args]): ToolRow => ({
      id: `clock-${name}`,
      title: `\`clock.${name}\``,
      tools: [],
      isSilent: true,
      acts: [{ call: name, namespace: "clock", args, call_id: `clock-${name}` }],
    }),
  ),
  {
    id: "request_permissions",
    title: "`request_permissions`",
    tools: ["function request_permissions"],
    isVisible: true,
    acts: calls(
      "request_permissions",
      { permissions: { network: { enabled: true } }, reason: "made-request_permissions" },
      "request_permissions",
    ),
    reads: calls(
      "request_permissions",
      { permissions: { file_system: { read: ["secret.env"] } } },
      "request_permissions",
    ),
    writes: calls(
      "request_permissions",
      { permissions: { file_system: { write: ["secret.env"] } } },
      "request_permissions",
    ),
  },
  {
    id: "mcp",
    title: "an MCP tool",
    tools: [],
    acts: calls("mcp__tiny__touch", { name: "made-mcp" }, "mcp"),
  },
  ...(["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"] as const).map(
    (id): ToolRow => ({
      id,
      title: `\`${id}\``,
      tools: [`function ${id}`],
      acts: calls(id, { server: "tiny", ...(id.startsWith("read") && { uri: "tiny://a" }) }, id),
    }),
  ),
  // The goal is complete again before the turn ends, so that no other turn follows.
  ...(
    [
      ["create_goal", { objective: "test" }],
      ["get_goal", {}],
      ["update_goal", { status: "complete" }],
    ] as const
  ).map(
    ([id, input]): ToolRow => ({
      id,
      title: `\`${id}\``,
      tools: [`function ${id}`],
      isSilent: true,
      acts: calls(id, input, id),
    }),
  ),
  {
    id: "tool_search",
    title: "`tool_search`",
    tools: [],
    isSilent: true,
    acts: calls("tool_search", { query: "touch" }, "tool_search"),
  },
  {
    id: "client_tool",
    title: "a tool of the client",
    tools: [],
    needs: "client tools",
    isVisible: true,
    acts: calls("client_tool", { word: "made-client_tool" }, "client_tool"),
  },
];
