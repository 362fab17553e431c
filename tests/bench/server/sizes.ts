import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { seededIds } from '#kit/seeded-ids.ts'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { applyPlan } from '#main/server/seed/plan.ts'
import { openServices } from '#main/server/app.ts'
import type { Db } from '#main/server/store/db.ts'
import { recountMessages, stampChannel } from '#main/server/channels/channel-table.ts'
import { changeMember, recountUnread } from '#main/server/channels/member-table.ts'
import { aStoredMessage } from '#kit/rows.ts'
import { insertMessage, messageById, recountReplies, type NewMessage } from '#main/server/messages/message-table.ts'
import { noteReply } from '#main/server/threads/thread-table.ts'
import { SECOND } from '#main/server/store/time.ts'
import { transact } from '#main/server/work.ts'
import { root } from '../processes.ts'
import { channelCid, membersOf, planOf, sentence, totalOf, type SeedSize } from '../seeds.ts'
import { API_KEY, SECRET } from '../server-seed.ts'

/** The same users and channels each time; only the number of messages grows. */
export type Growth = SeedSize & {
  readonly label: string
  /** Of every hundredth message of a channel, counted from its newest; none by default. */
  readonly replies?: number
}

/** Different texts in a seed. */
const TEXTS = 4_999
const THREAD_EVERY = 100
const CHANNELS = 50
const PEOPLE = 200
/** Members of the largest channel that have never read it. */
const NEVER_READ = 10
/** Messages with the rare word, in every size. */
const NEEDLES = 40
export const RARE_WORD = 'quartzite'
export const COMMON_WORD = 'route'
/** The channel with the fewest messages that contain a common word. */
export const SMALLEST = CHANNELS - 1

type Shape = { readonly people: number; readonly channels: number; readonly replies?: number }

/** The largest channel has a fifth of all messages. */
export function growth(label: string, total: number, { people, channels, replies }: Shape): Growth {
  const largest = Math.floor(total / 5)
  const each = Math.floor((total - largest) / (channels - 1))
  const rest = Array.from({ length: channels - 1 }, () => each)
  return { name: 'S', label, people, messages: [largest, ...rest], replies }
}

const SHAPE: Shape = { people: PEOPLE, channels: CHANNELS }
export const SIZES: readonly Growth[] = [
  growth('1k', 1_000, SHAPE),
  growth('100k', 100_000, SHAPE),
  growth('1M', 1_000_000, SHAPE),
]

/** Cached between runs in a folder that is not committed; another schema or seed gets another file. */
const CACHE_FOLDER = join(root, 'node_modules/.cache/parlor-bench')
const SEED_VERSION = 1

/**
 * A data folder with a copy of this size's store. Writes the store when it is not cached yet.
 *
 * @returns the path of the cached store
 */
export function sizedFolder(folder: string, size: Growth, log: (text: string) => void): string {
  const shape = size.replies === undefined ? '' : `-${size.messages.length}-channels`
  const cachedPath = join(CACHE_FOLDER, `${size.label}${shape}-${SEED_VERSION}-${schemaVersion(folder)}.db`)
  if (!existsSync(cachedPath)) write(cachedPath, size, log)
  // A store belongs to the folder it was first opened in, unless the folder is new.
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  copyFileSync(cachedPath, join(folder, 'server.db'), constants.COPYFILE_FICLONE)
  return cachedPath
}

/** An empty store is opened to read it. */
function schemaVersion(folder: string): number {
  const services = servicesIn(folder)
  const version = Number(services.db.pragma('user_version'))
  services.db.close()
  return version
}

const servicesIn = (folder: string) =>
  openServices({
    dataFolder: folder,
    apiKey: API_KEY,
    secret: SECRET,
    clock: systemClock,
    ids: systemIds,
    log: silentSink,
    localUrl: () => 'http://127.0.0.1:0',
  })

