import { expect, test } from 'vitest'
import { ASSISTANT_EXPIRY_MS } from '#shared/rules/channels/typing.ts'
import { asCid } from '#shared/lib/brand.ts'
import { at, aWireUser, CID } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const works = (state: string) => ({
  type: 'ai_indicator.update',
  cid: CID,
  created_at: at(1),
  user: aWireUser('bot'),
  ai_state: state,
})
const shown = ({ replica }: Lone) => replica.tables.typing?.[CID]

test('the state of an assistant is shown until it ends', async () => {
  const lone = await reading()
  await lone.hear(works('AI_STATE_THINKING'))
  expect(shown(lone)).toEqual({ key: CID, people: [], assistant: { userId: 'bot', name: 'bot', state: 'thinking' } })
  await lone.hear(works('Looking through the minutes'))
  expect(shown(lone)?.assistant).toMatchObject({ userId: 'bot', state: 'other', text: 'Looking through the minutes' })
  await lone.hear({ type: 'ai_indicator.clear', cid: CID, created_at: at(2), user: aWireUser('bot') })
  expect(shown(lone)).toBeUndefined()
})

test('without further events, or after a lost connection, no state is shown', async () => {
  const lone = await reading()
  await lone.hear(works('AI_STATE_GENERATING'))
  await lone.clock.advance(ASSISTANT_EXPIRY_MS - 1)
  expect(shown(lone)?.assistant?.state).toBe('generating')
  await lone.clock.advance(1)
  expect(shown(lone)).toBeUndefined()
  await lone.hear(works('AI_STATE_GENERATING'))
  await lone.offline()
  expect(shown(lone)).toBeUndefined()
})

test('a request to stop is sent, and the state is hidden; without a connection it is refused', async () => {
  const lone = await reading()
  lone.api.on('SendEvent', () => ({}))
  await lone.hear(works('AI_STATE_THINKING'))
  await lone.engine.handlers.channels.stopAssistant({ cid }, lone.client)
  await lone.clock.settle()
  expect(lone.api.to('SendEvent').map(({ body }) => body)).toEqual([{ event: { type: 'ai_indicator.stop' } }])
  expect(shown(lone)).toBeUndefined()
  await lone.offline()
  await expect(lone.engine.handlers.channels.stopAssistant({ cid }, lone.client)).rejects.toMatchObject({
    code: 'network/offline',
  })
})
