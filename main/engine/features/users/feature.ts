import type { Settings } from '#shared/domain/settings.ts'
import { asCid } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import * as removal from '#main/cache/messages/removal.ts'
import * as users from '#main/cache/people/users.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { decodeUser } from '../../decode/user.ts'
import type { ApplyContext, Appliers } from '../../sync/ingest.ts'
import { noteWatchers, writeUser } from '../../sync/write.ts'
import { topicChanged } from '../manage/authority.ts'
import { uploadRulesOf } from '../uploads/staging.ts'
import { isAway, isSamePrivacy, privacyOf, sendPrivacy } from './privacy.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Whether the user has had no input for as long as they chose, so that others see them as away. */
    setAway(on: boolean): void
  }
}

/** See docs/wire.md 4.8. */
const userEvents: Appliers = {
  'user.presence.changed': (tx, event, { at, me, memory }) => {
    const row = decodeUser(event.user, { viewerId: me, asOf: at, isAnswer: false })
    const held = row && users.byId(tx, row.id)
    if (!held) return
    // The user's data is stored; presence is valid only for this connection.
    if (row.updatedAt > held.updatedAt) return users.put(tx, row)
    const before = memory.presence.get(row.id) ?? held
    if (row.online === undefined || before.asOf > at) return
    memory.presence.set(row.id, { online: row.online, lastActiveAt: row.lastActiveAt ?? before.lastActiveAt, asOf: at })
    if (row.online !== before.online) tx.touch('users', row.id)
  },
  'user.updated': (tx, event, { at }) => {
    writeUser(tx, event.user, at)
  },
  'user.deleted': (tx, event, context) => {
    const { at } = context
    listedAnew(context)
    const row = writeUser(tx, event.user, at)
    const hard = event.hard_delete === true
    if (row && (hard || event.mark_messages_deleted === true)) removal.deleteOfUser(tx, row.id, { hard, at })
  },
  'user.deactivated': (tx, event, context) => {
    listedAnew(context)
    writeUser(tx, event.user, context.at)
  },
  'user.reactivated': (tx, event, context) => {
    listedAnew(context)
    writeUser(tx, event.user, context.at)
  },
  'app.updated': (_tx, event, context) => {
    if (!context.live) return
    if (event.app) context.memory.uploadRules = uploadRulesOf(event.app)
    if (event.channel_type) refreshType(event.channel_type, context)
    context.later(() => {
      for (const topic of ['roles', 'settings'] as const) topicChanged(context, topic)
    })
  },
  'user.watching.start': (_tx, event, context) => noteWatchers(event, context),
  'user.watching.stop': (_tx, event, context) => {
    noteWatchers(event, context)
    if (event.user.id !== context.me || !context.live) return
    // No more events arrive for the channel: if it is on a screen it is fetched again.
    const cid = asCid(event.cid)
    const isShown = context.collector.openLists().some((view) => view.cid === cid)
    if (context.watched.delete(cid) && isShown) context.refetch(cid)
  },
}

/** Whether someone can sign in is shown only in the directory, which is not stored. */
function listedAnew(context: ApplyContext): void {
  if (context.live) topicChanged(context, 'people')
}

/**
 * What the viewer may do in channels of this type may have changed. Those on a screen are fetched now, others when they are
 * opened.
 */
function refreshType(type: string, context: ApplyContext): void {
  const shown = new Set(context.collector.openLists().map(({ cid }) => cid))
  for (const cid of context.watched) {
    if (!cid.startsWith(`${type}:`)) continue
    context.watched.delete(cid)
    if (shown.has(cid)) context.refetch(cid)
  }
}

type Parts = Pick<Core, 'api' | 'cache' | 'errands' | 'isHealthy' | 'life' | 'me' | 'memory'>

export const usersFeature = defineFeature({
  events: userEvents,
  ignored: { 'user.muted': 'mutes come with notification.mutes_updated' },
  create: (core: Parts) => ({
    onSettings: [{ order: 40, run: (before) => privacyChanged(core, before) }],
    offers: { setAway: (on: boolean) => setAway(core, on) },
  }),
})

/** Sent with the next connection if there is none. */
function setAway(core: Parts, on: boolean): void {
  const before = isAway(core.memory)
  core.memory.away = on
  if (isAway(core.memory) === before || !core.isHealthy() || core.cache.reader.isGuest) return
  const work = () => sendPrivacy(core, { ...privacyOf(core.memory.settings), away: !isAway(core.memory) })
  core.errands.begin({ key: 'away', part: 'workspace', isFresh: true, work })
}

/** Settings that are saved again as they were are what the viewer wants although another device has changed it. */
function privacyChanged(core: Parts, before: Settings): void {
  const { settings } = core.memory
  const isAgain = isSame(before, settings)
  if ((!isAgain && isSamePrivacy(before, settings)) || !core.isHealthy() || core.cache.reader.isGuest) return
  const own = users.byId(core.cache.reader, core.me)
  const known = isAgain
    ? { ...privacyOf(before), away: own?.away === true, invisible: own?.invisible === true }
    : { ...privacyOf(before), away: isAway({ away: core.memory.away, settings: before }) }
  const work = () => sendPrivacy(core, known)
  core.errands.begin({ key: 'privacy', part: 'workspace', isFresh: true, work })
}
