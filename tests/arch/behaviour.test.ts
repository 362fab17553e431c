import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { WIRE_CODES } from '#shared/wire/errors.ts'
import {
  ERROR_TEXTS,
  FINAL,
  NOTICE_TEXTS,
  NUMBERS,
  RETRYABLE,
  RULES,
  VALIDATION_TEXTS,
  type Shown,
  type TextRow,
} from './behaviour.ts'
import { isTest, readSource, readTest, root, sourceFiles } from './modules.ts'

/** Every text, number and code that the contract fixes, each with its agreed value and the test that shows it. */
type Tree = { readonly [key: string]: string | Tree }

function localeText(language: string, [area, key]: readonly [string, string]): string | undefined {
  const texts = JSON.parse(readFileSync(join(root, 'resources/locales', language, `${area}.json`), 'utf8')) as Tree
  // Codes contain no dots, other keys are paths.
  const found =
    texts[key] ??
    key
      .split('.')
      .reduce<string | Tree | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), texts)
  return typeof found === 'string' ? found : undefined
}

/** How many tests have a name that begins with each id. */
const shownBy = new Map<string, number>()
for (const path of sourceFiles().filter((each) => isTest(each) && each.includes('.test.'))) {
  const source = readSource(path)
  if (!/[(`'"]AGR-\d/.test(source)) continue
  const ids = readTest(path, source).titles.flatMap(
    (title) => /^(?:[A-Z]+-\d+ )+/.exec(title)?.[0].trim().split(' ') ?? [],
  )
  for (const id of ids.filter((each) => each.startsWith('AGR-'))) shownBy.set(id, (shownBy.get(id) ?? 0) + 1)
}

/** A text that is only in a title would prove nothing. */
function lacks(shown: Shown): string[] {
  if (typeof shown === 'string') return shownBy.get(shown) === 1 ? [] : [`no test is named ${shown}`]
  const [file, text] = shown
  return isTest(file) && readTest(file).texts.some((each) => each.includes(text)) ? [] : [`${file} has no ${text}`]
}

const TEXTS = [...VALIDATION_TEXTS, ...NOTICE_TEXTS, ...ERROR_TEXTS]

/** The faults of one text. */
function faultsOf({ text, at, value, shown }: TextRow): string[] {
  const [english, ...others] = LANGUAGES.map((language) => at && localeText(language, at))
  const translated = others.every((other) => other !== undefined && other !== '' && other !== text)
  return [
    ...(at === undefined && value === undefined ? ['the row names no place'] : []),
    ...(value === undefined || value === text ? [] : [`the code says ${value}`]),
    ...(at === undefined || english === text ? [] : [`the English text is ${english}`]),
    ...(at === undefined || translated ? [] : ['it is not in Polish and Russian']),
    ...lacks(shown),
  ]
}

test.each(TEXTS)('$text', (row) => expect(faultsOf(row)).toEqual([]))

test('the notices have the types and severities of the contract, and no other notice uses one', () => {
  const notified = Object.values(NOTICES).map(({ code, type, severity }) => ({ code, type, severity }))
  const wanted = NOTICE_TEXTS.map(({ at, type, severity }) => ({ code: at?.[1], type, severity }))
  // The vote limit is a notice of docs/wire.md 7.12.
  expect(notified.filter(({ code }) => code !== 'poll/vote-limit')).toEqual(expect.arrayContaining(wanted))
  expect(notified).toHaveLength(wanted.length + 1)
})

describe('numbers of the contract', () => {
  const product = sourceFiles()
    .filter((path) => /^(main|renderer|shared)\//.test(path) && !isTest(path) && path !== 'shared/constants.ts')
    .map(readSource)

  test.each(NUMBERS)('$id $item', ({ is, value, names = [], id }) => {
    expect(value).toEqual(is)
    // A constant that nothing uses promises nothing.
    const unused = names.filter((name) => !product.some((source) => new RegExp(`\\b${name}\\b`).test(source)))
    expect(unused).toEqual([])
    expect(shownBy.get(id)).toBe(1)
  })

  test('every constant that names the contract is in the table', () => {
    const blocks = readSource('shared/constants.ts')
      .split('/**')
      .filter((block) => block.includes('docs/wire.md, appendix B'))
    const named = blocks.flatMap((block) => [...block.matchAll(/export const (\w+)/g)].map((match) => match[1]))
    const known = new Set<string | undefined>(NUMBERS.flatMap((row) => row.names ?? []))
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})

test('the numeric codes are those of the contract', () => {
  const rows: readonly { readonly code: number; readonly retryable: boolean }[] = Object.values(WIRE_CODES)
  const codes = (retryable: boolean) =>
    rows.flatMap((row) => (row.retryable === retryable ? [row.code] : [])).toSorted((a, b) => a - b)
  expect(codes(true)).toEqual(RETRYABLE)
  expect(codes(false).filter((code) => code !== 5)).toEqual(FINAL)
})

test.each(RULES)('%s: %s', (_rule, id) => expect(shownBy.get(id)).toBe(1))

test('the name of a test begins with no unknown id, and no two rows have the same', () => {
  const ofTexts = TEXTS.flatMap(({ shown }) => (typeof shown === 'string' ? [shown] : []))
  const ids = [...NUMBERS.map(({ id }) => id), ...RULES.map(([, id]) => id), ...ofTexts]
  expect(new Set(ids).size).toBe(ids.length)
  expect([...shownBy.keys()].filter((id) => !ids.includes(id))).toEqual([])
})
