import { Fragment, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useRegistry } from '../../registry/feature.ts'
import { useAppDispatch, useAppSelector, useSession } from '../../store/hooks.ts'
import type { Routes } from '../../store/window/kinds.ts'
import { routeOpened, viewLeft } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Count } from '../../ui/Mark/Mark.tsx'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { selectForYouTotal } from '../sidebar/index.ts'
import { useManage } from './state.ts'
import styles from './Manage.module.css'

type Props = Routes['manage'] & { readonly onBack: () => void }

/** Replaces the sidebar while administration is open. Lists only pages that the viewer has a right for. */
export function ManageNav({ page, onBack }: Props) {
  const t = useTexts('manage')
  const dispatch = useAppDispatch()
  const workspace = useSession().workspace?.name ?? 'Parlor'
  const pages = usePages()
  const waiting = useManage()?.waiting ?? 0
  const roving = useRoving({ ids: pages.map(({ name }) => name), initialId: page })
  const { ref, ...listeners } = roving.containerProps
  return (
    <nav className={styles['nav']} aria-label={t('title')} data-region="sidebar">
      <button type="button" className={styles['navRow']} onClick={onBack}>
        <Icon name="arrow-left" size={17} />
        <span className="ellipsis">{t('backTo', { workspace })}</span>
        <Mentions />
      </button>
      <div
        ref={(element) => {
          ref.current = element
        }}
        className={styles['navList']}
        {...listeners}
      >
        {pages.map(({ name, icon, group, counts }, index) => (
          <Fragment key={name}>
            {pages[index - 1]?.group === group ? null : <h2 className={styles['navHead']}>{t(`groups.${group}`)}</h2>}
            <button
              type="button"
              role="link"
              className={styles['navRow']}
              aria-current={name === page ? 'page' : undefined}
              aria-label={
                counts === undefined || waiting === 0
                  ? undefined
                  : t('waitingIn', { page: t(`pages.${name}`), count: waiting })
              }
              {...roving.itemProps(name)}
              onClick={() => dispatch(routeOpened({ view: 'manage', page: name }))}
            >
              <Icon name={icon} />
              <span className="ellipsis">{t(`pages.${name}`)}</span>
              {counts === undefined || waiting === 0 ? null : (
                <span className={styles['navEnd']}>
                  <Count value={waiting} />
                </span>
              )}
            </button>
          </Fragment>
        ))}
      </div>
    </nav>
  )
}

/** The pages that the viewer has a right for, in order. */
function usePages() {
  const { manage } = useRegistry()
  const rights = useManage()?.rights ?? []
  return manage.filter(({ right }) => rights.includes(right))
}

/** Unread messages for the viewer, so that nothing is missed meanwhile. */
function Mentions() {
  const t = useTexts('manage')
  const count = useAppSelector(selectForYouTotal)
  if (count === 0) return null
  return (
    <span className={styles['navEnd']}>
      <Count value={count} tone="mention" />
      <span className="sr-only">{t('unread', { count })}</span>
    </span>
  )
}

type ManageViewProps = Routes['manage'] & {
  /** In a single column: goes back to the list of pages. */
  readonly onBack?: () => void
}

/** A page of administration; the sidebar beside it lists the pages. */
export function ManageView({ page, id, list, onBack }: ManageViewProps) {
  const t = useTexts('manage')
  const dispatch = useAppDispatch()
  const pages = usePages()
  const allowed = pages.find(({ name }) => name === page)
  const [wasOpen, setWasOpen] = useState<string>()
  if (allowed !== undefined && wasOpen !== page) setWasOpen(page)
  const { manage } = useRegistry()
  const stays = manage.find(({ name, staysOpen }) => staysOpen === true && name === page && wasOpen === page)
  const found = allowed ?? stays
  if (found === undefined) {
    // The right was taken away while the page was open.
    return (
      <main className={styles['main']} aria-label={t('title')}>
        <Empty
          scene="lines"
          title={t('taken.title')}
          action={<Button onClick={() => dispatch(viewLeft())}>{t('taken.back')}</Button>}
        >
          {t('taken.text')}
        </Empty>
      </main>
    )
  }
  const { component: View } = found
  return <View key={`${page} ${id ?? ''}`} id={id} list={list} onBack={onBack} />
}
