import { spelled } from "./spelling.js";

/** How one is logged in. */
export type AuthMethod = "apikey" | "chatgpt";

/** Reads how one is logged in, in any case; nothing when it is a way not known here. */
export function parseAuthMethod(value: unknown): AuthMethod | undefined {
  const method = spelled(methods, value);
  return method === "apikey" || method === "chatgpt" ? method : undefined;
}

const methods: Record<string, AuthMethod> = { apikey: "apikey", chatgpt: "chatgpt" };
