import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { CID } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

const draft = {
  cid: asCid(CID),
  parentId: undefined,
  text: 'hal',
  quotedId: undefined,
  uploadIds: [],
  caret: 3,
  showInChannel: false,
}

test('drafts are kept on disk and removed with the message they became', async () => {
  const lone = await reading()
  await lone.engine.handlers.drafts.save(draft, lone.client)
  await lone.clock.settle()
  expect([lone.replica.tables.drafts?.[CID]?.text, lone.replica.tables.channels?.[CID]?.hasDraft]).toEqual([
    'hal',
    true,
  ])
  await send(lone, 'hallo')
  expect([lone.replica.tables.drafts, lone.replica.tables.channels?.[CID]?.hasDraft]).toEqual([{}, false])
})

test('what is sent from elsewhere, a message passed on or an answer to a notification, leaves the draft alone', async () => {
  const lone = await reading()
  await lone.engine.handlers.drafts.save(draft, lone.client)
  await send(lone, 'passed on', { keepsDraft: true })
  expect(lone.replica.tables.drafts?.[CID]?.text).toBe('hal')
})

test('words that could not be sent go under those of the draft, or make one', async () => {
  const lone = await reading()
  const add = (text: string) => lone.engine.handlers.drafts.add({ cid: asCid(CID), text }, lone.client)
  await add('On it')
  await add('Tomorrow')
  await lone.clock.settle()
  expect(lone.replica.tables.drafts?.[CID]?.text).toBe('On it\n\nTomorrow')
})
