import { expect, test } from 'vitest'
import { textMenu } from './window-options.ts'

const FIELD = { isEditable: true, selectionText: '', misspelledWord: '', dictionarySuggestions: [] }
const named = (text: Partial<Parameters<typeof textMenu>[0]>): string[] =>
  textMenu({ ...FIELD, ...text }).map((item) =>
    item.kind === 'edit' ? item.role : item.kind === 'gap' ? '-' : `${item.kind} ${item.word}`,
  )

const EDITING = ['undo', 'redo', '-', 'cut', 'copy', 'paste', 'selectAll']

test('over a field the menu has what every program offers', () => {
  expect(named({})).toEqual(EDITING)
})

test('a misspelled word has five better ones at most, and can be learned', () => {
  const dictionarySuggestions = ['a', 'b', 'c', 'd', 'e', 'f']
  const better = ['word a', 'word b', 'word c', 'word d', 'word e']
  expect(named({ misspelledWord: 'teh', dictionarySuggestions })).toEqual([...better, 'learn teh', '-', ...EDITING])
  expect(named({ misspelledWord: 'Parlor' }).slice(0, 2)).toEqual(['learn Parlor', '-'])
})

test('what was read can be copied once something of it is selected', () => {
  expect(named({ isEditable: false, selectionText: 'some words' })).toEqual(['copy'])
  expect(named({ isEditable: false, selectionText: ' ' })).toEqual([])
})
