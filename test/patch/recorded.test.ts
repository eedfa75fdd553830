import { expect, test } from "vitest";
import {
  applyChanges,
  type PatchCall,
  parsePatch,
  recognizePatchCall,
  recordedFailureText,
  TurnDiff,
  verifyPatch,
} from "../../src/patch/index.js";
import type { FileChange } from "../../src/protocol/types.js";
import { explainMissingTraces, hasTraces, readTraces } from "../protocol/shared.js";
import { temporaryFolder } from "./temporary-folder.js";

explainMissingTraces();
const lines = hasTraces ? readTraces("proto").filter(({ file }) => file.startsWith("patch-")) : [];
const files = [...new Set(lines.map(({ file }) => file))];

test.runIf(hasTraces).each(files)("patches of %s match the recording", async (file) => {
  await using folder = await temporaryFolder();
  const trace = lines.filter((line) => line.file === file);
  const fill = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll("<WORKSPACE>", folder.path)) as Json;
  const [meta] = trace.map(({ msg }) => msg as { files: Record<string, string> });
  await folder.write(meta?.files ?? {});
  await folder.write({ ".git/HEAD": "" });
  const events = trace.filter(({ dir }) => dir === "out").map(({ msg }) => fill(msg).msg as Json);
  const answers = JSON.stringify(fill(trace.filter(({ dir }) => dir === "model_request")));
  const isRejected = answers.includes("patch rejected");
  const turnDiff = new TurnDiff();

  for (const [callId, call] of callsOf(trace)) {
    const verified =
      call.kind === "patch" && (await verifyPatch(call.patch.hunks, { cwd: folder.path }));
    if (!verified || verified.ok === false) {
      const failure = verified
        ? verified.failure
        : call.kind === "invalid"
          ? call.error
          : undefined;
      expect(failure).toBeDefined();
      const text = `error: ${failure && recordedFailureText(failure)}`;
      expect(answers).toContain(JSON.stringify(text));
      continue;
    }
    if (isRejected) continue;
    const { changes } = verified.patch;
    await turnDiff.track(changes);
    const { stdout } = await applyChanges(verified.patch);
    expect(eventOf(events, "patch_apply_begin", callId).changes).toEqual(toOldForm(changes));
    expect(eventOf(events, "patch_apply_end", callId).stdout).toBe(stdout);
  }

  const last = events.findLast(({ type }) => type === "turn_diff");
  expect(await turnDiff.unifiedDiff()).toEqual(last?.unified_diff);
});

type Json = Record<string, unknown>;

function callsOf(trace: { dir: string; msg: unknown }[]): [string, PatchCall][] {
  const calls: [string, PatchCall][] = [];
  for (const { dir, msg } of trace) {
    if (dir !== "model_response") continue;
    for (const event of (msg as { sse: Json[] }).sse) {
      const item = event.item as Record<string, string> | undefined;
      if (event.type !== "response.output_item.done" || !item?.call_id) continue;
      const args = JSON.parse(item.arguments ?? "{}") as { command?: string[]; input?: string };
      const input = item.input ?? args.input;
      const call = input === undefined ? recognizePatchCall(args.command ?? []) : toCall(input);
      calls.push([item.call_id, call]);
    }
  }
  return calls;
}

function toCall(input: string): PatchCall {
  const parsed = parsePatch(input);
  if (!parsed.ok) return { kind: "invalid", error: parsed.error };
  return { kind: "patch", patch: parsed.patch, workdir: undefined };
}

function eventOf(events: Json[], type: string, callId: string): Json {
  const found = events.find((event) => event.type === type && event.call_id === callId);
  if (!found) throw new Error(`no ${type} for ${callId}`);
  return found;
}

/** Converts to the format of the recording, in which the type of a change was the key. */
function toOldForm(changes: Record<string, FileChange>) {
  return Object.fromEntries(
    Object.entries(changes).map(([path, { type, ...rest }]) => [
      path,
      { [type]: type === "update" ? { move_path: null, ...rest } : rest },
    ]),
  );
}
