import { expect, test, vi } from 'vitest'
import type { Dropped } from '../../lib/files/dropped-files.ts'
import { ComposerFiles } from './files.ts'

const file = (name: string): File => new File([name], name)
const dropped = (...files: readonly File[]): Dropped => ({ files, folders: [], refused: [] })

test('files for a composer that is not there yet wait for it, and are handed over once', () => {
  const [a, b, c] = [file('a'), file('b'), file('c')]
  const taken: Dropped[] = []
  const files = new ComposerFiles()
  const folder = { name: 'trip', files: [], bytes: 0, hidden: 0 }
  const refused = [{ name: 'empty', large: false }]
  files.hand('release', dropped(a))
  files.hand('release', { files: [b], folders: [folder], refused })
  const leave = files.receive('release', (some) => void taken.push(some))
  files.hand('release', dropped(c))
  leave()
  files.receive('release', (some) => void taken.push(some))()
  expect(taken).toEqual([{ files: [a, b], folders: [folder], refused }, dropped(c)])
})

test('a composer that is replaced takes nothing from its successor when it is removed', () => {
  const taken: Dropped[] = []
  const files = new ComposerFiles()
  const leave = files.receive('release', () => undefined)
  const leaveNext = files.receive('release', (some) => void taken.push(some))
  leave()
  files.hand('release', dropped(file('a')))
  leaveNext()
  expect(taken).toHaveLength(1)
})

test('files that did not fit are stored for the next message, and each change is reported', () => {
  const changed = vi.fn<() => void>()
  const files = new ComposerFiles()
  const stop = files.watchLeftOver(changed)
  const some = [file('a')]
  files.setLeftOver('release', [])
  expect(changed).not.toHaveBeenCalled()
  files.setLeftOver('release', some)
  expect(files.leftOver('release')).toBe(some)
  files.setLeftOver('release', [])
  expect(files.leftOver('release')).toBe(files.leftOver('general'))
  stop()
  files.setLeftOver('general', some)
  files.setLeftOver('general', [])
  expect(changed).toHaveBeenCalledTimes(2)
})
