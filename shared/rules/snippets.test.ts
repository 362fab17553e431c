import { expect, test } from 'vitest'
import { filledSnippet, matchSnippets, snippetFault, SNIPPETS_KEPT, withSnippet } from './snippets.ts'

const snippets = [
  { name: 'thanks', text: 'Thank you, {name}' },
  { name: 'Sig', text: 'Kind regards' },
]
const names = (query: string) => matchSnippets(snippets, query).map(({ name }) => name)

test('a snippet is found by its name and by its words, the name first', () => {
  expect([names(''), names('th'), names('regards'), names('zzz')]).toEqual([['Sig', 'thanks'], ['thanks'], ['Sig'], []])
})

test('what is known is filled in, other braces stay', () => {
  const values = { me: 'Ola', name: 'Bob', date: '3 May', time: '10:00' }
  expect(filledSnippet('{name}, {me} here on {date} at {time}. {other} {', values)).toBe(
    'Bob, Ola here on 3 May at 10:00. {other} {',
  )
})

test('a name is one word, taken once whatever its case, and the words are some', () => {
  const fault = (name: string, text = 'words', before?: string) => snippetFault(snippets, { name, text }, before)
  expect([fault('two words'), fault('a;b'), fault('SIG'), fault('sig', 'words', 'Sig'), fault('new', ' ')]).toEqual([
    'name',
    'name',
    'taken',
    undefined,
    'text',
  ])
  const many = Array.from({ length: SNIPPETS_KEPT }, (_none, at) => ({ name: `s${at}`, text: 'x' }))
  expect(snippetFault(many, { name: 'one-more', text: 'x' })).toBe('full')
})

test('a changed snippet takes the place of the one before', () => {
  expect(withSnippet(snippets, { name: 'bye', text: 'Bye' }, 'Sig').map(({ name }) => name)).toEqual(['bye', 'thanks'])
})
