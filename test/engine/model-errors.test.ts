import { expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import { errorInfo, retryNotice, waitNotice } from "../../src/engine/model-errors.js";
import { unknownModelWarning } from "../../src/engine/turn-context.js";
import type { ModelFailure } from "../../src/model/types.js";

test.each<[Partial<ModelFailure>, unknown]>([
  [{ kind: "context_length_exceeded" }, "context_window_exceeded"],
  [{ kind: "usage_limit" }, "usage_limit_exceeded"],
  [{ kind: "usage_not_included" }, "usage_limit_exceeded"],
  [{ kind: "quota" }, "usage_limit_exceeded"],
  [{ kind: "overloaded" }, "server_overloaded"],
  [{ kind: "auth" }, "unauthorized"],
  [{ kind: "cyber_policy" }, "cyber_policy"],
  [{ kind: "misalignment_policy" }, "misalignment_policy_violation"],
  [
    { kind: "retry_limit", status: 429 },
    { response_too_many_failed_attempts: { http_status_code: 429 } },
  ],
  [{ kind: "connection" }, { http_connection_failed: { http_status_code: null } }],
  [{ kind: "http_status", status: 500 }, "internal_server_error"],
  [{ kind: "http_status", status: 404 }, "other"],
])("the failure %j is reported as %j", (failure, info) => {
  expect(errorInfo(failure as ModelFailure)).toEqual(info);
});

const failure: ModelFailure = { kind: "stream", message: "broke", retryable: true } as never;

function taskIn(era: string) {
  const provider = { stream_max_retries: 5 };
  return { session: { parts: { era: eraOf(era), provider } } } as never;
}

test("older eras describe a retry in the message", () => {
  expect(retryNotice(taskIn("0.42"), failure, { retries: 2, delay: 203.4 })).toEqual({
    type: "stream_error",
    message: "stream error: broke; retrying 2/5 in 203ms…",
  });
});

test("newer eras describe a retry in fields", () => {
  const status = { ...failure, status: 502 };

  expect(retryNotice(taskIn("0.104"), status, { retries: 1, delay: 100 })).toEqual({
    type: "stream_error",
    message: "Reconnecting... 1/5",
    codex_error_info: { response_stream_disconnected: { http_status_code: 502 } },
    additional_details: "broke",
  });
});

test("a 500 has no status code in a retry", () => {
  const notice = retryNotice(
    taskIn("0.104"),
    { ...failure, status: 500 },
    { retries: 1, delay: 1 },
  );

  expect(notice).toMatchObject({
    codex_error_info: { response_stream_disconnected: { http_status_code: null } },
  });
});

test("a wait is reported only if it is long", () => {
  expect(waitNotice(failure, 999)).toBeUndefined();
  expect(waitNotice(failure, 1898)?.message).toBe("stream error: broke; retrying in 1.898s…");
  expect(waitNotice({ ...failure, status: 429 }, 2000)?.message).toBe(
    "stream error: the model server answered 429; retrying in 2s…",
  );
});

test("only an unknown model causes a warning", () => {
  expect(unknownModelWarning("gpt-5", eraOf("current"))).toBeUndefined();
  expect(unknownModelWarning("home-made", eraOf("current"))).toContain("`home-made` not found");
});
