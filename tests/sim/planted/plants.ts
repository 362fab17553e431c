/** One change of the source: `find` must be there exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly put: string }

export type Plant = {
  readonly name: string
  /** The promise that it breaks. */
  readonly breaks: string
  /** What the complaint must say: another one would be luck. */
  readonly complaint: RegExp
  readonly scenario:
    | 'schedule'
    | 'old-edit'
    | 'poison'
    | 'flaky'
    | 'jump'
    | 'tokens'
    | 'full-server'
    | 'outbox-model'
    | 'sets-model'
    | 'connection-model'
  readonly edits: readonly Edit[]
}

/** Fourteen bugs, as changes of the product's own source. */
export const PLANTS: readonly Plant[] = [
  {
    name: 'attempt-first',
    breaks: 'I1',
    complaint: /is lost|still there|reads|wanted/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/outbox/outbox.ts',
        find: 'intentOf(table.add(tx, row))',
        put: `intentOf({ ...row, attempts: 0, nextAt: 0, state: 'ready',
          seq: 1 + Math.max(0, ...this.#held.all().map((each) => each.seq)) } as never)`,
      },
      {
        file: 'main/cache/outbox/intents.ts',
        find: 'if (tx.db.run(UPDATE, place.payload, ...progress, row.id) > 0) touchIntent(tx, row)',
        put: `if (row.state === 'waiting' || row.state === 'parked') restore(tx, row)`,
      },
    ],
  },
  {
    name: 'skip-failed',
    breaks: 'I3',
    complaint: /changed their order/,
    scenario: 'flaky',
    edits: [
      {
        file: 'main/engine/outbox/lanes.ts',
        find: 'taken.add(lane)',
        put: `if (intent.state !== 'waiting') taken.add(lane)`,
      },
    ],
  },
  {
    name: 'no dedupe',
    breaks: 'I2',
    complaint: /is lost|never accepted|stored \d+ times/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/features/messages/feature.ts',
        find: 'id: intent.messageId ?? id,',
        put: 'id: core.ports.ids.uuid(),',
      },
    ],
  },
  {
    name: 'acknowledged before the commit',
    breaks: 'accepted means on disk',
    complaint: /is lost|still has unsent/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/outbox/outbox.ts',
        find: 'return [...rows, ...adopted.map(rowOf)].map((row) => intentOf(table.add(tx, row)))',
        put: `return rows.map((row) => {
          const timer = this.#clock as unknown as { after(ms: number, fn: () => void): void }
          timer.after(300, () => void this.#store.transaction((late) => void (this.#held.get(row.id) && table.add(late, row))))
          return intentOf({ ...row, attempts: 0, nextAt: 0, state: 'ready',
            seq: 1 + Math.max(0, ...this.#held.all().map((each) => each.seq)) } as never)
        })`,
      },
    ],
  },
  {
    name: 'NORMAL instead of FULL',
    breaks: 'accepted means on disk, after a loss of power',
    complaint: /is lost|was deleted and is still there|reads|differently|wanted/,
    scenario: 'schedule',
    edits: [{ file: 'main/cache/files/database-file.ts', find: 'synchronous: 2,', put: 'synchronous: 1,' }],
  },
  {
    name: 'cursor by the local clock',
    breaks: 'I11',
    complaint: /still shows old words/,
    scenario: 'old-edit',
    edits: [
      {
        file: 'main/cache/meta.ts',
        find: 'if (time > (heardUntil(',
        put: 'time += 600_000\n  if (time > (heardUntil(',
      },
    ],
  },
  {
    name: 'the outbox is cleared by a resynchronisation',
    breaks: 'the outbox outlives the cache',
    complaint: /is lost/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/sync/recover.ts',
        find: 'isCurrent: () => boolean): Promise<void> {\n  const since',
        put: 'isCurrent: () => boolean): Promise<void> {\n  core.outbox.remove(core.outbox.all().map(({ id }) => id))\n  const since',
      },
    ],
  },
  {
    name: 'double token refresh',
    breaks: 'an expired token is invisible',
    complaint: /tokens were fetched/,
    scenario: 'tokens',
    edits: [
      { file: 'main/engine/session/token.ts', find: 'loading ??= loadFrom', put: 'loading = loadFrom' },
      { file: 'main/engine/session/token.ts', find: 'if (loading) return loading\n', put: '' },
      {
        file: 'main/engine/session/token.ts',
        find: 'if (current !== undefined && current !== spent) return current\n',
        put: '',
      },
    ],
  },
  {
    name: 'order by arrival',
    breaks: 'I7',
    complaint: /another order|changed their order/,
    scenario: 'old-edit',
    edits: [
      {
        file: 'main/cache/messages/pages.ts',
        find: '(created_at, id) >= (?, ?) AND (created_at, id) <= (?, ?) ORDER BY created_at, id`\nexport const TIMELINE_COUNT',
        put: '(created_at, id) >= (?, ?) AND (created_at, id) <= (?, ?) ORDER BY rowid`\nexport const TIMELINE_COUNT',
      },
    ],
  },
  {
    name: 'unread from events only',
    breaks: 'only what was seen is marked read',
    complaint: /unread in/,
    scenario: 'schedule',
    edits: [{ file: 'main/engine/sync/write.ts', find: '  reads.putMany(tx, facts.reads)\n', put: '' }],
  },
  {
    name: 'unguarded JSON.parse',
    breaks: 'a faulty server cannot end the process',
    complaint: /JSON/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/realtime/transport.ts',
        find: 'function parsed(text: string): unknown {',
        put: 'function parsed(text: string): unknown {\n  if (text !== undefined) return JSON.parse(text) as unknown',
      },
    ],
  },
  {
    name: 'retry of what will never be accepted',
    breaks: 'a refused write is parked in view',
    complaint: /not parked|was asked/,
    scenario: 'poison',
    edits: [
      {
        file: 'main/engine/api/errors.ts',
        find: "const INVALID: Row = { class: 'invalid', task: 'park'",
        put: "const INVALID: Row = { class: 'invalid', task: 'retry'",
      },
    ],
  },
  {
    name: 'timer by the wall clock',
    breaks: 'order does not depend on clocks',
    complaint: /still has unsent|is lost/,
    scenario: 'jump',
    edits: [
      {
        file: 'main/engine/outbox/waiting.ts',
        find: 'delay.at - this.#clock.monotonic()',
        put: 'delay.at - this.#clock.now()',
      },
      {
        file: 'main/engine/outbox/waiting.ts',
        find: 'at: this.#clock.monotonic() + ms, lifts })',
        put: 'at: this.#clock.now() + ms, lifts: false })',
      },
    ],
  },
  {
    name: 'event before the commit',
    breaks: 'the server answers after the disk did',
    complaint: /was told of/,
    scenario: 'full-server',
    edits: [
      {
        file: 'main/server/work.ts',
        find: 'batch.push(encode(services.db, emission))',
        put: 'deliver([encode(services.db, emission)], services.hub, services.db)',
      },
    ],
  },
]

