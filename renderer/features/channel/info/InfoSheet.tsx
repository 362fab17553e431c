import type { Panels } from '../../../store/window/kinds.ts'
import { InfoPanel } from './InfoPanel.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { MediaPanel } from './MediaPanel.tsx'

/** The details of a channel, or one of their pages. */
export function InfoSheet({ cid, page }: Panels['info']) {
  if (page === undefined) return <InfoPanel cid={cid} />
  if (page === 'settings') return <SettingsPanel cid={cid} />
  return <MediaPanel key={`${cid} ${page}`} cid={cid} name={page} />
}
