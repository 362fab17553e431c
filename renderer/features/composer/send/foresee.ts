import type { WindowKey } from '#shared/domain/changes.ts'
import type { SendPayload } from '#shared/domain/intent.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { PLACE_STEP_MS } from '#shared/lib/order.ts'
import { presentBroadcasts } from '#shared/rules/messages/mentions.ts'
import { predictSend, quoteOf } from '#shared/rules/messages/predict.ts'
import { messageForeseen } from '../../../store/entities.ts'
import { selectConnection, selectMessage, selectSession } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import type { Place } from '../place.ts'

type Written = Pick<
  SendPayload,
  'text' | 'mentionedUserIds' | 'reach' | 'showInChannel' | 'uploadIds' | 'quotedId' | 'silent'
> & {
  readonly id: MessageId
  /** How long it can be undone, milliseconds. */
  readonly undoForMs: number
}

/**
 * Shows the message that is being handed to main at the end of its lists, by the rule that main uses, so that it is there
 * in the next frame. `undefined` where the end of these lists is not loaded.
 */
export function foresee(
  state: AppState,
  { cid, parentId }: Place,
  { id, undoForMs, reach, showInChannel, ...written }: Written,
): ReturnType<typeof messageForeseen> | undefined {
  const me = selectSession(state).userId
  const windows = listsWith(cid, parentId, showInChannel).filter((key) => isEndLoaded(state, key))
  const quotes = written.quotedId === undefined ? undefined : selectMessage(state, written.quotedId)
  const isQuoteUnknown = written.quotedId !== undefined && quotes === undefined
  if (me === undefined || windows.length === 0 || isQuoteUnknown) return undefined
  const now = Date.now()
  const newest = Math.max(0, ...windows.map((key) => newestIn(state, key)))
  const message = predictSend(
    {
      id,
      cid,
      parentId,
      messageId: id,
      state: undoForMs > 0 ? 'scheduled' : 'ready',
      nextAt: now + undoForMs,
      retryable: false,
      payload: {
        ...written,
        ...presentBroadcasts(written.text, reach),
        showInChannel: parentId !== undefined && showInChannel,
        quoted: quotes && quoteOf(quotes),
        placedAt: Math.max(now, newest + PLACE_STEP_MS),
      },
    },
    { me, online: selectConnection(state).state === 'healthy', upload: (each) => state.entities.uploads[each] },
  )
  return messageForeseen({ message, windows })
}

function listsWith(cid: Place['cid'], parentId: MessageId | undefined, showInChannel: boolean): readonly WindowKey[] {
  if (parentId === undefined) return [`timeline:${cid}`]
  return showInChannel ? [`thread:${parentId}`, `timeline:${cid}`] : [`thread:${parentId}`]
}

function isEndLoaded({ windows }: AppState, key: WindowKey): boolean {
  const window = windows.byKey[key]
  return window !== undefined && !window.hasNext && window.loading !== 'initial' && window.error === undefined
}

const newestIn = (state: AppState, key: WindowKey): number =>
  selectMessage(state, state.windows.byKey[key]?.ids.at(-1) ?? '')?.createdAt ?? 0
