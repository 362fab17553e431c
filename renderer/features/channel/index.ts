import { lazy } from 'react'

export { ChannelView } from './ChannelView.tsx'
export { PanelHead } from './PanelHead.tsx'
export { PinnedPanel } from './PinnedPanel.tsx'

/** They come when they are needed. */
export const MembersPanel = lazy(async () => ({ default: (await import('./MembersPanel.tsx')).MembersPanel }))
export const InfoSheet = lazy(async () => ({ default: (await import('./info/InfoSheet.tsx')).InfoSheet }))
export const ChannelQuestions = lazy(async () => ({
  default: (await import('./questions/ChannelQuestions.tsx')).ChannelQuestions,
}))
