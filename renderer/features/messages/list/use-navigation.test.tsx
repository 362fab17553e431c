import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Channel } from '#shared/domain/channel.ts'
import type { LeftPlaces } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { useAppSelector } from '../../../store/hooks.ts'
import { selectRouteCid } from '../../../store/selectors.ts'
import { placeOpened, routeOpened } from '../../../store/window/ui.ts'
import { MessageList } from './MessagePane.tsx'

const CID = asCid('messaging:general')
const WHO = sidebarKey(aSession())
const KEY = `timeline:${CID}` as const
const NEWEST = ['y', 'z']
const OLD = ['a', 'b', 'c']

type OpenInput = {
  readonly cid: string
  readonly around?: string
  readonly at?: number
  readonly unread?: true
  readonly visit?: number
}
type Call = { readonly input: OpenInput; readonly answer: PromiseWithResolvers<MessageId | null> }
type Setup = {
  readonly leftPlaces?: LeftPlaces
  readonly unread?: number
  /** Absent: which is the first is not known here. */
  readonly firstUnread?: string
  readonly connected?: boolean
}

/** What a call for the first unread message finds. */
type Found = { readonly id?: string; readonly unread?: 'first' | 'held' }

/** The channel that the window shows; the drafts are somewhere else. */
function Shown() {
  const cid = useAppSelector((state) => selectRouteCid(state) ?? (state.ui.route.view === 'later' ? undefined : CID))
  return cid === undefined ? null : <MessageList cid={cid} />
}

/** A list whose `channels.open` calls are resolved by the test. */
async function show({ leftPlaces = {}, unread = 0, firstUnread, connected = true }: Setup = {}) {
  const first = firstUnread === undefined ? {} : { firstUnreadId: asMessageId(firstUnread) }
  const messages = [...OLD, ...NEWEST].map((id, minute) =>
    aMessage({ id, text: `words of ${id}`, userId: 'jonas', createdAt: at(10, minute) }),
  )
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
      channels: byCid([aChannel({ unread, ...first, lastReadAt: at(10, 3) })]),
      messages: byId(messages),
      session: { self: aSession() },
      connection: { self: aConnection({ state: connected ? 'healthy' : 'connecting' }) },
      settings: { self: someSettings({ leftPlaces }) },
    },
  })
  const calls: Call[] = []
  bridge.on('channels.open', (input: OpenInput) => {
    const answer = Promise.withResolvers<MessageId | null>()
    calls.push({ input, answer })
    return answer.promise
  })
  const rendered = await renderInApp(<Shown />, bridge)
  // React mounts everything twice at first, to find effects that do not survive it: only the last mount counts.
  calls.splice(0, calls.length - 1)
  const closedBefore = bridge.inputsOf('channels.close').length
  const settled = () => act(async () => void (await new Promise((done) => setImmediate(done))))
  return {
    bridge,
    calls,
    ...rendered,
    settled,
    closed: () => bridge.inputsOf('channels.close').slice(closedBefore),
    jump: async (id: string) => {
      act(() => void rendered.store.dispatch(placeOpened({ cid: CID, messageId: asMessageId(id) })))
      await settled()
    },
    /** The window arrives before the response, as from the engine. */
    answered: async (call: Call | undefined, ids: readonly string[], hasNext = false, found: Found = {}) => {
      const { visit, around = found.id } = call?.input ?? {}
      const id = around === undefined ? null : asMessageId(around)
      const { unread: how } = found
      const landed =
        visit === undefined || (call?.input.unread && id === null)
          ? {}
          : { landed: { visit, id, ...(how && { unread: how }) } }
      bridge.change({}, [aWindow(KEY, ids, { hasNext, ...landed })])
      call?.answer.resolve(id)
      await settled()
    },
  }
}

const shown = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-message-id]')].map(({ dataset }) => dataset['messageId'] ?? '')
const tinted = (): string | undefined => document.querySelector<HTMLElement>('[data-target]')?.dataset['row']
const isBusy = (): boolean => screen.getByRole('log').getAttribute('aria-busy') === 'true'

afterEach(cleanup)

test('a jump while the list opens wins: the newest page is not shown in between, and a late response moves nothing', async () => {
  const { calls, jump, answered } = await show()
  await jump('b')
  expect(calls.map(({ input }) => input.around)).toEqual([undefined, 'b'])
  await answered(undefined, NEWEST)
  expect(shown()).toEqual([])
  expect(isBusy()).toBe(true)
  await answered(calls[1], OLD, true)
  expect(shown()).toEqual(OLD)
  expect(tinted()).toBe('b')
  expect(isBusy()).toBe(false)
  await answered(calls[0], OLD, true)
  expect(shown()).toEqual(OLD)
  expect(tinted()).toBe('b')
})

