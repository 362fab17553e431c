import { beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { registry } from '#main/engine/features/index.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { aBrokenServer, Stumbled, type BrokenServer } from './broken-server.ts'
import { DRIVES } from './drives.ts'
import { FORMS, keysByName, withEmptyPages, withNewValues, withNulls, withoutUnknown, type Form } from './forms.ts'
import { record, type Json, type Recorded } from './recorded.ts'
import { unsoundIn } from './sound.ts'

/**
 * A whole engine against servers that write the same responses in other forms of the contract: every call it makes,
 * every event it knows. A window must show the same as with the responses of Parlor's own server.
 */
let recorded: Recorded
beforeAll(async () => {
  recorded = await record()
}, 60_000)

/** More calls of one operation than this are a runaway of paging. */
const MANY_CALLS = 60

type Step = { readonly name: string; readonly shown: unknown; readonly faults: readonly string[] }

const shownBy = ({ lone }: BrokenServer): unknown => {
  const snapshot = lone.engine.attach('w2', {})
  lone.engine.detach('w2')
  return withoutUnknown(structuredClone({ held: lone.replica.tables, fresh: snapshot.put, windows: snapshot.windows }))
}

/** What an engine shows after every call and every event, with responses in one form. */
async function walk(form: Form): Promise<Step[]> {
  const callCounts = new Map<string, number>()
  const server = await aBrokenServer(recorded, seededIds(1), (answer, operation) => {
    callCounts.set(operation, (callCounts.get(operation) ?? 0) + 1)
    return form(answer)
  })
  const { lone, stage } = server
  const steps: Step[] = []
  const note = (name: string, fault: string[]): void => {
    const runaway = [...callCounts]
      .filter(([, count]) => count > MANY_CALLS)
      .map(([what, count]) => `${what} ${count} times`)
    callCounts.clear()
    const errors = lone.log.filter(({ level }) => level === 'error').map((line) => JSON.stringify(line).slice(0, 300))
    lone.log.length = 0
    const faults = [...fault, ...runaway, ...errors, ...unsoundIn(lone.replica.tables)]
    steps.push({ name, shown: shownBy(server), faults })
  }
  for (const [operation, drive] of Object.entries(DRIVES)) {
    const fault: string[] = []
    await drive(stage).catch((error: unknown) => {
      if (!(error instanceof AppError)) fault.push(error instanceof Stumbled ? error.message : String(error))
      else fault.push(`refused: ${error.code}`)
    })
    await lone.clock.settle()
    note(operation, fault)
  }
  for (const type of Object.keys(registry.appliers)) {
    const event = recorded.events.get(type)
    if (event) await lone.hear(form(event))
    note(type, [])
  }
  await lone.engine.stop()
  return steps
}

let walked: Promise<readonly Step[]> | undefined
const usually = (): Promise<readonly Step[]> => (walked ??= walk((value) => value))

/** The first step in which two walks differ, and the difference. */
function firstDifference(usual: readonly Step[], others: readonly Step[]): string {
  for (const [place, step] of usual.entries()) {
    const other = others[place]
    if (JSON.stringify(other?.faults) !== JSON.stringify(step.faults)) {
      return `${step.name}: ${JSON.stringify(other?.faults)} and not ${JSON.stringify(step.faults)}`
    }
    const found = differenceOf(step.shown, other?.shown, step.name)
    if (found !== undefined) return found
  }
  return ''
}

function differenceOf(a: unknown, b: unknown, path: string): string | undefined {
  if (Object.is(a, b)) return undefined
  const branches = [a, b].every((value) => typeof value === 'object' && value !== null)
  if (!branches) return `${path}: ${JSON.stringify(b)?.slice(0, 200)} and not ${JSON.stringify(a)?.slice(0, 200)}`
  const [one, two] = [a as Json, b as Json]
  for (const key of new Set([...Object.keys(one), ...Object.keys(two)])) {
    const found = differenceOf(one[key], two[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

test('all calls are made, and nothing is wrong with the usual responses', { timeout: 60_000 }, async () => {
  const usual = await usually()
  expect(usual.length).toBeGreaterThan(100)
  expect(usual.filter(({ faults }) => faults.length > 0).map(({ name, faults }) => [name, faults])).toEqual([])
})

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  test('shows the same', { timeout: 60_000 }, async () => {
    expect(firstDifference(await usually(), await walk(form))).toBe('')
  })
})

test('null instead of missing optional fields: shows the same', { timeout: 60_000 }, async () => {
  const form = withNulls(keysByName([...recorded.answers.values(), ...recorded.events.values()]))
  expect(firstDifference(await usually(), await walk(form))).toBe('')
})

test('unknown values do no harm, and what can be read is still shown', { timeout: 60_000 }, async () => {
  const steps = await walk(withNewValues)
  expect(steps.filter(({ faults }) => faults.length > 0).map(({ name, faults }) => [name, faults])).toEqual([])
  const textsOf = ({ shown }: Step): unknown =>
    Object.values((shown as { held: { messages?: Record<string, { text: string }> } }).held.messages ?? {}).map(
      ({ text }) => text,
    )
  expect(steps.map(textsOf)).toEqual((await usually()).map(textsOf))
})

test('empty pages that name a next one end', { timeout: 60_000 }, async () => {
  const steps = await walk(withEmptyPages)
  const loud = steps.filter(({ faults }) => faults.some((fault) => !fault.startsWith('refused')))
  expect(loud.map(({ name, faults }) => [name, faults])).toEqual([])
})

test('events of unknown types do nothing', async () => {
  const server = await aBrokenServer(recorded, seededIds(1))
  const before = shownBy(server)
  for (const event of recorded.events.values()) {
    await server.lone.hear({ ...event, type: `zz.${String(event['type'])}` }, { type: 'zz' }, { ...event, type: '' })
  }
  expect(differenceOf(before, shownBy(server), '')).toBeUndefined()
  await server.lone.engine.stop()
})
