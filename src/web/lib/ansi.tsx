import type { ComponentChildren } from "preact";

/** Returns output of a command with its colors; other control sequences are removed. */
export function withColors(output: string): ComponentChildren {
  if (!output.includes("\u001b") && !output.includes("\r")) return output;
  const clean = withoutOverwritten(output);
  const parts: ComponentChildren[] = [];
  let style = "";
  let at = 0;
  for (const match of clean.matchAll(sequences)) {
    if (match.index > at) parts.push(styled(clean.slice(at, match.index), style));
    at = match.index + match[0].length;
    if (match[1] !== undefined) style = nextStyle(style, match[1]);
  }
  parts.push(styled(clean.slice(at), style));
  return parts;
}

/** Returns output of a command without control sequences. */
export function plainText(output: string): string {
  return withoutOverwritten(output).replaceAll(sequences, "");
}

/** Removes what a carriage return has overwritten, such as earlier states of a progress bar. */
function withoutOverwritten(output: string): string {
  return output.replaceAll("\r\n", "\n").replaceAll(/^.*\r(?!\n)/gm, "");
}

/** Group 1 has the numbers of a color sequence. */
const sequences =
  /\u001b(?:\[([\d;]*)m|\[[\d;?]*[A-Za-ln-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][A-Z0-9]|.)/g;

const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function styled(text: string, style: string): ComponentChildren {
  return style === "" ? text : <span class={style}>{text}</span>;
}

function nextStyle(style: string, numbers: string): string {
  let classes = style === "" ? [] : style.split(" ");
  const codes = numbers.split(";").map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const color = colors[(code - 30) % 60] ?? "";
    if (code === 0) classes = [];
    else if (code === 1) classes.push("ansi-bold");
    else if (code === 2) classes.push("ansi-dim");
    else if (code === 22) classes = classes.filter((one) => !/bold|dim/.test(one));
    else if (code === 39) classes = classes.filter((one) => !one.startsWith("ansi-color"));
    else if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4;
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      classes = [...classes.filter((one) => !one.startsWith("ansi-color")), `ansi-color-${color}`];
    }
  }
  return classes.join(" ");
}
