import { expect, test } from 'vitest'
import { itemsIn } from './lists.ts'

test('items are between commas: each once, without spaces around them, and none is empty', () => {
  expect(itemsIn(' Kraków, , QA,new team,QA ,')).toEqual(['Kraków', 'QA', 'new team'])
  expect(itemsIn(' , ')).toEqual([])
})
