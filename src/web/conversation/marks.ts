/** Marks of states; each has a shape of its own. */
export const marks = {
  inProgress: "●",
  completed: "✓",
  failed: "✗",
  declined: "⊘",
  info: "·",
};
