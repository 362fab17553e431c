import { afterEach, describe, expect, test, vi } from 'vitest'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ContentKind } from '#shared/domain/message.ts'
import type { UnreadExplained, UnreadPlace, CatchUpItem, CatchUpPage } from '#shared/domain/unread.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  addLittleEngine,
  anAttachment,
  aSession,
  cairnMaps,
  createFakeBridge,
  someSettings,
} from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { CatchUpView } from './CatchUpView.tsx'
import { InterruptionsView } from './InterruptionsView.tsx'
import { WhyUnreadDialog } from './WhyUnreadDialog.tsx'

afterEach(cleanup)

const place = (name: string, over: Partial<UnreadPlace> = {}): UnreadPlace => ({
  cid: asCid(`messaging:${name}`),
  unread: 2,
  mentions: 0,
  firstId: asMessageId(`${name}-1`),
  newestAt: 10,
  preview: [
    { messageId: asMessageId(`${name}-1`), userId: asUserId('jonas'), text: `News of ${name}`, createdAt: 5, files: 0 },
  ],
  ...over,
})

const NO_PAGE: CatchUpPage = { items: [], cut: [], total: 0, bars: [], short: [] }

async function show(places: readonly UnreadPlace[], page: Partial<CatchUpPage> = {}) {
  const bridge = addLittleEngine(createFakeBridge({ ...cairnMaps(), media: () => 'blob:x' }))
  bridge.on('channels.catchUp', () => ({ ...NO_PAGE, ...page }))
  bridge.on('channels.loadSince', () => [])
  bridge.on('reminders.set', () => undefined)
  bridge.on('channels.unreadPlaces', () => places)
  bridge.on('channels.markManyRead', () => 1)
  bridge.on('channels.undoRead', () => 1)
  const view = await renderInApp(<CatchUpView />, bridge)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

type Shown = Awaited<ReturnType<typeof show>>

/** Changes the unread count of a channel, which asks for everything again. */
const unreadIn = ({ bridge, store }: Shown, name: string, unread: number): void => {
  const cid = `messaging:${name}`
  const channel = store.getState().entities.channels[cid]
  if (channel === undefined) throw new Error(`There is no ${cid}`)
  act(() => bridge.change({ channels: { [cid]: { ...channel, unread } } }))
}

const rows = () => within(screen.getByRole('list', { name: 'Unread conversations' })).getAllByRole('listitem')
const heads = () => rows().map((row) => row.textContent)

test('places with mentions come first, with a preview of the first unread messages', async () => {
  await show([place('design-crit', { newestAt: 90 }), place('support-triage', { mentions: 1 })])
  expect(heads()[0]).toContain('support-triage')
  expect(heads()[0]).toContain('1 mention')
  expect(heads()[0]).toContain('Jonas Lindqvist News of support-triage')
  expect(heads()[0]).toContain('and 1 more')
})

test('an unread message without a text is called what it is', async () => {
  const line = (id: string, content: ContentKind, files: number) => {
    return { messageId: asMessageId(id), userId: asUserId('jonas'), text: '', createdAt: 5, content, files }
  }
  await show([
    place('design-crit', { preview: [line('a', 'poll', 0), line('b', 'voiceRecording', 1), line('c', 'file', 3)] }),
  ])
  const name = 'Jonas Lindqvist'
  expect(heads()[0]).toContain(`${name} Poll${name} Voice message${name} 3 files`)
})

test('viewing marks nothing; E marks read and moves on, U undoes it, Enter opens at the first unread message', async () => {
  const { bridge, store } = await show([place('design-crit', { newestAt: 90 }), place('field-trips')])
  act(() => screen.getAllByRole('button', { name: /design-crit/ })[0]?.focus())
  await userEvent.keyboard('j')
  expect(document.activeElement?.textContent).toContain('field-trips')
  await userEvent.keyboard('k')
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([])
  await userEvent.keyboard('e')
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: ['messaging:design-crit'] }])
  expect(heads()[0]).toContain('marked as read')
  expect(document.activeElement?.textContent).toContain('field-trips')
  await userEvent.keyboard('u')
  expect(bridge.inputsOf('channels.undoRead')).toEqual([{ cids: ['messaging:design-crit'] }])
  expect(heads()[0]).toContain('2 new')
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'messaging:field-trips' })
  expect(store.getState().ui.jump).toEqual({ cid: 'messaging:field-trips', nonce: 1 })
})

