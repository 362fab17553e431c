import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { countUsers } from '../users/user-tables.ts'
import { insertUpload, fileUrl } from '../uploads/upload-files.ts'
import { transact, type Services } from '../work.ts'
import {
  type SeedMessage,
  type SeedPlan,
  type SeedRead,
  type SeedEmoji,
  type SeedPoll,
  applyPlan,
  type Publish,
} from './plan.ts'
import { channels, memberships, people, routineScenes } from './demo/team.ts'
import { designScenes, releaseScenes } from './demo/scenes/projects.ts'
import { otherScenes, fieldScenes, officeScenes } from './demo/scenes/others.ts'
import { perform } from './demo/script.ts'

/** Writes the demo team into a store that is still empty; an existing workspace is left as it is. */
export function seedDemo(services: Services, resources: string): boolean {
  if (countUsers(services.db) > 0) return false
  transact(services, (work) => applyPlan(work.db, demoPlan(), work.now, publisher(services, resources, work.now)))
  return true
}

/** Each resource is copied once, even if several messages use it. */
function publisher(services: Services, resources: string, now: number): Publish {
  const done = new Map<string, ReturnType<Publish>>()
  return ({ file, title, mimeType, userId, side = null }) => {
    const known = done.get(file)
    if (known) return known
    const id = randomBytes(16).toString('hex')
    const sizeBytes = services.blobs.import(id, join(resources, 'demo', file))
    insertUpload(services.db, {
      id,
      name: title,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      user_id: userId,
      cid: null,
      width: side,
      height: side,
      created_at: now,
    })
    const result = { id, url: fileUrl(services.localUrl(), id, title), sizeBytes }
    done.set(file, result)
    return result
  }
}

/** The team's custom emoji: its logo, a trail mark, and Gerald. */
const emoji: readonly SeedEmoji[] = [
  { name: 'cairn', aliases: ['kopczyk'], file: 'emoji-cairn.png', side: 128, userId: 'priya' },
  { name: 'szlak', aliases: ['trail'], file: 'emoji-szlak.png', side: 128, userId: 'tomasz' },
  { name: 'gerald', aliases: ['sourdough'], file: 'emoji-gerald.png', side: 128, userId: 'marcus' },
]

/** The demo workspace: a team of twelve, three weeks, three languages. Pure data; the same every time. */
export function demoPlan(): SeedPlan {
  const scenes = [
    ...routineScenes(),
    ...releaseScenes,
    ...designScenes,
    ...fieldScenes,
    ...officeScenes,
    ...otherScenes,
  ]
  const messages = perform(scenes)
  return { people, channels, messages, polls, memberships, emoji, reads: readsOfOla(messages) }
}

/** Channels with unread messages of the default user, and their number. */
const UNREAD: Readonly<Record<string, number>> = {
  'team:release-4-2': 2,
  'team:design-crit': 4,
  'team:support-triage': 6,
  'team:komanda-almaty': 5,
  'team:field-trips': 2,
  'dm-priya': 1,
  'team:random': 3,
}

function readsOfOla(messages: readonly SeedMessage[]): SeedRead[] {
  return Object.entries(UNREAD).flatMap(([cid, count]) => {
    const shown = messages
      .filter((message) => message.cid === cid && message.parentId === undefined)
      .toSorted((a, b) => a.at - b.at)
    const lastRead = shown[count]
    return lastRead === undefined ? [] : [{ cid, userId: 'ola', atMessageId: lastRead.id }]
  })
}

const polls: readonly SeedPoll[] = [
  {
    id: 'demo-poll-valley',
    createdBy: 'tomasz',
    name: 'Where do we test on Saturday?',
    description: 'Two cars, eight places',
    options: [
      { id: 'koscieliska', text: 'Dolina Kościeliska', votes: ['ola', 'tomasz', 'ewa', 'hana', 'luis'] },
      { id: 'chocholowska', text: 'Dolina Chochołowska', votes: ['priya', 'jonas'] },
      { id: 'pieniny', text: 'Trzy Korony', votes: ['marcus'] },
    ],
    enforceUniqueVote: true,
  },
  {
    id: 'demo-poll-icons',
    createdBy: 'hana',
    name: 'Which closure icons stay?',
    options: [
      { id: 'barrier', text: 'Barrier', votes: ['jonas', 'marcus', 'priya', 'sofia'] },
      { id: 'cone', text: 'Traffic cone', votes: ['tomasz'] },
      { id: 'hand', text: 'Raised hand', votes: ['ola', 'sofia'] },
      { id: 'cross', text: 'Plain cross', votes: ['marcus', 'jonas', 'ola'] },
    ],
    maxVotesAllowed: 2,
  },
  {
    id: 'demo-poll-lunch',
    createdBy: 'ewa',
    name: 'Co zamawiamy w piątek?',
    options: [
      { id: 'pierogi', text: 'Pierogi', votes: ['ewa', 'tomasz', 'ola'] },
      { id: 'ramen', text: 'Ramen', votes: ['hana'] },
      { id: 'pizza', text: 'Pizza', votes: ['priya'] },
    ],
    closed: true,
  },
  {
    id: 'demo-poll-offsite',
    createdBy: 'priya',
    name: 'Offsite: how was it?',
    options: [
      { id: 'great', text: 'Again, please', votes: ['ola', 'nadia', 'hana'] },
      { id: 'fine', text: 'Good, but shorter', votes: [] },
    ],
    anonymous: true,
    allowAnswers: true,
  },
]
