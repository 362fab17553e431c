import { expect, test } from 'vitest'
import { autostartFile, autostartPath, startCommand } from './argv.ts'

/** Parses the line as a desktop does: first the escapes of the file, then the quotes, then the field codes. */
function readExec(file: string): string[] {
  const line = /^Exec=(.*)$/m.exec(file)?.[1] ?? ''
  const text = line.replaceAll(/\\(.)/g, (_all, escaped: string) => (escaped === 'n' ? '\n' : escaped))
  return [...text.matchAll(/"((?:[^"\\]|\\[^])*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(["`$\\])/g, '$1').replaceAll('%%', '%'),
  )
}

test.each([
  [['/opt/Parlor/parlor', '--hidden']],
  [['/home/ola/My "own" apps/Parlor-0.1.AppImage']],
  [['/tmp/$HOME/`id`/a\\b/100%/%u', '--hidden']],
])('a desktop starts exactly %j', (command) => {
  expect(readExec(autostartFile(command))).toEqual(command)
})

test('no argument of a command becomes a line of the file', () => {
  const file = autostartFile(['/tmp/a\nExec=evil'])
  expect(file.match(/^Exec=/gm)).toHaveLength(1)
  expect(readExec(file)).toEqual(['/tmp/a\nExec=evil'])
})

test('the file is in the autostart folder of the desktop; a relative folder is ignored', () => {
  expect(autostartPath({}, '/home/ola')).toBe('/home/ola/.config/autostart/chat.parlor.desktop.desktop')
  expect(autostartPath({ XDG_CONFIG_HOME: '/cfg' }, '/home/ola')).toBe('/cfg/autostart/chat.parlor.desktop.desktop')
  expect(autostartPath({ XDG_CONFIG_HOME: 'cfg' }, '/home/ola')).toContain('/home/ola/.config/')
})

test('an AppImage is started by its own path, and a bare Electron with the folder of the app', () => {
  const run = { program: '/tmp/.mount_x/parlor', appImage: '/apps/Parlor.AppImage', appFolder: undefined, hidden: true }
  expect(startCommand(run)).toEqual(['/apps/Parlor.AppImage', '--hidden'])
  expect(startCommand({ program: '/dist/electron', appImage: undefined, appFolder: '/work', hidden: false })).toEqual([
    '/dist/electron',
    '/work',
  ])
})
