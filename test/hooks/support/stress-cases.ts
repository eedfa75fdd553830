/** A hook that misbehaves, and what a turn makes of it. */
export interface StressCase {
  name: string;
  /** Handlers of the `PreToolUse` event for the call of this case; `AT` is the address of the test's server. */
  hooks: readonly object[];
  /** Status and text that clients get of each run. */
  runs: readonly (readonly [status: string, text?: string | RegExp])[];
  /** The reason that the model gets in place of the output; absent if the call runs. */
  blocked?: string | RegExp;
  /** Output of a call that failed without being blocked. */
  output?: string;
}

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const answers = (answer: unknown) =>
  command(`cat <<'EOF'\n${typeof answer === "string" ? answer : JSON.stringify(answer)}\nEOF`);
const specific = (fields: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
});
const http = (path: string, more: object = {}) => ({ type: "http", url: `AT${path}`, ...more });
const deadServer = { type: "mcp_tool", server: "dead", tool: "check", timeout: 5 };
const short = { timeout: 1 };
const late = "hook timed out after 1s";
const invalid = "hook returned invalid pre-tool-use JSON output";
const silent = "the PreToolUse hook gave no reason";
const unsupported = (what: string) => `PreToolUse hook returned unsupported ${what}`;
const bomb =
  "bomb() { [ $1 -gt 5 ] && exec sleep 60; bomb $(($1+1)) & bomb $(($1+1)) & wait; }; bomb 0";

function failing(name: string, hook: object, text: string | RegExp): StressCase {
  return { name, hooks: [hook], runs: [["failed", text]] };
}

/** Failures of hooks: the call runs, unless the hook says otherwise. */
const failures: readonly StressCase[] = [
  failing("exits with 1", command("exit 1"), "hook exited with code 1"),
  failing("exits with 255", command("exit 255"), "hook exited with code 255"),
  failing("names a missing program", command("no-such-program"), "hook exited with code 127"),
  failing("names a file that is no program", command("./plain"), "hook exited with code 126"),
  failing("answers with broken JSON", command("echo '{nope'"), invalid),
  failing("answers with half of a JSON", command(`printf '{"decision":"block"'`), invalid),
  failing("answers with an unknown field", answers({ descision: "block" }), invalid),
  failing("answers with a list", answers([{ decision: "block" }]), invalid),
  failing("answers with the wrong type", answers({ decision: 1 }), invalid),
  failing("sleeps", command("sleep 60", short), late),
  failing(
    "ignores signals",
    command("trap '' TERM INT HUP; sleep 60 & wait; sleep 60", short),
    late,
  ),
  failing("forks", command(bomb, short), late),
  failing("prints without end", command("yes", short), late),
  failing("prints errors without end", command("yes >&2", short), late),
  failing("leaves a child that holds its output", command("sleep 60 & exit 0", short), late),
  failing(
    "leaves a session that holds its output",
    command("setsid sleep 60 & exit 0", short),
    late,
  ),
  failing("kills itself", command("sleep 60 & kill -9 $$", short), late),
  failing("kills itself alone", command("kill -9 $$"), "hook exited without a status code"),
  failing("is an HTTP server that hangs", http("/hang", short), late),
  failing("is an HTTP server that redirects", http("/moved"), "hook answered with HTTP status 302"),
  failing("is an HTTP server that fails", http("/broken"), "hook answered with HTTP status 500"),
  failing("is an HTTP server that hangs up", http("/cut"), /^hook could not be reached at /),
  failing("is a body without an end", http("/endless", short), /^hook timed out|invalid/),
  failing("is a tool of a dead MCP server", deadServer, /dead/),
  failing(
    "asks",
    answers(specific({ permissionDecision: "ask" })),
    unsupported("permissionDecision:ask"),
  ),
  failing(
    "allows",
    answers(specific({ permissionDecision: "allow" })),
    unsupported("permissionDecision:allow"),
  ),
  failing("approves", answers({ decision: "approve" }), unsupported("decision:approve")),
  failing("stops", answers({ continue: false }), unsupported("continue:false")),
  failing(
    "changes the input without allowing it",
    answers(specific({ updatedInput: { changed: 1 } })),
    "PreToolUse hook returned updatedInput without permissionDecision:allow",
  ),
];

