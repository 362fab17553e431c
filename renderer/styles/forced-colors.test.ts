import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const RULE = /^([.\w][^{}]*?) \{([^{}]*)\}/gm
const FORCED = /@media \(forced-colors: active\) \{(.*?)\n\}/gs

/** The class or element that a selector begins with. */
const first = (selector: string): string => selector.split(/[\s:[>]/)[0] ?? ''

test('what floats above a page by its shadow has an edge in forced colors, which draw no shadows', () => {
  const without = globSync('renderer/**/*.module.css').flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    const forced = [...source.matchAll(FORCED)].map(([, inside]) => inside).join('\n')
    return [...source.replaceAll(FORCED, '').matchAll(RULE)]
      .filter(([, , body = '']) => /var\(--e-[234]\)/.test(body))
      .filter(([, selector = '']) => !forced.includes(first(selector)))
      .map(([, selector]) => `${path}: ${selector}`)
  })
  expect(without).toEqual([])
})

/** Places that are still loading, and a shade below what is white anyway; discs of presence keep their colors. */
const DECORATION = /skeleton|shine|\.video::after|\.away|\.busy/

test('what is drawn by a gradient is drawn in another way in forced colors, which draw none', () => {
  const without = globSync('renderer/**/*.css').flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    const forced = [...source.matchAll(FORCED)].map(([, inside]) => inside).join('\n')
    return [...source.replaceAll(FORCED, '').matchAll(/^([.\w][^{}]*?) \{([^{}]*gradient\([^{}]*)\}/gm)]
      .filter(([rule, , body = '']) => !DECORATION.test(rule) && !body.includes('forced-color-adjust: none'))
      .filter(([, selector = '']) => !forced.includes(first(selector)))
      .map(([, selector]) => `${path}: ${selector}`)
  })
  expect(without).toEqual([])
})

/** A state that is also said in another way: by a text, an icon or the edge of what it is a state of. */
const STATE = /:hover|\[aria-|\[data-|\.(?:wrong|described|failed|blocked|changed|away|offline)\b|slot:focus|li::before/

test('an edge that is drawn by a shadow is a border in forced colors, which draw no shadows', () => {
  const without = globSync('renderer/**/*.module.css').flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    const forced = [...source.matchAll(FORCED)].map(([, inside]) => inside).join('\n')
    return [...source.replaceAll(FORCED, '').matchAll(RULE)]
      .filter(
        ([, , body = '']) => /box-shadow:[^;]*inset 0 0 0 [\d.]+px/.test(body) && !/outline:|forced-color/.test(body),
      )
      .filter(([, selector = '']) => !forced.includes(first(selector)))
      .map(([, selector]) => `${path}: ${selector}`)
      .filter((rule) => !STATE.test(rule))
  })
  expect(without).toEqual([])
})
