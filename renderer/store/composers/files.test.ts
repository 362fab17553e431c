import { expect, test, vi } from 'vitest'
import { ComposerFiles } from './files.ts'

const file = (name: string): File => new File([name], name)

test('files for a composer that is not there yet wait for it, and are handed over once', () => {
  const [a, b, c] = [file('a'), file('b'), file('c')]
  const taken: (readonly File[])[] = []
  const files = new ComposerFiles()
  files.hand('release', [a])
  files.hand('release', [b])
  const leave = files.receive('release', (some) => void taken.push(some))
  files.hand('release', [c])
  leave()
  files.receive('release', (some) => void taken.push(some))()
  expect(taken).toEqual([[a, b], [c]])
})

test('a composer that is replaced takes nothing from its successor when it is removed', () => {
  const taken: (readonly File[])[] = []
  const files = new ComposerFiles()
  const leave = files.receive('release', () => undefined)
  const leaveNext = files.receive('release', (some) => void taken.push(some))
  leave()
  files.hand('release', [file('a')])
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
