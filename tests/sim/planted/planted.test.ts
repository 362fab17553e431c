import { expect, test } from 'vitest'
import { readSource } from '../../arch/modules.ts'
import { MODEL_PLANTS, PLANTS } from './plants.ts'

/** They are planted and judged in the long run; that each still has its place is asked at every change. */
test('there are fourteen planted bugs, each in a place that exists', () => {
  expect(PLANTS).toHaveLength(14)
  for (const { name, edits } of [...PLANTS, ...MODEL_PLANTS])
    for (const { file, find } of edits) expect(readSource(file).split(find), `${name} in ${file}`).toHaveLength(2)
})
