import { createHash } from 'node:crypto'
import type {
  ChannelTarget,
  CheckedChannel,
  CheckedPerson,
  ImportSource,
  PersonTarget,
} from '#shared/domain/imports.ts'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { cutText } from '#shared/rules/messages/text.ts'
import { isUserId } from '#shared/wire/users.ts'
import { distinctId } from '#main/lib/ids.ts'
import { addMember, createChannel } from '../channels/channels.ts'
import { channelByCid, recountMembers } from '../channels/channel-table.ts'
import { memberOf } from '../channels/member-table.ts'
import { refuse } from '../http/refusal.ts'
import { appSettings } from '../admin/settings.ts'
import type { Db } from '../store/db.ts'
import type { Micros } from '../store/time.ts'
import { userById } from '../users/user-tables.ts'
import { upsertUser } from '../users/users.ts'
import type { Work } from '../work.ts'
import { sourceKey, titleOf } from './history.ts'
import { importedRow, insertImport, noteImported, retarget, type ImportFacts, type ImportRow } from './import-tables.ts'
import type { Survey, SurveyedChannel } from './survey.ts'

export type Choices = {
  readonly owner: string
  /** As on the wire: `new`, `former` or an id. */
  readonly people: Readonly<Record<string, string>>
  /** `new`, `skip` or a cid. */
  readonly channels: Readonly<Record<string, string>>
}

type Start = {
  readonly source: ImportSource
  readonly path: string
  readonly name: string
  readonly survey: Survey
  readonly choices: Choices
}

/** More than a person reads; the contract's own lists of members have pages. */
const MOST_MEMBERS = 1_000
const LONGEST_NAME = 100

/**
 * Writes down an import: its people and channels, and who and what they are here. Everything after it only adds
 * messages, so that it can go on from these rows alone.
 */
export function beginImport(work: Work, { source, path, name, survey, choices }: Start): ImportRow {
  const people = survey.checkedPeople()
  const channels = survey.checkedChannels()
  const targets = channels.map((channel) => ({ channel, target: channelTarget(channel, choices) }))
  const used = targets.filter(({ target }) => target !== 'skip')
  const skipped = targets.filter(({ target }) => target === 'skip').map(({ channel }) => channel)
  const fresh = (id: string): number => {
    const { messages = 0, known = 0 } = survey.channels.get(id) ?? {}
    return messages - known
  }
  const facts: ImportFacts = {
    left: Object.fromEntries(survey.left),
    skipped: skipped.map((channel) => ({ id: channel.id, name: titleOf(channel), messages: channel.messages })),
    people: people.length,
    channels: used.length,
  }
  const row = insertImport(work.db, {
    source,
    path,
    name,
    total: used.reduce((sum, { channel }) => sum + fresh(channel.id), 0),
    facts: JSON.stringify(facts),
    created_at: work.now,
  })
  const team = new Team(work, row, choices)
  for (const person of people) team.add(person)
  for (const { channel, target } of used) {
    const found = survey.channels.get(channel.id)
    if (found && target !== 'skip') team.open(found, target)
  }
  const first = team.firstOf(
    used.toSorted((a, b) => b.channel.messages - a.channel.messages).map(({ channel }) => channel.id),
  )
  if (first) work.db.run('UPDATE imports SET facts = ? WHERE id = ?', JSON.stringify({ ...facts, first }), row.id)
  return row
}

/** What the choice says of a person, or what the check found. */
function personTarget(person: CheckedPerson, choices: Choices): PersonTarget {
  const chosen = Object.hasOwn(choices.people, person.id) ? choices.people[person.id] : undefined
  if (chosen === undefined) return person.target
  return chosen === 'new' || chosen === 'former' ? chosen : { userId: asUserId(chosen) }
}

function channelTarget(channel: CheckedChannel, choices: Choices): ChannelTarget {
  const chosen = Object.hasOwn(choices.channels, channel.id) ? choices.channels[channel.id] : undefined
  if (chosen === undefined) return channel.target
  return chosen === 'new' || chosen === 'skip' ? chosen : { cid: asCid(chosen) }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24)

/** The people and channels of one import, as they are written. */
class Team {
  readonly #work: Work
  readonly #row: ImportRow
  readonly #choices: Choices
  /** By their ids in the export. */
  readonly #users = new Map<string, { readonly userId: string; readonly isHere: boolean; readonly joins: boolean }>()
  readonly #cids = new Map<string, { readonly cid: string; readonly name: string }>()

  constructor(work: Work, row: ImportRow, choices: Choices) {
    this.#work = work
    this.#row = row
    this.#choices = choices
  }

