import { expect, test } from 'vitest'
import { CAMPAIGN_STATES } from '../../domain/manage/campaigns.ts'
import { hasBegun, may } from './campaigns.ts'

test('a campaign changes and starts only before it runs, and is deleted only while it does not', () => {
  const acts = (state: (typeof CAMPAIGN_STATES)[number]) =>
    (['change', 'start', 'stop', 'delete'] as const).filter((act) => may(act, state))
  expect(Object.fromEntries(CAMPAIGN_STATES.map((state) => [state, acts(state)]))).toEqual({
    draft: ['change', 'start', 'delete'],
    scheduled: ['change', 'start', 'stop', 'delete'],
    in_progress: ['stop'],
    completed: ['delete'],
    stopped: ['delete'],
  })
  expect(CAMPAIGN_STATES.filter(hasBegun)).toEqual(['in_progress', 'completed', 'stopped'])
})
