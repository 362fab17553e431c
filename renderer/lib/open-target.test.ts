import { expect, test } from 'vitest'
import { CONVERSATION_TYPE, draggedConversation, openTargetOf } from './open-target.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, button: 0 }

test('a press opens here; with Ctrl, on macOS Command, or the middle button a new window; with Alt the other half', () => {
  expect(openTargetOf(plain, 'linux')).toBe('here')
  expect(openTargetOf({ ...plain, ctrlKey: true }, 'windows')).toBe('window')
  expect(openTargetOf({ ...plain, metaKey: true }, 'macos')).toBe('window')
  expect(openTargetOf({ ...plain, button: 1 }, 'macos')).toBe('window')
  expect(openTargetOf({ ...plain, altKey: true }, 'linux')).toBe('beside')
})

test('other modifiers change nothing: Ctrl on macOS is a right click, Shift selects', () => {
  expect(openTargetOf({ ...plain, ctrlKey: true }, 'macos')).toBe('here')
  expect(openTargetOf({ ...plain, metaKey: true }, 'windows')).toBe('here')
  expect(openTargetOf({ ...plain, ctrlKey: true, shiftKey: true }, 'linux')).toBe('here')
  expect(openTargetOf({ ...plain, ctrlKey: true, altKey: true }, 'linux')).toBe('here')
})

test('a drop tells which conversation was dragged, if it was one', () => {
  const data = new DataTransfer()
  expect(draggedConversation(data)).toBeUndefined()
  data.setData(CONVERSATION_TYPE, 'messaging:release')
  expect(draggedConversation(data)).toBe('messaging:release')
})
