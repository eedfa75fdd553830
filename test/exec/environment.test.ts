import { expect, test } from "vitest";
import {
  commandEnvironment,
  type EnvironmentPolicy,
  shellEnvironment,
} from "../../src/exec/index.js";

const inherited = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  EDITOR: "vi",
  OPENAI_API_KEY: "a",
  aws_secret: "b",
  GithubToken: "c",
  GONE: undefined,
};

test.each<[string, EnvironmentPolicy, Record<string, string>]>([
  [
    "everything but what looks secret is passed on by default",
    {},
    { PATH: "/usr/bin", HOME: "/home/me", EDITOR: "vi" },
  ],
  [
    "what looks secret is passed on when asked for",
    { ignore_default_excludes: true, include_only: ["*key*", "*SECRET*", "git?ubtoken"] },
    { OPENAI_API_KEY: "a", aws_secret: "b", GithubToken: "c" },
  ],
  ["only the core may be inherited", { inherit: "core" }, { PATH: "/usr/bin", HOME: "/home/me" }],
  ["nothing may be inherited", { inherit: "none" }, {}],
  [
    "names are left out by pattern, in any case",
    { exclude: ["ho*", "EDIT??"] },
    { PATH: "/usr/bin" },
  ],
  [
    "what is set comes after what is left out, and replaces",
    { inherit: "core", exclude: ["NEW_KEY", "HOME"], set: { NEW_KEY: "1", PATH: "/bin" } },
    { PATH: "/bin", NEW_KEY: "1" },
  ],
  [
    "what is to be kept alone is chosen last",
    { set: { A: "1", B: "2" }, include_only: ["a", "PATH"] },
    { PATH: "/usr/bin", A: "1" },
  ],
  [
    "an empty list of what to keep keeps all",
    { inherit: "core", include_only: [] },
    { PATH: "/usr/bin", HOME: "/home/me" },
  ],
  [
    "signs of other languages stand for themselves",
    { exclude: ["PAT.", "(HOME|PATH)", "["] },
    { PATH: "/usr/bin", HOME: "/home/me", EDITOR: "vi" },
  ],
])("%s", (_, policy, expected) => {
  expect(shellEnvironment(policy, inherited)).toEqual(expected);
});

test("variables mark a disabled network and the thread of a command", () => {
  const policy: EnvironmentPolicy = { inherit: "none" };
  const thread = { id: "t", variables: ["CODEX_THREAD_ID"] as const };

  expect(commandEnvironment({ policy, inherited, network: false, thread })).toEqual({
    CODEX_SANDBOX_NETWORK_DISABLED: "1",
    CODEX_THREAD_ID: "t",
  });
  expect(commandEnvironment({ policy, inherited, network: true })).toEqual({});
});

test("[compat env] no policy passes on credentials of the program that started us", () => {
  const token = { NODE_REPL_AUTH_TOKEN: "x", node_repl_auth_token: "y", PATH: "/bin" };
  const policy: EnvironmentPolicy = {
    ignore_default_excludes: true,
    set: { OPENAI_IDENTITY_TOKEN_FILE: "/f" },
  };

  expect(shellEnvironment(policy, token)).toEqual({ PATH: "/bin" });
});

test("[compat env] core names are compared without regard to case", () => {
  const given = { Path: "p", LANG: "C", lc_all: "C", FOO: "x" };

  expect(shellEnvironment({ inherit: "core" }, given)).toEqual({
    Path: "p",
    LANG: "C",
    lc_all: "C",
  });
});
