import { describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  jumpRequested,
  elsewhereOpened,
  markedUnreadByHand,
  ownPlaceSet,
  panelClosed,
  panelOpened,
  placeLeft,
  routeOpened,
  searchOpened,
  splitEntered,
  splitOpened,
  uiReducer,
  viewLeft,
  wentBack,
  wentForward,
} from './ui.ts'

const channel = (name: string) => ({ view: 'channel', cid: asCid(`messaging:${name}`) }) as const
const start = uiReducer(undefined, { type: 'start' })
const run = (...actions: readonly Parameters<typeof uiReducer>[1][]) => actions.reduce(uiReducer, start)

test('back and forward move through the opened places', () => {
  const there = run(routeOpened(channel('a')), routeOpened(channel('b')), wentBack())
  expect(there.route).toEqual(channel('a'))
  expect(uiReducer(there, wentForward()).route).toEqual(channel('b'))
})

test('opening the open channel again changes nothing that could lose a draft or a panel', () => {
  const before = run(routeOpened(channel('a')), panelOpened({ kind: 'members', cid: channel('a').cid }))
  expect(uiReducer(before, routeOpened(channel('a')))).toEqual(before)
})

test('another channel closes the panel and ends marking by hand', () => {
  const after = run(
    routeOpened(channel('a')),
    panelOpened({ kind: 'members', cid: channel('a').cid }),
    markedUnreadByHand({ cid: channel('a').cid }),
    routeOpened(channel('b')),
  )
  expect(after.panel).toBeUndefined()
  expect(after.unreadByHand).toEqual({})
})

test('a thread is in the history: back closes it, forward opens it again with the same place id', () => {
  const panel = { kind: 'thread', cid: channel('a').cid, parentId: asMessageId('p') } as const
  const open = run(routeOpened(channel('a')), panelOpened(panel))
  const back = uiReducer(open, wentBack())
  expect(back.route).toEqual(channel('a'))
  expect(back.panel).toBeUndefined()
  const again = uiReducer(back, wentForward())
  expect(again.panel).toEqual(panel)
  expect(again.placeId).toEqual(open.placeId)
})

test('a jump inside a list adds a place of the same channel to the history', () => {
  const there = run(routeOpened(channel('a')), routeOpened(channel('b')))
  const jumped = uiReducer(there, placeLeft())
  const back = uiReducer(jumped, wentBack())
  expect(back.route).toEqual(channel('b'))
  expect(back.placeId).toEqual(there.placeId)
  expect(uiReducer(back, wentForward()).placeId).toBe(jumped.placeId)
  expect(uiReducer(back, wentBack()).route).toEqual(channel('a'))
})

test('places that look like the current one are skipped', () => {
  const panel = { kind: 'members', cid: channel('b').cid } as const
  const closed = run(routeOpened(channel('a')), routeOpened(channel('b')), panelOpened(panel), panelClosed())
  expect(uiReducer(closed, wentBack()).route).toEqual(channel('a'))
})

test('settings are not in the history, and leaving a view closes its panels', () => {
  const settings = (section: 'about' | 'system') => routeOpened({ view: 'settings', section })
  const left = run(routeOpened(channel('a')), settings('about'), settings('system'), viewLeft())
  expect(left.route).toEqual(channel('a'))
  const found = { kind: 'context', cid: channel('a').cid, messageId: asMessageId('m') } as const
  const searched = run(routeOpened(channel('a')), routeOpened({ view: 'search' }), panelOpened(found), viewLeft())
  expect(searched.route).toEqual(channel('a'))
  expect(searched.panel).toBeUndefined()
})

const [a, b, c] = [channel('a'), channel('b'), channel('c')]
const half = (cid: string) => ({ kind: 'channel', cid })
const members = { kind: 'members', cid: a.cid } as const
const beside = [routeOpened(a), splitOpened({ cid: b.cid })] as const

