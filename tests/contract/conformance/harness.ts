import { afterAll, beforeAll, expect } from 'vitest'
import { openStage, openTarget, type Stage } from './stage.ts'

/** One target and one stage for a test file; an error of the server fails the file. */
export function useStage(): { readonly stage: Stage } {
  const held: { stage?: Stage } = {}
  beforeAll(async () => {
    held.stage = openStage(await openTarget())
  })
  afterAll(async () => {
    const { stage } = held
    if (!stage) return
    await stage.cleanUp()
    await stage.target.stop()
    expect(stage.target.failures).toEqual([])
  })
  return {
    get stage() {
      if (!held.stage) throw new Error('the stage opens before the first test')
      return held.stage
    },
  }
}
