import { loadCode, part } from '../../lib/page/part.tsx'
import type { SmallPicture } from './info/picture.ts'

export { ChannelView } from './ChannelView.tsx'
export { PanelHead } from './PanelHead.tsx'
export { PinnedPanel } from './PinnedPanel.tsx'

/** Crops a picture to its center square and scales it down. Rejects when the file is not a picture. */
export const pictureFrom = async (file: Blob): Promise<SmallPicture> =>
  (await loadCode(() => import('./info/picture.ts'))).pictureFrom(file)

/** Loaded on first use. */
export const MembersPanel = part(async () => (await import('./MembersPanel.tsx')).MembersPanel)
export const InfoSheet = part(async () => (await import('./info/InfoSheet.tsx')).InfoSheet)
export const ChannelQuestions = part(async () => (await import('./questions/ChannelQuestions.tsx')).ChannelQuestions)
