import { type UserId, asUserId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { flagTarget, muteUser, unmuteUser } from '#shared/wire/moderation.ts'
import { updateUsersPartial, blockUser, unblockUser } from '#shared/wire/users.ts'
import { uploadLooseImage } from '#shared/wire/uploads.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { type IntentFor, NO_CHANNEL } from '#shared/domain/intent.ts'
import { isBlocking } from '#shared/rules/people/people.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as users from '#main/cache/people/users.ts'
import type { UserRow } from '#main/cache/rows.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as blocks from '#main/cache/people/blocks.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import { countedByServer } from '#main/cache/channels/unread.ts'
import { type Core, type Timelines, requireConnection } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext } from '../../context.ts'
import { timeIn } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'
import { isBlocked, visibleChannel } from '../../changes/visible.ts'
import type { Done } from '../../outbox/runner.ts'
import { fetchThese } from '../../sync/list.ts'
import { sendSmall } from '../uploads/staging.ts'
import { fetchNewest } from '../channels/fetch.ts'

type BlockIntent = IntentFor<'block-person'> | IntentFor<'unblock-person'>

/** Queued without a connection too, and shown at once. */
function askToBlock(
  core: Pick<Core, 'cache' | 'context' | 'outbox' | 'runner'>,
  userId: UserId,
  blocked: boolean,
): void {
  if (isBlocked(core.context, userId) === blocked) return
  const kind = blocked ? 'block-person' : 'unblock-person'
  core.outbox.add({ kind, cid: NO_CHANNEL, payload: { userId, directCid: directWith(core, userId) } })
  core.runner.kick()
}

const directWith = (core: Pick<Core, 'cache' | 'context'>, userId: UserId) =>
  members.cidsOf(core.cache.reader, userId).find((cid) => visibleChannel(core.context, cid)?.directUserId === userId)

/** Blocked users, including pending blocks and without pending unblocks. */
function blockedPeople(
  core: Pick<Core, 'cache' | 'context' | 'outbox'>,
): readonly { readonly id: UserId; readonly name: string }[] {
  const { reader } = core.cache
  const queued = core.outbox.in(NO_CHANNEL).flatMap((each) => (isBlocking(each) ? [each.payload.userId] : []))
  const known = [...blocks.blockedIds(reader)].map(asUserId)
  const ids = [...new Set([...known, ...queued])].filter((id) => isBlocked(core.context, id))
  const names = new Map(users.byIds(reader, ids).map(({ id, name }) => [id, name]))
  return ids.map((id) => ({ id, name: names.get(id) ?? id }))
}

type BlockingParts = Timelines &
  Pick<Core, 'background' | 'cache' | 'delivery' | 'me' | 'ports' | 'serverNow' | 'syncState'>

/** See docs/wire.md 3.11. Repeating either request changes nothing. */
async function block(core: BlockingParts, { kind, payload }: BlockIntent, signal: AbortSignal): Promise<Done> {
  const { userId, directCid } = payload
  const blocked = kind === 'block-person'
  await core.api.send(blocked ? blockUser : unblockUser, { body: { blocked_user_id: userId }, signal })
  let isNew = false
  return {
    apply: (tx) => {
      const before = blocks.blockedIds(tx)
      mutes.set(tx, 'block', userId, blocked)
      if (directCid !== undefined && channels.byCid(tx, directCid)) channels.patch(tx, directCid, { blocked })
      isNew = blocks.changed(tx, before)
    },
    after: () => {
      if (isNew) core.background('block', () => refreshOpenChannels(core))
    },
  }
}

/** Fetches the open channels again: messages of blocked users disappear, those of unblocked ones return. */
async function refreshOpenChannels(core: BlockingParts): Promise<void> {
  const cids = new Set(core.collector.openLists().map((view) => view.cid))
  for (const cid of cids) await fetchNewest(core, cid)
  await recounted(core)
}

/** Fetches unread counts that the server counts: they depend on muted and blocked users. See docs/wire.md 8.14. */
async function recounted(core: BlockingParts): Promise<void> {
  await fetchThese(core, countedByServer(core.cache.reader, core.serverNow()))
}

type Parts = Timelines &
  Pick<
    Core,
    | 'background'
    | 'cache'
    | 'context'
    | 'delivery'
    | 'me'
    | 'outbox'
    | 'ports'
    | 'runner'
    | 'serverNow'
    | 'stagingFolder'
    | 'syncState'
  >

export const peopleFeature = defineFeature({
  kinds: { 'block-person': { perform: block }, 'unblock-person': { perform: block } },
  create(core: Parts) {
    const statuses = watchStatuses(core, () => core.background('status', () => clearStatus(core)))
    return {
      calls: { people: peopleCalls(core) },
      start: [{ phase: 'last', order: 60, run: () => statuses.start() }],
      stop: [{ phase: 'timers', order: 60, run: () => statuses.stop() }],
      onTouched: [
        {
          order: 95,
          run: ({ entities }) => {
            const ids = entities.get('users')
            if (ids !== undefined) statuses.changed(ids)
          },
        },
      ],
    }
  },
})

/** Watches for the end of statuses: windows hide them then, and the viewer's own one is removed from the server. */
type StatusWatch = {
  start(): void
  /** These users may have changed. */
  changed(ids: Iterable<string>): void
  stop(): void
}

