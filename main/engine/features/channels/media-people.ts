import type { MediaTabName } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as users from '#main/cache/people/users.ts'
import type { Core, Requests } from '../../core.ts'
import { findCached } from '../search/find-cached.ts'
import { askServer } from '../search/server.ts'
import { authorIs, requestOf } from './media.ts'

/** Newest messages read at once: most senders of a media tab are among them. */
const PAGE = 200
/** Each round finds another user, or is the last. */
const MOST_ROUNDS = 50
/** Users per request. See docs/wire.md 3.12. */
const USERS_PER_REQUEST = 100
/** Requests to the server, each about users that the previous ones did not find. */
const MOST_REQUESTS = 5

type Input = {
  readonly cid: Cid
  readonly tab: MediaTabName
  readonly text: string
  readonly ask: 'cache' | 'server'
}

type Parts = Requests & Pick<Core, 'cache' | 'log' | 'me' | 'ports' | 'search'>

/** Senders of the items in a media tab: of all cached messages, and of the server's messages by members. */
export async function mediaPeople(core: Parts, input: Input): Promise<readonly UserId[]> {
  let found = await cachedAuthors(core, input, [])
  if (input.ask === 'cache' || !isAskable(input.tab)) return found
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const open = candidates(core, input).filter((userId) => !found.includes(userId))
    if (open.length === 0 || !(await askAbout(core, input, open))) break
    const more = await cachedAuthors(core, input, found)
    if (more.length === found.length) break
    found = more
  }
  return found
}

/** The contract can filter attachments by type, but not links and polls. */
const isAskable = (tab: MediaTabName): boolean => tab === 'media' || tab === 'files'

/** Senders besides the known ones: after each page their messages are excluded from the next. */
async function cachedAuthors(core: Parts, input: Input, known: readonly UserId[]): Promise<readonly UserId[]> {
  const found = new Set(known)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const request = requestOf(core, { ...input, text: '', limit: PAGE })
    const others = [...found].map((userId) => authorIs(userId, true))
    const { keys } = await findCached(core, { ...request, query: { ...request.query, filters: others } })
    const before = found.size
    const rows = messages.byIds(
      core.cache.reader,
      keys.map(({ id }) => id),
    )
    for (const { userId, type } of rows) if (type !== 'deleted') found.add(userId)
    if (keys.length < PAGE || found.size === before) break
  }
  return [...found]
}

/** Members with a name that contains the text. */
function candidates(core: Pick<Core, 'cache'>, { cid, text }: Input): readonly UserId[] {
  const ids = members.of(core.cache.reader, cid).map(({ userId }) => userId)
  const wanted = fold(text.trim())
  const named =
    wanted === ''
      ? ids
      : users.byIds(core.cache.reader, ids).flatMap(({ id, name }) => (fold(name).includes(wanted) ? [id] : []))
  return named.slice(0, USERS_PER_REQUEST)
}

async function askAbout(core: Parts, input: Input, people: readonly UserId[]): Promise<boolean> {
  const request = requestOf(core, { ...input, text: '', limit: PAGE })
  const narrowed = { ...request, query: { ...request.query, filters: people.map((userId) => authorIs(userId)) } }
  return askServer(core, { typed: '', request: narrowed, answer: await findCached(core, { ...narrowed, limit: 1 }) })
}
