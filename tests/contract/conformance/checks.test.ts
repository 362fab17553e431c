import { describe, expect, test } from 'vitest'
import { APPENDIX_D } from './appendix-d.ts'
import { channelChecks } from './checks-channels.ts'
import { messageChecks } from './checks-messages.ts'
import { peopleChecks } from './checks-people.ts'
import { transportChecks } from './checks-transport.ts'
import type { Checks } from './check.ts'
import { useStage } from './harness.ts'

const checks: Checks = { ...messageChecks, ...channelChecks, ...peopleChecks, ...transportChecks }
const held = useStage()

test('every check is run', () => {
  expect(Object.keys(checks).map(Number)).toEqual(APPENDIX_D.map(([number]) => number))
  expect(APPENDIX_D.map(([number]) => number)).toEqual(Array.from({ length: 42 }, (_each, at) => at + 1))
})

describe('the contract', () => {
  test.for(APPENDIX_D)('%i. %s %s', async ([number], { skip }) => {
    const check = checks[number]
    const { target } = held.stage
    if (check?.localOnly !== undefined) skip(!target.isLocal, check.localOnly)
    skip((check?.needs ?? 0) > target.patience, `needs ${check?.needs} ms of patience`)
    await check?.run(held.stage)
    expect(check).toBeDefined()
  })
})
