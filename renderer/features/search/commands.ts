import type { SearchOrder } from '#shared/domain/search.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import type { OpenTarget } from '../../lib/open-target.ts'
import type { AppDispatch } from '../../store/store.ts'
import { accountSwitchStarted, jumpRequested, panelOpened, placeOpened } from '../../store/window/ui.ts'
import type { OpenAt } from '../messages/index.ts'
import { openBeside, openWindow } from '../windows/index.ts'

/** Errors are shown by the list. */
const quiet = { quiet: true }

export const openContext = command(
  'search/contextOpened',
  (input: { readonly cid: Cid } & OpenAt, engine) => engine.channels.open(input),
  quiet,
)
export const closeContext = command(
  'search/contextClosed',
  (input: { readonly cid: Cid }, engine) => engine.channels.close(input),
  quiet,
)
export const pageContext = command(
  'search/contextPaged',
  (input: { readonly cid: Cid; readonly direction: 'older' | 'newer' }, engine) => engine.channels.page(input),
  quiet,
)

export const chooseOrder = command('search/orderChosen', (searchOrder: SearchOrder, engine) =>
  engine.settings.update({ searchOrder }),
)

type HitPlace = { readonly cid: Cid; readonly messageId: MessageId; readonly parentId?: MessageId }

/** Opens the result's context in the panel, or its thread. */
const openInContext =
  ({ cid, messageId, parentId }: HitPlace) =>
  (dispatch: AppDispatch): void => {
    if (parentId === undefined) dispatch(panelOpened({ kind: 'context', cid, messageId }))
    else openThreadAt({ cid, messageId, parentId })(dispatch)
  }

/** Opens a result by the pressed modifiers: in context here, or in its channel or thread in a window or split view. */
export const openHit =
  ({ cid, messageId, parentId }: HitPlace, target: OpenTarget) =>
  (dispatch: AppDispatch): void => {
    if (target === 'window') dispatch(openWindow({ cid, parentId, messageId }))
    else if (target === 'here' || parentId !== undefined) dispatch(openInContext({ cid, messageId, parentId }))
    else dispatch(openBeside({ cid, messageId }))
  }

/** Shows the account of a result in this window, and opens the result there. */
export const openElsewhere =
  ({ account, cid, messageId, parentId }: HitPlace & { readonly account: string }) =>
  (dispatch: AppDispatch): void =>
    void dispatch(accountSwitchStarted({ key: account, place: { type: 'focus', cid, messageId, parentId } }))

/** Opens the thread of a message and scrolls to the reply. */
export const openThreadAt =
  ({ cid, messageId, parentId }: HitPlace) =>
  (dispatch: AppDispatch): void => {
    dispatch(panelOpened({ kind: 'thread', cid, parentId: parentId ?? messageId }))
    if (parentId !== undefined) dispatch(jumpRequested({ cid, messageId, parentId }))
  }

/** Opens the result in its conversation; going back restores the results. */
export const openInChannel =
  ({ cid, messageId, parentId }: HitPlace) =>
  (dispatch: AppDispatch): void => {
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
