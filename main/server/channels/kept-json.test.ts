import { expect, test } from 'vitest'
import type { WireUser } from '#shared/wire/objects.ts'
import { createFilling, createGaps, keepBesideUser } from './kept-channels.ts'
import type { People } from '../messages/encode-messages.ts'

/** People whose names are the ids with a suffix; signatures likewise. */
function peopleOf(suffix: string): People & { readonly loaded: string[] } {
  const loaded: string[] = []
  const person = (id: string): WireUser => ({ id, name: `${id} ${suffix}`, role: 'user' })
  return Object.assign(person, {
    whole: person,
    load: (ids: Iterable<string>) => void loaded.push(...ids),
    forget: () => undefined,
    fresh: (text: string) => text.replaceAll('/files/', `/files/${encodeURIComponent(suffix)}/`),
    loaded,
  })
}

const encoded = (people: People) => ({
  text: 'zażółć "gęślą" \\ \u0000 jaźń',
  user: people('ann'),
  others: [people('bob'), people('ann')],
  plain: JSON.parse(people.fresh('[{"image":"https://example.org/a.png"}]')) as unknown,
  attachments: JSON.parse(people.fresh('[{"title":"żółw \\"a\\"","image":"http://here/files/a.png"}]')) as unknown,
})

test('JSON with gaps is, once filled, what the same people would have given', () => {
  const gaps = createGaps()
  const items = [gaps.keep(encoded(gaps.people)), gaps.keep({ user: gaps.people('cat') }), gaps.keep({})]
  for (const suffix of ['one', 'дwa "2"']) {
    const people = peopleOf(suffix)
    const list = createFilling(people).list([...items, Buffer.from('{"own":true}')])
    expect(JSON.stringify(list.toJSON())).toBe(
      JSON.stringify([encoded(people), { user: people('cat') }, {}, { own: true }]),
    )
  }
})

test('a small object with a user first is, once filled, that object', () => {
  const people = peopleOf('x')
  const others = { last_read: 'żółw "1"', absent: undefined, unread: 2 }
  const list = createFilling(people).list([keepBesideUser('ann', others)])
  expect(JSON.stringify(list.toJSON())).toBe(JSON.stringify([{ user: people('ann'), ...others }]))
})

test('an empty list is one', () => {
  expect(createFilling(peopleOf('x')).list([]).toJSON()).toEqual([])
})

test('everybody in it is loaded at once', () => {
  const gaps = createGaps()
  const people = peopleOf('x')
  createFilling(people).load([gaps.keep(encoded(gaps.people)), gaps.keep({ user: gaps.people('cat') })])
  expect(people.loaded.toSorted()).toEqual(['ann', 'bob', 'cat'])
})
