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
  viewer?: ViewerTarget
  /** Messages to forward, oldest first. */
  forward?: readonly MessageId[]
  /** The channel whose date picker is open. */
  day?: Cid
}

const initial: OverlaysState = {}

const slice = createSlice({
  name: 'overlays',
  initialState: initial,
  reducers: {
    viewerOpened(state: OverlaysState, { payload }: PayloadAction<ViewerTarget>) {
      state.viewer = payload
    },
    viewerClosed(state: OverlaysState) {
      delete state.viewer
    },
    /** The forward picker is shown over the conversation, so the viewer closes. */
    forwardOpened(state: OverlaysState, { payload }: PayloadAction<{ readonly messageIds: readonly MessageId[] }>) {
      delete state.viewer
      state.forward = payload.messageIds
    },
    forwardClosed(state: OverlaysState) {
      delete state.forward
    },
    dayPickerOpened(state: OverlaysState, { payload }: PayloadAction<{ readonly cid: Cid }>) {
      state.day = payload.cid
    },
    dayPickerClosed(state: OverlaysState) {
      delete state.day
    },
  },
})

export const overlaysReducer = slice.reducer
export const { dayPickerClosed, dayPickerOpened, forwardClosed, forwardOpened, viewerClosed, viewerOpened } =
  slice.actions
