import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Settings } from '#shared/domain/settings.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { useSettings } from '../../../store/hooks.ts'
import { KeyboardSettings } from './KeyboardSettings.tsx'
import type { ShortcutGroup } from '../../../app/keys/shortcuts.tsx'

afterEach(cleanup)

const FIRST: Readonly<Record<string, readonly string[]>> = { search: ['Mod+Shift+F'], threads: ['Mod+1'], markRead: [] }
const LABELS = { search: 'Search', threads: 'Threads', markRead: 'Mark as read' }

/** Three changeable shortcuts, and a fixed one of the composer. */
function groupsOf(keys: Settings['keys']): readonly ShortcutGroup[] {
  const movable = Object.entries(LABELS).map(([id, label]) => ({
    id,
    label,
    chords: keys[id] ?? FIRST[id] ?? [],
    place: 'window' as const,
    movable: true,
    changed: id in keys,
  }))
  const bold = {
    id: 'bold',
    label: 'Bold',
    place: 'composer' as const,
    chords: ['Mod+B'],
    movable: false,
    changed: false,
  }
  return [
    { id: 'navigation', title: 'Navigation', shortcuts: movable },
    { id: 'composer', title: 'Composer', shortcuts: [bold] },
  ]
}

const Page = () => <KeyboardSettings groups={groupsOf(useSettings().keys)} />

async function show(over: Partial<Settings> = {}) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings(over) },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  bridge.on('settings.update', (changes: Partial<Settings>) => {
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...changes } } })
  })
  await renderInApp(<Page />, bridge)
  const user = userEvent.setup()
  const record = async (action: string): Promise<void> =>
    user.click(screen.getByRole('button', { name: new RegExp(`^Change the shortcut for “${action}”`) }))
  const stored = () => bridge.world.rows.settings?.['self']?.keys
  return { user, record, stored }
}

test('a new shortcut is recorded, saved and shown, and can be restored', async () => {
  const { user, record, stored } = await show()
  await record('Search')
  expect(screen.getByRole('button', { name: 'Press the new shortcut' })).toBe(document.activeElement)
  await user.keyboard('{Control>}j{/Control}')
  await waitFor(() => expect(stored()).toEqual({ search: ['Mod+J'] }))
  const caps = await screen.findByRole('button', { name: 'Change the shortcut for “Search”. Ctrl + J' })
  expect(document.activeElement).toBe(caps)
  await user.click(screen.getByRole('button', { name: 'Reset the shortcut for “Search”' }))
  await waitFor(() => expect(stored()).toEqual({}))
})

test('a shortcut of another action is reported with that action, and can be reassigned', async () => {
  const { user, record, stored } = await show()
  await record('Search')
  await user.keyboard('{Control>}1{/Control}')
  expect((await screen.findByRole('alert')).textContent).toBe('Ctrl + 1 is already used for “Threads”.')
  await user.click(screen.getByRole('button', { name: 'Reassign' }))
  await waitFor(() => expect(stored()).toEqual({ search: ['Mod+1'], threads: [] }))
})

test('fixed shortcuts of the composer and keys that type text are refused with the reason', async () => {
  const { user, record, stored } = await show()
  await record('Mark as read')
  await user.keyboard('{Control>}b{/Control}')
  expect((await screen.findByRole('alert')).textContent).toBe('Ctrl + B is used for “Bold” and can’t be changed.')
  expect(screen.queryByRole('button', { name: 'Reassign' })).toBeNull()
  await user.keyboard('{Alt>}a{/Alt}')
  await screen.findByText('Alt with a letter or digit types characters in many languages.')
  await user.keyboard('x')
  await screen.findByText('Letters, digits, and symbols alone type text. Add Ctrl or Cmd.')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(stored()).toEqual({})
})

test('Backspace removes the shortcut; the action stays in the list', async () => {
  const { user, record, stored } = await show()
  await record('Threads')
  await user.keyboard('{Backspace}')
  await waitFor(() => expect(stored()).toEqual({ threads: [] }))
  const row = screen.getByText('Threads').closest('li')
  expect(within(row ?? document.body).getByText('No shortcut')).toBeTruthy()
})

test('a shortcut is found by its label and by its keys', async () => {
  const { user } = await show()
  const field = screen.getByRole('searchbox', { name: 'Find a shortcut' })
  const labels = () => screen.getAllByRole('listitem').map((row) => row.firstChild?.textContent)
  await user.type(field, 'thr')
  expect(labels()).toEqual(['Threads'])
  await user.clear(field)
  await user.type(field, 'ctrl+b')
  expect(labels()).toEqual(['Bold'])
  await user.clear(field)
  await user.type(field, 'nothing like it')
  expect(screen.getByText('No shortcuts found.')).toBeTruthy()
})
