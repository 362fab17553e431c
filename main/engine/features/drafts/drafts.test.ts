import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { CID } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

test('drafts are kept on disk and removed with the message they became', async () => {
  const lone = await reading()
  const draft = {
    cid: asCid(CID),
    parentId: undefined,
    text: 'hal',
    quotedId: undefined,
    uploadIds: [],
    caret: 3,
    showInChannel: false,
  }
  await lone.engine.handlers.drafts.save(draft, lone.client)
  await lone.clock.settle()
  expect([lone.replica.tables.drafts?.[CID]?.text, lone.replica.tables.channels?.[CID]?.hasDraft]).toEqual([
    'hal',
    true,
  ])
  await send(lone, 'hallo')
  expect([lone.replica.tables.drafts, lone.replica.tables.channels?.[CID]?.hasDraft]).toEqual([{}, false])
})
