import type { AppServerClient } from "../../client/index.js";
import { errorText } from "../../lib/error-text.js";
import type { AccountLoginCompletedNotification } from "../../protocol/rpc/v2/account.js";
import type { TuiHost } from "../host.js";
import type { Notice } from "../state/cell.js";
import type { Ui } from "../ui.js";
import { saveSettings } from "./save-settings.js";
import type { ThreadRequest } from "./session.js";

/** What is needed to sign in. */
export interface SignInParts {
  ui: Ui;
  server: AppServerClient;
  host: TuiHost;
  /** Prints a notice. */
  say(text: string): void;
  /** Prints an error. */
  complain(text: string): void;
}

/** How it went: signed in, another model was chosen, or the user gave up. */
export type SignedIn = { request: Partial<ThreadRequest>; notice?: Notice } | undefined;

const demoNotice: Notice = {
  level: "warning",
  text: "Demo: the answers are scripted. The commands and changes are real, in a temporary project.",
  hint: "Type anything, for example: fix the failing test",
};

/** Does the server need a sign-in that it has not got? */
export async function needsSignIn(server: AppServerClient): Promise<boolean> {
  const { account, requiresOpenaiAuth } = await server.request("account/read", {});
  return requiresOpenaiAuth === true && account === null;
}

/** Lets the user choose where the model comes from, until one way works; nothing when they give up. */
export async function signIn(parts: SignInParts): Promise<SignedIn> {
  const { ui, host } = parts;
  const ways: { value: () => Promise<SignedIn>; label: string; description: string }[] = [
    {
      value: () => byBrowser(parts),
      label: "Sign in with ChatGPT",
      description: "in a browser",
    },
    {
      value: () => byCode(parts),
      label: "Sign in with a device code",
      description: "if this machine has no browser",
    },
    { value: () => byKey(parts), label: "Use an API key", description: "pay per use" },
  ];
  const { findLocalModel, startDemo } = host;
  if (findLocalModel !== undefined) {
    ways.push({
      value: () => byLocalModel(parts, findLocalModel),
      label: "Use a local model",
      description: "Ollama, LM Studio, llama.cpp",
    });
  }
  if (startDemo !== undefined) {
    const value = async () => ({ request: await startDemo.call(host), notice: demoNotice });
    ways.push({
      value,
      label: "Try the demo",
      description: "scripted answers: no key, no network",
    });
  }
  for (;;) {
    const way = await ui.pick({ title: "Which model do you want to use?", choices: ways });
    if (way === undefined) return undefined;
    try {
      const result = await way();
      if (result !== undefined) return result;
    } catch (error) {
      parts.complain(`Sign-in failed: ${errorText(error)}`);
    }
  }
}

/** Uses a model of this machine, and saves it so that it is the default from now on. */
async function byLocalModel(
  { host, server, say, complain }: SignInParts,
  findLocalModel: NonNullable<TuiHost["findLocalModel"]>,
): Promise<SignedIn> {
  const request = await findLocalModel.call(host);
  const { model, modelProvider, config } = request;
  const settings = { ...config, model, model_provider: modelProvider };
  await saveSettings(server, settings).then(
    () => say(`Using ${model}. It is saved as your default model; /model changes it`),
    (error: unknown) => complain(`Could not save the model to config.toml: ${errorText(error)}`),
  );
  return { request };
}

async function byKey({ ui, server }: SignInParts): Promise<SignedIn> {
  const text = "Paste your API key. It is stored on this machine only.";
  const check = keyCheck();
  const answer = await ui.question({ title: "API key", text, isSecret: true, check });
  const apiKey = answer?.trim();
  if (!apiKey) return undefined;
  await server.request("account/login/start", { type: "apiKey", apiKey });
  return { request: {} };
}

/** Finds an empty or odd key; an odd one is accepted when it is submitted again. */
function keyCheck(): (text: string) => string | undefined {
  let questioned: string | undefined;
  return (text) => {
    const key = text.trim();
    if (key === "") return "The key is empty. Paste a key, or press esc to go back.";
    if (/\s/.test(key)) return "A key has no spaces. Paste it again, or press esc to go back.";
    if (key.startsWith("sk-") || key === questioned) return undefined;
    questioned = key;
    return "This does not look like an OpenAI API key: they start with `sk-`. Press enter again to use it anyway.";
  };
}

async function byBrowser(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgpt" });
  if (started.type !== "chatgpt") throw new Error("the server returned no sign-in URL");
  const { authUrl, loginId } = started;
  return waitForLogin(parts, loginId, `Open this URL in a browser to sign in:\n${authUrl}`);
}

async function byCode(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgptDeviceCode" });
  if (started.type !== "chatgptDeviceCode") throw new Error("the server returned no device code");
  const { loginId, verificationUrl, userCode } = started;
  const text = `Open this URL on any device and enter the code ${userCode}:\n${verificationUrl}`;
  return waitForLogin(parts, loginId, text);
}

/** Waits for the server to say how it went; going back cancels the login. */
async function waitForLogin(
  { ui, server, say }: SignInParts,
  loginId: string,
  text: string,
): Promise<SignedIn> {
  // Above the live lines, where the terminal wraps a long URL, so that it can be opened or copied.
  say(text);
  const over = new AbortController();
  const completed = new Promise<AccountLoginCompletedNotification>((resolve) => {
    const unhear = server.onNotification((told) => {
      if (told.method !== "account/login/completed" || told.params.loginId !== loginId) return;
      unhear();
      resolve(told.params);
      over.abort();
    });
  });
  const choices = [{ value: "cancel", label: "Cancel" }];
  await ui.pick({ title: "Waiting for you to sign in…", choices }, over.signal);
  if (!over.signal.aborted) {
    await server.request("account/login/cancel", { loginId }).catch(() => undefined);
    return undefined;
  }
  const { success, error } = await completed;
  if (!success) throw new Error(error ?? "the login failed");
  return { request: {} };
}
