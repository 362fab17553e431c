import type { Cid } from '#shared/lib/brand.ts'
import type { InfoPage } from '../../../store/window/ui.ts'
import { InfoPanel } from './InfoPanel.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { MediaPanel } from './MediaPanel.tsx'

/** The details of a channel, or one of their pages. */
export function InfoSheet({ cid, page }: { readonly cid: Cid; readonly page: InfoPage | undefined }) {
  if (page === undefined) return <InfoPanel cid={cid} />
  if (page === 'settings') return <SettingsPanel cid={cid} />
  return <MediaPanel key={`${cid} ${page}`} cid={cid} name={page} />
}
