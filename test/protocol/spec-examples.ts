/** An example of the specification, with its placeholders filled in. */
export interface SpecExample {
  name: string;
  kind: "submission" | "event" | "policy" | "input" | "change" | "item" | "line";
  json: unknown;
}

const tokenUsage = {
  input_tokens: 123,
  cached_input_tokens: 45,
  output_tokens: 67,
  reasoning_output_tokens: 10,
  total_tokens: 245,
};
const duration = { secs: 1, nanos: 500_000_000 };
const invocation = { server: "todo", tool: "plan/update", arguments: { step: 1 } };
const text = { type: "text", text: "Hello" };
const workspaceWrite = {
  mode: "workspace-write",
  writable_roots: ["/absolute/path"],
  network_access: false,
  exclude_tmpdir_env_var: false,
  exclude_slash_tmp: false,
};

const ops: unknown[] = [
  { type: "interrupt" },
  { type: "user_input", items: [text] },
  {
    type: "user_turn",
    items: [text],
    cwd: "/Users/alice/project",
    approval_policy: "on-request",
    sandbox_policy: workspaceWrite,
    model: "o4-mini",
    effort: "medium",
    summary: "auto",
  },
  {
    type: "override_turn_context",
    cwd: "/new/path",
    approval_policy: "never",
    sandbox_policy: { mode: "read-only" },
    model: "o4-mini",
    effort: null,
    summary: "concise",
  },
  { type: "exec_approval", id: "exec-call-id", decision: "approved" },
  { type: "exec_approval", id: "exec-call-id", decision: "approved_for_session" },
  { type: "exec_approval", id: "exec-call-id", decision: "denied" },
  { type: "patch_approval", id: "patch-call-id", decision: "abort" },
  { type: "add_to_history", text: "Note" },
  { type: "get_history_entry_request", offset: 0, log_id: 123456 },
  { type: "get_path" },
  { type: "list_mcp_tools" },
  { type: "list_custom_prompts" },
  { type: "compact" },
  {
    type: "review",
    review_request: {
      prompt: "Review the changes...",
      user_facing_hint: "Focus on performance",
    },
  },
  { type: "shutdown" },
  { type: "configure_session" },
  { type: "list_skills", cwds: ["/a"], force_reload: true },
  { type: "user_input_answer", id: "t1", response: { answers: { q1: { answers: ["Red"] } } } },
];

const changes = {
  "/a": { type: "add", content: "..." },
  "/b": { type: "delete", content: "..." },
  "/c": { type: "update", unified_diff: "@@ ...", move_path: "/new/path.rs" },
};
const plan = [
  { step: "Read", status: "completed" },
  { step: "Write", status: "in_progress" },
  { step: "Test", status: "pending" },
];
const place = { thread_id: "c", turn_id: "t1", item_id: "m1" };

const events: unknown[] = [
  { type: "error", message: "m" },
  { type: "warning", message: "m" },
  { type: "task_started", model_context_window: 128_000, collaboration_mode_kind: "plan" },
  { type: "task_started" },
  { type: "task_complete", last_agent_message: "Done", response_id: "resp_1" },
  { type: "task_complete" },
  {
    type: "token_count",
    info: {
      total_token_usage: tokenUsage,
      last_token_usage: tokenUsage,
      model_context_window: 128_000,
    },
  },
  { type: "turn_aborted", reason: "interrupted" },
  { type: "turn_aborted", reason: "replaced" },
  { type: "turn_aborted", reason: "review_ended" },
  { type: "shutdown_complete" },
  { type: "stream_error", message: "m" },
  { type: "background_event", message: "m" },
  { type: "agent_message", message: "m" },
  { type: "agent_message_delta", delta: "d" },
  { type: "agent_message_content_delta", ...place, delta: "d" },
  { type: "user_message", message: "m", kind: "plain", images: ["data:image/png;base64,AA=="] },
  { type: "agent_reasoning", text: "t" },
  { type: "agent_reasoning_delta", delta: "d" },
  { type: "agent_reasoning_raw_content", text: "t" },
  { type: "agent_reasoning_raw_content_delta", delta: "d" },
  { type: "agent_reasoning_section_break" },
  { type: "plan_update", explanation: "Why", plan },
  { type: "plan_delta", ...place, delta: "d" },
  {
    type: "session_configured",
    session_id: "67e55044-10b1-426f-9247-bb680e5fe0c8",
    model: "o4-mini",
    reasoning_effort: "medium",
    history_log_id: 0,
    history_entry_count: 0,
    initial_messages: [{ type: "agent_message", message: "before" }],
    rollout_path: "/r/file.jsonl",
  },
  { type: "conversation_path", conversation_id: "c", path: "/r/file.jsonl" },
  {
    type: "get_history_entry_response",
    offset: 0,
    log_id: 1,
    entry: { conversation_id: "c", ts: 1, text: "t" },
  },
  { type: "mcp_tool_call_begin", call_id: "c1", invocation },
  {
    type: "mcp_tool_call_end",
    call_id: "c1",
    invocation,
    duration,
    result: { content: [{ type: "text", text: "ok" }], isError: false },
  },
  { type: "mcp_tool_call_end", call_id: "c1", invocation, duration, result: "no such tool" },
  {
    type: "mcp_list_tools_response",
    tools: { todo__list: { name: "list", inputSchema: { type: "object" } } },
  },
  {
    type: "list_custom_prompts_response",
    custom_prompts: [{ name: "review", path: "/p/review.md", content: "Review." }],
  },
  {
    type: "list_skills_response",
    skills: [
      {
        cwd: "/a",
        skills: [{ name: "s", description: "d", path: "/a/SKILL.md", scope: "repo" }],
        errors: [{ path: "/b/SKILL.md", message: "no name" }],
      },
    ],
  },
  {
    type: "request_user_input",
    call_id: "c1",
    turn_id: "t1",
    questions: [
      {
        id: "q1",
        header: "Color",
        question: "Which color?",
        isOther: true,
        options: [{ label: "Red", description: "Warm" }],
      },
    ],
  },
  { type: "web_search_begin", call_id: "ws_1" },
  { type: "web_search_end", call_id: "ws_1", query: "q" },
  {
    type: "exec_command_begin",
    call_id: "c1",
    command: ["cat", "a"],
    cwd: "/a",
    parsed_cmd: [
      { type: "read", cmd: "cat a", name: "a" },
      { type: "list_files", cmd: "ls", path: "src" },
      { type: "search", cmd: "rg x", query: "x", path: "src" },
      { type: "unknown", cmd: "make" },
    ],
  },
  { type: "exec_command_output_delta", call_id: "c1", stream: "stdout", chunk: "b2sK" },
  { type: "exec_command_output_delta", call_id: "c1", stream: "stderr", chunk: "" },
  {
    type: "exec_command_end",
    call_id: "c1",
    stdout: "ok\n",
    stderr: "",
    aggregated_output: "ok\n",
    exit_code: 0,
    duration,
    formatted_output: "ok\n",
  },
  { type: "exec_approval_request", call_id: "c1", command: ["rm", "a"], cwd: "/a", reason: "r" },
  { type: "patch_apply_begin", call_id: "c1", auto_approved: true, changes },
  { type: "patch_apply_end", call_id: "c1", stdout: "", stderr: "", success: true },
  {
    type: "apply_patch_approval_request",
    call_id: "c1",
    changes,
    reason: "r",
    grant_root: "/a",
  },
  { type: "turn_diff", unified_diff: "diff --git ..." },
  { type: "entered_review_mode", prompt: "Review", user_facing_hint: "hint" },
  {
    type: "exited_review_mode",
    review_output: {
      findings: [
        {
          title: "t",
          body: "b",
          confidence_score: 0.9,
          priority: 1,
          code_location: { absolute_file_path: "/a", line_range: { start: 1, end: 2 } },
        },
      ],
      overall_correctness: "patch is incorrect",
      overall_explanation: "e",
      overall_confidence_score: 0.8,
    },
  },
  { type: "exited_review_mode" },
];

