import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

test("rules for hosts, which nothing enforces, are reported once", async () => {
  const list = (call_id: string) => calls("shell", { command: ["ls"] }, call_id);
  await using codex = await startTestCodex({ model: [list("c1"), list("c2"), says("Done.")] });
  mkdirSync(join(codex.home, "rules"));
  writeFileSync(
    join(codex.home, "rules/default.rules"),
    'network_rule(host="a.example", protocol="https", decision="deny")\n' +
      'network_rule(host="b.example", protocol="https", decision="allow")\n',
  );

  const events = await codex.turn({ type: "user_input", items: [{ type: "text", text: "go" }] });

  const warnings = events.flatMap((msg) => (msg.type === "warning" ? [msg.message] : []));
  expect(warnings.filter((text) => text.includes("network_rule"))).toEqual([
    "network_rule is not enforced (a.example): use `network.domains` of a permission profile.",
  ]);
});
