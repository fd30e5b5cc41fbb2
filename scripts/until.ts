/**
 * When `npm test` begins no more browser tests, in epoch ms; without end where nobody says so. `.ci/run` does, in seconds
 * since 1970: it is ended at its hour, on a machine of half the speed as well.
 */
export const UNTIL_MS = Number(process.env["TEST_UNTIL"] || Infinity) * 1_000;