test('the last of two quick jumps wins in any order of responses; the rows stay until then', async () => {
  const { calls, jump, answered } = await show()
  await answered(calls[0], NEWEST)
  await jump('b')
  await jump('c')
  expect(shown()).toEqual(NEWEST)
  expect(calls.at(-1)?.input.around).toBe('c')
  await answered(calls[2], OLD, true)
  expect(tinted()).toBe('c')
  await answered(calls[1], OLD, true)
  expect(tinted()).toBe('c')
})

test('after a new attachment the list requests its previous position, and shows no other rows before', async () => {
  const { bridge, calls, jump, answered, settled } = await show()
  await answered(calls[0], NEWEST)
  await jump('b')
  await answered(calls[1], OLD, true)
  await act(async () => {
    bridge.reset()
    await Promise.resolve()
  })
  await settled()
  expect(calls).toHaveLength(3)
  expect(calls[2]?.input).toMatchObject({ around: 'b', at: at(10, 1) })
  await answered(undefined, NEWEST)
  expect(shown()).toEqual([])
  await answered(calls[2], OLD, true)
  expect(shown()).toEqual(OLD)
})

test('closed while a jump is in flight, the list closes once, reports nothing, and keeps its saved position', async () => {
  const { bridge, calls, closed, jump, answered, settled, unmount, store } = await show()
  await answered(calls[0], NEWEST)
  await jump('b')
  unmount()
  calls[1]?.answer.reject(new AppError('network/offline'))
  await settled()
  expect(closed()).toHaveLength(1)
  expect(bridge.inputsOf('settings.update')).toEqual([])
  expect(store.getState().notices.local).toEqual([])
})

test('after a restart a channel opens where it was left', async () => {
  const { bridge, calls, jump, answered, unmount } = await show()
  await answered(calls[0], NEWEST)
  await jump('b')
  await answered(calls[1], OLD, true)
  unmount()
  const [kept] = bridge.inputsOf('settings.update') as { leftPlaces: LeftPlaces }[]
  expect(kept?.leftPlaces[WHO]?.[CID]).toMatchObject({ messageId: 'b', at: at(10, 1) })
  cleanup()
  const next = await show({ leftPlaces: kept?.leftPlaces ?? {} })
  expect(next.calls[0]?.input).toMatchObject({ around: 'b', at: at(10, 1) })
  await next.answered(next.calls[0], OLD, true)
  expect(shown()).toEqual(OLD)
  expect(tinted()).toBeUndefined()
})

test('after a restart a channel with unread messages opens at the unread line; after a day, at the end', async () => {
  const left = (leftAt: number): LeftPlaces => ({
    [WHO]: { [CID]: { messageId: asMessageId('b'), at: at(10, 1), offset: 0, leftAt } },
  })
  const unread = await show({ leftPlaces: left(Date.now()), unread: 1, firstUnread: 'z' })
  expect(unread.calls.map(({ input }) => [input.around, input.unread])).toEqual([[undefined, true]])
  await unread.answered(unread.calls[0], NEWEST)
  expect(screen.getByRole('separator', { name: '1 new message' })).toBeDefined()
  cleanup()
  const old = await show({ leftPlaces: left(Date.now() - 24 * 3_600_000) })
  expect(old.calls.map(({ input }) => input.around)).toEqual([undefined])
})

const line = () => screen.queryByRole('separator', { name: /new message/ })
/** The row under the unread line. */
const underLine = () =>
  line()?.closest('[data-row]')?.nextElementSibling?.querySelector<HTMLElement>('[data-message-id]')?.dataset[
    'messageId'
  ]

test('with more unread messages than are loaded, none is shown before the first of them is loaded', async () => {
  const { calls, answered } = await show({ unread: 4 })
  expect(calls.map(({ input }) => input.unread)).toEqual([true])
  await answered(undefined, NEWEST)
  expect(shown()).toEqual([])
  expect(isBusy()).toBe(true)
  expect(line()).toBeNull()
  await answered(calls[0], OLD, true, { id: 'b', unread: 'first' })
  expect(shown()).toEqual(OLD)
  expect(isBusy()).toBe(false)
  expect(underLine()).toBe('b')
  expect(line()?.getAttribute('aria-label')).toBe('4 new messages')
})

test('if only later unread messages can be loaded the unread line says so, until the first is known', async () => {
  const { bridge, calls, answered } = await show({ unread: 4 })
  await answered(calls[0], NEWEST, false, { id: 'y', unread: 'held' })
  expect(underLine()).toBe('y')
  expect(line()?.textContent).toContain('Earlier ones aren’t loaded yet')
  await act(async () => {
    bridge.change({ channels: byCid([aChannel({ unread: 4, firstUnreadId: asMessageId('b') })]) }, [
      aWindow(KEY, [...OLD, ...NEWEST]),
    ])
    await Promise.resolve()
  })
  expect(underLine()).toBe('b')
  expect(line()?.getAttribute('aria-label')).toBe('4 new messages')
})

