/** Which test files belong to the long run (`npm run test:long`), and which only to it. */
export const isLong = process.env['PARLOR_RUNS'] === 'long'

/** Not in the gate (`npm test`). */
export const LONG_ONLY = '{shared,main,tests}/**/*.long.test.ts'

/** In both: the gate runs a few of their seeds, the long run many. */
export const SEEDED = [
  'tests/{fuzz,sim,crash}/**/*.test.ts',
  'tests/contract/matrix*.test.ts',
  'tests/flow/long-away.test.ts',
  'tests/security/server-errors.test.ts',
  'shared/rules/reminders/grammar/whole.test.ts',
]
