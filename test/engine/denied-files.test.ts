import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { InputItem } from "../../src/protocol/types.js";
import { startTestCodex, type TestCodex, type TestCodexOptions, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const secret = "hush-hush";
const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const profile = {
  default_permissions: "work",
  permissions: {
    work: {
      extends: ":workspace",
      filesystem: {
        ":workspace_roots": {
          "secret.env": "deny",
          private: "deny",
          "dot.png": "deny",
          "AGENTS.md": "deny",
          "**/*.key": "deny",
        },
      },
    },
  },
};

test.each([
  ["secret.env", "Update", "Failed to read file to update"],
  ["soft", "Update", "Failed to read file to update"],
  ["hard", "Update", "Failed to read file to update"],
  ["private/note", "Update", "Failed to read file to update"],
  ["deep/a.key", "Update", "Failed to read file to update"],
  ["secret.env", "Delete", "Failed to read"],
] as const)("a patch cannot read the denied file %s (%s)", async (name, action, words) => {
  const patch = `*** Begin Patch\n*** ${action} File: ${name}${action === "Update" ? "\n@@\n-hush-hush\n+x" : ""}\n*** End Patch`;
  await using codex = await furnished(calls("apply_patch", { input: patch }));

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(outputOf(codex)).toContain(
    `: ${words} ${join(codex.workspace, name)}: Permission denied (os error 13)`,
  );
  expect(events.map(({ type }) => type)).not.toContain("patch_apply_begin");
  expect(readFileSync(join(codex.workspace, "secret.env"), "utf8")).toBe("hush-hush\n");
});

test.each([["private/new"], ["new.key"], ["secret.env"], ["soft"]])(
  "a patch cannot write the denied file %s, and no approval permits it",
  async (name) => {
    const patch = `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch`;
    await using codex = await furnished(calls("apply_patch", { input: patch }), {
      approval_policy: "on-request",
    });

    await codex.turn({ type: "user_input", items: text("go") });

    expect(outputOf(codex)).toBe(
      "patch rejected: writing outside of the project; rejected by user approval settings",
    );
  },
);

test("other files of the workspace are patched as usual", async () => {
  const patch = "*** Begin Patch\n*** Update File: open.txt\n@@\n-fine\n+better\n*** End Patch";
  await using codex = await furnished(calls("apply_patch", { input: patch }));

  await codex.turn({ type: "user_input", items: text("go") });

  expect(readFileSync(join(codex.workspace, "open.txt"), "utf8")).toBe("better\n");
});

test("view_image and images of the user cannot show a denied file", async () => {
  await using codex = await furnished(calls("view_image", { path: "dot.png" }));
  const path = join(codex.workspace, "dot.png");

  await codex.turn({ type: "user_input", items: [...text("go"), { type: "local_image", path }] });

  expect(outputOf(codex)).toBe(
    `unable to locate image at \`${path}\`: Permission denied (os error 13)`,
  );
  const sent = JSON.stringify(codex.prompts.map(({ input }) => input));
  expect(sent).not.toContain("data:image");
  expect(sent).toContain(`could not read the local image at \`${path}\`: Permission denied`);
});

test("a denied AGENTS.md is not sent to the model", async () => {
  await using codex = await furnished(says("ok"));
  await codex.turn({ type: "user_input", items: text("go") });

  codex.submit({ type: "configure_session" });
  await codex.turn({ type: "user_input", items: text("go") });

  expect(JSON.stringify(codex.prompts.map(({ input }) => input))).not.toContain(secret);
});

test("a command that may leave the sandbox still cannot read a denied file", async () => {
  const command = ["sh", "-c", "cat secret.env hard deep/a.key; echo after; touch ../outside"];
  await using codex = await furnished(
    calls("shell", { command, with_escalated_permissions: true, justification: "x" }),
    { approval_policy: "on-request" },
  );

  codex.submit({ type: "user_input", items: text("go") });
  const { msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: msg.call_id, decision: "approved" });
  await codex.until("task_complete");

  expect(outputOf(codex)).toMatch(/after.*secret.env: Permission denied/);
  expect(JSON.stringify(codex.events)).not.toContain(secret);
  expect(execFileSync("ls", [join(codex.workspace, "..")]).toString()).toContain("outside");
});

