import { BrowserWindow, type Session } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callsTo, forgetAll } from '#kit/electron-stub/record.ts'
import { electronSpelling } from './windows.ts'
import { watchTextMenu } from '../desktop/menu.ts'

beforeEach(forgetAll)
afterEach(() => {
  for (const window of BrowserWindow.getAllWindows()) window.destroy()
})

describe('spelling', () => {
  const sessionOf = (): Session => new BrowserWindow().webContents.session

  test('is off until a language was chosen, in later sessions too', () => {
    const spelling = electronSpelling('linux')
    spelling.watch(sessionOf())
    expect(callsTo('setSpellCheckerEnabled')).toEqual([[false]])
    expect(callsTo('setSpellCheckerLanguages')).toEqual([[[]]])
    spelling.setLanguages(['pl', 'tlh'])
    spelling.watch(sessionOf())
    expect(callsTo('setSpellCheckerEnabled').slice(1)).toEqual([[true], [true]])
    expect(callsTo('setSpellCheckerLanguages').slice(1)).toEqual([[['pl']], [['pl']]])
  })

  test('is left to macOS, which knows the languages itself', () => {
    const spelling = electronSpelling('macos')
    spelling.setLanguages(['system'])
    spelling.watch(sessionOf())
    expect(spelling.languages()).toEqual([])
    expect(callsTo('setSpellCheckerLanguages')).toEqual([])
    expect(callsTo('setSpellCheckerEnabled')).toEqual([[true]])
  })
})

test('a misspelled word has suggestions and can be added to the dictionary; without text there is no menu', () => {
  const window = new BrowserWindow()
  watchTextMenu(window, (key) => key)
  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true, canUndo: false, canRedo: false }
  const over = (params: object): void =>
    void window.webContents.emit('context-menu', {}, { editFlags: flags, ...params })
  over({ isEditable: false, selectionText: '', misspelledWord: '', dictionarySuggestions: [] })
  expect(callsTo('Menu.popup')).toEqual([])
  over({ isEditable: true, selectionText: 'wrod', misspelledWord: 'wrod', dictionarySuggestions: ['word'] })
  type Shown = { template: { label?: string; role?: string; click?(): void }[] }
  const { template } = (callsTo('Menu.popup')[0]?.[0] as Shown | undefined) ?? { template: [] }
  for (const item of template) item.click?.()
  expect(callsTo('replaceMisspelling')).toEqual([['word']])
  expect(callsTo('addWord')).toEqual([['wrod']])
  expect(template.flatMap(({ role }) => role ?? [])).toEqual(expect.arrayContaining(['cut', 'copy', 'paste']))
})
