/** How a command about one session is told which: `findSession` looks it up. */
export const sessionOperand = {
  operands: "SESSION",
  mostOperands: 1,
  details: "A session is named by its id, the beginning of its id, or its name.",
} as const;