/** Clocks can be changed and computers sleep; also how often a removal that failed is tried again. */
const CHECK_EVERY_MS = 60_000
/** Every event touches its author: their rows are read once for all events of a second. */
const GATHER_MS = 1_000

type StatusEndsParts = Pick<Core, 'cache' | 'collector' | 'isHealthy' | 'me' | 'ports' | 'serverNow'>

/** @param clear removes the viewer's status from the server */
function watchStatuses(core: StatusEndsParts, clear: () => void): StatusWatch {
  let timer: Stop | undefined
  let isStopped = false
  const touched = new Set<string>()
  /** End of each status, by the server's clock. */
  const ends = new Map<UserId, number>()

  function note({ id, statusText, statusUntil }: UserRow): void {
    if (statusText === undefined || statusUntil === undefined) ends.delete(id)
    else ends.set(id, statusUntil)
  }

  function check(): void {
    for (const row of users.byIds(core.cache.reader, [...touched])) note(row)
    touched.clear()
    const now = core.serverNow()
    let isOwnOver = false
    for (const [id, end] of ends) {
      if (end > now) continue
      core.collector.touch('users', id)
      // Kept until the server has removed it.
      if (id === core.me) isOwnOver = true
      else ends.delete(id)
    }
    if (isOwnOver && core.isHealthy()) clear()
    timer?.()
    const next = isOwnOver ? now + CHECK_EVERY_MS : Math.min(...ends.values())
    timer =
      isStopped || !Number.isFinite(next)
        ? undefined
        : core.ports.clock.after(Math.min(next - now, CHECK_EVERY_MS), check)
  }

  return {
    start() {
      for (const id of users.statusEndIds(core.cache.reader)) touched.add(id)
      check()
    },
    changed(ids) {
      const isGathering = touched.size > 0
      for (const id of ids) touched.add(id)
      if (isGathering || isStopped || touched.size === 0) return
      timer?.()
      timer = core.ports.clock.after(GATHER_MS, check)
    },
    stop() {
      isStopped = true
      timer?.()
    },
  }
}

const MINUTE_MS = 60_000

/** See docs/wire.md 3.11 and 3.13. */
function peopleCalls(core: Parts): HandlersOf<'people', CallContext> {
  return {
    mute: ({ userId, muted, forMs }) => mute(core, userId, muted, forMs),
    block: ({ userId, blocked }) => askToBlock(core, userId, blocked),
    blocked: () => blockedPeople(core),
    changeProfile: (input) => changeProfile(core, input),
    setPortrait: ({ picture }) => setPortrait(core, picture),
    flag: async ({ userId, reason }) => {
      requireConnection(core)
      const why = reason === undefined ? {} : { reason }
      await core.api.send(flagTarget, { body: { target_user_id: userId, ...why }, signal: core.life })
    },
  }
}

async function mute(core: Parts, userId: UserId, muted: boolean, forMs: number | undefined): Promise<void> {
  requireConnection(core)
  const minutes = muted && forMs !== undefined ? Math.ceil(forMs / MINUTE_MS) : undefined
  const timeout = minutes === undefined ? {} : { timeout: minutes }
  await core.api.send(muted ? muteUser : unmuteUser, { body: { target_id: userId, ...timeout }, signal: core.life })
  const expiresAt = minutes === undefined ? undefined : core.serverNow() + minutes * MINUTE_MS
  core.write((tx) => mutes.set(tx, 'user', userId, muted, expiresAt))
  core.background('mute', () => recounted(core))
}

/** Changes fields of the viewer's profile; others stay. See docs/wire.md 3.11, `UpdateUsersPartial`. */
async function changeProfile(
  core: Parts,
  { name, statusText, statusUntil }: { readonly name?: string; readonly statusText?: string; statusUntil?: number },
): Promise<void> {
  const end = statusText ? statusUntil : undefined
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(statusText ? { status_text: statusText } : {}),
    ...(end === undefined ? {} : { status_until: formatTime(end) }),
  }
  const until = users.byId(core.cache.reader, core.me)?.statusUntil
  const unset = [
    ...(statusText === '' ? ['status_text'] : []),
    ...(statusText !== undefined && end === undefined && until !== undefined ? ['status_until'] : []),
  ]
  await patchMe(core, set, unset)
}

/** Removes a status that has ended. See docs/wire.md 5.2. */
const clearStatus = (core: Parts): Promise<void> => patchMe(core, {}, ['status_text', 'status_until'])

/** Without a picture the current one is removed. */
async function setPortrait(core: Parts, picture: SmallPicture | undefined): Promise<void> {
  requireConnection(core)
  if (picture === undefined) return patchMe(core, {}, ['image'])
  await sendSmall(core, 'portrait', picture, async (file) => {
    const { file: image } = await core.api.upload(uploadLooseImage, { file, signal: core.life })
    await patchMe(core, { image }, [])
  })
}

async function patchMe(core: Parts, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireConnection(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const user = { id: core.me, set, ...(unset.length === 0 ? {} : { unset }) }
  const { users } = await core.api.send(updateUsersPartial, { body: { users: [user] }, signal: core.life })
  const me = users[core.me]
  if (me !== undefined) core.write((tx) => writeUser(tx, me, Math.max(asOf, timeIn(me, 'updated_at') ?? 0)))
}