test('Space shows a place beside the list, and a thread in its panel', async () => {
  const parentId = asMessageId('m-1')
  const { store } = await show([place('design-crit', { newestAt: 90 }), place('release-4-2', { parentId })])
  act(() => screen.getAllByRole('button', { name: /design-crit/ })[0]?.focus())
  await userEvent.keyboard(' ')
  expect(store.getState().ui.panel).toMatchObject({ kind: 'context', messageId: 'design-crit-1' })
  await userEvent.keyboard('j ')
  expect(store.getState().ui.panel).toMatchObject({ kind: 'thread', parentId })
})

test('with nothing unread the empty state is shown, and no message is counted', async () => {
  await show([])
  expect(screen.getByText('You’re all caught up')).toBeDefined()
  expect(screen.queryByText(/0 of 0/)).toBeNull()
})

test('nothing is said to be read or missing before the answer comes, nor when it cannot be had', async () => {
  let answer = (): void => {}
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  bridge.on('channels.unreadPlaces', () => [])
  bridge.on('channels.catchUp', () => new Promise((resolve) => void (answer = () => resolve(NO_PAGE))))
  await renderInApp(<CatchUpView />, bridge)
  await act(() => Promise.resolve())
  expect(screen.queryByText('You’re all caught up')).toBeNull()
  await act(async () => answer())
  expect(screen.getByText('You’re all caught up')).toBeDefined()
  cleanup()
  bridge.on('channels.catchUp', () => {
    throw new Error('disk I/O error')
  })
  for (const places of [[], [place('design-crit')]]) {
    bridge.on('channels.unreadPlaces', () => places)
    await renderInApp(<CatchUpView />, bridge)
    await act(() => Promise.resolve())
    expect(screen.getByText(/Couldn’t gather what matters/)).toBeDefined()
    expect(screen.queryByText('You’re all caught up')).toBeNull()
    expect(screen.queryByText(/Nothing has happened since then/)).toBeNull()
    cleanup()
  }
})

test('where this device does not have all messages, it does not say that nothing has happened', async () => {
  await show([], { short: [{ cid: asCid('messaging:release-4-2') }] })
  expect(screen.queryByText('You’re all caught up')).toBeNull()
  expect(screen.queryByText(/go back to/)).toBeNull()
  expect(screen.getByText(/The newest messages in release-4-2 aren’t on this device/)).toBeDefined()
  expect(screen.getByText(/Among the messages on this device/)).toBeDefined()
})

describe('while it is open', () => {
  afterEach(() => void vi.useRealTimers())

  test('a message that was edited or deleted meanwhile does not stay as it was', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const { bridge } = await show([], { items: [anItem('m-1'), anItem('m-2')] })
    expect(screen.getByText('Text of m-1')).toBeDefined()
    bridge.on('channels.catchUp', () => ({ ...NO_PAGE, items: [anItem('m-2', { text: 'Other words' })] }))
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    expect(screen.queryByText('Text of m-1')).toBeNull()
    expect(screen.getByText('Other words')).toBeDefined()
  })
})

test('more rows than messages, as for reactions, are not counted against them', async () => {
  await show([], { items: [anItem('m-1'), anItem('m-2')], total: 1 })
  expect(screen.queryByText(/2 of 1/)).toBeNull()
  expect(screen.getByText(/^2 messages matter/)).toBeDefined()
})

const anItem = (id: string, over: Partial<CatchUpItem> = {}): CatchUpItem => ({
  messageId: asMessageId(id),
  cid: asCid('messaging:release-4-2'),
  group: 'forYou',
  reason: 'mention',
  userId: asUserId('jonas'),
  others: [],
  text: `Text of ${id}`,
  at: Date.now() - 60_000,
  unread: true,
  files: [],
  reactions: [],
  replies: 0,
  ...over,
})

const asked = (bridge: Awaited<ReturnType<typeof show>>['bridge']) =>
  bridge.inputsOf('channels.catchUp').at(-1) as { since: number; unread: boolean; cid?: string } | undefined
