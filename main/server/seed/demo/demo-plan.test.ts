import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SEED_MAX_MINUTES } from '../plan.ts'
import { demoPlan } from './demo-plan.ts'

const plan = demoPlan()
const byId = new Map(plan.messages.map((message) => [message.id, message]))
const channelNames = new Set(plan.channels.map(({ type, id, alias }) => alias ?? `${type}:${id}`))

test('the demo is about twelve people, ten channels with direct messages, and some two thousand messages', () => {
  expect(plan.people).toHaveLength(12)
  expect(plan.channels.filter(({ name }) => name !== undefined)).toHaveLength(10)
  expect(plan.channels.filter(({ alias }) => alias !== undefined)).toHaveLength(6)
  expect(plan.messages.length).toBeGreaterThan(1_800)
  expect(plan.messages.length).toBeLessThan(2_300)
})

test('it comes out the same every time', () => {
  expect(demoPlan()).toEqual(plan)
})

test('it spans three weeks and three languages, with threads, reactions, polls, pictures, mentions, pins and quotes', () => {
  const ages = plan.messages.map(({ at }) => at)
  expect(Math.max(...ages)).toBeGreaterThan(20 * 24 * 60)
  expect(Math.max(...ages)).toBeLessThanOrEqual(SEED_MAX_MINUTES)
  expect(Math.min(...ages)).toBeGreaterThan(0)
  const texts = plan.messages.map(({ text }) => text)
  expect(texts.filter((text) => /[а-яё]/i.test(text)).length).toBeGreaterThan(300)
  expect(texts.filter((text) => /[ąćęłńóśźż]/i.test(text)).length).toBeGreaterThan(200)
  for (const part of [
    'parentId',
    'quotedId',
    'reactions',
    'pollId',
    'attachments',
    'mentionedUserIds',
    'pinned',
    'edited',
  ] as const) {
    expect(plan.messages.filter((message) => message[part] !== undefined).length, part).toBeGreaterThan(0)
  }
})

test('every name in it exists: channels, authors who are members, parents, quotes, polls and files', () => {
  const members = new Map(
    plan.channels.map((channel) => [channel.alias ?? `${channel.type}:${channel.id}`, new Set(channel.memberIds)]),
  )
  for (const message of plan.messages) {
    expect(channelNames, message.cid).toContain(message.cid)
    expect(members.get(message.cid)?.has(message.userId), `${message.userId} in ${message.cid}`).toBe(true)
    for (const id of [message.parentId, message.quotedId]) {
      if (id === undefined) continue
      expect(byId.get(id)?.cid).toBe(message.cid)
      expect(byId.get(id)?.at).toBeGreaterThan(message.at)
    }
    if (message.pollId !== undefined) expect(plan.polls.map(({ id }) => id)).toContain(message.pollId)
    for (const { file } of message.attachments ?? []) {
      expect(existsSync(fileURLToPath(new URL(`../../../../resources/demo/${file}`, import.meta.url))), file).toBe(true)
    }
    for (const { userIds } of message.reactions ?? []) {
      expect(
        userIds.filter((id) => members.get(message.cid)?.has(id) !== true),
        message.text,
      ).toEqual([])
    }
  }
})

test('no place in the words was left empty', () => {
  expect(plan.messages.filter(({ text }) => /\{\w+\}|undefined|NaN/.test(text))).toEqual([])
})

test('the default person has unread messages, one of which mentions her', () => {
  expect(plan.reads.length).toBeGreaterThan(4)
  expect(plan.messages.some(({ mentionedUserIds, at }) => at < 200 && mentionedUserIds?.includes('ola') === true)).toBe(
    true,
  )
})
