// Runs many threads concurrently in one process, with structured output.
//   node examples/many-threads.mjs apple pear plum
import { Codex } from "quire-agent";

const words = process.argv.length > 2 ? process.argv.slice(2) : ["apple", "pear", "plum"];
const outputSchema = {
  type: "object",
  properties: { translation: { type: "string" } },
  required: ["translation"],
  additionalProperties: false,
};

const codex = new Codex({ sandboxMode: "read-only", ephemeral: true });
try {
  const answers = await Promise.all(
    words.map(async (word) => {
      const thread = codex.startThread();
      const { finalResponse } = await thread.run(`Translate to German: ${word}`, { outputSchema });
      return [word, JSON.parse(finalResponse).translation];
    }),
  );
  for (const [word, translation] of answers) console.log(`${word}: ${translation}`);
} finally {
  await codex.close();
}
