import type { Cid } from '#shared/lib/brand.ts'
import type { SectionName } from '#shared/domain/settings.ts'
import type { Placement } from '../../../ui/Anchored/Anchored.tsx'
import { Menu } from '../../../ui/Menu/Menu.tsx'
import { useChannelMenu, useRowMenu } from './use-channel-menu.ts'
import { useSectionMenu } from './use-section-menu.ts'

type Opened = { readonly label: string; readonly anchor: Element | DOMRect; readonly onClose: () => void }

/** The buttons that open it are at the end of a row. */
const AT_END: Placement = { side: 'below', align: 'end', gap: 4 }

export function RowMenu({ cid, ...opened }: Opened & { readonly cid: Cid }) {
  const items = useRowMenu(cid)
  return <Menu {...opened} items={items()} />
}

export function ChannelMenu({ cid, ...opened }: Opened & { readonly cid: Cid }) {
  const items = useChannelMenu(cid)
  return <Menu {...opened} items={items()} placement={AT_END} />
}

type SectionProps = Opened & { readonly name: SectionName; readonly cids: readonly string[] }

export function SectionMenu({ name, cids, ...opened }: SectionProps) {
  const items = useSectionMenu(name, cids)
  return <Menu {...opened} items={items()} placement={AT_END} minWidth={230} />
}
