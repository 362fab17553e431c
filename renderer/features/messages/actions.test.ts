import { describe, expect, test } from 'vitest'
import { aChannel, aMessage } from '../../../tests/kit/fake-bridge/builders.ts'
import { actionOfKey, actionsFor, type ActionId } from './actions.ts'

const facts = { channel: aChannel(), viewerId: 'ola', inThread: false }
const allowed = (over: Parameters<typeof aMessage>[0], more: Partial<Parameters<typeof actionsFor>[1]> = {}) =>
  [...actionsFor(aMessage({ text: 'words', ...over }), { ...facts, ...more })].toSorted()

describe('what one may do with a message', () => {
  test('of somebody else', () => {
    expect(allowed({ userId: 'jonas' })).toEqual(['copy', 'pin', 'quote', 'react', 'thread', 'unread'])
  })

  test('of one’s own', () => {
    expect(allowed({ userId: 'ola' })).toEqual(['copy', 'delete', 'edit', 'pin', 'quote', 'react', 'thread'])
  })

  test('that failed for good: edit or delete, no retry', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: false } })).toEqual(['copy', 'delete', 'edit'])
  })

  test('that failed for now: also try again', () => {
    expect(allowed({ status: 'failed', failure: { code: 'x', retryable: true } })).toContain('retry')
  })

  test('that was deleted, or is a system line: nothing', () => {
    expect(allowed({ type: 'deleted' })).toEqual([])
    expect(allowed({ type: 'system' })).toEqual([])
  })

  test('in a thread: no thread of its own, no marking unread', () => {
    expect(allowed({ userId: 'jonas', parentId: 'p' }, { inThread: true })).toEqual(['copy', 'pin', 'quote', 'react'])
  })

  test('in a frozen channel: reading and copying, and one’s own deletes', () => {
    const channel = aChannel({ frozen: true })
    expect(allowed({ userId: 'jonas' }, { channel })).toEqual(['copy', 'thread', 'unread'])
  })

  test('a pinned message is unpinned', () => {
    expect(allowed({ pinned: true })).toContain('unpin')
    expect(allowed({ pinned: true })).not.toContain('pin')
  })
})

describe('keys', () => {
  const all = new Set<ActionId>(['quote', 'thread', 'react', 'edit', 'pin', 'unread', 'copy', 'delete'])
  const press = (key: string, over: Partial<Parameters<typeof actionOfKey>[0]> = {}) =>
    actionOfKey({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...over }, all)

  test.each([
    ['t', 'thread'],
    ['q', 'quote'],
    ['r', 'react'],
    ['e', 'edit'],
    ['p', 'pin'],
    ['u', 'unread'],
    ['Delete', 'delete'],
    ['Backspace', 'delete'],
  ])('%s means %s', (key, action) => {
    expect(press(key)).toBe(action)
  })

  test('letters of a Russian layout are matched by their place', () => {
    expect(press('е', { code: 'KeyT' })).toBe('thread')
  })

  test('Alt, AltGr, Ctrl and Shift with a letter are somebody else’s', () => {
    expect(press('e', { altKey: true })).toBeUndefined()
    expect(press('ę', { altKey: true, ctrlKey: true, code: 'KeyE' })).toBeUndefined()
    expect(press('t', { ctrlKey: true })).toBeUndefined()
    expect(press('T', { shiftKey: true })).toBeUndefined()
  })

  test('Ctrl C and Cmd C copy', () => {
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
