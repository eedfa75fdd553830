import { expect, test } from "vitest";
import { permissionLines } from "../../src/protocol/permissions-text.js";
import type { RequestPermissionProfile } from "../../src/protocol/rpc/v2/permissions.js";

test.each<[RequestPermissionProfile, string[]]>([
  [{ network: null, fileSystem: null }, []],
  [{ network: { enabled: true }, fileSystem: null }, ["use the network"]],
  [{ network: { enabled: false }, fileSystem: null }, []],
  [{ network: null, fileSystem: { read: ["/a"], write: ["/b"] } }, ["write /b", "read /a"]],
  [
    {
      network: null,
      fileSystem: {
        read: null,
        write: ["/b"],
        entries: [{ path: { type: "path", path: "/b" }, access: "write" }],
      },
    },
    ["write /b"],
  ],
])("%j is described as %j", (permissions, lines) => {
  expect(permissionLines(permissions)).toEqual(lines);
});
