import fc from "fast-check";

/**
 * Property tests use the same cases in each run, so that a run says something about the change and
 * not about luck. `QUIRE_FUZZ_SEED=random` searches for new counterexamples; a number repeats a run.
 */
const seed = process.env.QUIRE_FUZZ_SEED ?? "20261115";

if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