/** Ways into a request that need no tool: the user or the project names the file. */
const ways: [string, (codex: TestCodex) => void, InputItem[]][] = [
  ["a link named AGENTS.md", ({ workspace }) => relink(workspace, "AGENTS.md"), text("go")],
  [
    "a hard link named AGENTS.md",
    ({ workspace }) => {
      rmSync(join(workspace, "AGENTS.md"));
      linkSync(join(workspace, "secret.env"), join(workspace, "AGENTS.md"));
    },
    text("go"),
  ],
  [
    "a link in AGENTS.override.md",
    ({ workspace }) => relink(workspace, "AGENTS.override.md"),
    text("go"),
  ],
  ["a file that the user names", () => {}, text("look at @secret.env and @private/note")],
  ["a mention", () => {}, [...text("go"), { type: "mention", name: "s", path: "secret.env" }]],
  [
    "the description of a skill",
    ({ workspace }) => skillIn(join(workspace, "private"), workspace),
    text("go"),
  ],
  [
    "a skill that the user names",
    ({ workspace }) => skillIn(join(workspace, "private"), workspace),
    [...text("use $spy")],
  ],
];

test.each(ways)("%s does not send a denied file to the model", async (_, prepare, items) => {
  await using codex = await furnished(says("ok"), {}, prepare);

  await codex.turn({ type: "user_input", items });

  expect(codex.prompts).toHaveLength(1);
  expect(JSON.stringify(codex.prompts)).not.toContain(secret);
});

test("commands of the user cannot read a denied file either", async () => {
  await using codex = await furnished(says("ok"));

  await codex.turn({ type: "run_user_shell_command", command: "cat secret.env hard soft" });
  await codex.turn({ type: "user_input", items: text("go") });

  expect(JSON.stringify([codex.prompts, codex.events])).not.toContain(secret);
});

test.each(["my[app]", "my{a,b}", "back\\slash"])(
  "a pattern denies files in a workspace that is named %s",
  async (name) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "quire-named-")));
    const sharing = { home: join(root, "home"), workspace: join(root, name) };
    mkdirSync(sharing.home);
    mkdirSync(sharing.workspace);
    const command = calls("exec_command", { cmd: "cat deep/a.key", login: false });
    await using codex = await furnished(command, {}, undefined, { sharing });

    await codex.turn({ type: "user_input", items: text("go") });
    rmSync(root, { recursive: true });

    expect(outputOf(codex)).toContain("deep/a.key: Permission denied");
  },
);

test("a turn in another folder cannot read what the session denies in its own", async () => {
  await using codex = await furnished(says("ok"));
  const files = ["secret.env", "deep/a.key"].map((name) => join(codex.workspace, name));

  codex.submit({ type: "override_turn_context", cwd: join(codex.workspace, "..") });
  await codex.turn({ type: "run_user_shell_command", command: `cat ${files.join(" ")}` });

  expect(JSON.stringify(codex.events)).not.toContain(secret);
  expect(JSON.stringify(codex.events)).toContain("a.key: Permission denied");
});

function relink(workspace: string, name: string): void {
  rmSync(join(workspace, name), { force: true });
  symlinkSync(join(workspace, "secret.env"), join(workspace, name));
}

/** Puts a skill in a denied folder, and a link to it where skills are found. */
function skillIn(folder: string, workspace: string): void {
  writeFileSync(
    join(folder, "SKILL.md"),
    `---\nname: spy\ndescription: ${secret}\n---\n${secret}\n`,
  );
  mkdirSync(join(workspace, ".agents/skills"), { recursive: true });
  symlinkSync(folder, join(workspace, ".agents/skills/spy"));
}

/** Starts an engine in a workspace with denied files. */
async function furnished(
  answer: ReturnType<typeof says>,
  config: Record<string, unknown> = {},
  prepare: (codex: TestCodex) => void = () => {},
  options: Pick<TestCodexOptions, "sharing"> = {},
): Promise<TestCodex> {
  const codex = await startTestCodex({
    ...options,
    model: [answer, says("Done."), says("Done.")],
    config: { ...profile, ...config },
    configure: false,
  });
  const at = (name: string) => join(codex.workspace, name);
  for (const folder of ["private", "deep"]) mkdirSync(at(folder));
  for (const name of ["secret.env", "private/note", "deep/a.key", "AGENTS.md"]) {
    writeFileSync(at(name), `${secret}\n`);
  }
  symlinkSync(at("secret.env"), at("soft"));
  linkSync(at("secret.env"), at("hard"));
  writeFileSync(at("dot.png"), onePixel);
  writeFileSync(at("open.txt"), "fine\n");
  prepare(codex);
  codex.submit({ type: "configure_session" }, "");
  await codex.until("session_configured");
  return codex;
}

/** Output of the first call. */
function outputOf({ prompts }: TestCodex): unknown {
  const items = prompts.flatMap(({ input }) => input);
  const output = items.find(({ type }) => type.endsWith("_output"));
  return output !== undefined && "output" in output ? output.output : undefined;
}
