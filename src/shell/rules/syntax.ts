import { readTokens, type Token } from "./tokens.js";
import { type Arguments, concatenate, type Place, rulesError, type Value } from "./values.js";

/** A call in a rules file, such as `prefix_rule(pattern = ["ls"])`. */
export interface Call {
  name: string;
  args: Arguments;
  at: Place;
}

/** Parameters of each function that a rules file may call, in order. */
export type Functions = Readonly<Record<string, readonly string[]>>;

/**
 * Parses a rules file: the subset of Starlark that such files use.
 *
 * That is calls of the given functions, assignments (`GIT = ["git"]`), strings, lists and `+`.
 * Nothing is executed. Any other syntax is an error that names it.
 */
export function parseCalls(file: string, source: string, functions: Functions): Call[] {
  const parser = new Parser(readTokens(file, source), functions);
  return parser.calls();
}

const deepest = 100;

class Parser {
  readonly #tokens: readonly Token[];
  readonly #functions: Functions;
  readonly #names = new Map<string, Value>();
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], functions: Functions) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  calls(): Call[] {
    const calls: Call[] = [];
    while (this.#peek().type !== "end") {
      if (this.#skip("newline")) continue;
      if (this.#peek().at.column > 1 && this.#startsLine()) {
        throw rulesError(
          this.#peek().at,
          "unexpected indentation; start the line at its beginning",
        );
      }
      const call = this.#statement();
      if (call !== undefined) calls.push(call);
      if (!this.#skipSign(";") && !this.#skip("newline"))
        throw this.#unexpected("the end of the line");
    }
    return calls;
  }

  #startsLine(): boolean {
    return this.#next === 0 || this.#tokens[this.#next - 1]?.type === "newline";
  }

  #statement(): Call | undefined {
    const token = this.#peek();
    const following = this.#tokens[this.#next + 1];
    if (token.type !== "name" || following?.type !== "sign") {
      this.#expression(); // a string on its own is a comment
      return undefined;
    }
    if (following.text === "(") return this.#call(this.#take());
    if (following.text === "=") {
      this.#next += 2;
      this.#names.set(token.text, this.#expression());
      return undefined;
    }
    this.#expression();
    return undefined;
  }

  #call(name: Token): Call {
    const parameters = Object.hasOwn(this.#functions, name.text)
      ? this.#functions[name.text]
      : undefined;
    if (parameters === undefined) {
      const known = Object.keys(this.#functions).join(", ");
      throw rulesError(name.at, `unknown function ${name.text}; a rules file can call ${known}`);
    }
    this.#take();
    const args = new Map<string, Value>();
    for (let position = 0; !this.#skipSign(")"); position += 1) {
      const key = this.#argumentName() ?? parameters[position];
      if (key === undefined || !parameters.includes(key)) {
        const what = key === undefined ? "too many arguments" : `unknown argument ${key}`;
        throw rulesError(this.#peek().at, `${what}; ${name.text} takes ${parameters.join(", ")}`);
      }
      if (args.has(key)) throw rulesError(this.#peek().at, `argument ${key} is given twice`);
      const value = this.#expression();
      if (value.type !== "NoneType") args.set(key, value);
      if (!this.#skipSign(",") && !this.#isSign(")")) throw this.#unexpected("a comma or )");
    }
    return { name: name.text, args, at: name.at };
  }

  #argumentName(): string | undefined {
    const following = this.#tokens[this.#next + 1];
    if (this.#peek().type !== "name" || following?.text !== "=" || following.type !== "sign") {
      return undefined;
    }
    const name = this.#take().text;
    this.#take();
    return name;
  }

  #expression(): Value {
    this.#depth += 1;
    let left = this.#operand();
    while (this.#isSign("+")) {
      const sign = this.#take();
      left = concatenate(left, this.#operand(), sign.at);
    }
    this.#depth -= 1;
    return left;
  }

  #operand(): Value {
    const token = this.#take();
    if (this.#depth > deepest) throw rulesError(token.at, "brackets are nested too deeply");
    if (token.type === "string") return { type: "string", value: token.text, at: token.at };
    if (token.type === "number") return { type: "int", at: token.at };
    if (token.type === "sign" && token.text === "[") return this.#list(token.at, "]");
    if (token.type === "sign" && token.text === "(") return this.#parenthesized(token.at);
    if (token.type === "name") return this.#named(token);
    this.#next -= 1;
    throw this.#unexpected("a value");
  }

  #parenthesized(at: Place): Value {
    const value = this.#expression();
    if (!this.#skipSign(")")) throw rulesError(at, "parentheses can contain only one value");
    return value;
  }

  #list(at: Place, closing: string): Value {
    const items: Value[] = [];
    while (!this.#skipSign(closing)) {
      items.push(this.#expression());
      if (!this.#skipSign(",") && !this.#isSign(closing)) {
        throw this.#unexpected(`a comma or ${closing}`);
      }
    }
    return { type: "list", items, at };
  }

  #named(token: Token): Value {
    if (token.text === "True" || token.text === "False") return { type: "bool", at: token.at };
    if (token.text === "None") return { type: "NoneType", at: token.at };
    const value = this.#names.get(token.text);
    if (value !== undefined) return value;
    if (/^(?:for|if|def|load|lambda|while|return|pass)$/.test(token.text)) {
      throw rulesError(
        token.at,
        `${token.text} is not supported in rules files; write out each rule`,
      );
    }
    throw rulesError(token.at, `unknown name ${token.text}; give it a value first, or quote it`);
  }

  #peek(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error("A token list always has an end");
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #skip(type: Token["type"]): boolean {
    if (this.#peek().type !== type) return false;
    this.#next += 1;
    return true;
  }

  #isSign(sign: string): boolean {
    return this.#peek().type === "sign" && this.#peek().text === sign;
  }

  #skipSign(sign: string): boolean {
    if (!this.#isSign(sign)) return false;
    this.#next += 1;
    return true;
  }

  #unexpected(expected: string): Error {
    const { type, text, at } = this.#peek();
    const found = type === "end" ? "the end of the file" : type === "newline" ? "a new line" : text;
    return rulesError(at, `expected ${expected}, found ${found}`);
  }
}
