import { describe, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { aChannel, aMessage, anAttachment, MEMBER_CAPABILITIES } from '../../../../tests/kit/fake-bridge/index.ts'
import { ACTIONS, actionOfKey, actionsFor, MENU_GROUPS, quickReactionOf, type ActionId } from './actions.ts'

const facts = { channel: aChannel(), viewerId: asUserId('ola'), inThread: false }
const allowed = (over: Parameters<typeof aMessage>[0], more: Partial<Parameters<typeof actionsFor>[1]> = {}) =>
  [...actionsFor(aMessage({ text: 'words', ...over }), { ...facts, ...more })].toSorted()

const aReactionGroup = () => ({ type: '👍', count: 1, sumScores: 1, firstAt: 1, lastAt: 1, own: false, userIds: [] })

/** Of every message with words that the server has. */
const ALWAYS = ['copy', 'details', 'forward', 'link', 'markdown', 'profile', 'remind', 'save', 'select']

describe('what one may do with a message', () => {
  test('of someone else', () => {
    expect(allowed({ userId: 'jonas' })).toEqual(
      [...ALWAYS, 'pin', 'quote', 'react', 'thread', 'unread', 'why'].toSorted(),
    )
  })

  test('of one’s own', () => {
    expect(allowed({ userId: 'ola' })).toEqual(
      [...ALWAYS, 'delete', 'edit', 'pin', 'quote', 'react', 'thread'].toSorted(),
    )
  })

  test('as a guest: read, copy, lead elsewhere', () => {
    const channel = aChannel({ capabilities: ['read-channel', 'connect-events'] })
    const reading = ['copy', 'details', 'link', 'markdown', 'profile', 'select']
    expect(allowed({ userId: 'jonas' }, { channel, readsOnly: true })).toEqual(reading)
    const answered = allowed(
      { userId: 'jonas', thread: { replyCount: 2, participantIds: [], unread: 0 } },
      { channel, readsOnly: true },
    )
    expect(answered).toEqual([...reading, 'thread'])
  })

  test('that failed for good: edit or delete, no retry', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: false } })).toEqual([
      'copy',
      'delete',
      'edit',
      'markdown',
      'select',
    ])
  })

  test('that failed for now: also try again', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: true } })).toContain('retry')
  })

  test('that was deleted, or is a system line: nothing', () => {
    expect(allowed({ type: 'deleted' })).toEqual([])
    expect(allowed({ type: 'system' })).toEqual([])
  })

  test('in a thread: no thread of its own, and the first message cannot be unread there', () => {
    const here = { inThread: true }
    const both = [...ALWAYS, 'pin', 'quote', 'react']
    expect(allowed({ userId: 'jonas', parentId: 'p' }, here)).toEqual([...both, 'unread', 'why'].toSorted())
    expect(allowed({ userId: 'jonas' }, here)).toEqual([...both, 'why'].toSorted())
  })

  test('an own reply that is kept to its thread can be shown in the channel later', () => {
    expect(allowed({ userId: 'ola', parentId: 'p' }, { inThread: true })).toContain('also')
    expect(allowed({ userId: 'ola', parentId: 'p', showInChannel: true })).not.toContain('also')
    expect(allowed({ userId: 'jonas', parentId: 'p' }, { inThread: true })).not.toContain('also')
    expect(allowed({ userId: 'ola' })).not.toContain('also')
  })

  test('in a frozen channel: reading and copying, and one’s own deletes', () => {
    const channel = aChannel({ frozen: true })
    expect(allowed({ userId: 'jonas' }, { channel })).toEqual([...ALWAYS, 'thread', 'unread', 'why'].toSorted())
  })

  test('with pictures and reactions: see them', () => {
    const more = { attachments: [anAttachment()], reactions: [aReactionGroup()] }
    expect(allowed({ userId: 'jonas', ...more })).toEqual(expect.arrayContaining(['details', 'viewer']))
    expect(allowed({ userId: 'jonas' })).not.toEqual(expect.arrayContaining(['viewer']))
  })

  test('with one picture: copy it; with several, the viewer copies the one looked at', () => {
    expect(allowed({ userId: 'jonas', attachments: [anAttachment()] })).toContain('picture')
    const two = [anAttachment(), anAttachment({ index: 1 })]
    expect(allowed({ userId: 'jonas', attachments: two })).not.toContain('picture')
    expect(allowed({ userId: 'jonas', attachments: [anAttachment({ hasMedia: false })] })).not.toContain('picture')
  })

  test('of others, for those who may change any: edit is one’s own, deleting is not', () => {
    const channel = aChannel({ capabilities: ['update-any-message', 'delete-any-message'] })
    expect(allowed({ userId: 'jonas' }, { channel })).toContain('delete')
    expect(allowed({ userId: 'jonas' }, { channel })).not.toContain('edit')
    expect(allowed({ userId: 'ola' }, { channel })).toContain('edit')
  })

  test('in a frozen channel that one may use all the same: as anywhere', () => {
    const capabilities = [...MEMBER_CAPABILITIES, 'use-frozen-channel']
    expect(allowed({ userId: 'jonas' }, { channel: aChannel({ frozen: true, capabilities }) })).toEqual(
      allowed({ userId: 'jonas' }, { channel: aChannel({ capabilities }) }),
    )
  })

  test('in a channel whose rights no one knows yet: one’s own may be changed, the server judges the rest', () => {
    const channel = aChannel({ capabilities: [] })
    expect(allowed({ userId: 'ola' }, { channel })).toEqual(expect.arrayContaining(['edit', 'delete', 'react', 'pin']))
    expect(allowed({ userId: 'jonas' }, { channel })).not.toContain('delete')
  })

  test('that is a command’s answer: reading it and putting it away', () => {
    for (const type of ['ephemeral', 'error'] as const) {
      expect(allowed({ userId: 'ola', type })).toEqual(['copy', 'delete', 'markdown', 'select'])
    }
  })

  test('with a link in it: open it; where one may: report it', () => {
    expect(allowed({ userId: 'jonas', text: 'see https://example.org/x' })).toContain('open')
    const channel = aChannel({ capabilities: ['flag-message'] })
    expect(allowed({ userId: 'jonas' }, { channel })).toContain('report')
    expect(allowed({ userId: 'ola' }, { channel })).not.toContain('report')
  })

  test('with an id that no link can carry: no link', () => {
    expect(allowed({ id: 'a/b' })).not.toContain('link')
  })

  test('a pinned message is unpinned', () => {
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

  test('letters of a Russian layout are matched by their place', () => {
    expect(press('е', { code: 'KeyT' })).toBe('thread')
  })

  test('Alt, AltGr, Ctrl and Shift with a letter are someone else’s', () => {
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

  test('what is not allowed has no key', () => {
    expect(
      actionOfKey(
        { key: 'e', code: 'KeyE', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
        new Set(),
      ),
    ).toBeUndefined()
  })
})

describe('the registry', () => {
  test('every action has its place in the menu, once', () => {
    expect(MENU_GROUPS.flat().toSorted()).toEqual(Object.keys(ACTIONS).toSorted())
  })

  test('no key means two things, but for a pin and its removal', () => {
    const keys = Object.entries(ACTIONS).flatMap(([id, { chord }]) =>
      chord === undefined || id === 'unpin' ? [] : chord,
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('digits are the quick reactions, with nothing held down', () => {
    const press = { key: '3', code: 'Digit3', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    expect([quickReactionOf(press), quickReactionOf({ ...press, ctrlKey: true })]).toEqual([2, undefined])
    expect(quickReactionOf({ ...press, key: '7' })).toBeUndefined()
  })
})
