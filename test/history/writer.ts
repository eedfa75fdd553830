// A separate program for the tests: appends entries to the history of a home as fast as it can.
import { appendHistory } from "../../src/history/index.js";

const [home = "", name = "", count = "0", maxBytes = "0"] = process.argv.slice(2);

for (let number = 0; number < Number(count); number++) {
  await appendHistory({
    home,
    settings: { persistence: "save-all", maxBytes: Number(maxBytes) },
    entry: { conversation_id: name, text: `${number} ${"x".repeat(number * 37)}` },
    clock: Date,
  });
}
