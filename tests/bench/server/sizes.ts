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
import { insertMessage, type NewMessage } from '#main/server/messages/message-table.ts'
import { SECOND } from '#main/server/store/time.ts'
import { transact } from '#main/server/work.ts'
import { root } from '../processes.ts'
import { channelCid, membersOf, planOf, sentence, totalOf, type SeedSize } from '../seeds.ts'
import { API_KEY, SECRET } from '../server-seed.ts'

/** The same users and channels each time; only the number of messages grows. */
export type Growth = SeedSize & { readonly label: string }

/** Different texts in a seed. */
const TEXTS = 4_999
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

/** The largest channel has a fifth of all messages. */
function growth(label: string, total: number): Growth {
  const largest = Math.floor(total / 5)
  const each = Math.floor((total - largest) / (CHANNELS - 1))
  const rest = Array.from({ length: CHANNELS - 1 }, () => each)
  return { name: 'S', label, people: PEOPLE, messages: [largest, ...rest] }
}

export const SIZES: readonly Growth[] = [growth('1k', 1_000), growth('100k', 100_000), growth('1M', 1_000_000)]

/** Cached between runs in a folder that is not committed; another schema or seed gets another file. */
const CACHE_FOLDER = join(root, 'node_modules/.cache/parlor-bench')
const SEED_VERSION = 1

/** A data folder with a copy of this size's store. Writes the store when it is not cached yet. */
export function sizedFolder(folder: string, size: Growth, log: (text: string) => void): void {
  const cachedPath = join(CACHE_FOLDER, `${size.label}-${SEED_VERSION}-${schemaVersion(folder)}.db`)
  if (!existsSync(cachedPath)) write(cachedPath, size, log)
  // A store belongs to the folder it was first opened in, unless the folder is new.
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  copyFileSync(cachedPath, join(folder, 'server.db'), constants.COPYFILE_FICLONE)
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
    insertMessage(
      db,
      row(`${size.label}-${channel}-${left[channel] ?? 0}`, channel, text, at, members[channel] ?? [], random),
    )
  }
  for (const index of size.messages.keys()) settle(db, size, index, now)
}

const seededRandom = (): (() => number) => {
  const ids = seededIds(11)
  return () => ids.random()
}

/** Every fifth to the largest, the others in turn; any user who still has room. */
function nextChannel(left: number[], index: number): number {
  const wanted = index % 5 === 0 ? 0 : 1 + (index % (CHANNELS - 1))
  const channel = (left[wanted] ?? 0) > 0 ? wanted : left.findIndex((count) => count > 0)
  left[channel] = (left[channel] ?? 0) - 1
  return channel
}

function row(
  id: string,
  channel: number,
  text: string,
  at: number,
  members: readonly string[],
  random: () => number,
): NewMessage {
  return {
    id,
    cid: channelCid(channel),
    user_id: members[Math.floor(random() * members.length)] ?? '',
    type: 'regular',
    text,
    parent_id: null,
    show_in_channel: 0,
    in_channel: 1,
    quoted_id: null,
    poll_id: null,
    silent: 0,
    shadowed: 0,
    created_at: at,
    updated_at: at,
    text_updated_at: null,
    deleted_at: null,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: '[]',
    mentions: '[]',
    custom: '{}',
  }
}

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
