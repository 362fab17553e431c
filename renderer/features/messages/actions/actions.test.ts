import { describe, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { aChannel, aMessage, anAttachment, MEMBER_CAPABILITIES } from '../../../../tests/kit/fake-bridge/index.ts'
import { ACTIONS, actionOfKey, actionsFor, menuRows, quickReactionOf, type ActionId } from './actions.ts'

const facts = { channel: aChannel(), viewerId: asUserId('ola'), inThread: false }
const allowed = (over: Parameters<typeof aMessage>[0], more: Partial<Parameters<typeof actionsFor>[1]> = {}) =>
  [...actionsFor(aMessage({ text: 'words', ...over }), { ...facts, ...more })].toSorted()

const aReactionGroup = () => ({ type: '👍', count: 1, sumScores: 1, firstAt: 1, lastAt: 1, own: false, userIds: [] })

/** Allowed on every message with text that the server has. */
const ALWAYS = ['copy', 'details', 'forward', 'link', 'markdown', 'profile', 'remind', 'save', 'select']

describe('actions allowed on a message', () => {
  test('of another person', () => {
    expect(allowed({ userId: 'jonas' })).toEqual(
      [...ALWAYS, 'pin', 'quote', 'react', 'thread', 'unread', 'why'].toSorted(),
    )
  })

  test('of the viewer', () => {
    expect(allowed({ userId: 'ola' })).toEqual(
      [...ALWAYS, 'delete', 'edit', 'pin', 'quote', 'react', 'thread'].toSorted(),
    )
  })

  test('as a guest: read and copy', () => {
    const channel = aChannel({ capabilities: ['read-channel', 'connect-events'] })
    const reading = ['copy', 'details', 'link', 'markdown', 'profile', 'select']
    expect(allowed({ userId: 'jonas' }, { channel, readsOnly: true })).toEqual(reading)
    const withReplies = allowed(
      { userId: 'jonas', thread: { replyCount: 2, participantIds: [], unread: 0 } },
      { channel, readsOnly: true },
    )
    expect(withReplies).toEqual([...reading, 'thread'])
  })

  test('that failed permanently: edit or delete, no retry', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: false } })).toEqual([
      'copy',
      'delete',
      'edit',
      'markdown',
      'select',
    ])
  })

  test('that failed temporarily: also try again', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: true } })).toContain('retry')
  })

  test('that is deleted or a system message: none', () => {
    expect(allowed({ type: 'deleted' })).toEqual([])
    expect(allowed({ type: 'system' })).toEqual([])
  })

  test('in a thread: no nested thread, and the parent message cannot be marked unread', () => {
    const here = { inThread: true }
    const both = [...ALWAYS, 'pin', 'quote', 'react']
    expect(allowed({ userId: 'jonas', parentId: 'p' }, here)).toEqual([...both, 'unread', 'why'].toSorted())
    expect(allowed({ userId: 'jonas' }, here)).toEqual([...both, 'why'].toSorted())
  })

  test('an own reply that is only in its thread can be shown in the channel later', () => {
    expect(allowed({ userId: 'ola', parentId: 'p' }, { inThread: true })).toContain('also')
    expect(allowed({ userId: 'ola', parentId: 'p', showInChannel: true })).not.toContain('also')
    expect(allowed({ userId: 'jonas', parentId: 'p' }, { inThread: true })).not.toContain('also')
    expect(allowed({ userId: 'ola' })).not.toContain('also')
  })

  test('in a frozen channel: reading and copying only', () => {
    const channel = aChannel({ frozen: true })
    expect(allowed({ userId: 'jonas' }, { channel })).toEqual([...ALWAYS, 'thread', 'unread', 'why'].toSorted())
  })

  test('with pictures and reactions: view them', () => {
    const more = { attachments: [anAttachment()], reactions: [aReactionGroup()] }
    expect(allowed({ userId: 'jonas', ...more })).toEqual(expect.arrayContaining(['details', 'viewer']))
    expect(allowed({ userId: 'jonas' })).not.toEqual(expect.arrayContaining(['viewer']))
  })

  test('with one picture: copy it; with several, only the media viewer copies one', () => {
    expect(allowed({ userId: 'jonas', attachments: [anAttachment()] })).toContain('picture')
    const two = [anAttachment(), anAttachment({ index: 1 })]
    expect(allowed({ userId: 'jonas', attachments: two })).not.toContain('picture')
    expect(allowed({ userId: 'jonas', attachments: [anAttachment({ hasMedia: false })] })).not.toContain('picture')
  })

  test('of another person, with the right to change any: deleting is allowed, editing is not', () => {
    const channel = aChannel({ capabilities: ['update-any-message', 'delete-any-message'] })
    expect(allowed({ userId: 'jonas' }, { channel })).toContain('delete')
    expect(allowed({ userId: 'jonas' }, { channel })).not.toContain('edit')
    expect(allowed({ userId: 'ola' }, { channel })).toContain('edit')
  })

  test('in a frozen channel with the right to use it: the same as elsewhere', () => {
    const capabilities = [...MEMBER_CAPABILITIES, 'use-frozen-channel']
    expect(allowed({ userId: 'jonas' }, { channel: aChannel({ frozen: true, capabilities }) })).toEqual(
      allowed({ userId: 'jonas' }, { channel: aChannel({ capabilities }) }),
    )
  })

  test('in a channel with unknown rights: own messages may be changed, the server decides the rest', () => {
    const channel = aChannel({ capabilities: [] })
    expect(allowed({ userId: 'ola' }, { channel })).toEqual(expect.arrayContaining(['edit', 'delete', 'react', 'pin']))
    expect(allowed({ userId: 'jonas' }, { channel })).not.toContain('delete')
  })

  test('that is a command’s response: copy and dismiss', () => {
    for (const type of ['ephemeral', 'error'] as const) {
      expect(allowed({ userId: 'ola', type })).toEqual(['copy', 'delete', 'markdown', 'select'])
    }
  })

  test('with a link: open it; with the right: report it', () => {
    expect(allowed({ userId: 'jonas', text: 'see https://example.org/x' })).toContain('open')
    const channel = aChannel({ capabilities: ['flag-message'] })
    expect(allowed({ userId: 'jonas' }, { channel })).toContain('report')
    expect(allowed({ userId: 'ola' }, { channel })).not.toContain('report')
  })

  test('with an id that does not fit in a link: no link', () => {
    expect(allowed({ id: 'a/b' })).not.toContain('link')
  })

  test('that is pinned: unpin', () => {
    expect(allowed({ pinned: true })).toContain('unpin')
    expect(allowed({ pinned: true })).not.toContain('pin')
  })
})

