import { isBlank } from '#shared/lib/clean-text.ts'
import { MAX_POLL_OPTIONS, MAX_POLL_VOTES, MIN_POLL_VOTES } from '#shared/constants.ts'
import type { PollDefinition, PollForm, PollFormOption } from '#shared/domain/poll.ts'

export type PollProblem =
  | 'questionRequired'
  | 'numbersOnly'
  | 'votesRange'
  | 'optionExists'
  | 'optionEmpty'
  | 'optionMissing'

/** Validation errors: per field, and per option by its id. */
export type PollProblems = {
  readonly name?: PollProblem
  readonly maxVotes?: PollProblem
  readonly options: ReadonlyMap<number, PollProblem>
  /** Options that a later one repeats: highlighted with it, but valid. */
  readonly repeated: ReadonlySet<number>
  /** Number of fields with an error. */
  readonly count: number
}

/** Fields that lost focus, or all of them after an attempt to send: only then is an empty field an error. */
type Left = {
  readonly all?: boolean
  readonly name?: boolean
  readonly maxVotes?: boolean
  readonly options?: ReadonlySet<number>
}

/** Source of this and the rules below: docs/wire.md 7.12 "Poll composer". */
export const EMPTY_POLL_FORM: PollForm = {
  name: '',
  description: '',
  options: [{ id: 0, text: '' }],
  enforceUniqueVote: true,
  maxVotes: '',
  anonymous: false,
  allowSuggestions: false,
  allowAnswers: false,
}

const nextId = (options: readonly PollFormOption[]): number => Math.max(-1, ...options.map(({ id }) => id)) + 1

/** With an empty option at the end, unless there are a hundred. */
function withRoom(options: readonly PollFormOption[]): readonly PollFormOption[] {
  const last = options.at(-1)
  if (last !== undefined && (isBlank(last.text) || options.length >= MAX_POLL_OPTIONS)) return options
  return [...options, { id: nextId(options), text: '' }]
}

const withOptions = (form: PollForm, options: readonly PollFormOption[]): PollForm => ({
  ...form,
  options: withRoom(options),
})

export const withOptionText = (form: PollForm, id: number, text: string): PollForm =>
  withOptions(
    form,
    form.options.map((option) => (option.id === id ? { id, text } : option)),
  )

export const withoutOption = (form: PollForm, id: number): PollForm =>
  withOptions(
    form,
    form.options.filter((option) => option.id !== id),
  )

/** `to` is an index in the list without the moved option; the empty one stays last. Texts are trimmed. */
export function withOptionMoved(form: PollForm, id: number, to: number): PollForm {
  const moved = form.options.find((option) => option.id === id)
  const written = form.options.slice(0, writtenCount(form))
  if (moved === undefined || !written.includes(moved)) return form
  const others = written.filter((option) => option !== moved)
  const at = Math.min(Math.max(0, to), others.length)
  const options = [...others.slice(0, at), moved, ...others.slice(at)]
  return withOptions(form, [
    ...options.map((option) => ({ ...option, text: option.text.trim() })),
    ...form.options.slice(written.length),
  ])
}

/**
 * Inserts the lines of a pasted list in place of an option; bullets are removed. `leftOut` counts lines beyond the
 * maximum.
 */
export function withPastedOptions(
  form: PollForm,
  id: number,
  pasted: string,
): { readonly form: PollForm; readonly leftOut: number } {
  const lines = pasted
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]|\d+[.)]|\[[ x]?\])\s+/i, '').trim())
    .filter((line) => line !== '')
  const at = form.options.findIndex((option) => option.id === id)
  const [before, here, after] = [form.options.slice(0, at), form.options[at], form.options.slice(at + 1)]
  const rest = after.filter(({ text }, index) => !(isBlank(text) && index === after.length - 1))
  const first = nextId(form.options)
  const current = here === undefined || isBlank(here.text) ? [] : [here]
  const room = Math.max(0, MAX_POLL_OPTIONS - before.length - current.length - rest.length)
  const added = lines.slice(0, room).map((text, index) => ({ id: first + index, text }))
  return { form: withOptions(form, [...before, ...current, ...added, ...rest]), leftOut: lines.length - added.length }
}

/** A unique vote has no maximum number of votes. */
export const withUniqueVote = (form: PollForm, on: boolean): PollForm => ({
  ...form,
  enforceUniqueVote: on,
  maxVotes: '',
})

