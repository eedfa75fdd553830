// Appends to the message history and edits the config of a home, and prints each completed write.
import { join } from "node:path";
import { editConfig } from "../../src/config/index.js";
import { appendHistory } from "../../src/history/index.js";

const { home, name, count } = JSON.parse(process.argv[2] ?? "") as {
  home: string;
  name: string;
  count: number;
};

await Promise.all([writeHistory(), writeConfig()]);

async function writeHistory(): Promise<void> {
  for (let n = 0; n < count; n++) {
    const text = `${name}.${n} ${"x".repeat((n * 37) % 3000)}`;
    const entry = { conversation_id: name, text };
    await appendHistory({ home, settings: { persistence: "save-all" }, entry, clock: Date });
    process.stdout.write(`history ${name}.${n}\n`);
  }
}

async function writeConfig(): Promise<void> {
  for (let n = 0; n < count; n++) {
    const path = ["projects", `/${name}.${n}`, "trust_level"];
    await editConfig(join(home, "config.toml"), [{ path, value: "trusted" }]);
    process.stdout.write(`config ${name}.${n}\n`);
  }
}
