import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { markedUnreadByHand, panelOpened, routeOpened, uiReducer, wentBack, wentForward } from './ui.ts'

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