/** Bugs that show that each model of tests/sim/models can fail. */
export const MODEL_PLANTS: readonly Plant[] = [
  {
    name: 'what was in flight at a crash is forgotten there',
    breaks: 'I5',
    complaint: /I5/,
    scenario: 'outbox-model',
    edits: [
      {
        file: 'main/engine/outbox/outbox.ts',
        find: "all().filter((intent) => intent.state === 'inflight')",
        put: "all().filter((intent) => intent.id === '')",
      },
    ],
  },
  {
    name: 'a message that waits is overtaken',
    breaks: 'I3, I4',
    complaint: /I3|I4/,
    scenario: 'outbox-model',
    edits: [
      {
        file: 'main/engine/outbox/lanes.ts',
        find: 'taken.add(lane)',
        put: `if (intent.state !== 'waiting') taken.add(lane)`,
      },
    ],
  },
  {
    name: 'a lost connection leaves the newest range open',
    breaks: 'I8',
    complaint: /I8/,
    scenario: 'sets-model',
    edits: [
      {
        file: 'shared/rules/messages/message-ranges.ts',
        find: 'ranges.map((range) => (range.hasNext ? range : { ...range, hasNext: true }))',
        put: 'ranges',
      },
    ],
  },
  {
    name: 'the old socket is not given up',
    breaks: 'I14',
    complaint: /I14/,
    scenario: 'connection-model',
    edits: [
      {
        file: 'main/engine/realtime/connection.ts',
        find: '    connection?.drop()\n    this.#flush()',
        put: '    this.#flush()',
      },
    ],
  },
  {
    name: 'a hold is never checked again',
    breaks: 'I5',
    complaint: /I5/,
    scenario: 'outbox-model',
    edits: [{ file: 'main/engine/outbox/waiting.ts', find: '        onProbe()\n', put: '' }],
  },
  {
    name: 'any response is accepted as the right one',
    breaks: 'I1',
    complaint: /is lost|differ|elsewhere|reads|wanted|never accepted/,
    scenario: 'schedule',
    edits: [
      {
        file: 'main/engine/api/answers.ts',
        find: "return claims.find((claim) => !holds(claim, reply))?.at.join('.')",
        put: 'return claims.length < 0 ? String(holds) + String(reply) : undefined',
      },
    ],
  },
]
