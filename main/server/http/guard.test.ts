import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { logger } from '#main/lib/logger.ts'
import { faultOf, guardedClock } from './refusal.ts'

test('an error is logged by name and place, never with text that it quotes', () => {
  const fault = faultOf(parseError('{"text":"our secret plan"'))
  expect(fault).toMatchObject({ reason: 'SyntaxError', where: expect.stringMatching(/guard\.test\.ts:\d+$/) as string })
  expect(JSON.stringify(fault)).not.toContain('secret')
  expect(faultOf('our secret plan')).toEqual({ reason: 'string' })
})

function parseError(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}

test('a timer that fails is logged and the next one runs', async () => {
  const clock = new ManualClock()
  const events: string[] = []
  const log = logger('server', (_level, _area, event) => void events.push(event))
  const guarded = guardedClock(clock, log)
  guarded.after(1, () => {
    throw new Error('no room')
  })
  guarded.after(2, () => void events.push('next'))
  await clock.advance(3)
  expect(events).toEqual(['step-failed', 'next'])
})
