/** The four states of work, in cells, status line, agents and terminal title. */
export const marks = { running: "●", waiting: "◆", done: "✓", failed: "✗" } as const;
