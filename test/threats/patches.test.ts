import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/model/scripted/index.js";
import { hostState } from "../patch/host-state.js";
import { identities } from "../sandbox/support/confined.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, callsCustom, says } from "../support/model.js";
import { type Place, startAgent, workspaceOnly } from "./support/agent.js";
import { outputsIn, outputsOf } from "./support/outputs.js";

const go = { type: "user_input", items: text("go") } as const;
const { mode: sandbox_mode, ...sandbox_workspace_write } = workspaceOnly.sandbox_policy;

/** Attacks by way of a patch, by the id of the case. */
const attacks: [id: string, lines: string[]][] = [
  ["PAT-01", ["*** Add File: ../outside/new", "+pwned"]],
  ["PAT-02", ["*** Add File: OUTSIDE/new", "+pwned"]],
  ["PAT-03", ["*** Update File: OUTSIDE/victim.txt", "@@", "-untouched", "+pwned"]],
  ["PAT-05", ["*** Update File: f", "*** Move to: ../outside/new", "@@", "-foo", "+pwned"]],
  ["PAT-06", ["*** Add File: d/new", "+pwned"]],
  ["PAT-06", ["*** Update File: l", "@@", "-untouched", "+pwned"]],
  ["PAT-08", ["*** Add File: .git/hooks/pre-commit", "+pwned"]],
  ["PAT-10", ["*** Add File: .codex/config.toml", "+pwned = 1"]],
];

describe.each(identities)("a patch, as %s", (identity) => {
  test.each(["never", "on-failure"])(
    "outside of the workspace is refused by every tool, under %s",
    async (approval_policy) => {
      const proposals = (place: Place) =>
        attacks.flatMap(([id, lines]) => proposalsOf(id, lines, place));
      await using agent = await startAgent({
        identity,
        model: (place) => [...proposals(place), says("Fine.")],
        furnish({ workspace }) {
          writeFileSync(join(workspace, "f"), "foo\n");
          mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
          symlinkSync("../outside", join(workspace, "d"));
          symlinkSync("../outside/victim.txt", join(workspace, "l"));
        },
      });
      const before = await hostOf(agent);

      const events = await agent.turn("t", { ...workspaceOnly, approval_policy });

      const asked = events.filter(({ type }) => type === "apply_patch_approval_request");
      expect(asked).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Fine." });
      const outputs = outputsIn(agent.model.requests.at(-1)?.body);
      expect(outputs).toHaveLength(proposals(agent).length);
      expect(outputs.filter((output) => !refusal.test(output))).toEqual([]);
      expect(await hostOf(agent)).toEqual(before);
    },
  );

  test("PAT-20: inside the workspace is applied", async () => {
    const patch = toPatch(["*** Update File: f", "@@", "-foo", "+bar"]);
    await using agent = await startAgent({
      identity,
      model: [calls("shell", { command: ["apply_patch", patch] }), says("Done.")],
      furnish: ({ workspace }) => writeFileSync(join(workspace, "f"), "foo\n"),
    });

    await agent.turn("t", workspaceOnly);

    expect(await hostState(agent.workspace, 0o600)).toEqual({ f: "file 600 bar\n" });
  });
});

test("PAT-21: if the second of two files does not match, none changes, and the model receives the reason", async () => {
  const lines = ["*** Update File: a", "@@", "-a", "+A", "*** Update File: b", "@@", "-x", "+B"];
  await using codex = await startPatch(toPatch(lines));
  writeFileSync(join(codex.workspace, "a"), "a\n");
  writeFileSync(join(codex.workspace, "b"), "b\n");
  const before = await hostState(codex.workspace);

  await codex.turn(go);

  expect(outputsOf(codex)).toEqual([
    expect.stringContaining(`Failed to find expected lines in ${codex.workspace}/b`),
  ]);
  expect(await hostState(codex.workspace)).toEqual(before);
});

