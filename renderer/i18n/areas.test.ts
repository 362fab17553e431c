import { expect, test } from 'vitest'
import { byArea } from './areas.ts'

const files = { '…/en/common.json': '{"send": "Send"}', '…/en/manage.json': '{ not parsed yet' }

test('the texts of a language are named by their areas', () => {
  expect(Object.keys(byArea(files))).toEqual(['common', 'manage'])
})

test('an area is parsed when its first text is needed, and once', () => {
  const areas = byArea(files)
  const first = areas['common']
  expect(first).toEqual({ send: 'Send' })
  expect(areas['common']).toBe(first)
})
