import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  markedUnreadByHand,
  panelClosed,
  panelOpened,
  placeLeft,
  routeOpened,
  uiReducer,
  viewLeft,
  wentBack,
  wentForward,
} from './ui.ts'

const channel = (name: string) => ({ view: 'channel', cid: asCid(`messaging:${name}`) }) as const
const start = uiReducer(undefined, { type: 'start' })
const run = (...actions: readonly Parameters<typeof uiReducer>[1][]) => actions.reduce(uiReducer, start)

test('back and forward walk the places that were opened', () => {
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
  expect([after.panel, after.unreadByHand]).toEqual([undefined, {}])
})

test('a thread is a stop: back closes it, forward opens it again, and the stop keeps its name', () => {
  const panel = { kind: 'thread', cid: channel('a').cid, parentId: asMessageId('p') } as const
  const open = run(routeOpened(channel('a')), panelOpened(panel))
  const back = uiReducer(open, wentBack())
  expect([back.route, back.panel]).toEqual([channel('a'), undefined])
  const again = uiReducer(back, wentForward())
  expect([again.panel, again.placeId]).toEqual([panel, open.placeId])
})

test('a jump inside a list is a stop of the same channel', () => {
  const there = run(routeOpened(channel('a')), routeOpened(channel('b')))
  const jumped = uiReducer(there, placeLeft())
  const back = uiReducer(jumped, wentBack())
  expect([back.route, back.placeId]).toEqual([channel('b'), there.placeId])
  expect(uiReducer(back, wentForward()).placeId).toBe(jumped.placeId)
  expect(uiReducer(back, wentBack()).route).toEqual(channel('a'))
})

test('a stop that looks like where one is is passed over', () => {
  const panel = { kind: 'members', cid: channel('b').cid } as const
  const closed = run(routeOpened(channel('a')), routeOpened(channel('b')), panelOpened(panel), panelClosed())
  expect(uiReducer(closed, wentBack()).route).toEqual(channel('a'))
})

test('settings are no stop, and leaving a view leaves its panels too', () => {
  const settings = (section: 'about' | 'network') => routeOpened({ view: 'settings', section })
  const left = run(routeOpened(channel('a')), settings('about'), settings('network'), viewLeft())
  expect(left.route).toEqual(channel('a'))
  const found = { kind: 'context', cid: channel('a').cid, messageId: asMessageId('m') } as const
  const searched = run(routeOpened(channel('a')), routeOpened({ view: 'search' }), panelOpened(found), viewLeft())
  expect([searched.route, searched.panel]).toEqual([channel('a'), undefined])
})
