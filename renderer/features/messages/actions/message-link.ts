import type { Message } from '#shared/domain/message.ts'
import type { Session } from '#shared/domain/session.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'

/** Ids that need no escaping in a link. Parsed by `parseDeepLink`. */
const CID = /^[\w-]{1,64}:[\w!-]{1,64}$/
const MESSAGE_ID = /^[\w-]{1,255}$/
const MAX_LENGTH = 512

type Place = Pick<Message, 'cid' | 'id'>

/** Whether the message can have a link. */
export const isLinkable = ({ cid, id }: Place): boolean =>
  CID.test(cid) && MESSAGE_ID.test(id) && id.length + cid.length < MAX_LENGTH - 128

/** `parlor://open/<workspace>/message/<cid>/<id>`; `undefined` if no valid link is possible. */
export function messageLink(message: Place, workspace: Session['workspace']): string | undefined {
  if (workspace === undefined || !isLinkable(message)) return undefined
  return `parlor://open/${linkWorkspace(workspace)}/message/${message.cid}/${message.id}`
}
