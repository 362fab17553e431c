import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './modules.ts'

/** The interface is mirrored for right-to-left languages: style sheets use start and end, never left and right. */
const sheets = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.css'),
)

const PHYSICAL =
  /^\s*((margin|padding|border|scroll-margin|scroll-padding)-(left|right)(-\w+)?|left|right|(text-align|float|clear):\s*(left|right)\b)/
/** `0 12px 0 20px`: four sides of which left and right differ. */
const FOUR =
  /^\s*(?:padding|margin|inset|border-width|border-color|border-style|scroll-margin|scroll-padding):\s*([^;]+);/
const CORNERS = /^\s*border-radius:\s*([^;/]+);/

/** A map has east on the right everywhere, and the middle is the same from both sides. */
const EXCEPT: Readonly<Record<string, RegExp>> = {
  'features/locations/Map.module.css': /^\s*(left: 50%|margin-left: -6px);/,
  'features/viewer/Viewer.module.css': /^\s*left: 50%;/,
}

/** Values of a shorthand; a part in brackets is one value. */
const valuesOf = (text: string): string[] => text.match(/(?:[^\s(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? []

export function isOneSided(line: string): boolean {
  if (PHYSICAL.test(line)) return true
  const [, right, , left, ...more] = valuesOf(FOUR.exec(line)?.[1] ?? '')
  if (left !== undefined && more.length === 0 && left !== right) return true
  const [a, b, c, d] = valuesOf(CORNERS.exec(line)?.[1] ?? '')
  return b !== undefined && (c === undefined ? a !== b : a !== b || c !== (d ?? b))
}

test.each([
  ['  margin-left: 4px;', true],
  ['  left: 0;', true],
  ['  text-align: right;', true],
  ['  padding: 0 12px 0 20px;', true],
  ['  padding: 0 12px 4px;', false],
  ['  padding: 0 calc(1px + 2px) 0 calc(1px + 2px);', false],
  ['  border-radius: 8px 0 0 8px;', true],
  ['  border-radius: 8px 8px 0 0;', false],
  ['  border-radius: 50% 50% 32% 32%;', false],
  ['  inset-inline-start: 0;', false],
  ['  border-inline-end: 1px solid;', false],
])('%s names a side: %s', (line, expected) => {
  expect(isOneSided(line)).toBe(expected)
})

test('no style sheet uses left or right where there is a start and an end', () => {
  const found = sheets.flatMap((path) =>
    readFileSync(join(root, 'renderer', path), 'utf8')
      .split('\n')
      .filter((line) => isOneSided(line) && EXCEPT[path]?.test(line) !== true)
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
  expect(sheets.length).toBeGreaterThan(30)
})
