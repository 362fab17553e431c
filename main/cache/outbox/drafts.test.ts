import { expect, test } from 'vitest'
import { CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { MAX_DRAFT_VERSIONS } from '#shared/rules/composer/composer.ts'
import type { DraftRow } from '../rows.ts'
import * as drafts from './drafts.ts'

const HOUR = 3_600_000
const aDraft = (text: string, key: string = CID): DraftRow => ({
  key,
  cid: CID,
  text,
  uploadIds: [],
  caret: 0,
  showInChannel: false,
  updatedAt: 0,
})
const thought = (number: number) => `thought ${'x'.repeat(number)}${number}`

test('versions are stored for seven days, the newest of each composer, each once', () => {
  const { outbox } = openTestStores()
  const note = (text: string, at: number, key?: string) =>
    outbox.transaction((tx) => drafts.noteVersion(tx, aDraft(text, key), at))
  const texts = (now: number, key?: string) => drafts.versions(outbox.reader, now, key).map(({ text }) => text)
  note('a first thought', 0)
  note('in a thread', HOUR, `${CID}/p1`)
  note('something quite different', 2 * HOUR)
  note('a first thought', 3 * HOUR)
  expect(texts(4 * HOUR, CID)).toEqual(['a first thought', 'something quite different'])
  expect(texts(4 * HOUR)).toEqual(['a first thought', 'something quite different', 'in a thread'])
  expect(texts(7 * 24 * HOUR + 2 * HOUR)).toEqual(['a first thought'])
  for (let number = 0; number < MAX_DRAFT_VERSIONS + 20; number += 1) note(thought(number), (8 * 24 + number) * HOUR)
  const stored = texts((8 * 24 + MAX_DRAFT_VERSIONS + 20) * HOUR, CID)
  expect(stored.length).toEqual(MAX_DRAFT_VERSIONS)
  expect(stored[0]).toEqual(thought(MAX_DRAFT_VERSIONS + 19))
})
