import Type, { type Static } from "typebox";

export const ExecPolicyAmendmentDecision = Type.Object(
  {
    approved_execpolicy_amendment: Type.Object(
      {
        proposed_execpolicy_amendment: Type.Array(Type.String(), {
          description: "The first words of the commands to allow from now on.",
        }),
      },
      { description: "The rule to remember." },
    ),
  },
  {
    $id: "ExecPolicyAmendmentDecision",
    description: "Approves the command and remembers a rule for commands that begin alike.",
  },
);
export interface ExecPolicyAmendmentDecision extends Static<typeof ExecPolicyAmendmentDecision> {}

export const ReviewDecision = Type.Union(
  [Type.Enum(["approved", "approved_for_session", "denied", "abort"]), ExecPolicyAmendmentDecision],
  {
    $id: "ReviewDecision",
    description:
      "What the user says to a request: yes, yes for the rest of the session, no but go on, " +
      "or no and stop the turn.",
  },
);
/** What the user says to an approval request. */
export type ReviewDecision =
  | "approved"
  | "approved_for_session"
  | "denied"
  | "abort"
  | ExecPolicyAmendmentDecision;
