// Defines a custom tool that runs in your process; the model calls it like any other.
//   node examples/own-tool.mjs "How many are left of SKU-1?"
import { Codex } from "quire-agent";
import { defineTool, failed, ok, parameters } from "quire-agent/tools";

const stock = new Map([
  ["SKU-1", 12],
  ["SKU-2", 0],
]);

const stockOf = defineTool({
  name: "stock_of",
  description: "How many pieces of an article are left.",
  input: parameters({ sku: { type: "string", description: "The article." } }, ["sku"]),
  async run({ sku }) {
    const count = stock.get(sku);
    return count === undefined ? failed(`There is no article ${sku}`) : ok(String(count));
  },
});

const codex = new Codex({ sandboxMode: "read-only", tools: [stockOf] });
try {
  const question = process.argv[2] ?? "How many are left of SKU-1?";
  const { items, finalResponse } = await codex.startThread().run(question);
  for (const item of items) {
    if (item.type === "tool_call") console.error(`${item.tool} said ${item.output}`);
  }
  console.log(finalResponse);
} finally {
  await codex.close();
}
