/** What belongs to the long run (`npm run test:long`), and what only to it. */
/**
 * How much the seeded tests run. In the gate (`npm test`) each kind runs the same few seeds every time and some fresh
 * ones; in the long run (`npm run test:long`) it runs many more fresh ones.
 */
export const isLong = process.env['PARLOR_RUNS'] === 'long'

/** Not in the gate (`npm test`). */
export const LONG_ONLY = '{shared,main,tests}/**/*.long.test.ts'

/**
 * A story in a browser that only the long run tells. The gate tells one of each area; whoever names a file gets all of
 * it.
 */
export const LONG = { tag: '@long' } as const

/** In both: the gate runs a few of their seeds, the long run many. */
export const SEEDED = [
  'tests/{fuzz,sim,crash}/**/*.test.ts',
  'tests/contract/matrix*.test.ts',
  'tests/contract/channels/{kept-lists-any-order,unread}.test.ts',
  'tests/contract/messages/words.test.ts',
  'tests/flow/long-away.test.ts',
  'tests/flow/manage/campaigns.test.ts',
  'tests/flow/reminders.test.ts',
  'tests/security/server-errors.test.ts',
  'shared/rules/reminders/grammar/whole.test.ts',
]