test('if nothing is unread anymore by then, the list opens at the end without a notice', async () => {
  const { calls, answered, store } = await show({ unread: 4 })
  await answered(calls[0], NEWEST)
  expect(calls).toHaveLength(1)
  expect(shown()).toEqual(NEWEST)
  expect(store.getState().notices.local).toEqual([])
})

type Seen = Partial<Pick<Channel, 'unread' | 'lastReadAt' | 'lastMessageAt'>>

/** Leaves the list at `b`, changes the channel, and comes back: what is requested then. */
async function awayAndBack(before: Seen, after: Seen): Promise<OpenInput | undefined> {
  const { bridge, calls, store, jump, answered, settled } = await show()
  const changeChannel = (seen: Seen) =>
    act(async () => {
      bridge.change({ channels: byCid([aChannel({ unread: 0, lastReadAt: at(10, 3), ...seen })]) })
      await Promise.resolve()
    })
  await answered(calls[0], NEWEST)
  await changeChannel(before)
  await jump('b')
  await answered(calls[1], OLD, true)
  act(() => void store.dispatch(routeOpened({ view: 'later' })))
  await changeChannel(after)
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: CID })))
  await settled()
  const { input } = calls.at(-1) ?? {}
  cleanup()
  return input
}

test('messages that arrived since the channel was left take precedence over the saved position; earlier ones do not', async () => {
  const newest = at(10, 4)
  const came = await awayAndBack({ lastMessageAt: newest }, { unread: 1, lastMessageAt: newest + 1 })
  expect(came?.unread).toBe(true)
  expect(came?.around).toBeUndefined()
  const same = { unread: 3, lastMessageAt: newest }
  expect(await awayAndBack(same, same)).toMatchObject({ around: 'b' })
  // Reading went on among what is unread: it goes on from there.
  const among = { lastReadAt: at(10, 0) }
  const more = { ...among, unread: 9, lastMessageAt: newest + 1 }
  expect(await awayAndBack({ ...among, unread: 3, lastMessageAt: newest }, more)).toMatchObject({ around: 'b' })
})

test('the list goes to messages that arrived while Parlor was closed once they are known, unless the user scrolled or jumped', async () => {
  const begun = async () => {
    const shown = await show({ connected: false })
    await shown.answered(shown.calls[0], NEWEST)
    const hear = (over: Parameters<typeof aWindow>[2], unread: number) =>
      act(async () => {
        shown.bridge.change(
          {
            connection: { self: aConnection({ state: 'healthy' }) },
            channels: byCid([aChannel({ unread, lastReadAt: at(9, 0) })]),
          },
          [aWindow(KEY, NEWEST, over)],
        )
        await Promise.resolve()
      })
    await hear({ loading: 'newer' }, 0)
    return { ...shown, hear }
  }
  const behind = await begun()
  await behind.hear({}, 4)
  expect(behind.calls.map(({ input }) => input.unread)).toEqual([undefined, true])
  cleanup()
  const jumped = await begun()
  await jumped.jump('b')
  await jumped.hear({}, 4)
  expect(jumped.calls.at(-1)?.input).toMatchObject({ around: 'b' })
  cleanup()
  const live = await begun()
  await live.hear({}, 0)
  await live.hear({}, 1)
  expect(live.calls).toHaveLength(1)
})

test('of a jump from elsewhere and one in the list, the last one requested wins, also within one task', async () => {
  const { calls, store, answered, settled } = await show({ unread: 2, firstUnread: 'z' })
  await answered(calls[0], NEWEST, false, { id: 'z', unread: 'first' })
  const row = (id: string) => document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)
  const elsewhere = () => void store.dispatch(placeOpened({ cid: CID, messageId: asMessageId('b') }))
  const here = () => void fireEvent.keyDown(row('y') ?? document.body, { key: 'PageUp', shiftKey: true })
  act(() => {
    row('y')?.focus()
    elsewhere()
    here()
  })
  await settled()
  expect(calls.map(({ input }) => input.around)).toEqual([undefined])
  expect(tinted()).toBe('z')
  expect(store.getState().ui.jump).toBeUndefined()
  act(() => {
    here()
    elsewhere()
  })
  await settled()
  expect(calls.at(-1)?.input.around).toBe('b')
})

test('opening a conversation that no longer exists shows a notice and stays on the current one', async () => {
  const { calls, store, settled } = await show()
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: CID })))
  act(() => void store.dispatch(placeOpened({ cid: asCid('messaging:gone'), messageId: asMessageId('x') })))
  await settled()
  expect(calls.at(-1)?.input).toMatchObject({ cid: 'messaging:gone', around: 'x' })
  calls.at(-1)?.answer.reject(new AppError('server/not-found'))
  await settled()
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: CID })
  expect(store.getState().notices.local.map(({ code }) => code)).toEqual(['channel/not-open'])
})
