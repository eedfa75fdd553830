import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { type ComponentChildren, h } from "preact";

const languages = {
  ...{ bash, c, cpp, css, diff, go, ini, java, javascript, json, markdown, python, ruby, rust },
  ...{ sql, typescript, xml, yaml },
};

/** Returns code with colors; as is if the language is not known. */
export function highlight(text: string, language: string): ComponentChildren {
  return treeOf(text, language)?.map(toElement) ?? text;
}

/** A part of a text with one color. */
export interface ColoredRange {
  start: number;
  end: number;
  /** Class of the color. */
  color: string;
}

/** Returns the colored parts of code, in order; none if the language is not known. */
export function colorsOf(text: string, language: string): ColoredRange[] {
  const ranges: ColoredRange[] = [];
  let end = 0;
  const visit = (node: HighlightNode | string, color: string | undefined) => {
    if (typeof node !== "string") {
      for (const child of node.children) visit(child, classOf(node) ?? color);
      return;
    }
    const start = end;
    end += node.length;
    if (color !== undefined) ranges.push({ start, end, color });
  };
  for (const node of treeOf(text, language) ?? []) visit(node, undefined);
  return ranges;
}

/** A node of the tree that highlight.js builds. */
interface HighlightNode {
  scope?: string;
  children: (HighlightNode | string)[];
}

/** Parses code; returns undefined if the language is not known. */
function treeOf(text: string, language: string): HighlightNode["children"] | undefined {
  if (core.listLanguages().length === 0) {
    for (const [name, define] of Object.entries(languages)) core.registerLanguage(name, define);
  }
  if (core.getLanguage(language) === undefined) return undefined;
  const { _emitter } = core.highlight(text, { language, ignoreIllegals: true });
  return (_emitter as unknown as { rootNode: HighlightNode }).rootNode.children;
}

function classOf({ scope }: HighlightNode): string | undefined {
  return scope && `hl-${scope.split(".")[0]}`;
}

function toElement(node: HighlightNode | string): ComponentChildren {
  if (typeof node === "string") return node;
  return h("span", { class: classOf(node) }, node.children.map(toElement));
}
