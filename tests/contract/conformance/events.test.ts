import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { channelEvents } from './events-channels.ts'
import { peopleEvents } from './events-people.ts'
import type { EventExample } from './event-example.ts'
import { eventually } from './check.ts'
import type { Frame } from './foreign.ts'
import { useStage } from './harness.ts'
import { takeEventsOf, openConnections, openScene, type ConnectionName, type Connections } from './scene.ts'
import { badTimes, faultsOf } from './faults.ts'

const examples: readonly EventExample[] = [...channelEvents, ...peopleEvents]

/** Types that chapter 4 lists and no connection ever receives, or that another test covers. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'message.pending': 'for server hooks only',
  'user.unread_message_reminder': 'for server hooks only',
  'channel.max_streak_changed': 'listed by the OpenAPI text, ignored by clients',
  'health.check': 'check 40',
}

/** Every type of the tables 4.3 to 4.10. */
const CHAPTER_4 = `message.new message.updated message.deleted message.undeleted message.read message.delivered
  message.pending user.messages.deleted reaction.new reaction.updated reaction.deleted channel.created channel.updated
  channel.deleted channel.truncated channel.hidden channel.visible channel.frozen channel.unfrozen channel.kicked
  channel.muted channel.unmuted member.added member.updated member.removed user.banned user.unbanned
  notification.message_new notification.thread_message_new notification.added_to_channel
  notification.removed_from_channel notification.invited notification.invite_accepted notification.invite_rejected
  notification.mark_read notification.mark_unread notification.channel_deleted notification.channel_truncated
  notification.mutes_updated notification.channel_mutes_updated notification.reminder_due user.presence.changed
  user.updated user.deleted user.deactivated user.reactivated user.watching.start user.watching.stop user.muted
  user.unread_message_reminder typing.start typing.stop ai_indicator.update ai_indicator.clear ai_indicator.stop
  poll.updated poll.closed poll.deleted poll.vote_casted poll.vote_changed poll.vote_removed draft.updated draft.deleted
  reminder.created reminder.updated reminder.deleted thread.updated user_group.created user_group.updated
  user_group.deleted user_group.member_added user_group.member_removed app.updated channel.max_streak_changed
  health.check`.split(/\s+/)

const SERVER = fileURLToPath(new URL('../../../main/server', import.meta.url))
const EVENT_NAME =
  /['"]((?:message|reaction|channel|member|user|notification|typing|ai_indicator|poll|draft|reminder|thread|user_group|emoji|app|moderation|review_queue_item|health)\.[a-z_]+(?:\.[a-z_]+)?)['"](?!:\s*\{\s*sql:)/g

/** Names of events in the server's source; columns of its tables and fields of its filters look alike and are left out. */
function namesInSource(): Set<string> {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  const sources = files.filter(
    (file) => /(?<!\.test|-tables?|-list|-lists)\.ts$/.test(file) && !/^(?:store|seed)\//.test(file),
  )
  const texts = sources.map((file) => readFileSync(`${SERVER}/${file}`, 'utf8'))
  return new Set(texts.flatMap((text) => [...text.matchAll(EVENT_NAME)].map(([, name = '']) => name)))
}

const held = useStage()
const opened: { connections?: Connections } = {}

test('every type of chapter 4, and every one the server names, has an example', () => {
  const shown = new Set(examples.map(({ type }) => type))
  const source = [...namesInSource()].filter((name) => /\.(?:[a-z]+ed|start|stop|new|read|visible|hidden)$/.test(name))
  expect(source.length).toBeGreaterThan(40)
  const wanted = [...CHAPTER_4, ...source].filter((type) => !(type in NOT_HERE))
  expect(wanted.filter((type) => !shown.has(type))).toEqual([])
})

function judge(
  example: EventExample,
  received: ReadonlyMap<ConnectionName, readonly Frame[]>,
): Map<ConnectionName, Frame> {
  expect([...received.keys()]).toEqual(example.to)
  expect([...received.values()].map((frames) => frames.length)).toEqual(example.to.map(() => 1))
  const firsts = new Map([...received].flatMap(([name, [frame]]) => (frame ? [[name, frame] as const] : [])))
  for (const [name, frame] of firsts) {
    expect([...faultsOf(example.fields, frame), ...badTimes(frame)], name).toEqual([])
  }
  return firsts
}

describe('chapter 4, from cause to recipients', () => {
  test.for(examples.map((example) => ({ when: '', ...example })))('$type $when', async (example, { skip }) => {
    const { stage } = held
    skip(example.localOnly !== undefined && !stage.target.isLocal, example.localOnly)
    skip((example.needs ?? 0) > stage.target.patience, `needs ${example.needs} ms of patience`)
    opened.connections ??= await openConnections(stage)
    const { connections } = opened
    const scene = await openScene(stage, connections, example.members)
    const prepared = (await example.before?.(scene)) ?? {}
    await takeEventsOf(connections, '')
    await example.cause(scene, prepared)
    const received = new Map<ConnectionName, Frame[]>()
    // Another server may be a little later than its response; connections that must not receive it wait as long.
    await eventually(
      async () => {
        for (const [name, frames] of await takeEventsOf(connections, example.type)) {
          received.set(name, [...(received.get(name) ?? []), ...frames])
        }
        return received
      },
      () => example.to.every((name) => received.has(name)),
      stage.target.isLocal ? 0 : 3_000,
    )
    const firsts = judge(example, received)
    expect(firsts.size).toBe(example.to.length)
    example.also?.(firsts, scene)
  })
})
