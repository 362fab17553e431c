import { useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useRegistry } from '../../registry/registry.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import type { Routes } from '../../store/window/kinds.ts'
import { viewLeft } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { usePages } from './ManageNav.tsx'
import styles from './Manage.module.css'

type Props = Routes['manage'] & {
  /** In a single column: goes back to the list of pages. */
  readonly onBack?: () => void
}

/** A page of administration; the sidebar beside it lists the pages. */
export function ManageView({ page, id, list, onBack }: Props) {
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
