// @vitest-environment happy-dom
import { createElement } from 'react'
import { act, cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  aLoneEngine,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  at,
  CID,
  FakeApi,
  withChannel,
} from '#kit/lone-engine.ts'
import type { LoneEngine } from '#kit/lone-engine.ts'
import { addLittleEngine, createFakeBridge, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { registry as engineRegistry } from '#main/engine/features/index.ts'
import { asCid } from '#shared/lib/brand.ts'
import { isInShare } from '#kit/runs.ts'
import { aMemoryFolder } from '#kit/stores.ts'
import { App } from '../../../renderer/app/App.tsx'
import { registry } from '../../../renderer/app/features.ts'
import { unsoundIn } from './sound.ts'

/**
 * Every field of every event may have any value: the engine applies or drops it, and the window still renders
 * completely.
 */
const DEEP = JSON.parse(`${'{"in":['.repeat(200)}1${']}'.repeat(200)}`) as unknown
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  '',
  ' \u200B',
  'a:b',
  '\u0000\uD800\u202E',
  'x'.repeat(20_000),
  0,
  -5,
  1e308,
  true,
  [],
  [[]],
  {},
  { id: null },
  { id: 5 },
  { id: {} },
  { name: 'x' },
  { id: 'odd', user: 7, text: {}, created_at: 'yesterday' },
  JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":2,"length":-1}'),
  DEEP,
]

const POLL = { id: 'p1', name: 'Lunch?', options: [{ id: 'o1', text: 'Soup' }], created_by: aWireUser('ana') }
const CHANNEL = aWireChannelState()['channel'] as Record<string, unknown>
/** The fields that every event carries. */
const WHOLE: Readonly<Record<string, unknown>> = {
  created_at: at(1e6),
  received_at: at(1e6),
  cid: CID,
  channel_type: 'team',
  channel_id: 'general',
  channel: CHANNEL,
  user: aWireUser('ana'),
  message: aWireMessage('m1', 1_000),
  message_id: 'm1',
  member: { user_id: 'ana', user: aWireUser('ana'), created_at: at(0), updated_at: at(0) },
  me: { ...aWireUser('me'), mutes: [], channel_mutes: [], blocked_user_ids: [] },
  reaction: { type: 'like', user_id: 'ana', user: aWireUser('ana'), score: 1, created_at: at(0) },
  poll: POLL,
  poll_vote: { id: 'v1', option_id: 'o1', user_id: 'ana', user: aWireUser('ana') },
  draft: { channel_cid: CID, message: { id: 'd1', text: 'begun' }, created_at: at(0) },
  reminder: { message_id: 'm1', channel_cid: CID, user_id: 'me', created_at: at(0), updated_at: at(0) },
  thread: { parent_message_id: 'm1', channel_cid: CID, title: 'named' },
  emoji: { name: 'parrot', aliases: ['bird'], url: 'http://127.0.0.1:9999/files/a.png' },
  former_name: 'kakadu',
  app: { image_upload_config: {}, file_upload_config: {} },
  ai_state: 'AI_STATE_THINKING',
  parent_id: 'm1',
  thread_id: 'm1',
  hard_delete: false,
  deleted_for_me: false,
  mark_messages_deleted: false,
  clear_history: false,
  shadow: false,
  last_read_at: at(0),
  last_read_message_id: 'm1',
  first_unread_message_id: 'm1',
  last_delivered_at: at(0),
  last_delivered_message_id: 'm1',
  watcher_count: 2,
  total_unread_count: 1,
  unread_channels: 1,
  unread_count: 1,
  unread_threads: 1,
  unread_messages: 1,
}

/** Of the variants, in the gate. */
const SHARES = 10

const variants = (type: string, field: string): readonly Record<string, unknown>[] =>
  allVariants(type, field).filter((_event, at) => isInShare(at, SHARES))

/** Each field with each value, and each field of the objects in it with some. */
function allVariants(type: string, field: string): readonly Record<string, unknown>[] {
  const value = WHOLE[field]
  const outer = HOSTILE.map((bad) => ({ ...WHOLE, type, [field]: bad }))
  if (typeof value !== 'object' || value === null) return outer
  const some = HOSTILE.filter((_bad, at) => at % 3 === field.length % 3)
  const inner = Object.keys(value).flatMap((key) =>
    some.map((bad) => ({ ...WHOLE, type, [field]: { ...value, [key]: bad } })),
  )
  return [...outer, ...inner]
}

async function aShownEngine(): Promise<{ lone: LoneEngine; bridge: FakeBridge }> {
  window.innerWidth = 1440
  const messages = [aWireMessage('m1', 1_000), aWireMessage('m2', 2_000, { poll: POLL, poll_id: 'p1' })]
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), messages), folder: aMemoryFolder() })
  await lone.online()
  await lone.engine.handlers.channels.open({ cid: asCid(CID), around: undefined }, lone.client)
  await lone.clock.settle()
  const world = { rows: lone.replica.tables, windows: [...lone.replica.windows.values()] }
  const bridge = addLittleEngine(createFakeBridge(world))
  await renderInApp(createElement(App), bridge, 'en', registry)
  return { lone, bridge }
}
afterEach(cleanup)

/** The window is rendered after so many events: often enough that anything that would break it is still there. */
const DRAW_EVERY = 8

test.each(Object.keys(engineRegistry.appliers))('%s may hold anything in any field', async (type) => {
  const faults = new Set<string>()
  const { lone, bridge } = await aShownEngine()
  const draw = () => act(async () => bridge.change(lone.replica.tables, [...lone.replica.windows.values()]))
  for (const [at, field] of Object.keys(WHOLE).entries()) {
    for (const event of variants(type, field)) {
      const before = lone.replica.received
      await lone.hear(event)
      if (lone.replica.received === before) continue
      for (const fault of unsoundIn(lone.replica.tables)) faults.add(`${field}: ${fault}`)
    }
    if (at % DRAW_EVERY === 0) await draw()
    if (document.body.textContent.includes('could not be shown')) faults.add(`${field}: the window broke`)
  }
  for (const { area, event, fields } of lone.log) {
    if (area === 'ingest' && (event === 'failed' || event === 'again')) faults.add(`ingest: ${JSON.stringify(fields)}`)
  }
  await lone.engine.stop()
  expect([...faults].slice(0, 10)).toEqual([])
})
