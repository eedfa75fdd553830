import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApprovalDecision, Codex, CodexError, type CodexOptions } from "../../src/index.js";
import { listenScriptedModel, type Script } from "../../src/model/scripted/index.js";
import { calls, cuts, fails, says } from "../support/model.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-errors-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Runs a turn that must fail, on a provider with a secret in its address, and returns its error. */
async function errorOf(script: Script, options: CodexOptions = {}, retries = 0) {
  await using model = await listenScriptedModel({ script });
  const provider = {
    name: "mock",
    base_url: model.baseUrl,
    query_params: { "api-key": "SECRET" },
    request_max_retries: retries,
    stream_max_retries: 0,
  };
  await using codex = new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    workingDirectory: home,
    ephemeral: true,
    config: { model_provider: "mock", model_providers: { mock: provider } },
    ...options,
  });
  const error: unknown = await codex
    .startThread()
    .run("hi")
    .then(
      () => undefined,
      (reason) => reason,
    );
  if (!(error instanceof CodexError)) throw new Error(`Not a CodexError: ${error}`);
  const url = `${model.baseUrl}/responses`;
  return { code: error.code, message: error.message.replaceAll(url, "URL"), error };
}

const said = (message: string, code?: string) => ({ error: { message, code } });

test.each([
  [
    400,
    said("Unknown parameter: 'x'."),
    "model",
    "Unknown parameter: 'x'. (status 400 Bad Request, url: URL)",
  ],
  [
    401,
    said("Incorrect API key provided."),
    "unauthorized",
    "Incorrect API key provided. (status 401 Unauthorized, url: URL)",
  ],
  [
    403,
    { detail: "Not in your region." },
    "unauthorized",
    "Not in your region. (status 403 Forbidden, url: URL)",
  ],
  [
    404,
    { error: "model 'm' not found" },
    "model",
    "model 'm' not found (status 404 Not Found, url: URL)",
  ],
  [
    400,
    said("Too long.", "context_length_exceeded"),
    "context_window",
    "Too long. (status 400 Bad Request, url: URL)",
  ],
  [
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 9 > 8" },
    },
    "context_window",
    "prompt is too long: 9 > 8 (status 400 Bad Request, url: URL)",
  ],
  [
    400,
    said("The input token count (9) exceeds the maximum number of tokens allowed (8)."),
    "context_window",
    "The input token count (9) exceeds the maximum number of tokens allowed (8). (status 400 Bad Request, url: URL)",
  ],
  [
    400,
    said("This model's maximum context length is 8 tokens."),
    "context_window",
    "This model's maximum context length is 8 tokens. (status 400 Bad Request, url: URL)",
  ],
  [
    400,
    { error: { code: 400, message: "Invalid key.", details: [{ reason: "API_KEY_INVALID" }] } },
    "unauthorized",
    "Invalid key. (status 400 Bad Request, url: URL)",
  ],
  [
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "server_overloaded",
    "Overloaded (status 529 <unknown status code>, url: URL, attempt 1 of 1)",
  ],
  [
    429,
    said("Slow down."),
    "rate_limit",
    "Slow down. (status 429 Too Many Requests, url: URL, attempt 1 of 1)",
  ],
  [
    429,
    said("No credit left.", "insufficient_quota"),
    "usage_limit",
    "No credit left. (status 429 Too Many Requests, url: URL)",
  ],
  [
    500,
    said("Database gone."),
    "server_error",
    "Database gone. (status 500 Internal Server Error, url: URL, attempt 1 of 1)",
  ],
  [
    502,
    "<html><title>Bad gateway</title></html>",
    "server_error",
    "Bad gateway (status 502 Bad Gateway, url: URL, attempt 1 of 1)",
  ],
  [
    503,
    said("Busy.", "server_is_overloaded"),
    "server_overloaded",
    "Busy. (status 503 Service Unavailable, url: URL, attempt 1 of 1)",
  ],
  [
    500,
    "",
    "server_error",
    "The model's server gave no reason (status 500 Internal Server Error, url: URL, attempt 1 of 1)",
  ],
])(
  "[embedding R2] %i %j has the server's message and a code",
  async (status, body, code, message) => {
    const script = { answers: [[{ status, body }]], after: "repeat" as const };

    expect(await errorOf(script)).toMatchObject({ code, message });
  },
);

test("[terminal R4] the error names the number of attempts", async () => {
  const { message } = await errorOf([fails(500), fails(500)], {}, 1);

  expect(message).toContain("attempt 2 of 2");
});

test("[embedding R2] a usage limit, a broken stream and a missing server have distinct codes", async () => {
  const limit = { error: { type: "usage_limit_reached", message: "Limit reached" } };

  expect(await errorOf([[{ status: 429, body: limit }]])).toMatchObject({ code: "usage_limit" });
  expect(await errorOf([cuts(says("Half"))])).toMatchObject({ code: "connection" });
  const nowhere = {
    name: "mock",
    base_url: "http://127.0.0.1:1/v1",
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  const config = { model_provider: "mock", model_providers: { mock: nowhere } };
  expect(await errorOf([], { config })).toMatchObject({ code: "connection" });
  expect(await errorOf([], { config: {} })).toMatchObject({ code: "unauthorized" });
});

test("[embedding R2] a rejected start is a CodexError with its cause", async () => {
  const { code, error } = await errorOf([], { config: { model_provider: "nobody" } });

  expect(code).toBe("invalid_request");
  expect(error.cause).toMatchObject({ name: "RpcError" });
  expect(error.message).toContain("nobody");
});

test("[embedding R3] an invalid decision ends the turn with the list of valid ones", async () => {
  const script = [calls("exec_command", { cmd: "touch made" }), says("Done.")];

  const { code, message } = await errorOf(script, {
    approvalPolicy: "untrusted",
    onApproval: () => "yes" as ApprovalDecision,
  });

  expect(code).toBe("invalid_request");
  expect(message).toBe(
    'Expected `onApproval` to return one of "approve", "approve_for_session", "deny", "abort" (got "yes")',
  );
});