test.each([
  ["NUL bytes", Buffer.from("foo\0bar\nfoo\n")],
  ["bytes that are not UTF-8", Buffer.from([0x66, 0x6f, 0x6f, 0x0a, 0xff, 0xfe, 0x0a])],
])("PAT-22: a file with %s is not updated, and the model receives the reason", async (_, bytes) => {
  await using codex = await startPatch(toPatch(["*** Update File: f", "@@", "-foo", "+bar"]));
  writeFileSync(join(codex.workspace, "f"), bytes);

  await codex.turn(go);

  expect(outputsOf(codex)[0]).toMatch(/Failed to read .*(binary|UTF-8|NUL)/);
  expect(readFileSync(join(codex.workspace, "f"))).toEqual(bytes);
});

describe("PAT-25: an oversized patch", () => {
  const hunks = Array.from({ length: 100_000 }, (_, n) => `@@\n-line ${n}\n+x`).join("\n");
  const patches: [string, () => string][] = [
    [
      "of 50 MB",
      () => toPatch(["*** Add File: big", ...new Array(50).fill(`+${"x".repeat(1e6)}`)]),
    ],
    ["of 100 000 hunks that match nothing", () => toPatch(["*** Update File: f", hunks])],
    [
      "without an end",
      () => `*** Begin Patch\n*** Update File: f\n@@\n-foo\n${"+x\n".repeat(1e5)}`,
    ],
    ["that begins again and again", () => "*** Begin Patch\n*** Update File: f\n".repeat(50_000)],
  ];

  test.each(patches)("%s costs bounded time and memory", async (_, patch) => {
    await using codex = await startPatch(patch());
    writeFileSync(join(codex.workspace, "f"), "foo\n");
    const before = process.memoryUsage().rss;
    const began = performance.now();

    const events = await codex.turn(go);

    expect(performance.now() - began).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(1e9);
    expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Done." });
    expect(readFileSync(join(codex.workspace, "f"), "utf8")).toBe("foo\n");
    expect(existsSync(join(codex.workspace, "big"))).toBe(false);
    expect(outputsOf(codex)[0]?.length).toBeLessThan(1_000_000);
  });
});

test("PAT-26: an update preserves mode and line endings, and leaves no temporary file", async () => {
  const names = ["run", "secret", "dos", "open"];
  const lines = names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-foo", "+bar"]);
  await using codex = await startPatch(toPatch(lines));
  for (const name of names) {
    const end = { dos: "\r\n", open: "" }[name] ?? "\n";
    writeFileSync(join(codex.workspace, name), `first${end || "\n"}foo${end}`);
  }
  chmodSync(join(codex.workspace, "run"), 0o755);
  chmodSync(join(codex.workspace, "secret"), 0o600);
  chmodSync(join(codex.workspace, "dos"), 0o644);
  chmodSync(join(codex.workspace, "open"), 0o640);

  await codex.turn(go);

  expect(await hostState(codex.workspace)).toEqual({
    run: "file 755 first\nbar\n",
    secret: "file 600 first\nbar\n",
    dos: "file 644 first\r\nbar\r\n",
    open: "file 640 first\nbar\n",
  });
});

/** Returns the state of everything that a patch could have changed. */
async function hostOf({ workspace, outside }: Place) {
  return { workspace: await hostState(workspace), outside: await hostState(outside) };
}

/** The last alternative is the login shell of the other user, which runs nothing. */
const refusal = /patch rejected|cannot be written|is protected|account is currently not available/;

function startPatch(patch: string): Promise<TestCodex> {
  return startTestCodex({
    model: [callsCustom("apply_patch", patch), says("Done.")],
    config: { sandbox_mode, sandbox_workspace_write },
  });
}

function toPatch(lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

/** Returns one call for each way in which a model can propose a patch. */
function proposalsOf(id: string, lines: readonly string[], { outside }: Place): Step[][] {
  const patch = toPatch(lines).replaceAll("OUTSIDE", outside);
  const script = `apply_patch <<'EOF'\n${patch}\nEOF\n`;
  return [
    calls("shell", { command: ["apply_patch", patch] }, `${id}-1`),
    calls("shell", { command: ["bash", "-lc", script] }, `${id}-2`),
    calls("shell_command", { command: script }, `${id}-3`),
    calls("apply_patch", { input: patch }, `${id}-4`),
    callsCustom("apply_patch", patch, `${id}-5`),
  ];
}
