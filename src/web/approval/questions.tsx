import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isTyping } from "../lib/keys.js";
import type { PendingRequest } from "../state/requests.js";

type QuestionRequest = Extract<PendingRequest, { kind: "questions" }>;
type Question = QuestionRequest["params"]["questions"][number];

/** Questions of the model, one after the other; options by number keys, free text last. */
export function Questions({ request }: { request: QuestionRequest }) {
  const { questions } = request.params;
  const answers = useSignal<Readonly<Record<string, { answers: string[] }>>>({});
  const at = Object.keys(answers.value).length;
  const question = questions[at];
  if (question === undefined) return null;
  const answer = (text: string) => {
    const all = { ...answers.value, [question.id]: { answers: [text] } };
    answers.value = all;
    if (at + 1 === questions.length) request.answer({ answers: all });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div role="group" aria-label="Question" class="approval">
      <div class="approval-title">
        <span class="waiting-mark" aria-hidden="true">
          ◆
        </span>
        {question.header}
        {questions.length > 1 && (
          <span class="muted">
            {" "}
            · {at + 1} of {questions.length}
          </span>
        )}
      </div>
      <p class="approval-reason">{question.question}</p>
      <QuestionForm key={question.id} question={question} onAnswer={answer} />
    </div>
  );
}

function QuestionForm({
  question,
  onAnswer,
}: {
  question: Question;
  onAnswer(text: string): void;
}) {
  const text = useSignal("");
  const options = question.options ?? [];
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const option = options[Number(event.key) - 1];
      if (option === undefined) return;
      event.preventDefault();
      onAnswer(option.label);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return (
    <>
      {options.map(({ label, description }, at) => (
        <button key={label} type="button" class="option" onClick={() => onAnswer(label)}>
          <span class="key" aria-hidden="true">
            {at + 1}
          </span>
          <span class="grow">
            <strong>{label}</strong>
            <span class="muted">{description}</span>
          </span>
        </button>
      ))}
      {(question.isOther || options.length === 0) && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.value.trim() !== "") onAnswer(text.value);
          }}
        >
          <input
            class="grow"
            aria-label="Answer"
            placeholder={options.length === 0 ? "Your answer" : "Another answer"}
            {...(question.isSecret ? { type: "password" as const } : {})}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          <button type="submit" class="button primary">
            Answer
          </button>
        </form>
      )}
    </>
  );
}
