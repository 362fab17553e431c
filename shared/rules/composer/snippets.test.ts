import { expect, test } from 'vitest'
import { filledSnippet, matchSnippets, snippetFault, snippetsByName, MAX_SNIPPETS, withSnippet } from './snippets.ts'

const snippets = [
  { name: 'thanks', text: 'Thank you, {name}' },
  { name: 'Sig', text: 'Kind regards' },
]
const { compare } = new Intl.Collator('en', { numeric: true })
const names = (query: string) => matchSnippets(snippets, query, compare).map(({ name }) => name)

test('a snippet is found by its name and by its text, the name first', () => {
  expect(names('')).toEqual(['Sig', 'thanks'])
  expect(names('th')).toEqual(['thanks'])
  expect(names('regards')).toEqual(['Sig'])
  expect(names('zzz')).toEqual([])
})

test('known placeholders are filled in, other braces are unchanged', () => {
  const values = { me: 'Ola', name: 'Bob', date: '3 May', time: '10:00' }
  expect(filledSnippet('{name}, {me} here on {date} at {time}. {other} {', values)).toBe(
    'Bob, Ola here on 3 May at 10:00. {other} {',
  )
})

test('a name is one word, unique ignoring case, and the text is not empty', () => {
  const fault = (name: string, text = 'words', before?: string) => snippetFault(snippets, { name, text }, before)
  expect(fault('two words')).toBe('name')
  expect(fault('a;b')).toBe('name')
  expect(fault('SIG')).toBe('taken')
  expect(fault('sig', 'words', 'Sig')).toBeUndefined()
  expect(fault('new', ' ')).toBe('text')
  const many = Array.from({ length: MAX_SNIPPETS }, (_none, at) => ({ name: `s${at}`, text: 'x' }))
  expect(snippetFault(many, { name: 'one-more', text: 'x' })).toBe('full')
})

test('a changed snippet replaces the previous one', () => {
  expect(withSnippet(snippets, { name: 'bye', text: 'Bye' }, 'Sig').map(({ name }) => name)).toEqual(['thanks', 'bye'])
})

test('snippets are sorted by name: 2 before 10, and by the collation of the language', () => {
  const listed = (language: string, called: readonly string[]) =>
    snippetsByName(
      called.map((name) => ({ name, text: 'x' })),
      new Intl.Collator(language, { numeric: true }).compare,
    ).map(({ name }) => name)
  expect(listed('en', ['note10', 'note2'])).toEqual(['note2', 'note10'])
  expect(listed('pl', ['mapa', 'łąka', 'lupa'])).toEqual(['lupa', 'łąka', 'mapa'])
  expect(listed('ru', ['жук', 'ёлка', 'еда', 'ель'])).toEqual(['еда', 'ёлка', 'ель', 'жук'])
})
