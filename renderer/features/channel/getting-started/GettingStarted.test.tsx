import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aChannel, aUser, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { Channel } from '#shared/domain/channel.ts'
import type { Session } from '#shared/domain/session.ts'
import { DEFAULT_SETTINGS, type GuideState } from '#shared/domain/settings.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useChannelStart, reopenGuide } from './guide.tsx'

afterEach(cleanup)

const GENERAL = asCid('team:general')
const session = (demo: boolean): Session => ({
  state: 'signed-in',
  workspace: { kind: 'local', name: 'Studio', demo, url: '' },
  userId: asUserId('lena'),
})
const KEY = sidebarKey(session(false))

type Situation = {
  readonly demo?: boolean
  readonly general?: Partial<Channel>
  readonly image?: string
  readonly guide?: GuideState
}

function Start() {
  return useChannelStart(GENERAL)
}

async function show({ demo = false, general = {}, image, guide }: Situation = {}) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: session(demo) },
      users: { lena: aUser({ id: 'lena', name: 'Lena', image }) },
      channels: { [GENERAL]: aChannel({ cid: GENERAL, name: 'general', memberCount: 1, ...general }) },
      settings: { self: { ...DEFAULT_SETTINGS, gettingStarted: guide === undefined ? {} : { [KEY]: guide } } },
    },
  })
  return { bridge, ...(await renderInApp(<Start />, bridge)) }
}

test('a new workspace begins with what to do next; the workspace itself is done', async () => {
  await show()
  const card = await screen.findByRole('region', { name: 'Getting started, 1 of 4 done' })
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((row) => row.getAttribute('aria-label')),
  ).toEqual(['Create your workspace, done', 'Write your first message', 'Add people', 'Add your photo'])
  expect(screen.getByRole('heading', { name: 'This is the start of #general' })).toBeDefined()
})

test('the demo has no such card, and a closed one stays closed', async () => {
  await show({ demo: true })
  expect(screen.queryByRole('region')).toBeNull()
  cleanup()
  await show({ guide: { closed: true, skipped: [] } })
  expect(screen.queryByRole('region')).toBeNull()
})

test('steps tick themselves when they are done elsewhere', async () => {
  await show({ general: { lastMessageAt: 5, memberCount: 2 } })
  const card = await screen.findByRole('region', { name: 'Getting started, 3 of 4 done' })
  expect(within(card).queryByRole('button', { name: 'Write' })).toBeNull()
  expect(within(card).getByRole('button', { name: 'Choose…' })).toBeDefined()
})

test('an optional step can be skipped, a step opens what does it, and the card can be closed', async () => {
  const { bridge, store } = await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Add…' }))
  expect(store.getState().ui.dialog).toEqual({ kind: 'open-as', adding: true })
  await userEvent.click(screen.getByRole('button', { name: 'Skip: Add your photo' }))
  expect(bridge.inputsOf('settings.update')).toEqual([
    { gettingStarted: { [KEY]: { closed: false, skipped: ['portrait'] } } },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Close Getting started' }))
  expect(bridge.inputsOf('settings.update').at(-1)).toEqual({
    gettingStarted: { [KEY]: { closed: true, skipped: [] } },
  })
})

test('with the last tick the card goes, and a notice offers it again', async () => {
  const { bridge, store } = await show({ general: { lastMessageAt: 5, memberCount: 2 }, image: 'user/lena.1' })
  expect(bridge.inputsOf('settings.update')).toEqual([{ gettingStarted: { [KEY]: { closed: true, skipped: [] } } }])
  expect(store.getState().notices.local).toMatchObject([{ code: 'workspace/all-set' }])
  expect(store.getState().recent).toMatchObject([{ code: 'workspace/all-set', state: 'done' }])
  store.dispatch(reopenGuide())
  expect(bridge.inputsOf('settings.update').at(-1)).toEqual({
    gettingStarted: { [KEY]: { closed: false, skipped: [], kept: true } },
  })
})

test('a card opened again stays although everything is done', async () => {
  const guide = { closed: false, skipped: ['people', 'portrait'], kept: true }
  const { bridge } = await show({ general: { lastMessageAt: 5 }, guide })
  expect(await screen.findByRole('region', { name: 'Getting started, 4 of 4 done' })).toBeDefined()
  expect(bridge.inputsOf('settings.update')).toEqual([])
})