describe('two channels side by side', () => {
  test('the other half stays open while the first one navigates, until it is closed', () => {
    const there = run(...beside, routeOpened(c))
    expect(there.route).toEqual(c)
    expect(there.panel).toEqual(half(b.cid))
    expect(there.inSplit).toBeUndefined()
    const closed = uiReducer(there, panelClosed())
    expect(closed.panel).toBeUndefined()
    expect(closed.split).toBeUndefined()
  })

  test('a panel covers it, and closing that uncovers it', () => {
    const covered = run(...beside, panelOpened(members))
    expect(covered.panel).toEqual(members)
    expect(covered.split).toEqual(b.cid)
    expect(uiReducer(covered, panelClosed()).panel).toEqual(half(b.cid))
    expect(uiReducer(covered, wentBack()).panel).toEqual(half(b.cid))
  })

  test('a channel that is open in the other half is focused there, not shown twice', () => {
    const there = run(...beside, splitEntered({ on: false }), routeOpened(b))
    expect(there.route).toEqual(a)
    expect(there.panel).toEqual(half(b.cid))
    expect(there.inSplit).toBe(true)
    const open = run(routeOpened(a), splitOpened({ cid: a.cid }))
    expect(open.split).toBeUndefined()
    expect(open.panel).toBeUndefined()
  })

  test('back and forward navigate the first half, and never show a channel twice', () => {
    const navigated = run(routeOpened(b), routeOpened(a), splitOpened({ cid: c.cid }), wentBack(), wentBack())
    expect(navigated.route).toEqual(b)
    expect(navigated.split).toEqual(c.cid)
    const twice = run(routeOpened(b), routeOpened(a), splitOpened({ cid: b.cid }), routeOpened(c), wentBack())
    expect(twice.route).toEqual(a)
    expect(twice.split).toEqual(b.cid)
    const met = uiReducer(uiReducer(twice, wentBack()), wentBack())
    expect(met.route).toEqual(b)
    expect(met.split).toBeUndefined()
    expect(met.panel).toBeUndefined()
    expect(uiReducer(uiReducer(met, wentForward()), wentForward()).panel).toEqual(half(b.cid))
  })

  test('a channel marked unread by hand stays unread until its half is closed', () => {
    const marked = run(...beside, markedUnreadByHand({ cid: b.cid }), routeOpened(c))
    expect(marked.unreadByHand).toEqual({ [b.cid]: true })
    expect(uiReducer(marked, panelClosed()).unreadByHand).toEqual({})
  })
})

describe('a window of one channel', () => {
  const own = ownPlaceSet({ cid: a.cid })
  const thread = { cid: a.cid, parentId: asMessageId('p') }

  test('shows the channel, its threads and its search, and has it as home', () => {
    expect(run(own).route).toEqual(a)
    expect(run(own, routeOpened({ view: 'thread', ...thread })).route).toEqual({ view: 'thread', ...thread })
    expect(run(own, searchOpened({ cid: a.cid })).route).toEqual({ view: 'search' })
    expect(run(own, routeOpened({ view: 'home' }))).toMatchObject({ route: a })
  })

  test('records navigation to other places, with message and thread, for another window', () => {
    const after = run(
      own,
      routeOpened(b),
      panelOpened({ kind: 'thread', cid: b.cid, parentId: asMessageId('p') }),
      jumpRequested({ cid: b.cid, messageId: asMessageId('m') }),
    )
    expect(after.route).toEqual(a)
    expect(after.panel).toBeUndefined()
    expect(after.jump).toBeUndefined()
    expect(after.elsewhere).toEqual({ route: b, parentId: 'p', messageId: 'm' })
    expect(uiReducer(after, elsewhereOpened()).elsewhere).toBeUndefined()
  })

  test('of one thread records navigation to its channel for another window', () => {
    const after = run(ownPlaceSet(thread), routeOpened(a))
    expect(after.route).toEqual({ view: 'thread', ...thread })
    expect(after.elsewhere).toEqual({ route: a })
  })
})
