import { expect, test } from 'vitest'
import type { PollForm } from '#shared/domain/poll.ts'
import {
  EMPTY_POLL_FORM,
  pollOf,
  problemsOf,
  withOptionMoved,
  withOptionText,
  withoutOption,
  withPastedOptions,
  withUniqueVote,
  writtenCount,
} from './poll-form.ts'

const formOf = (texts: readonly string[], over: Partial<PollForm> = {}): PollForm => ({
  ...withPastedOptions(EMPTY_POLL_FORM, 0, texts.join('\n')).form,
  name: 'Where?',
  ...over,
})
const textsOf = (form: PollForm): readonly string[] => form.options.map(({ text }) => text)
const idAt = (form: PollForm, index: number): number => form.options.at(index)?.id ?? -1
const optionsAt = (form: PollForm, left = {}) => [...problemsOf(form, left).options.values()]
const votes = (maxVotes: string, left = false) =>
  problemsOf(formOf(['a'], { enforceUniqueVote: false, maxVotes }), { maxVotes: left }).maxVotes

test('AGR-38 a new empty option is appended as soon as the last one has text', () => {
  const one = withOptionText(EMPTY_POLL_FORM, 0, 'Here')
  expect(textsOf(one)).toEqual(['Here', ''])
  expect(textsOf(withOptionText(one, 1, 'There'))).toEqual(['Here', 'There', ''])
  expect(writtenCount(one)).toBe(1)
})

test('AGR-08 at most 100 options: the hundredth is the last, and omitted lines are counted', () => {
  const lines = Array.from({ length: 103 }, (_, index) => `Option ${index}`).join('\n')
  const { form, leftOut } = withPastedOptions(EMPTY_POLL_FORM, 0, lines)
  expect(form.options.length).toBe(100)
  expect(leftOut).toBe(3)
  expect(form.options.at(-1)?.text).toBe('Option 99')
  expect(withOptionText(form, idAt(form, 99), 'Last').options).toHaveLength(100)
})

test('a pasted list loses its bullets and blank lines and is inserted at the caret', () => {
  const { form } = withPastedOptions(EMPTY_POLL_FORM, 0, '- Tatry\n\n2. Ałmaty\r\n* [x] Sächsische Schweiz')
  expect(textsOf(form)).toEqual(['Tatry', 'Ałmaty', '[x] Sächsische Schweiz', ''])
  const before = formOf(['a', 'b'])
  expect(textsOf(withPastedOptions(before, idAt(before, 0), 'x\ny').form)).toEqual(['a', 'x', 'y', 'b', ''])
})

test('a question is required after its field lost focus', () => {
  const form = formOf(['a'], { name: '  ' })
  expect(problemsOf(form, {}).name).toBeUndefined()
  expect(problemsOf(form, { name: true }).name).toBe('questionRequired')
})

test('the later of two equal options is marked, ignoring case and spaces', () => {
  const form = formOf(['Dolina Kościeliska', 'Almaty', ' dolina   KOŚCIELISKA'])
  expect([...problemsOf(form, {}).options]).toEqual([[idAt(form, 2), 'optionExists']])
})

test('an empty option before others is an error after it lost focus; the last one never is', () => {
  const three = formOf(['a', 'b', 'c'])
  const form = withOptionText(three, idAt(three, 1), '')
  expect(optionsAt(form)).toEqual([])
  expect(optionsAt(form, { options: new Set([idAt(form, 1)]) })).toEqual(['optionEmpty'])
  expect(optionsAt(formOf(['a']), { all: true })).toEqual([])
})

test('AGR-39 at least one option must have text', () => {
  expect(optionsAt({ ...EMPTY_POLL_FORM, name: 'Where?' }, { all: true })).toEqual(['optionMissing'])
})

test('AGR-07 votes are numbers from 2 to 10; a single digit is validated when the field loses focus', () => {
  expect(['', '1', '2', '10', '11', '12', 'x', '2x', '0'].map((typed) => votes(typed))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'votesRange',
    'votesRange',
    'numbersOnly',
    'numbersOnly',
    undefined,
  ])
  expect(['1', '2', '9', '10', '0'].map((typed) => votes(typed, true))).toEqual([
    'votesRange',
    undefined,
    undefined,
    undefined,
    'votesRange',
  ])
})

test('digits of other scripts are accepted', () => {
  const form = formOf(['a'], { enforceUniqueVote: false, maxVotes: '１０' })
  expect(pollOf(form)?.maxVotes).toBe(10)
  expect(pollOf({ ...form, maxVotes: '٣' })?.maxVotes).toBe(3)
})

test('AGR-40 a unique vote clears the number and its error', () => {
  const form = withUniqueVote(formOf(['a'], { enforceUniqueVote: false, maxVotes: '12' }), true)
  expect(form.maxVotes).toBe('')
  expect(problemsOf(form, { all: true }).count).toBe(0)
})

test('an option is moved among the others and trimmed; the empty one stays last', () => {
  const form = formOf(['a', 'b', 'c'])
  const id = idAt(form, 0)
  expect(textsOf(withOptionMoved(form, id, 1))).toEqual(['b', 'a', 'c', ''])
  expect(textsOf(withOptionMoved(form, id, 9))).toEqual(['b', 'c', 'a', ''])
  expect(withOptionMoved(form, idAt(form, 3), 0)).toBe(form)
})

test('a removed option makes room for another one', () => {
  const form = formOf(Array.from({ length: 100 }, (_, index) => `${index}`))
  expect(textsOf(withoutOption(form, idAt(form, 0))).at(-1)).toBe('')
})

test('the poll is sent without empty options, with the maximum as a number', () => {
  const form = formOf([' a ', 'b'], { name: ' Where? ', enforceUniqueVote: false, maxVotes: '2', anonymous: true })
  expect(pollOf(form)).toEqual({
    name: 'Where?',
    description: '',
    options: ['a', 'b'],
    enforceUniqueVote: false,
    maxVotes: 2,
    anonymous: true,
    allowSuggestions: false,
    allowAnswers: false,
  })
  expect(pollOf({ ...form, maxVotes: '1' })).toBeUndefined()
})
