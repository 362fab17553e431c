import { fetchCode, part } from '../../lib/page/part.tsx'
import type { SmallPicture } from './info/picture.ts'

export { ChannelView } from './ChannelView.tsx'
export { PanelHead } from './PanelHead.tsx'
export { PinnedPanel } from './PinnedPanel.tsx'

/** The middle square of a picture, made small. Rejects when the file is no picture. */
export const pictureFrom = async (file: Blob): Promise<SmallPicture> =>
  (await fetchCode(() => import('./info/picture.ts'))).pictureFrom(file)

/** They come when they are needed. */
export const MembersPanel = part(async () => (await import('./MembersPanel.tsx')).MembersPanel)
export const InfoSheet = part(async () => (await import('./info/InfoSheet.tsx')).InfoSheet)
export const ChannelQuestions = part(async () => (await import('./questions/ChannelQuestions.tsx')).ChannelQuestions)
