import { expect, test } from "vitest";
import type { FileRule } from "../../../src/protocol/permission-rules.js";
import { describeConfined, type How } from "../support/confined.js";
import { hosts, rules, startWebServer } from "./support.js";

const files: readonly FileRule[] = [
  { place: { type: "special", name: "root" }, access: "read" },
  { place: { type: "special", name: "workspace_roots" }, access: "write" },
];
const how: How = { rules: { files, network: rules }, hosts };

describeConfined("network rules", (confined) => {
  test("a command reaches an allowed domain, and gets the reason for others", async () => {
    const scene = confined().scene();
    await using web = await startWebServer();

    const result = await confined().sh(
      scene,
      `curl -sS http://good.test:${web.port}/a; curl -sS http://denied.test:${web.port}/b; curl -sSp http://good.test:${web.port}/c`,
      how,
    );

    expect(result.stderr).toBe("");
    expect(result.stdout).toBe(
      `GET /a good.test:${web.port} \nBlocked by the network rules: denied.test is denied by "denied.test" = "deny".\nGET /c good.test:${web.port} \n`,
    );
    expect(result.exitCode).toBe(0);
  });
});
