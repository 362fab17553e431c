import * as v from 'valibot'
import { LANGUAGES } from '#shared/domain/settings.ts'

/**
 * A problem report: what someone did before a bug, to be done again by `npm run replay`. It contains no text, name, id,
 * address or file name of their world: filler and pseudonyms stand for them (`shared/rules/desktop/filler.ts`).
 */

/** Characters of a name or text, and how many people, channels and steps there are at most. */
export const REPORT_LIMITS = { name: 1_000, text: 50_000, people: 2_000, channels: 200, steps: 5_000 } as const

const person = v.pipe(v.string(), v.regex(/^u[1-9]\d{0,5}$/))
const channel = v.pipe(v.string(), v.regex(/^c[1-9]\d{0,5}$/))
const message = v.pipe(v.string(), v.regex(/^m[1-9]\d{0,5}$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000))
const text = v.pipe(v.string(), v.maxLength(REPORT_LIMITS.text))
const name = v.pipe(v.string(), v.maxLength(REPORT_LIMITS.name))
/** A word of the app itself, such as a role or the value of a setting. */
const word = v.pipe(v.string(), v.regex(/^[a-z\d][a-z\d-]{0,30}$/i))

const posted = v.object({ id: message, by: person, text, thread: v.optional(message) })

/** A control: what is around it, and its role and name there. Without a role it is the surrounding itself. */
const control = v.object({
  inside: v.optional(
    v.variant('kind', [
      v.object({ kind: v.literal('channel'), id: channel }),
      v.object({ kind: v.literal('message'), id: message }),
      v.object({ kind: v.literal('composer'), id: channel, thread: v.optional(message) }),
    ]),
  ),
  role: v.optional(word),
  name: v.optional(name),
  /** Which of several with this role and name, from 0. */
  nth: v.optional(count),
})

const at = v.pipe(v.number(), v.minValue(0))
const step = v.variant('kind', [
  v.object({ kind: v.literal('click'), at, control, button: v.optional(v.picklist(['left', 'right'])) }),
  /** The whole text of a field after typing or pasting; absent for a password. */
  v.object({ kind: v.literal('type'), at, control, text: v.optional(text) }),
  /** The position of the chosen option. */
  v.object({ kind: v.literal('choose'), at, control, index: count }),
  v.object({ kind: v.literal('files'), at, control, count }),
  /** As Playwright writes it: `Control+Shift+F`. */
  v.object({
    kind: v.literal('key'),
    at,
    key: v.pipe(v.string(), v.regex(/^(?:(?:Control|Alt|Shift|Meta)\+)*[!-~]\w{0,15}$/)),
  }),
  v.object({ kind: v.literal('window'), at, width: count, height: count }),
  v.object({ kind: v.literal('connection'), at, state: v.picklist(['healthy', 'connecting', 'unhealthy']) }),
  v.object({ kind: v.literal('message'), at, channel, files: v.optional(count), ...posted.entries }),
  v.object({ kind: v.literal('edited'), at, id: message, by: person, text }),
  v.object({ kind: v.literal('deleted'), at, id: message, by: person }),
  /** Everything else that the server changed, as the number of changed rows by kind. */
  v.object({ kind: v.literal('changes'), at, rows: v.record(word, count) }),
])

const schema = v.object({
  format: v.literal('parlor-problem-report'),
  version: v.literal(1),
  app: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+[\w.-]{0,20}$/)),
  host: v.picklist(['electron', 'browser']),
  language: v.picklist(LANGUAGES),
  window: v.object({ width: count, height: count }),
  settings: v.record(word, v.union([v.boolean(), v.number(), word])),
  me: person,
  people: v.pipe(v.array(v.object({ id: person, name })), v.maxLength(REPORT_LIMITS.people)),
  channels: v.pipe(
    v.array(
      v.object({
        id: channel,
        type: v.picklist(['team', 'messaging']),
        name: v.optional(name),
        /** A conversation of its members only, which has no name of its own. */
        direct: v.optional(v.boolean()),
        members: v.array(person),
        messages: v.array(posted),
      }),
    ),
    v.maxLength(REPORT_LIMITS.channels),
  ),
  /** The channel that was open when the recording began. */
  start: v.optional(channel),
  steps: v.pipe(v.array(step), v.maxLength(REPORT_LIMITS.steps)),
  /** What was on screen at the end: lists of messages, and the heading. */
  end: v.object({
    lists: v.array(v.object({ channel, thread: v.optional(message) })),
    heading: v.optional(name),
    dialogs: count,
  }),
})

export type ProblemReport = v.InferOutput<typeof schema>
export type ReportStep = ProblemReport['steps'][number]
export type ReportControl = v.InferOutput<typeof control>

/** A report from a file. Throws what is wrong with it. */
export const readProblemReport = (content: string): ProblemReport => v.parse(schema, JSON.parse(content))
