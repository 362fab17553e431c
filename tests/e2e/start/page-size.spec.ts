import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { shortNames, styleModules } from '../../../.ci/page-files.ts'
import { startBytes } from '../../bench/bundle.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A little above what they are. A change that needs more says why, in docs/performance.md. */
const SCRIPT_BYTES = 224_800
const STYLES_BYTES = 20_400

test('the page loads no more before its first paint than it may', () => {
  const { script, styles } = startBytes()
  expect(script).toBeLessThanOrEqual(SCRIPT_BYTES)
  expect(styles).toBeLessThanOrEqual(STYLES_BYTES)
})

test('what the page loads before its first paint is plain scripts, and the early one waits for nothing', () => {
  const page = readFileSync(join(root, 'out/renderer/index.html'), 'utf8')
  expect(
    [...page.matchAll(/<script ([^>]*)src="\.\/assets\/([\w-]+)-[\w-]{8}\.js"/g)].map((tag) => tag.slice(1)),
  ).toEqual([
    ['defer ', 'rolldown-runtime'],
    ['defer ', 'react'],
    ['defer ', 'start'],
    ['defer ', 'index'],
    ['', 'early'],
  ])
  expect(page).not.toContain('modulepreload')
  // A script waits for the styles before it, and the page stops at it: the rest is on its way.
  expect(page.indexOf('assets/early-')).toBeLessThan(page.indexOf('rel="stylesheet"'))
})

test('every class of every style module is in the built styles', () => {
  const renderer = join(root, 'renderer')
  const nameOf = shortNames(renderer)
  const assets = join(root, 'out/renderer/assets')
  const built = readdirSync(assets)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n')
  const there = new Set([...built.matchAll(/\.([a-zA-Z][\w-]*)/g)].map((match) => match[1]))
  const lost = styleModules(renderer).flatMap((file) => {
    const css = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, '')
    // The selectors of rules with more in them than what they compose.
    const selectors = [...css.matchAll(/([^{}]+)\{(?!\s*(?:composes:[^;}]*;\s*)*\})/g)].map((match) => match[1] ?? '')
    const classes = selectors.flatMap((selector) =>
      [...selector.matchAll(/\.([a-z]\w*)/gi)].map((match) => match[1] ?? ''),
    )
    return classes.filter((name) => !there.has(nameOf(name, file))).map((name) => `${file}: ${name}`)
  })
  expect(lost).toEqual([])
})
