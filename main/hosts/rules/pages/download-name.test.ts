import { expect, test } from 'vitest'
import { exportName, freeFileName, safeFileName } from './openable.ts'

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['../../etc/passwd', '_.._etc_passwd'],
  [String.raw`C:\Windows\system.ini`, 'C__Windows_system.ini'],
  ['.bashrc', 'bashrc'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['nul.txt', '_nul.txt'],
  ['  ...  ', 'download'],
  ['', 'download'],
  ['line\nbreak.txt', 'linebreak.txt'],
])('%j is saved as %j', (name, saved) => {
  expect(safeFileName(name)).toBe(saved)
})

test('a very long name keeps its extension', () => {
  const name = safeFileName(`${'a'.repeat(5_000)}.tar.gz`)
  expect(name.length).toBe(200)
  expect(name.endsWith('.tar.gz')).toBe(true)
})

test('nothing is written over: the next number is taken', () => {
  const there = new Set(['plan.pdf', 'plan (2).pdf', 'a.tar.gz', 'README'])
  const free = (name: string) => freeFileName(name, (each) => there.has(each))
  expect(['plan.pdf', 'a.tar.gz', 'README', 'new.txt'].map(free)).toEqual([
    'plan (3).pdf',
    'a (2).tar.gz',
    'README (2)',
    'new.txt',
  ])
})

test('a file that Parlor writes has the day of this device, whatever the day is elsewhere', () => {
  for (const hour of [0, 23])
    expect(exportName(new Date(2026, 10, 7, hour, 30).getTime(), 'team:plans/ż', 'json')).toBe(
      'parlor-team-plans---2026-11-07.json',
    )
})
