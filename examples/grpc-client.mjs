// A client in any language: generate a gRPC client from schema/quire.proto and send JSON-RPC over it.
// Imports nothing of Quire, only gRPC.
//   quire app-server --listen grpc://127.0.0.1:4600
//   node examples/grpc-client.mjs 127.0.0.1:4600 "Say hello"
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const [, , address = "127.0.0.1:4600", text = "Say hello"] = process.argv;
const proto = fileURLToPath(new URL("../schema/quire.proto", import.meta.url));
const { quire } = /** @type {any} */ (grpc.loadPackageDefinition(loadSync(proto)));
const connection = new quire.v1.Quire(address, grpc.credentials.createInsecure());
const call = connection.Open();

let nextId = 0;
/** @type {Map<number, {resolve(result: any): void, reject(error: Error): void}>} */
const waiting = new Map();
/** @param {object} message */
const send = (message) => call.write({ messages: [JSON.stringify(message)] });
/** @param {string} method @param {object} params @returns {Promise<any>} */
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    waiting.set(nextId, { resolve, reject });
    send({ id: nextId++, method, params });
  });

const done = new Promise((resolve, reject) => {
  call.on("error", reject);
  call.on("data", (/** @type {{messages: string[]}} */ batch) => {
    for (const message of batch.messages.map((json) => JSON.parse(json))) {
      if (message.method === undefined) {
        const { resolve: succeed, reject: fail } = waiting.get(message.id) ?? {};
        waiting.delete(message.id);
        if (message.error) fail?.(new Error(message.error.message));
        else succeed?.(message.result);
      } else if (message.id !== undefined) {
        // This client declines every request of the server.
        send({ id: message.id, result: { decision: "decline" } });
      } else if (message.method === "item/completed") {
        const { item } = message.params;
        if (item.type === "agentMessage") console.log(item.text);
      } else if (message.method === "turn/completed") {
        resolve(message.params.turn.status);
      }
    }
  });
});

await ask("initialize", { clientInfo: { name: "grpc-example", version: "1.0.0" } });
send({ method: "initialized" });
const { thread } = await ask("thread/start", { sandbox: "read-only" });
await ask("turn/start", { threadId: thread.id, input: [{ type: "text", text }] });
console.error(`${thread.id}: ${await done}`);
call.end();
connection.close();
