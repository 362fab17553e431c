import { afterAll, describe, expect, test } from 'vitest'
import { routes } from '#main/server/routes.ts'
import { adminExamples } from './examples/examples-admin.ts'
import { campaignExamples } from './examples/examples-campaigns.ts'
import { channelExamples } from './examples/examples-channels.ts'
import { emojiExamples, integrationExamples } from './examples/examples-emoji.ts'
import { messageExamples } from './examples/examples-messages.ts'
import { moderationExamples } from './examples/examples-moderation.ts'
import { peopleExamples } from './examples/examples-people.ts'
import { talkExamples } from './examples/examples-talk.ts'
import { withAbsent, withUnknown, type Example, type Made } from './example.ts'
import type { Json, Method, Reply } from './foreign.ts'
import { useStage } from './harness.ts'
import type { Stage } from './stage.ts'
import { badTimes, DURATION, faultsOf } from './faults.ts'
import { refusal } from './shapes-running.ts'

const examples: readonly Example[] = [
  ...adminExamples,
  ...peopleExamples,
  ...channelExamples,
  ...messageExamples,
  ...talkExamples,
  ...moderationExamples,
  ...campaignExamples,
  ...emojiExamples,
  ...integrationExamples,
]

/** Routes outside the table: uploads, whose bodies are not JSON. The long poll is check 41. */
const SPECIALS = [
  'POST /channels/:type/:id/file',
  'POST /channels/:type/:id/image',
  'POST /uploads/file',
  'POST /uploads/image',
]

const held = useStage()
const seen = new Set<string>()
/** What the server token requested in its own name. */
const administered = new Set<Example>()

test('every endpoint of the table has its example', () => {
  const table = [...routes.map(({ method, path }) => `${method} ${path}`), ...SPECIALS]
  const named = examples.map(({ route }) => route)
  expect(named.toSorted()).toEqual([...new Set(table)].toSorted())
})

const statusOf = (method: string): number => (method === 'POST' || method === 'PUT' ? 201 : 200)

function ask(example: Example, made: Made, change: (input: Json, isQuery: boolean) => Json): Promise<Reply> {
  const [method = 'GET', pattern = ''] = example.route.split(' ')
  const path = pattern.replaceAll(/:(\w+)/g, (_all, name: string) => made.params?.[name] ?? '')
  const inQuery = method === 'GET' || method === 'DELETE'
  return made.as.send({
    method: method as Method,
    path,
    query: inQuery ? change(made.query ?? {}, true) : made.query,
    ...(inQuery || made.form ? {} : { body: change(made.body ?? {}, false) }),
    form: made.form,
  })
}

function judge(example: Example, made: Made, reply: Reply): void {
  const [method = 'GET'] = example.route.split(' ')
  const wanted = example.refused?.status ?? statusOf(method)
  expect(reply.status).toEqual(wanted)
  expect(reply.status === wanted ? '' : JSON.stringify(reply.body)).toBe('')
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expect(String(reply.body['duration'])).toMatch(DURATION)
  expect(faultsOf(example.refused ? refusal : example.reply, reply.body)).toEqual([])
  expect(badTimes(reply.body)).toEqual([])
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(Number(reply.headers.get(`x-ratelimit-${name}`)), name).toBeGreaterThanOrEqual(0)
  }
  expect(reply.body['code']).toBe(example.refused?.code)
  if (!example.refused) example.also?.(reply.body, made)
}

/** A refused example is refused in the same way; everything else gets the same response as without the keys. */
const variants = [
  ['as the contract writes it', (_example: Example, input: Json) => input],
  [
    'with nulls for optional fields and with unknown fields',
    ({ optional = {} }: Example, input: Json) => withUnknown(withAbsent(input, optional, 'null')) as Json,
  ],
  [
    'with empty texts and dates of the year 1',
    ({ optional = {} }: Example, input: Json) => withAbsent(input, optional, 'empty'),
  ],
] as const

/** Examples that only read are prepared once for all three. */
const prepared = new Map<Example, Promise<Made> | Made>()

function prepare(example: Example, stage: Stage): Promise<Made> | Made {
  if (!example.route.startsWith('GET')) return example.make(stage)
  const made = prepared.get(example) ?? example.make(stage)
  prepared.set(example, made)
  return made
}

describe.for(examples)('$route', (example) => {
  test.for(variants)('%s', async ([_words, change], { skip }) => {
    const { stage } = held
    skip(example.localOnly !== undefined && !stage.target.isLocal, example.localOnly)
    const made = await prepare(example, stage)
    const reply = await ask(example, made, (input) => change(example, input))
    judge(example, made, reply)
    expect(reply.status).toBeLessThan(500)
    if (made.as === stage.server) administered.add(example)
    seen.add(example.route)
  })
})

/** Requested by the server token above, and open to users as well: what a client shows and checks before it sends. */
const OPEN_TO_PEOPLE = [
  'GET /hi',
  'GET /rate_limits',
  'GET /commands',
  'GET /commands/:name',
  'GET /usergroups/:id',
  'POST /guest',
  'POST /api/v2/moderation/check',
]

test('what the server token requests here is refused to a user without permissions', async () => {
  const { stage } = held
  const stranger = await stage.stranger()
  const allowed: string[] = []
  expect(administered.size).toBeGreaterThan(60)
  for (const example of administered) {
    const made = await example.make(stage)
    const reply = await ask(example, { ...made, as: stranger }, (input) => input)
    // What is not theirs to see may also be reported as missing.
    if (reply.body['code'] !== 17 && reply.body['code'] !== 16) allowed.push(example.route)
  }
  expect(allowed).toEqual(OPEN_TO_PEOPLE)
})

afterAll(() => {
  console.log(`examples: ${seen.size} endpoints, ${seen.size * variants.length} requests asked`)
})
