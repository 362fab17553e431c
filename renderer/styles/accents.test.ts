import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACCENTS } from '#shared/domain/settings.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const tokens = read('tokens.css')
const choices = read('choices.css')

/** The hex colors of one theme, by role. */
function coloursOf(theme: 'light' | 'dark' | 'hc-light' | 'hc-dark'): Map<string, string> {
  const start = tokens.indexOf(`[data-theme="${theme}"] {`)
  const block = tokens.slice(start, tokens.indexOf('\n}', start))
  return new Map([...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]))
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const CASES = ACCENTS.filter((accent) => accent !== 'velvet').flatMap((accent) =>
  (['light', 'dark'] as const).map((theme) => [accent, theme] as const),
)

/** Parts of controls that have to be told from what is around them, and on what they stand. */
const PARTS = {
  '--line-control': ['--surface-sheet', '--surface-overlay', '--surface-app', '--surface-sunken'],
  '--focus-ring': ['--surface-app', '--surface-sheet', '--surface-raised', '--surface-overlay', '--surface-hover'],
  '--progress': ['--surface-sheet', '--surface-sunken'],
  '--presence-online': ['--surface-sheet', '--surface-app', '--surface-raised'],
  '--presence-away': ['--surface-sheet', '--surface-app', '--surface-raised'],
  '--presence-dnd': ['--surface-sheet', '--surface-app', '--surface-raised'],
  '--presence-offline': ['--surface-sheet', '--surface-app', '--surface-raised'],
} as const

test.each(['light', 'dark', 'hc-light', 'hc-dark'] as const)(
  'in the %s theme edges of controls, the focus and presence are three times as light or dark as their surface',
  (theme) => {
    const colours = new Map([
      ...coloursOf(theme === 'hc-dark' || theme === 'dark' ? 'dark' : 'light'),
      ...coloursOf(theme),
    ])
    const pale = Object.entries(PARTS).flatMap(([part, surfaces]) =>
      surfaces
        .filter((surface) => !(contrast(colours.get(part) ?? '', colours.get(surface) ?? '') >= 3))
        .map((surface) => `${part} on ${surface}`),
    )
    expect(pale).toEqual([])
  },
)

test.each(CASES)('%s is readable in the %s theme, on its soft variant and on every surface', (accent, theme) => {
  const colours = coloursOf(theme)
  const hue = new RegExp(String.raw`data-accent='${accent}'\] \{\s*--own: var\((--hue-\d)\)`).exec(choices)?.[1] ?? ''
  const on = new RegExp(String.raw`data-theme='${theme}'\] \{\s*--own-on: (#[0-9a-f]{6})`).exec(choices)?.[1] ?? ''
  const own = colours.get(hue) ?? ''
  const surfaces = ['--surface-app', '--surface-sheet', '--surface-raised', '--surface-overlay', '--surface-hover']
  const under = [`${hue}-soft`, ...surfaces].map((name) => colours.get(name) ?? '')
  expect([own, on, ...under].filter((hex) => !/^#[0-9a-f]{6}$/.test(hex))).toEqual([])
  expect(contrast(on, own)).toBeGreaterThanOrEqual(4.5)
  expect(Math.min(...under.map((surface) => contrast(own, surface)))).toBeGreaterThanOrEqual(4.5)
})
