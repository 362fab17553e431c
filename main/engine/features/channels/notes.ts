import { createHash } from 'node:crypto'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, type Cid, type UserId } from '#shared/lib/brand.ts'
import { NOTES_ID, splitCid } from '#shared/rules/channels/channels.ts'
import { queryChannel, updateChannel } from '#shared/wire/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { Core } from '../../core.ts'
import { asList, asWire } from '../../decode/read.ts'
import { requireConnection } from '../require-connection.ts'
import { DIRECT_TYPE } from './types.ts'

/** The same on every device of the user. A user's id may be longer than a channel's, and has other characters. */
const notesOf = (userId: UserId): Cid =>
  asCid(`${DIRECT_TYPE}:${NOTES_ID}${createHash('sha256').update(userId).digest('base64url')}`)

type Parts = Pick<Core, 'api' | 'asOf' | 'cache' | 'isHealthy' | 'life' | 'me'>

/**
 * Opens the viewer's notes to self; they are created on first use, which needs a connection. Another user who guessed the
 * id could have created the channel with themselves in it: that is refused (`channel/notes-shared`).
 *
 * @param open stores the server's response and returns the channel
 */
export async function openNotes(core: Parts, open: (reply: unknown, asOf: number) => Cid): Promise<Cid> {
  const cid = notesOf(core.me)
  if (channels.byCid(core.cache.reader, cid) !== undefined && members.own(core.cache.reader, cid) !== undefined)
    return cid
  requireConnection(core)
  const asOf = core.asOf()
  const ask = () =>
    core.api.send(queryChannel, {
      params: splitCid(cid),
      body: { data: { members: [core.me] }, state: true, watch: true, presence: true },
      signal: core.life,
    })
  let reply = await ask()
  if (asList(reply.members).length === 0) {
    await core.api.send(updateChannel, { params: splitCid(cid), body: { add_members: [core.me] }, signal: core.life })
    reply = await ask()
  }
  const inside = asList(reply.members).map((member) => asWire(member)?.['user_id'])
  if (inside.some((id) => id !== core.me)) throw new AppError('channel/notes-shared')
  return open(reply, asOf)
}
