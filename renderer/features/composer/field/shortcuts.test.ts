import { expect, test } from 'vitest'
import { actionOf, isInsideFence, type Chord } from './shortcuts.ts'

const press = (keys: string, key: string, code = ''): Chord => ({
  key,
  code,
  ctrlKey: keys.includes('Ctrl'),
  metaKey: keys.includes('Cmd'),
  shiftKey: keys.includes('Shift'),
  altKey: keys.includes('Alt'),
})
const pc = { enterSends: true, mac: false }

test('Enter sends and Shift Enter inserts a line break; with the setting swapped Ctrl Enter sends', () => {
  const swapped = { enterSends: false, mac: false }
  expect(actionOf(press('', 'Enter'), pc)?.kind).toBe('send')
  expect(actionOf(press('Shift', 'Enter'), pc)?.kind).toBe('newLine')
  expect(actionOf(press('Ctrl', 'Enter'), pc)?.kind).toBe('send')
  expect(actionOf(press('', 'Enter'), swapped)?.kind).toBe('newLine')
  expect(actionOf(press('Ctrl', 'Enter'), swapped)?.kind).toBe('send')
})

test('shortcuts on a Russian layout go by the position of the key', () => {
  expect(actionOf(press('Ctrl', 'и', 'KeyB'), pc)).toEqual({ kind: 'format', format: 'bold' })
})

test('digits with Shift go by the position of the key', () => {
  expect(actionOf(press('Ctrl Shift', '(', 'Digit9'), pc)).toEqual({ kind: 'format', format: 'quote' })
})

test('AltGr types letters and triggers no shortcut', () => {
  expect(actionOf(press('Ctrl Alt', 'ę', 'KeyE'), pc)).toBeUndefined()
})

test('on macOS Command is the modifier and Ctrl is left to the system', () => {
  const mac = { enterSends: true, mac: true }
  expect(actionOf(press('Cmd', 'i', 'KeyI'), mac)?.kind).toBe('format')
  expect(actionOf(press('Ctrl', 'e', 'KeyE'), mac)).toBeUndefined()
})

test('plain letters are text', () => {
  expect(actionOf(press('', 'b', 'KeyB'), pc)).toBeUndefined()
  expect(actionOf(press('Shift', 'B', 'KeyB'), pc)).toBeUndefined()
})

test('an open code fence is detected, a closed one is not', () => {
  expect(isInsideFence('```\nx', 5)).toBe(true)
  expect(isInsideFence('```\nx\n```\n', 10)).toBe(false)
})

test('Ctrl Shift Enter opens the send menu', () => {
  const chord = { key: 'Enter', code: 'Enter', ctrlKey: true, metaKey: false, shiftKey: true, altKey: false }
  expect(actionOf(chord, { enterSends: true, mac: false })).toEqual({ kind: 'sendMenu' })
})