const items: unknown[] = [
  {
    type: "message",
    id: "m1",
    role: "user",
    content: [
      { type: "input_text", text: "t" },
      { type: "input_image", image_url: "data:image/png;base64,AA==" },
      { type: "output_text", text: "t" },
    ],
  },
  {
    type: "reasoning",
    id: "r1",
    summary: [{ type: "summary_text", text: "t" }],
    content: [
      { type: "reasoning_text", text: "t" },
      { type: "text", text: "t" },
    ],
    encrypted_content: "e",
  },
  {
    type: "local_shell_call",
    id: "l1",
    call_id: "c1",
    status: "completed",
    action: {
      type: "exec",
      command: ["ls"],
      timeout_ms: 1000,
      working_directory: "/a",
      env: { A: "1" },
      user: "u",
      with_escalated_permissions: true,
      justification: "j",
    },
  },
  { type: "function_call", id: "f1", name: "shell", arguments: "{}", call_id: "c1" },
  { type: "function_call_output", call_id: "c1", output: "ok" },
  {
    type: "custom_tool_call",
    id: "t1",
    status: "completed",
    call_id: "c1",
    name: "apply_patch",
    input: "i",
  },
  { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
  {
    type: "web_search_call",
    id: "w1",
    status: "completed",
    action: { type: "search", query: "q" },
  },
  { type: "other" },
];

const timestamp = "2025-09-05T16:53:11.850Z";
const lines: unknown[] = [
  {
    timestamp,
    type: "session_meta",
    payload: {
      id: "c",
      timestamp,
      cwd: "/a",
      originator: "o",
      cli_version: "1",
      instructions: "i",
      git: { commit_hash: "h", branch: "main", repository_url: "u" },
    },
  },
  { timestamp, type: "response_item", payload: items[0] },
  { timestamp, type: "compacted", payload: { message: "m" } },
  {
    timestamp,
    type: "turn_context",
    payload: {
      cwd: "/a",
      approval_policy: "never",
      sandbox_policy: { mode: "danger-full-access" },
      model: "m",
      effort: "low",
      summary: "auto",
    },
  },
  { timestamp, type: "event_msg", payload: { type: "agent_message", message: "m" } },
];

/** Every example of the specification and of the overview, one by one. */
export const specExamples: SpecExample[] = [
  ...[{ mode: "danger-full-access" }, { mode: "read-only" }, workspaceWrite].map(named("policy")),
  ...[
    text,
    { type: "image", image_url: "data:image/png;base64,AA==" },
    { type: "local_image", path: "/absolute/path.png" },
    { type: "text", text: "t", text_elements: [{ byte_range: { start: 0, end: 1 } }] },
    { type: "skill", name: "s", path: "/s/SKILL.md" },
    { type: "mention", name: "m", path: "app://m" },
  ].map(named("input")),
  ...ops.map((op) => ({ id: "unique-turn-id", op })).map(named("submission")),
  ...events.map((msg) => ({ id: "submission-id", msg })).map(named("event")),
  ...Object.values(changes).map(named("change")),
  ...items.map(named("item")),
  ...lines.map(named("line")),
];

function named(kind: SpecExample["kind"]): (json: unknown) => SpecExample {
  return (json) => {
    const { op, msg, type, mode } = json as Record<string, { type?: string } | string>;
    const tag = [op, msg].map((part) => Object(part).type).find(Boolean) ?? type ?? mode;
    return { name: `${kind} ${String(tag)}`, kind, json };
  };
}