describe('keys', () => {
  const all = new Set(Object.keys(ACTIONS) as ActionId[])
  const press = (key: string, over: Partial<Parameters<typeof actionOfKey>[0]> = {}) =>
    actionOfKey({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...over }, all)

  test.each([
    ['t', 'thread'],
    ['q', 'quote'],
    ['r', 'react'],
    ['e', 'edit'],
    ['p', 'pin'],
    ['u', 'unread'],
    ['f', 'forward'],
    ['x', 'select'],
    ['l', 'link'],
    ['i', 'details'],
    ['s', 'profile'],
    ['a', 'save'],
    ['o', 'open'],
    ['m', 'remind'],
    ['v', 'viewer'],
    ['Delete', 'delete'],
    ['Backspace', 'delete'],
  ])('%s means %s', (key, action) => {
    expect(press(key)).toBe(action)
  })

  test('letters of a Russian layout are matched by key position', () => {
    expect(press('е', { code: 'KeyT' })).toBe('thread')
  })

  test('letters with Alt, AltGr, Ctrl or Shift trigger nothing', () => {
    expect(press('e', { altKey: true })).toBeUndefined()
    expect(press('ę', { altKey: true, ctrlKey: true, code: 'KeyE' })).toBeUndefined()
    expect(press('t', { ctrlKey: true })).toBeUndefined()
    expect(press('T', { shiftKey: true })).toBeUndefined()
  })

  test('Ctrl C and Cmd C copy', () => {
    expect(press('C', { ctrlKey: true, shiftKey: true })).toBe('markdown')
    expect(press('c', { ctrlKey: true })).toBe('copy')
    expect(press('с', { metaKey: true, code: 'KeyC' })).toBe('copy')
  })

  test('an action that is not allowed has no key', () => {
    expect(
      actionOfKey(
        { key: 'e', code: 'KeyE', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
        new Set(),
      ),
    ).toBeUndefined()
  })
})

describe('the registry', () => {
  test('every action is in the menu once', () => {
    const rest = Object.keys(ACTIONS).filter((action) => action !== 'react')
    for (const own of [true, false]) {
      const { first, more } = menuRows(new Set(Object.keys(ACTIONS) as ActionId[]), own)
      expect([...first, ...more.flat()].toSorted()).toEqual(rest.toSorted())
    }
  })

  test('the menu has the eight actions used most, with deleting last among one’s own', () => {
    const rows = (userId: string) => menuRows(actionsFor(aMessage({ text: 'words', userId }), facts), userId === 'ola')
    expect(rows('jonas').first).toEqual(['thread', 'quote', 'forward', 'save', 'remind', 'copy', 'pin', 'unread'])
    expect(rows('jonas').more).toEqual([
      ['link', 'markdown', 'select'],
      ['details', 'profile', 'why'],
    ])
    expect(rows('ola').first).toEqual(['thread', 'quote', 'edit', 'forward', 'save', 'remind', 'copy', 'delete'])
    expect(rows('ola').more[0]).toEqual(['pin'])
  })

  test('no two actions share a key except pin and unpin', () => {
    const keys = Object.entries(ACTIONS).flatMap(([id, { chord }]) =>
      chord === undefined || id === 'unpin' ? [] : chord,
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('digits without modifiers are the quick reactions', () => {
    const press = { key: '3', code: 'Digit3', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    expect(quickReactionOf(press)).toBe(2)
    expect(quickReactionOf({ ...press, ctrlKey: true })).toBeUndefined()
    expect(quickReactionOf({ ...press, key: '7' })).toBeUndefined()
  })
})
