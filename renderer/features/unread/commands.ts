import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { CatchUpPage } from '#shared/domain/unread.ts'
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
type CatchUpQuestion = {
  readonly since: number
  readonly unread: boolean
  readonly cid?: Cid
  readonly keywords: readonly string[]
  readonly barsFrom: number
  readonly barCount: number
}
export const loadCatchUp = command<CatchUpQuestion, CatchUpPage>(
  'unread/catchUpAsked',
  (input, engine) => engine.channels.catchUp({ ...input, keywords: [...input.keywords] }),
  { quiet: true },
)
export const loadSince = command(
  'unread/olderAsked',
  (input: { readonly cids: readonly Cid[]; readonly since: number }, engine) =>
    engine.channels.loadSince({ ...input, cids: [...input.cids] }),
  { quiet: true },
)
export const loadInterruptions = command(
  'unread/interruptionsAsked',
  (_input: undefined, engine) => engine.notifications.interruptions(),
  { quiet: true },
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
  (input: { readonly cid: Cid; readonly parentId: MessageId; readonly messageId?: MessageId }, engine) =>
    engine.threads.markUnread(input),
)
