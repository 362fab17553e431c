/**
 * Named places where the app's process kills itself, with `kill -9`, on real files. An operation is what a process
 * requests of the outside: `rename secrets.json.new secrets.json`, `commit outbox.db drafts`, `request POST …`. Nothing
 * of this is in the product: operations are observed where Node and SQLite are called.
 */
export type Point = {
  readonly name: string
  readonly moment: 'before' | 'after'
  readonly deed: RegExp
  /** What the user is doing; absent: whenever it is first done. */
  readonly stage?: Stage
  /** What is damaged before the start in which it happens. */
  readonly spoilt?: Spoilt
}

export type Stage =
  | 'start'
  | 'sign in'
  | 'settings'
  | 'draft'
  | 'stage'
  | 'send'
  | 'sign out'
  | 'sign in again'
  | 'wipe'
export type Spoilt = 'cache.db' | 'outbox.db'

type Place = Pick<Point, 'stage' | 'spoilt'>

/** Before and after one operation. */
const around = (name: string, deed: RegExp, place: Place = {}): readonly Point[] => [
  { name: `${name}: before it`, moment: 'before', deed, ...place },
  { name: `${name}: after it`, moment: 'after', deed, ...place },
]

export const POINTS: readonly Point[] = [
  { name: 'the token is flushed: before it', moment: 'before', deed: /^sync secrets\.json\.new$/, stage: 'sign in' },
  ...around('the token file is replaced', /^rename secrets\.json\.new /, { stage: 'sign in' }),
  ...around('the account is noted in the settings', /^rename \S+ settings\.json$/, { stage: 'sign in' }),
  ...around('the cache gets its tables', /^commit cache\.db .*install-id/, { stage: 'sign in' }),
  ...around('the outbox gets its tables', /^commit outbox\.db .*install-id/, { stage: 'sign in' }),
  { name: 'a step of the schema: in the middle', moment: 'after', deed: /^sql cache\.db PRAGMA user_version = 20/ },
  { name: 'a batch of facts: in the middle', moment: 'after', deed: /^sql cache\.db INSERT INTO messages/ },
  ...around('a batch of facts: its COMMIT', /^commit cache\.db .*messages/),
  ...around('the cursor is saved', /^commit cache\.db .*heard-until/),
  ...around('a setting is written: the new file', /^rename \S+ settings\.json$/, { stage: 'settings' }),
  ...around('a draft is kept', /^commit outbox\.db .*drafts/, { stage: 'draft' }),
  ...around('the second copy of a draft', /^append outbox\.journal/, { stage: 'draft' }),
  ...around('the ticket of a file is written', /^commit outbox\.db .*uploads/, { stage: 'stage' }),
  ...around('a piece of a file is copied', /^append staging\/ID$/, { stage: 'stage' }),
  ...around('a copied file is flushed', /^sync staging\/ID$/, { stage: 'stage' }),
  ...around('a file is complete', /^commit outbox\.db .*intents.*uploads/, { stage: 'stage' }),
  ...around('a file is sent', /^request POST \/channels\/\S+\/(file|image)$/),
  ...around('the ticket learns the address', /^commit outbox\.db (?!.*intents).*uploads/, { stage: 'send' }),
  ...around('a message with a file is sent', /^request POST \/channels\/\S+\/message$/),
  { name: 'a task is dropped: in the middle', moment: 'after', deed: /^sql outbox\.db DELETE FROM intents/ },
  ...around('the copy of a sent file is removed', /^rm staging\/ID$/),
  ...around('the log of the outbox is emptied', /^sql outbox\.db PRAGMA wal_checkpoint/, { stage: 'sign out' }),
  ...around('the log of the cache is emptied', /^sql cache\.db PRAGMA wal_checkpoint/, { stage: 'sign out' }),
  ...around('the mark of an open account is taken away', /^rm open\.marker$/, { stage: 'sign out' }),
  ...around('a sign-out is written down', /^write accounts\/ACCOUNT\.leaving$/, { stage: 'sign out' }),
  ...around('the sign-out is noted in the settings', /^rename \S+ settings\.json$/, { stage: 'sign out' }),
  ...around('the token is forgotten', /^rename secrets\.json\.new /, { stage: 'sign out' }),
  ...around('a sign-out with everything is written down', /^write accounts\/ACCOUNT\.leaving$/, { stage: 'wipe' }),
  ...around('a sign-out with everything is noted', /^rename \S+ settings\.json$/, { stage: 'wipe' }),
  ...around('an account is wiped', /^rm accounts\/ACCOUNT$/, { stage: 'wipe' }),
  {
    name: 'an account is wiped: in the middle',
    moment: 'before',
    deed: /^half of rm accounts\/ACCOUNT/,
    stage: 'wipe',
  },
  ...around('the token of a wiped account is forgotten', /^rename secrets\.json\.new /, { stage: 'wipe' }),
  {
    name: 'the sign-out is done: before its note goes',
    moment: 'before',
    deed: /^rm accounts\/ACCOUNT\.leaving$/,
    stage: 'wipe',
  },
  ...around('a broken cache is moved aside', /^rename cache\.db quarantine\//, { stage: 'start', spoilt: 'cache.db' }),
  ...around('a new cache gets its tables', /^commit cache\.db .*install-id/, { stage: 'start', spoilt: 'cache.db' }),
  ...around('a broken outbox is moved aside', /^rename outbox\.db quarantine\//, {
    stage: 'start',
    spoilt: 'outbox.db',
  }),
  ...around('a new outbox gets its tables', /^commit outbox\.db .*install-id/, { stage: 'start', spoilt: 'outbox.db' }),
  ...around('the second copy is rewritten', /^rename outbox\.journal\.new /, {
    stage: 'start',
    spoilt: 'outbox.db',
  }),
]
