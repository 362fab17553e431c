import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { aChannel } from '#kit/fake-bridge/index.ts'
import { formatsFor } from '../../../i18n/index.ts'
import { matchChannels, matchPeople } from './matching.ts'
import { mentionedIn, offeredIn, type Person } from './mentions.ts'
import { tokenAt } from './use-suggestions.ts'

const person = (id: string, name: string, inChannel = true): Person => ({ id: asUserId(id), name, inChannel })
const { compare } = formatsFor('en', [])
const team = [
  person('lukasz', 'Łukasz Żak'),
  person('ola', 'Ola Wiśniewska'),
  person('nadia.s', 'Надежда Соколова'),
  person('jonas', 'Jonas Lindqvist'),
  person('hana', 'Hana Mori'),
  person('maj', 'Agnieszka Maj', false),
  person('marcus', 'Marcus Feld'),
]
const names = (query: string) => matchPeople(team, query, compare).map(({ person }) => person.id)

test('letters without diacritics find Polish and Russian names', () => {
  expect(names('lukasz')).toEqual(['lukasz'])
  expect(names('zak')).toEqual(['lukasz'])
  expect(names('wisn')).toEqual(['ola'])
  expect(names('соколова')).toEqual(['nadia.s'])
})

test('of two words the first must be complete, the second may be the start of one', () => {
  expect(names('jonas l')).toEqual(['jonas'])
  expect(names('jon lind')).toEqual([])
})

test('people outside the channel come last', () => {
  expect(names('ma')).toEqual(['marcus', 'maj'])
})

test('a typo still finds the person, a short query does not match everyone', () => {
  expect(names('jnoas')).toContain('jonas')
  expect(names('xq')).toEqual([])
})

test('among equal matches the latest author comes first', () => {
  const speakers = [asUserId('marcus'), asUserId('jonas')]
  const order = matchPeople(team, '', compare, speakers).map(({ person }) => person.id)
  expect(order.slice(0, 2)).toEqual(['marcus', 'jonas'])
  expect(order.at(-1)).toBe('maj')
})

test('at most ten are offered', () => {
  const crowd = Array.from({ length: 30 }, (_, i) => person(`u${i}`, `Ann ${i}`))
  expect(matchPeople(crowd, 'an', compare)).toHaveLength(10)
})

test('the matched letters are marked in the name as it is spelled', () => {
  expect(matchPeople(team, 'luk', compare)[0]?.name).toEqual([
    { text: 'Łuk', hit: true },
    { text: 'asz Żak', hit: false },
  ])
})

test('a mention counts while the text has the name or id after an @', () => {
  expect(mentionedIn('@Ola Wiśniewska and @jonas, see @Han', team)).toEqual(['ola', 'jonas'])
  expect(mentionedIn('Ola Wiśniewska wrote mail to a@hanna', team)).toEqual([])
})

test('muted people are offered after /unmute only, and other commands offer everyone', () => {
  const two = [{ ...person('o1', 'Ola'), muted: true }, person('o2', 'Bob')]
  const offered = (text: string) => offeredIn(text, two).map(({ id }) => id)
  expect(offered('ask @')).toEqual(['o2'])
  expect(offered('/unmute @')).toEqual(['o1'])
  expect(offered('/ban @')).toEqual(['o1', 'o2'])
})

test('the longest name wins where one is the start of another', () => {
  const two = [person('o1', 'Ola'), person('o2', 'Ola Nowak')]
  expect(mentionedIn('ask @Ola Nowak', two)).toEqual(['o2'])
  expect(mentionedIn('ask @Ola now', two)).toEqual(['o1'])
})

test.each([
  ['hi @', undefined],
  ['hi @n', { kind: 'mention', from: 3, query: 'n' }],
  ['@John D', { kind: 'mention', from: 0, query: 'John D' }],
  ['see #rel', { kind: 'channel', from: 4, query: 'rel' }],
  ['# title', undefined],
  ['C#', undefined],
  ['mail me a@b', undefined],
  ['at 10:30', undefined],
  ['nice :ta', { kind: 'emoji', from: 5, query: 'ta' }],
  ['nice :)', undefined],
])('in "%s" the caret is in %o', (text, token) => {
  expect(tokenAt(text, text.length)).toEqual(token)
})

test('AGR-14 up to three letters may be wrong, and never more than half of what was typed', () => {
  const one = [person('w', 'Wisniewska')]
  const found = (query: string) => matchPeople(one, query, compare).length
  expect(['wizniewska', 'wizniefska', 'wizniefzka', 'vizniefzka'].map(found)).toEqual([1, 1, 1, 0])
  expect(['wiz', 'wxz'].map(found)).toEqual([1, 0])
})

test('channels whose name starts with the query come first, then those with a word that does', () => {
  const named = ['łódź-data', 'data-łódź', 'colodz', 'random'].map((name) => aChannel({ cid: `team:${name}`, name }))
  expect(matchChannels(named, 'lodz', compare).map(({ name }) => name)).toEqual(['łódź-data', 'data-łódź', 'colodz'])
})

test('equal matches are sorted by the chosen language, and 2 comes before 10', () => {
  const ids = (language: string, people: readonly Person[]) =>
    matchPeople(people, '', formatsFor(language, []).compare).map(({ person }) => person.id)
  const crew = [person('ł', 'Łucja'), person('m', 'Maja'), person('l', 'Luiza'), person('u', 'Lwia')]
  expect(ids('pl', crew)).toEqual(['l', 'u', 'ł', 'm'])
  expect(ids('en', crew)).not.toEqual(ids('pl', crew))
  expect(ids('en', [person('b10', 'Bot 10'), person('b2', 'Bot 2')])).toEqual(['b2', 'b10'])
})

test('among equally matching channels 2 comes before 10', () => {
  const named = ['release-10', 'release-2'].map((name) => aChannel({ cid: `team:${name}`, name }))
  expect(matchChannels(named, 'rel', compare).map(({ name }) => name)).toEqual(['release-2', 'release-10'])
})
