import { expect, test } from 'vitest'
import { byArea } from './areas.ts'

const files = { '…/en/common.json': '{"send": "Send"}', '…/en/manage.json': '{ not parsed yet' }

test('the texts of a language are named by their areas', () => {
  expect(Object.keys(byArea(files))).toEqual(['common', 'manage'])
})

test('an area is parsed when its first text is needed, and once', () => {
  const { common } = byArea(files)
  expect(common).toEqual({ send: 'Send' })
  const areas = byArea(files)
  expect(areas['common']).toBe(areas['common'])
})
