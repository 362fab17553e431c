import * as fc from 'fast-check'
import type { Op, Outcome } from './outbox-model.ts'

export const anOutcome = fc.constantFrom<Outcome>(
  'ok',
  'ok',
  'ok',
  'no line',
  'answer lost',
  'in trouble',
  'refused',
  'portal',
  'another answer',
  'answered for another',
  'stray 401',
)

const which = fc.nat({ max: 9 })
const anOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), channel: fc.nat({ max: 2 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('later' as const),
      channel: fc.nat({ max: 2 }),
      inMs: fc.constantFrom(1, 40, 600),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), which }) },
  { weight: 1, arbitrary: fc.constant<Op>({ do: 'crash' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('line' as const), up: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(10, 30, 50, 500, 3_000) }),
  },
)

export const ops: fc.Arbitrary<Op[]> = fc.array(anOp, { minLength: 1, maxLength: 20 })
