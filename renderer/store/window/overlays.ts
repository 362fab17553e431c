import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** One attachment over everything else; the gallery around it is what its list has loaded. */
export type ViewerAsked = {
  readonly cid: Cid
  readonly messageId: MessageId
  /** Place of the attachment in its message. */
  readonly index: number
  /** The gallery to walk, oldest first, where it is no list of the conversation. */
  readonly among?: readonly Message[]
}

/** Whether the viewer shows an attachment: everything that has bytes; a link's picture belongs to its card. */
export const isShown = (attachment: Pick<Attachment, 'kind' | 'hasMedia'>): boolean =>
  attachment.hasMedia && attachment.kind !== 'link'

/** What any part of the window may lay over the whole of it. */
type OverlaysState = {
  readonly viewer?: ViewerAsked
  /** Messages to pass on, oldest first. */
  readonly forward?: readonly MessageId[]
  /** The channel in which someone wants to go to a day, and asks for which. */
  readonly day?: Cid
}

const initial: OverlaysState = {}

const slice = createSlice({
  name: 'overlays',
  initialState: initial,
  reducers: {
    viewerOpened(state: OverlaysState, { payload }: PayloadAction<ViewerAsked>): OverlaysState {
      return { ...state, viewer: payload }
    },
    viewerClosed({ viewer: _viewer, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
    /** Passing on is asked for in the conversation, so the viewer makes room. */
    forwardOpened(
      { viewer: _viewer, ...rest }: OverlaysState,
      { payload }: PayloadAction<{ readonly messageIds: readonly MessageId[] }>,
    ): OverlaysState {
      return { ...rest, forward: payload.messageIds }
    },
    forwardClosed({ forward: _forward, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
    dayAsked(state: OverlaysState, { payload }: PayloadAction<{ readonly cid: Cid }>): OverlaysState {
      return { ...state, day: payload.cid }
    },
    dayAnswered({ day: _day, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
  },
})

export const overlaysReducer = slice.reducer
export const { dayAnswered, dayAsked, forwardClosed, forwardOpened, viewerClosed, viewerOpened } = slice.actions
