import { expect, test } from 'vitest'
import { isEntryPath } from './calls/workspace.ts'

test.each(['a.json', 'chats/chat_1/photos/a b.jpg', 'Cairn - general [1].json', '日本.json'])(
  '%s stays inside',
  (path) => {
    expect(isEntryPath(path)).toBe(true)
  },
)

test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', './a', 'C:/a', 'a\\b', 'a\u0000', 'a/'.repeat(13) + 'b'])(
  '%j may lead elsewhere',
  (path) => {
    expect(isEntryPath(path)).toBe(false)
  },
)
