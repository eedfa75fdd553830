/** The label of a choice: in as many rows as it takes, and cut to one row. */
export interface ApprovalChoice {
  lines: readonly string[];
  short: string;
}

/** The parts of an approval, each already wrapped to the width of the screen. */
export interface ApprovalBlocks {
  title: readonly string[];
  reason: readonly string[];
  /** The command or the diff. */
  body: readonly string[];
  /** What follows the body, also when it is folded: the folder of a command. */
  note: readonly string[];
  choices: readonly ApprovalChoice[];
}

/**
 * The lines of an approval in at most `height` rows.
 *
 * The question and every choice are always shown: the body folds first, then the reason, then labels
 * that take several rows, then the blank lines. `folded` returns the line that stands for hidden ones.
 */
export function fitApproval(
  { title, reason, body, note, choices }: ApprovalBlocks,
  height: number,
  folded: (hidden: number) => string,
): string[] {
  const blanks = 3;
  const leastBody = Math.min(body.length, 3) + note.length;
  const spare = (labels: readonly string[], gaps: number) =>
    height - title.length - labels.length - gaps;
  const whole = choices.flatMap(({ lines }) => lines);
  const labels = spare(whole, blanks) >= leastBody ? whole : choices.map(({ short }) => short);
  const hasBlanks = spare(labels, blanks) >= leastBody;
  const gap = hasBlanks ? [""] : [];
  const room = spare(labels, hasBlanks ? blanks : 0);
  const why = fold(reason, Math.max(0, room - leastBody), folded);
  const what = fold(body, Math.max(0, room - why.length - note.length), folded);
  return [...gap, ...title, ...why, ...gap, ...what, ...note, ...gap, ...labels];
}

function fold(
  lines: readonly string[],
  room: number,
  folded: (hidden: number) => string,
): readonly string[] {
  if (lines.length <= room) return lines;
  if (room === 0) return [];
  return [...lines.slice(0, room - 1), folded(lines.length - room + 1)];
}
