import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SEED_MAX_MINUTES } from '../plan.ts'
import { demoPlan } from '../demo.ts'

const plan = demoPlan()
const byId = new Map(plan.messages.map((message) => [message.id, message]))
const pollIds = new Set(plan.polls.map(({ id }) => id))
const resource = (file: string): string => fileURLToPath(new URL(`../../../../resources/demo/${file}`, import.meta.url))
const channelNames = new Set(plan.channels.map(({ type, id, alias }) => alias ?? `${type}:${id}`))

test('the demo has twelve people, ten channels, six direct conversations and about two thousand messages', () => {
  expect(plan.people).toHaveLength(12)
  expect(plan.channels.filter(({ name }) => name !== undefined)).toHaveLength(10)
  expect(plan.channels.filter(({ alias }) => alias !== undefined)).toHaveLength(6)
  expect(plan.messages.length).toBeGreaterThan(1_800)
  expect(plan.messages.length).toBeLessThan(2_300)
})

test('it is the same every time', () => {
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
    expect(plan.messages.some((message) => message[part] !== undefined) ? part : `none with ${part}`).toBe(part)
  }
})

test('every name in it exists: channels, authors who are members, parents, quotes, polls and files', () => {
  const members = new Map(
    plan.channels.map((channel) => [channel.alias ?? `${channel.type}:${channel.id}`, new Set(channel.memberIds)]),
  )
  const wrong = plan.messages.flatMap((message) => {
    const here = members.get(message.cid) ?? new Set()
    const older = [message.parentId, message.quotedId].filter((id) => id !== undefined).map((id) => byId.get(id))
    return [
      ...(channelNames.has(message.cid) ? [] : [`no channel ${message.cid}`]),
      ...(here.has(message.userId) ? [] : [`${message.userId} is no member of ${message.cid}`]),
      ...older
        .filter((one) => one?.cid !== message.cid || one.at <= message.at)
        .map(() => `${message.id} refers wrongly`),
      ...(message.pollId === undefined || pollIds.has(message.pollId) ? [] : [`no poll ${message.pollId}`]),
      ...(message.attachments ?? [])
        .filter(({ file }) => !existsSync(resource(file)))
        .map(({ file }) => `no file ${file}`),
      ...(message.reactions ?? []).flatMap(({ userIds }) =>
        userIds.filter((id) => !here.has(id)).map((id) => `${id} cannot react`),
      ),
    ]
  })
  expect(wrong).toEqual([])
})

test('every slot of the texts is filled', () => {
  expect(plan.messages.filter(({ text }) => /\{\w+\}|undefined|NaN/.test(text))).toEqual([])
})

test('the default person has unread messages, one of which mentions her', () => {
  expect(plan.reads.length).toBeGreaterThan(4)
  expect(plan.messages.some(({ mentionedUserIds, at }) => at < 200 && mentionedUserIds?.includes('ola') === true)).toBe(
    true,
  )
})

test('the default person has put a message aside, and is reminded of another one tomorrow at the earliest', () => {
  const later = plan.messages.flatMap((message) => (message.later ?? []).map((each) => ({ ...each, message })))
  expect(later.filter(({ inMinutes }) => inMinutes === undefined)).toHaveLength(1)
  expect(later.find(({ inMinutes }) => inMinutes !== undefined)?.inMinutes).toBeGreaterThan(12 * 60)
  for (const { userId, message } of later) {
    expect(userId).toBe('ola')
    expect(message.text).not.toBe('')
  }
})

test('custom emoji have pictures, and emoji used in messages exist', () => {
  const names = new Set((plan.emoji ?? []).flatMap(({ name, aliases }) => [name, ...aliases]))
  expect((plan.emoji ?? []).filter(({ file }) => !existsSync(resource(file)))).toEqual([])
  const written = plan.messages.flatMap(({ text }) => [...text.matchAll(/:([a-z_]+):/g)].map(([, name = '']) => name))
  expect(written.filter((name) => !names.has(name))).toEqual([])
  expect(written).toContain('gerald')
})