const row = (text: string) => screen.getByRole('button', { name: new RegExp(`Text of ${text}`) })
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 200)))

describe('what matters since a time', () => {
  const items = [
    anItem('m-1'),
    anItem('m-2', { cid: asCid('messaging:design-crit') }),
    anItem('m-3', { group: 'popular', reason: 'popular', reactions: [{ type: '🚀', count: 4 }] }),
  ]

  test('is shown in groups with counts, and the head says how much of everything that is', async () => {
    await show([], { items, total: 212 })
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'For you 2',
      'Popular 1',
    ])
    expect(screen.getByText(/3 of 212 messages/)).toBeDefined()
  })

  const withPhoto = async (settings: Parameters<typeof someSettings>[0]) => {
    const photo = anAttachment({ kind: 'image', title: 'ridge.png', alt: 'A ridge' })
    const { bridge } = await show([], { items: [anItem('m-1', { files: [photo] })] })
    act(() => bridge.change({ settings: { self: someSettings(settings) } }))
    await act(() => Promise.resolve())
  }
  const pictures = () => [...document.querySelectorAll<HTMLImageElement>('img[alt="A ridge"]')]

  test('photos are blurred where photos are', async () => {
    await withPhoto({ blurMedia: false })
    expect(pictures().map(({ className }) => className.includes('blurred'))).toEqual([false])
    cleanup()
    await withPhoto({ blurMedia: true })
    expect(pictures().map(({ className }) => className.includes('blurred'))).toEqual([true])
  })

  test('photos of a channel with hidden media are not loaded', async () => {
    await withPhoto({ hiddenMedia: { [sidebarKey(aSession())]: ['messaging:release-4-2'] } })
    expect(pictures()).toEqual([])
    expect(screen.getByRole('img', { name: 'A ridge' })).toBeDefined()
  })

  test('a group is shown alone by its pill', async () => {
    await show([], { items })
    await userEvent.click(within(screen.getByRole('toolbar', { name: 'Groups shown' })).getByText('Popular'))
    expect(screen.queryByText('Text of m-1')).toBeNull()
    expect(screen.getByText('Text of m-3')).toBeDefined()
  })

  test('J moves, E marks the conversation as read and moves on, U takes it back; the other row of it is read too', async () => {
    const { bridge } = await show([], { items })
    act(() => row('m-1').focus())
    await userEvent.keyboard('e')
    expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: ['messaging:release-4-2'] }])
    expect(document.activeElement).toBe(row('m-2'))
    expect(row('m-3').getAttribute('aria-label')).toContain('Read')
    await userEvent.keyboard('u')
    expect(bridge.inputsOf('channels.undoRead')).toEqual([{ cids: ['messaging:release-4-2'] }])
    expect(document.activeElement).toBe(row('m-1'))
  })

  test('what comes after a conversation was marked as read is new, and so is a reply in a thread that was', async () => {
    const thread = anItem('t-1', {
      group: 'threads',
      reason: 'thread',
      cid: asCid('messaging:design-crit'),
      parentId: asMessageId('t-1'),
      replies: 1,
    })
    const view = await show([], { items: [...items.slice(0, 1), thread] })
    view.bridge.on('threads.markRead', () => undefined)
    act(() => row('m-1').focus())
    await userEvent.keyboard('ee')
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2)
    const later = { ...thread, at: Date.now(), replies: 2 }
    view.bridge.on('channels.catchUp', () => ({ ...NO_PAGE, items: [anItem('m-9', { at: Date.now() }), later] }))
    unreadIn(view, 'release-4-2', 9)
    await settled()
    expect(row('m-9').getAttribute('aria-label')).not.toContain('Read')
    expect(row('t-1').getAttribute('aria-label')).toContain('2 new')
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  })

  test('Undo on one of several rows of a conversation brings all of them back', async () => {
    const { bridge } = await show([], { items })
    act(() => row('m-1').focus())
    await userEvent.keyboard('xjjxe')
    expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: ['messaging:release-4-2'] }])
    const [undo] = screen.getAllByRole('button', { name: 'Undo' }) as [HTMLElement, HTMLElement]
    await userEvent.click(undo)
    expect(bridge.inputsOf('channels.undoRead')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(row('m-1')).toBeDefined()
    expect(row('m-3')).toBeDefined()
  })

  test('Undo of a row that marked no conversation leaves the marks of others alone', async () => {
    const reaction = anItem('m-4', { group: 'forYou', reason: 'reaction', others: [asUserId('jonas')] })
    const view = await show([], { items: [...items.slice(0, 1), reaction] })
    act(() => row('m-1').focus())
    await userEvent.keyboard('e')
    unreadIn(view, 'release-4-2', 0)
    await settled()
    const last = anItem('m-5', { group: 'forYou', reason: 'reaction', others: [asUserId('jonas')], at: Date.now() })
    view.bridge.on('channels.catchUp', () => ({ ...NO_PAGE, items: [last] }))
    unreadIn(view, 'field-trips', 5)
    await settled()
    act(() => row('m-5').focus())
    await userEvent.keyboard('e')
    const undo = screen.getAllByRole('button', { name: 'Undo' }).at(-1)
    await userEvent.click(undo as HTMLElement)
    expect(view.bridge.inputsOf('channels.undoRead')).toEqual([])
    expect(row('m-5')).toBeDefined()
  })

  test('when a mark cannot be taken back, that is said', async () => {
    const { bridge, store } = await show([], { items })
    act(() => row('m-1').focus())
    await userEvent.keyboard('e')
    bridge.on('channels.undoRead', () => 0)
    await userEvent.keyboard('u')
    expect(store.getState().notices.local.at(-1)).toMatchObject({ code: 'undo/changed' })
  })

  test('X selects, S saves all selected, Space opens beside, Enter opens the message', async () => {
    const { bridge, store } = await show([], { items })
    act(() => row('m-1').focus())
    await userEvent.keyboard('xjx')
    expect(screen.getByRole('toolbar', { name: '2 selected' })).toBeDefined()
    await userEvent.keyboard('s')
    expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'm-1' }, { messageId: 'm-2' }])
    await userEvent.keyboard(' ')
    expect(store.getState().ui.panel).toMatchObject({ kind: 'context', messageId: 'm-2' })
    await userEvent.keyboard('{Enter}')
    expect(store.getState().ui.jump).toMatchObject({ cid: 'messaging:design-crit', messageId: 'm-2' })
  })

  test('letters do nothing when they are turned off', async () => {
    const { bridge } = await show([], { items })
    act(() => bridge.change({ settings: { self: someSettings({ letterKeys: false }) } }))
    act(() => row('m-1').focus())
    await userEvent.keyboard('e')
    expect(bridge.inputsOf('channels.markManyRead')).toEqual([])
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(row('m-2'))
  })

  test('the slider moves by hours and days, says its time, and asks for the new time', async () => {
    const { bridge } = await show([], { items })
    const before = asked(bridge)?.since ?? 0
    const slider = screen.getByRole('slider', { name: 'Since when' })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/\d+ hours? ago/)
    act(() => slider.focus())
    await userEvent.keyboard('{PageUp}')
    await settled()
    expect(before - (asked(bridge)?.since ?? 0)).toBe(24 * 3_600_000)
  })

  test('a time in words is understood, and one that is not says so', async () => {
    const { bridge } = await show([], { items })
    await userEvent.click(screen.getByRole('button', { name: /^Since/ }))
    const field = screen.getByRole('textbox', { name: 'Since when' })
    await userEvent.type(field, 'the other day{Enter}')
    expect(screen.getByText(/This time isn’t clear/)).toBeDefined()
    await userEvent.clear(field)
    await userEvent.type(field, '3 hours ago{Enter}')
    await settled()
    expect(Math.round((Date.now() - (asked(bridge)?.since ?? 0)) / 3_600_000)).toBe(3)
  })

  test('Everything asks for what was read too', async () => {
    const { bridge } = await show([], { items })
    expect(asked(bridge)?.unread).toBe(true)
    await userEvent.click(screen.getByRole('radio', { name: 'Everything' }))
    await settled()
    expect(asked(bridge)?.unread).toBe(false)
  })

  test('a channel that goes back less far is named, and loaded on request', async () => {
    const { bridge } = await show([], { items, short: [{ cid: asCid('messaging:release-4-2'), from: 1_000 }] })
    expect(screen.getByText(/Messages in release-4-2 go back to/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Load them' }))
    expect(bridge.inputsOf('channels.loadSince')).toMatchObject([{ cids: ['messaging:release-4-2'] }])
  })

  test('without a connection the page says as of when it is', async () => {
    await show([], { items, asOf: Date.now() - 3_600_000 })
    expect(screen.getByText(/This is what this device has, up to/)).toBeDefined()
  })
})

