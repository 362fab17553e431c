import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import type { NotificationChoices, NotifyRecord, NotifyStep } from '#shared/domain/notification.ts'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { LevelDialog } from './LevelChoice.tsx'
import { WhyNotifiedDialog } from './WhyNotifiedDialog.tsx'

afterEach(cleanup)

const CID = asCid('team:plans')
const MESSAGE = aMessage({ id: 'm1', cid: CID, userId: 'jonas', parentId: asMessageId('root') })

function aBridge(choices: Partial<NotificationChoices> = {}) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings({ notifications: { ...DEFAULT_NOTIFICATIONS, ...choices } }) },
      connection: { self: aConnection() },
      channels: byCid([aChannel({ cid: CID, name: 'plans' })]),
      messages: byId([MESSAGE]),
    },
  })
  bridge.on('settings.update', () => undefined)
  bridge.on('channels.mute', () => undefined)
  bridge.on('threads.follow', () => undefined)
  return bridge
}

const chosen = (bridge: ReturnType<typeof aBridge>): NotificationChoices | undefined =>
  (bridge.inputsOf('settings.update').at(-1) as { notifications: NotificationChoices } | undefined)?.notifications

describe('the level of one channel', () => {
  test('has the default of all channels, explains its effect, and is saved per account', async () => {
    const bridge = aBridge({ keywords: ['banner'] })
    await renderInApp(<LevelDialog cid={CID} />, bridge)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Use default/ }).checked).toBe(true)
    expect(screen.getByRole('status').textContent).toContain('You’re notified about direct messages, mentions')
    await userEvent.click(screen.getByRole('radio', { name: 'None' }))
    expect(chosen(bridge)?.keywords).toEqual(['banner'])
    expect(Object.values(chosen(bridge)?.levels ?? {})).toEqual([{ [CID]: 'none' }])
  })

  test('a digest is chosen there, at five in the afternoon to begin with, and mentions do not wait', async () => {
    const bridge = aBridge()
    await renderInApp(<LevelDialog cid={CID} />, bridge)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Digest' }), 'Workdays')
    expect(Object.values(chosen(bridge)?.digests ?? {})).toEqual([
      { [CID]: { minute: 1_020, days: 'workdays', mentionsNow: true } },
    ])
  })
})

const passed: readonly NotifyStep[] = [
  { rule: 'own', stops: false },
  { rule: 'channel-muted', stops: false },
]

async function why(last: NotifyStep | undefined, over: Partial<NotifyRecord> = {}) {
  const bridge = aBridge({ pausedUntil: 9e15 })
  const record = {
    messageId: MESSAGE.id,
    cid: CID,
    at: 1,
    notifies: last?.stops !== true,
    deferred: false,
    outcome: last?.stops === true ? 'not-shown' : 'shown',
    steps: last === undefined ? passed : [...passed, last],
    ...over,
  } satisfies NotifyRecord
  bridge.on('notifications.why', () => record)
  const view = await renderInApp(<WhyNotifiedDialog cid={CID} messageId={MESSAGE.id} />, bridge)
  await screen.findByRole('list', { name: 'What Parlor checked, in order' })
  return { bridge, ...view }
}

describe('why a message notified, or not', () => {
  test('shows the checked rules in order, the deciding one last', async () => {
    await why({ rule: 'level', stops: true, level: 'mentions', own: false })
    expect(screen.getByRole('dialog', { name: 'Why you weren’t notified' })).toBeDefined()
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Someone else wrote it.',
      'The channel isn’t muted.',
      'Not notified: it isn’t for you, and you’re notified only about messages that are.',
    ])
  })

  test('shows the cause of a notification, and whether it was delivered', async () => {
    const { store } = await why(
      { rule: 'quiet', stops: false, by: 'hours', allowed: true },
      { cause: 'mention', outcome: 'withdrawn' },
    )
    const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(items.slice(-3)).toEqual([
      'Do Not Disturb was on, but this sender can still notify you.',
      'Notified: you were mentioned.',
      'Removed from the screen when it was no longer needed.',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Channel notification settings' }))
    expect(store.getState().ui.dialog).toEqual({ kind: 'notify-level', cid: CID })
  })

  test('has a button that changes the deciding setting', async () => {
    const muted = await why({ rule: 'channel-muted', stops: true })
    await userEvent.click(screen.getByRole('button', { name: 'Unmute channel' }))
    expect(muted.bridge.inputsOf('channels.mute')).toEqual([{ cid: CID, muted: false }])
    cleanup()
    const paused = await why({ rule: 'quiet', stops: true, by: 'pause', allowed: false })
    await userEvent.click(screen.getByRole('button', { name: 'Resume notifications' }))
    expect(chosen(paused.bridge)?.pausedUntil).toBe(0)
    cleanup()
    const unfollowed = await why({ rule: 'cause', stops: true })
    await userEvent.click(screen.getByRole('button', { name: 'Follow thread' }))
    expect(unfollowed.bridge.inputsOf('threads.follow')).toMatchObject([{ cid: CID, parentId: 'root', follows: true }])
  })

  test('without a record of the message offers the settings', async () => {
    const bridge = aBridge()
    bridge.on('notifications.why', () => undefined)
    const { store } = await renderInApp(<WhyNotifiedDialog cid={CID} messageId={MESSAGE.id} />, bridge)
    expect(await screen.findByText(/has no record of this message arriving/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Notification settings' }))
    expect(store.getState().ui.route).toEqual({ view: 'settings', section: 'notifications' })
  })
})
