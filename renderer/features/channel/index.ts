export { ChannelView } from './ChannelView.tsx'
export { MembersPanel } from './MembersPanel.tsx'
export { PanelHead } from './PanelHead.tsx'
export { PinnedPanel } from './PinnedPanel.tsx'