/** Number of options except the empty one at the end. */
export function writtenCount({ options }: Pick<PollForm, 'options'>): number {
  const last = options.at(-1)
  return last !== undefined && isBlank(last.text) ? options.length - 1 : options.length
}

/** The errors of the form, as far as the user has filled it in. */
export function problemsOf(form: PollForm, left: Left): PollProblems {
  const name = isBlank(form.name) && (left.all || left.name) ? 'questionRequired' : undefined
  const maxVotes = form.enforceUniqueVote ? undefined : votesProblem(form.maxVotes, Boolean(left.all || left.maxVotes))
  const options = optionProblems(form, left)
  return {
    ...(name === undefined ? {} : { name }),
    maxVotes,
    options,
    repeated: repeatedIn(form),
    count: options.size + (name === undefined ? 0 : 1) + (maxVotes === undefined ? 0 : 1),
  }
}

/** A single digit may be the first of two, so it is validated when the field loses focus. */
function votesProblem(typed: string, isLeft: boolean): PollProblem | undefined {
  const digits = latinDigits(typed.trim())
  if (digits === '') return undefined
  if (!/^\d+$/.test(digits)) return 'numbersOnly'
  if (digits.length === 1 && !isLeft) return undefined
  const votes = Number(digits)
  return votes >= MIN_POLL_VOTES && votes <= MAX_POLL_VOTES ? undefined : 'votesRange'
}

/** The later one of two equal texts is marked, ignoring case and spaces. */
function optionProblems({ options }: PollForm, left: Left): ReadonlyMap<number, PollProblem> {
  const problems = new Map<number, PollProblem>()
  const seen = new Set<string>()
  for (const [index, { id, text }] of options.entries()) {
    const same = sameOption(text)
    const isLast = index === options.length - 1
    if (same === '' && !isLast && (left.all || left.options?.has(id))) problems.set(id, 'optionEmpty')
    else if (same !== '' && seen.has(same)) problems.set(id, 'optionExists')
    if (same !== '') seen.add(same)
  }
  const first = options[0]
  if (first !== undefined && seen.size === 0 && problems.size === 0 && left.all) problems.set(first.id, 'optionMissing')
  return problems
}

function repeatedIn({ options }: PollForm): ReadonlySet<number> {
  const first = new Map<string, number>()
  const repeated = new Set<number>()
  for (const { id, text } of options) {
    const same = sameOption(text)
    const before = first.get(same)
    if (before === undefined) first.set(same, id)
    else if (same !== '') repeated.add(before)
  }
  return repeated
}

/** Equal for options that differ only in case and spaces. */
export const sameOption = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** The zero of scripts with their own digits; wide and styled digits are normalized first. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6]

/** `１２` and `١٢` are 12. */
const latinDigits = (typed: string): string =>
  typed.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((first) => code >= first && code <= first + 9)
    return zero === undefined ? digit : String(code - zero)
  })

/**
 * The poll to create; nothing while the form has errors. Empty options are left out.
 *
 * @param closesAt the time in `closes`; absent without one
 */
export function pollOf(form: PollForm, closesAt?: number): PollDefinition | undefined {
  if (problemsOf(form, { all: true }).count > 0) return undefined
  const { name, description, options, maxVotes, closes: _fields, ...rules } = form
  const votes = latinDigits(maxVotes.trim())
  return {
    ...rules,
    name: name.trim(),
    description: description.trim(),
    options: options.map(({ text }) => text.trim()).filter((text) => text !== ''),
    maxVotes: votes === '' || form.enforceUniqueVote ? undefined : Number(votes),
    closesAt,
  }
}

/** The form of a poll that was withdrawn, for editing; without the closing time. */
export const formOf = ({ options, maxVotes, closesAt: _moment, ...rest }: PollDefinition): PollForm => ({
  ...EMPTY_POLL_FORM,
  ...rest,
  maxVotes: maxVotes === undefined ? '' : String(maxVotes),
  options: withRoom(options.map((text, id) => ({ id, text }))),
})

/** Nothing was entered yet: closing the form loses nothing. */
export const isUntouched = ({ name, description, options }: PollForm): boolean =>
  isBlank(name) && isBlank(description) && options.every(({ text }) => isBlank(text))
