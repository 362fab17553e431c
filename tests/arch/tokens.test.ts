import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './modules.ts'

const files = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
const textOf = (path: string): string => readFileSync(join(root, 'renderer', path), 'utf8')
const styles = files.filter((path) => path.endsWith('.css'))
const components = files.filter((path) => path.endsWith('.tsx') || path.endsWith('.ts'))

/** Set in a style sheet, or measured and set by a component: `style={{ '--hue': … }}`. */
const defined = new Set([
  ...styles.flatMap((path) => [...textOf(path).matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1])),
  ...components.flatMap((path) => [...textOf(path).matchAll(/['"](--[\w-]+)['"]/g)].map((match) => match[1])),
])

test('every custom property that a style sheet uses is defined somewhere', () => {
  const unknown = styles.flatMap((path) =>
    [...textOf(path).matchAll(/var\((--[\w-]+)/g)]
      .filter((match) => !defined.has(match[1]))
      .map((match) => `${path}: ${match[1]}`),
  )
  expect(unknown).toEqual([])
  expect(defined.size).toBeGreaterThan(100)
})

const MODULE = /^import (\w+) from '([^']+\.module\.css)'/gm

/** Classes that a component takes from a style sheet that does not have them: it is drawn without them. */
function missingClasses(path: string): string[] {
  const text = textOf(path)
  return [...text.matchAll(MODULE)].flatMap(([, name = '', from = '']) => {
    const sheet = textOf(join(dirname(path), from))
    const used = [...text.matchAll(new RegExp(String.raw`\b${name}\['([^']+)'\]`, 'g'))].map(([, each = '']) => each)
    return used
      .filter((each) => !new RegExp(String.raw`\.${each}(?![\w-])`).test(sheet))
      .map((each) => `${path}: ${each}`)
  })
}

test('every class that a component names is in its style sheet', () => {
  expect(components.flatMap(missingClasses)).toEqual([])
  expect(components.filter((path) => textOf(path).includes('.module.css')).length).toBeGreaterThan(100)
})

/** A sibling that may be anything: whenever an element is inserted, Chromium restyles all that follows it. */
const ANY_SIBLING = /[+~] *[*:][^{]*/g

test('no style sheet names just any element after another', () => {
  const found = styles.flatMap((path) => [...textOf(path).matchAll(ANY_SIBLING)].map(([each]) => `${path}: ${each}`))
  expect(found).toEqual([])
  expect('.text > * + * {'.match(ANY_SIBLING)).not.toBeNull()
})

/** A selector that asks the whole page for something in it: whenever an element is inserted, Chromium asks again. */
const WHOLE_PAGE = /(?:^|[\s(,])(?::root|html|body):has\([^{]*/g

test('no style sheet asks the whole page what is in it', () => {
  const found = styles.flatMap((path) => [...textOf(path).matchAll(WHOLE_PAGE)].map(([each]) => `${path}: ${each}`))
  expect(found).toEqual([])
  expect('.region:where(:root:has([data-list]) *) {'.match(WHOLE_PAGE)).not.toBeNull()
})
