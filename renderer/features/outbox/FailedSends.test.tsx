import { act, cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { OutboxItem } from '#shared/domain/intent.ts'
import { anOutboxItem, aSession, byId, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { onAnnouncement } from '../../lib/page/announce.ts'
import { FailedSends } from './OutboxChip.tsx'

let stop = (): void => {}
afterEach(() => {
  stop()
  cleanup()
})

/** What is announced while items of the outbox become others. */
async function show(...items: readonly OutboxItem[]) {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, outbox: byId(items) },
  })
  await renderInApp(<FailedSends />, bridge)
  const announced: string[] = []
  stop = onAnnouncement(({ text, assertive }) => void announced.push(`${assertive ? 'assertive' : 'polite'}: ${text}`))
  const become = (...next: readonly OutboxItem[]) => act(async () => bridge.change({ outbox: byId(next) }))
  return { announced, become }
}

const REFUSED = { state: 'parked', reason: { code: 'composer/too-long' } } as const

test('a message that could not be sent is announced at once, with the reason', async () => {
  const { announced, become } = await show(anOutboxItem({ id: 'a', summary: 'Full changelog' }))
  await become(anOutboxItem({ id: 'a', summary: 'Full changelog', ...REFUSED }))
  expect(announced).toEqual([expect.stringMatching(/^assertive: “Full changelog” was not sent\. .+/)])
  await become(anOutboxItem({ id: 'a', summary: 'Full changelog', ...REFUSED, retryable: false }))
  expect(announced).toHaveLength(1)
})

test('what had failed before the window opened, and a message taken back, are not', async () => {
  const { announced, become } = await show(anOutboxItem({ id: 'a', ...REFUSED }), anOutboxItem({ id: 'b' }))
  await become(
    anOutboxItem({ id: 'a', ...REFUSED, retryable: false }),
    anOutboxItem({ id: 'b', state: 'parked', reason: { code: 'outbox/taken-back' } }),
  )
  expect(announced).toEqual([])
})
