import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { LinkPreview } from '#shared/domain/attachment.ts'
import type { PreviewEntry } from '#shared/rules/messages/link-previews.ts'
import { submitted } from './composers.ts'

/** Link previews by composer key; not part of the composition, because they are not saved with drafts. */
type LinkPreviewsState = Readonly<Record<string, readonly PreviewEntry[]>>

const nothing: LinkPreviewsState = {}

type OfLink<More = unknown> = PayloadAction<{ readonly key: string; readonly url: string } & More>

function changed(
  state: LinkPreviewsState,
  { key, url }: { readonly key: string; readonly url: string },
  change: (entry: PreviewEntry) => PreviewEntry,
): LinkPreviewsState {
  const entries = state[key]
  return entries ? { ...state, [key]: entries.map((entry) => (entry.url === url ? change(entry) : entry)) } : state
}

const slice = createSlice({
  name: 'linkPreviews',
  initialState: nothing,
  reducers: {
    previewsPlanned(
      state: LinkPreviewsState,
      { payload }: PayloadAction<{ readonly key: string; readonly entries: readonly PreviewEntry[] }>,
    ): LinkPreviewsState {
      return { ...state, [payload.key]: payload.entries }
    },
    /** Ignored unless the preview is still loading. */
    previewLoaded(state: LinkPreviewsState, { payload }: OfLink<{ preview: LinkPreview }>): LinkPreviewsState {
      const { preview } = payload
      return changed(state, payload, (entry) =>
        entry.state === 'loading' ? { ...entry, state: 'loaded', preview } : entry,
      )
    },
    /** `waits`: there was no connection, so it is retried automatically. */
    previewFailed(state: LinkPreviewsState, { payload }: OfLink<{ waits: boolean }>): LinkPreviewsState {
      const next = payload.waits ? 'pending' : 'failed'
      return changed(state, payload, (entry) => (entry.state === 'loading' ? { ...entry, state: next } : entry))
    },
    previewTried(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return changed(state, payload, (entry) => ({ url: entry.url, state: 'loading' }))
    },
    previewDismissed(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return changed(state, payload, (entry) => ({ ...entry, state: 'dismissed' }))
    },
    previewRestored(state: LinkPreviewsState, { payload }: OfLink): LinkPreviewsState {
      return changed(state, payload, (entry) =>
        entry.preview === undefined ? { ...entry, state: 'failed' } : { ...entry, state: 'loaded' },
      )
    },
  },
  extraReducers: (builder) =>
    builder.addCase(submitted, (state, { payload: { key } }) => {
      const { [key]: _sent, ...others } = state
      return others
    }),
})

export const linkPreviewsReducer = slice.reducer
export const { previewDismissed, previewFailed, previewLoaded, previewRestored, previewTried, previewsPlanned } =
  slice.actions
