import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { readContent, writeContent, checkSealed, seal, unseal } from '#main/app/accounts/account-file-content.ts'
import { planCarryIn } from '#main/engine/features/export/carried.ts'
import { mergeSettings } from '#main/settings/carried-settings.ts'
import { PATIENCE_MS, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'

/**
 * Files of the account that were cut, turned or written by someone else: each is refused with one of four reasons, or only
 * its valid entries are used.
 */
const PASSPHRASE = 'a passphrase for tests'
const OWNER = { kind: 'hosted', userId: 'ola', userName: 'Ola', workspaceName: 'Acme', server: '0'.repeat(32) } as const
const DRAFT = { cid: asCid('team:a'), text: 'half a thought', showInChannel: false, updatedAt: 1_000 }
const CONTENT = writeContent({
  savedAt: 2_000,
  owner: OWNER,
  settings: { parts: { theme: 'dark', snippets: [{ name: 'a', text: 'b' }] }, changed: { theme: 5 } },
  carried: {
    drafts: [DRAFT],
    messages: [
      {
        id: '0b7c4f0a-64a8-4b0e-9f54-9f7d6a3d1c55',
        cid: asCid('team:a'),
        createdAt: 1_000,
        payload: { text: 'unsent', mentionedUserIds: [], showInChannel: false, placedAt: 1_000 },
      },
    ],
    reminders: [],
    done: [],
    follows: [],
    reads: [],
  },
})
const REASONS = ['account-file/not-one', 'account-file/newer', 'account-file/damaged', 'account-file/too-large']

function reasonOf(work: () => unknown): string {
  try {
    work()
    return 'fine'
  } catch (error) {
    return (error as AppError).code
  }
}

test(
  'a file that was cut or turned anywhere is refused before anyone is asked for a passphrase',
  { timeout: PATIENCE_MS },
  async () => {
    const file = await seal(CONTENT, PASSPHRASE)
    expect(reasonOf(() => checkSealed(file))).toBe('fine')
    for (const seed of seedsOf('damaged account files', { fixed: 200, fresh: 100, long: 50_000 })) {
      const ids = seededIds(seed)
      const at = Math.floor(ids.random() * file.length)
      const turned = Buffer.from(file)
      turned[at] = (turned[at] ?? 0) ^ (1 << Math.floor(ids.random() * 8))
      expect(REASONS, `seed ${seed}: cut at ${at}`).toContain(reasonOf(() => checkSealed(file.subarray(0, at))))
      expect(REASONS, `seed ${seed}: turned at ${at}`).toContain(reasonOf(() => checkSealed(turned)))
    }
  },
)

test(
  'a file that was changed with its checksum made right again does not decrypt',
  { timeout: PATIENCE_MS },
  async () => {
    const file = await seal(CONTENT, PASSPHRASE)
    const HEAD = 53
    for (const at of [HEAD, file.length - 21, file.length - 5, 42]) {
      const turned = Buffer.from(file)
      turned[at] = (turned[at] ?? 0) ^ 1
      turned.writeUInt32BE(crc32(turned.subarray(0, -4)), turned.length - 4)
      await expect(unseal(turned, PASSPHRASE), `turned at ${at}`).rejects.toMatchObject({
        code: 'account-file/damaged',
      })
    }
  },
)

const HOSTILE: readonly unknown[] = [
  null,
  '',
  -1,
  1e308,
  true,
  [],
  {},
  [[[[]]]],
  { toString: 'x' },
  'x'.repeat(400_000),
  '\u0000',
  '\uD800',
  'javascript:alert(1)',
  '../../../etc/passwd',
  ['team:a', 'not a cid'],
  { constructor: { prototype: { polluted: true } } },
]

/** Replaces one value anywhere in a content. */
function withHostile(content: unknown, random: () => number): unknown {
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  if (typeof content !== 'object' || content === null || random() < 0.15) return draw(HOSTILE)
  const keys = Object.keys(content)
  if (keys.length === 0) return draw(HOSTILE)
  const key = draw(keys)
  const inside = withHostile((content as Record<string, unknown>)[key], random)
  if (Array.isArray(content)) return content.with(Number(key), inside)
  return { ...content, [random() < 0.1 ? draw(['extra', 'id', 'kind']) : key]: inside }
}

const NOTHING = { byId: () => undefined, about: () => [], all: () => [] }

test('hostile fields are left out and counted; the other entries stay as they were', { timeout: PATIENCE_MS }, () => {
  const raw: unknown = JSON.parse(CONTENT.toString())
  const core = {
    outbox: NOTHING,
    cache: { reader: emptyReader() },
    stores: { outbox: { reader: emptyReader() } },
    ports: { clock: { now: () => 5_000 }, ids: seededIds(1) },
    serverNow: () => 5_000,
  }
  let read = 0
  for (const seed of seedsOf('hostile account files', { fixed: 500, fresh: 250, long: 50_000 })) {
    const ids = seededIds(seed)
    const bytes = Buffer.from(JSON.stringify(withHostile(raw, () => ids.random())))
    const reason = reasonOf(() => readContent(bytes))
    expect(['fine', 'account-file/damaged'], `seed ${seed}`).toContain(reason)
    if (reason !== 'fine') continue
    const content = readContent(bytes)
    read += 1
    for (const draft of content.carried.drafts) expect(draft.cid, `seed ${seed}`).toMatch(/^[\w-]+:[\w!-]+$/)
    const plan = planCarryIn(core as never, content.carried)
    expect(plan.intents.every(({ kind }) => kind === 'send-message' || kind === 'set-reminder')).toBe(true)
    mergeSettings(DEFAULT_SETTINGS, {}, content.settings, { account: 'me', now: 5_000 })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  }
  expect(read).toBeGreaterThan(100)
})

test('kinds of entries that only a newer version knows are left out and counted one by one', () => {
  const raw = JSON.parse(CONTENT.toString()) as { entries: object }
  const newer = { ...raw, entries: { ...raw.entries, bookmarks: [{}, {}], layout: {} } }
  const { invalid, carried } = readContent(Buffer.from(JSON.stringify(newer)))
  expect(invalid).toBe(3)
  expect(carried.drafts).toHaveLength(1)
})

/** A database with nothing in it. */
const emptyReader = () => ({
  db: {
    get: () => undefined,
    all: () => [],
    memo: { of: (_key: string, make: () => unknown) => make(), recent: { peek: () => undefined } },
  },
})
