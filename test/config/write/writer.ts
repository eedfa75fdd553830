// A separate program for the tests: edits a file a given number of times.
import { editConfig } from "../../../src/config/index.js";

const [file = "", name = "", count = "0"] = process.argv.slice(2);

for (let number = 1; number <= Number(count); number++) {
  await editConfig(file, [
    { path: ["profiles", name, "model"], value: `m${number}` },
    { path: ["projects", `/${name}/${number}`, "trust_level"], value: "trusted" },
  ]);
  process.stdout.write(`${number}\n`);
}
