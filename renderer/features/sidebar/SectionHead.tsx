import type { ReactNode } from 'react'
import type { SectionName } from '#shared/domain/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { useMenu } from '../../ui/Menu/use-menu.tsx'
import { updateSettings } from '../settings/index.ts'
import { forYouOf } from './selectors.ts'
import { useSectionMenu } from './menus/use-section-menu.ts'
import { useSectionTitles } from './use-section-title.ts'
import styles from './Sidebar.module.css'

type Props = {
  readonly name: SectionName
  readonly isClosed: boolean
  readonly cids: readonly string[]
  readonly children: ReactNode
}

/** Heading of a section; collapses and expands it. A collapsed one still shows its mention count. */
export function SectionHead({ name, isClosed, cids, children }: Props) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const closedSections = useSetting('closedSections')
  const title = useSectionTitles()(name)
  const menu = useMenu({
    label: t('section.options', { name: title }),
    items: useSectionMenu(name, cids),
    placement: { side: 'below', align: 'end', gap: 4 },
    minWidth: 230,
  })
  const forYou = useAppSelector((state) =>
    isClosed
      ? cids.reduce((sum, cid) => {
          const channel = state.entities.channels[cid]
          return channel === undefined ? sum : sum + forYouOf(channel)
        }, 0)
      : 0,
  )
  const toggle = (): void => {
    const others = closedSections.filter((closed) => closed !== name)
    void dispatch(updateSettings({ closedSections: isClosed ? others : [...others, name] }))
  }
  return (
    <div className={styles['head']} onContextMenu={menu.onContextMenu}>
      <h2>
        <button type="button" className={styles['toggle']} aria-expanded={!isClosed} onClick={toggle}>
          <span className="ellipsis">{title}</span>
          <Icon name={isClosed ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
      </h2>
      {forYou > 0 ? <Count value={forYou} tone="mention" /> : null}
      <span className={styles['options']}>
        <IconButton
          icon="more"
          size="tiny"
          onApp
          label={t('section.options', { name: title })}
          {...menu.triggerProps}
        />
      </span>
      {children}
      {menu.menu}
    </div>
  )
}