const others: readonly StressCase[] = [
  {
    name: "exits with 2 and no reason",
    hooks: [command("exit 2")],
    runs: [["blocked", silent]],
    blocked: silent,
  },
  {
    name: "exits with 2 and a blank reason",
    hooks: [command("echo ' ' >&2; exit 2")],
    runs: [["blocked", silent]],
    blocked: silent,
  },
  { name: "is silent", hooks: [command("true")], runs: [["completed"]] },
  { name: "prints text", hooks: [command("echo hello")], runs: [["completed"]] },
  { name: "prints bytes", hooks: [command("printf '\\377\\376\\000x'")], runs: [["completed"]] },
  {
    name: "blocks with bytes",
    hooks: [command("printf 'no \\377' >&2; exit 2")],
    runs: [["blocked", "no \ufffd"]],
    blocked: "no \ufffd",
  },
  {
    name: "blocks",
    hooks: [command("echo no >&2; exit 2")],
    runs: [["blocked", "no"]],
    blocked: "no",
  },
  {
    name: "closes its input",
    hooks: [command("exec 0<&-; sleep 0.05; echo no >&2; exit 2")],
    runs: [["blocked", "no"]],
    blocked: "no",
  },
  { name: "reads no input", hooks: [command("true")], runs: [["completed"]] },
  {
    name: "leaves a detached process",
    hooks: [command("setsid sleep 60 >/dev/null 2>&1 </dev/null & exit 0")],
    runs: [["completed"]],
  },
  {
    name: "forks twice",
    hooks: [command("( ( setsid sleep 60 >/dev/null 2>&1 </dev/null & ) & )")],
    runs: [["completed"]],
  },
  {
    name: "is no script",
    hooks: [command("if then")],
    runs: [["blocked", /yntax error/]],
    blocked: /yntax error/,
  },
  {
    name: "leaves its answer to a child",
    hooks: [command(`(sleep 0.2; echo '{"decision":"block","reason":"late"}') & exit 0`)],
    runs: [["blocked", "late"]],
    blocked: "late",
  },
  {
    name: "has much to tell",
    hooks: [
      command(
        `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"'; head -c 60000 /dev/zero | tr '\\0' x; printf '"}}'`,
      ),
    ],
    runs: [["completed", /^x+/]],
  },
  {
    name: "prints more than is read",
    hooks: [command("head -c 100000000 /dev/zero | tr '\\0' x")],
    runs: [["completed"]],
  },
  {
    name: "prints more JSON than is read",
    hooks: [command(`printf '{"reason":"'; head -c 200000 /dev/zero | tr '\\0' x; printf '"}'`)],
    runs: [["failed", invalid]],
  },
  {
    name: "changes the input to the wrong shape",
    hooks: [answers(specific({ permissionDecision: "allow", updatedInput: "text" }))],
    runs: [["completed"]],
    output: "hook returned updatedInput that is not an object",
  },
  {
    name: "is one of two, and only the other blocks",
    hooks: [command("exit 1"), command("echo two >&2; exit 2")],
    runs: [
      ["failed", "hook exited with code 1"],
      ["blocked", "two"],
    ],
    blocked: "two",
  },
];

/** Kinds of failures, each with `on_failure = "deny"`. An `allow` stays one, supported or not. */
const denied = failures
  .filter(
    ({ name }) =>
      !/^(allows$|sleeps|ignores|forks|prints|leaves|kills itself$|is a body)/.test(name),
  )
  .map(({ name, hooks, runs }): StressCase => {
    const [[, text] = ["", ""]] = runs;
    const cause = text instanceof RegExp ? /./ : text;
    return {
      name: `${name}, and denies then`,
      hooks: hooks.map((hook) => ({ ...hook, on_failure: "deny" })),
      runs: [["blocked", text ?? ""]],
      blocked:
        typeof cause === "string"
          ? `the hook failed (${cause}), and its on_failure is "deny"`
          : /^the hook failed \(.*\), and its on_failure is "deny"$/s,
    };
  });

const deniedLate: StressCase = {
  name: "sleeps, and denies then",
  hooks: [command("sleep 60", { ...short, on_failure: "deny" })],
  runs: [["blocked", late]],
  blocked: `the hook failed (${late}), and its on_failure is "deny"`,
};

/** All cases. */
export const stressCases: readonly StressCase[] = [...others, ...failures, ...denied, deniedLate];
