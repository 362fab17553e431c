import type { MediaTabName } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as users from '#main/cache/people/users.ts'
import type { Core } from '../../core.ts'
import { findHeld } from '../search/held.ts'
import { askServer } from '../search/server.ts'
import { authorIs, requestOf } from './media.ts'

/** Newest things read at once: most of the people of a media tab are among them. */
const PAGE = 200
/** Each round finds someone more, or is the last. */
const MOST_ROUNDS = 50
/** People the server is asked about at once. See docs/wire.md 3.12. */
const ASKED_ABOUT = 100
/** Questions to the server, each about those whom the ones before did not find. */
const MOST_QUESTIONS = 5

type Input = {
  readonly cid: Cid
  readonly tab: MediaTabName
  readonly text: string
  readonly ask: 'cache' | 'server'
}

/** Whose things stand in a media tab: of all its messages that are held, and of what the server has of the members. */
export async function mediaPeople(core: Core, input: Input): Promise<readonly UserId[]> {
  let found = await authorsHeld(core, input, [])
  if (input.ask === 'cache' || !isAskable(input.tab)) return found
  for (let question = 0; question < MOST_QUESTIONS; question += 1) {
    const open = candidates(core, input).filter((userId) => !found.includes(userId))
    if (open.length === 0 || !(await askAbout(core, input, open))) break
    const more = await authorsHeld(core, input, found)
    if (more.length === found.length) break
    found = more
  }
  return found
}

/** The contract asks for attachments by their type; for links and polls it has no question. */
const isAskable = (tab: MediaTabName): boolean => tab === 'media' || tab === 'files'

/** Everyone beside those known already: after each page, what they have is left out of the next. */
async function authorsHeld(core: Core, input: Input, known: readonly UserId[]): Promise<readonly UserId[]> {
  const found = new Set(known)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const request = requestOf(core, { ...input, text: '', limit: PAGE })
    const others = [...found].map((userId) => authorIs(userId, true))
    const { keys } = await findHeld(core, { ...request, query: { ...request.query, filters: others } })
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

/** Members whose name has the words in it. */
function candidates(core: Core, { cid, text }: Input): readonly UserId[] {
  const ids = members.of(core.cache.reader, cid).map(({ userId }) => userId)
  const wanted = fold(text.trim())
  const named =
    wanted === ''
      ? ids
      : users.byIds(core.cache.reader, ids).flatMap(({ id, name }) => (fold(name).includes(wanted) ? [id] : []))
  return named.slice(0, ASKED_ABOUT)
}

async function askAbout(core: Core, input: Input, people: readonly UserId[]): Promise<boolean> {
  const request = requestOf(core, { ...input, text: '', limit: PAGE })
  const asked = { ...request, query: { ...request.query, filters: people.map((userId) => authorIs(userId)) } }
  return askServer(core, { typed: '', request: asked, answer: await findHeld(core, { ...asked, limit: 1 }) })
}
