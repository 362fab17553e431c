import { expect, test } from 'vitest'
import { readSource } from '../../arch/modules.ts'
import { MODEL_PLANTS, PLANTS } from './plants.ts'

/** The long run plants and judges them; that the source still has a place for each is checked at every change. */
test('there are fourteen planted bugs, each in a place that exists', () => {
  expect(PLANTS).toHaveLength(14)
  for (const { name, edits } of [...PLANTS, ...MODEL_PLANTS])
    for (const { file, find } of edits) expect(readSource(file).split(find), `${name} in ${file}`).toHaveLength(2)
})
