import { expect, test } from "vitest";
import { AccessGuard } from "../../src/transport/access-guard.js";
import { linkedChannels } from "../../src/transport/index.js";
import type { ListenOptions } from "../../src/transport/listener.js";

const nothing = {
  host: undefined,
  origin: undefined,
  authorization: undefined,
  fetchSite: undefined,
};
const local = { ...nothing, host: "127.0.0.1:80" };

function createGuard(options: Partial<ListenOptions> = {}, token?: string, host = "127.0.0.1") {
  const check = token === undefined ? undefined : (presented: string) => presented === token;
  return new AccessGuard({ onConnection() {}, ...options }, check, host);
}

test.each([
  ["a program", local, undefined],
  ["a program by another local name", { ...nothing, host: "localhost" }, undefined],
  ["no host", nothing, 403],
  ["a name that was rebound", { ...nothing, host: "evil.example" }, 403],
  ["a page", { ...local, origin: "https://evil.example" }, 403],
  ["an opaque page", { ...local, origin: "null" }, 403],
  ["a page without an Origin", { ...local, fetchSite: "cross-site" }, 403],
  ["a page of the same site", { ...local, fetchSite: "same-origin" }, 403],
  ["the address bar", { ...local, fetchSite: "none" }, undefined],
])("on loopback, %s gets %j", (_, caller, status) => {
  expect(createGuard().refusalOf(caller)?.status).toBe(status);
});

test("origins and hosts of the allow-lists are accepted, the others are not", () => {
  const guard = createGuard({ allowOrigins: ["https://ide.example"], allowHosts: ["my.example"] });
  const status = (origin: string, host: string) =>
    guard.refusalOf({ ...nothing, origin, host })?.status;

  expect(status("https://ide.example", "my.example:1")).toBeUndefined();
  expect(status("https://ide.example", "MY.example")).toBeUndefined();
  expect(status("https://ide.example:1", "my.example")).toBe(403);
  expect(status("https://ide.example", "my.example.evil")).toBe(403);
});

test("a remote listener accepts any host unless a list is given", () => {
  const caller = { ...nothing, host: "any.example" };

  expect(createGuard({}, undefined, "0.0.0.0").refusalOf(caller)).toBeUndefined();
  expect(createGuard({ allowHosts: ["a"] }, undefined, "0.0.0.0").refusalOf(caller)?.status).toBe(
    403,
  );
});

test("a Unix socket has no host to check", () => {
  const guard = new AccessGuard({ onConnection() {} }, undefined);

  expect(guard.refusalOf(nothing)).toBeUndefined();
});

test.each([
  ["Bearer s3cret", undefined],
  ["bearer   s3cret", undefined],
  ["Bearer s3cret2", 401],
  ["Bearer", 401],
  ["Basic s3cret", 401],
  ["s3cret", 401],
  [undefined, 401],
])("with a token, an Authorization of %j gets %j", (authorization, status) => {
  const guard = createGuard({}, "s3cret");

  expect(guard.refusalOf({ ...local, authorization })?.status).toBe(status);
  expect(guard.refusalOfConnected({ ...local, authorization })?.status).toBe(status);
});

test("a page is refused before its token is looked at", () => {
  const guard = createGuard({}, "s3cret");
  const caller = { ...local, origin: "https://evil.example", authorization: "Bearer s3cret" };

  expect(guard.refusalOf(caller)?.status).toBe(403);
});

test("further connections are refused at the limit, but not requests of established ones", async () => {
  const seen: unknown[] = [];
  const guard = createGuard({ maxConnections: 1, onConnection: (_, info) => seen.push(info) });
  const [near, far] = linkedChannels();
  const info = { transport: "tcp" as const, remote: undefined };

  guard.admit(far, info);
  expect(guard.refusalOf(local)?.status).toBe(503);
  expect(guard.refusalOfConnected(local)).toBeUndefined();
  guard.forget(far);
  expect(guard.refusalOf(local)).toBeUndefined();

  guard.admit(far, info);
  await guard.closeAll();
  expect([near.isOpen, far.isOpen]).toEqual([false, false]);
  expect(seen).toEqual([info, info]);
});