  add(person: CheckedPerson): void {
    const { source } = this.#row
    const { db } = this.#work
    const target = personTarget(person, this.#choices)
    const key = sourceKey(source, 'person', person.id)
    const isChosen = typeof target === 'object'
    const userId = isChosen ? target.userId : newUserId(source, person.id, key)
    if (isChosen && !userById(db, userId)) refuse('doesNotExist', `The following users do not exist: ${userId}`)
    const isNew = !isChosen && !userById(db, userId)
    if (isNew) this.#create(userId, person, target === 'former')
    else if (!isChosen) this.#settle(userId, target === 'former')
    this.#note('person', key, userId, isNew)
    const isHere = isChosen && userById(db, userId)?.deactivated_at === null && !userId.startsWith(`${source}-`)
    this.#users.set(person.id, { userId, isHere, joins: target !== 'former' })
  }

  #create(userId: string, { name }: CheckedPerson, isFormer: boolean): void {
    const { db, now } = this.#work
    const shown = name.trim() === '' ? userId : cutText(name.trim(), PERSON_NAME_LENGTH)
    // A workspace may want names to be unique.
    const isTaken = appSettings(db).enforce_unique_usernames !== 'no' && hasName(db, shown)
    const details = { name: isTaken ? `${shown} (${userId})` : shown, imported_from: this.#row.source }
    upsertUser(db, userId, details, now, 'user')
    if (isFormer) db.changing('users').run('UPDATE users SET deactivated_at = ? WHERE id = ?', now, userId)
  }

  /** Somebody of an earlier import, whom the user has chosen to be a member or not. Not of those who have been here. */
  #settle(userId: string, isFormer: boolean): void {
    const { db, now } = this.#work
    if (userById(db, userId)?.last_active !== null) return
    db.changing('users').run('UPDATE users SET deactivated_at = ? WHERE id = ?', isFormer ? now : null, userId)
  }

  open(channel: SurveyedChannel, target: Exclude<ChannelTarget, 'skip'>): void {
    const { db, now } = this.#work
    const inIt = [...new Set([...channel.members, ...channel.authors])].flatMap((id) => this.#users.get(id) ?? [])
    const joining = inIt.filter(({ joins }) => joins)
    const hasSomebody = joining.some(({ isHere }) => isHere)
    // Otherwise nobody who can sign in would ever see it.
    const withOwner = channel.kind === 'direct' && hasSomebody ? [] : [this.#choices.owner]
    const members = [...new Set([...withOwner, ...joining.map(({ userId }) => userId)])].slice(0, MOST_MEMBERS)
    const key = sourceKey(this.#row.source, 'channel', channel.id)
    const directCid = `messaging:${distinctId(inIt.map(({ userId }) => userId))}`
    const isDirect = channel.kind === 'direct' && hasSomebody && inIt.length > 1 && !isGone(db, directCid)
    const cid = typeof target === 'object' ? target.cid : isDirect ? directCid : this.#ownCid(key)
    const found = channelByCid(db, cid)
    if (typeof target === 'object' && found?.deleted_at !== null)
      refuse('doesNotExist', `Can't find channel with id ${cid}`)
    const isNew = found === undefined
    const everyone = isDirect ? [...new Set(inIt.map(({ userId }) => userId))] : members
    if (isNew) this.#createChannel(cid, channel, everyone, isDirect)
    else if (!isDirect) this.#join(cid, everyone, now)
    this.#note('channel', key, cid, isNew)
    this.#cids.set(channel.id, { cid, name: titleOf(channel) })
  }

  /** Of an import's own channel. One that was deleted here stays so. */
  #ownCid(key: string): string {
    const cid = `team:import-${digest(key)}`
    return isGone(this.#work.db, cid) ? `team:import-${digest(`${key} ${this.#row.id}`)}` : cid
  }

  #createChannel(
    cid: string,
    { name, topic, kind, first }: SurveyedChannel,
    members: readonly string[],
    isDirect: boolean,
  ): void {
    const [type = 'team', id = ''] = cid.split(':')
    const title = cutText(name.trim() || 'import', LONGEST_NAME)
    const data = isDirect
      ? {}
      : {
          name: title,
          ...(topic ? { topic: cutText(topic, 250) } : {}),
          ...(kind === 'public' ? {} : { private: true }),
        }
    createChannel(
      this.#work.db,
      {
        type,
        id,
        createdBy: this.#choices.owner,
        data,
        members: members.map((userId) => ({ userId, role: undefined, custom: {} })),
        invites: [],
      },
      // As old as what is in it, so that lists by activity show it where it belongs.
      Math.min(first, this.#work.now),
    )
  }

  /** Those who write in an existing channel become members of it. */
  #join(cid: string, members: readonly string[], now: Micros): void {
    const { db } = this.#work
    for (const userId of members) {
      if (memberOf(db, cid, userId)) continue
      addMember(db, cid, { userId, role: undefined, custom: {} }, now)
      this.#note('member', JSON.stringify([cid, userId]), userId, true)
    }
    recountMembers(db, cid)
  }

  #note(kind: 'person' | 'channel' | 'member', key: string, target: string, isNew: boolean): void {
    const { db } = this.#work
    const before = importedRow(db, key)
    const noted = { key, kind, target, added: Number(isNew), import_id: this.#row.id }
    if (before && before.target !== target) retarget(db, noted)
    else noteImported(db, noted)
  }

  firstOf(ids: readonly string[]): { readonly cid: string; readonly name: string } | undefined {
    return ids.flatMap((id) => this.#cids.get(id) ?? [])[0]
  }
}

const isGone = (db: Db, cid: string): boolean => (channelByCid(db, cid)?.deleted_at ?? null) !== null

const hasName = (db: Db, name: string): boolean => db.get('SELECT 1 FROM users WHERE name = ?', name) !== undefined

/** Readable where the id of the export can be one of ours. */
function newUserId(source: ImportSource, id: string, key: string): string {
  const plain = `${source}-${id}`
  return isUserId(plain) && plain.length <= 80 ? plain : `${source}-${digest(key)}`
}
