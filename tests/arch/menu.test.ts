import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MENU_ACTIONS } from '#main/hosts/rules/windows/menu.ts'
import settings from '../../resources/locales/en/settings.json' with { type: 'json' }
import { root } from './modules.ts'

/** Ids of the registry's actions that a menu can run; read, not loaded: they bring the whole window along. */
function runnable(): ReadonlySet<string> {
  const source = readFileSync(join(root, 'renderer/app/actions/actions.ts'), 'utf8')
  return new Set([...source.matchAll(/\{\s*id: '(\w+)',[^{}]*?run[:,]/g)].map(([, id = '']) => id))
}

test('every item of the menu bar is an action of the registry that can be run, under its name', () => {
  const inMenu = Object.values(MENU_ACTIONS).flat(2)
  const ids = runnable()
  const names: Readonly<Record<string, string>> = settings.keyboard.actions
  expect(inMenu.length).toBeGreaterThan(10)
  expect(inMenu.filter((id) => !ids.has(id) || names[id] === undefined)).toEqual([])
})
