import { expect, test } from "vitest";
import { type Answers, startApp, type TestAppOptions } from "../test-app.js";

/** A server without an account, until `account/login/start`. */
async function startSignedOut(answers: Answers = {}, host: TestAppOptions["host"] = {}) {
  let account: object | null = null;
  const app = startApp({
    host,
    answers: {
      "account/read": () => ({ account, requiresOpenaiAuth: true }),
      "account/login/start": () => {
        account = { type: "apiKey" };
        return { type: "apiKey" };
      },
      ...answers,
    },
  });
  const screen = await app.until("Which model do you want to use?");
  return { app, screen };
}

test("ways that the machine does not have are not offered", async () => {
  const { app, screen } = await startSignedOut();
  await using _ = app;
  expect(screen).toContain("3. Use an API key");
  expect(screen).not.toContain("Use a local model");
  expect(screen).not.toContain("Try the demo");
});

test("an API key is masked, and a key that looks wrong must be submitted twice", async () => {
  const { app } = await startSignedOut();
  await using _ = app;
  app.keys("3");
  await app.until("Paste your API key");
  app.keys("enter");
  await app.until("The key is empty. Paste a key, or press esc to go back.");
  app.type("a b");
  app.keys("enter");
  await app.until("A key has no spaces. Paste it again, or press esc to go back.");
  app.keys("backspace", "backspace", "backspace");
  app.type("my-key");
  app.keys("enter");
  const screen = await app.until("This does not look like an OpenAI API key");
  expect(screen).toContain("> ••••••");
  expect(screen).not.toContain("my-key");
  app.keys("enter");
  await app.until("Describe a task");
  expect(app.server.sent("account/login/start")).toEqual([{ type: "apiKey", apiKey: "my-key" }]);
});

test("going back from the key returns to the list", async () => {
  const { app } = await startSignedOut();
  await using _ = app;
  app.keys("3");
  await app.until("Paste your API key");
  app.keys("escape");
  await app.untilGone("Paste your API key");
  await app.until("› 1. Sign in with ChatGPT");
});

const browser = { type: "chatgpt", authUrl: "https://auth.example/x", loginId: "l" };
const device = {
  type: "chatgptDeviceCode",
  verificationUrl: "https://auth.example/device",
  userCode: "ABCD-1234",
  loginId: "l",
};

test.each([
  ["1", browser, "Open this URL in a browser to sign in:"],
  ["2", device, "Open this URL on any device and enter the code ABCD-1234:"],
])("sign-in %s waits for the server to report its completion", async (key, started, text) => {
  const { app } = await startSignedOut({ "account/login/start": started });
  await using _ = app;
  app.keys(key);
  expect(await app.until("Waiting for you to sign in…")).toContain(text);
  app.server.notify("account/login/completed", { loginId: "other", success: true });
  app.server.notify("account/login/completed", { loginId: "l", success: true });
  await app.until("Describe a task");
});

test("a failed sign-in shows the reason and offers the list again", async () => {
  const { app } = await startSignedOut({ "account/login/start": browser });
  await using _ = app;
  app.keys("1");
  await app.until("Waiting for you to sign in…");
  app.server.notify("account/login/completed", { loginId: "l", success: false, error: "denied" });
  await app.until("■ Sign-in failed: denied");
  await app.until("› 1. Sign in with ChatGPT");
});

test("canceling a sign-in cancels it on the server", async () => {
  const { app } = await startSignedOut({
    "account/login/start": browser,
    "account/login/cancel": {},
  });
  await using _ = app;
  app.keys("1");
  await app.until("Waiting for you to sign in…");
  app.keys("enter");
  await app.until("Which model do you want to use?");
  expect(app.server.sent("account/login/cancel")).toEqual([{ loginId: "l" }]);
});

test.each([
  ["1", { type: "apiKey" }, "the server returned no sign-in URL"],
  ["2", { type: "apiKey" }, "the server returned no device code"],
])("an unexpected answer to sign-in %s is an error", async (key, answer, text) => {
  const { app } = await startSignedOut({ "account/login/start": answer });
  await using _ = app;
  app.keys(key);
  await app.until(`■ Sign-in failed: ${text}`);
});

test("a local model is used for the thread and saved as the default", async () => {
  const { app } = await startSignedOut(
    {},
    { findLocalModel: async () => ({ model: "qwen3:8b", modelProvider: "ollama" }) },
  );
  await using _ = app;
  app.keys("4");
  await app.until("Using qwen3:8b. It is saved as your default model; /model changes it");
  await app.until("Describe a task");
  expect(app.server.sent("thread/start")).toEqual([
    { cwd: "/project", model: "qwen3:8b", modelProvider: "ollama" },
  ]);
  expect(app.server.sent("config/batchWrite")).toMatchObject([
    {
      edits: [
        { keyPath: "model", value: "qwen3:8b" },
        { keyPath: "model_provider", value: "ollama" },
      ],
    },
  ]);
});

test("without a local provider the reason is shown", async () => {
  const { app } = await startSignedOut(
    {},
    {
      findLocalModel: async () => {
        throw new Error("no provider responds on this machine");
      },
    },
  );
  await using _ = app;
  app.keys("4");
  await app.until("■ Sign-in failed: no provider responds on this machine");
});

test("the demo brings its model and folder, and states that it is scripted", async () => {
  const { app } = await startSignedOut(
    { "config/read": { config: {} } },
    { startDemo: async () => ({ cwd: "/tmp/demo", model: "scripted" }) },
  );
  await using _ = app;
  app.keys("4");
  const screen = await app.until("⚠ Demo: the answers are scripted.");
  expect(screen).not.toContain("Do you trust");
  expect(app.server.sent("thread/start")).toEqual([{ cwd: "/tmp/demo", model: "scripted" }]);
});
