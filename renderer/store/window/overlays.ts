import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** The attachment open in the viewer; its gallery is what the message list has loaded. */
export type ViewerTarget = {
  readonly cid: Cid
  readonly messageId: MessageId
  /** Index of the attachment in its message. */
  readonly index: number
  /** The messages of the gallery, oldest first, if it is not the message list of the conversation. */
  readonly among?: readonly Message[]
}

/** Whether the viewer shows an attachment: everything with media, except the image of a link preview. */
export const isShown = (attachment: Pick<Attachment, 'kind' | 'hasMedia'>): boolean =>
  attachment.hasMedia && attachment.kind !== 'link'

/** Overlays that any part of the window can open. */
type OverlaysState = {
  readonly viewer?: ViewerTarget
  /** Messages to forward, oldest first. */
  readonly forward?: readonly MessageId[]
  /** The channel whose date picker is open. */
  readonly day?: Cid
}

const initial: OverlaysState = {}

const slice = createSlice({
  name: 'overlays',
  initialState: initial,
  reducers: {
    viewerOpened(state: OverlaysState, { payload }: PayloadAction<ViewerTarget>): OverlaysState {
      return { ...state, viewer: payload }
    },
    viewerClosed({ viewer: _viewer, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
    /** The forward picker is shown over the conversation, so the viewer closes. */
    forwardOpened(
      { viewer: _viewer, ...rest }: OverlaysState,
      { payload }: PayloadAction<{ readonly messageIds: readonly MessageId[] }>,
    ): OverlaysState {
      return { ...rest, forward: payload.messageIds }
    },
    forwardClosed({ forward: _forward, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
    dayPickerOpened(state: OverlaysState, { payload }: PayloadAction<{ readonly cid: Cid }>): OverlaysState {
      return { ...state, day: payload.cid }
    },
    dayPickerClosed({ day: _day, ...rest }: OverlaysState): OverlaysState {
      return rest
    },
  },
})

export const overlaysReducer = slice.reducer
export const { dayPickerClosed, dayPickerOpened, forwardClosed, forwardOpened, viewerClosed, viewerOpened } =
  slice.actions
