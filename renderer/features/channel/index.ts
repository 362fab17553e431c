import { lazy } from 'react'
import type { SmallPicture } from './info/picture.ts'

export { ChannelView } from './ChannelView.tsx'
export { PanelHead } from './PanelHead.tsx'
export { PinnedPanel } from './PinnedPanel.tsx'

/** The middle square of a picture, made small. Rejects when the file is no picture. */
export const pictureFrom = async (file: Blob): Promise<SmallPicture> =>
  (await import('./info/picture.ts')).pictureFrom(file)

/** They come when they are needed. */
export const MembersPanel = lazy(async () => ({ default: (await import('./MembersPanel.tsx')).MembersPanel }))
export const InfoSheet = lazy(async () => ({ default: (await import('./info/InfoSheet.tsx')).InfoSheet }))
export const ChannelQuestions = lazy(async () => ({
  default: (await import('./questions/ChannelQuestions.tsx')).ChannelQuestions,
}))
