import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

type Place = { readonly cid: Cid; readonly parentId?: MessageId }

const placed = ({ cid, parentId }: Place) => (parentId === undefined ? { cid } : { cid, parentId })

/** Quiet: the view shows the error. */
export const loadUnreadPlaces = command(
  'unread/placesAsked',
  (_input: undefined, engine) => engine.channels.unreadPlaces(),
  {
    quiet: true,
  },
)
export const loadWhyUnread = command(
  'unread/whyAsked',
  (place: Place, engine) => engine.channels.whyUnread(placed(place)),
  {
    quiet: true,
  },
)
export const recount = command('unread/recounted', (place: Place, engine) => engine.channels.recount(placed(place)), {
  quiet: true,
})

export const readThread = command(
  'unread/threadRead',
  (input: { readonly cid: Cid; readonly parentId: MessageId }, engine) => engine.threads.markRead(input),
)
export const unreadThread = command(
  'unread/threadUnread',
  (input: { readonly cid: Cid; readonly parentId: MessageId; readonly messageId: MessageId }, engine) =>
    engine.threads.markUnread(input),
)
