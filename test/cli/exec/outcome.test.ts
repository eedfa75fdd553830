import { describe, expect, test } from "vitest";
import type { CommandIo } from "../../../src/cli/command.js";
import type { ExecRequest } from "../../../src/cli/exec/exec-request.js";
import { exitCodeOfRun, explainFailure } from "../../../src/cli/exec/outcome.js";
import { RpcError } from "../../../src/client/index.js";
import type { Turn, TurnError } from "../../../src/protocol/rpc/v2/turn.js";
import { TransportError } from "../../../src/transport/error.js";
import { createInProcessUser } from "../support/in-process.js";

/** A turn with a status and an error. */
function turn(status: string, error: Partial<TurnError> | null = null): Turn {
  return { id: "t", status, error, items: [] } as unknown as Turn;
}

const quiet = { declined: 0, isInterrupted: false };

describe("the exit code of a run", () => {
  test.each([
    [turn("completed"), {}, 0],
    [turn("completed"), { declined: 1 }, 4],
    [turn("completed"), { isInterrupted: true }, 130],
    [turn("completed"), { goal: "blocked" }, 1],
    [turn("completed"), { goal: "budgetLimited" }, 5],
    [turn("interrupted"), {}, 1],
    [turn("interrupted"), { isInterrupted: true }, 130],
    [turn("failed"), {}, 1],
    [turn("failed", { message: "x", codexErrorInfo: "unauthorized" }), {}, 3],
    [turn("failed", { message: "x", codexErrorInfo: "serverOverloaded" }), {}, 6],
    [turn("failed", { message: "x", codexErrorInfo: "usageLimitExceeded" }), {}, 6],
    [turn("failed", { message: "x", codexErrorInfo: "badRequest" }), {}, 1],
    [
      turn("failed", {
        message: "x",
        codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 500 } },
      } as never),
      {},
      6,
    ],
    [turn("failed", { message: "stream disconnected before completion: x" }), {}, 6],
    [turn("failed", { message: "x" }), { declined: 2 }, 1],
  ])("of %j with %j is %i", (ended, more, code) => {
    expect(exitCodeOfRun({ ...quiet, turn: ended, ...more }, "by cause")).toBe(code);
  });

  test.each([
    ["one", turn("failed", { message: "x", codexErrorInfo: "unauthorized" }), 0, 1],
    ["one", turn("completed"), 3, 0],
    ["none", turn("failed", { message: "x" }), 0, 0],
    ["none", turn("interrupted"), 0, 0],
  ] as const)(
    "of an era that has %s: %j with %i declined is %i",
    (failureCode, ended, declined, code) => {
      expect(exitCodeOfRun({ ...quiet, turn: ended, declined }, failureCode)).toBe(code);
    },
  );
});

describe("an error before the run", () => {
  const remote = {
    thread: { cwd: "/", config: {} },
    remote: { url: "x" },
  } as unknown as ExecRequest;

  test("of the connection is an io error", async () => {
    const error = new TransportError("unreachable", "gone");

    expect(await explainFailure(error, remote, {} as CommandIo)).toMatchObject({
      code: "io",
      message: "gone",
    });
  });

  test("of a remote server is an invalid request", async () => {
    const error = new RpcError(-32600, "no such model");

    expect(await explainFailure(error, remote, {} as CommandIo)).toMatchObject({
      code: "invalid_request",
      message: "no such model",
    });
  });

  test("that is none of these stays as it is", async () => {
    const error = new Error("bug");

    expect(await explainFailure(error, remote, {} as CommandIo)).toBe(error);
  });

  test.each([
    ["model = 1\n", "config", /`model` must be a string/],
    ['model = "m"\n', "invalid_request", /refused/],
  ])("with the config %j is a %s error", async (text, code, message) => {
    using user = createInProcessUser();
    user.write("home/config.toml", text);
    const local = { thread: { cwd: user.project, config: {} }, remote: undefined };
    const io = { env: { HOME: user.home, CODEX_HOME: user.home } } as unknown as CommandIo;
    const error = await explainFailure(
      new RpcError(-32600, "refused"),
      local as unknown as ExecRequest,
      io,
    );

    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
