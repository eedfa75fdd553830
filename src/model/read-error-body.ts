import type { ModelAnswer } from "./transport.js";

/** What the server says about an error; more than this nobody reads. */
const longestBody = 64 * 1024;

/** The body of an answer that is no stream; the connection is free afterwards. */
export async function readErrorBody(answer: ModelAnswer): Promise<string> {
  let body = "";
  try {
    for (let text = await answer.next(); text !== undefined; text = await answer.next()) {
      body += text;
      if (body.length > longestBody) {
        answer.close();
        return body.slice(0, longestBody);
      }
    }
  } catch {
    // The status says enough when the body breaks off.
  }
  await answer.drain();
  return body;
}
