import { expect, test } from 'vitest'
import { applyEdit, formatEdit, newLineEdit, pasteEdit, type Format } from './markdown.ts'

/** `|` marks both ends of the selection, or the caret. */
function selection(marked: string) {
  const from = marked.indexOf('|')
  const second = marked.indexOf('|', from + 1)
  const text = marked.replaceAll('|', '')
  return { text, from, to: second < 0 ? from : second - 1 }
}

function show(text: string, from: number, to: number): string {
  if (from === to) return `${text.slice(0, from)}|${text.slice(from)}`
  return `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`
}

function format(kind: Format, marked: string): string {
  const selected = selection(marked)
  const edit = formatEdit(kind, selected)
  return show(applyEdit(selected.text, edit), edit.selectFrom, edit.selectTo)
}

test.each([
  ['bold', 'keep |two lines| here', 'keep **|two lines|** here'],
  ['bold', 'keep **|two lines|** here', 'keep |two lines| here'],
  ['bold', 'keep |**two lines**| here', 'keep |two lines| here'],
  ['bold', 'go |', 'go **|**'],
  ['italic', '|żółw|', '_|żółw|_'],
  ['strike', '~~|old|~~', '|old|'],
  ['code', 'a |b| c', 'a `|b|` c'],
  ['codeBlock', 'see |x = 1|', 'see \n```\n|x = 1|\n```'],
  ['quote', 'one\n|two|', 'one\n|> two|'],
  ['quote', '|> one\n> two|', '|one\ntwo|'],
  ['bulletList', '|one\ntwo|', '|- one\n- two|'],
  ['bulletList', '- one|', 'one|'],
  ['numberList', '|one\ntwo|', '|1. one\n2. two|'],
  ['link', 'see |the notes|', 'see [the notes](|)'],
  ['link', '|https://parlor.example/a|', '[|](https://parlor.example/a)'],
] as const)('%s turns "%s" into "%s"', (kind, before, after) => {
  expect(format(kind, before)).toBe(after)
})

test.each([
  ['- one|', '- one\n- |'],
  ['- one\n- |', '- one\n|'],
  ['9. nine|', '9. nine\n10. |'],
  ['> words|', '> words\n> |'],
  ['plain|', 'plain\n|'],
])('a new line after "%s" gives "%s"', (before, after) => {
  const selected = selection(before)
  const edit = newLineEdit(selected)
  expect(show(applyEdit(selected.text, edit), edit.selectFrom, edit.selectTo)).toBe(after)
})

test('an address pasted over selected text makes it a link', () => {
  const selected = selection('read |the guide| first')
  const edit = pasteEdit(' https://parlor.example/g ', selected)
  expect(edit && applyEdit(selected.text, edit)).toBe('read [the guide](https://parlor.example/g) first')
})

test('an address pasted without a selection, or text pasted over text, is pasted as it is', () => {
  expect(pasteEdit('https://parlor.example', selection('a |'))).toBeUndefined()
  expect(pasteEdit('other words', selection('a |b|'))).toBeUndefined()
})
