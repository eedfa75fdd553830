import { resolve } from "node:path";
import type { Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import {
  API,
  type Checker,
  type Symbol as CompilerSymbol,
  SymbolFlags,
} from "typescript/unstable/sync";

/** An export of the package. */
export interface ApiExport {
  name: string;
  kind: "class" | "interface" | "type" | "function" | "value";
  /** The description; empty if there is none. */
  text: string;
  /** What an editor shows: each overload of a function, or the type. */
  signatures: readonly string[];
  /** Fields and methods of a class, an interface, or an object type. */
  members: readonly ApiMember[];
  /** Names of the types that it extends. */
  bases: readonly string[];
  /** Name of the schema that it is the type of; the schema has the descriptions. */
  schema?: string;
}

/** A field or method. */
export interface ApiMember {
  signature: string;
  text: string;
}

/** The parts of a declaration, whatever it declares. */
interface Declaration extends Node {
  name?: Node;
  type?: Node;
  body?: Node;
  initializer?: Node;
  dotDotDotToken?: Node;
  members?: readonly Declaration[];
  parameters?: readonly Declaration[];
  typeParameters?: readonly Node[];
  heritageClauses?: readonly Node[];
}

/** Reads the exports of modules, in the order of their names. */
export function readApi(files: readonly string[]): Map<string, ApiExport[]> {
  const api = new API({ cwd: process.cwd() });
  try {
    const config = resolve("tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config} cannot be opened`);
    const { program, checker } = project;
    const read = (file: string) => {
      const source = program.getSourceFile(resolve(file));
      const symbol = source && checker.getSymbolAtLocation(source);
      if (symbol === undefined) throw new Error(`${file} has no exports`);
      return checker
        .getExportsOfModule(symbol)
        .map((one) => readExport(one.name, originOf(one, checker), checker))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    };
    return new Map(files.map((file) => [file, read(file)]));
  } finally {
    api.close();
  }
}

function originOf(symbol: CompilerSymbol, checker: Checker): CompilerSymbol {
  const isAlias = symbol.declarations.every(({ kind }) => kind === SyntaxKind.ExportSpecifier);
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

function readExport(name: string, symbol: CompilerSymbol, checker: Checker): ApiExport {
  const nodes = symbol.declarations.flatMap((handle) => (handle.resolve() as Declaration) ?? []);
  const text = checker.getDocumentationCommentOfSymbol(symbol).trim();
  const common = { name, text, signatures: [], members: [], bases: [] };
  const find = (kind: SyntaxKind) => nodes.find((node) => node.kind === kind);

  const ofClass = find(SyntaxKind.ClassDeclaration);
  if (ofClass !== undefined) {
    const members = readMembers(ofClass.members ?? [], checker);
    return { ...common, kind: "class", members, bases: basesOf(ofClass) };
  }
  const ofInterface = find(SyntaxKind.InterfaceDeclaration);
  const schema = ofInterface && schemaOf(ofInterface);
  if (schema !== undefined) {
    return { ...common, kind: "interface", schema, members: readFields(symbol, checker) };
  }
  const constant = find(SyntaxKind.VariableDeclaration);
  if (constant !== undefined) {
    const type = checker.getTypeAtLocation(constant);
    const signatures = type === undefined ? [] : [oneLine(checker.typeToString(type))];
    return { ...common, kind: "value", signatures };
  }
  const functions = nodes.filter(({ kind }) => kind === SyntaxKind.FunctionDeclaration);
  if (functions.length > 0) {
    return { ...common, kind: "function", signatures: overloads(functions, checker) };
  }
  if (ofInterface !== undefined) {
    const members = readMembers(ofInterface.members ?? [], checker);
    return { ...common, kind: "interface", members, bases: basesOf(ofInterface) };
  }
  const type = find(SyntaxKind.TypeAliasDeclaration)?.type as Declaration | undefined;
  const isObject = type?.kind === SyntaxKind.TypeLiteral;
  const members = isObject ? readMembers(type.members ?? [], checker) : [];
  const signatures = isObject || type === undefined ? [] : [oneLine(type.getText())];
  return { ...common, kind: "type", signatures, members };
}

/** Returns the name of the schema that an interface is the type of. */
function schemaOf(node: Declaration): string | undefined {
  return /^Static<typeof (\w+)>$/.exec(basesOf(node).join())?.[1];
}

/** Returns the fields of the type of a schema, whose declarations have no comments. */
function readFields(symbol: CompilerSymbol, checker: Checker): ApiMember[] {
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((field) => {
    const type = checker.getTypeOfSymbol(field);
    const mark = (field.flags & SymbolFlags.Optional) === 0 ? "" : "?";
    const text = type === undefined ? "unknown" : checker.typeToString(type);
    return { signature: `${field.name}${mark}: ${oneLine(text)}`, text: "" };
  });
}

function basesOf({ heritageClauses }: Declaration): string[] {
  return (heritageClauses ?? []).flatMap((clause) =>
    clause.getText().startsWith("extends ")
      ? splitTypes(oneLine(clause.getText()).slice("extends ".length))
      : [],
  );
}

/** Splits a list of types at the commas outside of angle brackets. */
function splitTypes(text: string): string[] {
  return text.split(/,\s*(?![^<]*>)/).map((one) => one.trim());
}

function readMembers(members: readonly Declaration[], checker: Checker): ApiMember[] {
  return members.flatMap((member): ApiMember[] => {
    if (isHidden(member)) return [];
    const signature = memberSignature(member, checker);
    return signature === undefined ? [] : [{ signature, text: commentOf(member) }];
  });
}

/** Bodies of overloaded methods and private members are not part of the interface. */
function isHidden(member: Declaration): boolean {
  const name = member.name?.getText() ?? "";
  if (name.startsWith("#") || name.startsWith("[Symbol.")) return true;
  if (
    member.kind === SyntaxKind.PropertyDeclaration &&
    member.type === undefined &&
    name === "name"
  ) {
    return true; // of an error class
  }
  const text = member.getText();
  if (/^(?:override )?(?:private|protected) /.test(text)) return true;
  const { kind, parent } = member;
  if (kind !== SyntaxKind.MethodDeclaration || !hasBody(member)) return false;
  const siblings = (parent as Declaration).members ?? [];
  return siblings.some((one) => one.name?.getText() === name && one !== member && !hasBody(one));
}

function hasBody({ body }: Declaration): boolean {
  return body !== undefined;
}

/** Returns a question mark for an optional field, method or parameter. */
function optionalMark(node: Declaration): string {
  const text = node.getText();
  const start = text.indexOf(node.name?.getText() ?? "");
  const rest = text.slice(start + (node.name?.getText().length ?? 0));
  return rest.startsWith("?") || node.initializer !== undefined ? "?" : "";
}

function memberSignature(member: Declaration, checker: Checker): string | undefined {
  switch (member.kind) {
    case SyntaxKind.Constructor:
      return callText("constructor", member, checker, false);
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
      return callText(`${member.name?.getText()}${optionalMark(member)}`, member, checker, true);
    case SyntaxKind.GetAccessor:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
      return fieldText(member, checker);
    default:
      return oneLine(member.getText()).replace(/;$/, "");
  }
}

function fieldText(member: Declaration, checker: Checker): string {
  const type = member.type?.getText() ?? typeText(member, checker);
  const mark = member.initializer === undefined ? optionalMark(member) : "";
  return `${member.name?.getText()}${mark}: ${oneLine(type)}`;
}

function typeText(node: Node, checker: Checker): string {
  const type = checker.getTypeAtLocation(node);
  return type === undefined ? "unknown" : checker.typeToString(type);
}

/** Returns the overloads of a function, or its only signature. */
function overloads(nodes: readonly Declaration[], checker: Checker): string[] {
  const open = nodes.filter((node) => !hasBody(node));
  return (open.length > 0 ? open : nodes).map((node) =>
    callText(node.name?.getText() ?? "", node, checker, true),
  );
}

function callText(name: string, node: Declaration, checker: Checker, hasResult: boolean): string {
  const types = node.typeParameters?.map((one) => one.getText()).join(", ");
  const parameters = (node.parameters ?? []).map(parameterText).join(", ");
  const call = `${name}${types === undefined ? "" : `<${types}>`}(${parameters})`;
  if (!hasResult) return oneLine(call);
  const signature = checker.getSignatureFromDeclaration(node);
  const found = signature && checker.getReturnTypeOfSignature(signature);
  const result = node.type?.getText() ?? (found ? checker.typeToString(found) : "unknown");
  return oneLine(`${call}: ${result}`);
}

/** A parameter that is taken apart is called `options`. */
function parameterText(node: Declaration, at: number): string {
  const isPattern = node.name?.kind === SyntaxKind.ObjectBindingPattern;
  const name = isPattern ? `options${at > 1 ? at : ""}` : node.name?.getText();
  const rest = node.dotDotDotToken === undefined ? "" : "...";
  const type = node.type === undefined ? "" : `: ${node.type.getText()}`;
  return `${rest}${name}${optionalMark(node)}${type}`;
}

/** Returns the text of the comment before a member. */
function commentOf(node: Node): string {
  const [comment] = /\/\*\*[\s\S]*?\*\/\s*$/.exec(leadingText(node)) ?? [];
  if (comment === undefined) return "";
  return comment
    .trim()
    .slice(3, -2)
    .replace(/^\s*\* ?/gm, "")
    .trim();
}

function leadingText(node: Node): string {
  const full = node.getFullText();
  return full.slice(0, full.length - node.getText().length);
}

/** Removes comments and line breaks. */
function oneLine(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/: \| /g, ": ")
    .replace(/^\| /, "")
    .trim();
}
