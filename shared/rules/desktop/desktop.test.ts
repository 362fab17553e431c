import { expect, test } from 'vitest'
import { globalAccelerator, wantsTray, closeBehavior } from './desktop.ts'

test('the tray icon is on by default on Windows only', () => {
  const shown = (tray: 'auto' | 'on' | 'off') =>
    (['windows', 'macos', 'linux'] as const).map((os) => wantsTray({ tray }, os))
  expect(shown('auto')).toEqual([true, false, false])
  expect(shown('on')).toEqual([true, true, true])
  expect(shown('off')).toEqual([false, false, false])
})

test.each([
  ['macos', 'tray', true, 'stay'],
  ['macos', 'quit', false, 'stay'],
  ['windows', 'auto', true, 'ask'],
  ['windows', 'tray', true, 'tray'],
  ['windows', 'quit', true, 'quit'],
  ['linux', 'auto', true, 'quit'],
  ['linux', 'tray', true, 'tray'],
  ['linux', 'tray', false, 'quit'],
  ['windows', 'tray', false, 'quit'],
] as const)('closing on %s with the choice %s and the tray icon visible (%s): %s', (os, closing, trayVisible, does) => {
  expect(closeBehavior({ closing }, os, trayVisible)).toBe(does)
})

test.each([
  ['Mod+Shift+P', 'CommandOrControl+Shift+P'],
  ['Ctrl+Shift+1', 'Control+Shift+1'],
  ['Mod+Alt+ArrowUp', 'CommandOrControl+Alt+Up'],
  ['Mod+F9', 'CommandOrControl+F9'],
])('%s is the global accelerator %s', (chord, accelerator) => {
  expect(globalAccelerator(chord)).toBe(accelerator)
})

test.each(['', 'P', 'F9', 'Mod+C', 'Ctrl+Alt+A', 'Mod+Alt+1', 'Alt+Shift+L', 'Mod+Shift+Escape', 'Mod+Shift+é'])(
  '%j would conflict with other programs or with typing, and is refused',
  (chord) => {
    expect(globalAccelerator(chord)).toBeUndefined()
  },
)
