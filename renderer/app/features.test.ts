import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { MENU_ACTIONS } from '#main/hosts/rules/windows/window-options.ts'
import { pollsFeature } from '../features/polls/feature.ts'
import { type Feature, createRegistry } from '../registry/feature.ts'
import { FEATURES, registry } from './features.ts'

const features: readonly Feature[] = FEATURES
const PARTS = ['dialogs', 'routes', 'panels', 'actions', 'settings'] as const

type Tree = { readonly [key: string]: string | Tree }

const locales = 'resources/locales'

function hasText(language: string, area: string, path: string): boolean {
  let at: string | Tree | undefined = JSON.parse(readFileSync(join(locales, language, `${area}.json`), 'utf8')) as Tree
  for (const name of path.split('.')) at = typeof at === 'object' ? at[name] : undefined
  return typeof at === 'string' && at !== ''
}

/** The texts that the window looks up by the id of what a feature defines. */
const TEXTS: readonly (readonly [area: string, path: string])[] = [
  ...registry.actions.map(({ id }) => ['settings', `keyboard.actions.${id}`] as const),
  ...registry.settings.flatMap(
    ({ name }) =>
      [
        ['settings', `${name}.title`],
        ['settings', `${name}.lead`],
      ] as const,
  ),
  // The other half has the name of its channel.
  ...Object.keys(registry.panels).flatMap((kind) =>
    kind === 'channel' ? [] : [['common', `panels.${kind}`] as const],
  ),
]

test('every folder of features with a feature file is in the list, and nothing else is', () => {
  const folder = 'renderer/features'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|\/)feature\.tsx?$/.test(path),
  )
  const list = readFileSync('renderer/app/features.ts', 'utf8')
  const listed = [...list.matchAll(/from '\.\.\/features\/([^']+)'/g)].map(([, path = '']) => path)
  expect(new Set(listed)).toEqual(new Set(files))
  // And the frame of the window.
  expect(features.length).toBe(files.length + 1)
})

test.each(PARTS)('each of the %s has exactly one owner', (part) => {
  const ids = features.flatMap((feature) => Object.keys(feature[part] ?? {}))
  expect(ids.length).toBeGreaterThan(5)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('the second owner of an id is refused', () => {
  expect(() => createRegistry([...features, { dialogs: { poll: () => null } }])).toThrow('dialogs')
})

test('lists have one order: no two rows, pages or actions share a position', () => {
  for (const list of [registry.sidebar, registry.settings, registry.actions]) {
    const orders = list.map(({ order }) => order)
    expect(orders.length).toBeGreaterThan(3)
    expect(new Set(orders).size).toBe(orders.length)
  }
})

test.each(LANGUAGES)('everything that is registered has its texts in %s', (language) => {
  expect(TEXTS.length).toBeGreaterThan(100)
  expect(TEXTS.filter(([area, path]) => !hasText(language, area, path))).toEqual([])
})

test('every action in the locale files is registered', () => {
  const texts = JSON.parse(readFileSync(join(locales, 'en/settings.json'), 'utf8')) as {
    readonly keyboard: { readonly actions: Tree }
  }
  const ids = new Set<string>(registry.actions.map(({ id }) => id))
  expect(Object.keys(texts.keyboard.actions).filter((id) => !ids.has(id))).toEqual([])
})

test('every locale file belongs to exactly one feature', () => {
  const areas = readdirSync(join(locales, 'en')).map((name) => name.replace('.json', ''))
  expect(features.flatMap(({ localeAreas = [] }) => localeAreas).toSorted()).toEqual(areas.toSorted())
})

test('an action that a window of one channel hands over is one that opens its view', () => {
  const handed = Object.entries(registry.routes).flatMap(([view, { action }]) =>
    action === undefined ? [] : [{ view, action }],
  )
  expect(handed.length).toBeGreaterThan(4)
  for (const { view, action } of handed) {
    const opened: unknown[] = []
    const run = registry.actions.find(({ id }) => id === action)?.run
    run?.({ dispatch: (what: unknown) => void opened.push(what) } as unknown as Parameters<NonNullable<typeof run>>[0])
    expect(opened).toMatchObject([{ payload: { view } }])
  }
})

test('every item of the native menus is an action that can be run', () => {
  const inMenu = Object.values(MENU_ACTIONS).flat(2)
  const ids = new Set<string>(registry.actions.flatMap(({ id, run }) => (run === undefined ? [] : [id])))
  expect(inMenu.length).toBeGreaterThan(10)
  expect(inMenu.filter((id) => !ids.has(id))).toEqual([])
})

test('outside the features, only the list of features names polls, as the guide for a new feature says', () => {
  const files = readdirSync('renderer', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/^features\/|\.test\.tsx?$/.test(path))
    .map((path) => join('renderer', path))
  expect(files.length).toBeGreaterThan(100)
  const naming = files.filter((path) => /features\/polls\//.test(readFileSync(path, 'utf8')))
  expect(naming).toEqual(['renderer/app/features.ts'])
  const kinds = [...Object.keys(pollsFeature.dialogs ?? {}), ...Object.keys(pollsFeature.actions ?? {})]
  const frame = files.filter((path) => /^renderer\/(app|registry)\//.test(path))
  expect(frame.filter((path) => kinds.some((kind) => readFileSync(path, 'utf8').includes(`'${kind}'`)))).toEqual([])
  const guide = readFileSync('docs/adding-a-feature.md', 'utf8')
  const named = [...guide.matchAll(/`(renderer\/[\w./-]+\.tsx?)`/g)].map(([, path = '']) => path)
  const outside = named.filter((path) => !path.startsWith('renderer/features/polls/') && !path.endsWith('.test.ts'))
  expect(new Set(outside)).toEqual(new Set(naming))
})
