import {
  type ClientContext,
  client,
  type NewSessionResponse,
  type PromptResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { loadAcp } from "../../../src/cli/commands/acp.js";
import { toStream } from "../../../src/server/acp/stream.js";
import { calls, says } from "../../support/model.js";
import { startFleet } from "./test-fleet.js";

test("an editor works on a thread of the fleet, and another gateway loads it", async () => {
  await using fleet = await startFleet({
    model: [calls("shell", { command: ["echo", "on the worker"] }), says("Done.")],
  });
  const [first, second] = fleet.gateways;
  const cwd = fleet.workspace;

  const editor = await open(await first.open(await loadAcp()));
  const session = { cwd, mcpServers: [] };
  const opened: NewSessionResponse = await editor.agent.request("session/new", session);
  const { sessionId } = opened;
  const prompt = [{ type: "text" as const, text: "go" }];
  const reply: PromptResponse = await editor.agent.request("session/prompt", { sessionId, prompt });

  expect(reply.stopReason).toBe("end_turn");
  expect(JSON.stringify(editor.updates)).toContain("on the worker");
  expect(editor.text()).toBe("Done.");
  const other = await open(await second.open(await loadAcp()));
  await other.agent.request("session/load", { sessionId, ...session });
  expect(other.text()).toBe("Done.");
});

test("a gateway refuses a folder that is not absolute", async () => {
  await using fleet = await startFleet({ model: [] });
  const editor = await open(await fleet.gateways[0].open(await loadAcp()));

  const opening = editor.agent.request("session/new", { cwd: "relative", mcpServers: [] });
  await expect(opening).rejects.toThrow("absolute");
});

/** Connects an editor that offers files and terminals, which threads on other machines cannot use. */
async function open(channel: Parameters<typeof toStream>[0]) {
  const updates: SessionUpdate[] = [];
  const connection = client({ name: "test" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .connect(toStream(channel));
  const clientCapabilities = { terminal: true, fs: { readTextFile: true, writeTextFile: true } };
  await connection.agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  const text = () =>
    updates
      .flatMap((update) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? [update.content.text]
          : [],
      )
      .join("");
  const agent: ClientContext = connection.agent;
  return { agent, updates, text };
}
