import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { MAX_TYPISTS } from '#shared/rules/channels/typing.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aSession, aUser, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { onAnnouncement } from '../../lib/page/announce.ts'
import { TypingLine } from './index.ts'

const cid = asCid('messaging:release')

async function text(ids: readonly string[], language: 'en' | 'pl' | 'ru' = 'en') {
  const users = ['ola', 'jonas', 'ewa', 'hana'].map((id) => aUser({ id, name: `${id} surname` }))
  const bridge = createFakeBridge({
    rows: {
      users: byId(users),
      session: { self: aSession({ userId: 'ola' }) },
      typing: { [cid]: { key: cid, people: ids.map((id) => ({ id: asUserId(id), name: id })) } },
    },
  })
  const { container } = await renderInApp(<TypingLine cid={cid} />, bridge, language)
  return container.textContent
}

afterEach(cleanup)

test.each([
  [['jonas'], 'en', 'jonas is typing'],
  [['jonas', 'ewa'], 'en', 'jonas and ewa are typing'],
  [['jonas', 'ewa', 'hana'], 'en', '3 people are typing'],
  [['jonas', 'ewa', 'hana'], 'pl', '3 osoby piszą'],
  [['jonas', 'ewa', 'hana'], 'ru', '3 человека печатают'],
] as const)('%o typing in %s reads "%s"', async (ids, language, shown) => {
  expect(await text(ids, language)).toBe(shown)
})

test.each([
  ['en', 'Several people are typing'],
  ['pl', 'Kilka osób pisze'],
  ['ru', 'Несколько человек печатают'],
] as const)('a crowd is not counted (%s)', async (language, shown) => {
  const crowd = Array.from({ length: MAX_TYPISTS }, (_none, at) => `p${at}`)
  expect(await text(crowd, language)).toBe(shown)
})

test('a user who is not loaded is shown with the name from the event', async () => {
  expect(await text(['stranger'])).toBe('stranger is typing')
})

test('the viewer’s own typing is not shown', async () => {
  expect(await text(['ola'])).toBe('')
})

test('a name that looks like a tag stays a name', async () => {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'x', name: '<b>Bold</b>' })]),
      session: { self: aSession({ userId: 'ola' }) },
      typing: { [cid]: { key: cid, people: [{ id: asUserId('x'), name: 'x' }] } },
    },
  })
  const { container } = await renderInApp(<TypingLine cid={cid} />, bridge)
  expect(container.textContent).toBe('<b>Bold</b> is typing')
})

async function working(state: 'thinking' | 'error') {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'bot', name: 'Scout' })]),
      session: { self: aSession({ userId: 'ola' }) },
      typing: { [cid]: { key: cid, people: [], assistant: { userId: asUserId('bot'), state } } },
    },
  })
  const announced: string[] = []
  const stop = onAnnouncement(({ text }) => announced.push(text))
  const { container } = await renderInApp(<TypingLine cid={cid} />, bridge)
  stop()
  return { bridge, container, announced }
}

test('the state of an assistant is shown and announced, and it can be stopped', async () => {
  const { bridge, announced } = await working('thinking')
  expect(announced).toEqual(['Scout is thinking'])
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(bridge.inputsOf('channels.stopAssistant')).toEqual([{ cid }])
})

test('an assistant that failed has no stop button', async () => {
  const { container } = await working('error')
  expect(container.textContent).toBe('Scout couldn’t answer')
  expect(screen.queryByRole('button')).toBeNull()
})
