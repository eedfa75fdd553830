/** Something typed that cannot be understood; the message says what to type instead. */
export class UsageError extends Error {}