test('interruptions are listed by channel, and one press mutes a channel or takes that back', async () => {
  const bridge = addLittleEngine(createFakeBridge({ ...cairnMaps(), media: () => 'blob:x' }))
  const channels = [
    { cid: asCid('messaging:support-triage'), count: 38 },
    { cid: asCid('messaging:release-4-2'), count: 16 },
  ]
  bridge.on('notifications.interruptions', () => ({ from: Date.now(), channels }))
  bridge.on('channels.mute', () => undefined)
  await renderInApp(<InterruptionsView />, bridge)
  await act(() => Promise.resolve())
  expect(screen.getByText('54 notifications in the last seven days.')).toBeDefined()
  const list = within(screen.getByRole('region', { name: / to / }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 14))).toEqual([
    'support-triage',
    expect.stringContaining('release-4-2'),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Mute support-triage' }))
  expect(bridge.inputsOf('channels.mute')).toEqual([{ cid: 'messaging:support-triage', muted: true }])
})

test('a channel that was left since is still counted, and the arrow keys pass over it', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const channels = ['support-triage', 'gone', 'release-4-2'].map((name) => ({
    cid: asCid(`messaging:${name}`),
    count: 3,
  }))
  bridge.on('notifications.interruptions', () => ({ from: Date.now(), channels }))
  await renderInApp(<InterruptionsView />, bridge)
  await act(() => Promise.resolve())
  expect(screen.getByText('9 notifications in the last seven days.')).toBeDefined()
  expect(screen.getByText('A channel you’re no longer in')).toBeDefined()
  act(() => screen.getByRole('button', { name: 'Mute support-triage' }).focus())
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Mute release-4-2' }))
})

