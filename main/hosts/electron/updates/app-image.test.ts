import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appImageOf, replaceAppImage } from './app-image.ts'

let folder: string
let downloaded: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-app-image-'))
  mkdirSync(join(folder, 'cache'))
  mkdirSync(join(folder, 'programs'))
  downloaded = join(folder, 'cache/parlor-1.1.0.AppImage')
  writeFileSync(downloaded, 'the new version', { mode: 0o600 })
})
afterEach(() => rmSync(folder, { recursive: true }))

function installed(name: string): string {
  const path = join(folder, 'programs', name)
  writeFileSync(path, 'the old version', { mode: 0o755 })
  return path
}

test.each([
  [
    'a file that is named by its version gets the name of the new one',
    'parlor-1.0.0.AppImage',
    'parlor-1.1.0.AppImage',
  ],
  ['a file that the user has named keeps its name', 'Chat', 'Chat'],
])('%s, and can be started', (_title, name, next) => {
  const path = replaceAppImage(installed(name), downloaded)
  expect(path).toBe(join(folder, 'programs', next))
  expect(readdirSync(join(folder, 'programs'))).toEqual([next])
  expect(readFileSync(path, 'utf8')).toBe('the new version')
  expect(statSync(path).mode & 0o777).toBe(0o755)
})

test('if the new one cannot be put in its place, the old one stays as it is, and nothing else', () => {
  const current = installed('parlor-1.0.0.AppImage')
  // Something that a file cannot replace.
  mkdirSync(join(folder, 'programs/parlor-1.1.0.AppImage'))
  expect(() => replaceAppImage(current, downloaded)).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
  expect(readFileSync(current, 'utf8')).toBe('the old version')
  expect(readdirSync(join(folder, 'programs'))).toEqual(['parlor-1.0.0.AppImage', 'parlor-1.1.0.AppImage'])
})

test('a program in the folder of its AppImage knows its file; one that another AppImage started is none', () => {
  const env = { APPIMAGE: '/home/ola/Terminal.AppImage', APPDIR: folder }
  expect(appImageOf(env, join(folder, 'parlor'))).toBe('/home/ola/Terminal.AppImage')
  for (const program of ['/opt/Parlor/parlor', `${folder}-other/parlor`])
    expect(appImageOf(env, program)).toBeUndefined()
  expect(appImageOf({ ...env, APPDIR: '/nowhere' }, '/nowhere/parlor')).toBeUndefined()
  expect(appImageOf({}, '/opt/Parlor/parlor')).toBeUndefined()
})
