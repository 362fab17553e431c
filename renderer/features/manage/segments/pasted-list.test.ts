import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv, readLines } from './AddList.tsx'

test('a pasted list is read line by line, each entry once', () => {
  expect(readLines(' jonas \r\nhana@x.example\n\nТимур Ахметов\rjonas\n')).toEqual({
    lines: ['jonas', 'hana@x.example', 'Тимур Ахметов'],
    twice: 1,
    tooLong: [],
  })
  expect(readLines('x'.repeat(256))).toMatchObject({ lines: [], tooLong: ['x'.repeat(256)] })
})

test('of a CSV file the column is read that names people best', () => {
  const csv = 'Name;Email;User ID\n"Kowalska; Anna";anna@x.example;anna\n"O""Neil";;neil\n'
  expect(readCsv(csv)).toEqual({ lines: ['anna', 'neil'], twice: 0, tooLong: [], column: 'User ID' })
  expect(readCsv('\uFEFFemail,plan\na@x.example,pro\n')).toMatchObject({ lines: ['a@x.example'], column: 'email' })
})

test('a file without titles is read from its first column', () => {
  expect(readCsv('anna\tAnna\nbob\tBob')).toEqual({ lines: ['anna', 'bob'], twice: 0, tooLong: [] })
})

test('a file whose quotes do not end is no list', () => {
  expect(readCsv('id\n"anna\nbob')).toBeUndefined()
})

test('whatever is in a cell is read again as it was written', () => {
  const cell = fc
    .string({ minLength: 1, maxLength: 50 })
    .map((text) => text.trim())
    .filter((text) => text !== '')
  fc.assert(
    fc.property(fc.uniqueArray(cell, { maxLength: 20 }), (cells) => {
      const csv = ['id', ...cells.map((each) => `"${each.replaceAll('"', '""')}"`)].join('\r\n')
      expect(readCsv(csv)?.lines).toEqual(cells)
    }),
  )
})