/** All of it in one transaction, by the store's own functions. */
function write(cachedPath: string, size: Growth, log: (text: string) => void): void {
  const startedAt = performance.now()
  const folder = `${cachedPath}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  const services = servicesIn(folder)
  // A big transaction should not fall out of the page cache.
  services.db.pragma('cache_size = -400000')
  transact(services, ({ db, now }) => {
    applyPlan(db, planOf({ ...size, messages: size.messages.map(() => 0) }), now, () => {
      throw new Error('A bench seed has no files')
    })
    writeMessages(db, size, now)
  })
  services.db.pragma('wal_checkpoint(TRUNCATE)')
  services.db.close()
  renameSync(join(folder, 'server.db'), cachedPath)
  rmSync(folder, { recursive: true })
  log(`seed ${size.label}: ${totalOf(size)} messages in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}

/** A message every few seconds, the channels in turn by how many they have, the newest a minute ago. */
function writeMessages(db: Db, size: Growth, now: number): void {
  const random = seededRandom()
  const total = totalOf(size)
  const step = Math.min(60 * SECOND, Math.floor((25 * 86_400 * SECOND) / total))
  const needle = Math.floor(total / NEEDLES)
  const left = [...size.messages]
  const members = size.messages.map((_, channel) => membersOf(size, channel))
  const texts = Array.from({ length: TEXTS }, () => sentence(random))
  for (let index = 0; index < total; index += 1) {
    const channel = nextChannel(left, index)
    const at = now - 60 * SECOND - (total - index) * step
    const text = (texts[index % TEXTS] ?? '') + (index % needle === 0 ? ` ${RARE_WORD}` : '')
    const place = left[channel] ?? 0
    const authors = members[channel] ?? []
    const user_id = authors[Math.floor(random() * authors.length)] ?? ''
    const message = row({
      id: messageId(size, channel, place),
      cid: channelCid(channel),
      user_id,
      text,
      created_at: at,
    })
    insertMessage(db, message)
    if (size.replies !== undefined && place % THREAD_EVERY === 0) {
      writeReplies(db, message, authors, size.replies, Math.floor(step / (2 * size.replies)))
    }
  }
  for (const index of size.messages.keys()) settle(db, size, index, now)
}

/** @param place 0 for the newest of the channel */
export const messageId = ({ label }: Growth, channel: number, place: number): string => `${label}-${channel}-${place}`

/** @param number 1 for the first */
export const replyId = (parentId: string, number: number): string => `${parentId}-reply-${number}`

/** By all but the viewer, who then has no unread thread. */
function writeReplies(db: Db, parent: NewMessage, members: readonly string[], count: number, step: number): void {
  const [, ...others] = members
  for (let number = 1; number <= count; number += 1) {
    const reply = row({
      id: replyId(parent.id, number),
      cid: parent.cid,
      user_id: others[number % others.length] ?? '',
      text: `Reply ${number}`,
      created_at: parent.created_at + number * step,
      parent_id: parent.id,
    })
    insertMessage(db, reply)
    const stored = messageById(db, reply.id)
    if (stored) noteReply(db, stored, parent.id, [])
  }
  recountReplies(db, parent.id)
}

const seededRandom = (): (() => number) => {
  const ids = seededIds(11)
  return () => ids.random()
}

/** Every fifth to the largest, the others in turn; any user who still has room. */
function nextChannel(left: number[], index: number): number {
  const wanted = index % 5 === 0 ? 0 : 1 + (index % (left.length - 1))
  const channel = (left[wanted] ?? 0) > 0 ? wanted : left.findIndex((count) => count > 0)
  left[channel] = (left[channel] ?? 0) - 1
  return channel
}

type Written = Pick<NewMessage, 'id' | 'cid' | 'user_id' | 'text' | 'created_at'> & { readonly parent_id?: string }

const row = ({ parent_id: parentId, ...written }: Written): NewMessage =>
  aStoredMessage({
    ...written,
    type: parentId === undefined ? 'regular' : 'reply',
    parent_id: parentId ?? null,
    in_channel: Number(parentId === undefined),
  })

/** Everything is read, except by some members of the largest channel, who never opened it. */
function settle(db: Db, size: Growth, index: number, now: number): void {
  const cid = channelCid(index)
  stampChannel(db, cid, now)
  recountMessages(db, cid)
  for (const [place, userId] of membersOf(size, index).entries()) {
    const never = index === 0 && place >= 20 && place < 20 + NEVER_READ
    changeMember(db, cid, userId, { last_read: never ? 0 : now, unread: 0 })
  }
  recountUnread(db, cid)
}
