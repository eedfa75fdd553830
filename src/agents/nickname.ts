/** Names for people, which distinguish agents with the same task. */
const usual = [
  "Bodoni",
  "Codex",
  "Deckle",
  "Duodecimo",
  "Folio",
  "Foolscap",
  "Garamond",
  "Gutter",
  "Imprint",
  "Incipit",
  "Kettle",
  "Lector",
  "Majuscule",
  "Morocco",
  "Octavo",
  "Palimpsest",
  "Plantin",
  "Quarto",
  "Recto",
  "Rubric",
  "Scholion",
  "Scriptor",
  "Signet",
  "Uncial",
  "Vellum",
  "Verso",
];

/** Returns a nickname that none of the agents has; a number follows once all are taken. */
export function nicknameFor(
  taken: ReadonlySet<string>,
  random: () => number,
  candidates: readonly string[] = [],
): string {
  const names = candidates.length === 0 ? usual : candidates;
  const first = Math.floor(random() * names.length);
  for (let round = 1; ; round++) {
    for (let step = 0; step < names.length; step++) {
      const name = names[(first + step) % names.length] ?? "";
      const nickname = round === 1 ? name : `${name} ${round}`;
      if (!taken.has(nickname)) return nickname;
    }
  }
}