const WHY: UnreadExplained = {
  unread: 3,
  mentions: 1,
  reasons: { mention: 1, message: 1 },
  notHeld: 1,
  leftOut: { own: 2 },
  lastReadAt: 1_000,
  firstUnreadId: asMessageId('m-4'),
  markedUnread: false,
  isLocalOnly: false,
  markWaits: false,
  basis: 'server',
  muted: false,
  hidden: false,
  readsOff: false,
  inBadge: 1,
  threads: [{ parentId: asMessageId('m-1'), unread: 2 }],
}

async function ask(why: UnreadExplained) {
  const cid = asCid('messaging:release-4-2')
  const bridge = addLittleEngine(createFakeBridge({ ...cairnMaps(), media: () => 'blob:x' }))
  bridge.on('channels.whyUnread', () => why)
  const view = await renderInApp(<WhyUnreadDialog cid={cid} />, bridge)
  await act(() => Promise.resolve())
  return { bridge, cid, ...view }
}

test('the dialog shows why a channel is unread: reasons, messages not loaded or left out, and the read position', async () => {
  const { bridge, cid } = await ask(WHY)
  const dialog = screen.getByRole('dialog', { name: 'Why “release-4-2” is unread' })
  for (const text of [
    '3 messages are unread here.',
    '1 message mentions you',
    '1 message from others',
    '1 message counted by the server that isn’t on this device yet',
    '2 of your own',
    'Counted by the server, with later changes.',
    'Thread with 2 new replies',
  ])
    expect(dialog.textContent).toContain(text)
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: [cid] }])
})

test('the dialog jumps to the first unread message, and counts again; an error is shown in it', async () => {
  const { bridge, store } = await ask(WHY)
  bridge.on('channels.recount', () => {
    throw Object.assign(new Error('no line'), { code: 'network/offline' })
  })
  await userEvent.click(screen.getByRole('button', { name: 'Count again' }))
  expect(screen.getByRole('dialog').textContent).toContain('Couldn’t count again.')
  await userEvent.click(screen.getByRole('button', { name: 'Go to the first unread message' }))
  expect(store.getState().ui.jump).toEqual({ cid: 'messaging:release-4-2', nonce: 1 })
})
