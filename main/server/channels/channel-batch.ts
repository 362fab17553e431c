import * as v from 'valibot'
import { updateChannelsBatch } from '#shared/wire/channels.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, list } from '../http/shapes.ts'
import { openChannel, type Access } from './access.ts'
import { channelInput, memberList, readMembers } from './channels.ts'
import { finishTask, outcomesOf } from '../admin/tasks.ts'
import { needServer } from '../users/users.ts'
import { memberOf } from './member-table.ts'
import type { Work } from '../work.ts'
import { announceUpdate, changeOneMember, changeTags, fresh, mergeData, setHidden } from './channel-change.ts'
import { changeMembers } from './member-changes.ts'

/** The most channels that one call can change. */
const MAX_CHANNELS = 1_000

const texts = v.union([
  v.pipe(v.array(v.string()), v.maxLength(MAX_CHANNELS)),
  v.pipe(
    v.object({ $in: v.pipe(v.array(v.string()), v.maxLength(MAX_CHANNELS)) }),
    v.transform(({ $in }) => $in),
  ),
])

const batchBody = v.looseObject({
  operation: v.string(),
  filter: v.looseObject({ cids: v.optional(texts), types: v.optional(texts) }),
  members: memberList,
  data: channelInput,
  filter_tags_update: list(v.string(), 10),
  clear_history: flag,
})
type BatchBody = v.InferOutput<typeof batchBody>

type BatchInput = { readonly work: Work; readonly access: Access; readonly who: Identity; readonly body: BatchBody }

/** Changes members the way an update of one channel does. */
const membersAs =
  (key: string) =>
  ({ work, access, who, body }: BatchInput): void =>
    changeMembers(work, access, who, { [key]: body.members })

/** Runs a step for each of the named members, as that member. */
const eachMember =
  (step: (input: BatchInput, as: Identity) => void) =>
  (input: BatchInput): void => {
    const { cid } = input.access.channel
    for (const { userId } of readMembers(input.body.members, 'members')) {
      if (!memberOf(input.work.db, cid, userId)) refuse('doesNotExist', `user ${userId} is not a member of ${cid}`)
      step(input, { ...input.who, userId })
    }
  }

const setOwn = (set: Readonly<Record<string, boolean>>) =>
  eachMember(({ work, access }, as) => {
    changeOneMember(work, access, as, as.userId, { set })
  })

const OPERATIONS: Readonly<Record<string, (input: BatchInput) => void>> = {
  addMembers: membersAs('add_members'),
  removeMembers: membersAs('remove_members'),
  inviteMembers: membersAs('invites'),
  assignRoles: membersAs('assign_roles'),
  addModerators: membersAs('add_moderators'),
  demoteModerators: membersAs('demote_moderators'),
  hide: eachMember(({ work, access, body }, as) => setHidden(work, access, as, true, body.clear_history ?? false)),
  show: eachMember(({ work, access }, as) => setHidden(work, access, as, false)),
  archive: setOwn({ archived: true }),
  unarchive: setOwn({ archived: false }),
  updateData: ({ work, access, who, body }) => mergeData(work, access, who, { set: body.data }),
  addFilterTags: ({ work, access, who, body }) =>
    changeTags(work, access, who, { add_filter_tags: body.filter_tags_update }),
  removeFilterTags: ({ work, access, who, body }) =>
    changeTags(work, access, who, { remove_filter_tags: body.filter_tags_update }),
}

/** Operations on a member's own state: they do not change the channel for others. */
const PRIVATE: ReadonlySet<string> = new Set(['hide', 'show', 'archive', 'unarchive'])

/** One change to many channels, for a server token. See docs/wire.md 3.2 `/channels/batch`. */
export const channelBatchRoutes: readonly Route[] = [
  route(updateChannelsBatch, { body: batchBody }, ({ body, who }, work) => {
    needServer(who)
    const change = Object.hasOwn(OPERATIONS, body.operation) ? OPERATIONS[body.operation] : undefined
    if (!change) return refuse('input', `unknown operation ${body.operation}`, { operation: 'unknown' })
    const result = outcomesOf(work, found(work, body), (inner, cid) => changeOne(inner, cid, who, body, change))
    return { result, task_id: finishTask(work, { result }) }
  }),
]

function found(work: Work, { filter }: BatchBody): string[] {
  const [cids, types] = [filter.cids, filter.types].map((each) => (each?.length ? each : undefined))
  if (!cids && !types) return refuse('input', 'filter must name cids or types')
  const rows = work.db.all<{ cid: string }>(
    `SELECT cid FROM channels WHERE deleted_at IS NULL AND (? IS NULL OR cid IN (SELECT value FROM json_each(?)))
       AND (? IS NULL OR type IN (SELECT value FROM json_each(?))) ORDER BY cid LIMIT ?`,
    ...[cids, cids, types, types].map((each) => (each ? JSON.stringify(each) : null)),
    MAX_CHANNELS + 1,
  )
  if (rows.length > MAX_CHANNELS) refuse('input', `the filter finds more than ${MAX_CHANNELS} channels`)
  return rows.map((row) => row.cid)
}

function changeOne(work: Work, cid: string, who: Identity, body: BatchBody, change: (input: BatchInput) => void): void {
  const access = openChannel(work.db, cid, who)
  change({ work, access, who, body })
  if (!PRIVATE.has(body.operation)) announceUpdate(work, fresh(work, access, who), who)
}
