import { expect, test } from 'vitest'
import { charactersLeft, cooldownLeft, decide, type Facts } from './use-send.ts'

const facts = (change: Partial<Facts>): Facts => ({
  text: 'hello',
  uploads: [],
  maxLength: 20,
  offline: false,
  cooldown: 0,
  ...change,
})

test.each([
  [{}, { kind: 'ready' }],
  [{ text: '  ** ' }, { kind: 'empty' }],
  [{ text: '', uploads: [{ state: 'finished' as const }] }, { kind: 'ready' }],
  [{ text: 'x'.repeat(25) }, { kind: 'tooLong', by: 5 }],
  [{ stopped: 'gone' as const }, { kind: 'stopped', forGood: false }],
  [{ stopped: 'shut' as const }, { kind: 'stopped', forGood: true }],
  [{ offline: true }, { kind: 'outbox' }],
  [{ cooldown: 24 }, { kind: 'slow', seconds: 24 }],
  [
    { uploads: [{ state: 'finished' as const }, { state: 'uploading' as const }, { state: 'pending' as const }] },
    { kind: 'uploading', done: 1, all: 3, stuck: false },
  ],
  [{ offline: true, uploads: [{ state: 'pending' as const }] }, { kind: 'outbox' }],
  [
    { coming: 2, uploads: [{ state: 'finished' as const }] },
    { kind: 'uploading', done: 1, all: 3, stuck: true },
  ],
  [
    { coming: 1, offline: true },
    { kind: 'uploading', done: 0, all: 1, stuck: true },
  ],
  [{ uploads: [{ state: 'failed' as const }] }, { kind: 'uploadFailed' }],
  [
    { uploads: [{ state: 'uploading' as const }, { state: 'blocked' as const }] },
    { kind: 'uploading', done: 0, all: 1, stuck: true },
  ],
  [{ editing: { deleted: false, hasAttachments: false } }, { kind: 'save' }],
  [{ text: ' ', editing: { deleted: false, hasAttachments: false } }, { kind: 'editEmpty' }],
  [{ text: '', editing: { deleted: false, hasAttachments: true } }, { kind: 'save' }],
  [{ editing: { deleted: true, hasAttachments: false } }, { kind: 'editGone' }],
])('facts %o lead to %o', (change, decision) => {
  expect(decide(facts(change))).toEqual(decision)
})

test('the counter appears from 80 % of the limit and counts user-perceived characters', () => {
  expect(charactersLeft('a'.repeat(799), 1_000)).toBeUndefined()
  expect(charactersLeft('a'.repeat(800), 1_000)).toBe(200)
  expect(charactersLeft('😀'.repeat(990), 1_000)).toBe(10)
})

test('slow mode counts from the viewer’s newest message', () => {
  expect(cooldownLeft(30, 1_000, 7_000)).toBe(24)
  expect(cooldownLeft(30, 1_000, 40_000)).toBe(0)
  expect(cooldownLeft(0, 1_000, 2_000)).toBe(0)
})
